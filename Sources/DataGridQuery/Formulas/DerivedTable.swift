public import FieldValues
public import Tables

/// The derived fields of a query, compiled once and used for all snapshots of a table.
public struct CompiledDerivedFields: Sendable {
    /// The definitions of the fields. Their IDs are consecutive from `FieldID.firstDerived`.
    public let definitions: [DerivedField]
    /// The fields of the table, which the formulas can use.
    fileprivate let fields: [Field]
    fileprivate let programs: [FormulaProgram]
    /// The precision of the numbers of each field.
    fileprivate let precisions: [NumberPrecision]
    /// A hash of the definitions and of the notations that their arguments are read with. It identifies cached results.
    fileprivate let identity: Int
    /// The maximum length of a computed text in bytes.
    package var textByteLimit = FormulaScratch.defaultTextByteLimit

    /// Compiles derived fields. A field can use the fields before it. O(fields of the table).
    /// - Parameters:
    ///   - definitions: the new fields. Their IDs must be consecutive from `FieldID.firstDerived`.
    ///   - schema: the fields of the table. Derived fields in it are ignored.
    public init(_ definitions: [DerivedField], schema: Schema) {
        self.definitions = definitions
        fields = schema.fields.filter { !$0.id.isDerived }
        let fullSchema = Schema(fields + definitions.map(\.field))
        programs = definitions.map { FormulaProgram($0.formula, fullSchema) }
        let integers = Set(fields.filter { $0.kind == .integer }.map(\.id))
        var precisions: [NumberPrecision] = []
        for (definition, program) in zip(definitions, programs) {
            precisions.append(program.type == .number ? NumberPrecision(definition.formula, integers, precisions) : .exact)
        }
        self.precisions = precisions
        var hasher = Hasher()
        hasher.combine(definitions)
        hasher.combine(fields)
        identity = hasher.finalize()
    }
}

/// The precision of the numbers that a formula computes.
private struct NumberPrecision {
    /// True if numbers are quotients.
    var hasQuotients = false
    /// The columns whose numbers can be results without a change.
    var copiedColumns: Set<Int> = []
    /// The columns that arithmetic functions use for each result.
    var operandColumns: Set<Int> = []
    /// True if all results are integers, provided that the columns of integers have no other numbers.
    var isWhole = false

    static let exact = NumberPrecision()

    private init() {}

    /// - Parameters:
    ///   - integers: the columns of integers.
    ///   - earlier: the precisions of the derived fields that the formula can use. They are not computed again, because each field can use
    ///     the previous one several times.
    init(_ formula: Formula, _ integers: Set<FieldID>, _ earlier: [NumberPrecision]) {
        switch formula {
        case .field(let id) where id.isDerived:
            let index = id.rawValue - FieldID.firstDerived.rawValue
            if earlier.indices.contains(index) { self = earlier[index] }
        case .field(let id): (copiedColumns, isWhole) = ([id.rawValue], integers.contains(id))
        case .call(.add, let arguments), .call(.subtract, let arguments), .call(.multiply, let arguments), .call(.divide, let arguments),
            .call(.negate, let arguments), .call(.abs, let arguments):
            add(arguments, integers, earlier)
            operandColumns.formUnion(copiedColumns)
            copiedColumns = []
            if case .call(.divide, _) = formula { (hasQuotients, isWhole) = (true, false) }
        case .call(.coalesce, let arguments): addBranches(arguments, integers, earlier)
        case .call(.conditional, let arguments): addBranches(Array(arguments.dropFirst()), integers, earlier)
        case .constant(.number(let number)): isWhole = number.digits == 0
        // All other functions have exact results.
        case .call(.round, let arguments): isWhole = arguments.count == 1
        case .call(.floor, _), .call(.ceil, _), .call(.length, _), .call(.days, _), .call(.year, _), .call(.month, _), .call(.day, _),
            .call(.weekday, _), .call(.hour, _), .call(.minute, _):
            isWhole = true
        case .constant, .call: break
        }
    }

    /// Adds the precisions of the branches of `if` or the arguments of `coalesce`. One of them is the result, which may be a copy of a
    /// column.
    private mutating func addBranches(_ branches: [Formula], _ integers: Set<FieldID>, _ earlier: [NumberPrecision]) {
        add(branches, integers, earlier)
        copiedColumns.formUnion(operandColumns)
        operandColumns = []
    }

    private mutating func add(_ arguments: [Formula], _ integers: Set<FieldID>, _ earlier: [NumberPrecision]) {
        isWhole = true
        for argument in arguments {
            let more = NumberPrecision(argument, integers, earlier)
            hasQuotients = hasQuotients || more.hasQuotients
            isWhole = isWhole && more.isWhole
            copiedColumns.formUnion(more.copiedColumns)
            operandColumns.formUnion(more.operandColumns)
        }
    }
}

/// A table that adds derived fields to a base table and computes them row by row.
///
/// Derived fields are bytes like other fields, so the same code sorts, filters, groups, searches and counts all fields. The column number
/// of a derived field is the raw value of its `FieldID`, from `FieldID.firstDerived`. ``columnCount`` does not include derived fields.
/// Reading throws the errors of the base table.
public struct DerivedTable: Table {
    /// The table without derived fields.
    public let base: any Table
    private let derivation: CompiledDerivedFields
    /// The derived fields.
    public var definitions: [DerivedField] { derivation.definitions }
    /// The fields of the base table, with the kinds and notations that the formulas read.
    package var baseFields: [Field] { derivation.fields }
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
    /// As in the base table; `nil` for derived columns.
    public func keyPath(ofColumn column: Int) -> [String]? { Self.isDerived(column) ? nil : base.keyPath(ofColumn: column) }
    /// For a derived column, true if it has values from JSON text. Other columns are as in the base table.
    public func hasTypedStrings(inColumn column: Int) -> Bool {
        guard Self.isDerived(column) else { return base.hasTypedStrings(inColumn: column) }
        let index = column - FieldID.firstDerived.rawValue
        return programs.indices.contains(index) && programs[index].isJSONValue
    }
    /// As in the base table, unless a derived field is a value in JSON text. False for derived columns.
    public func hasTypedValues(inColumn column: Int) -> Bool {
        column < columnCount && base.hasTypedValues(inColumn: column) && !hasNestedValues
    }
    /// As in the base table; `nil` for derived columns.
    public func timesHaveZone(inColumn column: Int) -> Bool? { Self.isDerived(column) ? nil : base.timesHaveZone(inColumn: column) }
    /// As in the base table. A derived column has computed numbers if its formula divides, or computes with floating-point numbers. It has
    /// computed integers if its formula uses only integers and functions whose results are integers.
    public func numberStorage(ofColumn column: Int) -> NumberStorage? {
        guard Self.isDerived(column) else { return base.numberStorage(ofColumn: column) }
        let index = column - FieldID.firstDerived.rawValue
        guard derivation.precisions.indices.contains(index) else { return nil }
        let precision = derivation.precisions[index]
        if precision.operandColumns.contains(where: hasFloatingPointNumbers) { return .computedDouble }
        if precision.hasQuotients || precision.copiedColumns.contains(where: hasFloatingPointNumbers) { return .computed }
        return precision.isWhole ? .computedInteger : nil
    }

    private func hasFloatingPointNumbers(inColumn column: Int) -> Bool {
        switch base.numberStorage(ofColumn: column) {
        case .double, .float, .computed, .computedDouble: true
        case .eachValue, .computedInteger, .knownInSomeFiles, nil: false
        }
    }
    /// The columns of the base table that are read for the requested columns. O(requested columns + arguments).
    package func columnsRead(for columns: [Int]) -> [Int] { Plan(columns, programs, readsNested: false).read }
    /// The nested columns of the base table.
    public var nestedColumns: [NestedColumn] { base.nestedColumns }
    /// As in the base table.
    public func sampleStart(near record: Int) -> Int { base.sampleStart(near: record) }
    /// As in the base table.
    public func availableRecords(in records: Range<Int>) -> Range<Int> { base.availableRecords(in: records) }

    /// An identifier of the content, for caches. It changes with the base table, the definitions, and the notations of their arguments.
    public var contentID: Int? {
        base.contentID.map { id in
            var hasher = Hasher()
            hasher.combine(id)
            hasher.combine(derivation.identity)
            return hasher.finalize()
        }
    }

    /// True for the column of a derived field, and for its additional column of JSON values, if it has one.
    fileprivate static func isDerived(_ column: Int) -> Bool { FieldID(rawValue: column).isDerived }

    /// True if the base table stores all of `columns`. A nested column counts only if the base table has nested values. O(columns).
    private func isStored(_ columns: [Int]) -> Bool {
        if columns.contains(where: Self.isDerived) { return false }
        return !columns.contains { $0 >= FieldID.firstNestedColumn } || base.hasNestedValues
            || columns.allSatisfy {
                $0 < FieldID.firstNestedColumn || hasTypedValues(inColumn: $0 - FieldID.firstNestedColumn)
            }
    }

    /// True if the base table has values in one of the nested columns among `columns`.
    private func readsNested(_ columns: [Int]) -> Bool {
        // Check the requested columns first, because a wide table must examine all of its columns to know if it has nested values.
        let nested = columns.filter { $0 >= FieldID.firstNestedColumn && !Self.isDerived($0) }
        return !nested.isEmpty && (base.hasNestedValues || nested.contains { hasTypedValues(inColumn: $0 - FieldID.firstNestedColumn) })
    }

    /// Reads the columns of the base table that are requested or that derived fields need, and computes the derived fields.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard !isStored(columns) else { return try base.scan(records, columns: columns, body) }
        try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
    }

    /// Passes `required` on to the base table, which then skips records without these bytes. If a derived field is requested, its text may
    /// have the bytes, so no record is skipped.
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
        // The base table polls `shouldContinue` while it waits for records, so a slow input can be cancelled.
        var evaluator = evaluator(columns)
        try base.scan(records, columns: evaluator.plan.read, holding: RequiredBytes(), while: shouldContinue) { record, fields in
            evaluator.evaluate(fields)
            return evaluator.longFieldIndex == nil && evaluator.fields.withUnsafeBufferPointer { body(record, $0) }
        }
        try check(evaluator)
    }

    /// Reads batches of the base table, with the columns that are requested or that derived fields need, and computes the derived fields.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        guard !isStored(columns) else { return try base.scanBatches(records, columns: columns, body) }
        var evaluator = evaluator(columns)
        try base.scanBatches(records, columns: evaluator.plan.read) { batch in
            var record = 0
            while record < batch.count {
                let first = record
                record = evaluator.evaluate(batch, from: first)
                guard evaluator.longFieldIndex == nil else { return false }
                let continues = evaluator.fields.withUnsafeBufferPointer { fields in
                    guard let start = fields.baseAddress else { return true }
                    return body(
                        FieldBatch(firstRecord: batch.firstRecord + first, count: record - first, width: columns.count, fields: start))
                }
                guard continues else { return false }
            }
            return true
        }
        try check(evaluator)
    }

    /// The column of the field that the formula of a derived field cannot read in a record, see ``FormulaProgram/unreadableArgument(_:)``.
    /// `nil` for other columns, and if the formula can read all fields.
    func unreadableArgument(ofColumn column: Int, inRecord record: Int) throws -> Int? {
        let index = column - FieldID.firstDerived.rawValue
        guard programs.indices.contains(index) else { return nil }
        let program = programs[index]
        var argument: Int?
        var scratch = FormulaScratch()
        var buffer: [UInt8] = []
        try scan(record..<record + 1, columns: program.columns) { _, fields in
            argument = program.unreadableArgument(fields, &scratch, &buffer)
            return false
        }
        return argument.map { program.columns[$0] }
    }

    /// Collects the cut fields of the base table, including those that only derived fields read.
    public func recordingCuts(in cuts: CutFields) -> any Table { DerivedTable(base.recordingCuts(in: cuts), derivation) }

    // MARK: Writing

    /// Passes lines of the base table unchanged. Lines do not contain derived fields. If a derived field is requested, the fields are
    /// therefore scanned instead.
    public func scanLines(
        _ records: Range<Int>, columns: [Int], delimiter: UInt8?, lines: (_ batch: LineBatch) -> Bool, fields: (_ batch: FieldBatch) -> Bool
    ) throws {
        if columns.contains(where: Self.isDerived) {
            try scanBatches(records, columns: columns, fields)
        } else {
            try base.scanLines(records, columns: columns, delimiter: delimiter, lines: lines, fields: fields)
        }
    }

    /// Passes a missing field for each derived field, because the file has no title for it.
    public func scanHeader(columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        try base.scanHeader(columns: columns.map { Self.isDerived($0) ? -1 : $0 }, body)
    }

    // MARK: Frames

    private var derivedColumns: [Int] { derivation.definitions.map(\.field.id.rawValue) }

    /// Adds the derived fields to the records. Very long records are not read completely for display, so their derived fields are missing.
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

    /// Adds the derived fields to the records that the base table returns without waiting.
    public func recordsWithoutWaiting(_ range: Range<Int>, maximumFieldBytes: Int) throws -> [Record?] {
        try base.recordsWithoutWaiting(range, maximumFieldBytes: maximumFieldBytes).map { record in
            try record.map { try completed($0, maximumFieldBytes: maximumFieldBytes) }
        }
    }

    /// Adds the derived fields, unless the record is too long to be read for display.
    public func completed(_ record: Record, maximumFieldBytes: Int) throws -> Record {
        var record = record
        guard !record.isTruncated else { return record }
        try scan(record, columns: derivedColumns) { fields in
            record.derivedFields = fields.map { RecordField($0, maximumBytes: maximumFieldBytes) }
        }
        return record
    }

    /// Computes the derived fields of a record. The record may have no number, because it is not in the index yet.
    public func scan(_ record: Record, columns: [Int], _ body: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Void) throws {
        var evaluator = evaluator(columns)
        try base.scan(record, columns: evaluator.plan.read) { fields in
            withUnsafePointer(to: FieldBytes.missing) { none in
                _ = evaluator.evaluate(
                    FieldBatch(firstRecord: 0, count: 1, width: fields.count, fields: fields.baseAddress ?? none), from: 0)
            }
            if evaluator.longFieldIndex == nil { evaluator.fields.withUnsafeBufferPointer(body) }
        }
        try check(evaluator)
    }

    /// The record of the base table, read as needed. Its derived fields are available when the end of the record has been found, because
    /// their formulas may use any field.
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
        Evaluator(columns, programs, readsNested: readsNested(columns), textByteLimit: derivation.textByteLimit)
    }

    /// - Throws: ``LongTextError`` if a computed text was too long.
    private func check(_ evaluator: Evaluator) throws {
        guard let field = evaluator.longFieldIndex else { return }
        throw LongTextError(column: definitions[field].field.name, byteLimit: derivation.textByteLimit)
    }

    /// Computes the requested fields of records, from the columns that were read.
    private struct Evaluator {
        let plan: Plan
        /// The requested fields of the last batch, record after record.
        private(set) var fields: [FieldBytes] = []
        private let programs: [FormulaProgram]
        private let arena = StableByteArena()
        private var scratch: FormulaScratch
        /// The index of the first derived field with a text that is too long. The fields of its record are not complete.
        private(set) var longFieldIndex: Int?
        private var value: [UInt8] = []
        // For ``FormulaProgram/unreadableArgument(_:_:_:)``.
        private var readableScratch: FormulaScratch
        private var readableValue: [UInt8] = []
        private var arguments: [FieldBytes] = []
        private var row: [FieldBytes]
        private let constants = StableByteArena()

        /// The number of computed bytes after which a batch ends. The texts of all records of a batch of the base table could need much
        /// memory.
        private static let batchByteLimit = 16 << 20

        /// - Parameter readsNested: true to read nested columns of the base table; false if it has no nested values, so that their fields
        ///   are missing.
        init(_ columns: [Int], _ programs: [FormulaProgram], readsNested: Bool, textByteLimit: Int) {
            plan = Plan(columns, programs, readsNested: readsNested)
            scratch = FormulaScratch(textByteLimit: textByteLimit)
            readableScratch = scratch
            self.programs = programs
            row = [FieldBytes](repeating: .missing, count: plan.width)
            for number in plan.derived.indices where plan.arguments[number].isEmpty { compute(number, in: constants) }
        }

        /// Computes ``fields`` for records of a batch of the columns in ``Plan/read``. They are valid until the next call.
        /// - Parameter first: the index of the first record in the batch.
        /// - Returns: the end of the records, which may be before the end of the batch.
        mutating func evaluate(_ batch: FieldBatch, from first: Int) -> Int {
            removeAll()
            if plan.arguments.allSatisfy(\.isEmpty), longFieldIndex == nil {
                copyFields(batch, from: first)
                return batch.count
            }
            var record = first
            while record < batch.count, longFieldIndex == nil, arena.byteCount < Self.batchByteLimit {
                for index in plan.read.indices { row[index] = batch[record, index] }
                appendFields()
                record += 1
            }
            return record
        }

        /// Computes ``fields`` for one record with the columns in ``Plan/read``. They are valid until the next call.
        mutating func evaluate(_ read: UnsafeBufferPointer<FieldBytes>) {
            removeAll()
            for index in plan.read.indices { row[index] = read[index] }
            appendFields()
        }

        /// Copies the requested fields of a batch to ``fields``. All derived fields are constants, whose values are in ``row``.
        private mutating func copyFields(_ batch: FieldBatch, from first: Int) {
            let (width, count) = (plan.requested.count, batch.count - first)
            fields = [FieldBytes](unsafeUninitializedCapacity: width * count) { fields, initializedCount in
                for (column, index) in plan.requested.enumerated() {
                    for record in 0..<count {
                        let field = index < plan.read.count ? batch[first + record, index] : row[index]
                        fields.initializeElement(at: record * width + column, to: field)
                    }
                }
                initializedCount = width * count
            }
        }

        private mutating func removeAll() {
            arena.removeAll()
            fields.removeAll(keepingCapacity: true)
        }

        /// Computes the derived fields of the current record, ``row``, and appends the requested fields to ``fields``.
        private mutating func appendFields() {
            for number in plan.derived.indices where !plan.arguments[number].isEmpty { compute(number, in: arena) }
            for index in plan.requested { fields.append(row[index]) }
        }

        /// Computes one derived field of ``row``. If it is a value from JSON text, also computes its JSON value. The JSON value of a string
        /// is missing, because its text is sufficient. If no value was found, the JSON value is `null`.
        private mutating func compute(_ number: Int, in arena: StableByteArena) {
            let index = plan.derived[number]
            var hasUnreadableArgument = false
            arguments.removeAll(keepingCapacity: true)
            for index in plan.arguments[number] { arguments.append(row[index]) }
            value.removeAll(keepingCapacity: true)
            // Without the pointer, the program would be copied, and its arrays retained, for each field.
            programs.withUnsafeBufferPointer { programs in
                arguments.withUnsafeBufferPointer {
                    programs[index].append($0, &scratch, to: &value)
                    if value.isEmpty {
                        hasUnreadableArgument = programs[index].unreadableArgument($0, &readableScratch, &readableValue) != nil
                    }
                }
            }
            if scratch.hasLongText, longFieldIndex == nil { longFieldIndex = index }
            let field = hasUnreadableArgument ? FieldBytes.unreadableResult : arena.copy(value)
            row[plan.read.count + number] = field
            guard programs[index].isJSONValue else { return }
            row[plan.read.count + plan.derived.count + number] =
                scratch.isString ? .missing : value.isEmpty ? NestedNull.field(levels: 0) : field
        }

    }

    /// The columns to read and to compute, and the positions of the requested columns among them.
    private struct Plan {
        /// The columns of the base table to read.
        var read: [Int] = []
        /// The derived fields to compute, as indices in the list of programs. A field comes after the derived fields that it uses.
        var derived: [Int] = []
        /// For each derived field, the positions of its arguments in a row. A row has the fields of `read`, then the fields of `derived`.
        var arguments: [[Int]] = []
        /// The position in a row of each requested column. After `derived`, a row has the JSON value of each derived field, and one missing
        /// field for columns that do not exist.
        var requested: [Int] = []
        /// The number of fields in a row.
        var width: Int { read.count + 2 * derived.count + 1 }

        /// O(requested columns + arguments).
        init(_ columns: [Int], _ programs: [FormulaProgram], readsNested: Bool) {
            /// The index of a column in `read`, or of a derived column in `derived`.
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
            /// True for the additional column with the JSON values of a derived field.
            func isNestedDerived(_ column: Int) -> Bool { DerivedTable.isDerived(column - FieldID.firstNestedColumn) }
            for column in columns {
                if isNestedDerived(column) {
                    add(column - FieldID.firstNestedColumn, &self)
                } else if DerivedTable.isDerived(column) || column < FieldID.firstNestedColumn || readsNested {
                    add(column, &self)
                }
            }
            let (read, derived, last) = (read, derived, width - 1)
            func rowIndex(_ column: Int) -> Int {
                guard !isNestedDerived(column) else {
                    return indices[column - FieldID.firstNestedColumn].map { read.count + derived.count + $0 } ?? last
                }
                guard let index = indices[column] else { return last }
                return DerivedTable.isDerived(column) ? read.count + index : index
            }
            arguments = derived.map { programs[$0].columns.map(rowIndex) }
            requested = columns.map(rowIndex)
        }
    }
}

/// A record whose derived fields are computed when its end has been found.
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

    mutating func scan(bytes: Int, progress: (Int) -> Bool) throws {
        try base.scan(bytes: bytes, progress: progress)
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

extension FieldBytes {
    /// The empty result of a formula that cannot read an argument although it may be meant as a value, such as `7x`. Only aggregates
    /// distinguish it from other empty fields.
    static var unreadableResult: FieldBytes { FieldBytes(start: unreadableStart, count: 0) }

    var isUnreadableResult: Bool { start == Self.unreadableStart }

    /// An address that no other field has.
    nonisolated(unsafe) private static let unreadableStart: UnsafePointer<UInt8> = {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
        bytes.initialize(repeating: 0, count: 64)
        return UnsafePointer(bytes)
    }()
}

/// Memory for the bytes of computed fields. Their addresses do not change until all bytes are removed.
private final class StableByteArena {
    private var slabs: [UnsafeMutableBufferPointer<UInt8>] = []
    /// The index of the slab that is being filled, and the number of its used bytes.
    private var (slabIndex, usedCount) = (0, 0)
    /// The number of bytes in the memory.
    private(set) var byteCount = 0
    private static let slabSize = 1 << 18

    deinit { for slab in slabs { slab.deallocate() } }

    /// Removes all bytes. The memory is kept for the next batch.
    func removeAll() { (slabIndex, usedCount, byteCount) = (0, 0, 0) }

    /// Copies bytes and returns them as a field. O(bytes).
    func copy(_ bytes: [UInt8]) -> FieldBytes {
        while slabIndex < slabs.count, slabs[slabIndex].count - usedCount < bytes.count { (slabIndex, usedCount) = (slabIndex + 1, 0) }
        if slabIndex == slabs.count { slabs.append(.allocate(capacity: max(Self.slabSize, bytes.count))) }
        let start = slabs[slabIndex].baseAddress! + usedCount
        bytes.withUnsafeBufferPointer { if let from = $0.baseAddress { start.update(from: from, count: bytes.count) } }
        usedCount += bytes.count
        byteCount += bytes.count
        return FieldBytes(start: start, count: bytes.count)
    }
}

extension Table {
    /// The columnar table that stores all of `columns`; `nil` if a column is computed, or if the table is not columnar.
    package func columnar(storing columns: [Int]) -> (any ColumnarTable)? {
        guard let derived = self as? DerivedTable else { return self as? any ColumnarTable }
        return columns.contains(where: DerivedTable.isDerived) ? nil : derived.base.columnar(storing: columns)
    }
}
