import FieldValues
import TerminalSurface

/// A file that an export can create or replace.
struct ExportTarget: Sendable {
    /// The path to write. For a symbolic link, this is the path of the link's target, so that the link is kept.
    let path: String
    /// The path as the user typed it.
    let typedPath: String
    let exists: Bool
    /// The permissions of the existing file, which the new file gets; `nil` for a new file.
    let permissions: UInt32?

    /// The last component of the path, for messages.
    var name: String { Self.name(of: path) }
    /// The typed path for messages. If it is wider than 40 terminal cells, its start is left out.
    var shownPath: String {
        let width = 40
        guard DisplayWidth.of(typedPath, limit: width + 1) > width else { return DisplayWidth.printable(typedPath) }
        var (end, used) = ([Character](), 1)
        for character in typedPath.reversed() {
            used += DisplayWidth.of(String(character))
            if used > width { break }
            end.append(character)
        }
        return DisplayWidth.printable("…" + String(end.reversed()))
    }
    /// The path of the folder that contains the file.
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// True if the file exists and the path `other` leads to the same file.
    func isFile(at other: String) -> Bool {
        guard exists, let status = try? Platform.status(path, followsLink: true),
            let open = try? Platform.status(other, followsLink: true)
        else { return false }
        return status.device == open.device && status.inode == open.inode
    }

    /// Checks a typed path. Reads the file system.
    /// - Parameters:
    ///   - text: an absolute path, one that begins with `~/`, or one relative to `folder`.
    ///   - folder: the folder for relative paths; `nil` for the working directory.
    /// - Throws: ``RequestError`` with a remedy if the file cannot be written.
    init(_ text: String, in folder: String? = nil) throws(RequestError) {
        let typed = Self.expandedPath(text, in: folder)
        let name = Self.name(of: typed)
        guard !name.isEmpty else { throw RequestError("No file name. Type one, such as data.csv.") }
        guard typed.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw RequestError("The file name has control characters. Remove them.")
        }
        if typed.hasSuffix("/") { throw RequestError("\(name) is a folder. Add a file name.") }
        do {
            var (path, status) = (typed, try Self.status(typed, followsLink: false))
            if status?.kind == .link {
                status = try Self.status(typed, followsLink: true)
                guard status != nil else {
                    throw RequestError("\(name) is a link to a missing file. Remove the link, or choose another name.")
                }
                path = try Platform.resolvedPath(typed)
            }
            switch status?.kind {
            case .folder: throw RequestError("\(name) is a folder. Add a file name.")
            case .link, .other: throw RequestError("\(name) is not a regular file. Choose another name.")
            case .regular where !Platform.isWritable(path): throw RequestError("\(name) is write-protected. Choose another name.")
            case .regular, nil: break
            }
            (self.path, typedPath) = (path, String(text.trimmed))
            (exists, permissions) = (status != nil, status?.permissions)
        } catch let error as RequestError {
            throw error
        } catch let error as SystemError {
            throw RequestError("Cannot write \(name): \(error.reason). Choose another name or folder.")
        } catch {
            throw RequestError("\(error)")
        }
        if !exists { try checkFolder() }
    }

    /// - Throws: ``RequestError`` if the folder of the file does not exist.
    private func checkFolder() throws(RequestError) {
        guard (try? Platform.status(folder, followsLink: true)) == nil else { return }
        throw RequestError("Folder \(Self.name(of: folder)) does not exist. Create it, or choose another one.")
    }

    /// The status of a file; `nil` if it does not exist.
    private static func status(_ path: String, followsLink: Bool) throws(SystemError) -> FileStatus? {
        do {
            return try Platform.status(path, followsLink: followsLink)
        } catch {
            if error.meansMissingFile { return nil }
            throw error
        }
    }

    private static func expandedPath(_ text: String, in folder: String?) -> String {
        let text = String(text.trimmed)
        if text == "~" || text.hasPrefix("~/"), let home = Platform.environment("HOME") { return home + text.dropFirst() }
        guard let folder, !text.isEmpty, !text.hasPrefix("/") else { return text }
        return folder + "/" + text
    }

    /// The last component of a path, for messages.
    static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return DisplayWidth.printable(Message.name(name, width: 32))
    }
}
