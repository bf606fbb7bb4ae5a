extension Command {
    static let sheets: [Command] = [
        Command(.nextSheet, .program, ["C-PageDown"], "next file", "Show the next open file.") { state, count in
            state.showSheet(step: count.typedNumber ?? 1)
        },
        Command(.previousSheet, .program, ["C-PageUp"], "previous file", "Show the previous open file.") { state, count in
            state.showSheet(step: -(count.typedNumber ?? 1))
        },
        Command(.sheets, .program, ["zw"], "open files", short: "files", "List the open files.") { state, _ in state.openSheetList() },
        Command(.closeSheet, .program, ["zq"], "close file", short: "close", "Close this file; the others stay open.") { state, _ in
            state.closeSheet()
        },
    ]
}

extension CommandID {
    static let nextSheet = CommandID("nextSheet")
    static let previousSheet = CommandID("previousSheet")
    static let sheets = CommandID("sheets")
    static let closeSheet = CommandID("closeSheet")
}
