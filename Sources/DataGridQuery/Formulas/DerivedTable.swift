public import FieldValues
public import Tables

/// A field that is worked out from others of its row.
public struct DerivedField: Hashable, Sendable {
    /// The field, with the kind of its values.
    public let field: Field
    /// How its values are worked out.
    public let formula: Formula

    /// A field with a formula.
    init(_ field: Field, _ formula: Formula) { (self.field, self.formula) = (field, formula) }

    /// Reads a definition such as `total = price * quantity`.
    /// - Parameters:
    ///   - definition: a name, bare or in double quotes, `=` and a formula.
    ///   - id: names the new field.
    ///   - schema: the fields that the formula may name: those of the table and derived ones before it.
    /// - Throws: ``FilterError`` with the place where the definition cannot be understood.
    public init(_ definition: String, id: FieldID, in schema: Schema) throws(FilterError) {
        let source = FilterSource(definition)
        let token = try source.token(after: 0)
        let name: String
        switch token.kind {
        case .word(let word), .name(let word): name = word
        default: throw FilterError("A name for the new column is expected here, as in total = price * quantity.", at: token.place)
        }
        let sign = try source.token(after: token.place.upperBound)
        guard sign.kind == .symbol("=") else { throw FilterError("“=” is expected behind the name of the new column.", at: sign.place) }
        guard schema.field(named: name)?.name != name else {
            throw FilterError("There is a column “\(name)” already: choose another name.", at: token.place)
        }
        let text = source.text(sign.place.upperBound..<source.scalars.count)
        do {
            formula = try Formula(text, in: schema)
        } catch {
            let shift = sign.place.upperBound
            throw FilterError(error.message, at: error.place.lowerBound + shift..<error.place.upperBound + shift)
        }
        field = Field(id, name: name, kind: formula.kind(in: schema))
    }
}

/// A table with further fields behind its own, worked out from them row by row.
///
/// A derived field is bytes like any other: it is sorted, filtered, grouped, searched and counted by the same code, where it is asked for by its
/// number. That is the number of its `FieldID`, from `FieldID.firstDerived` on; ``columnCount`` does not count it.
public struct DerivedTable: Table {
    private let base: any Table
    private let programs: [FormulaProgram]
    private let definitions: [DerivedField]
    private let fields: [Field]

    /// Adds fields to a table. A field may depend on those before it.
    /// - Parameters:
    ///   - base: the table with the fields that formulas name.
    ///   - definitions: the new fields; their ids follow each other from `FieldID.firstDerived`.
    ///   - schema: the fields of `base`.
    public init(_ base: any Table, _ definitions: [DerivedField], schema: Schema) {
        self.base = base
        self.definitions = definitions
        fields = schema.fields
        let whole = Schema(schema.fields + definitions.map(\.field))
        programs = definitions.map { FormulaProgram($0.formula, whole) }
    }

    /// As many as the table beneath has.
    public var recordCount: Int { base.recordCount }
    /// The columns of the table beneath.
    public var columnCount: Int { base.columnCount }

    /// Differs where the table beneath, a definition, or what the fields are read as does.
    public var contentID: Int? {
        base.contentID.map { id in
            var hasher = Hasher()
            hasher.combine(id)
            hasher.combine(definitions)
            hasher.combine(fields)
            return hasher.finalize()
        }
    }

    private static func isDerived(_ column: Int) -> Bool { FieldID(rawValue: column).isDerived }

    /// Reads the columns that are asked for and those that derived fields need.
    /// - Throws: the error of the table beneath.
    public func scan(
        _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        guard columns.contains(where: Self.isDerived) else { return try base.scan(records, columns: columns, body) }
        try scanBatches(records, columns: columns) { batch in
            for record in 0..<batch.count where !body(batch.first + record, batch.fields(of: record)) { return false }
            return true
        }
    }

    /// Passes on what the table beneath can rule out, unless a derived field may hold the bytes.
    /// - Throws: the error of the table beneath.
    public func scan(
        _ records: Range<Int>, columns: [Int], holding required: RequiredBytes, while isWanted: () -> Bool,
        _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) throws {
        if columns.contains(where: Self.isDerived) {
            try scan(records, columns: columns) { record, fields in isWanted() && body(record, fields) }
        } else {
            try base.scan(records, columns: columns, holding: required, while: isWanted, body)
        }
    }

    /// Reads the columns that are asked for and those that derived fields need, a batch at a time.
    /// - Throws: the error of the table beneath.
    public func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
        guard columns.contains(where: Self.isDerived) else { return try base.scanBatches(records, columns: columns, body) }
        let plan = Plan(columns, programs)
        let arena = FieldArena()
        var scratch = FormulaScratch()
        var value: [UInt8] = []
        var arguments: [FieldBytes] = []
        var row = [FieldBytes](repeating: .missing, count: plan.read.count + plan.derived.count + 1)
        var fields: [FieldBytes] = []
        try base.scanBatches(records, columns: plan.read) { batch in
            arena.removeAll()
            fields.removeAll(keepingCapacity: true)
            for record in 0..<batch.count {
                for place in plan.read.indices { row[place] = batch[record, place] }
                for (number, index) in plan.derived.enumerated() {
                    arguments.removeAll(keepingCapacity: true)
                    for place in plan.arguments[number] { arguments.append(row[place]) }
                    value.removeAll(keepingCapacity: true)
                    arguments.withUnsafeBufferPointer { programs[index].append($0, &scratch, to: &value) }
                    row[plan.read.count + number] = arena.copy(value)
                }
                for place in plan.places { fields.append(row[place]) }
            }
            return fields.withUnsafeBufferPointer { fields in
                guard let start = fields.baseAddress else { return true }
                return body(FieldBatch(first: batch.first, count: batch.count, width: columns.count, fields: start))
            }
        }
    }

    /// What is read and worked out for the columns asked for.
    private struct Plan {
        /// Columns of the table beneath.
        var read: [Int] = []
        /// Derived fields, each after those that it needs.
        var derived: [Int] = []
        /// Where the arguments of each of `derived` stand: in `read`, or behind it in `derived`.
        var arguments: [[Int]] = []
        /// Where the columns asked for stand, in the same way. One behind all stands for a field that is not there.
        var places: [Int] = []

        init(_ columns: [Int], _ programs: [FormulaProgram]) {
            func add(_ column: Int, _ plan: inout Plan) {
                if DerivedTable.isDerived(column) {
                    let index = column - FieldID.firstDerived.rawValue
                    guard !plan.derived.contains(index), programs.indices.contains(index) else { return }
                    for argument in programs[index].columns { add(argument, &plan) }
                    plan.derived.append(index)
                } else if !plan.read.contains(column) {
                    plan.read.append(column)
                }
            }
            for column in columns { add(column, &self) }
            let (read, derived) = (read, derived)
            func place(_ column: Int) -> Int {
                if DerivedTable.isDerived(column) {
                    return derived.firstIndex(of: column - FieldID.firstDerived.rawValue).map { read.count + $0 } ?? read.count
                        + derived.count
                }
                return read.firstIndex(of: column)!
            }
            arguments = derived.map { programs[$0].columns.map(place) }
            places = columns.map(place)
        }
    }
}

/// Bytes that stay where they are until all are removed.
private final class FieldArena {
    private var slabs: [UnsafeMutableBufferPointer<UInt8>] = []
    private var current = 0
    private var used = 0
    private static let slabSize = 1 << 18

    deinit { for slab in slabs { slab.deallocate() } }

    /// Makes room for others, which may take the place of all there are.
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
