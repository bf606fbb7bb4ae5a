import Foundation

/// A folder that a test fills, and that goes with it.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes a folder that nobody else has.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("gridview-files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where a file of that name would be.
    public func place(_ name: String) -> String { path + "/" + name }

    /// Writes a file and gives its path.
    public func file(_ name: String, _ content: String) throws -> String { try file(name, bytes: Array(content.utf8)) }

    /// Writes a file and gives its path.
    public func file(_ name: String, bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: place(name)))
        return place(name)
    }
}
