import DataGrid
import DataGridTerminal
import FieldValues
import GridTestSupport
import TerminalSurface
import Testing

@testable import GridviewApp

/// Tables with thousands of columns. No operation takes quadratic time in the number of columns.
@MainActor
@Suite struct WideTableTests {
    @Test func `D9: a summary of 12,000 columns is complete and in order`() throws {
        try expectLinearTime(minutes: 10) {
            let count = 12_000
            let content = (0..<3).map { row in (0..<count).map { row == 0 ? "c\($0)" : "\(row * $0)" }.joined(separator: ",") }
            let lines = String(
                decoding: try BatchOutput.bytes(Array(content.joined(separator: "\n").utf8), .csv, statistics: true) { _ in }, as: UTF8.self
            ).split(separator: "\n")
            #expect(lines.count == count + 1 && lines[count].hasPrefix("c11999,integer,2,2,0,0,0,0,2,false,11999,"))
        }
    }

    @Test func `D5: 20,000 empty columns are shown without copying the array of columns`() throws {
        try expectLinearTime(minutes: 10) {
            let line = String(repeating: ",", count: 19_999) + "\n"
            let pilot = try Pilot(line + line)
            let shown = pilot.state.grid.columns.all
            #expect(pilot.line(0).contains(" × 20,000"), "\(pilot.line(0))")
            #expect(shown.count == 20_000 && shown.allSatisfy { $0.kind == .text && (1...8).contains($0.measuredWidth) })
            func address(_ columns: [Column]) -> UnsafePointer<Column>? { columns.withUnsafeBufferPointer { $0.baseAddress } }
            #expect(address(shown) == address(pilot.state.sheet.openedView.columns))
        }
    }

    @Test func `D5: a list of thousands of columns is filtered once per typed letter`() throws {
        try expectLinearTime(minutes: 10) {
            var panel = ListPanel(
                purpose: .goToColumn, title: "Go to column", rows: (0..<40_000).map { ListPanel.Row(text: "c\($0)", detail: "", tag: $0) })
            panel.field.insert("9")
            panel.field.insert("7")
            #expect((0..<2_000).allSatisfy { panel.matches[$0 % panel.matches.count].tag >= 0 })
            #expect(panel.matches.first?.text == "c97")
            panel.rows[97].detail = "hidden"
            #expect(panel.matches.first?.detail == "hidden")
        }
    }

    @Test func `D10: thousands of columns with the same name get different names in JSON`() throws {
        try expectLinearTime(minutes: 10) {
            let columns = (0..<60_000).map { Column(id: ColumnID($0), title: $0 == 1 ? "a_2" : "a") }
            var format = RowFormat(.jsonl, columns: columns)
            var sink = OutputSink(byteLimit: .max)
            FieldBytes.withFields(of: columns.map { _ in "" }) { format.writeRow($0, &sink) }
            sink.flush()
            let text = String(decoding: sink.buffer, as: UTF8.self)
            #expect(text.hasPrefix("{\"a\": \"\", \"a_2\": \"\", \"a_3\": \"\", \"a_4\": ") && text.contains("\"a_60000\": "))
        }
    }

    @Test func `D7: Escape in the search prompt restores the visible columns of a wide table`() throws {
        let names = (0..<3_000).map { "c\($0)" }.joined(separator: ",")
        let values = (0..<3_000).map { $0 == 2_999 ? "needle" : "\($0)" }.joined(separator: ",")
        var options = LaunchOptions()
        options.frozen = FrozenPanes(leading: 1)
        let pilot = try Pilot("\(names)\n\(values)\n", options: options)
        pilot.press("/ n e e d l e")
        #expect(pilot.state.grid.scroll.x > 0)
        pilot.press("Escape")
        #expect(pilot.state.grid.scroll.x == 0 && pilot.cursorCell == "c0 1")
    }

    /// The score of a match, computed by the simplest algorithm.
    private func referenceScore(_ query: String, in name: String) -> Int? {
        if query.allSatisfy({ $0 == " " }) { return 0 }
        let letters = Array(name.lowercased())
        var (score, at, last) = (0, 0, -2)
        for letter in query.lowercased() where letter != " " {
            guard let found = letters[at...].firstIndex(of: letter) else { return nil }
            score += found == last + 1 ? 8 : 1
            if found == 0 || !(letters[found - 1].isLetter || letters[found - 1].isNumber) { score += 6 }
            (last, at) = (found, found + 1)
        }
        return score * 64 - letters.count
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `D5: the scores of a fuzzy search agree with a simple reference function`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let letters = Array("abcABCZz09_- .é日ß@[`{\r\n\u{301}")
        func text(_ length: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: length, using: &random)).map { _ in letters.randomElement(using: &random)! })
        }
        for _ in 0..<3_000 {
            let (query, name) = (text(0...3), text(0...8))
            #expect(FuzzyMatch(query).score(in: name) == referenceScore(query, in: name), "\(query) in \(name)")
        }
    }
}
