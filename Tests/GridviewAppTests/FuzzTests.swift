import GridTestSupport
import DataGrid
import DataGridTerminal
import Foundation
@testable import GridviewApp
import TerminalSurface
import Testing

/// Random keys, mouse events and sizes. The program must continue and its screen must stay valid.
@MainActor
@Suite struct FuzzTests {
    /// All keys of the command table, and the keys of panels and prompts.
    static let keys: [[KeyPress]] =
        Command.table.filter { ![CommandID.quit, .close, .suspend].contains($0.id) }.flatMap { $0.keys.compactMap(KeyNotation.sequence) }
        + "a b c 1 2 5 9 0 Enter Escape Escape Tab Backspace Delete n p Up Down Left Right Home End PageDown PageUp C-n C-w C-k S-Tab F5"
        .split(separator: " ").compactMap { KeyNotation.sequence(String($0)) }

    static func table(_ random: inout SplitMix64) -> String {
        let values = [
            "", "a", "b", "12", "-3.5", "2024-01-02", "true", "\"x\ny\"", "日本語", "\u{1b}[31mred", "long long long text of words", "1e9",
        ]
        let columns = Int(random.next() % 7) + 1
        let rows = Int(random.next() % 60)
        var text = (0..<columns).map { "c\($0)" }.joined(separator: ",") + "\n"
        for _ in 0..<rows {
            // Some rows are too long or too short.
            let count = max(1, columns + (random.next() % 10 == 0 ? Int(random.next() % 5) - 2 : 0))
            text += (0..<count).map { _ in values[Int(random.next() % UInt64(values.count))] }.joined(separator: ",") + "\n"
        }
        return text
    }

    static let sizes = [
        (80, 24), (120, 40), (200, 60), (40, 10), (20, 5), (1, 1), (0, 0), (1, 20), (4, 16), (3, 50), (300, 2), (2, 3), (61, 13),
    ]

    @Test(
        arguments: 1...8 as ClosedRange<UInt64>)
    func `E: random keys, mouse events and sizes cause no crash and show no control character`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let content = Self.table(&random)
        let pilot = try Pilot(content, size: (80, 24))
        pilot.backend.keepsOnlyLastFrame = true
        var log: [String] = []
        for step in 0..<600 {
            Self.performRandomAction(pilot, &random, &log)
            Self.checkScreen(pilot, "seed \(seed), step \(step): \(log.suffix(12).joined(separator: " "))")
        }
    }

    /// D2: random input while jobs end at random times, in a file whose middle is still unknown.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `D2: random input does not break the program while the file is being read`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &* 7919)
        let stepped = SteppedRunner()
        let pilot = try Pilot(PartlyReadFileTests.content, size: (60, 12), runner: stepped.runner)
        pilot.backend.keepsOnlyLastFrame = true
        var log: [String] = []
        for step in 0..<200 {
            Self.performRandomAction(pilot, &random, &log)
            if random.next() % 12 == 0 {
                let isNewest = random.next() % 2 == 0
                log.append("step")
                stepped.step(newest: isNewest)
                pilot.session.turn()
            }
            Self.checkScreen(pilot, "seed \(seed), step \(step): \(log.suffix(12).joined(separator: " "))")
        }
        pilot.press("Escape Escape Escape Escape Escape Escape")
        stepped.runAll(pilot)
        #expect(pilot.state.query.isSettled, "\(log.suffix(12).joined(separator: " "))")
        // After a reset, the rows have a new order, which the screen must show.
        pilot.resize(60, 12)
        pilot.press("r")
        stepped.runAll(pilot)
        pilot.press("g 0 z R Escape")
        #expect(
            pilot.state.sheet.readingSettings != nil
                || pilot.state.document.isComplete == (pilot.state.grid.rows.count == PartlyReadFileTests.rowCount),
            "\(log.joined(separator: " ")) \(pilot.state.grid.rows.count) \(pilot.screen)")
    }

    private static func performRandomAction(_ pilot: Pilot, _ random: inout SplitMix64, _ log: inout [String]) {
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
        let size = pilot.state.size
        switch below(20) {
        case 0:
            let (columns, rows) = below(3) == 0 ? (below(130), below(45)) : sizes[below(sizes.count)]
            log.append("\(columns)x\(rows)")
            pilot.resize(columns, rows)
        case 1...4:
            let button = [MouseEvent.Button.left, .left, .left, .middle, .right][below(5)]
            let kinds: [MouseEvent.Kind] = [
                .press(button), .press(button), .drag(button), .drag(button), .release(button), .wheel(x: 0, y: 1), .wheel(x: 0, y: -1),
                .wheel(x: 1, y: 0),
            ]
            let kind = kinds[below(kinds.count)]
            let (x, y) = (below(size.columns + 2), below(size.rows + 2))
            log.append("\(kind)@\(x),\(y)")
            pilot.mouse(kind, x, y, KeyModifiers(rawValue: below(4) == 0 ? UInt8(below(8)) : 0))
        case 5:
            pilot.send(.paste("pa\u{1b}ste\n2"))
        case 6:
            pilot.state.controller.tick(at: .now + .seconds(1))
            pilot.session.turn()
        default:
            let keys = Self.keys[below(Self.keys.count)]
            log.append(KeyNotation.label(keys))
            for key in keys { pilot.send(.key(key)) }
        }
    }

    static func checkScreen(_ pilot: Pilot, _ context: @autoclosure () -> String) {
        let grid = pilot.state.grid
        grid.checkInvariants()
        #expect(pilot.state.exitStatus == nil, "\(context())")
        let frame = pilot.backend.screen
        #expect(frame.size == pilot.state.size, "\(context())")
        #expect(Set(grid.columns.all.map(\.id)).count == grid.columns.all.count, "\(context())")
        #expect(grid.columns.count > 0 || grid.columns.all.isEmpty, "\(context())")
        for y in 0..<frame.size.rows {
            for x in 0..<frame.size.columns where frame[x, y].width == 1 {
                let value = frame[x, y].scalar
                if value < 32 || (127..<160).contains(value) || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) {
                    Issue.record("control character \(value) on the screen at \(x), \(y): \(context())")
                }
            }
        }
    }
}
