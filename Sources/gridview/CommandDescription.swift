import ArgumentParser

/// The options of the command line, as the argument parser describes them.
enum CommandDescription {
    struct Option {
        /// The names as typed: `-d`, `--delimiter`.
        var names: [String]
        var value: String?
        var help: String
    }

    /// The visible options by section title.
    static func sections() -> [(title: String, options: [Option])] {
        guard let tool = try? Platform.decode(Tool.self, json: Array(GridviewCommand._dumpHelp().utf8)).get() else { return [] }
        var sections: [(title: String, options: [Option])] = []
        for argument in tool.command.arguments where argument.shouldDisplay && argument.kind != "positional" {
            let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            let option = Option(names: names, value: argument.kind == "flag" ? nil : argument.valueName, help: argument.abstract ?? "")
            let title = argument.sectionTitle ?? "Options"
            if let index = sections.firstIndex(where: { $0.title == title }) {
                // A flag and its inversion are listed one after the other.
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

    /// The required parts of the parser's JSON description.
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
