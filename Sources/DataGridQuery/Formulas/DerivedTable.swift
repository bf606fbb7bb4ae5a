public import FieldValues
public import Tables

/// Compiled derived fields, which can be computed for any snapshot of a table.
public struct CompiledDerivedFields: Sendable {
    /// The derived fields. Their IDs are consecutive from `FieldID.firstDerived`.
    public let definitions: [DerivedField]
    fileprivate let programs: [FormulaProgram]
    /// A hash of the definitions and of how their fields are read.
    fileprivate let identity: Int

    /// Compiles derived fields. A field can use the fields before it. O(fields of the table).
    /// - Parameters:
    ///   - definitions: the new fields. Their IDs are consecutive from `FieldID.firstDerived`.
    ///   - schema: the fields of the table. Derived fields in it are ignored.
    public init(_ definitions: [DerivedField], schema: Schema) {
        self.definitions = definitions
        let fields = schema.fields.filter { !$0.id.isDerived }
        let fullSchema = Schema(fields + definitions.map(\.field))
        programs = definitions.map { FormulaProgram($0.formula, fullSchema) }
        var hasher = Hasher()
        hasher.combine(definitions)
        hasher.combine(fields)
        identity = hasher.finalize()
    }
}

/// A table that adds derived fields to a base table and computes them row by row.
///
/// Derived fields are bytes like others, so the same code sorts, filters, groups, searches and counts them. Their column numbers are the
/// raw values of their `FieldID`s, from `FieldID.firstDerived`. ``columnCount`` does not include them. Reading throws the errors of the
/// base table.
public struct DerivedTable: Table {
    /// The table with the fields of the input.
    public let base: any Table
    private let derivation: CompiledDerivedFields
    /// The derived fields.
    public var definitions: [DerivedField] { derivation.definitions }
    private var programs: [FormulaProgram] { derivation.programs }

    /// Creates a table with derived fields. O(1).
    public init(_ base: any Table, _ derivation: CompiledDerivedFields) { (self.base, self.derivation) = (base, derivation) }

    /// The number of records of the base table.
    public var recordCount: Int { base.recordCount }
    /// The number of columns of the base table.
    public var columnCount: Int { base.columnCount }
    /// The columns of the base table, then the derived columns.
    public var allColumns: [Int] { base.allColumns + programs.indices.map { FieldID.firstDerived.rawValue + $0 } }
    /// True if the base table is complete.
    public var isComplete: Bool { base.isComplete }
    /// The mean record size of the base table.
    public var meanRecordBytes: Int { base.meanRecordBytes }
    /// As in the base table.
    public var isSequential: Bool { base.isSequential }
    /// As in the base table.
    public func areInOneSection(_ records: Range<Int>) -> Bool { base.areInOneSection(records) }
    /// True if the base table has nested values, or if a derived field is a value in JSON text.
    public var hasNestedValues: Bool { base.hasNestedValues || programs.contains(where: \.isJSONValue) }
    /// As in the base table.
    public var isJSON: Bool { base.isJSON }
    /// True for the values in JSON text. The text of other derived columns has no type. Other columns are as in the base table.
    public func hasTypedStrings(inColumn column: Int) -> Bool {
        guard Self.isDerived(column) else { return base.hasTypedStrings(inColumn: column) }
        let index = column - FieldID.firstDerived.rawValue
        return programs.indices.contains(index) && programs[index].isJSONValue
    }
    /// The nested columns of the base table.
    public var nestedColumns: [NestedColumn] { base.nestedColumns }
    /// The start of the sample in the base table.
    public func sampleStart(near record: Int) -> Int { base.sampleStart(near: record) }
    /// As in the base table.
    public func availableRecords(in records: Range<Int>) -> Range<Int> { base.availableRecords(in: records) }

    /// An identifier of the content. It changes with the base table, the definitions, and how fields are read.
    public var contentID: Int? {
        base.contentID.map { id in
            var hasher = Hasher()
            hasher.combine(id)
            hasher.combine(derivation.identity)
            return hasher.finalize()
        }
    }

    /// True for derived columns and for their additional columns with JSON values.
    fileprivate static func isDerived(_ column: Int) -> Bool { FieldID(rawValue: column).isDerived }

    /// True if the base table has the columns. It has nested columns only if it has nested values. O(columns).
    private func isStored(_ columns: [Int]) -> Bool {
        if columns.contains(where: Self.isDerived) { return false }
        return !columns.contains { $0 >= FieldID.firstNested } || base.hasNestedValues
    }

    /// Reads the requested columns and the columns that derived fields need.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard !isStored(columns) else { return try base.scan(records, columns: columns, body) }
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    /// Passes `required` to the base table, unless a derived field may contain the bytes.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while shouldContinue: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard !isStored(columns) else {
            return try base.scan(records, columns: columns, holding: required, while: shouldContinue, body)
        }
        guard base.isSequential else {
            return try scan(records, columns: columns) { record, fields in shouldContinue() && body(record, fields) }
        }
        // The base table polls `shouldContinue` while it waits for records.
        var evaluator = evaluator(columns)
        try base.scan(records, columns: evaluator.plan.read, holding: RequiredBytes(), while: shouldContinue) { record, fields in
            evaluator.evaluate(fields)
            return evaluator.fields.withUnsafeBufferPointer { body(record, $0) }
        }
    }

    /// Reads the requested columns and the columns that derived fields need, in batches.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        guard !isStored(columns) else { return try base.scanBatches(records, columns: columns, body) }
        var evaluator = evaluator(columns)
        try base.scanBatches(records, columns: evaluator.plan.read) { batch in
            evaluator.evaluate(batch)
            return evaluator.fields.withUnsafeBufferPointer { fields in
                guard let start = fields.baseAddress else { return true }
                return body(FieldBatch(first: batch.first, count: batch.count, width: columns.count, fields: start))
            }
        }
    }

    // MARK: Writing

    /// Passes lines of the base table, unless a derived field is requested.
    public func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        if columns.contains(where: Self.isDerived) {
            try scanBatches(records, columns: columns, fields)
        } else {
            try base.scanLines(records, columns: columns, delimiter: delimiter, lines: lines, fields: fields)
        }
    }

    /// Derived fields have no title in the file.
    public func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        try base.scanHeader(columns: columns.map { Self.isDerived($0) ? -1 : $0 }, body)
    }

    // MARK: Frames

    private var derivedColumns: [Int] { derivation.definitions.map(\.field.id.rawValue) }

    /// Adds the derived fields, except for very long records, which are not read completely for display.
    public func records(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record] {
        var records = try base.records(range, maximumFieldBytes: maximumFieldBytes)
        var start = 0
        while start < records.count {
            let end = records[start...].firstIndex(where: \.isTruncated) ?? records.count
            try scan(range.lowerBound + start..<range.lowerBound + end, columns: derivedColumns) { record, fields in
                records[record - range.lowerBound].derivedFields = fields.map { RecordField($0, maximumBytes: maximumFieldBytes) }
                return true
            }
            start = end + 1
        }
        return records
    }

    /// Adds the derived fields to the records that are available without waiting.
    public func recordsAtHand(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
        try base.recordsAtHand(range, maximumFieldBytes: maximumFieldBytes).map { record in
            try record.map { try completed($0, maximumFieldBytes: maximumFieldBytes) }
        }
    }

    /// Adds the derived fields, unless the record is very long.
    public func completed(_ record: Record, maximumFieldBytes: Int) throws -> Record {
        var record = record
        guard !record.isTruncated else { return record }
        try scan(record, columns: derivedColumns) { fields in
            record.derivedFields = fields.map { RecordField($0, maximumBytes: maximumFieldBytes) }
        }
        return record
    }

    /// Computes the derived fields of a record that may have no number.
    public func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        var evaluator = evaluator(columns)
        try base.scan(record, columns: evaluator.plan.read) { fields in
            withUnsafePointer(to: FieldBytes.missing) { none in
                evaluator.evaluate(FieldBatch(first: 0, count: 1, width: fields.count, fields: fields.baseAddress ?? none))
            }
            evaluator.fields.withUnsafeBufferPointer(body)
        }
    }

    /// The record of the base table. Its derived fields are available when its end has been found.
    public func lazyRecord(_ record: Record, number: Int?) throws -> any LazyRecord {
        try DerivedRecord(base.lazyRecord(record, number: number)) {
            var texts: [Int: String] = [:]
            func addTexts(_ fields: UnsafeBufferPointer<FieldBytes>) {
                for (column, field) in zip(derivedColumns, fields) { texts[column] = String(decoding: field.bytes, as: UTF8.self) }
            }
            guard let number else {
                try scan(record, columns: derivedColumns, addTexts)
                return texts
            }
            try scan(number..<number + 1, columns: derivedColumns) { _, fields in
                addTexts(fields)
                return true
            }
            return texts
        }
    }

    // MARK: Computing

    private func evaluator(_ columns: [Int]) -> Evaluator {
        // A wide table examines all of its columns to know if it has nested values.
        let needsNested = columns.contains { $0 >= FieldID.firstNested && !Self.isDerived($0) }
        return Evaluator(columns, programs, readsNested: needsNested && base.hasNestedValues)
    }

    /// Computes the fields of batches.
    private struct Evaluator {
        let plan: Plan
        /// The fields of the last batch, record by record.
        private(set) var fields: [FieldBytes] = []
        private let programs: [FormulaProgram]
        private let arena = StableByteArena()
        private var scratch = FormulaScratch()
        private var value: [UInt8] = []
        private var arguments: [FieldBytes] = []
        private var row: [FieldBytes]
        private let constants = StableByteArena()

        /// - Parameter readsNested: true to read nested columns of the base table. Otherwise, their fields are missing.
        init(_ columns: [Int], _ programs: [FormulaProgram], readsNested: Bool) {
            plan = Plan(columns, programs, readsNested: readsNested)
            self.programs = programs
            row = [FieldBytes](repeating: .missing, count: plan.width)
            for number in plan.derived.indices where plan.arguments[number].isEmpty { compute(number, in: constants) }
        }

        /// Computes ``fields`` for a batch of the columns to read. They are valid until the next batch.
        mutating func evaluate(_ batch: FieldBatch) {
            removeAll()
            for record in 0..<batch.count {
                for place in plan.read.indices { row[place] = batch[record, place] }
                appendFields()
            }
        }

        /// Computes ``fields`` for one record. They are valid until the next record.
        mutating func evaluate(_ read: UnsafeBufferPointer<FieldBytes>) {
            removeAll()
            for place in plan.read.indices { row[place] = read[place] }
            appendFields()
        }

        private mutating func removeAll() {
            arena.removeAll()
            fields.removeAll(keepingCapacity: true)
        }

        /// Computes the derived fields of ``row``, and appends its requested fields.
        private mutating func appendFields() {
            for number in plan.derived.indices where !plan.arguments[number].isEmpty { compute(number, in: arena) }
            for place in plan.requested { fields.append(row[place]) }
        }

        /// Computes a derived field of ``row`` and, for a value in JSON text, its JSON value: missing for a string, `null` for no value.
        private mutating func compute(_ number: Int, in arena: StableByteArena) {
            let index = plan.derived[number]
            arguments.removeAll(keepingCapacity: true)
            for place in plan.arguments[number] { arguments.append(row[place]) }
            value.removeAll(keepingCapacity: true)
            arguments.withUnsafeBufferPointer { programs[index].append($0, &scratch, to: &value) }
            let field = arena.copy(value)
            row[plan.read.count + number] = field
            guard programs[index].isJSONValue else { return }
            row[plan.read.count + plan.derived.count + number] = scratch.isString ? .missing : value.isEmpty ? Self.null : field
        }

        private static let nullText: StaticString = "null"
        private static var null: FieldBytes { FieldBytes(start: nullText.utf8Start, count: nullText.utf8CodeUnitCount) }
    }

    /// The columns to read and to compute for the requested columns.
    private struct Plan {
        /// The columns of the base table to read.
        var read: [Int] = []
        /// The derived fields to compute, each after the derived fields that it needs.
        var derived: [Int] = []
        /// The positions of the arguments of each of `derived`: indices in `read`, followed by `derived`.
        var arguments: [[Int]] = []
        /// The positions of the requested columns, in the same numbering. Then follow the JSON values of each of `derived`, except strings,
        /// and a missing field.
        var requested: [Int] = []
        /// The number of positions.
        var width: Int { read.count + 2 * derived.count + 1 }

        /// O(requested columns + arguments).
        init(_ columns: [Int], _ programs: [FormulaProgram], readsNested: Bool) {
            /// The index of each column in `read`, and of each derived column in `derived`.
            var indices: [Int: Int] = [:]
            func add(_ column: Int, _ plan: inout Plan) {
                guard indices[column] == nil else { return }
                if DerivedTable.isDerived(column) {
                    let index = column - FieldID.firstDerived.rawValue
                    guard programs.indices.contains(index) else { return }
                    for argument in programs[index].columns { add(argument, &plan) }
                    indices[column] = plan.derived.count
                    plan.derived.append(index)
                } else {
                    indices[column] = plan.read.count
                    plan.read.append(column)
                }
            }
            /// True for the JSON values of a derived column.
            func isNestedDerived(_ column: Int) -> Bool { DerivedTable.isDerived(column - FieldID.firstNested) }
            for column in columns {
                if isNestedDerived(column) {
                    add(column - FieldID.firstNested, &self)
                } else if DerivedTable.isDerived(column) || column < FieldID.firstNested || readsNested {
                    add(column, &self)
                }
            }
            let (read, derived, last) = (read, derived, width - 1)
            func place(_ column: Int) -> Int {
                guard !isNestedDerived(column) else {
                    return indices[column - FieldID.firstNested].map { read.count + derived.count + $0 } ?? last
                }
                guard let index = indices[column] else { return last }
                return DerivedTable.isDerived(column) ? read.count + index : index
            }
            arguments = derived.map { programs[$0].columns.map(place) }
            requested = columns.map(place)
        }
    }
}

/// A record with derived fields, which are computed when its end is known.
private struct DerivedRecord: LazyRecord {
    private var base: any LazyRecord
    private var derived: WholeRecord?
    private let compute: @Sendable () throws -> [Int: String]

    init(_ base: any LazyRecord, _ compute: @escaping @Sendable () throws -> [Int: String]) throws {
        (self.base, self.compute) = (base, compute)
        if base.isComplete { derived = WholeRecord(try compute()) }
    }

    var isComplete: Bool { base.isComplete }
    var byteLimit: Int { base.byteLimit }
    var pieceBytes: Int { base.pieceBytes }

    mutating func map(bytes: Int, progress: (Int) -> Bool) throws {
        try base.map(bytes: bytes, progress: progress)
        if base.isComplete, derived == nil { derived = WholeRecord(try compute()) }
    }

    func field(_ number: Int) throws -> LazyField? {
        FieldID(rawValue: number).isDerived ? derived?.field(number) : try base.field(number)
    }

    func isNull(_ number: Int) -> Bool { base.isNull(number) }

    func text(of field: LazyField, piece: Int) throws -> String {
        if FieldID(rawValue: field.number).isDerived { return derived?.text(of: field, piece: piece) ?? "" }
        return try base.text(of: field, piece: piece)
    }
}

/// Memory for bytes whose addresses are stable until all are removed.
private final class StableByteArena {
    private var slabs: [UnsafeMutableBufferPointer<UInt8>] = []
    private var current = 0
    private var used = 0
    private static let slabSize = 1 << 18

    deinit { for slab in slabs { slab.deallocate() } }

    /// Removes all bytes and keeps the memory.
    func removeAll() { (current, used) = (0, 0) }

    /// A copy of the bytes. O(bytes).
    func copy(_ bytes: [UInt8]) -> FieldBytes {
        while current < slabs.count, slabs[current].count - used < bytes.count { (current, used) = (current + 1, 0) }
        if current == slabs.count { slabs.append(.allocate(capacity: max(Self.slabSize, bytes.count))) }
        let start = slabs[current].baseAddress! + used
        bytes.withUnsafeBufferPointer { if let from = $0.baseAddress { start.update(from: from, count: bytes.count) } }
        used += bytes.count
        return FieldBytes(start: start, count: bytes.count)
    }
}

extension Table {
    /// The columnar table that stores all of `columns`; `nil` if one of them is computed, or if the table is not columnar.
    package func columnar(storing columns: [Int]) -> (any ColumnarTable)? {
        guard let derived = self as? DerivedTable else { return self as? any ColumnarTable }
        return columns.contains(where: DerivedTable.isDerived) ? nil : derived.base.columnar(storing: columns)
    }
}
