public import DataGrid
public import DelimitedText
public import FieldValues

/// A format in which a view is written out.
public enum OutputFormat: String, Sendable, CaseIterable {
    case text, csv, tsv, json, jsonl, markdown
}

/// How one column is asked for: by name, by number, or as a range.
public struct ColumnReference: Hashable, Sendable {
    /// As written: `price`, `#3`, `a..d`.
    public var text: String

    public init(_ text: String) { self.text = text }
}

/// One `--sort` key.
public struct SortRequest: Hashable, Sendable {
    public var column: ColumnReference
    public var isDescending = false
    /// Reads the column as this kind for sorting; `nil`: as its type says.
    public var kind: ValueKind?

    public init(_ column: ColumnReference) { self.column = column }
}

/// One `--aggregate`.
public struct AggregateOption: Hashable, Sendable {
    public var function: AggregateFunction
    public var column: ColumnReference

    public init(_ function: AggregateFunction, _ column: ColumnReference) {
        self.function = function
        self.column = column
    }
}

/// Everything the command line can ask of a view.
public struct LaunchOptions: Sendable {
    /// Files; `-` is standard input.
    public var path: String?
    public var dialect = DialectRequest()
    public var columns: [ColumnReference] = []
    public var hiddenColumns: [ColumnReference] = []
    public var types: [(column: ColumnReference, kind: ValueKind)] = []
    public var formats: [(column: ColumnReference, fractionDigits: Int)] = []
    public var sort: [SortRequest] = []
    public var groups: [ColumnReference] = []
    public var aggregates: [AggregateOption] = []
    public var isCollapsed = false
    public var frozen = FrozenPanes()
    public var find: String?
    public var selectionMode: SelectionMode?
    public var theme: Theme?
    public var usesMouse = true
    /// Rows to write, from 0; `nil`: all.
    public var rows: Range<Int>?
    public var limit: Int?
    public var threads = 2

    public init() {}
}

/// What is wrong with a request, and what to do about it.
public struct RequestError: Error, Sendable, Hashable {
    public var message: String

    public init(_ message: String) { self.message = message }
}
