import FieldValues
package import Tables

/// Writes the rows of a table as an Arrow file, in two passes over the table.
///
/// The first pass decides the type of each column by its kind and its values:
///
/// | kind | type |
/// | --- | --- |
/// | integer | int64 |
/// | decimal | decimal128 if all values are exact with at most 9 digits after the point and 38 in total, otherwise double |
/// | date, dateTime, time | date32, timestamp[us] (in UTC if all values end with `Z`), time64[us] |
/// | flag | bool |
/// | text | utf8 |
///
/// A column with a value that does not fit its kind is utf8. So is one with times of more than six digits after the point, and one with
/// text that is not UTF-8 is binary. Missing fields are null, and so are empty fields of columns that are not text.
package struct ArrowWriter {
    private let table: any Table
    private let records: Range<Int>
    private let fields: [Field]
    private var columns: [Column]
    /// The number of bytes written.
    private var offset = 0
    private var blocks: [Int64] = []

    private static let maximumRows = 65_536
    private static let maximumTextBytes = 64 << 20
    private static let maximumScale = 9
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    private enum Kind { case integer, decimal, double, date, dateTime, time, flag, text, binary }

    /// The type of a column, and its values in the current record batch.
    private struct Column {
        var kind: Kind
        var scale = 0
        /// The largest magnitude of the values, times 10^scale.
        var largest: Int128 = 0
        var isUTC = true
        var hasNulls = false

        var validity: [UInt8] = []
        var nulls = 0
        var count = 0
        var values: [UInt8] = []
        var offsets: [Int32] = [0]

        mutating func clear() {
            validity.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
            offsets.removeAll(keepingCapacity: true)
            offsets.append(0)
            (nulls, count) = (0, 0)
        }
    }

    /// Prepares to write some records with the columns of `fields`.
    package init(_ table: any Table, records: Range<Int>, fields: [Field]) {
        (self.table, self.records, self.fields) = (table, records, fields)
        columns = fields.map { field in
            let kind: Kind =
                switch field.kind {
                case .integer: .integer
                case .decimal: .decimal
                case .date: .date
                case .dateTime: .dateTime
                case .time: .time
                case .flag: .flag
                case .text: .text
                }
            return Column(kind: kind)
        }
    }

    /// Writes the file.
    /// - Parameters:
    ///   - shouldContinue: polled for each batch of records; return `false` to cancel.
    ///   - output: receives the bytes in order.
    /// - Returns: `false` if the writer was cancelled.
    /// - Throws: an error of the table or of `output`.
    package mutating func write(while shouldContinue: () -> Bool, to output: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard try decideTypes(shouldContinue) else { return false }
        try put(Array("ARROW1\0\0".utf8), output)
        var builder = FlatBuilder()
        let schema = self.schema(&builder)
        try put(message(&builder, kind: ArrowMessage.schema, header: schema, bodyBytes: 0), output)
        var failure: (any Error)?
        let numbers = fields.map(\.id.rawValue)
        var isCancelled = false
        var rows = 0
        try table.scanBatches(records, columns: numbers) { batch in
            guard shouldContinue() else {
                isCancelled = true
                return false
            }
            do {
                for record in 0..<batch.count {
                    for (index, field) in batch.fields(of: record).enumerated() { add(field, index) }
                    rows += 1
                    let isFull = rows == Self.maximumRows || columns.contains { $0.values.count > Self.maximumTextBytes }
                    if isFull { try putBatch(&rows, output) }
                }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        guard !isCancelled else { return false }
        if rows > 0 { try putBatch(&rows, output) }
        try put([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], output)
        var footer = FlatBuilder()
        let footerSchema = self.schema(&footer)
        let places = footer.structures(blocks, size: 3)
        let root = footer.table([(0, .short(4)), (1, .object(footerSchema)), (3, .object(places))])
        let bytes = footer.finish(root)
        try put(bytes, output)
        try put((0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + ArrowFile.magic, output)
        return true
    }

    private mutating func put(_ bytes: [UInt8], _ output: (UnsafeRawBufferPointer) throws -> Void) throws {
        try bytes.withUnsafeBytes { try output($0) }
        offset += bytes.count
    }

    // MARK: Types

    /// The first pass. Returns `false` if it was cancelled.
    private mutating func decideTypes(_ shouldContinue: () -> Bool) throws -> Bool {
        var isCancelled = false
        try table.scanBatches(records, columns: fields.map(\.id.rawValue)) { batch in
            isCancelled = !shouldContinue()
            guard !isCancelled else { return false }
            for column in columns.indices where columns[column].kind != .binary {
                for record in 0..<batch.count { check(batch[record, column], column) }
            }
            return true
        }
        for index in columns.indices where columns[index].kind == .decimal {
            // All values must have 38 digits at most with the largest scale.
            if columns[index].largest >= ExactDecimal.power(38) { columns[index].kind = .double }
        }
        return !isCancelled
    }

    private mutating func check(_ field: FieldBytes, _ index: Int) {
        if columns[index].kind != .text, !ArrowPrinter.isText(field.bytes) { columns[index].kind = .binary }
        let format = fields[index]
        switch columns[index].kind {
        case .text: if !ArrowPrinter.isText(field.bytes) { columns[index].kind = .binary }
        case .binary: break
        case _ where field.isBlank: columns[index].hasNulls = true
        case .integer: if field.integer(format.notation) == nil { columns[index].kind = .text }
        case .decimal:
            if let exact = field.exactDecimal(format.notation), exact.digits <= Self.maximumScale {
                widen(&columns[index], exact)
            } else {
                columns[index].kind = .double
                fallthrough
            }
        case .double: if field.decimal(format.notation) == nil { columns[index].kind = .text }
        case .date, .dateTime, .time:
            if field.temporal(format.kind, format.dateNotation) == nil || Self.hasNanoseconds(field) { columns[index].kind = .text }
            if field.bytes.last != UInt8(ascii: "Z") { columns[index].isUTC = false }
        case .flag: if field.flag() == nil { columns[index].kind = .text }
        }
    }

    /// Widens the scale and the largest magnitude of a column for a value.
    private func widen(_ column: inout Column, _ value: ExactDecimal) {
        let limit = ExactDecimal.power(38)
        if value.digits > column.scale {
            column.largest = ExactDecimal.scaled(column.largest, by: value.digits - column.scale) ?? limit
            column.scale = value.digits
        }
        let magnitude = value.mantissa == .min ? limit : abs(value.mantissa)
        column.largest = min(limit, max(column.largest, ExactDecimal.scaled(magnitude, by: column.scale - value.digits) ?? limit))
    }

    /// True if a time has more than six digits after the point.
    private static func hasNanoseconds(_ field: FieldBytes) -> Bool {
        guard let point = field.bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return field.bytes[(point + 1)...].prefix { (0x30...0x39).contains($0) }.count > 6
    }

    private func schema(_ builder: inout FlatBuilder) -> Int {
        var positions: [Int] = []
        for (field, column) in zip(fields, columns) {
            let (code, type): (UInt8, Int)
            switch column.kind {
            case .integer: (code, type) = (2, builder.table([(0, .int(64)), (1, .byte(1))]))
            case .double: (code, type) = (3, builder.table([(0, .short(2))]))
            case .binary: (code, type) = (4, builder.table([]))
            case .text: (code, type) = (5, builder.table([]))
            case .flag: (code, type) = (6, builder.table([]))
            case .decimal: (code, type) = (7, builder.table([(0, .int(38)), (1, .int(Int32(column.scale))), (2, .int(128))]))
            case .date: (code, type) = (8, builder.table([(0, .short(0))]))
            case .time: (code, type) = (9, builder.table([(0, .short(2)), (1, .int(64))]))
            case .dateTime where column.isUTC:
                let zone = builder.text("UTC")
                (code, type) = (10, builder.table([(0, .short(2)), (1, .object(zone))]))
            case .dateTime: (code, type) = (10, builder.table([(0, .short(2))]))
            }
            let name = builder.text(field.name)
            let children = builder.objects([])
            positions.append(
                builder.table([
                    (0, .object(name)), (1, .byte(1)), (2, .byte(code)), (3, .object(type)), (5, .object(children)),
                ]))
        }
        let list = builder.objects(positions)
        return builder.table([(0, .short(0)), (1, .object(list))])
    }

    /// The bytes of a message before its body.
    private func message(_ builder: inout FlatBuilder, kind: UInt8, header: Int, bodyBytes: Int) -> [UInt8] {
        let root = builder.table([(0, .short(4)), (1, .byte(kind)), (2, .object(header)), (3, .long(Int64(bodyBytes)))])
        let metadata = builder.finish(root)
        return [0xFF, 0xFF, 0xFF, 0xFF] + (0..<4).map { UInt8(truncatingIfNeeded: metadata.count >> (8 * $0)) } + metadata
    }

    // MARK: Values

    private mutating func add(_ field: FieldBytes, _ index: Int) {
        let format = fields[index]
        if columns[index].count % 8 == 0 { columns[index].validity.append(0) }
        let kind = columns[index].kind
        let isText = kind == .text || kind == .binary
        if isText ? !field.isMissing : !field.isBlank {
            columns[index].validity[columns[index].count / 8] |= 1 << UInt8(columns[index].count % 8)
        } else {
            columns[index].nulls += 1
        }
        // Empty fields have no value, so they are written as zeros.
        switch kind {
        case .integer: put(field.integer(format.notation) ?? 0, &columns[index])
        case .double: put((field.decimal(format.notation) ?? 0).bitPattern, &columns[index])
        case .decimal:
            let exact = field.exactDecimal(format.notation) ?? ExactDecimal(0)
            put(ExactDecimal.scaled(exact.mantissa, by: columns[index].scale - exact.digits) ?? 0, &columns[index])
        case .date:
            let day = ValueText.floorDivide(field.temporal(.date, format.dateNotation) ?? 0, Self.microsecondsPerDay).quotient
            put(Int32(truncatingIfNeeded: day), &columns[index])
        case .dateTime, .time: put(field.temporal(format.kind, format.dateNotation) ?? 0, &columns[index])
        case .flag:
            if columns[index].count % 8 == 0 { columns[index].values.append(0) }
            if field.flag() == true { columns[index].values[columns[index].count / 8] |= 1 << UInt8(columns[index].count % 8) }
        case .text, .binary:
            columns[index].values.append(contentsOf: field.bytes)
            // A batch ends after 64 MiB of text, and a field has less than 2 GiB.
            columns[index].offsets.append(Int32(clamping: columns[index].values.count))
        }
        columns[index].count += 1
    }

    private func put(_ number: some FixedWidthInteger, _ column: inout Column) {
        withUnsafeBytes(of: number.littleEndian) { column.values.append(contentsOf: $0) }
    }

    private mutating func putBatch(_ rows: inout Int, _ output: (UnsafeRawBufferPointer) throws -> Void) throws {
        var (nodes, buffers) = ([Int64](), [Int64]())
        var length = 0
        func place(_ count: Int) {
            buffers += [Int64(length), Int64(count)]
            length += (count + 7) / 8 * 8
        }
        for column in columns {
            nodes += [Int64(rows), Int64(column.nulls)]
            place(column.nulls == 0 ? 0 : column.validity.count)
            if column.kind == .text || column.kind == .binary { place(column.offsets.count * 4) }
            place(column.values.count)
        }
        var builder = FlatBuilder()
        let nodeList = builder.structures(nodes, size: 2)
        let bufferList = builder.structures(buffers, size: 2)
        let header = builder.table([(0, .long(Int64(rows))), (1, .object(nodeList)), (2, .object(bufferList))])
        let start = offset
        let metadata = message(&builder, kind: ArrowMessage.recordBatch, header: header, bodyBytes: length)
        blocks += [Int64(start), Int64(metadata.count), Int64(length)]
        try put(metadata, output)
        for index in columns.indices {
            if columns[index].nulls > 0 { try putPadded(columns[index].validity, output) }
            if columns[index].kind == .text || columns[index].kind == .binary {
                try columns[index].offsets.withUnsafeBytes { try output($0) }
                offset += columns[index].offsets.count * 4
                try putPadded([], output)
            }
            try putPadded(columns[index].values, output)
            columns[index].clear()
        }
        rows = 0
    }

    /// Writes bytes, and zeros up to a multiple of 8.
    private mutating func putPadded(_ bytes: [UInt8], _ output: (UnsafeRawBufferPointer) throws -> Void) throws {
        try put(bytes, output)
        let rest = (8 - offset % 8) % 8
        if rest > 0 { try put([UInt8](repeating: 0, count: rest), output) }
    }
}
