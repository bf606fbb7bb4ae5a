/// Finds distinct names for sheets, so that the user can tell them apart.
enum SheetNames {
    /// The names of inputs. Equal names get as many folders in front as needed to make them distinct, as in `2024/sales.csv`.
    ///
    /// Inputs with equal paths, or without a path, get numbers: `sales.csv (2)`. O(folders of a path × total length of the paths).
    static func distinctNames(_ inputs: [(name: String, path: String?)]) -> [String] {
        var names = inputs.map(\.name)
        for equal in Dictionary(grouping: inputs.indices, by: { inputs[$0].name }).values where equal.count > 1 {
            let paths = equal.map { folders(of: inputs[$0].path ?? "", name: inputs[$0].name) }
            func pathSuffixes(_ depth: Int) -> [ArraySlice<Substring>] { paths.map { $0.suffix(depth) } }
            let (longest, different) = (paths.map(\.count).max() ?? 0, Set(paths).count)
            let depth = (0...longest).first { Set(pathSuffixes($0)).count == different } ?? longest
            for (index, end) in zip(equal, pathSuffixes(depth)) {
                names[index] = (end + [Substring(inputs[index].name)]).joined(separator: "/")
            }
        }
        var used: Set<String> = []
        var numbers: [String: Int] = [:]
        for (index, name) in names.enumerated() where !used.insert(name).inserted {
            var number = numbers[name] ?? 1
            repeat { number += 1 } while !used.insert("\(name) (\(number))").inserted
            numbers[name] = number
            names[index] = "\(name) (\(number))"
        }
        return names
    }

    /// The folders that contain a file, from the outermost. For a table in a database, the database counts as the innermost folder.
    private static func folders(of path: String, name: String) -> [Substring] {
        // The name of a pattern contains folders.
        let isEnd = path == name || path.hasSuffix("/" + name)
        var folders = (isEnd ? path.dropLast(name.count) : path[...]).split(separator: "/").filter { $0 != "." }
        if isEnd { return folders }
        guard let last = folders.popLast() else { return [] }
        if let query = last.firstIndex(of: "?") { return folders + [last[..<query]] }
        return last.hasSuffix(":" + name) ? folders + [last.dropLast(name.count + 1)] : folders
    }
}

extension AppState {
    /// Distinct names of all sheets, in the order of the sheets.
    var sheetNames: [String] { SheetNames.distinctNames(sheets.map { ($0.document.name, path(of: $0)) }) }

    /// The path or connection URL of a sheet. A sheet that has neither uses the path of the sheet from which it was opened. `nil` for a
    /// pipe.
    private func path(of sheet: SheetState) -> String? {
        sheet.document.location ?? sheet.path ?? sheets.first { $0.id == sheet.originID }.flatMap { path(of: $0) }
    }
}
