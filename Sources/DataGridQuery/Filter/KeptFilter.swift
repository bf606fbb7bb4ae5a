import Tables
import FieldValues

/// A condition on columns that are kept: it is decided without reading the table.
///
/// Numbers and times are compared as they are in their vectors; what else is asked of one column is asked once of each of its different
/// fields.
struct KeptFilter {
    private indirect enum Test {
        case all([Test]), any([Test]), not(Test)
        case compare(ValueVector, digits: Int, isTemporal: Bool, FilterComparison, FilterNumber)
        case isOneOf(CodeVector, [Bool])
    }

    private let test: Test

    /// `nil` when more is asked than the kept columns tell.
    init?(_ expression: FilterExpression, of table: any Table, store: ColumnStore?) {
        guard let store, let test = Self.test(expression, table, store) else { return nil }
        self.test = test
    }

    /// Whether each of the slots of `range`, which lie in one block, fulfils the condition.
    /// - Complexity: O(slots × comparisons).
    func holds(in range: Range<Int>) throws -> [Bool] { try Self.holds(test, range) }

    // MARK: Preparing

    private static func test(_ expression: FilterExpression, _ table: any Table, _ store: ColumnStore) -> Test? {
        func tests(_ parts: [FilterExpression]) -> [Test]? {
            let tests = parts.compactMap { test($0, table, store) }
            return tests.count == parts.count ? tests : nil
        }
        switch expression {
        case .all(let parts): return tests(parts).map { .all($0) }
        case .any(let parts): return tests(parts).map { .any($0) }
        case .not(let part): return test(part, table, store).map { .not($0) }
        case .compare(.column(let column, let reading), let comparison, .literal(let number)):
            let key = ColumnStore.Key(column: column, form: .values(reading.ordering))
            guard let vector = store.content(.column(key), of: table) as? ValueVector, case .fixed(let digits) = vector.meaning else {
                return codes(expression, table, store)
            }
            return .compare(vector, digits: digits, isTemporal: reading.isTemporal, comparison, number)
        default: return codes(expression, table, store)
        }
    }

    /// Asks it of every different field of the one column that it is about.
    private static func codes(_ expression: FilterExpression, _ table: any Table, _ store: ColumnStore) -> Test? {
        let program = FilterProgram(expression, allColumns: table.allColumns)
        guard program.columns.count == 1,
            let column = store.content(.column(ColumnStore.Key(column: program.columns[0], form: .codes)), of: table) as? CodeVector
        else { return nil }
        let room = program.room()
        defer { room.deallocate() }
        // Blank fields are one, so that what their bytes are is not known.
        let asksForBytes =
            switch expression {
            case .compare, .isOneOf, .isEmpty: false
            default: true
            }
        var answers: [Bool] = []
        for code in 0..<column.count {
            let field = FieldBytes(column.bytes(code))
            guard !asksForBytes || !field.isBlank else { return nil }
            answers.append(withUnsafePointer(to: field) { program.holds(UnsafeBufferPointer(start: $0, count: 1), room) })
        }
        return .isOneOf(column, answers)
    }

    // MARK: Deciding

    private static func holds(_ test: Test, _ range: Range<Int>) throws -> [Bool] {
        switch test {
        case .all(let tests): return try combined(tests, range, true) { $0 && $1 }
        case .any(let tests): return try combined(tests, range, false) { $0 || $1 }
        case .not(let test): return try holds(test, range).map { !$0 }
        case .compare(let vector, let digits, let isTemporal, let comparison, let number):
            return try holds(vector, digits, isTemporal, comparison, number, range)
        case .isOneOf(let column, let answers):
            return [Bool](unsafeUninitializedCapacity: range.count) { held, count in
                answers.withUnsafeBufferPointer { answers in
                    for (place, slot) in range.enumerated() { held[place] = answers[Int(column.codes[slot])] }
                }
                count = range.count
            }
        }
    }

    private static func combined(_ tests: [Test], _ range: Range<Int>, _ first: Bool, _ combine: (Bool, Bool) -> Bool) throws -> [Bool] {
        try tests.reduce(into: [Bool](repeating: first, count: range.count)) { held, test in
            for (place, other) in try holds(test, range).enumerated() { held[place] = combine(held[place], other) }
        }
    }

    private static func holds(
        _ vector: ValueVector, _ digits: Int, _ isTemporal: Bool, _ comparison: FilterComparison, _ number: FilterNumber,
        _ range: Range<Int>
    ) throws -> [Bool] {
        let keys = try Storage<UInt64>(count: range.count)
        vector.decode(range, into: keys.base)
        let block = range.lowerBound / rangeSize
        let (classes, first) = (vector.blocks[block].classes, range.lowerBound % rangeSize)
        let power = isTemporal ? FixedScale.power(6 - digits) : 1
        return [Bool](unsafeUninitializedCapacity: range.count) { held, count in
            for place in 0..<range.count {
                let whole = ValueVector.integer(of: keys[place])
                var value = FilterNumber.none
                if classes.map({ $0[first + place] == FieldClass.value.rawValue }) ?? true {
                    value = isTemporal || digits == 0 ? .integer(whole &* power) : .decimal(FixedScale.double(whole, digits: digits))
                }
                held[place] = value.compares(comparison, to: number)
            }
            count = range.count
        }
    }
}

extension FilterReading {
    /// How a column is read for what filters compare.
    fileprivate var ordering: SortOrdering {
        switch self {
        case .number: .number(.point)
        case .commaNumber: .number(.comma)
        case .date: .temporal(.date)
        case .dateTime: .temporal(.dateTime)
        case .time: .temporal(.time)
        case .flag: .flag
        }
    }
}
