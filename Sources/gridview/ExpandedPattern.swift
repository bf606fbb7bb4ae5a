import FieldValues

/// A pattern that a shell may have expanded to the paths of the command line.
enum ExpandedPattern {
    /// A pattern in quotes that matches all paths, such as `'logs/*.csv'`; `nil` if the paths have different folders or suffixes.
    static func pattern(matching paths: [String]) -> String? {
        let parts = paths.map { path in
            let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
            return (folder: path[..<start], name: path[start...])
        }
        guard parts.count > 1, let first = parts.first, parts.allSatisfy({ $0.folder == first.folder }) else { return nil }
        // URLs have no patterns, and a folder with these characters would be read as a pattern.
        guard !first.folder.contains("://"), !first.folder.contains(where: { "*?[{".contains($0) }) else { return nil }
        var ending = Array(first.name.reversed())
        for part in parts { ending = Array(zip(ending, part.name.reversed()).prefix { $0 == $1 }.map(\.0)) }
        guard let dot = ending.lastIndex(of: ".") else { return nil }
        return ShellWord.path("\(first.folder)*\(String(ending[...dot].reversed()))")
    }
}
