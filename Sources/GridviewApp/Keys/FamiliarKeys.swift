import DataGridTerminal
import TerminalSurface

/// Keys of less, vim, spreadsheets and VisiData that gridview does not bind, each with the command that does the same task.
enum FamiliarKeys {
    /// A task, as the subject of a sentence, and its keys elsewhere.
    struct Task: Sendable {
        let title: String
        /// The keys in `KeyNotation`.
        let keys: [String]
        /// The command that does the task here; `nil` for tasks that change the file.
        let command: CommandID?

        init(_ title: String, _ keys: [String], _ command: CommandID?) { (self.title, self.keys, self.command) = (title, keys, command) }
    }

    static let tasks: [Task] = [
        Task(
            "Editing",
            ["e", "F2", "Delete", "Backspace", "Insert", "a", "x", "D", "X", "p", "P", "O", "C-v", "C-x", "zD"], nil),
        Task("Saving the view", ["C-s", "F12"], .export),
        Task("Redoing", ["C-y"], .redo),
        Task("Going to a row", ["F5"], .palette),
        Task("Going to the next match", ["F3"], .searchNext),
        Task("Going to the previous match", ["S-F3"], .searchPrevious),
        Task("Searching for the value of a cell", ["#"], .searchCell),
        Task("Hiding the highlight", ["M-u"], .escape),
        Task("Going to the first row", ["M-<"], .top),
        Task("Going to the last row", ["M->"], .bottom),
        Task("Going down", ["C-e", "C-n"], .down),
        Task("Going up", ["C-p"], .up),
        Task("Going to the previous column", ["B"], .previousColumn),
        Task("Going to the next column", ["E"], .nextColumn),
        Task("Going to a marked row", ["`"], .nextMark),
        Task("Showing only some rows", ["\""], .filter),
        Task("Listing the columns", ["C"], .showColumns),
        Task("Closing a file", ["C-w"], .closeSheet),
        Task("Reading the help", ["C-h"], .help),
        Task("Quitting", ["F10", "ZQ"], .quit),
    ]

    /// Keys that run a command here, but not with the key preset of the program in which they do another task.
    static let tasksOfPresets = [Task("Selecting rows by a pattern", ["|"], .filter)]

    /// The task that these keys do in other programs.
    static func task(of keys: [KeyPress]) -> Task? {
        (tasks + tasksOfPresets).first { $0.keys.contains { KeyNotation.sequence($0) == keys } }
    }

    /// True for an option that less reads while it runs, such as `-N`.
    static func isOption(_ keys: [KeyPress]) -> Bool { keys.count == 2 && [keys[0]] == KeyNotation.sequence("-") }
}
