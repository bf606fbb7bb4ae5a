import DelimitedText
import FieldValues
import Locks
import Tables

/// Many files as one table. Columns with the same title become one column. The first columns contain the file name and the partition
/// values. ``MainFiles`` decides which files are left out because they are not parts of the table.
///
/// Opening reads only the start of the first file. ``readAll(threads:priority:progress:)`` reads the files in order and skips
/// unreadable ones. At most ``OpenFiles/maximumCount`` files are open at once.
final class ConcatSource: RereadableSource {
    let selection: FileSelection
    /// The folders that were read to find the files, with their status at that time.
    private let folders: Mutex<[FileFinder.File]>
    let fileFields: FileFields
    let openFiles: OpenFiles
    /// Decides which files are left out; `nil` if all files belong to the table.
    private let mainFiles: MainFiles?
    private let state: Mutex<State>
    /// A number unique among the sources of this process.
    private let serial = TableSerial.next()

    private struct State {
        var columns = MergedColumns()
        var finishedFiles = FinishedFiles()
        /// True if a file has null values.
        var hasNulls = false
        /// True if all files opened so far are JSON or empty.
        var isJSON = true
        /// True if a file opened so far is JSON and not empty.
        var hasJSON = false
        /// True if a file opened so far is not JSON and has lists, maps or text that is declared as JSON.
        var hasNestedValues = false
        /// True if JSON strings always count as text: no file has strings whose types are guessed.
        var stringsAreText = true
        var currentFile: CurrentFile?
        var notes: FileNotes
        var mismatches = NotationMismatches()
        /// The index of the first file that the next check for changes examines.
        var nextCheck = 0
    }

    /// The file that is being read, with the state of reading it.
    struct CurrentFile {
        var file: Int
        var source: any TableSource
        var map: ColumnMap?
        /// The number of columns of the table before the file added its own.
        var earlierColumnCount: Int

        /// True if the file has columns, but shares none of them with the files before it.
        var isUnrelated: Bool {
            guard earlierColumnCount > 0, let columns = map?.columns, !columns.isEmpty else { return false }
            return columns.allSatisfy { $0 >= earlierColumnCount }
        }
    }

    /// Opens the first file that can be opened.
    /// - Throws: a `TableError` if no file can be opened.
    init(_ selection: FileSelection, _ found: FileFinder, by opener: FileOpener, openLimit: Int = OpenFiles.maximumCount) throws {
        self.selection = selection
        folders = Mutex(found.folders)
        openFiles = OpenFiles(found.files, opener, limit: openLimit)
        fileFields = FileFields(found.files.map(\.path))
        mainFiles = MainFiles(openFiles, labels: fileFields.labels)
        bytes = found.files.reduce(0) { $0 + $1.status.size }
        state = Mutex(State(notes: FileNotes(found)))
        var failure: (any Error)?
        while let file = state.withLock({ $0.finishedFiles.count < found.files.count ? $0.finishedFiles.count : nil }) {
            do {
                try begin(file)
                return
            } catch {
                failure = failure ?? error
                leaveOut(file, error)
            }
        }
        throw failure ?? FormatError("\(selection.name.withoutControls) contains no files.")
    }

    // MARK: Reading

    /// Opens a file to read it after the finished files.
    private func begin(_ file: Int) throws {
        guard state.withLock({ $0.finishedFiles.hasRoomForRecords }) else {
            throw UnrelatedFile(message: "The earlier files have too many rows.")
        }
        let source = try openFiles.source(file) { text in self.hasHeader(text, file) }
        if let reason = reason(toLeaveOut: source, file) { throw UnrelatedFile(message: reason) }
        let stringsAreText = source.snapshot().hasTypedStrings(inColumn: 0)
        state.withLock { state in
            let earlierColumnCount = state.columns.count
            let map = state.columns.columnMap(of: source, extending: nil)
            state.hasNulls = state.hasNulls || source.hasNulls
            // An empty file has no values, so it does not change how the values of the table are read.
            if !map.columns.isEmpty {
                state.isJSON = state.isJSON && map.isJSON
                state.hasJSON = state.hasJSON || map.isJSON
                state.hasNestedValues = state.hasNestedValues || map.hasNestedValues && !map.isJSON
                state.stringsAreText = state.stringsAreText && stringsAreText
            }
            state.currentFile = CurrentFile(file: file, source: source, map: map, earlierColumnCount: earlierColumnCount)
        }
    }

    /// The sentences that say why a file does not belong to the table; `nil` if the file belongs to the table.
    func reason(toLeaveOut source: any TableSource, _ file: Int) -> String? {
        mainFiles?.reason(toLeaveOut: source, path: openFiles.files[file].path, columns: state.withLock { $0.columns })
    }

    /// Decides by comparison with other files if the first line of a file is its header. Returns `nil` to keep the detected result.
    func hasHeader(_ text: DelimitedFile, _ file: Int) -> Bool? {
        let columns = state.withLock { $0.columns }
        if text.hasColumnNames {
            // If a file has only one line, and the line contains strings, the line is detected as a header. It may also be a record.
            let table = text.snapshot()
            let isLine = table.isComplete && table.recordCount == 0 && text.columnCount == columns.firstCount
            return isLine && !text.header.contains(where: columns.contains) ? false : nil
        }
        guard let texts = text.firstTexts else { return nil }
        if columns.count > 0 { return texts.allSatisfy(columns.contains) ? true : nil }
        // If the next file starts with the same line, the line is a header.
        guard file + 1 < openFiles.files.count,
            let second = try? openFiles.opener.openFile(path: openFiles.files[file + 1].path).delimitedText
        else {
            return nil
        }
        return !second.hasColumnNames && second.firstTexts == texts ? true : nil
    }

    /// Adds columns that were found in the current file since the previous call.
    private static func update(_ state: inout State) {
        guard let currentFile = state.currentFile, currentFile.source.columnCount > currentFile.map?.columns.count ?? 0 else { return }
        state.currentFile?.map = state.columns.columnMap(of: currentFile.source, extending: currentFile.map)
    }

    /// Adds a file that was read completely to the finished files.
    private func commit(_ currentFile: CurrentFile) {
        let table: any Table = currentFile.source.snapshot()
        let notes = FileNotes.Notes(currentFile.source, withProblems: state.withLock { $0.notes.hasRoomForProblems })
        let columns = state.withLock { state in
            Self.update(&state)
            return state.mismatches.columnsToCompare(state.currentFile?.map, isColumnar: table is any ColumnarTable)
        }
        let profiles = NotationMismatches.sample(currentFile.source, columns, notation: openFiles.opener.dialect.notation)
        state.withLock { state in
            Self.update(&state)
            if state.currentFile?.isUnrelated == true { state.notes.addUnrelatedFile(label(currentFile.file)) }
            add(ConcatFile(count: table.recordCount, map: state.currentFile?.map, partialTable: nil), table, to: &state)
            state.notes.add(notes, label(currentFile.file))
            if let map = state.currentFile?.map {
                state.mismatches.add(profiles, of: columns.map { map.columns[$0] }, label(currentFile.file))
            }
            state.currentFile = nil
        }
    }

    private func add(_ file: ConcatFile, _ table: (any Table)?, to state: inout State) {
        state.finishedFiles.add(
            file, byteCount: openFiles.files[state.finishedFiles.count].status.size, meanRecordBytes: table?.meanRecordBytes ?? 0)
    }

    /// Leaves out a file. If some of its records were read, leaves out only the remaining records.
    private func leaveOut(_ file: Int, _ error: any Error) {
        let message = (error as? any TableError)?.message ?? "\(error)"
        // A file that is not a table has no rows that would be missing. An unrelated or damaged file does have rows, so it is reported
        // separately.
        let isNotTable = error is FormatError && !openFiles.opener.isDamaged(openFiles.files[file].path)
        let label = label(file)
        state.withLock { state in
            Self.update(&state)
            let table: (any Table)? = state.currentFile.map { $0.source.snapshot() }
            if let table, table.recordCount > 0 {
                state.notes.addPartialFile(label, message)
                add(ConcatFile(count: table.recordCount, map: state.currentFile?.map, partialTable: table), nil, to: &state)
            } else {
                state.notes.addLeftOutFile(label, message, isNotTable: isNotTable)
                add(ConcatFile(count: 0, map: nil, partialTable: nil), nil, to: &state)
            }
            state.currentFile = nil
        }
    }

    private func label(_ file: Int) -> String { fileFields.labels[file].withoutControls }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        // Progress is not reported for each file, because a report takes as long as reading a small file.
        let limiter = ReportLimiter()
        var openEnd = 0
        while true {
            let currentFile: CurrentFile
            if let current = state.withLock({ $0.currentFile }) {
                currentFile = current
            } else {
                guard let file = state.withLock({ $0.finishedFiles.count < openFiles.files.count ? $0.finishedFiles.count : nil }) else {
                    break
                }
                if threads > 1, file >= openEnd { openEnd = openFiles.openAhead(from: file, threads: threads, priority: priority) }
                do {
                    try begin(file)
                } catch {
                    leaveOut(file, error)
                }
                if limiter.startReport(), !progress(report()) { return }
                continue
            }
            let isStopped = Atomic(false)
            do {
                try currentFile.source.readAll(threads: threads, priority: priority) { _ in
                    guard limiter.startReport() else { return true }
                    if progress(report()) { return true }
                    isStopped.store(true, ordering: .relaxed)
                    return false
                }
            } catch {
                leaveOut(currentFile.file, error)
                continue
            }
            if isStopped.load(ordering: .relaxed) { return }
            commit(currentFile)
        }
        _ = progress(report())
    }

    private func report() -> ReadProgress {
        let (done, records) = state.withLock { state in
            (
                Self.bytesDone(state, openFiles.files),
                state.finishedFiles.recordCount + (state.currentFile.map { Self.recordCount($0.source) } ?? 0)
            )
        }
        return ReadProgress(bytesDone: done, bytesTotal: bytes, records: records)
    }

    private static func recordCount(_ source: any TableSource) -> Int { source.snapshot().recordCount }

    /// The size on disk of the finished files, plus the bytes read from the current file.
    private static func bytesDone(_ state: State, _ files: [FileFinder.File]) -> Int {
        guard let currentFile = state.currentFile else { return state.finishedFiles.byteCount }
        let share = Double(currentFile.source.indexedByteCount) / Double(max(1, currentFile.source.byteCount))
        let size = files[currentFile.file].status.size
        return state.finishedFiles.byteCount + min(size, max(0, Int(Double(size) * min(1, max(0, share)))))
    }

    func wakeReader() { state.withLock { $0.currentFile?.source }?.wakeReader() }
    func beginUrgentRead() { state.withLock { $0.currentFile?.source }?.beginUrgentRead() }
    func endUrgentRead() { state.withLock { $0.currentFile?.source }?.endUrgentRead() }

    // MARK: Properties

    var name: String { selection.name }
    var path: String? {
        guard let table = openFiles.opener.table else { return selection.path }
        return selection.path.map { TablePath(file: $0, table: table).text }
    }
    /// The total size of all files when they were found.
    private let bytes: Int
    var byteCount: Int { bytes }
    var indexedByteCount: Int { state.withLock { Self.bytesDone($0, openFiles.files) } }
    var isGrowing: Bool { false }

    var columnCount: Int {
        state.withLock { state in
            Self.update(&state)
            return fileFields.count + state.columns.count
        }
    }
    var hasColumnNames: Bool { true }
    var mayFindNewFields: Bool { true }
    var hasNulls: Bool { state.withLock { $0.hasNulls } }
    func title(ofColumn column: Int) -> String {
        if column < fileFields.count { return column < 0 ? "" : fileFields.titles[column] }
        return state.withLock { state in
            let column = column - fileFields.count
            return column < state.columns.count ? state.columns.titles[column] : ""
        }
    }

    /// The keys that lead to the values of a column, if they are the same in all JSON files that have the column; otherwise `nil`.
    /// - Parameter column: a column of the table after the file fields.
    func keyPath(ofColumn column: Int) -> [String]? {
        state.withLock { state in
            let column = column - fileFields.count
            return state.columns.keyPaths.indices.contains(column) ? state.columns.keyPaths[column] : nil
        }
    }

    func snapshot() -> ConcatTable {
        state.withLock { state in
            Self.update(&state)
            let current: (any Table)? = state.currentFile.map { $0.source.snapshot() }
            let bytes =
                state.finishedFiles.recordBytes
                + (current.map { FinishedFiles.recordBytes(count: $0.recordCount, mean: $0.meanRecordBytes) } ?? 0)
            let count = state.finishedFiles.recordCount + (current?.recordCount ?? 0)
            return ConcatTable(
                source: self, fileFields: fileFields, finishedFiles: state.finishedFiles.files, starts: state.finishedFiles.starts,
                currentTable: current,
                currentMap: state.currentFile?.map, nested: state.columns.nested, numberStorage: state.columns.numberStorage,
                isJSON: state.isJSON, hasJSON: state.hasJSON, stringsAreText: state.stringsAreText,
                hasNestedValues: state.isJSON || state.hasNestedValues && !state.hasJSON,
                columnCount: fileFields.count + state.columns.count,
                isComplete: state.finishedFiles.count == openFiles.files.count, serial: serial,
                meanRecordBytes: max(1, bytes / max(1, count)))
        }
    }

    /// The finished files, the file that is being read, and the number of columns except the file fields.
    func knownFiles() -> (finished: [ConcatFile], currentFile: CurrentFile?, columnCount: Int) {
        state.withLock { state in
            Self.update(&state)
            return (state.finishedFiles.files, state.currentFile, state.columns.count)
        }
    }

    /// Maps the columns of a file to the columns of the table. Columns that are not in the table are left out.
    func knownMap(of source: any TableSource) -> ColumnMap {
        state.withLock { $0.columns.columnMap(of: source, extending: nil, addsColumns: false) }
    }

    func tail(atLeast count: Int) throws -> TailRecords {
        let table = snapshot()
        guard !table.isComplete else {
            let first = max(0, table.recordCount - max(0, count))
            return TailRecords(
                records: try table.records(first..<table.recordCount, maximumFieldBytes: 4_096), firstByteOffset: 0, isSettled: true)
        }
        var (records, isSettled) = ([Record](), true)
        // Only the last 256 files are searched for records, because many files may be empty.
        var file = openFiles.files.count
        let first = max(table.finishedFiles.count, openFiles.files.count - 256)
        while records.count < count, file > first {
            file -= 1
            guard let source = try? openFiles.source(file, detectHeader: { self.hasHeader($0, file) }),
                reason(toLeaveOut: source, file) == nil,
                let tail = try? source.tail(atLeast: count - records.count)
            else { continue }
            let map = knownMap(of: source)
            isSettled = isSettled && tail.isSettled && !map.columns.contains(-1)
            records = tail.records.map { table.tableRecord(from: $0, file: file, map) } + records
        }
        let missing = count - records.count
        if missing > 0, file == table.finishedFiles.count {
            let finished = table.starts[table.starts.count - 1]
            let range = max(0, finished - missing)..<finished
            records = try table.records(range, maximumFieldBytes: 4_096) + records
        }
        return TailRecords(records: records, firstByteOffset: records.first?.byteRange.lowerBound ?? 0, isSettled: isSettled)
    }

    // MARK: Changes

    /// Checks the status of the folders and, if they have changed, looks for new and deleted files. Also checks the next 512 files, so that
    /// repeated calls check all files.
    func checkForChange() -> FileChange {
        if selection.hasChanged(since: folders.withLock { $0 }), let now = try? findFilesAgain() {
            if now.files.isEmpty { return .deleted }
            let (old, new) = (openFiles.files.map(\.path), now.files.map(\.path))
            if old != new {
                let isSuperset = Set(new).isSuperset(of: old)
                return isSuperset ? .grown(to: now.files.reduce(0) { $0 + $1.status.size }) : .replaced
            }
            // The change in the folder concerns only files outside of this table.
            folders.withLock { $0 = now.folders }
        }
        let count = openFiles.files.count
        let start = state.withLock { state in
            defer { state.nextCheck = (state.nextCheck + 512) % max(1, count) }
            return state.nextCheck
        }
        for step in 0..<min(512, count) {
            let file = (start + step) % count
            let before = openFiles.status(file) ?? openFiles.files[file].status
            guard let now = Platform.status(ofPath: openFiles.files[file].path) else { return .replaced }
            if now != before {
                return now.inode == before.inode && now.size > before.size ? .grown(to: bytes + now.size - before.size) : .replaced
            }
        }
        return .unchanged
    }

    func isUnchanged() -> Bool {
        guard state.withLock({ $0.notes.failures.isEmpty }), let now = try? findFilesAgain() else { return false }
        return now.files.map(\.path) == openFiles.files.map(\.path)
            && now.files.indices.allSatisfy { now.files[$0].status == openFiles.status($0) ?? openFiles.files[$0].status }
    }

    /// Searches for the files again, and opens them.
    func reread(by opener: FileOpener) throws -> any TableSource { try ConcatSource(selection, try findFilesAgain(), by: opener) }

    /// A copy of the first rows of the first file.
    func sample(by opener: FileOpener) throws -> (any TableSource)? { try (firstSource as? any RereadableSource)?.sample(by: opener) }

    private func findFilesAgain() throws -> FileFinder {
        var found = try selection.find()
        // When a folder is read again, files with other suffixes are left out as before.
        let kind = FileKind(openFiles.files[0].path).name
        if case .folder = selection { found.keep(found.files.filter { FileKind($0.path).name == kind }) }
        return found
    }

    // MARK: Notes

    /// Sets the profiles that decide how the values of columns are read, from the column `first` on, not counting the file fields.
    func expect(_ profiles: [ColumnProfile], from first: Int) { state.withLock { $0.mismatches.expect(profiles, from: first) } }

    func mixedValues(of columns: [Int]) -> String? {
        state.withLock { state in
            state.mismatches.phrase(about: columns.map { $0 - fileFields.count }) { state.columns.titles[$0] }
        }
    }

    var mixedValuesAreUnreadable: Bool { true }

    /// The source of the current file or, if no file is being read, of the first file that is not left out.
    var firstSource: (any TableSource)? {
        if let currentFile = state.withLock({ $0.currentFile }) { return currentFile.source }
        guard let file = state.withLock({ $0.finishedFiles.files.firstIndex { $0.map != nil } }) else { return nil }
        return try? openFiles.source(file)
    }

    /// The names of details that are shown for the whole table, because they probably apply to all files.
    private static let sharedDetails: Set<String> = ["format", "delimiter", "quote", "encoding", "line endings"]

    var details: [(name: String, value: String)] {
        let omitted = state.withLock { state in state.finishedFiles.files.count { $0.map == nil } }
        let files = NumberText.count(openFiles.files.count - omitted) + (omitted > 0 ? " (\(NumberText.count(omitted)) left out)" : "")
        return [("files", files)] + (firstSource?.details.filter { Self.sharedDetails.contains($0.name) } ?? [])
    }

    var problems: [String] {
        let (notes, currentFile, isFull, mixed) = state.withLock { state in
            let mixed = state.mismatches.phrase(about: nil) { state.columns.titles[$0] }
            return (state.notes, state.currentFile, state.columns.isFull, mixed)
        }
        var problems = notes.allProblems
        if let currentFile { problems += currentFile.source.problems.map { "\(label(currentFile.file)): \($0)" } }
        if let mixed { problems.append(mixed) }
        if isFull { problems.append("only \(NumberText.count(MergedColumns.maximumCount)) columns are shown") }
        return problems
    }

    var suggestions: [ReadingSuggestion] {
        (firstSource?.suggestions ?? []).filter { suggestion in
            if case .totalsRow = suggestion { return false }
            return true
        }
    }

    var mayContainInvalidText: Bool {
        let (known, currentFile) = state.withLock { ($0.notes.hasInvalidText, $0.currentFile) }
        return known || currentFile?.source.mayContainInvalidText == true
    }

    var conversions: [TextConversion] {
        let (notes, currentFile) = state.withLock { ($0.notes, $0.currentFile) }
        let isPattern = if case .pattern = selection { true } else { false }
        let current = currentFile.map { currentFile in currentFile.source.conversions.map { $0.labeled(label(currentFile.file)) } } ?? []
        return notes.conversions(ofTable: name.withoutControls, isPattern: isPattern) + current
    }

    var omission: String? {
        let (known, currentFile, isFull) = state.withLock { ($0.notes.omission, $0.currentFile, $0.columns.isFull) }
        if isFull { return "The files have more than \(NumberText.count(MergedColumns.maximumCount)) columns." }
        return known ?? currentFile.flatMap { currentFile in currentFile.source.omission?.labeled(label(currentFile.file)) }
    }
}

/// Limits progress reports to one per 10 ms.
private final class ReportLimiter: Sendable {
    private let lastReport = Atomic(Platform.monotonicMilliseconds())

    /// True if at least 10 ms have passed since the last report. The caller then reports the progress.
    func startReport() -> Bool {
        let now = Platform.monotonicMilliseconds()
        let before = lastReport.load(ordering: .relaxed)
        return now - before >= 10 && lastReport.compareExchange(expected: before, desired: now, ordering: .relaxed).exchanged
    }
}
