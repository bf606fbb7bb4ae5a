import DelimitedText
import FieldValues
import Locks
import Tables

/// A file of JSON records. While it is read, keys that are not in the first records become columns at the right.
final class JSONSource: FileSource, TextBackedSource {
    /// The input as it was opened.
    let file: DelimitedFile
    /// One record per line: the input itself, or a temporary file.
    let textFile: DelimitedFile
    /// The notes of the rewriter; `nil` for JSON Lines.
    private let notes: JSONNotes?
    private let state = JSONCheckState()

    /// - Parameters:
    ///   - file: the input.
    ///   - lines: the records.
    ///   - notes: the notes of the rewriter; `nil` for JSON Lines.
    /// - Throws: `DelimitedTextError` if the first records cannot be read.
    init(_ file: DelimitedFile, _ lines: DelimitedFile, _ notes: JSONNotes? = nil) throws {
        (self.file, textFile, self.notes) = (file, lines, notes)
        try check(lines.snapshot()) { _ in true }
        state.value.withLock { $0.schema.createColumns() }
    }

    // MARK: Checking records

    /// Checks the records that were not checked yet, and adds columns for their new keys.
    /// - Parameter shouldContinue: called after each chunk with the number of checked records; return `false` to stop.
    private func check(
        _ snapshot: RecordSnapshot, threads: Int = 1, priority: ReadPriority = .foreground,
        while shouldContinue: @escaping @Sendable (Int) -> Bool
    ) throws {
        // A cancelled pass may still be checking its last chunks. Only one pass may run at a time.
        try state.passLock.withLock { _ in
            let run = JSONCheckRun(snapshot, state, pause: textFile.waitForUrgentReads, shouldContinue)
            priority.perform(on: min(threads, run.chunkCount), run.checkChunks)
            if let error = run.error { throw error }
        }
    }

    func readRecords(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        try textFile.readAll(threads: threads, priority: priority) { read in
            // While a pipe grows, new records are checked for at most 20 ms between two reads.
            if self.textFile.isGrowing {
                let end = ContinuousClock.now + .milliseconds(20)
                try? self.check(self.textFile.snapshot()) { _ in .now < end }
            }
            return progress(read)
        }
    }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        var earlyEnd: DelimitedTextError?
        do {
            // Finding the records counts as half of the work, and checking them as the other half.
            try readRecords(threads: threads, priority: priority) { read in
                progress(ReadProgress(bytesDone: read.bytesDone, bytesTotal: 2 * read.bytesTotal, records: read.records))
            }
        } catch let error as DelimitedTextError where error.inputEnd != nil {
            earlyEnd = error
        }
        let snapshot = textFile.snapshot()
        guard snapshot.isComplete else { return }
        let total = textFile.byteCount
        try withoutActuallyEscaping(progress) { progress in
            try check(snapshot, threads: threads, priority: priority) { checked in
                let share = Double(checked) / Double(max(1, snapshot.recordCount))
                let done = total + Int(Double(total) * share)
                return progress(ReadProgress(bytesDone: done, bytesTotal: 2 * total, records: snapshot.recordCount))
            }
        }
        if let earlyEnd { throw earlyEnd }
    }

    func snapshot() -> JSONTable {
        let lines = textFile.snapshot()
        let (schema, checkResult, plainChunks) = state.value.withLock { $0 }
        return JSONTable(
            lines: lines, schema: schema, checkResult: checkResult, plainChunks: plainChunks, stringsAreText: notes?.hasTypedStrings ?? true
        )
    }

    // MARK: Columns

    var columnCount: Int { state.value.withLock { $0.schema.columns.count } }
    var hasColumnNames: Bool { notes?.hasColumnNames ?? true }
    var mayFindNewFields: Bool { true }
    var hasNulls: Bool { true }
    func title(ofColumn column: Int) -> String { state.value.withLock { $0.schema }.title(ofColumn: column) }
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { profiles(ofColumnsFrom: 0) }

    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        let table = snapshot()
        let columns = Array(first..<max(first, table.columnCount))
        guard first > 0, let firstRecord = table.schema.firstRecords.dropFirst(first).min() else {
            var profiles = table.profiles(of: columns, notation: .point) { title(ofColumn: $0) }
            if first == 0 { profileRareKeys(of: table, &profiles) }
            return profiles
        }
        // Columns that were added later have no values before `firstRecord`.
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let end = min(table.recordCount, firstRecord + max(20, min(500, 100_000 / columns.count)))
        try? table.sample(min(firstRecord, end)..<end, columns: columns, into: &samplers, maximumBytes: 4 << 20)
        return ColumnSampler.profiles(samplers, notation: .point) { title(ofColumn: columns[$0]) }
    }

    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        snapshot().profiles(ofRareColumns: columns, from: record, notation: .point, while: shouldContinue) { title(ofColumn: $0) }
    }

    /// The maximum number of records at which the samples of rare keys start.
    private static let maximumRareKeyPlaces = 500

    /// Replaces the profiles of columns whose keys only occur between the places of the usual sample. The schema knows the first record
    /// with each key. O(2,000 records), because a record is parsed as a whole even if few of its keys are sampled.
    private func profileRareKeys(of table: JSONTable, _ profiles: inout [ColumnProfile]) {
        let firstRecords = table.schema.firstRecords
        let rare = profiles.indices.filter { index in
            profiles[index].sampledCount == profiles[index].emptyCount && index < firstRecords.count
        }
        let places = Dictionary(grouping: rare) { firstRecords[$0] }.sorted { $0.key < $1.key }.prefix(Self.maximumRareKeyPlaces)
        let count = Self.rareKeySampleSize(columns: rare.count, places: places.count)
        for (record, columns) in places where record < table.recordCount {
            var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
            let end = min(table.recordCount, record + count)
            // Errors are ignored here: they are reported when the records are read for the screen.
            try? table.sample(record..<end, columns: columns, into: &samplers, maximumBytes: 4 << 20)
            let found = ColumnSampler.profiles(samplers, notation: .point) { title(ofColumn: columns[$0]) }
            for (column, var profile) in zip(columns, found) where profile.sampledCount > profile.emptyCount {
                // The usual sample can have nulls, whose word must fit into the column.
                let texts = profile.sampleTexts + profiles[column].sampleTexts
                profile.sampleTexts = Array(texts.sorted { $0.utf8.count > $1.utf8.count }.prefix(ColumnProfile.sampleTextCount))
                profiles[column] = profile
            }
        }
    }

    /// The number of records to sample at each place for the given number of columns.
    static func rareKeySampleSize(columns: Int, places: Int) -> Int {
        max(1, min(500, 100_000 / max(1, columns), 2_000 / max(1, places)))
    }

    // MARK: The file

    func tail(atLeast count: Int) throws -> TailRecords {
        var tail = try textFile.tail(atLeast: count, maximumFieldBytes: JSONTable.maximumLineBytes)
        tail.records = try snapshot().records(tail.records, 4_096)
        return tail
    }

    func lineCount(beforeRecord record: Int) throws -> Int? { notes == nil ? try textFile.lineCount(beforeRecord: record) : nil }

    var canGrow: Bool { notes == nil && textFile.canGrow }

    /// Returns a function that accepts the new records of JSON Lines; `nil` for JSON documents, and for changes other than growth.
    func growthUpdate(from newer: any TableSource) -> (@Sendable () -> Void)? {
        guard notes == nil, let newer = newer as? Self, newer.notes == nil, let accept = textFile.growthUpdate(from: newer.textFile) else {
            return nil
        }
        return {
            accept()
            self.state.value.withLock { state in
                state.checkResult.removeLast()
                state.plainChunks = JSONPlainChunks()
            }
        }
    }

    var details: [(name: String, value: String)] {
        (notes?.details ?? [("format", "JSON Lines"), ("header", "in each record")])
            + textFile.details.filter {
                ["encoding", "line endings", "skipped"].contains($0.name) && (notes == nil || $0.name != "line endings")
            }
    }

    var problems: [String] {
        var phrases: [String] = []
        let checkResult = state.value.withLock { $0.checkResult }
        if let invalid = invalidRowsPhrase(for: checkResult) { phrases.append(invalid) }
        if let repeated = repeatedKeysPhrase(for: checkResult) { phrases.append(repeated) }
        if let replaced = replacementPhrase(for: checkResult) { phrases.append(replaced) }
        if let mixed = mixedValues(of: Array(0..<columnCount)) { phrases.append(mixed) }
        phrases += notes?.otherValuePhrases ?? []
        return phrases + (notes?.problems ?? []) + textFile.diagnostics.withoutFields.phrases
            + (notes == nil ? textFile : file).ignoredBytes
    }

    var conversions: [TextConversion] {
        var conversions = (notes == nil ? textFile : file).characterConversions
        conversions += (notes?.problems ?? []).map { TextConversion("\(name): \($0).", isLoss: true) }
        // Reading only one of several arrays, without the fields beside it, is not a loss. Neither is reading only one sheet of a workbook.
        conversions += (notes?.otherValuePhrases ?? []).map { TextConversion("\(name): \($0).", isLoss: false) }
        let checkResult = state.value.withLock { $0.checkResult }
        if let invalid = invalidRowsPhrase(for: checkResult) {
            // The text of the row is kept, but its values are missing in their columns.
            let text = checkResult.invalidRecords.count == 1 ? "Its text is" : "Their text is"
            conversions.append(TextConversion("\(name): \(invalid). \(text) in the column (unreadable).", isLoss: true))
        }
        if let repeated = repeatedKeysPhrase(for: checkResult) { conversions.append(TextConversion("\(name): \(repeated).", isLoss: true)) }
        if let replaced = replacementPhrase(for: checkResult) {
            conversions.append(TextConversion("\(name): \(replaced).", isLoss: true, replacesCharacters: true))
        }
        return conversions
    }

    /// The maximum number of columns that ``mixedValues(of:)`` names.
    private static let namedColumns = 3

    // A bit for each field would tell numbers from strings that look like numbers. But it would cost time and memory in all scans, sorts
    // and groups, so such values count as equal.
    func mixedValues(of columns: [Int]) -> String? {
        let schema = state.value.withLock { $0.schema }
        let mixed = columns.compactMap { column in schema.firstMixedRecord(inColumn: column).map { (column, row: NumberText.count($0 + 1)) }
        }
        guard !mixed.isEmpty else { return nil }
        let named = mixed.prefix(Self.namedColumns).map { column, row in
            "\(schema.title(ofColumn: column).quotedForMessage) (row \(row))"
        }
        let rest = mixed.count > named.count ? " and \(NumberText.count(mixed.count - named.count)) more" : ""
        return "a number equals a string with the same digits in \(named.joined(separator: ", "))\(rest)"
    }

    /// A phrase about rows that are not valid JSON; `nil` without any. If only the start of a row was copied, this start is not valid JSON
    /// either, but ``JSONNotes`` reports such rows.
    private func invalidRowsPhrase(for checkResult: JSONCheckResult) -> String? {
        guard checkResult.invalidRecords.count > notes?.skippedCount ?? 0 else { return nil }
        let row = NumberText.count(checkResult.invalidRecords.first + 1)
        guard checkResult.invalidRecords.count > 1 else { return "row \(row) is not valid JSON" }
        return "\(NumberText.count(checkResult.invalidRecords.count)) rows are not valid JSON (first: row \(row))"
    }

    /// A phrase about objects that have a key twice; `nil` without such objects. Only the last value of such a key is read. Objects in
    /// cells of JSON text are not counted, because these cells contain both values.
    private func repeatedKeysPhrase(for checkResult: JSONCheckResult) -> String? {
        let records = checkResult.recordsWithRepeatedKeys
        guard records.count > 0 else { return nil }
        let row = NumberText.count(records.first + 1)
        guard records.count > 1 else { return "row \(row) has a key twice; only its last value is read" }
        return "\(NumberText.count(records.count)) rows have a key twice (first: row \(row)); only the last value of a key is read"
    }

    /// A phrase about escapes of unpaired surrogates, which are replaced with U+FFFD; `nil` without any.
    private func replacementPhrase(for checkResult: JSONCheckResult) -> String? {
        guard checkResult.recordsWithReplacements.count > 0 else { return nil }
        let row = NumberText.count(checkResult.recordsWithReplacements.first + 1)
        guard checkResult.recordsWithReplacements.count > 1 else {
            return "row \(row) has an escape of an unpaired surrogate, replaced with U+FFFD"
        }
        let count = NumberText.count(checkResult.recordsWithReplacements.count)
        return "\(count) rows have escapes of unpaired surrogates (first: row \(row)), replaced with U+FFFD"
    }
}
