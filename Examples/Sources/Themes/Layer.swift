import DataGrid
import DataGridTerminal

/// A style layer: its name in the library, and its usage in this program.
struct Layer {
    enum Style {
        /// A layer of a cell.
        case layer(KeyPath<StyleLayers, CellStyle?>)
        /// A part of the theme that is not a layer of cells.
        case part(ThemePart)
    }

    let name: String
    let usage: String
    let style: Style

    /// True for a line, which has no text.
    var isLine: Bool {
        switch style {
        case .part(.gridLine), .part(.frozenEdge): true
        default: false
        }
    }

    private init(_ name: String, _ usage: String, _ path: KeyPath<StyleLayers, CellStyle?>) {
        (self.name, self.usage, style) = (name, usage, .layer(path))
    }

    private init(_ part: ThemePart, _ usage: String) {
        (name, self.usage, style) = (part.rawValue, usage, .part(part))
    }

    /// The layers of a cell, from lowest to highest.
    @MainActor static let cellLayers = [
        Layer("row", "all rows", \.row),
        Layer("alternateRow", "every second row of a region", \.alternateRow),
        Layer("column", "MW: Column.style", \.column),
        Layer("delegateColumn", "Opened: style(ofColumn:)", \.delegateColumn),
        Layer("section", "Coast: style(ofSection:)", \.section),
        Layer("delegateRow", "strongest: style(ofRow:)", \.delegateRow),
        Layer("rowClass", "closed stations", \.rowClass),
        Layer("cellClass", "high prices", \.cellClass),
        Layer("delegateCell", "high loads: style(ofRow:column:)", \.delegateCell),
        Layer("highlight", "values that u changes", \.highlight),
        Layer("selection", "selected cells", \.selection),
        Layer("cursor", "current cell", \.cursor),
    ]

    /// Parts that are not cells of a row and never blend.
    @MainActor static let otherParts = [
        Layer(.header, "titles"), Layer(.currentHeader, "title of the cursor's column"), Layer(.sectionHeader, "names of regions"),
        Layer(.gridLine, "rules, two by style(ofRule:)"), Layer(.frozenEdge, "after the frozen column"),
        Layer(.totals, "the totals"),
    ]
}

extension ThemeScreen {
    /// The appearance of a layer on an empty cell.
    func sample(of layer: Layer) -> CellStyle {
        switch layer.style {
        case .layer(let path): theme.row.applying(samples[keyPath: path] ?? .none, blending: grid.state.blendsStyles, base: theme.ground)
        case .part(let part): theme.row.applying(theme[keyPath: part.keyPath])
        }
    }

    /// True if the cell under the cursor has this layer.
    func isUnderCursor(_ layer: Layer) -> Bool {
        guard case .layer(let path) = layer.style, let style = layersUnderCursor?[keyPath: path] else { return false }
        return style != .none
    }

    /// An example of each layer.
    private var samples: StyleLayers {
        var layers = StyleLayers()
        layers.alternateRow = theme.alternateRow
        layers.column = grid.columns[2].style
        layers.delegateColumn = style(ofColumn: 6)
        layers.section = style(ofSection: 1)
        layers.delegateRow = style(ofRow: strongestStations[0])
        layers.rowClass = theme.classes["closed"]?.normal
        layers.cellClass = theme.classes["expensive"]?.normal
        layers.delegateCell = style(ofLoad: 1)
        layers.highlight = theme.rise
        layers.selection = theme.selection
        layers.cursor = theme.cursor
        return layers
    }

    /// The layers of the cell under the cursor in the grid's order, without highlights; `nil` on the header of a region.
    private var layersUnderCursor: StyleLayers? {
        let state = grid.state
        guard let row = state.currentRow, let column = state.currentColumn else { return nil }
        let station = stations[row.rawValue]
        var layers = StyleLayers()
        layers.row = theme.row
        layers.alternateRow = station.index % 2 == 1 ? theme.alternateRow : nil
        layers.column = column.style
        layers.delegateColumn = style(ofColumn: column.id)
        layers.section = style(ofSection: station.region)
        layers.delegateRow = style(ofRow: row)
        layers.rowClass = styleClass(ofRow: row).flatMap { theme.classes[$0]?.normal }
        layers.cellClass = content(row: row, column: column.id).styleClass.flatMap { theme.classes[$0]?.normal }
        layers.delegateCell = style(ofRow: row, column: column.id)
        layers.selection = state.selectedCells()?.contains { $0.row == row && $0.column == column.id } == true ? theme.selection : nil
        layers.cursor = theme.cursor
        return layers
    }
}
