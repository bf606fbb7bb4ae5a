import FieldValues
import GridviewApp

/// Prepares arguments for the argument parser, and rewrites its error messages.
enum ArgumentReading {
    /// Adds the default value to `--print-screen` if the option has no value, because the parser requires a value. Joins `--sql` and a
    /// statement that begins with a comment, which the parser would read as an option. Arguments after `--` are unchanged.
    static func argumentsForParser(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.count
        var completed: [String] = []
        for (index, argument) in arguments.enumerated() {
            let next = index + 1 < end ? arguments[index + 1] : ""
            if index < end, completed.last == "--sql", isComment(argument) {
                completed[completed.count - 1] += "=" + argument
                continue
            }
            let isBare = argument == "--print-screen" && index < end && !isFormat(next)
            completed.append(isBare ? "--print-screen=text" : argument)
        }
        return completed
    }

    /// True if the argument after `--sql` begins with a comment, as in `-- text`, and is not an option.
    private static func isComment(_ argument: String) -> Bool {
        argument.hasPrefix("--") && (argument.contains(where: \.isNewline) || argument.dropFirst(2).first?.isLetter == false)
    }

    /// True if the argument after `--print-screen` is the name of a format, even an unknown one; false if it is a file or an option.
    private static func isFormat(_ argument: String) -> Bool {
        if Screenshot.Format(rawValue: argument) != nil { return true }
        return !argument.isEmpty && argument.allSatisfy { $0.isASCII && $0.isLetter } && !Platform.isReadable(argument)
    }

    /// The error if the value of a numeric option is not a number; `nil` if the parser's message is about something else.
    private static func invalidNumberError(_ message: String) -> UsageError? {
        guard let match = message.firstMatch(of: /^The value '(.*)' is invalid for '(-[^ ']*)/) else { return nil }
        let isNumber = !match.1.isEmpty && match.1.allSatisfy { $0.isASCII && $0.isNumber }
        return UsageError("\(match.2): “\(match.1)” is \(isNumber ? "too large" : "not a whole number").")
    }

    /// Rewrites an error message of the parser in the style of the program's own errors.
    static func usageError(_ message: String) -> UsageError {
        if let error = invalidNumberError(message) { return error }
        let unknown = "Unknown option '"
        guard message.hasPrefix(unknown), let quoted = message.dropFirst(unknown.count).split(separator: "'").first else {
            let line = message.split(separator: "\n").first.map(String.init) ?? ""
            return UsageError(line.last.map { ".?!".contains($0) } == true ? line : line + ".")
        }
        let name = String(quoted.split(separator: "=").first ?? quoted)
        let hint = closestOption(to: name).map { " Did you mean \($0)?" } ?? ""
        return UsageError("Unknown option \(name).\(hint)")
    }

    /// Options of other programs, such as csvkit, xsv and DuckDB, and the options that do the same.
    private static let familiarOptions = [
        "--csv": "--output csv", "--drop": "--hide", "--exclude": "--hide", "--fields": "--columns", "--from": "--format",
        "--group-by": "--group", "--head": "--limit", "--input-format": "--format", "--json": "--output json",
        "--jsonl": "--output jsonl", "--no-header": "--header no", "--no-headers": "--header no", "--noheader": "--header no",
        "--nrows": "--limit", "--order-by": "--sort", "--query": "--sql", "--sep": "--delimiter", "--separator": "--delimiter",
        "--sheet": "--table", "--sort-by": "--sort", "--to": "--output", "--tsv": "--output tsv", "--where": "--filter",
    ]

    /// The option that was probably meant: one with the same meaning in another program, one that starts with `name`, or else the one with
    /// the most similar spelling.
    private static func closestOption(to name: String) -> String? {
        if let option = familiarOptions[name] { return option }
        let names = CommandDescription.sections().flatMap(\.options).flatMap(\.names).filter { $0.hasPrefix("--") }
        guard name.hasPrefix("--"), name.count > 3 else { return nil }
        if let completion = names.first(where: { $0.hasPrefix(name) }) { return completion }
        return Suggestions.closest(String(name.dropFirst(2)), names.map { String($0.dropFirst(2)) }).map { "--" + $0 }
    }
}
