import DelimitedText
import FieldValues

/// A path with the name of a table, such as `data.db:trades`.
struct TablePath: Equatable {
    /// The path of the file.
    var file: String
    /// The name of the table in the file.
    var table: String

    init(file: String, table: String) { (self.file, self.table) = (file, table) }

    /// Divides a path at the last colon that follows the path of an existing file. The path of the file can therefore contain colons.
    ///
    /// Returns `nil` if there is no such colon, or if the whole path is that of an existing file.
    init?(_ path: String) {
        guard path.utf8.contains(UInt8(ascii: ":")), !BinaryFile.exists(path) else { return nil }
        for colon in path.indices.reversed() where path[colon] == ":" {
            let file = String(path[..<colon])
            if !file.isEmpty, BinaryFile.exists(file) {
                self.init(file: file, table: String(path[path.index(after: colon)...]))
                return
            }
        }
        return nil
    }

    /// The path as text, which opens the table again.
    var text: String { "\(file):\(table)" }
}

/// Chooses a table in a file with several tables.
enum TableChoice {
    /// The maximum number of names in an error message.
    private static let maximumShownNames = 8

    /// Returns the index of the requested table. An exact name has priority over a name that differs in case. If no table is requested,
    /// returns the index of the only table.
    /// - Parameters:
    ///   - table: the requested name; `nil` without a request.
    ///   - names: the names of all tables.
    ///   - kind: the word for a table of this format, such as `sheet`.
    ///   - file: the name of the file.
    /// - Returns: an index of `names`; `nil` to show a list of the tables.
    /// - Throws: ``FormatError`` if no table has the name.
    static func index(of table: String?, among names: [String], kind: String = "table", file: String) throws -> Int? {
        guard let table else { return names.count == 1 ? 0 : nil }
        if let index = names.firstIndex(of: table) { return index }
        let folded = table.lowercased()
        if let index = names.firstIndex(where: { $0.lowercased() == folded }) { return index }
        throw unknownTableError(table, among: names, kind: kind, file: file)
    }

    /// An error that lists the names of the tables, and suggests the most similar one.
    static func unknownTableError(_ table: String, among names: [String], kind: String = "table", file: String) -> FormatError {
        let problem = "\(file) has no \(kind) “\(table)”."
        guard !names.isEmpty else { return FormatError("\(problem) It has no \(kind)s.") }
        let suggestion = Suggestions.closest(table, names).map { " Did you mean “\($0)”?" } ?? ""
        let omitted = names.count - maximumShownNames
        let list = names.prefix(maximumShownNames).joined(separator: ", ") + (omitted > 0 ? " and \(NumberText.count(omitted)) more" : "")
        return FormatError("\(problem)\(suggestion) It has the \(kind)\(names.count == 1 ? "" : "s") \(list).")
    }

    /// The error if a table is requested by name, but the file contains only one table without a name.
    static func onlyTableError(_ table: String, file: String) -> FormatError {
        FormatError("\(file) has only one table. Open it without “\(table)”.")
    }
}
