public import DataGrid

/// The content that an export writes to a file.
public enum ExportContent: Equatable, Sendable {
    /// All rows of the view.
    case view
    /// The selected cells.
    case selection(CopiedCells)
    /// The groups without their rows. Used if all groups are collapsed.
    case groups
    /// The values of a column with their counts.
    case values(FrequentValues)
}

/// A request to write content of a sheet to a file.
public struct ExportRequest: Equatable, Sendable {
    /// The path as typed.
    var path: String
    var format: FileFormat
    var content: ExportContent
    /// True to make formulas in CSV and TSV harmless for spreadsheets.
    var escapesFormulas = false
    /// True to replace an existing file; false to refuse.
    var replacesFile = false
}

/// The reason why an export has not started.
public enum ExportRefusal: Equatable, Sendable {
    /// A file with this name exists. Repeating the request replaces it.
    case fileExists(String)
    /// The user exports to the open file with this name. Repeating the request replaces it.
    case fileIsOpen(String)
    /// The file cannot be written. The string has the reason.
    case failed(String)
    /// The rows are still being read, filtered or sorted.
    case mustWait

    /// - Parameter acceptKey: the key that repeats the request.
    func message(acceptKey: String) -> Message {
        switch self {
        case .fileExists(let name): .fileExists(name, acceptKey: acceptKey)
        case .fileIsOpen(let name): .fileIsOpen(name, acceptKey: acceptKey)
        case .failed(let reason): .notExported(reason)
        case .mustWait: .cannotExportYet
        }
    }
}

extension OutputFormat {
    /// The usual suffix of file names in this format, without the dot.
    var suffix: String {
        switch self {
        case .text: "txt"
        case .markdown: "md"
        default: rawValue
        }
    }
}
