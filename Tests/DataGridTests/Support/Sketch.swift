import DataGrid

/// Draws a grid as text from its layout alone.
///
/// Columns have letters, rows their positions: `3b` is row 3 in column b, `3B` is under the cursor, `3b*` is selected. `▾ x` and `▸ x` are
/// headers of section x, `^ x` a sticky one, `X` one with the cursor. Frozen rows end in `=`. `~` is a line of the pull strip, `%` the
/// loader, `---` the rule above the bottom pane, `Σ` the totals.
func sketch(_ state: GridState) -> String {
    let layout = state.layout
    var picture = [[Character]](repeating: [Character](repeating: " ", count: layout.size.width), count: layout.size.height)
    func write(_ text: String, x: Int, y: Int, width: Int = .max, skipping: Int = 0) {
        for (offset, character) in text.dropFirst(skipping).prefix(width).enumerated() where x + offset < layout.size.width {
            picture[y][x + offset] = character
        }
    }
    for span in layout.columns where layout.headerHeight > 0 {
        write(state.columns[span.index].title, x: span.x, y: 0, width: span.width, skipping: span.clippedLeading)
    }
    for line in layout.itemSpans {
        let isCurrent = state.cursor.item == line.item
        switch line.item {
        case .header(let section):
            let title = state.outline.tree!.sections[section].title
            let sign = line.pane == .stuck ? "^" : state.outline.collapsed[section] ? "▸" : "▾"
            write("\(sign) \(isCurrent ? title.uppercased() : title)", x: 0, y: line.y)
        case .row(let row):
            for span in layout.columns {
                var text = "\(row)\(state.columns[span.index].title)"
                if isCurrent, state.cursor.column == span.index { text = text.uppercased() }
                if !state.selection.isEmpty, state.selection.contains(row: row, column: span.id) { text += "*" }
                write(text, x: span.x, y: line.y, width: span.width, skipping: span.clippedLeading)
            }
        }
        if line.pane == .frozenTop || line.pane == .frozenBottom { write("=", x: layout.size.width - 1, y: line.y) }
    }
    for strip in layout.strips {
        let sign =
            switch strip.kind {
            case .pull: "~"
            case .loader: "%"
            case .bottomEdge: "---"
            case .totals: "Σ"
            }
        for y in strip.range { write(sign, x: 0, y: y) }
    }
    return picture.map { line in String(String(line).reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
}

/// A grid with columns named by the letters of `names`, of equal width with a gap of one cell, one header line and no scroll bar. Clicks
/// move the cursor.
func grid(
    _ names: String = "abc", rows: Int = 20, width: Int = 4, frame: (Int, Int) = (15, 6), tree: SectionTree? = nil,
    _ metrics: (inout GridMetrics) -> Void = { _ in }
) -> GridState {
    var measures = GridMetrics()
    measures.hasStickySectionHeaders = true
    measures.columnSpacing = 1
    measures.headerHeight = 1
    measures.showsScrollBar = false
    metrics(&measures)
    let columns = names.enumerated().map { Column(id: ColumnID($0), title: String($1), width: .fixed(width)) }
    var state = GridState(columns: columns, metrics: measures)
    state.interaction = .browsing
    _ = state.apply(.resize(GridSize(width: frame.0, height: frame.1)))
    _ = state.apply(.setRows(.natural(count: rows), tree: tree))
    return state
}

/// Sections from an outline: `x 3` is section x with three rows; two blanks of indentation per level.
func sections(_ text: String) -> SectionTree {
    var sections: [Section] = []
    var row = 0
    for line in text.split(separator: "\n") {
        let level = line.prefix { $0 == " " }.count / 2
        let words = line.split(separator: " ")
        let count = words.count > 1 ? Int(words[1])! : 0
        sections.append(Section(level: level, title: String(words[0]), rows: row..<row + count))
        row += count
    }
    // A parent section contains the rows of its children.
    for index in sections.indices {
        let inner = sections[(index + 1)...].prefix { $0.level > sections[index].level }
        if let last = inner.last { sections[index].rows = sections[index].rows.lowerBound..<last.rows.upperBound }
    }
    return SectionTree(sections)
}

extension GridState {
    /// Applies actions in order and returns their events.
    @discardableResult
    mutating func play(_ actions: GridAction...) -> [GridEvent] { actions.flatMap { apply($0) } }

    /// Moves the cursor.
    mutating func go(_ motions: GridMotion...) {
        for motion in motions { _ = apply(.move(motion)) }
    }

    /// Drags the pointer through these points and releases it at the last.
    @discardableResult
    mutating func drag(_ points: (Int, Int)..., press: PointerPress = PointerPress()) -> [GridEvent] {
        var events = apply(.pointerDown(GridPoint(points[0]), press))
        for point in points.dropFirst() { events += apply(.pointerMoved(GridPoint(point))) }
        return events + apply(.pointerUp(GridPoint(points.last!)))
    }

    /// True if the cursor's item is fully visible, or fills the pane, and its column at least in part.
    var isCursorVisible: Bool {
        let layout = layout
        guard layout.size.height > 0, layout.size.width > 0 else { return true }
        if effectivePresentation != .table {
            return layout.tiles.contains { $0.item == cursor.item }
                && (layout.fields.isEmpty || layout.fields.contains { $0.index == cursor.column })
        }
        let line = layout.itemSpans.contains { $0.item == cursor.item && $0.pane != .stuck }
        return line && layout.columns.contains { $0.index == cursor.column }
    }
}

extension GridPoint {
    init(_ point: (Int, Int)) { self.init(x: point.0, y: point.1) }
}
