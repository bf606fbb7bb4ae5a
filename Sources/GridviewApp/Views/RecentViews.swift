/// Stores the last view of each file, in a folder that only this user can read.
///
/// The name of a stored view is a hash of the absolute path of its file, so that the folder does not reveal the names of files.
public struct RecentViews: Sendable {
    /// The maximum number of stored views. Saving another one removes the oldest.
    public static let countLimit = 200

    /// The absolute path of the folder.
    public let folder: String

    /// Uses the views in this folder. Reads and writes nothing before they are needed.
    public init(folder: String) { self.folder = folder }

    /// Uses the folder `views` in ``UserFile/stateFolder(stateHome:home:)``. Returns `nil` if the environment does not name such a folder.
    /// - Parameter environment: returns the value of an environment variable; `nil` if it is not set.
    public init?(environment: (_ name: String) -> String?) {
        guard let state = UserFile.stateFolder(stateHome: environment("XDG_STATE_HOME"), home: environment("HOME")) else { return nil }
        folder = ([state.base] + state.folders + ["views"]).joined(separator: "/")
    }

    /// The path at which the view of a file is or would be stored; `nil` if the file does not exist.
    func entryPath(for path: String) -> String? {
        guard let absolute = try? Platform.resolvedPath(path) else { return nil }
        return "\(folder)/\(Self.name(of: absolute))"
    }

    /// True if a view is stored at this path. It must be a regular file, not a symbolic link.
    static func exists(_ entry: String) -> Bool { (try? Platform.status(entry, followsLink: false))?.kind == .regular }

    /// Stores the view of a file and discards its earlier view, then removes the oldest views beyond the limit. Does nothing if the folder
    /// cannot be written.
    func save(_ bytes: [UInt8], for path: String) {
        guard bytes.count <= ViewCoding.byteLimit, let entry = entryPath(for: path), Platform.createPrivateFolder(folder) else { return }
        let temporary = "\(entry).\(Platform.processID)"
        Platform.removeFile(temporary)
        guard let file = try? Platform.createFile(temporary, permissions: 0o600) else { return }
        let failure = Platform.writeAll(bytes, to: file)
        Platform.closeFile(file)
        if failure != nil || (try? Platform.renameFile(temporary, to: entry, replacesFile: true)) == nil {
            return Platform.removeFile(temporary)
        }
        let entries = Platform.files(inFolder: folder).filter { $0.name.prefix(32).allSatisfy(\.isHexDigit) && $0.name.count >= 32 }
        for old in entries.sorted(by: { ($0.modificationTime, $0.name) > ($1.modificationTime, $1.name) }).dropFirst(Self.countLimit) {
            Platform.removeFile("\(folder)/\(old.name)")
        }
    }

    /// A hash of a path, as 32 hexadecimal digits: FNV-1a (Fowler, Noll, Vo), computed with two initial values.
    private static func name(of path: String) -> String {
        let hashes = [0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15].map { (start: UInt64) in
            path.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return hashes.map { hash in
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
