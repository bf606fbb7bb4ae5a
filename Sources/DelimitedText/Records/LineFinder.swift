import CByteScan
import Tables

/// Finds records that can be copied as lines, because their bytes are the bytes that a writer of delimited text would write.
///
/// If such lines are rare, searching costs more than parsing. The finder therefore says how many records to parse before the next search.
struct LineFinder: ~Copyable {
    private let grammar: Grammar
    private let fieldCount: Int
    private let ends: UnsafeMutablePointer<UInt32>
    private static let capacity = 4096
    /// The number of records to parse as fields before lines are searched for again.
    private(set) var recordsToParse = 1
    /// The number of lines found since records were last parsed as fields.
    private var lineCount = 0

    /// Creates a finder of lines that have this number of fields.
    init(_ grammar: Grammar, fields: Int) {
        self.grammar = grammar
        self.fieldCount = fields
        ends = .allocate(capacity: Self.capacity)
    }

    deinit { ends.deallocate() }

    /// The lines at the start of `bytes`, as a batch.
    /// - Parameter records: the numbers of the records in the bytes. The first one starts at the first byte.
    mutating func find(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ records: Range<Int>) -> LineBatch {
        var found = gv_lines()
        gv_find_lines(
            grammar.settings.implementation, grammar.raw, bytes, count, fieldCount, ends, min(Self.capacity, records.count), &found)
        lineCount += found.records
        if found.records == 0, found.stopped != 0 {
            // If few lines were found, more records are parsed before the next search.
            recordsToParse = lineCount >= 4 ? 1 : min(2 * recordsToParse, 1024)
            lineCount = 0
        }
        return LineBatch(firstRecord: records.lowerBound, count: found.records, bytes: bytes, ends: ends)
    }
}
