import Testing

/// The article “Migrating from other grids”.
@Suite struct MigrationTests {
    /// The code names in the first columns of the article's tables.
    private func firstColumnNames() throws -> Set<String> {
        let lines = try Article("ComingFromOtherGrids").text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        return Set(
            lines.flatMap { line in
                // Every second piece of the first cell is in backticks.
                let pieces = line.split(separator: "|")[0].split(separator: "`", omittingEmptySubsequences: false)
                return pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }
            })
    }

    @Test(
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
    func `the migration article lists every API name of other grids`(of control: String, _ names: String) throws {
        let expected = Set(names.split(whereSeparator: \.isWhitespace).map(String.init))
        #expect(try expected.subtracting(firstColumnNames()) == [])
    }
}
