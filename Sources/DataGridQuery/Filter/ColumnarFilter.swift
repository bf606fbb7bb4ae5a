import Tables
import FieldValues

/// A condition that is tested on cached columns, without reading the table.
///
/// Numbers and times are compared as typed values. Any other condition on one column is tested once for each distinct field.
struct ColumnarFilter {
    /// A condition on cached columns. The list of `isOneOf` has the result for each distinct field of the column.
    private indirect enum Test {
        case all([Test]), any([Test]), not(Test)
        case compare(ValueVector, digits: Int, isTemporal: Bool, FilterComparison, FilterNumber)
        case isOneOf(NumberedColumn, [Bool])
    }

    private let test: Test

    /// Returns `nil` if the store does not have the columns that the condition needs.
    init?(_ expression: FilterExpression, of table: any Table, store: ColumnStore?) {
        guard let store, let test = Self.test(expression, table, store) else { return nil }
        self.test = test
    }

    /// The results for `range`, a range of slots within one block of ``rangeSize`` slots. Each slot has one element.
    func matches(in range: Range<Int>) throws -> [Bool] { try Self.matches(test, range) }

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
        case .compare(.column(let column, let type), let comparison, .literal(let number)):
            let key = ColumnStore.ColumnItemKey(column: column, form: .values(type.ordering))
            guard let vector = store.storedItem(for: .column(key), of: table) as? ValueVector,
                case .fixed(let digits) = vector.representation
            else {
                return isOneOf(expression, table, store)
            }
            return .compare(vector, digits: digits, isTemporal: type.isTemporal, comparison, number)
        default: return isOneOf(expression, table, store)
        }
    }

    /// Reads the columns of a condition into the cache, if the condition can be tested on cached columns.
    static func readColumns(
        of expression: FilterExpression, of table: any Table, into store: ColumnStore, threads: Int, control: JobControl
    ) throws {
        guard table.contentID != nil, table.recordCount <= control.shortLimit,
            let keys = keys(of: expression, allColumns: table.allColumns)
        else { return }
        let missing = keys.filter { store.storedItem(for: .column($0), of: table) == nil }
        // Columns that exceed the budget are not read here. They would not stay in the cache, so each filter would read them again.
        guard !missing.isEmpty, table.recordCount * 8 * keys.count <= store.budget else { return }
        control.extend(by: table.recordCount)
        _ = try LoadedColumns(missing, records: nil, of: table, store: store, threads: threads, control: control)
    }

    /// The cache keys of the columns that ``init(_:of:store:)`` needs; `nil` if some conjunct cannot be tested on cached columns.
    private static func keys(of expression: FilterExpression, allColumns: [Int]) -> [ColumnStore.ColumnItemKey]? {
        func keys(_ parts: [FilterExpression]) -> [ColumnStore.ColumnItemKey]? {
            var all: [ColumnStore.ColumnItemKey] = []
            for part in parts {
                guard let partKeys = Self.keys(of: part, allColumns: allColumns) else { return nil }
                all += partKeys
            }
            return all
        }
        switch expression {
        case .all(let parts), .any(let parts): return keys(parts)
        case .not(let part): return keys([part])
        case .compare(.column(let column, let type), _, .literal):
            return [ColumnStore.ColumnItemKey(column: column, form: .values(type.ordering))]
        default:
            let columns = FilterProgram(expression, allColumns: allColumns).columns
            return columns.count == 1 ? [ColumnStore.ColumnItemKey(column: columns[0], form: .lowCardinality)] : nil
        }
    }

    /// A test that looks up the result of each distinct field. `nil` if the condition uses several columns, or if its column is not cached.
    private static func isOneOf(_ expression: FilterExpression, _ table: any Table, _ store: ColumnStore) -> Test? {
        let program = FilterProgram(expression, allColumns: table.allColumns)
        guard program.columns.count == 1,
            let column = store.storedItem(
                for: .column(ColumnStore.ColumnItemKey(column: program.columns[0], form: .lowCardinality)), of: table)
                as? NumberedColumn
        else { return nil }
        let scratch = program.scratch()
        defer { scratch.deallocate() }
        // All empty fields share one field number, although they may consist of different spaces. A condition that depends on these bytes
        // cannot be tested here.
        let needsBytes =
            switch expression {
            case .compare, .isOneOf, .isEmpty: false
            case .computed(let formula): formula.program.usesText
            default: true
            }
        var answers: [Bool] = []
        for number in 0..<column.fields.count {
            let field = FieldBytes(column.fields.bytes(number))
            guard !needsBytes || !field.isBlank else { return nil }
            answers.append(withUnsafePointer(to: field) { program.matches(UnsafeBufferPointer(start: $0, count: 1), scratch) })
        }
        // The filter that reads the fields reports the error.
        guard !scratch.hasLongText else { return nil }
        return .isOneOf(column, answers)
    }

    // MARK: Deciding

    private static func matches(_ test: Test, _ range: Range<Int>) throws -> [Bool] {
        switch test {
        case .all(let tests): return try combined(tests, range, true) { $0 && $1 }
        case .any(let tests): return try combined(tests, range, false) { $0 || $1 }
        case .not(let test): return try matches(test, range).map { !$0 }
        case .compare(let vector, let digits, let isTemporal, let comparison, let number):
            let power = isTemporal ? FixedScale.power(6 - digits) : 1
            var results: [Bool] = []
            results.reserveCapacity(range.count)
            try vector.forEachField(in: range) { _, key, kind in
                let whole = ValueVector.integer(of: key)
                let value: FilterNumber =
                    kind != FieldClass.value.rawValue
                    ? .none : isTemporal || digits == 0 ? .integer(whole &* power) : .decimal(FixedScale.double(whole, digits: digits))
                results.append(value.satisfies(comparison, comparedTo: number))
            }
            return results
        case .isOneOf(let column, let answers): return range.map { answers[column.number($0)] }
        }
    }

    private static func combined(_ tests: [Test], _ range: Range<Int>, _ first: Bool, _ combine: (Bool, Bool) -> Bool) throws -> [Bool] {
        try tests.reduce(into: [Bool](repeating: first, count: range.count)) { results, test in
            for (index, other) in try matches(test, range).enumerated() { results[index] = combine(results[index], other) }
        }
    }
}

extension ComparisonType {
    /// The sort ordering under which the cache stores values of this type.
    fileprivate var ordering: SortOrdering {
        switch self {
        case .number(let notation): .number(notation)
        case .date(let notation): .temporal(.date, notation)
        case .dateTime(let notation): .temporal(.dateTime, notation)
        case .time: .temporal(.time)
        case .flag: .flag
        }
    }
}
