import FieldValues
import GridviewApp

/// What is done to arguments before the parser has them, and to what it says about them.
enum ArgumentReading {
    /// Gives an option whose value may be left out the value it then has. What follows `--` is no option.
    static func completed(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.count
        var completed: [String] = []
        for (place, argument) in arguments.enumerated() {
            let next = place + 1 < end ? arguments[place + 1] : ""
            let isBare = argument == "--print-screen" && place < end && ScreenShot.Format(rawValue: next) == nil
            completed.append(isBare ? "--print-screen=text" : argument)
        }
        return completed
    }

    /// A mistake that the parser found, in the words of all other mistakes.
    static func mistake(_ message: String) -> UsageError {
        let unknown = "Unknown option '"
        guard message.hasPrefix(unknown), let quoted = message.dropFirst(unknown.count).split(separator: "'").first else {
            let line = message.split(separator: "\n").first.map(String.init) ?? ""
            return UsageError(line.last.map { ".?!".contains($0) } == true ? line : line + ".")
        }
        let name = String(quoted.split(separator: "=").first ?? quoted)
        let hint = near(name).map { " Did you mean \($0)?" } ?? ""
        return UsageError("Unknown option \(name).\(hint)")
    }

    /// The option that was meant: one that begins so, or that is spelled nearly so.
    private static func near(_ name: String) -> String? {
        let names = CommandDescription.sections().flatMap(\.options).flatMap(\.names).filter { $0.hasPrefix("--") }
        guard name.hasPrefix("--"), name.count > 3 else { return nil }
        if let whole = names.first(where: { $0.hasPrefix(name) }) { return whole }
        return NearNames.nearest(String(name.dropFirst(2)), names.map { String($0.dropFirst(2)) }).map { "--" + $0 }
    }
}
