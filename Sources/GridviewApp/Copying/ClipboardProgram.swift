/// The method of copying: the terminal alone, or also a program.
public enum ClipboardChoice: String, CaseIterable, Sendable {
    /// The installed programs, then the terminal.
    case automatic = "auto"
    /// The terminal only (OSC 52).
    case terminal
    /// The terminal multiplexer tmux.
    case tmux
    /// The program for Wayland.
    case wlCopy = "wl-copy"
    /// A program for X11.
    case xclip, xsel
    /// The program of macOS.
    case pbcopy
    /// The program of Windows.
    case clip = "clip.exe"

    /// The environment variable that identifies the server of the clipboard; `nil` if the program does not need one.
    fileprivate var variable: String? {
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
    /// The name in messages.
    let name: String
    let path: String
    let arguments: [String]
    /// True for tmux, which passes the text on to the terminal in which it runs. OSC 52 is not needed then.
    var passesTextToTerminal: Bool { name == "tmux" }
    /// True if the program reads UTF-16 instead of UTF-8.
    private var readsUTF16: Bool { name == "clip.exe" }

    /// The time after which the program is killed and the copy has failed.
    var timeLimit = Duration.seconds(2)

    /// The maximum size of one copy in bytes.
    static let byteLimit = 64 << 20

    /// The programs to try, in this order: tmux, if gridview runs in one of its panes, then the first installed program for the clipboard
    /// of the desktop.
    ///
    /// Desktop programs are `wl-copy` for Wayland, `xclip` and `xsel` for X11, `pbcopy` for macOS and `clip.exe` for Windows.
    /// - Parameters:
    ///   - choice: the method of copying; a named program is the only one to try.
    ///   - environment: returns the value of a variable; `nil` if it is not set.
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

    /// The reason why a chosen program cannot be used, without a full stop; `nil` if it can, or if no program is chosen.
    public static func reasonUnavailable(_ choice: ClipboardChoice, environment: (_ name: String) -> String?) -> String? {
        guard choice != .automatic, choice != .terminal else { return nil }
        if path(of: choice, environment) == nil { return "\(choice.rawValue) was not found" }
        return choice.variable.flatMap { lacksVariable(choice, environment) ? "\(choice.rawValue) needs \($0), which is not set" : nil }
    }

    private static func path(of program: ClipboardChoice, _ environment: (_ name: String) -> String?) -> String? {
        // Skip relative folders, which would run programs in the working directory.
        let folders = (environment("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.lazy.map { "\($0)/\(program.rawValue)" }.first { Platform.isExecutableFile($0) }
    }

    private static func lacksVariable(_ program: ClipboardChoice, _ environment: (_ name: String) -> String?) -> Bool {
        program.variable.map { environment($0)?.isEmpty ?? true } ?? false
    }

    /// Copies bytes. Waits for the program, up to the time limit.
    /// - Returns: True on success.
    func copy(_ bytes: [UInt8], isCancelled: () -> Bool) -> Bool {
        let input = readsUTF16 ? Self.utf16(bytes) : bytes
        return Platform.run(path, arguments, input: input, timeLimit: timeLimit, isCancelled: isCancelled)
    }

    /// UTF-8 as UTF-16 in little-endian order with a byte order mark.
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
