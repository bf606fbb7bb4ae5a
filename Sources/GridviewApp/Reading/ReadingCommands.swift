extension Command {
    static let reading: [Command] = [
        Command(
            .readingOptions, .program, ["C-g"], "reading options",
            "Change how the file is read: delimiter, quote, header, lines to skip, encoding.",
            also: "import dialect separator csv encoding utf-16 latin decimal comment skip parse"
        ) { state, _ in state.openReading() },
        Command(
            .useAsHeader, .program, ["M-h"], "use row as header",
            "Use the row under the cursor as column names, and skip the lines above it.", also: "titles names first promote"
        ) { state, _ in state.useRowAsHeader() },
    ]

    static let readingForm: [Command] = [
        Command(.up, in: .reading, ["Up", "S-Tab"], "field above", "Go to the field above; wraps around."),
        Command(.down, in: .reading, ["Down", "Tab"], "field below", "Go to the field below; wraps around."),
        Command(.previousChoice, in: .reading, ["Left"], "previous choice", "Select the choice before the current one."),
        Command(.nextChoice, in: .reading, ["Right"], "next choice", "Select the choice after the current one."),
    ]
}

extension CommandID {
    static let readingOptions = CommandID("readingOptions")
    static let useAsHeader = CommandID("useAsHeader")
    static let nextChoice = CommandID("nextChoice")
    static let previousChoice = CommandID("previousChoice")
}

extension KeyContext {
    static let reading = Self("reading", title: "Form of reading options")
}
