/// The user's choice of the program that copies text to the clipboard.
public enum ClipboardChoice: String, CaseIterable, Sendable {
    /// Copies with the first installed program that succeeds, and with the terminal, too.
    case automatic = "auto"
    /// No program: the terminal itself, by the escape sequence OSC 52.
    case terminal
    /// tmux, a terminal multiplexer.
    case tmux
    /// `wl-copy`, for Wayland.
    case wlCopy = "wl-copy"
    /// `xclip` or `xsel`, for X11.
    case xclip, xsel
    /// `pbcopy`, on macOS.
    case pbcopy
    /// `clip.exe`, on Windows.
    case clip = "clip.exe"

    /// The environment variable that must be set for this program to reach a clipboard, such as `DISPLAY` for X11; `nil` if the program
    /// needs no variable.
    fileprivate var environmentVariable: String? {
        switch self {
        case .tmux: "TMUX"
        case .wlCopy: "WAYLAND_DISPLAY"
        case .xclip, .xsel: "DISPLAY"
        case .automatic, .terminal, .pbcopy, .clip: nil
        }
    }
}

/// A program that copies its standard input to a clipboard.
public struct ClipboardProgram: Sendable, Hashable {
    /// The name of the program in messages.
    let name: String
    let path: String
    let arguments: [String]
    /// True for tmux, which passes the text on to the terminal in which it runs. The program then does not send the escape sequence OSC 52.
    var passesTextToTerminal: Bool { name == "tmux" }
    /// True if the program reads UTF-16 instead of UTF-8.
    private var readsUTF16: Bool { name == "clip.exe" }

    /// The time limit for a copy. If the program takes longer, it is killed and the copy fails.
    var timeLimit = Duration.seconds(2)

    /// The maximum size of one copy in bytes.
    static let byteLimit = 64 << 20

    /// The programs to try, in this order: tmux if gridview runs in a tmux pane, then the first installed clipboard program of the desktop.
    ///
    /// The clipboard programs of desktops are `wl-copy` for Wayland, `xclip` and `xsel` for X11, `pbcopy` for macOS and `clip.exe` for
    /// Windows.
    /// - Parameters:
    ///   - choice: the user's choice. If it names a program, no other one is tried.
    ///   - environment: returns the value of an environment variable; `nil` if it is not set.
    public static func installed(
        _ choice: ClipboardChoice = .automatic, environment: (_ name: String) -> String?
    ) -> [ClipboardProgram] {
        func find(_ program: ClipboardChoice, _ arguments: String...) -> ClipboardProgram? {
            guard choice == .automatic || choice == program, !lacksVariable(program, environment) else { return nil }
            return path(of: program, environment).map { ClipboardProgram(name: program.rawValue, path: $0, arguments: arguments) }
        }
        let tmux = find(.tmux, "load-buffer", "-w", "-")
        let desktop =
            find(.wlCopy, "--type", "text/plain") ?? find(.xclip, "-selection", "clipboard", "-in")
            ?? find(.xsel, "--clipboard", "--input") ?? find(.pbcopy) ?? find(.clip)
        return [tmux, desktop].compactMap(\.self)
    }

    /// The reason why the program that the user chose cannot be used, without a full stop; `nil` if it can be used, or if none was chosen.
    public static func reasonUnavailable(_ choice: ClipboardChoice, environment: (_ name: String) -> String?) -> String? {
        guard choice != .automatic, choice != .terminal else { return nil }
        if path(of: choice, environment) == nil { return "\(choice.rawValue) was not found" }
        return choice.environmentVariable.flatMap {
            lacksVariable(choice, environment) ? "\(choice.rawValue) needs \($0), which is not set" : nil
        }
    }

    private static func path(of program: ClipboardChoice, _ environment: (_ name: String) -> String?) -> String? {
        // Ignore relative folders in PATH, which would run programs in the working directory.
        let folders = (environment("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.lazy.map { "\($0)/\(program.rawValue)" }.first { Platform.isExecutableFile($0) }
    }

    private static func lacksVariable(_ program: ClipboardChoice, _ environment: (_ name: String) -> String?) -> Bool {
        program.environmentVariable.map { environment($0)?.isEmpty ?? true } ?? false
    }

    /// Copies bytes to the clipboard. Waits until the program ends, at most ``timeLimit``.
    /// - Returns: True on success.
    func copy(_ bytes: [UInt8], isCancelled: () -> Bool) -> Bool {
        let input = readsUTF16 ? Self.utf16(bytes) : bytes
        return Platform.run(path, arguments, input: input, timeLimit: timeLimit, isCancelled: isCancelled)
    }

    /// Converts UTF-8 to little-endian UTF-16 with a byte order mark, for `clip.exe`.
    static func utf16(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0xFF, 0xFE]
        result.reserveCapacity(2 + 2 * bytes.count)
        for unit in String(decoding: bytes, as: UTF8.self).utf16 {
            result.append(UInt8(truncatingIfNeeded: unit))
            result.append(UInt8(unit >> 8))
        }
        return result
    }
}
