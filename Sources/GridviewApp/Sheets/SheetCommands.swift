extension Command {
    static let sheets: [Command] = [
        Command(.nextSheet, .program, ["C-PageDown"], "next file", "Show the next open file."),
        Command(.previousSheet, .program, ["C-PageUp"], "previous file", "Show the previous open file."),
        Command(.sheets, .program, ["zw"], "open files", "List the open files."),
        Command(.closeSheet, .program, ["zq"], "close file", "Close this file; the others stay open."),
    ]
}
