import DataGridQuery
import Foundation
import GridTestSupport
import Testing

@testable import GridviewApp

/// Picking rows for a script.
@MainActor
@Suite struct PickTests {
    private func open(_ content: String = BatchOutput.trades, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> Pilot {
        var options = LaunchOptions()
        options.pick = PickSettings()
        change(&options)
        return try Pilot(content, size: (70, 16), options: options)
    }

    private func allowManyRows(_ options: inout LaunchOptions) {
        options.pick?.allowsMany = true
        options.columns = [ColumnReference("id")]
    }

    /// The lines that the picker prints.
    private func printed(_ pilot: Pilot, marksControls: Bool = false) throws -> String {
        let folder = try TemporaryFolder()
        let path = try folder.file("out", "")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try pilot.session.writePicked(to: handle.fileDescriptor, marksControls: marksControls)
        try handle.close()
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Each case lists a format, keys, and the printed text for the columns id, price and note.
    @Test(
        arguments: [
            (nil, "Enter", "1,10.5,\"a, b\"\n"), (nil, "j j Enter", "3,1234.5,\"say \"\"hi\"\"\"\n"),
            (.csv, "Enter", "id,price,note\n1,10.5,\"a, b\"\n"), (.tsv, "j Enter", "id\tprice\tnote\n2\t7.25\t\"two\nlines\"\n"),
            (.json, "Enter", "[\n  {\"id\": 1, \"price\": 10.5, \"note\": \"a, b\"}\n]\n"),
            (.jsonl, "j Enter", "{\"id\": 2, \"price\": 7.25, \"note\": \"two\\nlines\"}\n"),
            (.sql, "Enter", "INSERT INTO \"test\" (\"id\", \"price\", \"note\") VALUES (1, 10.5, 'a, b');\n"),
        ] as [(OutputFormat?, String, String)])
    func `D19: Enter prints the current row in the output format`(format: OutputFormat?, keys: String, text: String) throws {
        let pilot = try open {
            $0.pick?.format = format
            $0.columns = ["id", "price", "note"].map { ColumnReference($0) }
        }
        pilot.press(keys)
        #expect(pilot.state.exitStatus == 0)
        #expect(try printed(pilot) == text)
    }

    @Test(arguments: [nil, OutputFormat.jsonl])
    func `T1: a picker keeps bytes that are not UTF-8 in CSV, and reports them in other formats`(format: OutputFormat?) throws {
        let bytes = Array("a,n\né".utf8) + [0xE8] + Array(",1\nü,2\n".utf8)
        var options = LaunchOptions()
        options.pick = PickSettings()
        options.pick?.format = format
        let pilot = try Pilot(bytes: bytes, size: (70, 16), options: options)
        pilot.press("Enter")
        let path = try pilot.folder.file("out", "")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let notes = try pilot.session.writePicked(to: handle.fileDescriptor)
        try handle.close()
        let text = Array("é".utf8) + [0xE8] + Array(",1\n".utf8)
        if format == nil {
            #expect(FileManager.default.contents(atPath: path).map(Array.init) == text && notes.isEmpty)
        } else {
            #expect(notes.count == 1 && notes[0].hasPrefix("test.csv: 1 field is not valid UTF-8 (the first in row 1)."), "\(notes)")
        }
    }

    @Test func `D19: a note of the picker names the columns that JSON output renames`() throws {
        let pilot = try open("a,a\n1,2\n") {
            $0.files.dialect.hasHeader = true
            $0.pick?.format = .jsonl
        }
        pilot.press("Enter")
        let path = try pilot.folder.file("out", "")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let notes = try pilot.session.writePicked(to: handle.fileDescriptor)
        try handle.close()
        #expect(notes == ["test.csv: columns with an empty or repeated name are renamed: “a” to “a_2”."])
    }

    @Test func `D19: text output of picked rows is aligned`() throws {
        let pilot = try open {
            $0.pick?.format = .text
            $0.columns = [ColumnReference("id"), ColumnReference("sector")]
        }
        pilot.press("Enter")
        #expect(try printed(pilot) == "id  sector\n──  ──────\n 1  Tech\n")
    }

    @Test func `D19: hiding or moving columns on the screen does not change what is printed`() throws {
        let pilot = try open()
        pilot.press("- L Enter")
        #expect(try printed(pilot) == "1,Tech,BUY,10.5,\"a, b\"\n")
    }

    @Test func `D19: marked rows that a reloaded file no longer has are not printed`() throws {
        let pilot = try open("id\n1\n2\n3\n", allowManyRows)
        pilot.press("m j j m")
        try "id\n7\n".write(toFile: pilot.path, atomically: false, encoding: .utf8)
        pilot.press("R")
        try #require(pilot.state.document.recordCount == 1)
        pilot.press("Enter")
        #expect(pilot.state.exitStatus == 0)
        #expect(try printed(pilot) == "7\n")
    }

    @Test func `D19: picked values of a single column are printed without quotes`() throws {
        func open(_ format: OutputFormat? = nil) throws -> Pilot {
            try self.open {
                $0.pick?.column = ColumnReference("note")
                $0.pick?.format = format
                $0.hiddenColumns = [ColumnReference("note")]
            }
        }
        let plain = try open()
        plain.press("j j Enter")
        #expect(try printed(plain) == "say \"hi\"\n")
        let quoted = try open(.csv)
        quoted.press("j j Enter")
        #expect(try printed(quoted) == "note\n\"say \"\"hi\"\"\"\n")
        let error = #expect(throws: RequestError.self) { try self.open { $0.pick?.column = ColumnReference("prize") } }
        #expect(error?.message == "--pick-column: Unknown column “prize”. Did you mean “price”?" && error?.isUsageError == true)
    }

    @Test func `D19, E: control characters in picked values are replaced only if the output is a terminal`() throws {
        let pilot = try open("a\nx\u{1b}[2Jy\n") { $0.pick?.column = ColumnReference("a") }
        pilot.press("Enter")
        #expect(try printed(pilot) == "x\u{1b}[2Jy\n")
        #expect(try printed(pilot, marksControls: true) == "x␛[2Jy\n")
    }

    /// Each case lists keys and the printed ids.
    @Test(
        arguments: [
            ("j Enter", "2"), ("Space Space Enter", "1 2"), ("j j m k k Space Enter", "1 3"), ("V j Enter", "1 2"),
            ("C-a Enter", "1 2 3 4 5"),
            ("Space V j Enter", "1"), ("Space Space k m Enter", "1"),
            // In the order of the view, followed by rows that a filter hides.
            ("Space j Space ] Enter", "3 1"), ("Space j Space & \"id = 3\" Enter Enter", "3 1"),
        ])
    func `D19: with --multi, the marked rows are printed; without marks, the selected rows or the current row`(keys: String, ids: String)
        throws
    {
        let pilot = try open { allowManyRows(&$0) }
        pilot.press(keys)
        #expect(pilot.state.exitStatus == 0)
        #expect(try printed(pilot).split(separator: "\n").joined(separator: " ") == ids)
    }

    @Test func `D19: without --multi, only the current row is printed`() throws {
        let pilot = try open { $0.columns = [ColumnReference("id")] }
        pilot.press("m V j Enter")
        #expect(try printed(pilot) == "2\n")
    }

    @Test(arguments: [("q", 1), ("C-q", 1), ("C-c", 130), ("V C-c", 130)])
    func `D19: quitting without picking has exit status 1, or 130 after Ctrl-C`(keys: String, status: Int32) throws {
        let pilot = try open()
        pilot.press(keys)
        #expect(pilot.state.exitStatus == status)
        #expect(try printed(pilot) == "")
    }

    @Test func `D19: an empty table has nothing to pick`() throws {
        let pilot = try open("a,b\n")
        pilot.press("Enter")
        #expect(pilot.state.message == .nothingToPick && pilot.state.exitStatus == nil)
    }

    @Test func `D19: a double click picks the row`() throws {
        let pilot = try open { $0.columns = [ColumnReference("id"), ColumnReference("sector")] }
        let place = try #require(pilot.place(of: "Health"))
        pilot.doubleClick(place.x, place.y)
        #expect(pilot.state.exitStatus == 0)
        #expect(try printed(pilot) == "5,Health\n")
    }

    @Test func `D19: Enter on a group collapses it, unless rows are marked`() throws {
        let pilot = try open { allowManyRows(&$0) }
        pilot.press("zg zj Enter")
        #expect(pilot.state.exitStatus == nil && pilot.state.grid.isCollapsed(section: 1))
        pilot.press("zj j m zk Enter")
        #expect(pilot.state.exitStatus == 0)
    }

    @Test func `D19: hints and messages show the keys that pick and mark rows`() throws {
        #expect(try open().line(15).hasPrefix(" Enter pick  "))
        let pilot = try open { allowManyRows(&$0) }
        #expect(pilot.line(15).hasPrefix(" Enter pick  Space mark  "))
        #expect(!pilot.line(15).contains("row view") && pilot.state.key(.record) == ": row view" && pilot.state.key(.pageDown) == "PgDn")
        pilot.press("V")
        #expect(pilot.line(15).hasPrefix(" Enter pick  Space mark  y copy"))
    }
}
