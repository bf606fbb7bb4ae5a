import DataGrid
import Foundation
@testable import GridviewApp
import TerminalSurface
import Testing

/// Malformed files, end to end: E.
@MainActor
@Suite struct MalformedFileTests {
    @Test func `E: an empty file opens as an empty table`() throws {
        let pilot = try Pilot("", size: (60, 10))
        #expect(pilot.screen.contains("The file is empty.") && pilot.line(0) == " test.csv  0 × 0")
        // Every command can be run without a cell.
        for command in Command.table where ![.close, .quit].contains(command.id) {
            pilot.session.send(.run(command.id))
            pilot.session.turn()
            pilot.press("Escape Escape")
        }
        #expect(pilot.state.exitStatus == nil)
    }

    @Test func `E: a file with only a header opens as a table without rows`() throws {
        let pilot = try Pilot("name,town,price\n", size: (60, 10))
        #expect(pilot.screen.contains("No rows.") && pilot.titles == ["name", "town", "price"])
        for command in Command.table where ![.close, .quit].contains(command.id) {
            pilot.session.send(.run(command.id))
            pilot.session.turn()
            pilot.press("Escape Escape")
        }
        pilot.press("r")
        #expect(pilot.state.exitStatus == nil)
    }

    /// Each case has bytes, the expected rows (fields separated by |, rows by /), and the note on the title line.
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var bytes: [UInt8]
        var rows: String
        var note: String

        init(_ name: String, _ text: String, _ rows: String, _ note: String = "") {
            self.init(name, Array(text.utf8), rows, note)
        }

        init(_ name: String, _ bytes: [UInt8], _ rows: String, _ note: String = "") {
            self.name = name
            self.bytes = bytes
            self.rows = rows
            self.note = note
        }

        var testDescription: String { name }
    }

    nonisolated static let cases = [
        Case("one column, a blank line", "a\nx\n\ny\n", "x/·/y"),
        Case("no line end at the end", "a,b\n1,2", "1|2"),
        Case(
            "ragged", "a,b,c\n1,2\n1,2,3,4\n5,6,7\n", "1|2|·|·/1|2|3|4/5|6|7|·", "1 row has too few fields, 1 has too many (first: line 2)"),
        Case("quotes", "a,b\n\"x,1\",\"y\"\"z\"\n\"p\nq\",r\n", "x,1|y\"z/p⏎q|r"),
        Case("a stray quote", "a,b\nx\"y,z\n1,2\n", "x\"y|z/1|2", "1 unexpected quote (line 2)"),
        Case("a quote that is never closed", "a,b\n1,2\n3,\"4\n5,6\n", "1|2/3|4⏎5,6⏎", "1 unclosed quote (line 3)"),
        Case("carriage returns", "a,b\r1,2\r3,4\r", "1|2/3|4"),
        Case("a byte order mark", [0xEF, 0xBB, 0xBF] + Array("a,b\n1,2\n".utf8), "1|2"),
        Case("mixed line endings", "a,b\r\n1,2\n3,4\r\n", "1|2/3|4", "mixed line endings (line 2)"),
        Case(
            "invalid UTF-8", Array("a,b\nä,2\nx".utf8) + [0xFF] + Array(",4\n".utf8), "ä|2/x\u{FFFD}|4",
            "1 invalid UTF-8 sequence (line 3)"),
        Case("NUL", Array("a,b\nx".utf8) + [0] + Array("y,2\n".utf8), "x␀y|2", "1 NUL byte (line 2)"),
        Case("tabs", "a\tb\n1\t2\n", "1|2"),
        Case("semicolons", "a;b\n1;2\n", "1|2"),
    ]

    @Test(arguments: cases) func `E: a malformed file is shown with its readable fields and a note`(item: Case) throws {
        let pilot = try Pilot(bytes: item.bytes, size: (110, 12))
        let rows = pilot.state.grid.layout.itemSpans.map { line -> String in
            pilot.state.grid.layout.columns.map { span in
                let cells = (span.x..<span.range.upperBound).map { pilot.backend.screen[$0, 1 + line.y].text }
                return cells.joined().trimmingCharacters(in: .whitespaces)
            }.joined(separator: "|")
        }
        #expect(rows.joined(separator: "/") == item.rows)
        if item.note.isEmpty {
            #expect(!pilot.line(0).contains("!"), "\(pilot.line(0))")
        } else {
            #expect(pilot.line(0).contains("! \(item.note)"), "\(pilot.line(0))")
            pilot.press("M-g End")
            #expect(pilot.screen.contains(item.note))
        }
    }

    /// No byte of the data reaches the terminal as a control sequence: in cells, titles, group names, prompts, row views or messages.
    @Test func `E: control characters are shown as symbols`() throws {
        let hostile = "\u{1b}[31;44;5m\u{1b}]0;owned\u{7}\u{9b}2J\u{202E}abc\u{2066}\u{200F}\u{7f}\u{8}\u{c}"
        let title = "t\u{1b}[8;9mx\u{202E}"
        let pilot = try Pilot("\(title),b\n\(hostile),1\nz,2\n", size: (70, 16), name: "na\u{1b}[8;9mme\u{202E}.csv")
        var keys = [
            "", "j k", "Enter", "Escape", "zg", "zM", "s", "zu", "c", "Escape", "+", "Escape", "/", "Escape", "-", "r", "M-g", "Escape",
            "?", "q",
        ]
        keys += ["t", "W", "W", "f", "y"]
        for key in keys { pilot.press(key) }
        pilot.press("/")
        pilot.send(.paste(hostile))
        pilot.press("Enter")
        for frame in pilot.backend.frames {
            let written = Self.unexpectedControls(in: frame.bytes)
            #expect(written.isEmpty, "\(written)")
        }
        pilot.press("Escape g 0")
        #expect(pilot.screen.contains("[31;44;5m"), "shown as text")
        #expect(pilot.backend.controlSequences.count == 1, "the requested copy")
    }

    /// The control sequences in these bytes that the program never writes. It writes colors, moves, erasing and modes.
    static func unexpectedControls(in bytes: [UInt8]) -> [String] {
        var found: [String] = []
        let text = String(decoding: bytes, as: UTF8.self)
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            if scalar == "\u{1b}" {
                guard scalars.first == "[" else {
                    let next = scalars.popFirst().map { String($0) } ?? ""
                    if !["M", "7", "8", "(", "="].contains(next) { found.append("ESC \(next)") }
                    continue
                }
                var sequence = ""
                while let part = scalars.popFirst() {
                    sequence.unicodeScalars.append(part)
                    if (0x40...0x7E).contains(part.value), part != "[" { break }
                }
                // The data contains these two sequences, and the program never writes them itself.
                if sequence == "[31;44;5m" || sequence == "[8;9m" { found.append(sequence) }
            } else if scalar.value < 32, !["\r", "\n", "\u{8}"].contains(scalar) {
                found.append("control \(scalar.value)")
            } else if (0x7F..<0xA0).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value) || scalar.value == 0x200F
            {
                found.append("control \(scalar.value)")
            }
        }
        return found
    }

    @Test func `E: five thousand columns can be opened and scrolled`() throws {
        let titles = (1...5000).map { "c\($0)" }.joined(separator: ",")
        let pilot = try Pilot(titles + "\n" + (1...5000).map(String.init).joined(separator: ",") + "\n", size: (60, 10))
        pilot.press("$")
        #expect(pilot.cursorCell == "c5000 1" && pilot.line(2).hasSuffix("5,000"))
        pilot.press("c")
        pilot.type("c2500")
        pilot.press("Enter")
        #expect(pilot.cursorCell == "c2500 1")
        pilot.press("9 9 9 9 H")
        #expect(pilot.titles.first == "c2500")
        pilot.press("f - Enter PageDown q r")
        #expect(pilot.titles.count == 5000)
    }

    @Test func `E: a very long cell is truncated on screen`() throws {
        let long = String(repeating: "word ", count: 200_000)
        let pilot = try Pilot("a,b\n\(long),1\nx,2\n", size: (60, 10))
        #expect(pilot.line(2).contains("…") && pilot.line(2).contains("word word"))
        #expect(pilot.line(3).hasPrefix("   2│ x"))
        pilot.press("Enter End PageUp q $")
        #expect(pilot.cursorCell == "b 1")
    }

    // MARK: Files that change

    private static let lines = "n,t\n" + (1...30_000).map { "\($0),row number \($0)\n" }.joined()

    @Test func `E: the program keeps running if an open file is truncated`() throws {
        let pilot = try Pilot(Self.lines, size: (90, 12))
        try Data(Self.lines.utf8.prefix(100_000)).write(to: URL(fileURLWithPath: pilot.path + ".new"))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: pilot.path))
        try handle.truncate(atOffset: 100_000)
        try handle.close()
        pilot.press("j")
        #expect(pilot.state.message?.id == .fileTruncated && pilot.line(0).contains("truncated"))
        pilot.press("G")
        #expect(pilot.state.grid.cursor.row == 29_999)
        #expect(
            pilot.message.contains("test.csv") || pilot.state.message?.id == .fileTruncated, "the error is shown: \(pilot.message)"
        )
        pilot.press("k")
        #expect(pilot.line(11).hasPrefix(" “test.csv” was truncated"), "and on the screen: \(pilot.line(11))")
        pilot.press("s")
        #expect(pilot.state.message == .fileTruncated("test.csv", size: 100_000, reloadKey: "R"))
        #expect(pilot.state.message?.isError == true && pilot.state.query.isSettled, "\(pilot.message)")
        pilot.press("y")
        #expect(pilot.clipboard == nil, "no text is better than wrong text: \(pilot.message)")
        pilot.press("/ 2 9 9 9 9 Enter Escape Enter n q R")
        #expect(pilot.state.message == .reloaded("test.csv"))
        #expect(pilot.state.grid.rows.count < 30_000 && pilot.state.grid.rows.count > 3_000)
        pilot.press("G g")
        #expect(pilot.line(2).contains("row number 1"))
    }

    @Test func `E, D12: after a truncation, the row view has the same mark for lost values as the table`() throws {
        let pilot = try Pilot(Self.lines, size: (90, 12))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: pilot.path))
        try handle.truncate(atOffset: 100)
        try handle.close()
        pilot.press("G")
        #expect(pilot.line(8).contains("░"), "\(pilot.screen)")
        pilot.press("Enter")
        #expect(pilot.line(0).hasPrefix(" Row 30,000 of 30,000"), "\(pilot.screen)")
        #expect(pilot.line(1) == "    n  ░" && pilot.line(2) == "    t  ░", "\(pilot.screen)")
    }

    @Test func `E: if a changed file cannot be opened again, the message has the reason instead of the reload key`() throws {
        let pilot = try Pilot("a,b\n1,2\n", size: (90, 12))
        let image = Data([0x89]) + Data("PNG\r\n\u{1A}\n\0\0\0\rIHDR".utf8)
        try image.write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("k")
        #expect(pilot.state.message == .fileRewritten("test.csv", reloadKey: "R"))
        pilot.press("R")
        #expect(pilot.state.message?.id == .jobFailed && pilot.message == "test.csv is a PNG image, not a table.", "\(pilot.message)")
        #expect(pilot.state.grid.rows.count == 1)
    }

    @Test func `E: a file that is deleted while it is open stays readable`() throws {
        let pilot = try Pilot(Self.lines, size: (90, 12))
        try FileManager.default.removeItem(atPath: pilot.path)
        pilot.press("G")
        #expect(pilot.state.message?.id == .fileDeleted)
        #expect(pilot.screen.contains("row number 30000"), "the open file stays readable")
        pilot.press("R")
        #expect(pilot.state.message?.isError == true && pilot.screen.contains("row number 30000"))
    }

    @Test func `E: the title line shows that the file has changed, even after other messages`() throws {
        let pilot = try Pilot(Self.lines, size: (90, 12))
        try FileManager.default.removeItem(atPath: pilot.path)
        pilot.press("s")
        #expect(pilot.state.message?.id == .sorted && pilot.line(0).contains(" file deleted "))
        pilot.press("j")
        #expect(pilot.message == "" && pilot.line(0).contains(" file deleted "))
        pilot.press("M-g")
        #expect(pilot.screen.contains("The file was deleted. Its rows stay readable until you quit"))
        pilot.press("Escape")
        pilot.resize(20, 12)
        #expect(pilot.line(0).contains("deleted"), "on a narrow screen too: \(pilot.line(0))")
    }

    @Test(arguments: ["zM j", "za", "zM za", "zM [", "zM j j za"])
    func `A15, E: a reload keeps collapsed groups collapsed`(keys: String) throws {
        let lines = "id,a,x\n" + (0..<300).map { "\($0),group \($0 % 7),\($0 * 31 % 100)\n" }.joined()
        let pilot = try Pilot(lines, size: (90, 12))
        pilot.press("l zg " + keys)
        func collapsed() -> [String] {
            let outline = pilot.state.grid.outline
            return outline.collapsed.indices.filter { outline.collapsed[$0] }.map { outline.tree!.title(of: $0) }
        }
        let before = collapsed()
        #expect(!before.isEmpty)
        let cursor = pilot.state.grid.cursor
        pilot.press("R")
        #expect(collapsed() == before && pilot.state.grid.cursor == cursor && pilot.state.message == .fileUnchanged("test.csv"))
        // The groups also stay collapsed after a file loses most of its rows.
        try Data(("id,a,x\n" + (0..<300).reversed().map { "\($0),group \($0 % 7),1\n" }.prefix(90).joined()).utf8)
            .write(to: URL(fileURLWithPath: pilot.path))
        pilot.press("j R")
        #expect(collapsed() == before && pilot.state.grid.rows.count == 90)
        pilot.press("zu zg")
        #expect(collapsed() == [], "removing groups cancels the request to collapse them")
    }

    @Test func `E: a reload applies column settings to columns with the same name`() throws {
        let pilot = try Pilot("id,a,x\n1,p,3\n2,q,2\n3,p,1\n", size: (90, 12))
        pilot.press("l zg l ]")
        #expect(pilot.state.query.shown.groups.count == 1 && pilot.state.query.shown.sort.count == 1)
        try Data("x,b,a\n3,0,p\n4,0,q\n5,0,p\n".utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("R")
        #expect(pilot.state.query.shown.groups.map { pilot.state.grid.columns[$0]?.title } == ["a"])
        #expect(pilot.state.query.shown.sort.map { pilot.state.grid.columns[$0.column]?.title } == ["x"])
        #expect(pilot.order == [3, 1, 2] && pilot.state.message == .reloaded("test.csv"))
        try Data("id,zz\n1,2\n3,4\n".utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("R")
        #expect(pilot.state.query.shown.isFileOrder && pilot.state.query.requested.isFileOrder)
        #expect(pilot.state.message == .columnMissing("x", of: "test.csv") || pilot.state.message == .columnMissing("a", of: "test.csv"))
        pilot.state.grid.checkInvariants()
    }

    @Test func `E: growth or replacement of an open file is reported once, and R reads the file again`() throws {
        let pilot = try Pilot("n,t\n1,x\n", size: (90, 12))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: pilot.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("2,y\n".utf8))
        try handle.close()
        pilot.press("l")
        #expect(pilot.state.message == .fileGrown(reloadKey: "R"))
        pilot.press("l")
        #expect(pilot.message == "" && pilot.line(0).contains("new rows: R loads them"), "reported once, marked until the reload")
        pilot.press("] R")
        #expect(pilot.state.grid.rows.count == 2 && pilot.line(0).contains("2 × 2") && !pilot.line(0).contains("grown"))
        #expect(pilot.order == [2, 1], "the view is applied to the new rows")
        try Data("other\n1\n2\n3\n".utf8).write(to: URL(fileURLWithPath: pilot.path), options: .atomic)
        pilot.press("k")
        #expect(pilot.state.message == .fileRewritten("test.csv", reloadKey: "R"))
        pilot.press("R")
        #expect(pilot.titles == ["other"] && pilot.order == [1, 2, 3], "missing columns are removed from the sort")
        pilot.state.grid.checkInvariants()
    }

    @Test func `D3: the title line shows the number of problems in a file and the key that lists them`() throws {
        let bytes = Array("a,b\n1\n1,2,3\nx\"y,1\n\u{0},2\n".utf8)
        for (width, text) in [
            (100, "! 1 row has too few fields, 1 has too many (first: line 2) · 3 problems: Alt-g"), (50, "! 3 problems: Alt-g"),
            (36, "! 3 problems"),
        ] {
            let pilot = try Pilot(bytes: bytes, size: (width, 12))
            #expect(pilot.line(0).hasSuffix(text), "\(pilot.line(0))")
        }
        let one = try Pilot("a,b\n1\n", size: (80, 12))
        #expect(one.line(0).hasSuffix("! 1 row has too few fields (line 2)"))
        let several = try Pilot("a,b\n1,2\n1,2,3\n1\n1\n", size: (90, 12))
        #expect(several.line(0).hasSuffix("! 2 rows have too few fields, 1 has too many (first: line 3)"))
        several.press("M-g")
        #expect(several.screen.contains("utf-8"), "spelled as in --encoding")
    }
}
