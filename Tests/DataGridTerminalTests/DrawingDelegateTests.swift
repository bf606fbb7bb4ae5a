import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Parts of a grid that an application draws itself.
@MainActor
@Suite struct DrawingDelegateTests {
    private final class Artist: GridDrawingDelegate {
        let drawnParts: GridPart.Kinds
        private(set) var rects: [GridPart: TerminalRect] = [:]
        var paint: (GridPart, TerminalRect, inout CellBuffer) -> Bool

        init(_ parts: GridPart.Kinds, _ paint: @escaping (GridPart, TerminalRect, inout CellBuffer) -> Bool) {
            (drawnParts, self.paint) = (parts, paint)
        }

        func draw(_ part: GridPart, in rect: TerminalRect, on buffer: inout CellBuffer) -> Bool {
            rects[part] = rect
            return paint(part, rect, &buffer)
        }

        /// An artist that writes the kind of each part and the number of its column or section.
        static func writingNames(of parts: GridPart.Kinds) -> Artist {
            Artist(parts) { part, _, buffer in
                let name =
                    switch part {
                    case .cell(_, let column): "C\(column.rawValue)"
                    case .columnHeader(let column): "H\(column.rawValue)"
                    case .sectionHeader(let section): "S\(section)"
                    case .loader: "L"
                    case .emptyGrid: "E"
                    }
                buffer.write(name, x: 0, y: 0, style: buffer[0, 0].style)
                return true
            }
        }
    }

    private let source = RecordingSource("ab|12\ncd|34")

    private func picture(_ state: GridState, _ artist: Artist?) -> CellBuffer {
        var buffer = CellBuffer(size: TerminalSize(columns: state.size.width, rows: state.size.height))
        GridPainter(state, source: source, drawing: artist).paint(on: &buffer)
        return buffer
    }

    @Test func `B1: an application draws cells within their rectangle, and control characters are visible`() {
        let state = grid("a:4 b:6", rows: 2, frame: (12, 3)).after(.moveCursor(GridCursor(item: .row(0), column: 1)))
        let artist = Artist(.cells) { part, _, buffer in
            guard case .cell(let row, let column) = part, column == 1 else { return false }
            let style = buffer[0, 0].style
            buffer.write("outside", x: -9, y: 0)
            buffer.write("below", x: 0, y: 1)
            buffer.write(row == 0 ? "0123456789" : "\u{1B}[2Jx", x: 0, y: 0, style: style)
            if row == 1 { buffer[5, 0] = Cell(scalar: 0x9B, style: style) }
            return true
        }
        let painted = picture(state, artist)
        #expect(painted.lines() == ["a     b", "ab    012345", "cd    ␛[2Jx\u{FFFD}"])
        #expect(artist.rects.count == 4 && artist.rects[.cell(1, 1)] == TerminalRect(x: 0, y: 0, width: 6, height: 1))
        #expect(painted[6, 1].style == picture(state, nil)[6, 1].style, "the buffer has the style of the cursor")
    }

    @Test func `B1: a partly scrolled-out cell shows its visible part without halves of wide characters`() {
        func scrolled(_ text: String, by cells: Int) -> (line: String, rect: TerminalRect?) {
            let state = grid("a:10", rows: 2, frame: (6, 3)).after(
                .pointerDown(GridPoint(x: 5, y: 1), PointerPress(.middle)), .pointerMoved(GridPoint(x: 5 - cells, y: 1)))
            let artist = Artist(.cells) { _, _, buffer in
                buffer.write(text, x: 0, y: 0)
                return buffer.size == TerminalSize(columns: 10, rows: 1)
            }
            return (picture(state, artist).line(2), artist.rects[.cell(1, 0)])
        }
        let digits = scrolled("0123456789", by: 2)
        #expect(digits.line == "234567" && digits.rect == TerminalRect(x: 2, y: 0, width: 6, height: 1))
        #expect(scrolled("日本語日本", by: 1).line == " 本語")
    }

    @Test func `B1, A15, C4, C6: an application draws column and section headers and the loader in every presentation`() {
        let tree = SectionTree([Section(title: "x", rows: 0..<2)])
        let state = grid("a:4 b:6", rows: 2, frame: (60, 12), tree: tree).after(.setLoader(GridLoader("more")))
        let artist = Artist.writingNames(of: [.columnHeaders, .sectionHeaders, .loader])
        let table = picture(state, artist).lines()
        #expect(table[0...4] == ["H0    H1", "S0", "ab    12", "cd    34", "L"])
        let transposed = picture(state.after(.setPresentation(.transposed)), artist).lines()
        #expect(transposed[0].contains("S0") && transposed[1].hasPrefix("H0") && transposed[2].hasPrefix("H1"))
        #expect(transposed[1].hasSuffix("L"))
        let cards = picture(state.after(.setPresentation(.cards)), artist).lines()
        #expect(cards[0] == "S0" && cards.contains("L"))
        let filled = Artist.writingNames(of: .cells)
        #expect(picture(state, filled).lines()[2...3] == ["C0    C1", "C0    C1"])
        #expect(picture(state.after(.setPresentation(.transposed)), filled).lines()[2].contains("C1"))
        #expect(picture(state.after(.setPresentation(.cards)), filled).lines()[1] == " ▏ C0")
    }

    @Test func `E, B1: an application can draw the area of a grid without rows`() {
        let state = grid("a:4 b:6", rows: 0, frame: (12, 6))
        let artist = Artist(.emptyGrid) { _, rect, buffer in
            buffer.write("E", x: rect.width / 2, y: rect.height / 2)
            return true
        }
        #expect(picture(state, artist).lines() == ["a     b", "", "", "      E", "", ""])
        artist.paint = { _, _, buffer in
            buffer.write("not shown", x: 0, y: 0)
            return false
        }
        #expect(picture(state, artist).lines()[3] == "  No rows", "left to the grid")
    }

    @Test func `A6: the grid calls the drawing delegate only for the parts that it draws`() {
        let tree = SectionTree([Section(title: "x", rows: 0..<2)])
        let state = grid("a:4 b:6", rows: 2, frame: (12, 6), tree: tree)
        let artist = Artist.writingNames(of: [.loader, .emptyGrid])
        #expect(picture(state, artist) == picture(state, nil) && artist.rects.isEmpty)
    }

    @Test func `B1, A7: the delegate draws its parts in each frame, and the grid holds the delegate weakly`() {
        var text = "x"
        var artist: Artist? = Artist([.cells, .columnHeaders]) { _, _, buffer in
            buffer.write(text, x: 0, y: 0)
            return true
        }
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsScrollBar = false
        let grid = GridController(columns: columns("a:4 b:6"), dataSource: source, metrics: metrics)
        grid.frame = TerminalRect(x: 2, y: 1, width: 12, height: 3)
        grid.reload()
        func lines() -> [String] {
            var buffer = CellBuffer(size: TerminalSize(columns: 16, rows: 5))
            grid.draw(on: &buffer)
            return buffer.lines()
        }
        #expect(lines() == ["", "  a     b", "  ab    12", "  cd    34", ""])
        grid.drawingDelegate = artist
        #expect(grid.needsDisplay && lines() == ["", "  x     x", "  x     x", "  x     x", ""])
        text = "y"
        #expect(lines() == ["", "  y     y", "  y     y", "  y     y", ""])
        artist = nil
        #expect(artist == nil && grid.drawingDelegate == nil && lines()[2] == "  ab    12")
    }
}
