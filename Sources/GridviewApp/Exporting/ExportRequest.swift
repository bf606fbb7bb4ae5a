public import DataGrid

/// The part of a sheet that an export writes.
public enum ExportContent: Equatable, Sendable {
    /// All rows of the view.
    case view
    /// The selected cells.
    case selection(CopiedCells)
    /// The groups, without their rows; used if all groups are collapsed.
    case groups
    /// Values of a column with their counts.
    case values(FrequentValues)
}

/// A request to write a part of a sheet to a file.
public struct ExportRequest: Equatable, Sendable {
    /// The path as typed.
    var path: String
    var format: FileFormat
    var content: ExportContent
    /// True to neutralize formulas in CSV and TSV.
    var escapesFormulas = false
    /// True to replace an existing file.
    var replaces = false
}

/// The reason why an export has not started.
public enum ExportRefusal: Equatable, Sendable {
    /// A file with this name exists. Repeating the request replaces it.
    case fileExists(String)
    /// The file with this name is open. Repeating the request replaces it.
    case fileIsOpen(String)
    /// The file cannot be written, for this reason.
    case failed(String)
    /// The rows are still being read, filtered or sorted.
    case waits

    /// - Parameter accept: the key that confirms.
    func message(accept: String) -> Message {
        switch self {
        case .fileExists(let name): .fileExists(name, accept: accept)
        case .fileIsOpen(let name): .fileIsOpen(name, accept: accept)
        case .failed(let reason): .notExported(reason)
        case .waits: .exportWaits
        }
    }
}

extension OutputFormat {
    /// The usual suffix of file names.
    var suffix: String {
        switch self {
        case .text: "txt"
        case .markdown: "md"
        default: rawValue
        }
    }
}
