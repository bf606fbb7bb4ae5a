import CByteScan
import Tables

/// Finds records that a writer of delimited text writes as they stand, and decides how many of the others are parsed at once.
struct LineFinder: ~Copyable {
    private let grammar: Grammar
    private let fields: Int
    private let ends: UnsafeMutablePointer<UInt32>
    private static let capacity = 4096
    /// Records to parse where no line is found, before lines are looked for again.
    private(set) var parsedCount = 1
    /// Lines found since the last records were parsed.
    private var lineCount = 0

    /// Lines have so many fields.
    init(_ grammar: Grammar, fields: Int) {
        self.grammar = grammar
        self.fields = fields
        ends = .allocate(capacity: Self.capacity)
    }

    deinit { ends.deallocate() }

    /// The lines at the start of `bytes`, which begin with the first of `records`.
    mutating func find(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ records: Range<Int>) -> LineBatch {
        var found = gv_lines()
        gv_find_lines(
            grammar.settings.implementation, grammar.raw, bytes, count, fields, ends, min(Self.capacity, records.count), &found)
        lineCount += found.records
        if found.records == 0, found.stopped != 0 {
            // Where lines are rare, looking for them is wasted.
            parsedCount = lineCount >= 4 ? 1 : min(2 * parsedCount, 1024)
            lineCount = 0
        }
        return LineBatch(first: records.lowerBound, count: found.records, bytes: bytes, ends: ends)
    }
}
