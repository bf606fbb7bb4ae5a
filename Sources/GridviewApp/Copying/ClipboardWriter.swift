import DataGridQuery
import Tables
import TerminalSurface

/// The way in which text was copied, for the message.
enum CopyRoute: Equatable, Sendable {
    /// Only the terminal copies the text. Nothing confirms that it did.
    /// - Parameter problem: the reason why no program copied the text, such as `xclip failed`; `nil` if there was no program to use.
    case terminal(problem: String? = nil)
    /// The named program has copied the text. If `withTerminal` is true, the terminal gets it, too.
    case program(String, withTerminal: Bool)
}

/// Copies text to every clipboard that gridview can reach.
///
/// In a tmux pane, tmux sets its own clipboard and the clipboard of its terminal. Elsewhere, a program of the desktop and the terminal (OSC
/// 52) both get the text. Over ssh, only the terminal reaches the user's machine. But not every terminal permits OSC 52, and no terminal
/// confirms the copy.
struct ClipboardWriter {
    /// The clipboard programs to try, in this order.
    let programs: [ClipboardProgram]
    /// The reason why the program that the user chose cannot be used; `nil` if it can be used, or if none was chosen.
    var problem: String?

    /// The maximum size of a copy in bytes. It is smaller if only the terminal can copy.
    var byteLimit: Int { programs.isEmpty ? Clipboard.byteLimit : ClipboardProgram.byteLimit }

    /// Copies text with the first program that succeeds.
    /// - Returns: `sequence` is the escape sequence to send to the terminal; `nil` for none. `route` is the way in which the text was
    ///   copied; `nil` if no program succeeded and the text is too large for the terminal.
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
