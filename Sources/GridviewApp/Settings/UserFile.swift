/// Files and folders of the user.
public enum UserFile {
    /// The result of reading a file.
    public enum Contents: Equatable, Sendable {
        /// The content of the file.
        case bytes([UInt8])
        /// The file does not exist.
        case missing
        /// The error message of the system.
        case failed(String)
        /// The file is too long.
        case tooLong
    }

    /// The maximum size of settings and themes in bytes.
    public static let byteLimit = 1 << 20

    /// Reads a regular file of at most `limit` bytes. Devices and pipes are rejected, because they may never end.
    public static func read(_ path: String, limit: Int = byteLimit) -> Contents { Platform.readFile(path, limit: limit) }

    /// `$XDG_CONFIG_HOME/gridview` or `~/.config/gridview`. Relative paths are ignored, as the XDG base directory specification requires.
    /// - Parameter environment: returns the value of a variable; `nil` if it is not set.
    public static func folder(environment: (_ name: String) -> String?) -> String? {
        if let config = environment("XDG_CONFIG_HOME"), config.hasPrefix("/") { return config + "/gridview" }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.config/gridview"
    }

    /// The folder for the state of the program between runs: `$XDG_STATE_HOME/gridview` or `~/.local/state/gridview`. Relative paths are
    /// ignored. The path is in two parts: `base`, a folder of the user, and the names of the folders in it.
    static func stateFolder(stateHome: String?, home: String?) -> (base: String, folders: [String])? {
        if let stateHome, stateHome.hasPrefix("/") {
            // The last folder is created too, as the XDG Base Directory Specification requires.
            let parts = stateHome.split(separator: "/").map(String.init)
            return ("/" + parts.dropLast().joined(separator: "/"), parts.suffix(1) + ["gridview"])
        }
        guard let home, home.hasPrefix("/") else { return nil }
        return (home, [".local", "state", "gridview"])
    }
}
