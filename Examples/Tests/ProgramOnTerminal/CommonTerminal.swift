import DataGrid
import Foundation
public import TerminalSurface

/// A terminal of a usual size and number of colors, on which each program shows all of its text.
public struct CommonTerminal: Sendable, CustomStringConvertible {
    /// The number of columns and rows.
    public let size: TerminalSize
    /// The number of colors.
    public let colorDepth: ColorDepth
    /// True if the background is light.
    public let isLight: Bool

    /// Small, standard and large terminals: dark and light in true color, with 16 colors, and without colors.
    public static let all = [(60, 20), (80, 24), (120, 40)].flatMap { columns, rows in
        [(ColorDepth.trueColor, false), (.trueColor, true), (.ansi16, false), (.none, false)].map { depth, isLight in
            CommonTerminal(size: TerminalSize(columns: columns, rows: rows), colorDepth: depth, isLight: isLight)
        }
    }

    /// The size and the colors, for test reports.
    public var description: String { "\(size.columns)×\(size.rows), \(colorDepth)\(isLight ? ", light" : "")" }

    /// The environment variables from which a program detects the number of colors.
    var environment: [String: String] {
        switch colorDepth {
        case .none: ["NO_COLOR": "1"]
        case .ansi16: ["TERM": "xterm-color"]
        case .indexed256: [:]
        case .trueColor: ["COLORTERM": "truecolor"]
        }
    }

    /// A recording terminal of this kind.
    public func backend() -> RecordingBackend {
        let backend = RecordingBackend(size: size, capabilities: TerminalCapabilities(colorDepth: colorDepth))
        if isLight { backend.events = [.background(TerminalColor(red: 255, green: 255, blue: 255))] }
        return backend
    }
}

/// The lines of a screen that are truncated, and its last line if this does not start with the keys that quit.
public func defects(of lines: [String], quit: String = "q quit") -> [String] {
    lines.filter { $0.contains("…") } + lines.suffix(1).filter { !$0.drop { $0 == " " }.hasPrefix(quit) }
}

/// Draws the picture of a program for `docs/examples.md` if the variable `PICTURES` names a folder. `make pictures` sets it.
public func drawPicture(of program: String, _ screen: CellBuffer) throws {
    guard let folder = ProcessInfo.processInfo.environment["PICTURES"] else { return }
    try Data(screen.svg(title: program).utf8).write(to: URL(fileURLWithPath: folder).appending(path: "\(program).svg"), options: .atomic)
}
