import DataGrid
import DataGridTerminal
import TerminalSurface
import Testing

/// Refused edits and moves, on the screen.
@MainActor
@Suite struct RefusalTests {
    private final class Judge: GridDelegate {
        var answer = Permission.allowed
        func shouldMove(column: ColumnID, from: Int, to: Int) -> Permission { answer }
        func shouldMove(rows: Range<Int>, to: Int) -> Permission { answer }
        func shouldBeginEditing(row: RowID, column: ColumnID) -> Permission { answer }
        func shouldCommit(text: String, row: RowID, column: ColumnID) -> Permission { answer }
    }

    private let source = RecordingSource("one|1\ntwo|2\nthree|3")
    private let judge = Judge()
    private let backend = RecordingBackend(size: TerminalSize(columns: 12, rows: 5))

    private func open() -> GridController {
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsScrollBar = false
        var all = columns("a:6 b:4")
        all[0].isEditable = true
        let grid = GridController(columns: all, dataSource: source, delegate: judge, metrics: metrics)
        grid.frame = TerminalRect(x: 0, y: 0, width: 12, height: 5)
        grid.reload()
        return grid
    }

    private func draw(_ grid: GridController) -> CellBuffer {
        var buffer = CellBuffer(size: backend.size)
        grid.draw(on: &buffer)
        return buffer
    }

    /// A picture of the screen: `#` for terminal cells whose foreground and background are swapped compared to `idle`, `.` for others.
    private func pictureOfSwappedColors(_ buffer: CellBuffer, _ idle: CellBuffer) -> [String] {
        (0..<buffer.size.rows).map { y in
            String(
                (0..<buffer.size.columns).map { x in
                    buffer[x, y].style.attributes == idle[x, y].style.attributes.symmetricDifference(.reverse) ? "#" : "."
                })
        }
    }

    @Test func `A17, A3: a column or row whose move is refused blinks once, and the reason is reported`() throws {
        let grid = open()
        var reasons: [String] = []
        grid.onRefusal = { reasons.append($0) }
        grid.refusalDuration = .seconds(10)
        let idle = draw(grid)
        judge.answer = .refused("Stays here.")
        grid.moveColumn(0, toIndex: 1)
        #expect(grid.columns.map(\.id) == [0, 1] && reasons == ["Stays here."] && grid.needsDisplay)
        #expect(
            pictureOfSwappedColors(draw(grid), idle) == ["######......", "######......", "............", "............", "............"],
            "the title and the cell in the row of the cursor")
        let end = try #require(grid.nextTick)
        #expect(end <= .now + .milliseconds(200))
        grid.tick(at: end)
        #expect(grid.nextTick == nil && grid.needsDisplay && draw(grid) == idle)
        judge.answer = false
        grid.perform(.moveRows(0..<2, to: 1))
        #expect(reasons.count == 1, "there is no reason")
        #expect(
            pictureOfSwappedColors(draw(grid), idle) == ["............", "######......", "######......", "............", "............"])
        grid.tick(at: .now + .seconds(1))
        grid.refusalDuration = .zero
        _ = draw(grid)
        grid.perform(.moveRows(0..<2, to: 1))
        #expect(grid.nextTick == nil && !grid.needsDisplay && grid.state.rows[0] == 0)
        judge.answer = true
        grid.perform(.moveRows(0..<2, to: 1))
        #expect(grid.state.rows[0] == 2)
    }

    @Test(arguments: [GridPresentation.table, .transposed, .cards])
    func `A3: a cell whose edit is refused blinks, even on cards and in transposed grids`(presentation: GridPresentation) throws {
        let grid = open()
        grid.perform(.setPresentation(presentation))
        let idle = draw(grid)
        judge.answer = .refused(nil)
        #expect(!grid.beginEditing(row: 0, column: 0))
        let (place, size) = try #require(grid.state.visibleFrame(ofRow: 0, column: 0))
        let lines = pictureOfSwappedColors(draw(grid), idle)
        #expect(lines.joined().filter { $0 == "#" }.count == size.width * size.height)
        #expect(lines[place.y].dropFirst(place.x).hasPrefix(String(repeating: "#", count: size.width)))
    }

    @Test func `A17: a column that cannot be moved blinks when dragged, and so do rows at the end of their section`() {
        let grid = open()
        grid.refusalDuration = .seconds(10)
        var column = grid.columns[1]
        column.isReorderable = false
        grid.perform(.updateColumn(column))
        let idle = draw(grid)
        for action: GridAction in [
            .pointerDown(GridPoint(x: 8, y: 0), PointerPress()), .pointerMoved(GridPoint(x: 2, y: 0)), .pointerUp(GridPoint(x: 2, y: 0)),
        ] { grid.perform(action) }
        #expect(grid.state.sort.isEmpty && pictureOfSwappedColors(draw(grid), idle)[0] == "........####")
        grid.tick(at: .now + .seconds(1))
        let later = draw(grid)
        grid.perform(.moveCurrentRows(by: -1))
        #expect(pictureOfSwappedColors(draw(grid), later)[1].contains("#"))
    }

    @Test func `A3: the reason for a refused edit is in the last line, and the reason for rejected text is below the cell`() throws {
        let grid = open()
        let application = try backend.open(grid)
        #expect(grid.nextTick == nil)
        judge.answer = .refused("No.\u{1B}[2J")
        backend.type([KeyPress(.function(2))], into: application)
        #expect(backend.lines[4] == "No.␛[2J" && backend.lines[3] == "three   3" && application.message != nil)
        grid.tick(at: .now + .seconds(1))
        application.turn()
        #expect(backend.lines[4] == "No.␛[2J" && grid.nextTick == nil, "the message needs no timer")
        judge.answer = .allowed
        backend.type([KeyPress(.function(2))], into: application)
        #expect(backend.lines[4].isEmpty && application.message == nil && grid.state.editing != nil)
        judge.answer = .refused("Not today.")
        let idle = backend.screen
        backend.type([KeyPress(.enter)], into: application)
        #expect(grid.state.editing?.rejection == "Not today." && backend.lines[2] == " Not today." && backend.lines[4].isEmpty)
        #expect(pictureOfSwappedColors(backend.screen, idle)[1] == "######......" && grid.nextTick != nil)
        let theme = grid.state.theme
        #expect(theme.panel.background != nil, "the reason is on a panel")
        for x in 0..<12 { #expect(backend.screen[x, 2].style == theme.row.applying(theme.panel).applying(theme.error).textStyle) }
        judge.answer = false
        backend.type([KeyPress(.enter)], into: application)
        #expect(grid.state.editing?.rejection == "This value is not accepted here.")
    }

    @Test func `A3: a delegate answers with a Boolean literal, a condition, or a refusal with a reason`() {
        #expect(true as Permission == .allowed && false as Permission == .refused(nil) && !(false as Permission).isAllowed)
        #expect(Permission(1 > 2, reason: "smaller") == .refused("smaller") && Permission(1 < 2, reason: "smaller").isAllowed)
    }
}
