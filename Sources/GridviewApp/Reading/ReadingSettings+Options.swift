public import Tables

extension ReadingSettings {
    /// The command-line options whose value is a string: the option name without hyphens, and the property.
    private static var texts: [(name: String, path: WritableKeyPath<ReadingSettings, String?>)] {
        [
            ("delimiter", \.delimiter), ("quote", \.quote), ("escape", \.escape), ("header", \.header), ("encoding", \.encoding),
            ("decimal", \.decimal),
        ]
    }

    /// The settings that differ from the defaults, as command-line options for saved views. Keys are option names without hyphens.
    public var options: [String: String] {
        var options: [String: String] = [:]
        for (name, path) in Self.texts { options[name] = self[keyPath: path] }
        if skippedLines > 0 { options["skip-lines"] = "\(skippedLines)" }
        if !commentPrefix.isEmpty { options["comment"] = commentPrefix }
        return options
    }

    /// Adds the options of a saved view to settings that still have their defaults; other settings stay. Ignores unknown option names.
    public mutating func add(_ options: [String: String]) {
        for (name, path) in Self.texts where self[keyPath: path] == nil { self[keyPath: path] = options[name] }
        if skippedLines == 0, let lines = options["skip-lines"].flatMap({ Int($0) }) { skippedLines = lines }
        if commentPrefix.isEmpty { commentPrefix = options["comment"] ?? "" }
    }
}
