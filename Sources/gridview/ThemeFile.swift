import DataGrid
import GridviewApp

/// Reads the user's themes. `--theme` names a file in the themes folder, or has the path of a file.
///
/// Theme files are not trusted: at most `UserFile.byteLimit` bytes are read, and messages about them contain no control characters.
enum ThemeFile {
    /// The theme with this name: a preset, a theme in the themes folder or, if the name has a slash or ends in `.json`, a file.
    /// - Throws: ``UsageError`` with the file, the line and the key, if known.
    static func theme(_ name: String) throws -> Theme {
        if let preset = Theme.preset(named: name) { return preset }
        if name.contains("/") || name.hasSuffix(".json") { return try read(name) }
        guard let folder, userNames.contains(name) else { throw GridviewCommand.unknownValueError("--theme", name, ["auto"] + names) }
        return try read("\(folder)/\(name).json")
    }

    /// The names of all themes: the presets, then the user's themes in alphabetical order.
    static var names: [String] { Theme.presets.map(\.name) + userNames }

    private static var userNames: [String] {
        guard let folder else { return [] }
        return Platform.names(inFolder: folder).filter { $0.hasSuffix(".json") && $0.first != "." }.map { String($0.dropLast(5)) }.sorted()
    }

    private static var folder: String? { UserFile.folder(environment: Platform.environment).map { $0 + "/themes" } }

    private static func read(_ path: String) throws -> Theme {
        let bytes: [UInt8]
        switch UserFile.read(path) {
        case .bytes(let read): bytes = read
        case .missing: throw UsageError("--theme: Cannot read \(path): no such file or directory.")
        case .failed(let reason): throw UsageError("--theme: Cannot read \(path): \(reason).")
        case .tooLong: throw UsageError("--theme: \(path) is not a theme: it is larger than 1 MiB.")
        }
        switch Platform.decode(Theme.self, json: bytes) {
        case .success(let theme): return theme
        case .failure(let error):
            let line = error.line ?? JSONLineFinder.line(of: error.keys, in: bytes)
            let location = [path, line.map { "line \($0)" }, error.keys.isEmpty ? nil : error.keys.joined(separator: ".")]
            throw UsageError("--theme: \(location.compactMap { $0 }.joined(separator: ", ")): \(error.reason).")
        }
    }
}
