import DataGridTerminal
import TerminalSurface

/// Keys of less, vim, spreadsheets and VisiData that gridview does not bind. When such a key is pressed, a message names the gridview
/// command for the same task.
enum FamiliarKeys {
    /// A task that other programs do, and their keys for it.
    struct Task: Sendable {
        /// The task as a verb phrase without “to”, such as “go to a row”.
        let title: String
        /// The keys of other programs, as text in the syntax of `KeyNotation`.
        let keys: [String]
        /// The gridview command for the task; `nil` for tasks that change the file, which gridview cannot do.
        let command: CommandID?

        init(_ title: String, _ keys: [String], _ command: CommandID?) { (self.title, self.keys, self.command) = (title, keys, command) }
    }

    static let tasks: [Task] = [
        Task(
            "edit",
            ["e", "F2", "Delete", "Backspace", "Insert", "a", "x", "D", "X", "p", "P", "O", "C-v", "C-x", "zD"], nil),
        Task("save the view", ["C-s", "F12"], .export),
        Task("redo", ["C-y"], .redo),
        Task("go to a row", ["F5"], .palette),
        Task("go to the next match", ["F3"], .searchNext),
        Task("go to the previous match", ["S-F3"], .searchPrevious),
        Task("search for the value of a cell", ["#"], .searchCell),
        Task("hide the highlight", ["M-u"], .escape),
        Task("go to the first row", ["M-<"], .top),
        Task("go to the last row", ["M->"], .bottom),
        Task("go down", ["C-e", "C-n"], .down),
        Task("go up", ["C-p"], .up),
        Task("go to the previous column", ["B"], .previousColumn),
        Task("go to the next column", ["E"], .nextColumn),
        Task("go to a marked row", ["`"], .nextMark),
        Task("show only some rows", ["\""], .filter),
        Task("list the columns", ["C"], .showColumns),
        Task("close a file", ["C-w"], .closeSheet),
        Task("read the help", ["C-h"], .help),
        Task("quit", ["F10", "ZQ"], .quit),
    ]

    /// Tasks of other programs whose keys already have a different meaning in gridview. In the key preset of such a program, the keys run
    /// this task.
    static let tasksOfPresets = [Task("select rows by a pattern", ["|"], .filter)]

    /// The task that these keys do in other programs; `nil` if no program listed here uses them.
    static func task(of keys: [KeyPress]) -> Task? {
        (tasks + tasksOfPresets).first { $0.keys.contains { KeyNotation.sequence($0) == keys } }
    }

    /// True if the keys set an option in less, such as `-N`: a hyphen and one more key.
    static func isOption(_ keys: [KeyPress]) -> Bool { keys.count == 2 && [keys[0]] == KeyNotation.sequence("-") }
}
