import DataGrid

/// Themes that people keep in files: `--theme` names one of the themes folder, or a path. Nothing in such a file is trusted: no more than
/// ``byteLimit`` of it is read, and what is said of it goes the way of all messages.
enum ThemeFile {
    /// The most bytes of a file; a theme that sets everything has 5,000.
    static let byteLimit = 1 << 20

    /// The preset of this name, the theme of this name in the themes folder, or, where there is a slash or `.json` in it, that of a file.
    /// - Throws: ``UsageError`` that names the file, the line and the key, as far as they are known.
    static func theme(_ name: String) throws -> Theme {
        if let preset = Theme.preset(named: name) { return preset }
        if name.contains("/") || name.hasSuffix(".json") { return try read(name) }
        guard let folder, own.contains(name) else { throw GridviewCommand.unknown("--theme", name, names) }
        return try read("\(folder)/\(name).json")
    }

    /// What themes are called: the presets, then those of the person in the order of their names.
    static var names: [String] { Theme.presets.map(\.name) + own }

    private static var own: [String] {
        guard let folder else { return [] }
        return Platform.names(inFolder: folder).filter { $0.hasSuffix(".json") && $0.first != "." }.map { String($0.dropLast(5)) }.sorted()
    }

    /// `$XDG_CONFIG_HOME/gridview/themes` or `~/.config/gridview/themes`; relative paths do not count, as the XDG base directory
    /// specification has it.
    private static var folder: String? {
        if let config = Platform.environment("XDG_CONFIG_HOME"), config.hasPrefix("/") { return config + "/gridview/themes" }
        guard let home = Platform.environment("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.config/gridview/themes"
    }

    private static func read(_ path: String) throws -> Theme {
        let bytes: [UInt8]
        switch Platform.read(path, limit: byteLimit) {
        case .bytes(let read): bytes = read
        case .failed(let reason): throw UsageError("--theme: cannot read \(path): \(reason).")
        case .tooLong: throw UsageError("--theme: \(path) is not a theme: it is larger than 1 MiB.")
        }
        switch Platform.decode(Theme.self, json: bytes) {
        case .success(let theme): return theme
        case .failure(let mistake):
            let line = mistake.line ?? JSONPlace.line(of: mistake.keys, in: bytes)
            let place = [path, line.map { "line \($0)" }, mistake.keys.isEmpty ? nil : mistake.keys.joined(separator: ".")]
            throw UsageError("--theme: \(place.compactMap { $0 }.joined(separator: ", ")): \(mistake.reason).")
        }
    }
}
