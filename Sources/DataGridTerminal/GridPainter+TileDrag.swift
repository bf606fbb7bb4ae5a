import DataGrid
import TerminalSurface

/// What is seen of a drag to another place among cards, and where rows stand beside each other.
extension GridPainter {
    /// A column that has a line: the line above the one before which it would go is underlined, or the one behind which it would.
    func paintLineDrag(of id: ColumnID, to target: Int, on buffer: inout CellBuffer) {
        let width = layout.rowEnd
        if let field = layout.fields.first(where: { $0.id == id }) { tint(x: 0, y: field.y, width: width, height: 1, on: &buffer) }
        guard let from = state.columns.index(of: id) else { return }
        func line(_ index: Int) -> Int? { layout.fields.first { $0.index == index }?.y }
        guard let y = target > from ? line(target - 1) : line(target).map({ $0 - 1 }), y >= 0 else { return }
        underline(x: 0, y: y, width: width, on: &buffer)
    }

    /// Rows as tiles: the mark stands before the tile that they would push on, or behind the one that they would push back.
    func paintTileDrag(of range: Range<Int>, to target: Int, on buffer: inout CellBuffer) {
        var places: Set<Int> = []
        for tile in layout.tiles {
            guard case .row(let position) = tile.item else { continue }
            places.insert(tile.x)
            if range.contains(position) { tint(x: tile.x, y: tile.y, width: tile.width, height: tile.height, on: &buffer) }
        }
        let isBehind = target > range.lowerBound
        guard let tile = layout.tiles.first(where: { $0.item == .row(isBehind ? target - 1 : target) }) else { return }
        let y = isBehind ? tile.y + tile.height : tile.y - 1
        // Cards that stand only above each other have their marks between lines; above the first card there may be none.
        guard layout.presentation == .cards, places.count == 1, y >= 0 else {
            let x = isBehind ? min(tile.x + tile.width, layout.rowEnd - 1) : max(0, tile.x - 1)
            for y in tile.y..<tile.y + tile.height { write("┃", x: x, y: y, width: 1, style: theme.insertionMark, on: &buffer) }
            return
        }
        let isFree = layout.pane.contains(y) && !layout.tiles.contains { ($0.y..<$0.y + $0.height).contains(y) }
        guard isFree else { return underline(x: tile.x, y: isBehind ? y - 1 : y, width: tile.width, on: &buffer) }
        let rule = String(repeating: "━", count: tile.width)
        write(rule, x: tile.x, y: y, width: tile.width, style: theme.insertionMark, ellipsis: false, on: &buffer)
    }
}
