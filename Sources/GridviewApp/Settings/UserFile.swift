/// The files and folders that the program reads and writes for the user: settings, themes and saved views.
public enum UserFile {
    /// The result of reading a file.
    public enum Contents: Equatable, Sendable {
        /// The bytes of the file.
        case bytes([UInt8])
        /// The file does not exist.
        case missing
        /// The file cannot be read. The string is the error message of the system.
        case failed(String)
        /// The file is larger than the limit.
        case tooLong
    }

    /// The maximum size of a settings file or a theme file in bytes.
    public static let byteLimit = 1 << 20

    /// Reads a regular file of at most `limit` bytes. Rejects devices and pipes, because reading them may never end.
    public static func read(_ path: String, limit: Int = byteLimit) -> Contents { Platform.readFile(path, limit: limit) }

    /// The folder for settings: `$XDG_CONFIG_HOME/gridview` or `~/.config/gridview`. Relative paths are ignored, as the XDG Base Directory
    /// Specification requires.
    /// - Parameter environment: returns the value of an environment variable; `nil` if it is not set.
    public static func folder(environment: (_ name: String) -> String?) -> String? {
        if let config = environment("XDG_CONFIG_HOME"), config.hasPrefix("/") { return config + "/gridview" }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.config/gridview"
    }

    /// The folder for data that the program keeps between runs: `$XDG_STATE_HOME/gridview` or `~/.local/state/gridview`. Relative paths are
    /// ignored.
    /// - Returns: The existing folder `base`, and the names of the nested folders below it, which the program may create.
    static func stateFolder(stateHome: String?, home: String?) -> (base: String, folders: [String])? {
        if let stateHome, stateHome.hasPrefix("/") {
            // The folder `$XDG_STATE_HOME` itself may be created, as the XDG Base Directory Specification requires.
            let parts = stateHome.split(separator: "/").map(String.init)
            return ("/" + parts.dropLast().joined(separator: "/"), parts.suffix(1) + ["gridview"])
        }
        guard let home, home.hasPrefix("/") else { return nil }
        return (home, [".local", "state", "gridview"])
    }
}
