import Tables
import DataGrid
import DataGridSources
import DataGridTerminal
import FieldValues

/// Innermost sections as records of data: the values that their rows share, their number of rows, and their aggregates as plain numbers.
///
/// Outer sections have no record of their own: a reader who adds up a column counts each row once.
struct SectionRecords {
    private let tree: SectionTree
    private let columns: [ColumnID: Column]
    private let records: any Table
    /// A column for each level, one named `count`, and one for each aggregate, such as `sum(quantity)`.
    let fields: [Column]

    /// - Parameters:
    ///   - columns: those of the file.
    ///   - records: where cells are read from that are aggregates.
    init(_ tree: SectionTree, columns: [Column], records: any Table) {
        self.tree = tree
        self.records = records
        let byID = Dictionary(uniqueKeysWithValues: columns.map { ($0.id, $0) })
        self.columns = byID
        let keys = tree.columns.compactMap { byID[$0] }
        let figures = tree.aggregates.map { aggregate in
            let column = byID[aggregate.column]
            let name = "\(aggregate.function.rawValue)(\(column?.title ?? "?"))"
            var field = Column(id: aggregate.column, title: name, kind: Self.kind(of: aggregate.function, column?.kind ?? .text))
            if aggregate.function.isCell, let column { field.notation = column.notation }
            return field
        }
        fields = keys + [Column(id: 0, title: "count", kind: .integer)] + figures
    }

    /// The kind of the values of an aggregate over a column.
    private static func kind(of function: AggregateFunction, _ kind: ValueKind) -> ValueKind {
        switch function {
        case .count, .distinct: .integer
        case .first, .last: kind
        case .sum: .decimal
        case .mean: kind.isTemporal ? kind : .decimal
        case .min, .max: kind == .integer ? .decimal : kind
        }
    }

    /// The indices of the innermost sections.
    var sections: [Int] { (0..<tree.count).filter { tree.level(of: $0) == tree.depth - 1 } }

    /// Writes a record for each of `sections`.
    /// - Parameters:
    ///   - format: made for ``fields``.
    ///   - rows: the rows in their order, to read the keys of a section from its first row; `nil`: its titles are its keys.
    func write(
        _ sections: ArraySlice<Int>, as format: RowFormat, keysFrom rows: RowOrder?, _ notes: inout OutputNotes, _ sink: inout OutputSink
    ) throws {
        var format = format
        format.begin(&sink)
        for section in sections {
            guard sink.isOpen else { return }
            let figures = try tree.aggregates(of: section).map(text)
            let counts = [String(tree.rows(of: section).count)] + figures
            guard let rows else {
                FieldBytes.withFields(of: tree.path(of: section) + counts) { format.row($0, &sink) }
                continue
            }
            let record = rows[tree.rows(of: section).lowerBound].rawValue
            try records.scan(record..<record + 1, columns: tree.columns.map(\.field.rawValue)) { _, keys in
                notes.check(keys, row: record + 1, position: tree.rows(of: section).lowerBound)
                FieldBytes.withFields(of: counts) { figures in
                    (Array(keys) + Array(figures)).withUnsafeBufferPointer { format.row($0, &sink) }
                }
                return true
            }
        }
        format.end(&sink)
    }

    /// What an aggregate comes to, in plain digits, or as the column writes its values; `nil` without a value.
    private func text(_ figure: SectionAggregate) throws -> String? {
        let (value, column) = (figure.value, columns[figure.aggregate.column])
        guard !value.isNaN, let column else { return nil }
        if figure.aggregate.function.isCell {
            var text: String?
            try records.scan(Int(value)..<Int(value) + 1, columns: [column.field.rawValue]) { _, fields in
                text = fields[0].isMissing ? nil : RowFormat.text(fields[0])
                return true
            }
            return text
        }
        let function = figure.aggregate.function
        if column.kind.isTemporal, [.sum, .mean, .min, .max].contains(function) {
            // A sum of dates means nothing.
            return function == .sum ? nil : Int64(exactly: value.rounded()).map { DateText.text(ofMicroseconds: $0, kind: column.kind) }
        }
        if column.kind == .flag, [.min, .max].contains(function) { return value == 0 ? "false" : "true" }
        if let exact = figure.exact { return exact.text }
        return value.magnitude < 0x1p53 && value == value.rounded() ? String(Int64(value)) : "\(value)"
    }
}
