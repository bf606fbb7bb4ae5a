import Foundation

/// A folder that a test fills, and that goes with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("gridview-files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where a file of that name would be.
    func place(_ name: String) -> String { path + "/" + name }

    /// Writes a file and gives its path.
    func file(_ name: String, _ content: String) throws -> String { try file(name, bytes: Array(content.utf8)) }

    func file(_ name: String, bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: place(name)))
        return place(name)
    }

    /// A table of numbered rows: `n,name,value`, the value being unlike its neighbours'.
    func numbered(_ name: String = "numbered.csv", rows: Int) throws -> String {
        var text = "n,name,value\n"
        text.reserveCapacity(rows * 28)
        for row in 1...max(rows, 1) where row <= rows { text += "\(row),name \(row),\(row * 7919 % 10_007)\n" }
        return try file(name, text)
    }
}
