import GridTestSupport
import DataGrid
import DelimitedText
import Foundation
import GridviewApp
import TableFormats
import Tables
import TerminalSurface
import Testing

extension LaunchOptions {
    /// Options for opening files.
    var files: FileOpener {
        get { opener as? FileOpener ?? FileOpener() }
        set { opener = newValue }
    }
}

/// Fails if `body` takes so long that it cannot be linear. The time limit of a test would include the time that it waits for other tests on
/// the main thread.
@MainActor func expectLinearTime(minutes: Int, _ body: () throws -> Void) throws {
    let start = ContinuousClock.now
    try body()
    #expect(ContinuousClock.now - start < .seconds(60 * minutes))
}

/// Runs the whole program without a terminal: presses keys and reads the screen.
/// Jobs run inline, so their results are present when ``press(_:)`` returns, unless the test passes another runner.
@MainActor
final class Pilot {
    let session: Session
    let backend: RecordingBackend
    /// The path of the open file.
    let path: String
    /// The folder of the open file, and of exports with a relative path.
    let folder: TemporaryFolder
    private var lastClick: (Int, Int)?

    /// Opens a file with this content.
    convenience init(
        _ content: String, size: (Int, Int) = (60, 14), options: LaunchOptions = LaunchOptions(), name: String = "test.csv",
        runner: JobRunner = .inline
    ) throws {
        try self.init(bytes: Array(content.utf8), size: size, options: options, name: name, runner: runner)
    }

    init(
        bytes: [UInt8], size: (Int, Int) = (60, 14), options: LaunchOptions = LaunchOptions(), name: String = "test.csv",
        runner: JobRunner = .inline, capabilities: TerminalCapabilities = .xterm
    ) throws {
        folder = try TemporaryFolder()
        path = try folder.file(name, bytes: bytes)
        var options = options
        options.opener = options.files
        options.exportFolder = folder.path
        let document = try Document(try options.files.open(path: path), options: options)
        backend = RecordingBackend(size: TerminalSize(columns: size.0, rows: size.1), capabilities: capabilities)
        session = try Session(document, options: options, backend: backend, runner: runner)
        try session.start()
    }

    /// Opens a table that is not a file.
    init(source: any TableSource, size: (Int, Int) = (60, 14), options: LaunchOptions = LaunchOptions(), runner: JobRunner = .inline) throws
    {
        folder = try TemporaryFolder()
        path = folder.path(of: "none")
        let document = try Document(source, options: options)
        backend = RecordingBackend(size: TerminalSize(columns: size.0, rows: size.1), capabilities: .xterm)
        session = try Session(document, options: options, backend: backend, runner: runner)
        try session.start()
    }

    var state: AppState { session.state }

    /// Presses keys in the notation of ``KeyScript/keys(_:in:)``. Each key is a separate event.
    func press(_ keys: String) {
        do {
            for key in try KeyScript.keys(keys, in: state.keyMap) { send(.key(key)) }
        } catch {
            Issue.record("\(error.message)")
        }
    }

    /// Types text unchanged, spaces included.
    func type(_ text: String) {
        for scalar in text.unicodeScalars { send(.key(KeyPress(.character(scalar)))) }
    }

    /// Copies everything in a format, after some settings in the list of formats, and returns the clipboard.
    func copyAll(_ format: String, _ settings: String...) -> String {
        press("Escape C-a zy")
        for entry in settings + [format] {
            type(entry)
            press("Enter")
        }
        return clipboardText
    }

    func send(_ event: TerminalEvent) {
        backend.events.append(event)
        session.turn()
    }

    func resize(_ columns: Int, _ rows: Int) {
        backend.size = TerminalSize(columns: columns, rows: rows)
        session.turn()
    }

    func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int, _ modifiers: KeyModifiers = []) {
        send(.mouse(MouseEvent(kind, x: x, y: y, modifiers: modifiers)))
    }

    func click(_ x: Int, _ y: Int, _ modifiers: KeyModifiers = []) {
        // Two clicks of a test are not a double click, so another place is clicked in between.
        if let last = lastClick, last == (x, y) {
            mouse(.press(.middle), 0, 0)
            mouse(.release(.middle), 0, 0)
        }
        lastClick = (x, y)
        mouse(.press(.left), x, y, modifiers)
        mouse(.release(.left), x, y, modifiers)
    }

    func doubleClick(_ x: Int, _ y: Int) {
        click(x, y)
        mouse(.press(.left), x, y)
        mouse(.release(.left), x, y)
    }

    /// Presses, moves one cell at a time, and releases unless `holding`.
    func drag(from start: (Int, Int), to end: (Int, Int), holding: Bool = false) {
        mouse(.press(.left), start.0, start.1)
        let steps = max(abs(end.0 - start.0), abs(end.1 - start.1), 1)
        for n in 1...steps { mouse(.drag(.left), start.0 + (end.0 - start.0) * n / steps, start.1 + (end.1 - start.1) * n / steps) }
        if !holding { mouse(.release(.left), end.0, end.1) }
    }

    /// The screen as text.
    var screen: String { backend.lines.joined(separator: "\n") }

    func line(_ y: Int) -> String { y < backend.lines.count ? backend.lines[y] : "" }

    /// The first position of the text on the screen.
    func place(of text: String, after y: Int = 0) -> (x: Int, y: Int)? {
        for (n, line) in backend.lines.enumerated() where n >= y {
            if let range = line.range(of: text) { return (line[..<range.lowerBound].unicodeScalars.count, n) }
        }
        return nil
    }

    /// The number of bytes that the last frame sent to a terminal.
    var lastByteCount: Int { backend.lastBytes.count }

    /// The title of the current column and the row number, from 1; 0 on a group header.
    var cursorCell: String { "\(state.grid.currentColumn?.title ?? "-") \((state.grid.currentRow?.rawValue ?? -1) + 1)" }

    /// The message on the last line.
    var message: String { state.message?.text ?? "" }

    /// The record numbers of the rows in the order of the view, from 1.
    var order: [Int] { (0..<state.grid.rows.count).map { state.grid.rows[$0].rawValue + 1 } }

    /// The titles of the visible columns, in order.
    var titles: [String] { state.grid.columns.visible.map(\.title) }

    /// The last text copied to the clipboard.
    var clipboard: [UInt8]? {
        guard let last = backend.controlSequences.last else { return nil }
        let text = String(decoding: last, as: UTF8.self)
        guard text.hasPrefix("\u{1b}]52;c;"), text.hasSuffix("\u{7}") else { return nil }
        return Data(base64Encoded: String(text.dropFirst(7).dropLast())).map(Array.init)
    }

    var clipboardText: String { clipboard.map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }
}
