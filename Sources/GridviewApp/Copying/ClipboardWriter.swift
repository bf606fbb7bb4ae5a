import DataGridQuery
import Tables
import TerminalSurface

/// The route by which a string was copied.
enum CopyRoute: Equatable, Sendable {
    /// The terminal copies the string.
    /// - Parameter problem: the reason why no program copied the string, such as `xclip failed`; `nil` if no program was to be used.
    case terminal(problem: String? = nil)
    /// A program has copied the string. If `withTerminal` is true, the terminal copies it, too.
    case program(String, withTerminal: Bool)
}

/// Copies text to every clipboard that the program can reach.
///
/// In a tmux pane, tmux sets its own clipboard and the clipboard of its terminal. Elsewhere, a program of the desktop and the terminal
/// (OSC 52) both get the text. Over ssh, only the terminal reaches the user's machine. But not every terminal permits OSC 52, and none
/// confirms it.
struct ClipboardWriter {
    /// The programs to try, in this order.
    let programs: [ClipboardProgram]
    /// The reason why the chosen program cannot be tried; `nil` if it can, or if no program is chosen.
    var problem: String?

    /// The maximum number of bytes.
    var byteLimit: Int { programs.isEmpty ? Clipboard.byteLimit : ClipboardProgram.byteLimit }

    /// Copies text with the first program that succeeds.
    /// - Returns: The bytes to send to the terminal, if any, and the route of the copy. The route is `nil` if no program succeeded and the
    ///   text is too large for the terminal.
    /// - Throws: `JobCancelled`.
    func write(_ bytes: [UInt8], _ control: JobControl) throws -> (sequence: [UInt8]?, route: CopyRoute?) {
        let copier = programs.first { !control.isCancelled && $0.copy(bytes) { control.isCancelled } }
        try control.checkCancellation()
        let fitsTerminal = bytes.count <= Clipboard.byteLimit
        let sequence = fitsTerminal && copier?.passesTextToTerminal != true ? Clipboard.sequence(bytes) : nil
        if let copier { return (sequence, .program(copier.name, withTerminal: sequence != nil)) }
        return (sequence, fitsTerminal ? .terminal(problem: programs.first.map { "\($0.name) failed" } ?? problem) : nil)
    }
}
