import DataGrid
import Foundation
import GridTestSupport
import TableFormats
import Testing
import TerminalSurface

@testable import DataGridQuery
@testable import GridviewApp

/// Exports from the program: the same bytes as batch output, in a file that appears only when it is complete.
@MainActor
@Suite struct ExportTests {
    /// A table of 60 rows. The side changes every row, and some cells need quotes or are missing.
    static let table =
        "name,side,price,note\n"
        + (1...60).map { "n\($0),\(["A", "B", "C"][$0 % 3]),\(100 - $0).5,\($0 % 5 == 0 ? "\"x, \"\"\($0)\"\"\"" : "é\($0)")\n" }.joined()
        + "short,A\n"

    /// A table with more bytes than any buffer of the output, and with descending keys.
    static let largeTable =
        "key,text,n\n"
        + (0..<50_000).map { "\(50_000 - $0),\"row, number \($0)\",a text of some forty characters \($0)\n" }.joined()

    private func pilot(_ content: String = table, keys: String = "", options: LaunchOptions = LaunchOptions()) throws -> Pilot {
        let pilot = try Pilot(content, size: (100, 24), options: options, name: "in.csv")
        pilot.press(keys)
        return pilot
    }

    /// Exports to a file in the folder of the open file.
    private func export(_ pilot: Pilot, to name: String, keys: String = "Enter") {
        pilot.press("zs C-u")
        pilot.type(name)
        pilot.press(keys)
    }

    private func bytes(_ pilot: Pilot, _ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: pilot.folder.path(of: name)).map(Array.init)
    }

    private func text(_ pilot: Pilot, _ name: String) -> String {
        bytes(pilot, name).map { String(decoding: $0, as: UTF8.self) } ?? "no file"
    }

    /// The files of the folder, including hidden files.
    private func names(_ pilot: Pilot) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: pilot.folder.path).sorted()
    }

    private func prompt(_ pilot: Pilot) -> ExportPrompt? { pilot.state.overlay as? ExportPrompt }

    /// The lost byte is after the 256 KiB that are read to detect the encoding.
    @Test func `T1: on a screen of 80 columns, the message about an export says that characters were replaced`() throws {
        let content = Array(("a,b\n1,é\n" + String(repeating: "2,x\n", count: 66_000)).utf8) + Array("9,caf".utf8) + [0xe9, 0x0a]
        let pilot = try Pilot(bytes: content, size: (80, 24), name: "in.csv")
        export(pilot, to: "out.jsonl")
        let message = try #require(pilot.state.message)
        #expect(message.text.contains("1 field is not valid UTF-8 (the first in row 66002)"), "\(message.text)")
        let shown = message.text(width: 78)
        #expect(shown.hasPrefix("Exported 66,002 rows to out.jsonl (") && shown.hasSuffix("), with replaced characters."), "\(shown)")
        #expect(message.text(width: 40) == "Lossy export.")
        export(pilot, to: "out.csv")
        #expect(pilot.state.message?.text.contains("replaced") == false)
        #expect(bytes(pilot, "out.csv") == content)
    }

    @Test func `18.3, D15: rows of array elements keep the types and nulls of JSON on the screen and in exports`() throws {
        let content = #"""
            {"by": {"z": "007", "tags": ["1", 2.50, null, [1,"2"], {"k": "v"}, true, "true", ""]}}
            {"by": {"z": null, "tags": []}}
            {"by": null}
            {"by": {"z": "x", "tags": 7}}

            """#
        let pilot = try Pilot(content, size: (100, 24), name: "in.jsonl")
        pilot.press("Right M-(")
        #expect(pilot.titles == ["by.z", "by.tags"] && pilot.state.grid.columns.visible.map(\.kind) == [.text, .text])
        let shown = pilot.backend.lines.dropFirst(4).prefix(11).map { $0.split(separator: " ").last ?? "" }
        #expect(shown == ["1", "2.50", "null", "[1,\"2\"]", "\"v\"}", "true", "true", "007", "·", "null", "7"], "\(pilot.screen)")
        export(pilot, to: "out.jsonl")
        #expect(
            text(pilot, "out.jsonl") == #"""
                {"by": {"z": "007", "tags": "1"}}
                {"by": {"z": "007", "tags": 2.50}}
                {"by": {"z": "007", "tags": null}}
                {"by": {"z": "007", "tags": [1,"2"]}}
                {"by": {"z": "007", "tags": {"k": "v"}}}
                {"by": {"z": "007", "tags": true}}
                {"by": {"z": "007", "tags": "true"}}
                {"by": {"z": "007", "tags": ""}}
                {"by": {"z": null}}
                {"by": null}
                {"by": {"z": "x", "tags": 7}}

                """#)
    }

    @Test func `18.3, D18: a computed column without a value is null in exports of rows of array elements`() throws {
        let pilot = try Pilot("{\"n\":1,\"t\":[1]}\n{\"t\":[2]}\n", size: (100, 24), name: "in.jsonl")
        pilot.press("z=")
        pilot.type("m = n * 2")
        pilot.press("Enter Right M-(")
        #expect(pilot.titles == ["n", "m", "t"])
        export(pilot, to: "out.jsonl")
        #expect(text(pilot, "out.jsonl") == "{\"n\": 1, \"m\": 2, \"t\": 1}\n{\"m\": null, \"t\": 2}\n")
    }

    @Test func `18.3: rows of elements of arrays in CSV keep the JSON types of the elements in exports`() throws {
        let pilot = try pilot("id,tags\n1,\"[\"\"1\"\",2,null,[3]]\"\n2,[]\n3,\n4,plain\n5,7\n")
        pilot.press("Right M-(")
        export(pilot, to: "out.jsonl")
        let values = ["\"1\"", "2", "null", "[3]", "null", "null", "\"plain\"", "7"]
        let rows = zip([1, 1, 1, 1, 2, 3, 4, 5], values).map { "{\"id\": \($0), \"tags\": \($1)}\n" }
        #expect(text(pilot, "out.jsonl") == rows.joined())
    }

    // MARK: Content

    nonisolated static let views: [(keys: String, options: @Sendable (inout LaunchOptions) -> Void)] = [
        ("", { _ in }),
        (
            "]",
            {
                $0.sort = [SortRequest(ColumnReference("name"))]; $0.sort[0].isDescending = true
            }
        ),
        ("l @", { $0.filters = ["side = 'B'"] }),
        ("l -", { $0.hiddenColumns = [ColumnReference("side")] }),
        ("l zg", { $0.groups = [GroupRequest(ColumnReference("side"))] }),
        ("l zg zM", { ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("side"))], true) }),
    ]

    @Test(arguments: views.indices, OutputFormat.allCases)
    func `D10: an export has the same bytes as batch output`(view: Int, format: OutputFormat) throws {
        let pilot = try pilot(keys: Self.views[view].keys)
        export(pilot, to: "out.\(format.suffix)")
        let expected = try BatchOutput.bytes(Array(Self.table.utf8), format, Self.views[view].options)
        #expect(bytes(pilot, "out.\(format.suffix)") == expected, "\(pilot.screen)")
        #expect(pilot.state.message?.id == .exported && pilot.state.overlay == nil)
        #expect(try names(pilot) == ["in.csv", "out.\(format.suffix)"])
    }

    @Test(arguments: ["", "["], [nil, 1 << 20])
    func `D10: an export larger than every buffer has the same bytes as batch output`(keys: String, memory: Int?) throws {
        var options = LaunchOptions()
        options.memory = memory
        let pilot = try pilot(Self.largeTable, keys: keys, options: options)
        export(pilot, to: "out.csv")
        let expected = try BatchOutput.bytes(Array(Self.largeTable.utf8), .csv) {
            if !keys.isEmpty { $0.sort = [SortRequest(ColumnReference("key"))] }
        }
        #expect(expected.count > 2_500_000 && bytes(pilot, "out.csv") == expected)
        #expect(pilot.message == "Exported 50,000 rows to out.csv (\(ByteText.text(expected.count))).")
    }

    @Test func `D10: the message about an export names the file as typed, without the start of a long path`() throws {
        let pilot = try pilot("a\n1\n")
        export(pilot, to: " ./out.csv")
        #expect(pilot.message == "Exported 1 row to ./out.csv (4 bytes).")
        export(pilot, to: String(repeating: "./", count: 30) + "long.csv")
        #expect(pilot.message == "Exported 1 row to …/\(String(repeating: "./", count: 15))long.csv (4 bytes).")
    }

    @Test func `D10: the message about an export names renamed columns`() throws {
        let pilot = try pilot("name,name\n1,2\n3,4\n")
        let note = "in.csv: columns with an empty or repeated name are renamed: “name” to “name_2”."
        export(pilot, to: "out.json")
        let sentence = "Exported 2 rows to out.json (59 bytes), with renamed columns."
        #expect(pilot.message == "\(sentence) \(note)")
        #expect(pilot.line(23).contains(sentence), "the first sentence fits the line")
        export(pilot, to: "out.csv")
        #expect(pilot.message.hasPrefix("Exported 2 rows to out.csv (") && !pilot.message.contains(note))
    }

    @Test func `D10: the message about an export gives the number of notes, and the file details list them`() throws {
        let pilot = try Pilot("a,b\n12345678901234567890,007\n1,\n2,8\n", size: (80, 24), name: "in.csv")
        export(pilot, to: "out.db")
        #expect(pilot.line(23).hasPrefix(" Exported 3 rows to out.db (") && pilot.line(23).contains(" · 2 notes: Alt-g"), "\(pilot.screen)")
        pilot.press("M-g")
        #expect(pilot.screen.contains("Notes on the last export"), "\(pilot.screen)")
        for reason in ["so that leading zeros", "because SQLite"] {
            #expect(pilot.screen.contains("in.csv: numbers are written as text, \(reason)"), "\(pilot.screen)")
        }
        pilot.press("Escape")
        export(pilot, to: "out.csv")
        #expect(!pilot.line(23).contains("note"), "\(pilot.screen)")
        pilot.press("M-g")
        #expect(!pilot.screen.contains("last export"), "\(pilot.screen)")
    }

    @Test func `D10: an export has the columns in displayed order, with the displayed titles`() throws {
        let pilot = try pilot("a,b,c\n1,2,3\n4,5,6\n", keys: "- L : r e n a Enter C-u")
        pilot.type("new, b")
        pilot.press("Enter")
        export(pilot, to: "out.csv")
        #expect(text(pilot, "out.csv") == "c,\"new, b\"\n3,2\n6,5\n")
    }

    @Test(
        arguments: [
            ("V j", "name,side,price,note\nn1,B,99.5,é1\nn2,C,98.5,é2\n"),
            ("l v j l", "side,price\nB,99.5\nC,98.5\n"),
            ("v z+ j l S-Down", "name,side\nn1,\n,C\n,A\n"),
        ])
    func `D10: an export of a selection has only the selected cells`(keys: String, expected: String) throws {
        let pilot = try pilot(keys: keys)
        export(pilot, to: "out.csv")
        #expect(text(pilot, "out.csv") == expected)
        #expect(
            pilot.state.message
                == .exported(
                    "\(expected.count { $0 == "\n" } - 1) rows", to: "out.csv", byteCount: expected.utf8.count,
                    notes: ["in.csv: 1 row has too few fields (line 62). Missing fields are empty or null."]
                ).withNotes(1, listKey: "Alt-g"))
    }

    @Test func `D10: an export has groups if all are collapsed and nothing is selected, and otherwise rows`() throws {
        let pilot = try pilot(keys: "l zg zM")
        export(pilot, to: "groups.csv")
        #expect(pilot.state.message?.text.hasPrefix("Exported 3 groups to groups.csv (") == true)
        pilot.press("za")
        export(pilot, to: "rows.csv")
        #expect(pilot.state.message?.text.hasPrefix("Exported 61 rows to rows.csv (") == true)
        pilot.press("zM C-a")
        export(pilot, to: "all.csv")
        #expect(text(pilot, "all.csv") == text(pilot, "rows.csv"))
    }

    // MARK: The prompt

    @Test func `D10: the prompt suggests a CSV file name other than that of the open file`() throws {
        let pilot = try pilot(keys: "zs")
        #expect(prompt(pilot)?.field.string == "in-view.csv")
        #expect(pilot.line(22).hasPrefix(" All 61 rows as CSV.") && pilot.line(23).hasPrefix(" Export to: in-view.csv"))
        pilot.press("Enter")
        #expect(try names(pilot) == ["in-view.csv", "in.csv"])
        let other = try Pilot(Self.table, size: (100, 24), name: "data.txt")
        other.press("zs")
        #expect(prompt(other)?.field.string == "data.csv")
        other.press("Escape")
        #expect(other.state.overlay == nil && other.state.message == nil)
    }

    @Test func `D10: the prompt suggests a file name without folders for the files of a pattern`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path(of: "logs"), withIntermediateDirectories: true)
        for name in ["a", "b"] { _ = try folder.file("logs/\(name).csv", "x\n1\n") }
        for pattern in ["logs/*.csv", "logs/{a,b}.csv"] {
            let pilot = try Pilot(source: FileOpener().open(path: folder.path(of: pattern)), size: (100, 24))
            pilot.press("zs")
            #expect(prompt(pilot)?.field.string == "logs.csv")
        }
    }

    @Test func `D10: a path without a known suffix asks for the format`() throws {
        let pilot = try pilot("a\n1\n")
        export(pilot, to: "out.dat")
        let list = try #require(pilot.state.overlay as? ListPanel)
        #expect(
            list.purpose == .exportFormat && list.rows.map(\.text) == (OutputFormat.allCases.map(\.title) + writableFormats.map(\.title)))
        pilot.type("Markdown")
        pilot.press("Enter")
        #expect(text(pilot, "out.dat") == "| a |\n|---:|\n| 1 |\n")
        #expect(pilot.state.overlay == nil && pilot.state.message?.id == .exported)
    }

    @Test func `D10: the suffix decides the format, ignoring case`() {
        let known: [(String, OutputFormat?)] = [
            ("a.csv", .csv), ("a.TSV", .tsv), ("/x.y/a.json", .json), ("a.b.jsonl", .jsonl), ("a.md", .markdown), ("a.markdown", .markdown),
            ("a.txt", .text), ("a.html", .html), ("a.sql", .sql), ("a", nil), (".csv", nil), ("x.csv/a", nil), ("a.", nil), ("", nil),
        ]
        let formats = FileFormats(FileOpener())
        for (name, format) in known { #expect(formats.format(fileName: name) == format.map(FileFormat.text), "\(name)") }
        for (name, format) in [("md", "markdown"), ("Markdown", "markdown"), ("txt", "text"), ("db", "sqlite"), ("x.md", nil), ("-", nil)] {
            #expect(formats.format(named: name)?.name == format, "\(name)")
        }
    }

    @Test func `D10: an existing file is replaced only after a second Enter, and keeps its permissions`() throws {
        let pilot = try pilot("a\n1\n")
        let path = try pilot.folder.file("out.csv", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        export(pilot, to: "out.csv")
        #expect(prompt(pilot)?.refusal == .fileExists("out.csv") && text(pilot, "out.csv") == "old")
        #expect(pilot.screen.contains("out.csv exists. Press Enter again to replace it."))
        pilot.press("Backspace v Enter")
        #expect(prompt(pilot)?.refusal == .fileExists("out.csv") && text(pilot, "out.csv") == "old", "a changed path is not confirmed")
        pilot.press("Enter")
        #expect(text(pilot, "out.csv") == "a\n1\n" && pilot.state.message?.id == .exported)
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o640)
        #expect(try names(pilot) == ["in.csv", "out.csv"])
    }

    @Test func `D10: the open file can be replaced, and its rows stay readable`() throws {
        let pilot = try pilot("b,a\n2,1\n4,3\n", keys: "-")
        export(pilot, to: "in.csv", keys: "Enter Enter")
        #expect(text(pilot, "in.csv") == "a\n1\n3\n" && pilot.state.message?.id == .exported)
        #expect(pilot.state.grid.rows.count == 2)
    }

    @Test func `D10: an export warns before it replaces the open file, even if the path is written differently`() throws {
        let pilot = try pilot("a\n1\n")
        try FileManager.default.createSymbolicLink(atPath: pilot.folder.path(of: "link.csv"), withDestinationPath: "in.csv")
        for path in ["in.csv", "./in.csv", pilot.path, "link.csv"] {
            export(pilot, to: path)
            #expect(prompt(pilot)?.refusal == .fileIsOpen("in.csv") || prompt(pilot)?.refusal == .fileIsOpen("link.csv"), "\(path)")
            pilot.press("Escape")
        }
        export(pilot, to: "in.csv")
        #expect(pilot.screen.contains("in.csv is the open file. Press Enter again to replace its content."))
        _ = try pilot.folder.file("same.csv", "a\n1\n")
        pilot.press("Escape")
        export(pilot, to: "same.csv")
        #expect(prompt(pilot)?.refusal == .fileExists("same.csv"), "another file with the same content")
    }

    @Test func `D10: in the export prompt, typing replaces the preset path, but edits it after other keys`() throws {
        let pilot = try pilot("a\n1\n", keys: "zs")
        pilot.type("o.csv")
        #expect(prompt(pilot)?.field.string == "o.csv")
        pilot.press("Escape zs Tab End")
        pilot.type("x")
        #expect(prompt(pilot)?.field.string == "in-view.csvx")
        pilot.press("Escape zs Home")
        pilot.type("x")
        #expect(prompt(pilot)?.field.string == "xin-view.csv")
        pilot.press("Escape zs Backspace")
        #expect(prompt(pilot)?.field.string == "")
        pilot.press("Escape :")
        pilot.type("save view")
        pilot.press("Enter")
        pilot.type("v")
        #expect(prompt(pilot)?.field.string == "v" && prompt(pilot)?.savesView == true)
    }

    // MARK: Errors

    @Test func `D10: the prompt explains why a file cannot be written`() throws {
        let pilot = try pilot("a\n1\n")
        let folder = pilot.folder
        for name in ["sub", "sub.csv"] {
            try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: false)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "dangling.csv"), withDestinationPath: "missing.csv")
        let before = try names(pilot)
        let cases = [
            ("sub.csv", "sub.csv is a folder. Add a file name."),
            ("dangling.csv", "dangling.csv is a link to a missing file. Remove the link, or choose another name."),
            ("none/x.csv", "Folder none does not exist. Create it, or choose another one."),
            ("in.csv/x.csv", "Cannot write x.csv: not a directory. Choose another name or folder."),
            ("/dev/null", "null is not a regular file. Choose another name."),
            ("sub", "sub is a folder. Add a file name."), ("sub/", "sub is a folder. Add a file name."),
            ("", "No file name. Type one, such as data.csv."),
        ]
        for (name, reason) in cases {
            export(pilot, to: name)
            #expect(prompt(pilot)?.refusal == .failed(reason), "\(name)")
            #expect(pilot.screen.contains(reason.prefix(40)))
            pilot.press("Escape")
        }
        #expect(try names(pilot) == before)
        let long = String(repeating: "x", count: 300) + ".csv"
        export(pilot, to: long)
        guard case .failed(let reason) = prompt(pilot)?.refusal else {
            Issue.record("\(pilot.screen)")
            return
        }
        #expect(reason.hasSuffix(": file name too long. Choose another name or folder."))
    }

    @Test func `D10: an export to a link replaces the file to which the link points`() throws {
        let pilot = try pilot("a\n1\n")
        _ = try pilot.folder.file("real.csv", "old")
        try FileManager.default.createSymbolicLink(atPath: pilot.folder.path(of: "link.csv"), withDestinationPath: "real.csv")
        export(pilot, to: "link.csv", keys: "Enter Enter")
        #expect(text(pilot, "real.csv") == "a\n1\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: pilot.folder.path(of: "link.csv")) == "real.csv")
    }

    @Test(
        .enabled(if: geteuid() != 0, "root may write every file"))
    func `D10: if a folder or a file cannot be written, the reason is shown, and both stay unchanged`() throws {
        let pilot = try pilot("a\n1\n")
        let (folder, file) = (pilot.folder.path(of: "sub"), try pilot.folder.file("old.csv", "old"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
        export(pilot, to: "sub/x.csv")
        #expect(prompt(pilot)?.refusal == .failed("Cannot write in folder sub: permission denied. Choose another folder."))
        pilot.press("Escape")
        export(pilot, to: "old.csv", keys: "Enter Enter")
        #expect(prompt(pilot)?.refusal == .failed("old.csv is write-protected. Choose another name."))
        #expect(text(pilot, "old.csv") == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    // MARK: The job

    /// An export of all rows of a program.
    private func job(_ pilot: Pilot, _ format: OutputFormat = .csv) -> ExportJob {
        let document = pilot.session.document
        let output = ViewOutput(
            input: document.input, table: document.source.snapshot, columns: document.columns, allColumns: document.columns,
            rows: pilot.state.grid.rows, tree: nil, format: .text(format), threads: 2, memory: 1 << 18)
        return ExportJob(output: output, content: .view)
    }

    @Test(arguments: ["", "["])
    func `D10: an export that is cancelled in the middle leaves no file and keeps an existing one`(keys: String) throws {
        let pilot = try pilot(Self.largeTable, keys: keys)
        let old = try pilot.folder.file("old.csv", "old")
        for path in [pilot.folder.path(of: "new.csv"), old] {
            let control = JobControl(onProgress: { if $0.completed > 20_000 { $0.cancel() } })
            let file = try ExportFile(for: ExportTarget(path))
            #expect(try names(pilot).count == 3, "the unfinished file is beside its target")
            #expect(throws: JobCancelled.self) { try UnfinishedFiles().with(file) { try job(pilot).run(to: $0, control) } }
            #expect(control.completed > 20_000 && control.completed < 50_000)
            #expect(try names(pilot) == ["in.csv", "old.csv"])
        }
        #expect(text(pilot, "old.csv") == "old")
    }

    @Test func `D10: Escape cancels an export, and leaves no file`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.table, size: (100, 24), name: "in.csv", runner: stepped.runner)
        stepped.runAll(pilot)
        export(pilot, to: "out.csv")
        #expect(stepped.count == 1 && pilot.state.jobs.map(\.kind) == [.export] && prompt(pilot)?.isChecking == true)
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil && pilot.state.jobs.isEmpty)
        stepped.runAll(pilot)
        #expect(try names(pilot) == ["in.csv"] && pilot.state.message == nil)
        export(pilot, to: "out.csv", keys: "Enter x")
        stepped.runAll(pilot)
        #expect(try names(pilot) == ["in.csv"], "a change of the path cancels the export of the old one")
        pilot.press("Backspace Enter")
        stepped.runAll(pilot)
        #expect(text(pilot, "out.csv") == Self.table.replacing("short,A\n", with: "short,A,,\n"))
    }

    @Test func `D10: an unfinished export is deleted when the program ends`() throws {
        let pilot = try pilot()
        let unfinished = UnfinishedFiles()
        let file = try ExportFile(for: ExportTarget(pilot.folder.path(of: "out.csv")))
        try unfinished.with(file) { (file) throws -> Void in
            #expect(try names(pilot).count == 2)
            unfinished.close()
            #expect(try names(pilot) == ["in.csv"])
            #expect(throws: JobCancelled.self) { try file.finish(JobControl()) }
        }
        #expect(try names(pilot) == ["in.csv"])
    }

    @Test func `D10: a file that another program creates during an export is not replaced`() throws {
        let pilot = try pilot("a\n1\n")
        let file = try ExportFile(for: ExportTarget(pilot.folder.path(of: "out.csv")))
        _ = try pilot.folder.file("out.csv", "other")
        let error = #expect(throws: RequestError.self) { try UnfinishedFiles().with(file) { try job(pilot).run(to: $0, JobControl()) } }
        #expect(error?.message == "out.csv has just been created by another program. Export again to replace it.")
        #expect(text(pilot, "out.csv") == "other")
        #expect(try names(pilot) == ["in.csv", "out.csv"])
    }

    @Test func `D10: an export waits until the whole file has been read`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(PartlyReadFileTests.content, size: (80, 12), runner: stepped.runner)
        pilot.press("zs Enter")
        #expect(prompt(pilot)?.refusal == .mustWait && pilot.screen.contains("once reading, filtering and sorting are done"))
        stepped.runAll(pilot)
        pilot.type("x")
        #expect(prompt(pilot)?.refusal == nil && pilot.screen.contains("All \(Message.rows(PartlyReadFileTests.rowCount))"))
        pilot.press("Escape")
    }

    // MARK: Spreadsheets

    static let formulas = "name,value\n=1+1,-5\n+49 30,+3.5\n-x,\"-1,234.5\"\n@sum,a=b\n\"\ttab\",1e5\n\"=\"\"q\"\"\",\n"
    static let escapedFormulas = "name,value\n'=1+1,-5\n'+49 30,+3.5\n'-x,\"-1,234.5\"\n'@sum,a=b\n'\ttab,1e5\n\"'=\"\"q\"\"\",\n"

    private nonisolated static func readHeader(_ options: inout LaunchOptions, _ delimiter: UInt8 = UInt8(ascii: ",")) {
        (options.files.dialect.hasHeader, options.files.dialect.delimiter) = (true, delimiter)
    }

    @Test func `D10: CSV and TSV can be made safe for spreadsheets, and the message says how many cells changed`() throws {
        var options = LaunchOptions()
        Self.readHeader(&options)
        let pilot = try pilot(Self.formulas, options: options)
        export(pilot, to: "out.csv", keys: "Tab")
        #expect(pilot.line(22).hasPrefix(" All 6 rows as CSV, safe for spreadsheets."))
        pilot.press("Enter")
        #expect(text(pilot, "out.csv") == Self.escapedFormulas)
        #expect(
            pilot.message
                == "Exported 6 rows to out.csv (\(Self.escapedFormulas.utf8.count) bytes). Escaped 6 cells that begin like formulas.")
        export(pilot, to: "out.tsv", keys: "Tab Enter")
        #expect(text(pilot, "out.tsv").hasPrefix("name\tvalue\n'=1+1\t-5\n'+49 30\t+3.5\n"))
        export(pilot, to: "plain.csv", keys: "Tab Tab Enter")
        #expect(text(pilot, "plain.csv").contains("\n=1+1,-5\n") && pilot.message.hasSuffix(" bytes)."))
        export(pilot, to: "out.json", keys: "Tab Enter")
        #expect(text(pilot, "out.json").contains("\"=1+1\"") && pilot.message.hasSuffix(" bytes)."))
    }

    @Test func `D10, D15: rows, groups and column names of batch output can be made safe for spreadsheets`() throws {
        func output(_ content: String, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
            let bytes = try BatchOutput.bytes(Array(content.utf8), .csv, neutralizesFormulas: true) {
                Self.readHeader(&$0)
                change(&$0)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try output(Self.formulas) == Self.escapedFormulas)
        #expect(try output("=a,b\n1,2\n") == "'=a,b\n1,2\n")
        let groups = try output("side,n\n=x,1\ny,2\n=x,3\n") {
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("side"))], true)
        }
        #expect(groups.contains("\n'=x,2") && groups.contains("\ny,1"))
        // Numbers with a decimal comma are numbers.
        let comma = try output("a;b\n-1.234,5;=1\n") {
            Self.readHeader(&$0, UInt8(ascii: ";"))
            $0.types = [(ColumnReference("a"), ColumnType(.decimal, .comma))]
        }
        #expect(comma == "a,b\n\"-1.234,5\",'=1\n")
    }
}
