import CByteScan
import FieldValues
import Tables

/// A condition on the typed values of batches. Most values are tested without converting them to text.
///
/// The results equal the results of ``FilterProgram`` on the text of the values. Rows are indices in a batch. Each test reads only the rows
/// that passed the tests before it. Immutable; each thread has its own ``Scratch``.
final class TypedCondition: Sendable {
    /// The table columns that the batches must contain.
    let columns: [Int]
    private let node: Node

    private indirect enum Node: Sendable {
        case all([Node]), any([Node]), not(Node)
        case compare(TypedComparison, columnIndex: Int)
        /// True if the field is empty or null. Only strings can be empty without being null, so the program tests strings.
        case isEmpty(FilterProgram, columnIndex: Int)
        case search(TextMatcher, columnIndex: Int)
        /// Any other condition, as a program on text. If it is true, one of its fields contains the required bytes.
        case other(FilterProgram, RequiredBytes, columnIndices: [Int])
    }

    /// Creates the condition that a search matches at least one of the columns.
    init(_ matcher: TextMatcher, columns: [Int]) {
        self.columns = columns
        node = .any(columns.indices.map { .search(matcher, columnIndex: $0) })
    }

    init(_ expression: FilterExpression, allColumns: [Int]) {
        let columns = FilterProgram(expression, allColumns: allColumns).columns
        self.columns = columns
        node = Self.node(expression, allColumns) { columns.firstIndex(of: $0)! }
    }

    private static func node(_ expression: FilterExpression, _ allColumns: [Int], _ columnIndex: (Int) -> Int) -> Node {
        switch expression {
        case .all(let parts): return .all(parts.map { node($0, allColumns, columnIndex) })
        case .any(let parts): return .any(parts.map { node($0, allColumns, columnIndex) })
        case .not(let part): return .not(node(part, allColumns, columnIndex))
        case .compare(.column(let column, let type), let comparison, .literal(let number)) where !number.isNaN:
            return .compare(
                TypedComparison(FilterProgram(expression, allColumns: allColumns), type, comparison, number),
                columnIndex: columnIndex(column))
        case .isOneOf(.column(let column, let type), let numbers) where numbers.count <= 16 && !numbers.contains(where: \.isNaN):
            return .any(
                numbers.map {
                    let equals = FilterExpression.compare(.column(column, type), .equal, .literal($0))
                    return .compare(
                        TypedComparison(FilterProgram(equals, allColumns: allColumns), type, .equal, $0),
                        columnIndex: columnIndex(column))
                })
        case .isEmpty(let column), .isNull(let column):
            return .isEmpty(FilterProgram(expression, allColumns: allColumns), columnIndex: columnIndex(column))
        case .anyFieldContains(let text):
            let ignoresCase = !TextSearch.matchesCase(of: text)
            return .any(allColumns.map { node(.test(.contains, column: $0, text, ignoresCase: ignoresCase), allColumns, columnIndex) })
        default:
            let program = FilterProgram(expression, allColumns: allColumns)
            return .other(program, expression.requiredBytes, columnIndices: program.columns.map(columnIndex))
        }
    }

    /// Rows of a batch, ascending: the rows in `list`, or the first `count` rows of the batch if there is no list.
    struct Rows {
        var list: UnsafePointer<UInt32>?
        var count: Int

        @inline(__always)
        subscript(index: Int) -> Int { list.map { Int($0[index]) } ?? index }
    }

    /// The working memory of one thread.
    struct Scratch: ~Copyable {
        fileprivate var freeLists: [UnsafeArray<UInt32>] = []
        fileprivate var printers: [Int: PrinterBox] = [:]
        fileprivate let control: JobControl

        fileprivate init(_ control: JobControl) { self.control = control }

        /// The printer that converts values of `width` columns to text.
        fileprivate mutating func printer(width: Int) -> PrinterBox {
            if let box = printers[width] { return box }
            let box = PrinterBox(width: width)
            printers[width] = box
            return box
        }

        /// Memory for a list of `count` rows, reused between batches.
        fileprivate mutating func rowList(count: Int) throws -> UnsafeArray<UInt32> {
            if let last = freeLists.last, last.count >= count { return freeLists.removeLast() }
            return try UnsafeArray(count: max(count, 1 << 14))
        }
    }

    /// Holds a printer in an object, so that ``Scratch`` stays accessible while the printer is used.
    fileprivate final class PrinterBox {
        var printer: ValuePrinter
        init(width: Int) { printer = ValuePrinter(width: width) }
    }

    /// Scans records of a table, and calls `found` with the matching ones, ascending, until it returns `false`.
    /// - Parameter rows: returns the rows of a batch to test; `nil` ends the scan. The function can write these rows to `list`, which has
    ///   memory for all rows of the batch.
    func scan(
        _ table: any ColumnarTable, _ records: Range<Int>, control: JobControl,
        rows: (_ list: UnsafeMutablePointer<UInt32>, _ first: Int, _ count: Int) -> Rows? = { Rows(list: nil, count: $2) },
        found: (_ record: Int) -> Bool
    ) throws {
        var scratch = Scratch(control)
        var list = try UnsafeArray<UInt32>(count: 1 << 14)
        var matches = try UnsafeArray<UInt32>(count: 1 << 14)
        var next = records.lowerBound
        var continues = true
        try table.scanColumns(records, columns: columns) { batch in
            if control.isCancelled { return false }
            if list.count < batch.count {
                (list, matches) = (try UnsafeArray(count: batch.count), try UnsafeArray(count: batch.count))
            }
            guard let tested = rows(list.base, batch.firstRecord, batch.count) else {
                continues = false
                return false
            }
            let count: Int
            // A cancelled scan must end without an error, because the table then caches what it has read, for the next filter.
            do { count = try select(batch, tested, &scratch, into: matches.base) } catch is JobCancelled { return false }
            for index in 0..<count where continues { continues = found(batch.firstRecord + Int(matches[index])) }
            next += batch.count
            return continues
        }
        try control.checkCancellation()
        if continues, next < records.upperBound { throw IncompleteScan() }
    }

    /// The rows of a batch that match the condition, as indices in the batch. The batch must have the values of ``columns``.
    func rows(matchedIn batch: ColumnBatch, control: JobControl) throws -> [Int] {
        var scratch = Scratch(control)
        let found = try UnsafeArray<UInt32>(count: max(1, batch.count))
        let count = try select(batch, Rows(list: nil, count: batch.count), &scratch, into: found.base)
        return (0..<count).map { Int(found.base[$0]) }
    }

    /// Tests `rows` of a batch and writes the matching ones to `found`.
    /// - Parameters:
    ///   - batch: the values of ``columns``.
    ///   - found: memory for as many rows as `rows`.
    /// - Returns: the number of matching rows.
    private func select(
        _ batch: ColumnBatch, _ rows: Rows, _ scratch: inout Scratch, into found: UnsafeMutablePointer<UInt32>
    ) throws -> Int {
        try select(node, batch, rows, &scratch, found)
    }

    private func select(
        _ node: Node, _ batch: ColumnBatch, _ rows: Rows, _ scratch: inout Scratch, _ found: UnsafeMutablePointer<UInt32>
    ) throws -> Int {
        if rows.count == 0 { return 0 }
        // Check after each conjunct, because a batch may have 65,536 long strings.
        try scratch.control.checkCancellation()
        switch node {
        case .all(let parts):
            var remaining = rows
            var isFirst = true
            for part in parts where isFirst || remaining.count > 0 {
                // The list can be filtered in place, because a match is never written after the position that is being read.
                remaining = Rows(list: UnsafePointer(found), count: try select(part, batch, remaining, &scratch, found))
                isFirst = false
            }
            return isFirst ? copy(rows, found) : remaining.count
        case .any(let parts):
            if parts.count == 1 { return try select(parts[0], batch, rows, &scratch, found) }
            let (remaining, selected) = (try scratch.rowList(count: rows.count), try scratch.rowList(count: rows.count))
            let merged = try scratch.rowList(count: rows.count)
            var remainingCount = copy(rows, remaining.base)
            var count = 0
            for part in parts where remainingCount > 0 {
                let matches = try select(
                    part, batch, Rows(list: UnsafePointer(remaining.base), count: remainingCount), &scratch, selected.base)
                if matches == 0 { continue }
                merged.base.update(from: found, count: count)
                count = Self.merge(merged.base, count, selected.base, matches, found)
                remainingCount = Self.remove(selected.base, matches, from: remaining.base, remainingCount, remaining.base)
            }
            scratch.freeLists += [remaining, selected, merged]
            return count
        case .not(let part):
            let selected = try scratch.rowList(count: rows.count)
            let matches = try select(part, batch, rows, &scratch, selected.base)
            var (count, next) = (0, 0)
            for index in 0..<rows.count {
                let row = UInt32(truncatingIfNeeded: rows[index])
                if next < matches, selected[next] == row {
                    next += 1
                } else {
                    found[count] = row
                    count += 1
                }
            }
            scratch.freeLists.append(selected)
            return count
        case .compare(let comparison, let columnIndex):
            return try select(comparison, batch, columnIndex, rows, &scratch, found)
        case .isEmpty(let program, let columnIndex):
            let vector = batch.columns[columnIndex]
            switch vector.values {
            case .texts, .codes: return try select(program, RequiredBytes(), [columnIndex], batch, rows, &scratch, found)
            default:
                guard let presence = vector.presence else { return 0 }
                return rows.filter(into: found) { presence[$0] == 0 }
            }
        case .search(let matcher, let columnIndex):
            let box = scratch.printer(width: 1)
            return try matcher.withTest { matches in
                try batch.select(rows, column: columnIndex, requiring: matcher.required, &box.printer, into: found, matches)
            }
        case .other(let program, let required, let columnIndices):
            return try select(program, required, columnIndices, batch, rows, &scratch, found)
        }
    }

    private func copy(_ rows: Rows, _ target: UnsafeMutablePointer<UInt32>) -> Int {
        if let list = rows.list {
            target.update(from: list, count: rows.count)
        } else {
            for row in 0..<rows.count { target[row] = UInt32(truncatingIfNeeded: row) }
        }
        return rows.count
    }

    /// Merges two ascending lists that have no rows in common.
    private static func merge(
        _ a: UnsafePointer<UInt32>, _ aCount: Int, _ b: UnsafePointer<UInt32>, _ bCount: Int, _ target: UnsafeMutablePointer<UInt32>
    ) -> Int {
        var (i, j) = (0, 0)
        while i < aCount || j < bCount {
            if j == bCount || i < aCount && a[i] < b[j] {
                target[i &+ j] = a[i]
                i &+= 1
            } else {
                target[i &+ j] = b[j]
                j &+= 1
            }
        }
        return aCount + bCount
    }

    /// Removes `rows` from an ascending list that contains all of them.
    private static func remove(
        _ rows: UnsafePointer<UInt32>, _ count: Int, from all: UnsafePointer<UInt32>, _ allCount: Int,
        _ target: UnsafeMutablePointer<UInt32>
    ) -> Int {
        var (remaining, next) = (0, 0)
        for index in 0..<allCount {
            if next < count, rows[next] == all[index] {
                next &+= 1
            } else {
                target[remaining] = all[index]
                remaining &+= 1
            }
        }
        return remaining
    }

    // MARK: Tests

    /// Selects the rows whose value satisfies a comparison.
    private func select(
        _ comparison: TypedComparison, _ batch: ColumnBatch, _ columnIndex: Int, _ rows: Rows, _ scratch: inout Scratch,
        _ found: UnsafeMutablePointer<UInt32>
    ) throws -> Int {
        let vector = batch.columns[columnIndex]
        let presence = vector.presence
        /// True if a missing field satisfies the comparison.
        let missingMatches = comparison.comparison == .notEqual
        switch vector.values {
        case .integers, .flags, .dates, .dateTimes, .times:
            guard let test = comparison.integerTest(for: vector.values) else { break }
            if case .flags(let flags) = vector.values {
                let (no, yes) = (test.matches(0), test.matches(1))
                return rows.filter(into: found) { row in
                    if let presence, presence[row] == 0 { return missingMatches }
                    return flags[row] == 0 ? no : yes
                }
            }
            guard let numbers = vector.values.words, test.areReadable(numbers, presence, rows) else { break }
            let (first, length, isInverted) = (test.first, test.length, test.isInverted)
            if let presence {
                return rows.filter(into: found) { row in
                    presence[row] == 0 ? missingMatches : (UInt64(bitPattern: numbers[row] &- first) < length) != isInverted
                }
            }
            if rows.list == nil { return gv_select_integers(numbers, rows.count, first, length, isInverted ? 1 : 0, found) }
            return rows.filter(into: found) { row in (UInt64(bitPattern: numbers[row] &- first) < length) != isInverted }
        case .doubles(let numbers):
            guard let test = comparison.doubles else { break }
            let (first, last, isInverted) = (test.first, test.last, test.isInverted)
            if let presence {
                return rows.filter(into: found) { row in
                    presence[row] == 0 ? missingMatches : (numbers[row] >= first && numbers[row] <= last) != isInverted
                }
            }
            if rows.list == nil { return gv_select_doubles(numbers, rows.count, first, last, isInverted ? 1 : 0, found) }
            return rows.filter(into: found) { row in (numbers[row] >= first && numbers[row] <= last) != isInverted }
        case .floats, .texts, .codes: break
        }
        return try select(comparison.program, RequiredBytes(), [columnIndex], batch, rows, &scratch, found)
    }

    /// Selects the rows for which a program on the text of the values is true.
    private func select(
        _ program: FilterProgram, _ required: RequiredBytes, _ columnIndices: [Int], _ batch: ColumnBatch, _ rows: Rows,
        _ scratch: inout Scratch,
        _ found: UnsafeMutablePointer<UInt32>
    ) throws -> Int {
        let memory = program.scratch()
        defer { memory.deallocate() }
        let box = scratch.printer(width: columnIndices.count)
        let count: Int
        if columnIndices.count == 1 {
            count = try batch.select(rows, column: columnIndices[0], requiring: required, &box.printer, into: found) { field in
                withUnsafePointer(to: field) { program.matches(UnsafeBufferPointer(start: $0, count: 1), memory) }
            }
        } else {
            let part = ColumnBatch(firstRecord: batch.firstRecord, count: batch.count, columns: columnIndices.map { batch.columns[$0] })
            count = rows.filter(into: found, printing: part, &box.printer) { program.matches($0, memory) }
        }
        try memory.check()
        return count
    }
}

extension TypedCondition.Rows {
    /// Writes the rows for which `matches` is true, and returns their number. There is no branch on the result of `matches`, because it
    /// would often be mispredicted.
    @inline(__always)
    func filter(into found: UnsafeMutablePointer<UInt32>, _ matches: (Int) -> Bool) -> Int {
        var matchCount = 0
        if let list {
            for index in 0..<count {
                let row = list[index]
                found[matchCount] = row
                matchCount &+= matches(Int(row)) ? 1 : 0
            }
        } else {
            for row in 0..<count {
                found[matchCount] = UInt32(truncatingIfNeeded: row)
                matchCount &+= matches(row) ? 1 : 0
            }
        }
        return matchCount
    }

    /// Writes the rows for which `matches` is true for the text of their fields, and returns their number.
    func filter(
        into found: UnsafeMutablePointer<UInt32>, printing batch: ColumnBatch, _ printer: inout ValuePrinter,
        _ matches: (_ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
    ) -> Int {
        var (matchCount, index) = (0, 0)
        while index < count {
            let first = self[index]
            // Find a run of rows that are close together, and print these rows with one call. Rows far apart are printed one by one.
            var end = index + 1
            while end < count, self[end] - self[end - 1] <= 4, self[end] - first < printer.capacity { end += 1 }
            let fields = printer.fields(of: first..<self[end - 1] + 1, in: batch)
            for position in index..<end where matches(fields.fields(of: self[position] - first)) {
                found[matchCount] = UInt32(truncatingIfNeeded: self[position])
                matchCount += 1
            }
            index = end
        }
        return matchCount
    }
}
