import DataGrid
import Foundation
@testable import GridviewApp
import TerminalSurface
import Testing

/// The list of values: narrowing, marking, filtering, copying and exporting.
@MainActor
@Suite struct ValuesListTests {
    /// A table whose values, sorted by their counts, are apple, banana, cherry and apricot.
    static let table =
        "name,n\n"
        + ["apple", "apple", "apple", "banana", "banana", "cherry", "cherry", "apricot"].enumerated().map { "\($1),\($0)\n" }.joined()

    private func panel(_ pilot: Pilot) -> StatisticsPanel? { pilot.state.overlay as? StatisticsPanel }

    @Test(
        arguments: [
            ("F Space Space Enter", "name in ('apple', 'banana')", [1, 2, 3, 4, 5]),
            ("F s m m m m Enter", "name in ('apple', 'apricot', 'banana', 'cherry')", Array(1...8)),
            ("F m Enter", "name = 'apple'", [1, 2, 3]), ("F ~", "name != 'apple'", Array(4...8)),
            ("F m m ~", "name not in ('apple', 'banana')", [6, 7, 8]),
        ])
    func `D9: Enter filters by the marked values, and ~ excludes them`(keys: String, filter: String, rows: [Int]) throws {
        let pilot = try Pilot(Self.table, size: (60, 14))
        pilot.press(keys)
        #expect(pilot.state.overlay == nil && pilot.state.query.shown.filters.map(\.text) == [filter] && pilot.order == rows)
        pilot.press("U")
        #expect(pilot.order == Array(1...8), "filters from panels can be undone")
    }

    @Test(arguments: [(40, 10), (80, 24), (120, 40)])
    func `D9: typing after / narrows the list of values at once`(columns: Int, rows: Int) throws {
        let pilot = try Pilot(Self.table, size: (columns, rows))
        pilot.press("F /")
        pilot.type("ap")
        #expect(panel(pilot)?.choiceCount == 2 && pilot.screen.contains("2 of 4 distinct"))
        #expect(pilot.screen.contains("apple") && pilot.screen.contains("apricot") && !pilot.screen.contains("cherry"))
        #expect(pilot.line(rows - 1).hasPrefix(" /ap"))
        pilot.press("Tab Escape s")
        #expect(panel(pilot)?.choiceCount == 2 && panel(pilot)?.markedNumbers.count == 1 && panel(pilot)?.isSortedByValue == true)
        pilot.press("m / Down Enter")
        #expect(pilot.state.overlay == nil && pilot.order == [8], "the marks are off, so the value under the cursor counts")
    }

    @Test func `D9: the values of a column of epoch seconds are found by the dates that are shown`() throws {
        let rows = (0..<30).map { "\($0),\(1_609_466_400 + $0 * 86_400)" }.joined(separator: "\n")
        let pilot = try Pilot("id,created_at\n\(rows)\n", size: (80, 24))
        pilot.press("l F /")
        pilot.type("2021-01-1")
        #expect(panel(pilot)?.choiceCount == 10, "\(pilot.screen)")
        pilot.press("C-u")
        pilot.type("1609466400")
        #expect(panel(pilot)?.choiceCount == 1)
    }

    @Test func `D9: a list of values without a match is empty, and Escape does not close it`() throws {
        let pilot = try Pilot(Self.table, size: (60, 14))
        pilot.press("F /")
        pilot.type("zz")
        #expect(panel(pilot)?.choiceCount == 0 && pilot.screen.contains("No matches."))
        pilot.press("Enter")
        #expect(pilot.state.message == .notFound(Search(text: "zz")) && pilot.line(13).contains("“zz” not found."), "\(pilot.line(13))")
        pilot.press("Tab Escape y Enter ~ m")
        #expect(panel(pilot) != nil && pilot.clipboard == nil && pilot.state.query.shown.filters.isEmpty)
        pilot.press("/ Backspace Backspace Escape")
        #expect(panel(pilot)?.choiceCount == 4)
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil)
    }

    @Test func `D9: y copies the values with counts and shares, and zs exports them`() throws {
        let pilot = try Pilot(Self.table, size: (60, 14))
        pilot.press("F y")
        #expect(pilot.clipboardText == "name\tcount\tshare %\napple\t3\t37.5\nbanana\t2\t25\ncherry\t2\t25\napricot\t1\t12.5")
        #expect(pilot.state.message?.id == .copied && panel(pilot) != nil)
        pilot.press("m zs")
        #expect((pilot.state.overlay as? ExportPrompt)?.field.string == "test-values.csv")
        pilot.press("Enter")
        #expect(pilot.state.message?.id == .exported && panel(pilot)?.markedNumbers.count == 1, "the list is shown again")
        let text = try String(contentsOfFile: "\(pilot.folder.path)/test-values.csv", encoding: .utf8)
        #expect(text.split(whereSeparator: \.isNewline) == ["name,count,share %", "apple,3,37.5"])
    }

    @Test func `T1: copies and CSV exports of values keep bytes that are not UTF-8, and other formats report them`() throws {
        let value = Array("é".utf8) + [0xE8]
        let pilot = try Pilot(bytes: Array("name,n\n".utf8) + value + Array(",1\nü,2\nü,3\n".utf8), size: (80, 20))
        pilot.press("F y")
        #expect(pilot.clipboard == Array("name\tcount\tshare %\nü\t2\t66.6667\n".utf8) + value + Array("\t1\t33.3333".utf8))
        func export(_ name: String) -> (bytes: [UInt8]?, message: String) {
            pilot.press("zs C-u")
            pilot.type(name)
            pilot.press("Enter")
            return (FileManager.default.contents(atPath: pilot.folder.path(of: name)).map(Array.init), pilot.state.message?.text ?? "")
        }
        let csv = export("v.csv")
        #expect(csv.bytes == Array("name,count,share %\nü,2,66.6667\n".utf8) + value + Array(",1,33.3333\n".utf8))
        #expect(csv.message.hasPrefix("Exported 2 rows to v.csv") && !csv.message.contains("replaced"), "\(csv.message)")
        let json = export("v.jsonl")
        #expect(json.bytes.map { String(decoding: $0, as: UTF8.self).contains("\"é\u{FFFD}\"") } == true)
        let note = ", with replaced characters. test.csv: 1 field of the output is not valid UTF-8."
        #expect(json.message.contains(note), "\(json.message)")
    }

    @Test func `T1: copies and exports of values report a column name in which bytes are replaced`() throws {
        let pilot = try Pilot(bytes: Array("é".utf8) + [0xE8] + Array(",n\nü,2\nü,3\n".utf8), size: (80, 20))
        let note = ", with replaced characters. test.csv: 1 field is not valid UTF-8 (the first in the header)."
        pilot.press("F y")
        #expect(pilot.clipboardText == "é\u{FFFD}\tcount\tshare %\nü\t2\t100" && pilot.message.contains(note), "\(pilot.message)")
        for name in ["v.csv", "v.parquet"] {
            pilot.press("zs C-u")
            pilot.type(name)
            pilot.press("Enter")
            #expect(pilot.message.hasPrefix("Exported 1 row to \(name)") && pilot.message.contains(note), "\(pilot.message)")
        }
    }
}
