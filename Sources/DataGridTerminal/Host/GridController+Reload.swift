import DataGrid

extension GridController {
    /// Takes everything anew from the data source: sections, their rows, and what cells say. The cursor stays at its position, as far as
    /// there are rows; collapsed sections stay collapsed by their titles; a selection ends.
    ///
    /// Asks for the number of sections, and for title and number of rows of each. O(sections).
    public func reload() {
        guard let source = dataSource else { return }
        let count = source.numberOfSections
        var sections: [Section] = []
        var end = 0
        var hasHeaders = count > 1
        for index in 0..<max(0, count) {
            let rows = max(0, source.numberOfRows(inSection: index))
            let title = source.title(ofSection: index)
            if title != nil { hasHeaders = true }
            sections.append(Section(title: title ?? "", rows: end..<end + rows))
            end += rows
        }
        configure {
            $0.rowHeightSource = ContentHeights(source, delegate: delegate)
            _ = $0.takeWidths(from: delegate)
        }
        perform(.setRows(.natural(count: end), tree: hasHeaders ? SectionTree(sections) : nil))
        setNeedsDisplay()
    }
}
