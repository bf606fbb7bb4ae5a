extension Command {
    static let sheets: [Command] = [
        Command(.nextSheet, .program, ["C-PageDown"], "next sheet", "Shows the next open file."),
        Command(.previousSheet, .program, ["C-PageUp"], "previous sheet", "Shows the open file before this one."),
        Command(.sheets, .program, ["zw"], "sheets", "Lists the open files by name."),
        Command(.closeSheet, .program, ["zq"], "close sheet", "Closes this file; the others stay open."),
    ]
}
