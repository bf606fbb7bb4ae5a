public import DataGrid

/// Asking anew for what has changed, at no more cost than needed. What was asked once is kept while it is in sight.
///
/// | call | asks the source | asks the delegate |
/// | --- | --- | --- |
/// | ``reload()`` | for sections, what they are made of, their rows, and all cells in sight | for all styles in sight, heights of rows and of headers, and widths that follow from content |
/// | ``reloadRows(_:)`` | for the cells in sight of these rows | for their styles |
/// | ``reloadColumns(_:)`` | for the cells in sight of these columns | for their styles |
/// | ``note(_:)`` | for these cells, where they are in sight | for their styles |
/// | ``redrawRows(_:)``, ``redrawColumns(_:)`` | for nothing | for these styles |
/// | ``reloadAppended()`` | for the rows of the last section, and for sections behind it | for nothing; for what comes into sight by it as if it had been scrolled there |
///
/// Where rows are as high as their content, those that are asked for anew are measured anew, by the cells that the next frame draws; heights
/// that a delegate says in place of that are asked for with them. Where heights are delegated and nothing more
/// (`GridMetrics.hasDelegatedRowHeights`), ``reload()`` alone asks for them again; and for those of sections' headers it alone does beside
/// what says that sections are others, or that rows have come or gone among those that were there.
///
/// With the styles of rows and columns go those of whole columns and of lines, and with ``redrawRows(_:)`` those of sections. All but the
/// redrawing ask for the totals and for what headers of sections tell, too, where these are in sight.
/// A row that scrolls into sight is asked for alone, and moving the cursor asks for nothing. The asking is done by the next
/// ``draw(on:)``; cells of columns that have to be measured are asked for at once, with those of the first and the last row, and of the
/// columns that come next to those in sight.
extension GridController {
    /// Takes everything anew from the data source: sections, their rows, what cells say, how they look, how high rows are, and how wide
    /// columns to which nobody gave a width. The cursor stays at its position, as far as there are rows; collapsed sections stay collapsed by their titles; a
    /// selection ends. An editor stays where its cell says what it said; elsewhere it ends, and nothing is taken: the number of its row may be that
    /// of another one now.
    ///
    /// Tells the source first, so that it takes anew what it keeps of values (`GridDataSource.willReload()`). Asks for the columns by which it
    /// groups, the number of sections, for level and title of each, and for the number of rows of those that hold no others. O(sections).
    public func reload() {
        guard let source = dataSource else { return }
        source.willReload()
        caches.removeAll()
        makeHeights()
        configure { _ = $0.updateWidths(from: looks) }
        let count = max(0, source.numberOfSections)
        let (sections, areTitled) = Self.sections(of: source, 0..<count, after: nil, start: 0)
        let end = sections.last?.rows.upperBound ?? 0
        let columns = source.groupColumns
        let hasHeaders = count > 1 || !columns.isEmpty || areTitled
        let order = source.rowOrder
        hasOrderOfSource = order != nil
        if order == nil { leaveEditor(ofRowsUpTo: end) }
        perform(.setRows(order ?? .natural(count: end), tree: hasHeaders ? SectionTree(sections, columns: columns) : nil))
        configure { measureColumns(of: &$0, anew: true) }
        setNeedsDisplay()
    }

    /// Has the source bring its rows into the order that is asked for, and takes it; a source may also give it to the grid by itself.
    func sortSource() {
        let before = state.rows
        dataSource?.sort(by: state.sort)
        guard let dataSource, state.rows == before else { return }
        let order = dataSource.rowOrder
        guard order != nil || hasOrderOfSource else { return }
        hasOrderOfSource = order != nil
        perform(.setRows(order ?? .natural(count: before.count), tree: state.outline.tree, keeping: .selection))
    }

    /// What the source says of its sections `range`, in which the first row stands at `start`; and whether it gives any of them a title, be it
    /// an empty one.
    private static func sections(
        of source: any GridDataSource, _ range: Range<Int>, after previous: Int?, start: Int
    ) -> (sections: [Section], areTitled: Bool) {
        var levels: [Int] = []
        for index in range { levels.append(min(max(0, source.level(ofSection: index)), (levels.last ?? previous ?? -1) + 1)) }
        var sections: [Section] = []
        var areTitled = false
        var end = start
        for (place, index) in range.enumerated() {
            let holdsOthers = place + 1 < levels.count && levels[place + 1] > levels[place]
            let rows = holdsOthers ? 0 : max(0, source.numberOfRows(inSection: index))
            let title = source.title(ofSection: index)
            if title != nil { areTitled = true }
            sections.append(Section(level: levels[place], title: title ?? "", rows: end..<end + rows))
            end += rows
        }
        // What holds others has their rows.
        var open: [Int] = []
        for (index, section) in sections.enumerated() {
            while let last = open.last, sections[last].level >= section.level { open.removeLast() }
            for outer in open { sections[outer].rows = sections[outer].rows.lowerBound..<section.rows.upperBound }
            open.append(index)
        }
        return (sections, areTitled)
    }

    /// Asks anew for the content of rows, and for their styles; of all rows when `nil`. Their number is not. Rows that are as high
    /// as their content grow and shrink; what is at the top stays there, and the cursor in sight if it was.
    public func reloadRows(_ rows: [RowID]? = nil) {
        caches.remove(rows: rows)
        setNeedsDisplay()
    }

    /// Asks anew for the content of columns, and for their styles. Their widths are not.
    public func reloadColumns(_ columns: [ColumnID]) {
        caches.remove(columns: columns)
        setNeedsDisplay()
    }

    /// Asks anew for the styles of rows, and of all sections, whole columns and lines; of all rows when `nil`. The data source is not asked.
    public func redrawRows(_ rows: [RowID]? = nil) {
        caches.styles.change { $0.remove(rows: rows) }
        caches.styles.removeSections()
        caches.styles.removeLines()
        setNeedsDisplay()
    }

    /// Asks anew for the styles of columns and of their cells, and of lines. The data source is not asked.
    public func redrawColumns(_ columns: [ColumnID]) {
        caches.styles.change { $0.remove(columns: columns) }
        caches.styles.removeLines()
        setNeedsDisplay()
    }

    /// Takes in rows that have come at the end: of the last section, and of sections that have come behind it. What is there stays as it is.
    ///
    /// For sources that number their rows in order; nothing happens in other orders. Asks for the number of rows of the last section, for the
    /// number of sections, and for level, title and rows of those that have come. A last section with rows in which others have come, and rows
    /// without sections behind which some have come, are taken anew with all that there is (``reload()``). O(rows that have come), and
    /// O(sections) where there are any; no cell is asked for before it is in sight.
    public func reloadAppended() {
        guard let source = dataSource else { return }
        guard let tree = state.outline.tree, let last = tree.sections.indices.last else {
            // The first headers have come.
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
        // A section without rows may have become one that holds others.
        if let first = new.first, first.level > level, !tree.sections[last].rows.isEmpty { return reload() }
        let all = (grown > 0 ? tree.inserting(grown, in: last) : tree).appending(new)
        perform(.growRows(.natural(count: new.last?.rows.upperBound ?? start), tree: all))
    }
}
