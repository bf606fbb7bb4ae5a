import Foundation
import Testing

/// What the articles must not lose.
@Suite struct DocumentTests {
    /// The names in code of the first columns of an article's tables.
    private func firstColumnNames(of article: String) throws -> Set<String> {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/DataGrid/DataGrid.docc/\(article).md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
        return Set(
            lines.flatMap { line in
                // Between the first bars every second piece stands in backticks.
                let pieces = line.split(separator: "|")[0].split(separator: "`", omittingEmptySubsequences: false)
                return pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }
            })
    }

    @Test(
        "Whoever comes from another grid finds each of its names",
        arguments: [
            (
                "data grid: properties",
                """
                canReorderRows columns dataSource defaultCellStyleForAlternateRows defaultCellStyleForHeaderRow defaultCellStyleForRows
                defaultCellStyleForSelectedRows defaultColWidth defaultGridLineStyle defaultHeaderRowHeight defaultRowHeight
                defaultSectionHeaderStyle delegate directionalLockAllowDiagonalPanning directionalLockEnabled doubleTapEventMask
                enableBlending licenseKey linesOnTop minimumColWidth minimumRowHeight numberOfFrozenColumns numberOfFrozenRows pullToAction
                selectionMode showPullToAction singleTapEventMask tintColor
                """
            ),
            (
                "data grid: methods",
                """
                addColumn: addColumnsFromArray: applyTheme: clearSelectionWithAnimation: getInfo initWithCoder: initWithColumns:
                initWithFrame: isValidDataGridRow: numberOfRowsForSection: numberOfSections redrawColumns: redrawRows: reload
                reloadColumns: reloadRows: removeColumn: removeColumnAtIndex: sectionAtIndexIsCollapsed: selectedCellCoordinates
                selectedRows setRow:asSelected:animated: setSectionAtIndex:asCollapsed: setSelectedRows: setSelectedRows:animated:
                visibleCellAtCoordinate: visibleColumns visibleRows
                """
            ),
            (
                "data grid: its delegate and columns",
                """
                headerCell headerStyleForSectionAtIndex: heightForRowAtIndex:inSection: minimumWidth
                permittedDragDirectionForCellAtCoordinate:
                """
            ),
            (
                "cells with columns in a table view",
                """
                accessoryType beginUpdates binding columnWidth columnWidthPercent detailImage endUpdates fdlFUIGridTableViewCell
                fdlFUIGridTableViewCell_selected footnote FUIGridRowHeaderItem FUIGridRowImageItem FUIGridRowTextItem headline icon items
                sectionHeaderHeight spacing status statusImage subheadline substatus substatusImage UITableViewAutomaticDimension
                useColumnLayoutInCompact
                """
            ),
            (
                "data-source helper",
                """
                data didDeselectRow didSelectRow displayValueForProperty:withSourceObject:
                initWithTitle:forProperty:cellType:headerCellType: initWithDataGrid: populateCell:withValue:forProperty:sourceObject:
                selectedItems showArrowForDelta: showHighlight showHighlightForDelta: sortMode width
                """
            ),
            (
                "grid of views",
                """
                addItemAtIndexPath: dequeReusableView enableSort gridDelegate loaderView numberOfItemsInSection
                numberOfSectionsInSMGridView: padding pagingEnabled performRemoveIndexPath: reloadData reloadDataOnlyNew
                removeItemAtIndexPath: shouldMoveItemFrom:to: sizeForHeaderInSection: sizeForIndexPath: smGridViewSameSize:
                smGridViewShowLoader: stickyHeaders vertical viewForHeaderInSection: viewForIndexPath:
                """
            ),
            (
                "table layout of a collection view",
                """
                cellSize columnHeaderHeight maximumCellSize minimumCellSize registerClass:forDecorationViewOfKind: rowHeaderWidth
                sizeForCellAtIndexPath: supplementaryViewOfKind:sizeAtIndexPath:
                """
            ),
        ])
    func namesElsewhere(of control: String, _ names: String) throws {
        let wanted = Set(names.split(whereSeparator: \.isWhitespace).map(String.init))
        #expect(try wanted.subtracting(firstColumnNames(of: "ComingFromOtherGrids")) == [])
    }
}
