import ArgumentParser

/// The arguments and options of the command line, as the argument parser describes them in JSON. The man page is created from them.
enum CommandDescription {
    struct Option {
        /// The names of the option as they are typed, such as `-d` and `--delimiter`; for an argument, its name in the synopsis.
        var names: [String]
        var value: String?
        var help: String
    }

    /// The arguments and options that the help shows, by the title of their section.
    static func sections() -> [(title: String, options: [Option])] {
        guard let tool = try? Platform.decode(Tool.self, json: Array(GridviewCommand._dumpHelp().utf8)).get() else { return [] }
        var sections: [(title: String, options: [Option])] = []
        for argument in tool.command.arguments where argument.shouldDisplay {
            let isPositional = argument.kind == "positional"
            let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            let option = Option(
                names: isPositional ? [(argument.valueName ?? "").uppercased()] : names,
                value: isPositional || argument.kind == "flag" ? nil : argument.valueName, help: argument.abstract ?? "")
            let title = isPositional ? "Arguments" : argument.sectionTitle ?? "Options"
            if let index = sections.firstIndex(where: { $0.title == title }) {
                // The parser lists a flag and its inversion, such as `--no-mouse`, one after the other with equal help. Combine them into
                // one option.
                if let last = sections[index].options.last, option.value == nil, last.help == option.help {
                    sections[index].options[sections[index].options.count - 1].names += option.names
                } else {
                    sections[index].options.append(option)
                }
            } else {
                sections.append((title, [option]))
            }
        }
        return sections
    }

    /// The parts of the parser's JSON description of the command line that are used here.
    private struct Tool: Decodable {
        struct Command: Decodable {
            var arguments: [Argument]
        }
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }
            var kind: String
            var shouldDisplay: Bool
            var sectionTitle: String?
            var names: [Name]?
            var valueName: String?
            var abstract: String?
        }
        var command: Command
    }
}
