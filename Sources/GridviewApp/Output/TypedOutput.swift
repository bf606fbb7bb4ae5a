import DataGrid
import DataGridSources
import FieldValues
import Tables

/// Writes rows as a typed file such as Parquet. The types of its columns come from `WrittenTypes`, which must have seen all rows before.
struct TypedOutput {
    let format: any WritableFormat
    let fields: [Field]
    /// The name of the table, which some formats store.
    let table: String

    init(_ format: any WritableFormat, columns: [Column], table: String) {
        (self.format, self.table) = (format, RowFormat.tableName(table))
        fields = columns.map {
            Field($0.field, name: $0.title, kind: $0.kind, notation: $0.notation, dateNotation: $0.dateNotation)
        }
    }

    /// Writes the file.
    /// - Parameters:
    ///   - columns: the names and types of the file's columns, which `WrittenTypes` has decided.
    ///   - fields: the fields of the columns.
    ///   - reasons: for each column, the reason why its numbers are written as text; `nil` if it has no such numbers.
    ///   - rows: appends all rows that `WrittenTypes` has seen.
    /// - Returns: The columns whose numbers are text.
    /// - Throws: `TableError`, and the errors of `rows`.
    func write(
        _ columns: [WrittenColumn], fields: [Field], reasons: [TextReason?], rowCount: Int, to sink: inout OutputSink,
        _ rows: (RowBatcher) throws -> Void
    ) throws -> [TextColumn] {
        guard !columns.isEmpty else { throw RequestError("There are no columns to write.") }
        let target = SinkHolder(sink)
        defer { sink = target.sink }
        var reasons = reasons
        do {
            var writer = try format.makeWriter(columns, rowCount: rowCount, table: table) { try target.write($0) }
            let batcher = RowBatcher(columns, fields: fields) { try writer.write($0) }
            try rows(batcher)
            try batcher.finish()
            try writer.finish()
            for index in writer.columnsWithTextNumbers { reasons[index] = .inexactFormat }
        } catch is SinkHolder.Closed {
            // Ignore this error, because the sink has stored its reason: the reader has closed the pipe, the job was cancelled, or a write
            // has failed.
        }
        return zip(columns, reasons).compactMap { column, reason in reason.map { TextColumn(name: column.name, reason: $0) } }
    }

    /// Writes records in two passes: the first pass detects the types of their fields, the second one writes them.
    /// - Parameters:
    ///   - declared: the types of the columns that their text does not show, one for each column; empty for none.
    ///   - forEachRecord: calls its argument for each record, until the argument returns `false`. It is called once for each pass.
    /// - Returns: The columns whose numbers are text.
    func write(
        declared: [DeclaredType?] = [], rowCount: Int, to sink: inout OutputSink,
        records forEachRecord: ((UnsafeBufferPointer<FieldBytes>) throws -> Bool) throws -> Void
    ) throws -> [TextColumn] {
        var types = WrittenTypes(
            fields, declared: declared, hasExactDecimals: format.hasExactDecimals, keepsNumericTimes: format.storesTimesAsText)
        try forEachRecord {
            types.add($0)
            return true
        }
        return try write(types.columns, fields: fields, reasons: types.textReasons, rowCount: rowCount, to: &sink) { batcher in
            try forEachRecord {
                try batcher.append($0)
                return true
            }
        }
    }
}

/// A column whose numbers are text in a typed file.
struct TextColumn {
    let name: String
    let reason: TextReason
}

/// Holds a sink in an object, because an escaping closure cannot capture an `inout` parameter.
private final class SinkHolder {
    /// The error that stops writing when the sink is closed or a write has failed.
    struct Closed: Error {}

    private(set) var sink: OutputSink

    init(_ sink: OutputSink) { self.sink = sink }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard sink.isOpen else { throw Closed() }
        sink.write(utf8: bytes)
    }
}

/// Detects the types of the columns from rows. Writes nothing.
struct TypeFinder: RowWriter {
    private(set) var types: WrittenTypes
    private(set) var notes: OutputNotes
    /// The number of examined rows.
    private(set) var rowCount = 0
    let cells: SelectedCells

    init(_ types: WrittenTypes, notes: OutputNotes, cells: SelectedCells) { (self.types, self.notes, self.cells) = (types, notes, cells) }

    var lineDelimiter: UInt8? { nil }

    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink) {
        rowCount += 1
        cells.withFields(fields, at: position) {
            types.add($0, position: position)
            notes.check(UnsafeBufferPointer(rebasing: $0.prefix(types.columnCount)), record: record, position: position)
        }
    }

    mutating func merge(_ other: TypeFinder) {
        types.merge(other.types)
        rowCount += other.rowCount
        notes.merge(other.notes)
    }
}

/// Stores the fields of rows as their lengths and bytes. ``PackedRow`` reads them again.
struct FieldPacker: RowWriter {
    let cells: SelectedCells

    var lineDelimiter: UInt8? { nil }

    mutating func write(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int, position: Int, to sink: inout OutputSink) {
        cells.withFields(fields, at: position) { fields in
            for field in fields {
                if field.isMissing {
                    sink.write(byte: PackedRow.missingMarker)
                } else if field.count < Int(PackedRow.longFieldMarker) {
                    sink.write(byte: UInt8(field.count))
                } else {
                    sink.write(byte: PackedRow.longFieldMarker)
                    withUnsafeBytes(of: field.count) { sink.write(utf8: $0) }
                }
                sink.write(utf8: field.bytes)
            }
        }
    }

    mutating func merge(_ other: FieldPacker) {}
}

/// Restores the fields of rows that ``FieldPacker`` has written.
struct PackedRow {
    /// The byte that stands for a missing field. No length or text follows.
    static let missingMarker = UInt8.max
    /// The byte before the length of a long field, which follows in eight bytes.
    static let longFieldMarker = UInt8.max - 1

    private var fields: [FieldBytes]

    init(width: Int) { fields = Array(repeating: .missing, count: width) }

    mutating func withFields<Result>(
        of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<FieldBytes>) throws -> Result
    ) rethrows -> Result {
        var offset = 0
        for index in fields.indices {
            let length = text[offset]
            offset += 1
            guard length != Self.missingMarker else {
                fields[index] = .missing
                continue
            }
            var count = Int(length)
            if length == Self.longFieldMarker {
                count = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: offset, as: Int.self)
                offset += MemoryLayout<Int>.size
            }
            fields[index] = FieldBytes(start: text.baseAddress.map { $0 + offset }, count: count)
            offset += count
        }
        return try fields.withUnsafeBufferPointer(body)
    }
}

/// Selects the cells to write in each row. All other cells are written as missing.
struct SelectedCells: Sendable {
    /// The cells to write; `nil` for all cells.
    private let cells: CopiedCells?
    /// The indices of the columns that have a second field in each row, for values from JSON.
    private let secondFields: [Int]

    init(_ cells: CopiedCells?, secondFields: [Int] = []) {
        (self.cells, self.secondFields) = (cells?.containsAllCells == false ? cells : nil, secondFields)
    }

    /// True if all cells of the rows are written.
    var containsAll: Bool { cells == nil }

    func withFields(
        _ fields: UnsafeBufferPointer<FieldBytes>, at position: Int, _ body: (UnsafeBufferPointer<FieldBytes>) -> Void
    ) {
        if let cells { cells.withFields(fields, secondFields: secondFields, at: position, body) } else { body(fields) }
    }
}
