import FieldValues
import GridviewApp

/// Prepares arguments for the parser, and converts the errors of the parser.
enum ArgumentReading {
    /// Adds the default value to an option whose value is optional. Arguments after `--` are unchanged.
    static func completed(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.count
        var completed: [String] = []
        for (index, argument) in arguments.enumerated() {
            let next = index + 1 < end ? arguments[index + 1] : ""
            let isBare = argument == "--print-screen" && index < end && !isFormat(next)
            completed.append(isBare ? "--print-screen=text" : argument)
        }
        return completed
    }

    /// True if the argument after `--print-screen` is a format, possibly an unknown one, and not a file or an option.
    private static func isFormat(_ argument: String) -> Bool {
        if Screenshot.Format(rawValue: argument) != nil { return true }
        return !argument.isEmpty && argument.allSatisfy { $0.isASCII && $0.isLetter } && !Platform.isReadable(argument)
    }

    /// The error for a numeric option whose value is invalid; `nil` for other errors.
    private static func invalidNumber(_ message: String) -> UsageError? {
        guard let match = message.firstMatch(of: /^The value '(.*)' is invalid for '(-[^ ']*)/) else { return nil }
        let isNumber = !match.1.isEmpty && match.1.allSatisfy { $0.isASCII && $0.isNumber }
        return UsageError("\(match.2): “\(match.1)” is \(isNumber ? "too large" : "not a whole number").")
    }

    /// Converts an error of the parser to the style of other errors.
    static func usageError(_ message: String) -> UsageError {
        if let error = invalidNumber(message) { return error }
        let unknown = "Unknown option '"
        guard message.hasPrefix(unknown), let quoted = message.dropFirst(unknown.count).split(separator: "'").first else {
            let line = message.split(separator: "\n").first.map(String.init) ?? ""
            return UsageError(line.last.map { ".?!".contains($0) } == true ? line : line + ".")
        }
        let name = String(quoted.split(separator: "=").first ?? quoted)
        let hint = closestOption(to: name).map { " Did you mean \($0)?" } ?? ""
        return UsageError("Unknown option \(name).\(hint)")
    }

    /// An option that starts with `name`, otherwise the option with the most similar spelling.
    private static func closestOption(to name: String) -> String? {
        let names = CommandDescription.sections().flatMap(\.options).flatMap(\.names).filter { $0.hasPrefix("--") }
        guard name.hasPrefix("--"), name.count > 3 else { return nil }
        if let completion = names.first(where: { $0.hasPrefix(name) }) { return completion }
        return Suggestions.closest(String(name.dropFirst(2)), names.map { String($0.dropFirst(2)) }).map { "--" + $0 }
    }
}
