import DataGrid
import DelimitedText
import FieldValues
import GridTestSupport
import TableFormats
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Changing how the open file is read.
@MainActor
@Suite struct ReadingOptionsTests {
    /// A table that can be divided at commas or at bars.
    private static let ambiguousDelimiters = "x|y,z\n1|2,3\n4|5,6\n"

    private func open(_ text: String, size: (Int, Int) = (80, 24), _ settings: (inout ReadingSettings) -> Void = { _ in }) throws -> Pilot {
        try open(bytes: Array(text.utf8), size: size, settings)
    }

    private func open(bytes: [UInt8], size: (Int, Int) = (80, 24), _ settings: (inout ReadingSettings) -> Void) throws -> Pilot {
        var known = ReadingSettings()
        settings(&known)
        var options = LaunchOptions()
        options.files = FileOpener(dialect: try DialectRequest(known))
        return try Pilot(bytes: bytes, size: size, options: options)
    }

    /// The fields of all records.
    private func records(_ pilot: Pilot) throws -> [[String]] {
        let snapshot = pilot.session.document.input.snapshot()
        return try snapshot.records(0..<snapshot.recordCount, maximumFieldBytes: 1_000).map { $0.fields.map(\.text) }
    }

    private func form(_ pilot: Pilot) -> ReadingForm? { pilot.state.overlay as? ReadingForm }

    @Test func `17.4: a new delimiter in the reading form is one change, which can be undone and redone`() throws {
        let pilot = try open(Self.ambiguousDelimiters) { ($0.delimiter, $0.header) = (",", "yes") }
        #expect(pilot.titles == ["x|y", "z"])
        pilot.press("C-g")
        pilot.type("|")
        #expect(form(pilot)?.preview?.titles == ["x", "y,z"] && form(pilot)?.preview?.rows == [["1", "2,3"], ["4", "5,6"]])
        #expect(pilot.titles == ["x|y", "z"], "nothing changes before Enter")
        pilot.press("Enter")
        #expect(pilot.titles == ["x", "y,z"] && pilot.state.overlay == nil && pilot.state.message?.id == .readAgain)
        #expect(
            pilot.state.readingSettings.delimiter == "|" && pilot.state.sheet.history.changes.map(\.title) == ["change reading options"])
        pilot.press("U")
        #expect(pilot.titles == ["x|y", "z"] && pilot.state.message?.id == .undone && pilot.state.readingSettings.delimiter == ",")
        pilot.press("C-r")
        #expect(pilot.titles == ["x", "y,z"] && pilot.state.message?.id == .redone)
        #expect(try records(pilot) == [["1", "2,3"], ["4", "5,6"]])
    }

    @Test func `17.4: sorts and groups use the new rows after the reading options change, and the old rows after undo`() throws {
        let lines = (1...40).map { number in "\(number % 4 == 0 ? "#" : "")\(number % 2 == 0 ? "even" : "odd"),\(number)" }
        let pilot = try open("k,v\n" + lines.joined(separator: "\n") + "\n", size: (80, 60)) { ($0.delimiter, $0.header) = (",", "yes") }
        func expectGroups(_ rows: [(String, Int)]) {
            for (name, count) in rows { #expect(pilot.screen.contains("▸ \(name)  \(count) rows"), "\(pilot.screen)") }
            #expect(pilot.backend.lines.count { $0.contains("▸") } == rows.count, "\(pilot.screen)")
        }
        func values() -> [String] {
            pilot.backend.lines.filter { $0.contains("│") }.compactMap { $0.split(separator: " ").last.map(String.init) }
                .filter { Int($0) != nil }
        }
        pilot.press("zg zM")
        expectGroups([("#even", 10), ("even", 10), ("odd", 20)])
        pilot.press("zu Right [ Left C-g Down Down Down Down Down # Enter")
        #expect(pilot.state.document.recordCount == 30)
        pilot.press("Right ]")
        let expected = (1...40).filter { $0 % 4 != 0 }.map(String.init)
        #expect(values() == expected.reversed(), "\(pilot.screen)")
        pilot.press("[")
        #expect(values() == expected, "\(pilot.screen)")
        pilot.press("Left zg zM")
        expectGroups([("even", 10), ("odd", 20)])
        pilot.press("zu U U U U U U U U U U U U")
        #expect(pilot.state.document.recordCount == 40)
        pilot.press("Left zg zM")
        expectGroups([("#even", 10), ("even", 10), ("odd", 20)])
    }

    @Test func `17.4, D17: each undo or redo key counts, even while the file is still being read again`() throws {
        let pilot = try open(Self.ambiguousDelimiters) { ($0.delimiter, $0.header) = (",", "yes") }
        pilot.press("s - C-g | Enter")
        #expect(pilot.titles == ["x", "y,z"])
        // The state of a program in which the job has not ended.
        var state = pilot.state
        for count in 1...3 {
            #expect(state.moveInHistory(1, isUndoing: true).contains { if case .reread = $0 { true } else { false } })
            #expect(state.sheet.rereadRequest?.undoCount == count && state.sheet.rereadRequest?.history?.undoableCount == 3 - count)
        }
        pilot.press("3 U")
        #expect(pilot.titles == ["x|y", "z"] && pilot.state.grid.sort.isEmpty && pilot.state.sheet.history.undoableCount == 0)
        state = pilot.state
        #expect(state.moveInHistory(3, isUndoing: false).contains { if case .reread = $0 { true } else { false } })
        #expect(state.sheet.rereadRequest?.undoCount == -3)
    }

    @Test func `D20, 17.4: a saved view and the command line include the reading options set in the reading form`() throws {
        let pilot = try open(Self.ambiguousDelimiters) { ($0.delimiter, $0.header) = (",", "yes") }
        #expect(pilot.state.savedView().reading == ["delimiter": ",", "header": "yes"])
        pilot.press("C-g")
        pilot.type("|")
        pilot.press("Enter")
        let saved = pilot.state.savedView().reading
        #expect(saved == ["delimiter": "|", "header": "yes"])
        #expect(pilot.state.commandLine.text.hasPrefix("gridview --delimiter '|' --header yes "), "\(pilot.state.commandLine.text)")
        var settings = ReadingSettings()
        settings.header = "no"
        settings.add(saved)
        #expect(settings.delimiter == "|" && settings.header == "no", "given options take precedence")
        pilot.press("U")
        #expect(pilot.state.savedView().reading == ["delimiter": ",", "header": "yes"])
    }

    @Test func `D20: a saved view includes all reading settings as options`() {
        var settings = ReadingSettings()
        (settings.delimiter, settings.quote, settings.header, settings.escape) = ("tab", "none", "two", "\\")
        (settings.skippedLines, settings.commentPrefix, settings.encoding, settings.decimal) = (3, "#", "latin-1", "comma")
        var decoded = ReadingSettings()
        decoded.add(settings.options)
        #expect(decoded == settings && settings.options.count == 8 && ReadingSettings().options.isEmpty)
    }

    @Test func `17.4: the reading form sets an escape character, and the command line has it`() throws {
        let pilot = try open("a,b\n1,\"say \\\"hi\\\"\"\n") { ($0.delimiter, $0.header) = (",", "yes") }
        pilot.press("C-g Down Down Right")
        #expect(form(pilot)?.preview?.rows == [["1", "say \"hi\""]])
        pilot.press("Enter")
        #expect(pilot.state.savedView().reading == ["delimiter": ",", "header": "yes", "escape": "\\"])
        #expect(
            pilot.screen.contains("say \"hi\"") && pilot.state.commandLine.text.contains("--escape '\\'"), "\(pilot.state.commandLine.text)"
        )
        pilot.press("C-g Down")
        pilot.type("\\")
        #expect(form(pilot)?.error?.field == .escape)
    }

    @Test(arguments: [1, 2])
    func `17.4: undo and redo restore columns that were derived after the reading options changed`(step: Int) throws {
        let pilot = try open(Self.ambiguousDelimiters) { ($0.delimiter, $0.header) = (",", "yes") }
        pilot.press("C-g")
        pilot.type("|")
        pilot.press("Enter")
        pilot.press("z=")
        pilot.type("c = x + 100")
        pilot.press("Enter")
        #expect(pilot.titles == ["x", "c", "y,z"])
        for _ in 0..<(2 / step) { pilot.press("\(step)U") }
        #expect(pilot.titles == ["x|y", "z"])
        for _ in 0..<(2 / step) {
            pilot.press("\(step)")
            pilot.press("C-r")
        }
        #expect(pilot.titles == ["x", "c", "y,z"] && pilot.screen.contains("101") && pilot.screen.contains("104"), "\(pilot.screen)")
        pilot.press("C-g")
        pilot.type(",")
        pilot.press("Enter")
        pilot.press("3U")
        #expect(pilot.titles == ["x|y", "z"])
        pilot.press("2")
        pilot.press("C-r")
        #expect(pilot.titles == ["x", "c", "y,z"] && pilot.screen.contains("104"), "\(pilot.screen)")
    }

    @Test func `17.4: undoing a change of reading options restores moved rows`() throws {
        let pilot = try open("n,m\n1,2\n3,4\n5,6\n") { ($0.delimiter, $0.header) = (",", "yes") }
        pilot.press("J J")
        let moved = pilot.state.grid.rows.movedRuns
        #expect(!moved.isEmpty)
        pilot.press("C-g Down Down Down")
        pilot.type("n")
        pilot.press("Enter")
        #expect(pilot.titles == ["A", "B"] && pilot.state.grid.rows.movedRuns.isEmpty)
        pilot.press("U")
        #expect(pilot.titles == ["n", "m"] && pilot.state.grid.rows.movedRuns == moved)
        pilot.press("U")
        #expect(pilot.state.grid.rows.movedRuns != moved && !pilot.state.grid.rows.movedRuns.isEmpty)
    }

    @Test func `17.4: columns derived from a renamed column survive a change of reading options and its undoing`() throws {
        let pilot = try open("n,m\n1,2\n3,4\n") { ($0.delimiter, $0.header) = (",", "yes") }
        pilot.session.send(.run(.renameColumn))
        pilot.session.turn()
        pilot.press("C-u")
        pilot.type("price")
        pilot.press("Enter")
        pilot.press("z=")
        pilot.type("c = price + 100")
        pilot.press("Enter")
        #expect(pilot.titles == ["price", "c", "m"])
        pilot.press("C-g Down Down Down Down Down")
        pilot.type("#")
        pilot.press("Enter")
        #expect(pilot.titles.contains("c") && pilot.screen.contains("103"), "\(pilot.screen)")
        pilot.press("U")
        #expect(pilot.titles == ["price", "c", "m"] && pilot.screen.contains("103"), "\(pilot.screen)")
    }

    @Test func `17.4: sort keys of columns that no longer exist are dropped with a message, and undoing restores them`() throws {
        let pilot = try open(Self.ambiguousDelimiters) { ($0.delimiter, $0.header) = (",", "yes") }
        pilot.press("l s s")
        let sort = pilot.state.query.requested.sort
        #expect(sort.count == 1)
        pilot.press("C-g")
        pilot.type("|")
        pilot.press("Enter")
        #expect(pilot.state.query.requested.sort.isEmpty && pilot.state.message?.id == .columnMissing)
        pilot.press("U")
        #expect(pilot.state.query.requested.sort == sort && pilot.titles == ["x|y", "z"])
        pilot.press("2U")
        #expect(pilot.state.query.requested.sort.isEmpty && pilot.titles == ["x|y", "z"])
    }

    @Test func `17.4: when a file is read again, columns keep their widths by name, and the cursor stays on its row`() throws {
        let pilot = try open("# a note\na,b\n1,2\n3,4\n5,6\n") { ($0.delimiter, $0.header, $0.skippedLines) = (",", "yes", 1) }
        pilot.press("20_ 2j")
        #expect(pilot.cursorCell == "a 3")
        pilot.press("C-g Down Down Down Down Left Down #")
        #expect(form(pilot)?.preview?.titles == ["a", "b"])
        pilot.press("Enter")
        #expect(pilot.titles == ["a", "b"] && pilot.cursorCell == "a 3")
        #expect(pilot.state.grid.columns.all[0].width == .fixed(20))
        let settings = pilot.state.readingSettings
        #expect(settings.skippedLines == 0 && settings.commentPrefix == "#")
    }

    @Test(arguments: [(40, 10), (80, 24), (120, 40)])
    func `17.4: the reading form shows at least five rows at any screen size`(width: Int, height: Int) throws {
        let rows = (1...30).map { "n\($0),\($0)" }.joined(separator: "\n")
        let pilot = try open("name,price\n" + rows + "\n", size: (width, height))
        pilot.press("C-g")
        #expect(pilot.screen.contains("Delimiter") && pilot.screen.contains("name"))
        for row in 1...5 { #expect(pilot.screen.contains(" n\(row) "), "row \(row)") }
        #expect(pilot.line(height - 1).contains("Enter apply") && pilot.line(height - 1).contains("Esc cancel"))
        for field in ["Quote", "Escape", "Header", "Skip lines", "Comments", "Encoding", "Decimal", "Delimiter"] {
            pilot.press("Tab")
            #expect(pilot.screen.contains(field), "\(field)")
        }
    }

    @Test func `17.4: the reading form shows an error, and Enter has no effect until it is corrected`() throws {
        let pilot = try open(Self.ambiguousDelimiters) { ($0.delimiter, $0.header) = (",", "yes") }
        pilot.press("C-g Tab")
        pilot.type(",")
        #expect(form(pilot)?.error?.field == .quote && pilot.screen.contains("both “,”"))
        pilot.press("Enter")
        #expect(form(pilot) != nil)
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil && pilot.titles == ["x|y", "z"] && pilot.state.sheet.history.changes.isEmpty)
        pilot.press("C-g Tab Tab Tab Tab")
        pilot.type("x")
        #expect(form(pilot)?.error?.field == .skippedLines)
    }

    @Test func `17.4: the reading form opens from the file details`() throws {
        let pilot = try open(Self.ambiguousDelimiters)
        pilot.press("M-g C-g")
        #expect(form(pilot) != nil)
    }

    @Test func `17.4: a message reports lines before the table, and Enter skips them`() throws {
        let text = "made by hand\n\nid,price\n1,2\n3,4\n5,6\n7,8\n"
        let pilot = try open(text)
        #expect(pilot.message == "2 lines before the table. Enter skips them.")
        pilot.press("Enter")
        #expect(pilot.titles == ["id", "price"] && pilot.state.readingSettings.skippedLines == 2 && pilot.state.overlay == nil)
        pilot.press("U")
        #expect(pilot.state.readingSettings.skippedLines == 0)
        let other = try open(text)
        other.press("j Enter")
        #expect(other.state.overlay is RowView && other.state.readingSettings.skippedLines == 0, "the offer ends at the next key")
        #expect(try open("id,price\n1,2\n3,4\n5,6\n").state.message == nil)
    }

    @Test func `17.4: a message reports a row of units, and Enter adds the units to the column names`() throws {
        let pilot = try open("speed,time\nkm/h,s\n1,2\n3,4\n5,6\n")
        #expect(pilot.state.message?.id == .readingSuggested && pilot.titles == ["speed", "time"])
        pilot.press("Enter")
        #expect(pilot.titles == ["speed km/h", "time s"])
        #expect(try records(pilot) == [["1", "2"], ["3", "4"], ["5", "6"]])
        #expect(pilot.state.grid.columns.all.map(\.kind) == [.integer, .integer])
    }

    @Test func `17.4: an uncertain header is reported, and Enter reads the first row as the column names`() throws {
        let text = "2023-12-01,2024-01-01,2024-02-01\n1,2.5,3.5\n2,4.5,5.5\n"
        let pilot = try open(text)
        #expect(pilot.message == "The first row was read as data. Enter reads it as the column names.")
        #expect(try records(pilot).count == 3)
        pilot.press("Enter")
        #expect(pilot.titles == ["2023-12-01", "2024-01-01", "2024-02-01"] && pilot.state.readingSettings.header == "yes")
        #expect(try records(pilot) == [["1", "2.5", "3.5"], ["2", "4.5", "5.5"]])
        pilot.press("U")
        #expect(try records(pilot).count == 3 && pilot.state.readingSettings.header == nil)
        #expect(try open("1,ann\n2,bob\n3,cy\n").state.message == nil, "rows without a doubt")
    }

    @Test func `17.4: after lines before the table are skipped, rows of units and totals are reported, too`() throws {
        let pilot = try open("Report: x, y\nSource: z\n\ntime,temp,load\ns,°C,%\n1,2,3\n4,5,6\n7,8,9\n1,2,3\nTotal,13,18\n")
        #expect(pilot.message == "3 lines before the table. Enter skips them.")
        pilot.press("Enter")
        #expect(pilot.message == "The first row has units. Enter adds them to the column names.")
        pilot.press("Enter")
        #expect(pilot.titles == ["time s", "temp °C", "load %"])
        #expect(pilot.message == "A row at the end has totals: “Total”. Enter omits it.")
        pilot.press("Enter")
        #expect(pilot.order == [1, 2, 3, 4])
        // Undoing to a state with a suggestion keeps the message about the undo.
        pilot.press("U U U")
        #expect(pilot.state.readingSettings.skippedLines == 0 && pilot.state.message?.id == .undone)
    }

    @Test func `17.4: a message reports a row of totals, and Enter hides it with a filter`() throws {
        let pilot = try open("item,amount\na,1\nb,2\nc,3\nTotal,6\n")
        #expect(pilot.message == "A row at the end has totals: “Total”. Enter omits it." && pilot.order == [1, 2, 3, 4])
        pilot.press("Enter")
        #expect(pilot.order == [1, 2, 3] && pilot.state.query.requested.filters.count == 1)
        pilot.press("U")
        #expect(pilot.order == [1, 2, 3, 4])
        #expect(try open("item,amount\na,1\nTotal,b\n").state.message == nil)
    }

    @Test func `17.4: a command makes the row under the cursor the header`() throws {
        let pilot = try open("a,b\nid,price\n1,2\n3,4\n") { $0.header = "no" }
        #expect(pilot.titles == ["A", "B"])
        pilot.press("j M-h")
        #expect(pilot.titles == ["id", "price"])
        #expect(try records(pilot) == [["1", "2"], ["3", "4"]])
        #expect(pilot.state.readingSettings.skippedLines == 1)
    }

    @Test func `17.4: lines before an aligned table are shown until Enter or a command that sets the header skips them`() throws {
        let text = """
            Open connections of this computer
            Proto Recv-Q Send-Q Local Address           Foreign Address         State
            tcp        0     36 10.0.0.5:22             192.168.178.21:49152    ESTABLISHED
            tcp6       0      0 fe80::5054:ff:fe12:22   fe80::1:40113           CLOSE_WAIT

            """
        let names = ["Proto", "Recv-Q", "Send-Q", "Local Address", "Foreign Address", "State"]
        func open() throws -> Pilot {
            var options = LaunchOptions()
            options.files = FileOpener()
            return try Pilot(text, size: (100, 24), options: options, name: "netstat.txt")
        }
        let pilot = try open()
        #expect(pilot.titles == ["line"] && pilot.message == "1 line before the table. Enter skips it.")
        #expect(try records(pilot).count == 4)
        pilot.press("Enter")
        #expect(pilot.titles == names)
        #expect(try records(pilot)[1].last == "CLOSE_WAIT")
        pilot.press("U")
        #expect(pilot.titles == ["line"])
        let other = try open()
        other.press("j M-h")
        #expect(other.titles == names && other.state.readingSettings.skippedLines == 1)
        // Another row of the table can have the titles, too.
        other.press("k M-h")
        #expect(other.titles == ["tcp", "0", "36", "10.0.0.5:22", "192.168.178.21:49152", "ESTABLISHED"])
    }

    @Test func `17.4: the encoding of an open file can be changed, also from and to UTF-16`() throws {
        let text = "name,city\nZoë,Köln\nAnn,Ulm\n"
        let expected = [["Zoë", "Köln"], ["Ann", "Ulm"]]
        let latin = try open(bytes: text.unicodeScalars.map { UInt8($0.value) }) { ($0.encoding, $0.header) = ("utf-8", "yes") }
        #expect(try records(latin)[0][0] == "Zo\u{fffd}")
        let utf16 = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let wide = try open(bytes: utf16) { ($0.encoding, $0.header) = ("utf-8", "yes") }
        for (pilot, name) in [(latin, "latin-1"), (wide, "utf-16")] {
            pilot.press("Escape C-g S-Tab S-Tab")
            for _ in 0..<6 where form(pilot)?.values[.encoding] != name { pilot.press("Right") }
            pilot.press("Enter")
            #expect(pilot.titles == ["name", "city"], "\(name)")
            #expect(try records(pilot) == expected, "\(name)")
            #expect(pilot.state.document.details.contains { $0.value == name })
            pilot.press("U")
            #expect(try records(pilot) != expected)
        }
    }

    @Test func `17.4: numbers are read with the chosen decimal separator`() throws {
        let pilot = try open("a;b\n1.234;x\n2.500;y\n3.750;z\n") { ($0.delimiter, $0.header) = (";", "yes") }
        func column() -> Column { pilot.state.grid.columns.all[0] }
        #expect(column().notation == .point && column().kind == .decimal)
        pilot.press("C-g S-Tab Left Enter")
        #expect(pilot.state.readingSettings.decimal == "comma")
        #expect(column().notation == .comma && column().kind == .integer)
    }

    @Test func `17.4: the reading form gives the same table as the equivalent command-line options`() throws {
        var random = SplitMix64(seed: 173)
        let pieces = ["1", "2.5", "1.234,5", "a", "b c", "\"q;r\"", "'s,t'", "ä", "", "2024-01-02", "x|y"]
        for round in 0..<60 {
            let delimiter = [",", ";", "|", "\t"].randomElement(using: &random)!
            let text = (0..<Int.random(in: 1...7, using: &random)).map { row in
                (row % 3 == 2 ? "#" : "")
                    + (0..<Int.random(in: 1...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                    .joined(separator: delimiter) + "\n"
            }.joined()
            let bytes = Array(text.utf8)
            let pilot = try open(bytes: bytes) { _ in }
            pilot.press("C-g")
            for field in ReadingSettings.Field.allCases {
                for _ in 0..<Int.random(in: 0...(field.choices.isEmpty ? 2 : field.choices.count - 1), using: &random) {
                    pilot.press("Right")
                }
                pilot.press("Down")
            }
            let settings = try #require(try form(pilot)?.settings())
            guard (try? DialectRequest(settings)) != nil else {
                #expect(form(pilot)?.error != nil, "round \(round)")
                continue
            }
            let expected = try open(bytes: bytes) { $0 = settings }
            let preview = try #require(form(pilot)?.preview, "round \(round): \(settings)")
            #expect(try preview.rows == records(expected), "round \(round): \(settings)")
            pilot.press("Enter")
            #expect(pilot.state.readingSettings == settings)
            #expect(pilot.session.document.columns.map(\.title) == expected.session.document.columns.map(\.title), "round \(round)")
            #expect(try records(pilot) == records(expected), "round \(round): \(settings)")
            let kinds = expected.state.grid.columns.all.map { "\($0.kind) \($0.notation)" }
            #expect(pilot.state.grid.columns.all.map { "\($0.kind) \($0.notation)" } == kinds, "round \(round): \(settings)")
        }
    }
}
