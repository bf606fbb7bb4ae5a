import DataGrid
import DataGridTerminal
import TerminalSurface

extension ThemeScreen {
    /// Shows the grid in an application, with the legend beside it or, on a narrow screen, below.
    func show(on application: GridApplication) {
        application.add(grid) { size in
            let legend = Legend(size)
            return TerminalRect(
                x: 0, y: 1, width: legend.isBeside ? legend.x - 1 : size.columns, height: legend.isBeside ? size.rows - 2 : legend.y - 1)
        }
        application.onStart = { [weak self, weak application] in
            if let colors = application?.colors { self?.terminal = colors }
        }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onEvent = { [weak self, weak application] event in
            switch event {
            case .background:
                if let colors = application?.colors { self?.terminal = colors }
            case .key(let press) where press.modifiers.isEmpty && self?.handle(press.key) == true: break
            default: return false
            }
            application?.setNeedsDisplay()
            return true
        }
    }

    /// Handles the keys that the grid does not use.
    private func handle(_ key: Key) -> Bool {
        switch key {
        case .character("t"): showNextTheme()
        case .character("g"): cycleRules()
        case .character("x"): toggleCrossings()
        case .character("b"): toggleBlending()
        case .character("u"): changeOutputs()
        default: return false
        }
        return true
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let (state, size) = (grid.state, buffer.size)
        let theme = state.theme
        buffer.fill(TerminalRect(size), style: theme.row.textStyle)
        let lines = state.metrics.gridLines == .both ? "both, \(state.metrics.linesOnTop) on top" : "\(state.metrics.gridLines)"
        let title = buffer.write(theme.name, x: 1, y: 0, style: theme.row.applying(theme.title).textStyle)
        let settings = [KeyHint("lines:", lines), KeyHint("", state.blendsStyles ? "blended" : "not blended")]
        buffer.write(settings, x: title + 3, y: 0, theme: theme, over: theme.row)
        let hints = [
            KeyHint("q", "quit"), KeyHint("t", "theme"), KeyHint("g", "lines"), KeyHint("x", "cross"), KeyHint("b", "blend"),
            KeyHint("u", "change"), KeyHint("Space", "select"),
        ]
        buffer.write(hints, y: size.rows - 1, theme: theme, over: theme.row)

        let legend = Legend(size)
        for (layer, x, y) in legend.entries {
            buffer.write(isUnderCursor(layer) ? "●" : "", x: x, y: y, style: theme.row.applying(theme.message).textStyle)
            if layer.isLine {
                // A line layer has no text, so a sample of the line is drawn before its name.
                buffer.write("━", x: x + 1, y: y, style: sample(of: layer).textStyle)
                buffer.write(layer.name, x: x + 2, y: y, style: theme.row.applying(theme.hint).textStyle)
            } else {
                buffer.write(" \(layer.name) ", x: x + 1, y: y, style: sample(of: layer).textStyle)
            }
            guard legend.isBeside else { continue }
            buffer.write(layer.usage, x: x + 18, y: y, style: theme.row.applying(theme.hint).textStyle)
        }
    }
}

/// The layout of the legend on a screen.
@MainActor
struct Legend {
    /// The layers, each with the position of its marker.
    private(set) var entries: [(layer: Layer, x: Int, y: Int)] = []
    /// True if the legend is at the right of the grid. Otherwise it is below the grid, shows only names, and is clipped at the end of the
    /// screen.
    let isBeside: Bool
    /// The first column of a legend at the right, or 0.
    let x: Int
    private(set) var y = 2

    init(_ size: TerminalSize) {
        isBeside = size.columns >= 138 && size.rows >= 24
        x = isBeside ? size.columns - 52 : 0
        if isBeside {
            entries = Layer.cellLayers.enumerated().map { (layer: $1, x: x, y: y + $0) }
            entries += Layer.otherParts.enumerated().map { (layer: $1, x: x, y: y + Layer.cellLayers.count + 1 + $0) }
            return
        }
        // Leave enough room for the grid: layers that are not layers of cells are omitted first.
        y = size.rows - 1
        for layers in [Layer.cellLayers + Layer.otherParts, Layer.cellLayers] {
            let (below, lines) = Self.arrangedEntries(layers, columns: size.columns)
            guard lines <= size.rows / 5 else { continue }
            y -= lines
            entries = below.map { (layer: $0.layer, x: $0.x, y: $0.y + y) }
            return
        }
    }

    /// Arranges layers in rows, as many as needed.
    private static func arrangedEntries(_ layers: [Layer], columns: Int) -> (entries: [(layer: Layer, x: Int, y: Int)], lines: Int) {
        var (x, y) = (0, 0)
        var entries: [(layer: Layer, x: Int, y: Int)] = []
        for layer in layers {
            let width = layer.name.count + 3
            if x + width > columns { (x, y) = (0, y + 1) }
            entries.append((layer: layer, x: x, y: y))
            x += width
        }
        return (entries, y + 1)
    }
}
