import DataGrid
import DelimitedText
import Foundation
import GridviewApp
import TerminalSurface
import Testing

/// Drives the whole program without a terminal: presses keys and shows what is on the screen. Jobs run inline, so that every key's
/// consequences are there when ``press(_:)`` returns.
@MainActor
final class Pilot {
    let session: Session
    let backend: RecordingBackend
    private let path: String

    /// Opens a file of that content.
    init(_ content: String, size: (Int, Int) = (60, 14), options: LaunchOptions = LaunchOptions(), name: String = "test.csv") throws {
        try Self.write(Array(content.utf8), name, &folder)
        path = folder + "/" + name
        let document = try Document(try DelimitedFile(path: path, request: options.dialect), options: options)
        backend = RecordingBackend(size: TerminalSize(columns: size.0, rows: size.1))
        session = try Session(document, options: options, backend: backend, runner: .inline)
        try session.start()
    }

    private var folder = ""

    private static func write(_ bytes: [UInt8], _ name: String, _ folder: inout String) throws {
        folder = NSTemporaryDirectory() + "gridview-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var state: AppState { session.state }

    /// Presses keys, as ``KeyNotation/script(_:)`` reads them, each with a turn of its own.
    func press(_ keys: String) {
        for key in KeyNotation.script(keys) {
            backend.events.append(.key(key))
            session.turn()
        }
    }

    /// Types text as it is, blanks included.
    func type(_ text: String) {
        for scalar in text.unicodeScalars {
            backend.events.append(.key(KeyPress(.character(scalar))))
            session.turn()
        }
    }

    func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int, _ modifiers: KeyModifiers = []) {
        backend.events.append(.mouse(MouseEvent(kind, x: x, y: y, modifiers: modifiers)))
        session.turn()
    }

    func click(_ x: Int, _ y: Int, _ modifiers: KeyModifiers = []) {
        mouse(.press(.left), x, y, modifiers)
        mouse(.release(.left), x, y, modifiers)
    }

    /// Presses, moves a cell at a time, and lets go.
    func drag(from start: (Int, Int), to end: (Int, Int)) {
        mouse(.press(.left), start.0, start.1)
        let steps = max(abs(end.0 - start.0), abs(end.1 - start.1), 1)
        for n in 1...steps { mouse(.drag(.left), start.0 + (end.0 - start.0) * n / steps, start.1 + (end.1 - start.1) * n / steps) }
        mouse(.release(.left), end.0, end.1)
    }

    /// The screen as text.
    var screen: String { backend.lines.joined(separator: "\n") }

    func line(_ y: Int) -> String { y < backend.lines.count ? backend.lines[y] : "" }

    /// The bytes that the last frame sent to a terminal.
    var lastBytes: Int { backend.lastBytes.count }
}
