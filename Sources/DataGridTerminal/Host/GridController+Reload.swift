public import DataGrid

/// Methods that read changed content and styles again. Other visible values stay cached.
///
/// | call | data source | delegate |
/// | --- | --- | --- |
/// | ``reload()`` | sections, their columns and rows, all visible cells | all visible styles, heights of rows and headers, content widths |
/// | ``reloadRows(_:)`` | the visible cells of these rows | their styles |
/// | ``reloadColumns(_:)`` | the visible cells of these columns | their styles |
/// | ``reportChanges(_:)`` | these cells, if visible | their styles |
/// | ``redrawRows(_:)``, ``redrawColumns(_:)`` | nothing | these styles |
/// | ``reloadAppended()`` | rows of the last section and later sections | nothing; newly visible items as after scrolling |
///
/// With automatic row heights, changed rows are measured again from the cells of the next frame, and the delegate's heights of these rows
/// are requested again. With delegated heights only (`GridMetrics.hasDelegatedRowHeights`), only ``reload()`` requests them again. Heights
/// of section headers are requested again by ``reload()``, and after changes of the sections or of rows, except appended rows.
///
/// Calls that request styles of rows or columns also request the styles of whole columns and of rules. ``redrawRows(_:)`` also requests
/// styles of sections. All reloading calls read visible totals and section headers again.
///
/// When a row becomes visible, only this row is read; moving the cursor reads nothing. After a reloading call, the next ``draw(on:)`` reads
/// the content. Columns whose widths are measured, including columns near the visible ones, are read immediately. They are read in the
/// visible rows, the first row and the last row.
extension GridController {
    /// Reads sections, rows, content, styles, row heights and measured column widths again.
    ///
    /// The cursor keeps its position if that row exists. Collapsed sections are matched by title. The selection stays with its rows if the
    /// source has a `GridDataSource.rowOrder`, which identifies rows; otherwise it is cleared. A drag of rows continues if they still
    /// exist. An editor stays open if its cell has the same text; otherwise it closes without a commit, because its row ID may belong to
    /// another row. Marks of changes (`Column.keepsChangeMarks`) stay if the source has a row order.
    ///
    /// First calls `GridDataSource.willReload()`, so that the source can discard cached values. Then reads the group columns, the number of
    /// sections, the level and title of each, and the row counts of sections without subsections. O(sections).
    public func reload() {
        guard let source = dataSource else { return }
        source.willReload()
        caches.removeAll()
        resetHeights()
        configure { _ = $0.updateWidths(from: styleDelegate) }
        let count = max(0, source.numberOfSections)
        let (sections, areTitled) = Self.sections(of: source, 0..<count, after: nil, start: 0)
        let end = sections.last?.rows.upperBound ?? 0
        let columns = source.groupColumns
        let hasHeaders = count > 1 || !columns.isEmpty || areTitled
        let order = source.rowOrder
        hasSourceOrder = order != nil
        if order == nil {
            closeStaleEditor(rowCount: end)
            changeMarks.removeAll()
        }
        let tree = hasHeaders ? SectionTree(sections, columns: columns) : nil
        perform(.setRows(order ?? .natural(count: end), tree: tree, keeping: order == nil ? [] : .selection))
        configure { measureColumns(of: &$0, remeasures: true) }
        setNeedsDisplay()
    }

    /// Asks the source to sort by the current sort keys, then applies the row order of the source unless the source has already applied
    /// it.
    func sortSource() {
        let before = state.rows
        dataSource?.sort(by: state.sort)
        guard let dataSource, state.rows == before else { return }
        let order = dataSource.rowOrder
        guard order != nil || hasSourceOrder else { return }
        hasSourceOrder = order != nil
        perform(.setRows(order ?? .natural(count: before.count), tree: state.outline.tree, keeping: .selection))
    }

    /// Reads the sections in `range` from the source. `start` is the position of their first row.
    /// - Returns: the sections, and true if any of them has a title, even an empty title.
    private static func sections(
        of source: any GridDataSource, _ range: Range<Int>, after previous: Int?, start: Int
    ) -> (sections: [Section], areTitled: Bool) {
        var levels: [Int] = []
        for index in range { levels.append(min(max(0, source.level(ofSection: index)), (levels.last ?? previous ?? -1) + 1)) }
        var sections: [Section] = []
        var areTitled = false
        var end = start
        for (offset, index) in range.enumerated() {
            let hasSubsections = offset + 1 < levels.count && levels[offset + 1] > levels[offset]
            let rows = hasSubsections ? 0 : max(0, source.numberOfRows(inSection: index))
            let title = source.title(ofSection: index)
            if title != nil { areTitled = true }
            sections.append(Section(level: levels[offset], title: title ?? "", rows: end..<end + rows))
            end += rows
        }
        // The sections that can still get subsections. A section also contains the rows of its subsections.
        var open: [Int] = []
        for (index, section) in sections.enumerated() {
            while let last = open.last, sections[last].level >= section.level { open.removeLast() }
            for outer in open { sections[outer].rows = sections[outer].rows.lowerBound..<section.rows.upperBound }
            open.append(index)
        }
        return (sections, areTitled)
    }

    /// Reads the content and the styles of `rows` (`nil` for all rows) again, but not the number of rows. Rows with automatic heights are
    /// measured again; the top row stays at the top, and a visible cursor stays visible.
    public func reloadRows(_ rows: [RowID]? = nil) {
        caches.remove(rows: rows)
        setNeedsDisplay()
    }

    /// Reads the content and the styles of columns again, but not their widths.
    public func reloadColumns(_ columns: [ColumnID]) {
        caches.remove(columns: columns)
        setNeedsDisplay()
    }

    /// Requests the styles of `rows` (`nil` for all rows) and of all sections, columns and rules again. Does not read the data source.
    public func redrawRows(_ rows: [RowID]? = nil) {
        caches.removeStyles(ofRows: rows)
        setNeedsDisplay()
    }

    /// Requests the styles of columns, of their cells and of rules again. Does not read the data source.
    public func redrawColumns(_ columns: [ColumnID]) {
        caches.removeStyles(ofColumns: columns)
        setNeedsDisplay()
    }

    /// Adds rows that the source has appended: to the last section, and in new sections after it. Existing rows do not change.
    ///
    /// For sources that number their rows in order; has no effect with other orders. Reads the row count of the last section, the number of
    /// sections, and level, title and row count of new sections. Calls ``reload()`` if the last section has rows and has got subsections,
    /// or if sections appear in a grid without sections. O(appended rows), plus O(sections) in a grid with sections. Reads cells only when
    /// they become visible.
    public func reloadAppended() {
        guard let source = dataSource else { return }
        guard let tree = state.outline.tree, let last = tree.sections.indices.last else {
            // The grid had no sections until now.
            let count = source.numberOfSections
            if count > 1 || count == 1 && (state.outline.tree != nil || source.title(ofSection: 0) != nil) { return reload() }
            perform(.growRows(.natural(count: max(state.rows.count, source.numberOfRows(inSection: 0)))))
            return
        }
        let level = tree.sections[last].level
        let rows = max(tree.sections[last].rows.count, source.numberOfRows(inSection: last))
        let grown = rows - tree.sections[last].rows.count
        let start = state.rows.count + grown
        let new = Self.sections(of: source, last + 1..<max(last + 1, source.numberOfSections), after: level, start: start).sections
        // A section without rows may get subsections, but a section with rows needs a complete reload.
        if let first = new.first, first.level > level, !tree.sections[last].rows.isEmpty { return reload() }
        let all = (grown > 0 ? tree.inserting(grown, in: last) : tree).appending(new)
        perform(.growRows(.natural(count: new.last?.rows.upperBound ?? start), tree: all))
    }
}
