import DataGrid
import GridTestSupport
import TerminalSurface
import Testing

@testable import GridviewApp

/// A click finds the row that is drawn there, even if a panel, prompt or message covers the grid.
@MainActor
@Suite struct LayoutTests {
    static let table = "name,price,note\n" + (1...150).map { "name \($0),\($0).5,note \($0)\n" }.joined()

    /// The element that covers the last line of the screen, and sometimes lines above it.
    enum Cover: CaseIterable {
        case nothing, message, pendingKeys, count, search, filter, mistake
    }

    private func cover(_ pilot: Pilot, with cover: Cover) {
        switch cover {
        case .nothing: break
        case .message:
            pilot.session.send(.show(Message(.jobFailed, "Something is said here.")))
            pilot.session.turn()
        case .pendingKeys: pilot.press("z")
        case .count: pilot.press("5")
        case .search: pilot.press("/ 9 9")
        case .filter: pilot.press("& p")
        case .mistake: pilot.press("& p > )")
        }
    }

    /// The row number in the gutter of a screen line, if the line shows a row.
    private func row(drawnAt y: Int, _ pilot: Pilot) -> Int? {
        guard let rule = pilot.line(y).firstIndex(of: "│") else { return nil }
        return Int(pilot.line(y)[..<rule].filter { $0 != " " })
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `A11, D3: a click on a visible row moves the cursor to it, and a click on a message moves nothing`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pilot = try Pilot(Self.table, size: (Int.random(in: 30...120, using: &random), Int.random(in: 3...40, using: &random)))
        if Bool.random(using: &random) { pilot.press("z?") }
        pilot.press(["G", "1 0 0 G", "G 3 k", "2 0 j", "g", "g F"].randomElement(using: &random)! + " Escape")
        if Bool.random(using: &random) { pilot.press("zf j") }
        for cover in Cover.allCases {
            self.cover(pilot, with: cover)
            let state = pilot.state
            #expect(state.grid.size == AppLayout(state).gridSize, "panels over the grid do not change its size")
            var hits = 0
            let cursor = state.grid.cursor.row
            for y in 0..<state.size.rows {
                let (drawn, lines) = (row(drawnAt: y, pilot), pilot.screen)
                pilot.click(12, y)
                let isPrompt = [.search, .filter, .mistake].contains(cover)
                if let drawn, !isPrompt {
                    #expect(pilot.state.grid.currentRow == RowID(drawn - 1), "\(cover), line \(y):\n\(lines)")
                    hits += 1
                } else {
                    #expect(pilot.state.grid.cursor.row == cursor, "\(cover), line \(y):\n\(lines)")
                }
                // Restores the state before the click.
                pilot.press("Escape Escape")
                pilot.session.send(.moveTo(row: cursor, column: nil))
                pilot.session.turn()
                self.cover(pilot, with: cover)
            }
            if state.size.rows >= 9, cover == .nothing || cover == .message { #expect(hits >= state.size.rows - 6) }
            pilot.press("Escape")
            pilot.session.send(.moveTo(row: state.grid.cursor.row, column: nil))
            pilot.session.turn()
        }
    }

    @Test(arguments: [true, false]) func `D3: a message covers the last line and does not move the rows`(hasHints: Bool) throws {
        let pilot = try Pilot(Self.table, size: (60, 16))
        pilot.press(hasHints ? "G" : "z? G")
        let before = pilot.backend.lines
        cover(pilot, with: .message)
        #expect(pilot.line(15).hasPrefix(" Something is said here."))
        #expect(pilot.backend.lines[..<15] == before[..<15])
    }
}
