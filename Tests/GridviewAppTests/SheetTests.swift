import DataGrid
import DataGridQuery
import DataGridTerminal
import Foundation
import GridTestSupport
import TableFormats
import TerminalSurface
import Testing

@testable import GridviewApp

/// Several open files.
@MainActor
@Suite struct SheetTests {
    private let folder: TemporaryFolder
    private let backend = RecordingBackend(size: TerminalSize(columns: 60, rows: 14))

    init() throws { folder = try TemporaryFolder() }

    private func session(
        _ files: [(name: String, content: String)], options: LaunchOptions = LaunchOptions(), runner: JobRunner = .inline
    ) throws -> Session {
        let paths = try files.map { name, content in
            if let slash = name.lastIndex(of: "/") {
                try FileManager.default.createDirectory(
                    atPath: folder.path(of: String(name[..<slash])), withIntermediateDirectories: true)
            }
            return try folder.file(name, content)
        }
        let opener = FileOpener()
        var options = options
        options.opener = opener
        let session = try Session(
            Document(opener.open(path: paths[0]), options: options), options: options, backend: backend, runner: runner)
        try session.add(
            paths.dropFirst().map { path in
                SheetInput(name: String(path.split(separator: "/").last ?? ""), path: path) { try opener.open(path: path) }
            })
        try session.start()
        return session
    }

    private func press(_ keys: String, _ session: Session) throws {
        for key in try KeyScript.keys(keys) { backend.events.append(.key(key)) }
        session.turn()
    }

    private static let files = [
        ("first.csv", "a,b\n" + (1...50).map { "\($0),x\n" }.joined()), ("second.csv", "c\nsome\ntext\n"), ("third.csv", "d\n1\n2\n3\n"),
    ]

    private func order(_ session: Session) -> [Int] { (0..<session.state.grid.rows.count).map { session.state.grid.rows[$0].rawValue } }

    private var names: [String] { backend.lines[0].split(separator: " ").map(String.init) }

    @Test func `D22: with a single open file, no tab line is shown`() throws {
        let session = try session([Self.files[0]])
        #expect(backend.lines[0].hasPrefix(" first.csv  50 × 2") && backend.lines[1].contains("a"))
        try press("C-PageDown", session)
        #expect(session.state.message == .onlyOneFile)
        try press("zq", session)
        #expect(session.state.message == .onlyOpenFile(quitKey: "q") && session.state.exitStatus == nil)
    }

    @Test func `D22: keys switch sheets, and each sheet keeps its view`() throws {
        let session = try session(Self.files)
        #expect(names == ["first.csv", "second.csv", "third.csv"] && backend.lines[1].hasPrefix(" first.csv  50 × 2"))
        #expect(session.state.sheets[1].document.isAwaited, "a file is opened when its sheet is shown")
        try press("5j s", session)
        try press("C-PageDown", session)
        #expect(backend.lines[1].hasPrefix(" second.csv  2 × 1") && backend.lines[3].contains("some"))
        try press("/ \"text\" Enter", session)
        #expect(session.state.grid.cursor.row == 1)
        try press("C-PageDown", session)
        #expect(backend.lines[1].hasPrefix(" third.csv  3 × 1"))
        try press("C-PageDown", session)
        #expect(backend.lines[1].hasPrefix(" first.csv") && session.state.grid.cursor.row == 5 && !session.state.query.shown.sort.isEmpty)
        try press("2 C-PageUp", session)
        #expect(session.state.sheet.id == 1 && session.state.grid.cursor.row == 1 && session.state.search?.text == "text")
    }

    @Test func `D22: on a screen with few lines, a title line with the file replaces the hints`() throws {
        backend.size = TerminalSize(columns: 60, rows: 7)
        let session = try session(Self.files)
        #expect(backend.lines[0].hasPrefix(" first.csv  50 × 2") && backend.lines[6].contains("5"))
        try press("C-PageDown", session)
        #expect(backend.lines[0].hasPrefix(" second.csv  2 × 1") && backend.lines[2].contains("some"))
        try press("zq", session)
        #expect(backend.lines[0].contains("third.csv"))
        try press("zq", session)
        #expect(session.state.sheets.count == 1 && !backend.lines[0].contains("csv") && backend.lines[0].contains("a"))
    }

    @Test func `D22: sheets are selected by name or by a click, and can be closed`() throws {
        let session = try session(Self.files)
        try press("zw", session)
        #expect(backend.lines.joined().contains("Open files") && backend.lines.joined().contains("third.csv"))
        let list = backend.lines.filter { $0.contains("first.csv") || $0.contains("third.csv") }.joined()
        #expect(list.contains("50 rows") && list.contains("not read yet") && !list.contains(" 0 rows"))
        try press("\"thi\" Enter", session)
        #expect(session.state.sheet.document.name == "third.csv" && session.state.overlay == nil)
        let x = try #require(backend.lines[0].firstRange(of: "second")).lowerBound.utf16Offset(in: backend.lines[0])
        backend.events.append(.mouse(MouseEvent(.press(.left), x: x, y: 0)))
        session.turn()
        #expect(session.state.sheet.document.name == "second.csv")
        try press("zq", session)
        #expect(names == ["first.csv", "third.csv"] && session.state.sheet.document.name == "third.csv")
        try press("zq", session)
        #expect(backend.lines[0].hasPrefix(" first.csv  50 × 2"), "the tab line disappears when one sheet is left")
        #expect(session.state.grid.size.height == 11)
    }

    @Test func `D22: tabs and the list of files distinguish files with equal names, whether open or not`() throws {
        let session = try session([("x/a.csv", "a\n1\n"), ("y/a.csv", "a\n2\n"), ("y/b.csv", "b\n1\n")])
        #expect(names == ["x/a.csv", "y/a.csv", "b.csv"])
        try press("zw", session)
        let list = backend.lines.dropFirst(2).joined(separator: "\n")
        #expect(list.contains("x/a.csv") && list.contains("y/a.csv") && !list.contains("y/b.csv"))
        try press("\"y/a\" Enter", session)
        #expect(session.state.sheet.id == 1 && names == ["x/a.csv", "y/a.csv", "b.csv"])
        try press("C-PageUp zq", session)
        #expect(session.state.sheet.id == 1 && names == ["a.csv", "b.csv"], "the other name is not equal any more")
    }

    @Test(
        arguments: [
            (["a.csv", "b.csv"], ["a.csv", "b.csv"]), (["x/a.csv", "y/a.csv", "x/b.csv"], ["x/a.csv", "y/a.csv", "b.csv"]),
            (["a.csv", "x/a.csv"], ["a.csv", "x/a.csv"]), (["/d/1/x/a.csv", "/d/2/x/a.csv"], ["1/x/a.csv", "2/x/a.csv"]),
            (["x/a.csv", "x/a.csv", "./x/a.csv"], ["a.csv", "a.csv (2)", "a.csv (3)"]),
            (["x/a.csv", "y/a.csv", "x/a.csv"], ["x/a.csv", "y/a.csv", "x/a.csv (2)"]),
            (["a.csv (2)", "a.csv", "a.csv"], ["a.csv (2)", "a.csv", "a.csv (3)"]),
            (["postgres://h/d1/t", "postgres://h/d2/t"], ["d1/t", "d2/t"]),
        ])
    func `D22: equal file names are shown with the shortest distinct folders, and equal paths with numbers`(
        _ paths: [String], _ names: [String]
    ) {
        let inputs = paths.map { (name: String($0.split(separator: "/").last ?? ""), path: String?.some($0)) }
        #expect(SheetNames.distinctNames(inputs) == names)
    }

    @Test func `D22: tables of the same name in different databases are shown with the name of their database`() {
        let paths = ["sqlite:/d/a.db?table=t", "sqlite:/d/b.db?table=t", "/d/a.db:t", "/e/c.db:t"]
        #expect(SheetNames.distinctNames(paths.map { ("t", $0) }) == ["sqlite:/d/a.db/t", "sqlite:/d/b.db/t", "d/a.db/t", "e/c.db/t"])
        #expect(SheetNames.distinctNames(paths.suffix(2).map { ("t", $0) }) == ["a.db/t", "c.db/t"])
    }

    @Test func `D22, 18.9: equal names of patterns are shown with the folders above them`() {
        let inputs = ["/d/a/logs/*", "/d/b/logs/*"].map { (name: "logs/*", path: String?.some($0)) }
        #expect(SheetNames.distinctNames(inputs) == ["a/logs/*", "b/logs/*"])
        let relative = ["logs/*", "b/logs/*"].map { (name: "logs/*", path: String?.some($0)) }
        #expect(SheetNames.distinctNames(relative) == ["logs/*", "b/logs/*"])
    }

    @Test func `D22: long tab names are truncated in the middle`() throws {
        let folder = "results-of-the-long-experiment-"
        let session = try session([(folder + "1/metrics.csv", "a\n1\n"), (folder + "2/metrics.csv", "a\n2\n")])
        // The screen has room for the tab of one sheet.
        #expect(names.first == "results-of-the…t-1/metrics.csv")
        try press("C-PageDown", session)
        #expect(names.last == "results-of-the…t-2/metrics.csv")
    }

    @Test func `D22: inputs of the same name without a path are shown with numbers`() {
        let input = (name: "statement", path: String?.none)
        #expect(SheetNames.distinctNames(Array(repeating: input, count: 3)) == ["statement", "statement (2)", "statement (3)"])
    }

    @Test func `D22: names of sheets with array elements include folders if their files have the same name`() throws {
        let content = "{\"tags\":[1,2]}\n"
        let session = try session([("x/a.jsonl", content), ("y/a.jsonl", content)])
        // A new sheet is shown after the last one.
        for keys in ["M-(", "C-PageUp", "M-("] { try press(keys, session) }
        #expect(session.state.sheets.map(\.document.name).filter { $0 == "a.jsonl: tags" }.count == 2)
        #expect(Set(session.state.sheetNames) == ["x/a.jsonl", "y/a.jsonl", "x/a.jsonl: tags", "y/a.jsonl: tags"])
    }

    @Test func `D22: a job continues while another sheet is shown, and its result belongs to its own sheet`() throws {
        let stepped = SteppedRunner()
        let session = try session(Self.files, runner: stepped.runner)
        func runAll() {
            while stepped.count > 0 {
                stepped.step()
                session.turn()
            }
        }
        runAll()
        try press("[", session)
        try press("]", session)
        try press("C-PageDown", session)
        #expect(session.state.sheet.id == 1 && session.state.document.isAwaited)
        runAll()
        #expect(session.state.sheet.id == 1 && session.state.document.recordCount == 2 && session.state.query.shown.isFileOrder)
        #expect(session.state.message == nil, "messages of the first sheet wait there")
        try press("C-PageUp", session)
        #expect(session.state.query.isSettled && session.state.query.shown.sort == [ColumnSort(ColumnID(0), isDescending: true)])
        #expect(backend.lines[3].contains("50") && session.state.grid.rows.count == 50)
    }

    @Test func `D22: a file that cannot be opened shows the error in its sheet, and R tries again`() throws {
        let session = try session(Self.files)
        let path = try folder.file("second.csv", "c\n1\n")
        try #require(unlinkFile(path))
        try press("C-PageDown", session)
        #expect(session.state.message?.isError == true && session.state.exitStatus == nil)
        #expect(backend.lines.joined(separator: "\n").contains("second.csv"))
        _ = try folder.file("second.csv", "c\n7\n8\n9\n")
        try press("R", session)
        #expect(backend.lines[1].hasPrefix(" second.csv  3 × 1") && backend.lines[3].contains("7"), "\(backend.lines)")
    }

    @Test func `D22: command-line options apply to every sheet that has the named columns`() throws {
        var options = LaunchOptions()
        options.sort = [SortRequest(ColumnReference("b"))]
        options.sort[0].isDescending = true
        options.filters = ["b > 1"]
        let session = try session([("x.csv", "b\n1\n2\n3\n"), ("y.csv", "z\n1\n"), ("z.csv", "a,b\n1,1\n2,2\n3,3\n")], options: options)
        #expect(order(session) == [2, 1])
        try press("C-PageDown", session)
        #expect(session.state.message?.isError == true && session.state.message?.text.contains("“b”") == true)
        #expect(order(session) == [0])
        try press("C-PageDown", session)
        #expect(order(session) == [2, 1])
    }

    @Test func `D22: theme, hints and screen size are shared by all sheets`() throws {
        let session = try session(Self.files)
        try press("T z?", session)
        let theme = session.state.grid.theme.name
        try press("C-PageDown", session)
        #expect(session.state.sheets.allSatisfy { $0.controller.state.theme.name == theme })
        #expect(session.state.grid.theme.name == theme && session.state.grid.size.height == 11)
        backend.events.append(.resize(TerminalSize(columns: 40, rows: 20)))
        session.turn()
        try press("C-PageUp", session)
        #expect(session.state.grid.size == GridSize(width: 40, height: 17))
    }

    @Test(arguments: [0, 7, 19, 39]) func `D22: the tab line shows as many tabs as fit, including the current one`(index: Int) throws {
        let session = try session((0..<40).map { ("file-\($0).csv", "a\n\($0)\n") })
        for _ in 0..<index { try press("C-PageDown", session) }
        let line = backend.lines[0]
        #expect((line + " ").contains(" file-\(index).csv ") && DisplayWidth.of(line) <= 60)
        let tabs = TabLine(session.state).tabs
        #expect(tabs.allSatisfy { $0.x + $0.width <= 60 } && tabs.count >= 3)
        #expect(index == 0 || line.contains("‹ \(tabs[0].sheet)"))
        #expect(index == 39 || line.contains("\(39 - tabs[tabs.count - 1].sheet) ›"))
    }
}

private func unlinkFile(_ path: String) -> Bool { unlink(path) == 0 }
