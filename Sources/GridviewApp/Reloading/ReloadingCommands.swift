extension Command {
    static let reloading: [Command] = [
        Command(
            .reload, .program, ["R"], "reload",
            "Reads what has come to a file that has grown, else the file again; where reading was stopped, goes on with it.")
    ]
}
