import Foundation

/// A folder for test files, deleted with this object.
public final class TemporaryFolder: Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates a new folder.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("gridview-files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file with this name.
    public func path(of name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    public func file(_ name: String, _ content: String) throws -> String { try file(name, bytes: Array(content.utf8)) }

    /// Writes a file and returns its path.
    public func file(_ name: String, bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
        return path(of: name)
    }
}
