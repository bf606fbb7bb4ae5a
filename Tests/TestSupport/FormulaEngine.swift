import Foundation

/// A helper whose tables are computed by formulas, so that they can have any number of rows. It is a Python program, which describes its
/// tables in its first comment.
public enum FormulaEngine {
    /// The path of the helper.
    public static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("FormulaEngine/gridview-engine").path

    /// The connection URL of a table.
    /// - Parameters:
    ///   - table: `trades`, `uncounted` or `heap`.
    ///   - rows: the number of rows, a multiple of 8.
    public static func url(_ table: String = "trades", rows: Int) -> String { "postgres://formula/\(rows)/\(table)" }

    /// Puts a program and the helper into a folder, because a program starts the helper beside it.
    /// - Returns: The path of the program.
    public static func install(with program: String, in folder: TemporaryFolder) throws -> String {
        let files = FileManager.default
        let place = folder.path(of: "gridview")
        // A symbolic link would lead the program to its own folder.
        do { try files.linkItem(atPath: program, toPath: place) } catch { try files.copyItem(atPath: program, toPath: place) }
        try files.createSymbolicLink(atPath: folder.path(of: "gridview-engine"), withDestinationPath: path)
        return place
    }
}
