import DelimitedText
import FieldValues
import Locks
import Tables

/// Many files as one table. Columns with the same title become one column. The first columns contain the file name and the partition
/// values.
///
/// Opening reads only the start of the first file. ``readAll(threads:priority:progress:)`` reads the files in order and skips
/// unreadable ones. At most ``OpenFiles/maximumCount`` files are open at once.
final class ConcatSource: RereadableSource {
    let selection: FileSelection
    /// The folders that were read to find the files, with their status at that time.
    private let folders: Mutex<[FileFinder.File]>
    let fileFields: FileFields
    let open: OpenFiles
    private let notes: [String]
    /// A phrase with the number of files that are left out because of their suffix; `nil` for zero files.
    private let otherFiles: String?
    private let state: Mutex<State>
    /// A number unique among the sources of this process.
    private let serial = TableSerial.next()

    private struct State {
        var columns = UnitedColumns()
        /// The files that are completely read or left out, in order.
        var finished: [ConcatFile] = []
        /// True if a file has null values.
        var hasNulls = false
        /// True if all files opened so far are JSON or empty.
        var isJSON = true
        /// True if JSON strings always count as text: no file has strings whose types are guessed.
        var stringsAreText = true
        /// For each finished file, its first record in the table. The last element is the record count of all finished files.
        var starts = [0]
        var reading: Reading?
        /// The estimated size in bytes of the records of the finished files.
        var recordBytes = 0
        /// The size on disk of the finished files.
        var bytesDone = 0
        /// The reasons why files are left out or shown only in part: one or two sentences for each file.
        var failures: [String] = []
        /// The number of files that are not tables, and the error message of the first such file.
        var notTables: (count: Int, first: String) = (0, "")
        var problems: [String] = []
        var losses = FileConversions(limit: ConcatSource.maximumProblems)
        /// Conversions without a loss of characters. They are separate from ``losses``, so that they never hide a conversion with a loss.
        var changes = FileConversions(limit: 3)
        var omission: String?
        var hasInvalidText = false
        /// The index of the first file that the next check for changes examines.
        var nextCheck = 0
    }

    /// The file that is being read, with the state of reading it.
    private struct Reading {
        var file: Int
        var source: any TableSource
        var map: ColumnMap?
    }

    /// The maximum number of problems on the file details.
    private static let maximumProblems = 100

    /// Opens the first file that can be opened.
    /// - Throws: a `TableError` if no file can be opened.
    init(_ selection: FileSelection, _ found: FileFinder, by opener: FileOpener, openLimit: Int = OpenFiles.maximumCount) throws {
        self.selection = selection
        folders = Mutex(found.folders)
        open = OpenFiles(found.files, opener, limit: openLimit)
        fileFields = FileFields(found.files.map(\.path))
        notes = found.notes
        otherFiles = found.otherFiles
        bytes = found.files.reduce(0) { $0 + $1.status.size }
        var state = State()
        state.failures = found.failures
        self.state = Mutex(state)
        var failure: (any Error)?
        while let file = self.state.withLock({ $0.finished.count < found.files.count ? $0.finished.count : nil }) {
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
        let source = try open.source(file) { text in self.hasHeader(text, file) }
        let stringsAreText = source.snapshot().hasTypedStrings(inColumn: 0)
        state.withLock { state in
            let map = state.columns.map(source, extending: nil)
            state.hasNulls = state.hasNulls || source.hasNulls
            // An empty file has no values, so it does not change how the values of the other files are read.
            if !map.columns.isEmpty {
                state.isJSON = state.isJSON && map.isJSON
                state.stringsAreText = state.stringsAreText && stringsAreText
            }
            state.reading = Reading(file: file, source: source, map: map)
        }
    }

    /// Decides by comparison with other files if the first line of a file is its header. Returns `nil` to keep the detected result.
    private func hasHeader(_ text: DelimitedFile, _ file: Int) -> Bool? {
        let columns = state.withLock { $0.columns }
        if text.hasColumnNames {
            // If a file has a single line of strings, it is detected as a header. It may also be a record.
            let table = text.snapshot()
            let isLine = table.isComplete && table.recordCount == 0 && text.columnCount == columns.firstCount
            return isLine && !text.header.contains(where: columns.contains) ? false : nil
        }
        guard let texts = text.firstTexts else { return nil }
        if columns.count > 0 { return texts.allSatisfy(columns.contains) ? true : nil }
        // If the next file starts with the same line, the line is a header.
        guard file + 1 < open.files.count, let second = try? open.opener.openFile(path: open.files[file + 1].path) as? DelimitedFile else {
            return nil
        }
        return !second.hasColumnNames && second.firstTexts == texts ? true : nil
    }

    /// Adds columns that were found in the current file since the previous call.
    private static func update(_ state: inout State) {
        guard let reading = state.reading, reading.source.columnCount > reading.map?.columns.count ?? 0 else { return }
        state.reading?.map = state.columns.map(reading.source, extending: reading.map)
    }

    /// Adds a file that was read completely to the finished files.
    private func commit(_ reading: Reading) {
        let source = reading.source
        let table: any Table = source.snapshot()
        let collects = state.withLock { $0.problems.count < Self.maximumProblems }
        let problems = collects ? source.problems : []
        let (conversions, omission, isInvalid) = (source.conversions, source.omission, source.mayContainInvalidText)
        let label = label(reading.file)
        state.withLock { state in
            Self.update(&state)
            add(ConcatFile(count: table.recordCount, map: state.reading?.map, partial: nil), to: &state)
            state.recordBytes += min(table.recordCount, 1 << 40) * min(table.meanRecordBytes, 1 << 20)
            state.problems += problems.map { "\(label): \($0)" }
            state.losses.add(conversions.filter(\.isLoss), label)
            state.changes.add(conversions.filter { !$0.isLoss }, label)
            if state.omission == nil { state.omission = omission.map { "\(label): \($0)" } }
            if isInvalid { state.hasInvalidText = true }
            state.reading = nil
        }
    }

    private func add(_ finishedFile: ConcatFile, to state: inout State) {
        state.bytesDone += open.files[state.finished.count].status.size
        state.finished.append(finishedFile)
        state.starts.append(state.starts[state.starts.count - 1] + finishedFile.count)
    }

    /// Leaves out a file. If some of its records were read, leaves out only the remaining records.
    private func leaveOut(_ file: Int, _ error: any Error) {
        let message = (error as? any TableError)?.message ?? "\(error)"
        let isNotTable = error is FormatError && !open.opener.isDamaged(open.files[file].path)
        let label = label(file)
        state.withLock { state in
            Self.update(&state)
            let table: (any Table)? = state.reading.map { $0.source.snapshot() }
            if let table, table.recordCount > 0 {
                state.failures.append("\(label) is shown only partly. \(message)")
                add(ConcatFile(count: table.recordCount, map: state.reading?.map, partial: table), to: &state)
            } else {
                if isNotTable {
                    state.notTables = (state.notTables.count + 1, state.notTables.count == 0 ? message : state.notTables.first)
                } else {
                    state.failures.append("\(label) is left out. \(message)")
                }
                add(ConcatFile(count: 0, map: nil, partial: nil), to: &state)
            }
            state.reading = nil
        }
    }

    private func label(_ file: Int) -> String { fileFields.labels[file].withoutControls }

    func readAll(threads: Int, priority: ReadPriority, progress: @Sendable (ReadProgress) -> Bool) throws {
        // Progress is not reported for each file, because a report takes as long as reading a small file.
        let limiter = ReportLimiter()
        var openEnd = 0
        while true {
            let reading: Reading
            if let current = state.withLock({ $0.reading }) {
                reading = current
            } else {
                guard let file = state.withLock({ $0.finished.count < open.files.count ? $0.finished.count : nil }) else { break }
                if threads > 1, file >= openEnd { openEnd = open.openAhead(from: file, threads: threads, priority: priority) }
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
                try reading.source.readAll(threads: threads, priority: priority) { _ in
                    guard limiter.startReport() else { return true }
                    if progress(report()) { return true }
                    isStopped.store(true, ordering: .relaxed)
                    return false
                }
            } catch {
                leaveOut(reading.file, error)
                continue
            }
            if isStopped.load(ordering: .relaxed) { return }
            commit(reading)
        }
        _ = progress(report())
    }

    private func report() -> ReadProgress {
        let (done, records) = state.withLock { state in
            (
                Self.bytesDone(state, open.files),
                state.starts[state.starts.count - 1] + (state.reading.map { Self.recordCount($0.source) } ?? 0)
            )
        }
        return ReadProgress(bytesDone: done, bytesTotal: bytes, records: records)
    }

    private static func recordCount(_ source: any TableSource) -> Int { source.snapshot().recordCount }

    /// The size on disk of the finished files, plus the bytes read from the current file.
    private static func bytesDone(_ state: State, _ files: [FileFinder.File]) -> Int {
        guard let reading = state.reading else { return state.bytesDone }
        let share = Double(reading.source.indexedByteCount) / Double(max(1, reading.source.byteCount))
        let size = files[reading.file].status.size
        return state.bytesDone + min(size, max(0, Int(Double(size) * min(1, max(0, share)))))
    }

    func wakeReader() { state.withLock { $0.reading?.source }?.wakeReader() }
    func beginUrgentRead() { state.withLock { $0.reading?.source }?.beginUrgentRead() }
    func endUrgentRead() { state.withLock { $0.reading?.source }?.endUrgentRead() }

    // MARK: Properties

    var name: String { selection.name }
    var path: String? {
        guard let table = open.opener.table else { return selection.path }
        return selection.path.map { TablePath(file: $0, table: table).text }
    }
    /// The total size of all files when they were found.
    private let bytes: Int
    var byteCount: Int { bytes }
    var indexedByteCount: Int { state.withLock { Self.bytesDone($0, open.files) } }
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

    func snapshot() -> ConcatTable {
        state.withLock { state in
            Self.update(&state)
            let current: (any Table)? = state.reading.map { $0.source.snapshot() }
            let records = state.starts[state.starts.count - 1]
            let bytes = state.recordBytes + (current.map { min($0.recordCount, 1 << 40) * min($0.meanRecordBytes, 1 << 20) } ?? 0)
            let count = records + (current?.recordCount ?? 0)
            return ConcatTable(
                source: self, fileFields: fileFields, finishedFiles: state.finished, starts: state.starts, current: current,
                currentMap: state.reading?.map, nested: state.columns.nested, isJSON: state.isJSON, stringsAreText: state.stringsAreText,
                columnCount: fileFields.count + state.columns.count, isComplete: state.finished.count == open.files.count, serial: serial,
                meanRecordBytes: max(1, bytes / max(1, count)))
        }
    }

    /// Maps the columns of a file to the columns of the table. Columns that are not in the table are left out.
    func knownMap(of source: any TableSource) -> ColumnMap {
        state.withLock { $0.columns.map(source, extending: nil, adds: false) }
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
        var file = open.files.count
        let first = max(table.finishedFiles.count, open.files.count - 256)
        while records.count < count, file > first {
            file -= 1
            guard let source = try? open.source(file, header: { self.hasHeader($0, file) }),
                let tail = try? source.tail(atLeast: count - records.count)
            else { continue }
            let map = knownMap(of: source)
            isSettled = isSettled && tail.isSettled && !map.columns.contains(-1)
            records = tail.records.map { table.united($0, file: file, map) } + records
        }
        let missing = count - records.count
        if missing > 0, file == table.finishedFiles.count {
            let finished = table.starts[table.starts.count - 1]
            let range = max(0, finished - missing)..<finished
            records = try table.records(range, maximumFieldBytes: 4_096) + records
        }
        return TailRecords(records: records, firstByteOffset: records.first?.byteRange.lowerBound ?? 0, isSettled: isSettled)
    }

    // MARK: Profiles

    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] {
        let deadline = Platform.milliseconds() + max(0, budgetMilliseconds)
        var profiles = dataProfiles(from: 0, budgetMilliseconds: budgetMilliseconds)
        // Text files open quickly. Files in the middle and at the end are sampled, too, because their values may have other kinds.
        let count = open.files.count
        if budgetMilliseconds > 0, state.withLock({ $0.reading?.file == 0 && $0.reading?.source is any FileSource }) {
            let kind = FileKind(open.files[0].path)
            var sampled: [Int] = []
            for file in [count - 1, count / 2, count / 4, count * 3 / 4] where file > 0 && !sampled.contains(file) {
                sampled.append(file)
            }
            for (number, file) in sampled.enumerated() where kind.compression == nil && FileKind(open.files[file].path) == kind {
                // The first of these, the last file, is sampled even after the deadline, so that the result depends less on the speed of
                // the machine.
                if number > 0, Platform.milliseconds() >= deadline { break }
                guard let source = try? open.source(file, header: { self.hasHeader($0, file) }) else { continue }
                Self.merge(source.profiles(budgetMilliseconds: 0), knownMap(of: source), into: &profiles)
            }
        }
        return fileFields.profiles + profiles
    }

    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        if first >= fileFields.count { return dataProfiles(from: first - fileFields.count, budgetMilliseconds: 0) }
        return fileFields.profiles.dropFirst(max(0, first)) + dataProfiles(from: 0, budgetMilliseconds: 0)
    }

    /// The profiles of the columns except the file fields. Each comes from the first file found that has the column.
    private func dataProfiles(from first: Int, budgetMilliseconds: Int) -> [ColumnProfile] {
        let (finished, reading, count) = state.withLock { state in
            Self.update(&state)
            return (state.finished, state.reading, state.columns.count)
        }
        var profiles = [ColumnProfile](repeating: ColumnProfile(), count: max(0, count - first))
        var missing = Set(first..<max(first, count))
        func add(_ source: any TableSource, _ map: ColumnMap) {
            let columns = map.columns.filter { missing.contains(Int($0)) }
            guard !columns.isEmpty else { return }
            let fileProfiles = source.profiles(budgetMilliseconds: budgetMilliseconds)
            for (column, profile) in zip(map.columns, fileProfiles) where missing.contains(Int(column)) {
                profiles[Int(column) - first] = profile
            }
            missing.subtract(columns.map(Int.init))
        }
        // A request that does not start at the first column is about columns of the latest files, so the search begins there.
        if first == 0 {
            for (file, finishedFile) in finished.enumerated() where !missing.isEmpty { addFile(file, finishedFile) }
            if let reading, let map = reading.map { add(reading.source, map) }
        } else {
            if let reading, let map = reading.map { add(reading.source, map) }
            for (file, finishedFile) in finished.enumerated().reversed() where !missing.isEmpty { addFile(file, finishedFile) }
        }
        func addFile(_ file: Int, _ finishedFile: ConcatFile) {
            guard let map = finishedFile.map, map.columns.contains(where: { missing.contains(Int($0)) }),
                let source = try? open.source(file)
            else { return }
            add(source, map)
        }
        return profiles
    }

    /// Changes the profiles, so that they also cover the values of another file.
    private static func merge(_ other: [ColumnProfile], _ map: ColumnMap, into profiles: inout [ColumnProfile]) {
        for (column, profile) in zip(map.columns, other) where profiles.indices.contains(Int(column)) {
            profiles[Int(column)] = profiles[Int(column)].united(with: profile)
        }
    }

    // MARK: Changes

    /// Checks the status of the folders and, if they have changed, looks for new and deleted files. Also checks the next 512 files, so that
    /// repeated calls check all files.
    func checkForChange() -> FileChange {
        if selection.hasChanged(since: folders.withLock { $0 }), let now = try? findFilesAgain() {
            if now.files.isEmpty { return .deleted }
            let (old, new) = (open.files.map(\.path), now.files.map(\.path))
            if old != new {
                let isSuperset = Set(new).isSuperset(of: old)
                return isSuperset ? .grown(to: now.files.reduce(0) { $0 + $1.status.size }) : .replaced
            }
            // The change in the folder concerns only files outside of this table.
            folders.withLock { $0 = now.folders }
        }
        let count = open.files.count
        let start = state.withLock { state in
            defer { state.nextCheck = (state.nextCheck + 512) % max(1, count) }
            return state.nextCheck
        }
        for step in 0..<min(512, count) {
            let file = (start + step) % count
            let before = open.status(file) ?? open.files[file].status
            guard let now = Platform.status(ofPath: open.files[file].path) else { return .replaced }
            if now != before {
                return now.inode == before.inode && now.size > before.size ? .grown(to: bytes + now.size - before.size) : .replaced
            }
        }
        return .unchanged
    }

    func isUnchanged() -> Bool {
        guard state.withLock({ $0.failures.isEmpty }), let now = try? findFilesAgain() else { return false }
        return now.files.map(\.path) == open.files.map(\.path)
            && now.files.indices.allSatisfy { now.files[$0].status == open.status($0) ?? open.files[$0].status }
    }

    /// Searches for the files again, and opens them.
    func reread(by opener: FileOpener) throws -> any TableSource { try ConcatSource(selection, try findFilesAgain(), by: opener) }

    /// A copy of the first rows of the first file.
    func sample(by opener: FileOpener) throws -> (any TableSource)? { try (first as? any RereadableSource)?.sample(by: opener) }

    private func findFilesAgain() throws -> FileFinder {
        var found = try selection.find()
        // When a folder is read again, files with other suffixes are left out as before.
        let kind = FileKind(open.files[0].path).name
        if case .folder = selection { found.keep(found.files.filter { FileKind($0.path).name == kind }) }
        return found
    }

    // MARK: Notes

    /// The source of the current file or, if no file is being read, of the first file that is not left out.
    private var first: (any TableSource)? {
        if let reading = state.withLock({ $0.reading }) { return reading.source }
        guard let file = state.withLock({ $0.finished.firstIndex { $0.map != nil } }) else { return nil }
        return try? open.source(file)
    }

    /// The names of details that are shown for the whole table, because they probably apply to all files.
    private static let sharedDetails: Set<String> = ["format", "delimiter", "quote", "encoding", "line endings"]

    var details: [(name: String, value: String)] {
        let omitted = state.withLock { state in state.finished.count { $0.map == nil } }
        let files = NumberText.count(open.files.count - omitted) + (omitted > 0 ? " (\(NumberText.count(omitted)) left out)" : "")
        return [("files", files)] + (first?.details.filter { Self.sharedDetails.contains($0.name) } ?? [])
    }

    var problems: [String] {
        let state = state.withLock { state in
            (state.failures, state.notTables, state.problems, state.reading, state.columns.isFull)
        }
        var problems = Array(state.0.prefix(Self.maximumProblems))
        if state.0.count > problems.count { problems.append("\(NumberText.count(state.0.count - problems.count)) more files are left out") }
        if let notTables = Self.notTablesPhrase(state.1) { problems.append(notTables) }
        problems += notes
        problems += state.2
        if let reading = state.3 { problems += reading.source.problems.map { "\(label(reading.file)): \($0)" } }
        if state.4 { problems.append("only \(NumberText.count(UnitedColumns.maximumCount)) columns are shown") }
        return problems
    }

    var suggestions: [ReadingSuggestion] {
        (first?.suggestions ?? []).filter { suggestion in
            if case .totalsRow = suggestion { return false }
            return true
        }
    }

    var mayContainInvalidText: Bool {
        let (known, reading) = state.withLock { ($0.hasInvalidText, $0.reading) }
        return known || reading?.source.mayContainInvalidText == true
    }

    var conversions: [TextConversion] {
        let state = state.withLock { $0 }
        let (failures, notTables, reading) = (state.failures, state.notTables, state.reading)
        var leftOut = failures.prefix(Self.maximumProblems).map { TextConversion($0, isLoss: true) }
        let name = name.withoutControls
        if let phrase = Self.notTablesPhrase(notTables) {
            // For a pattern, this is not a loss: the user may know that a pattern such as `*` also matches other files.
            let isPattern = if case .pattern = selection { true } else { false }
            leftOut.append(TextConversion("\(name): \(phrase)", isLoss: !isPattern))
        }
        if let otherFiles { leftOut.append(TextConversion("\(name): \(otherFiles).", isLoss: true)) }
        return leftOut + state.losses.all(ofTable: name) + state.changes.all(ofTable: name)
            + (reading.map { reading in
                reading.source.conversions.map { $0.labeled(label(reading.file)) }
            } ?? [])
    }

    /// A phrase about the files that are not tables; `nil` for zero files.
    private static func notTablesPhrase(_ files: (count: Int, first: String)) -> String? {
        switch files.count {
        case 0: nil
        case 1: "one file is left out because it is not a table: \(files.first)"
        default: "\(NumberText.count(files.count)) files are left out because they are not tables. The first: \(files.first)"
        }
    }

    var omission: String? {
        let (known, reading, isFull) = state.withLock { ($0.omission, $0.reading, $0.columns.isFull) }
        if isFull { return "The files have more than \(NumberText.count(UnitedColumns.maximumCount)) columns." }
        return known ?? reading.flatMap { reading in reading.source.omission.map { "\(label(reading.file)): \($0)" } }
    }
}

/// The conversions of many files. An object contains either only conversions with a loss of characters, or only conversions without a loss.
private struct FileConversions {
    /// The maximum number of conversions that are listed.
    let limit: Int
    private var listed: [TextConversion] = []
    /// The number of files with conversions that are not listed.
    private var otherFiles = 0
    private var othersReplaceCharacters = false

    init(limit: Int) { self.limit = limit }

    /// Adds the conversions of a file.
    mutating func add(_ conversions: [TextConversion], _ label: String) {
        let others = conversions.dropFirst(limit - listed.count)
        listed += conversions.dropLast(others.count).map { $0.labeled(label) }
        guard !others.isEmpty else { return }
        otherFiles += 1
        if others.contains(where: \.replacesCharacters) { othersReplaceCharacters = true }
    }

    /// The listed conversions, followed by one for the number of files that are not listed.
    func all(ofTable name: String) -> [TextConversion] {
        guard otherFiles > 0, let first = listed.first else { return listed }
        let files = otherFiles == 1 ? "1 other file has" : "\(NumberText.count(otherFiles)) other files have"
        let sentence = "\(name): \(files) \(first.isLoss ? "losses" : "notes") that are not listed."
        return listed + [TextConversion(sentence, isLoss: first.isLoss, replacesCharacters: othersReplaceCharacters)]
    }
}

/// Limits progress reports to one per 10 ms.
private final class ReportLimiter: Sendable {
    private let lastReport = Atomic(Platform.milliseconds())

    /// True if at least 10 ms have passed since the last report. The caller then reports the progress.
    func startReport() -> Bool {
        let now = Platform.milliseconds()
        let before = lastReport.load(ordering: .relaxed)
        return now - before >= 10 && lastReport.compareExchange(expected: before, desired: now, ordering: .relaxed).exchanged
    }
}

extension ColumnProfile {
    /// The profile of a column with values in two files. If one of the two kinds includes the other one, the profile has the more general
    /// kind; otherwise, it is text.
    func united(with other: ColumnProfile) -> ColumnProfile {
        if other.sampledCount == other.emptyCount { return self }
        if sampledCount == emptyCount { return other }
        var profile = self
        let kinds: Set<ValueKind> = [kind, other.kind]
        if kind == other.kind {
            profile.kind = kind
        } else if kinds == [.integer, .decimal] {
            profile.kind = .decimal
        } else if kinds == [.date, .dateTime] {
            profile.kind = .dateTime
        } else {
            profile.kind = .text
        }
        if profile.kind.isNumber, notation.withoutUnit != other.notation.withoutUnit {
            // Whole numbers have no decimal separator, so the other column decides the notation.
            if kind == .integer { profile.notation = other.notation } else if other.kind != .integer { profile.kind = .text }
        }
        let (unit, otherUnit) = (notation.unit, other.notation.unit)
        if unit.isCurrency, otherUnit.isCurrency {
            profile.notation.unit = unit
            if !unit.hasSameSymbol(as: otherUnit) { profile.kind = .text }
        } else if !unit.hasSameSymbol(as: otherUnit) {
            // Plain numbers can be united with a currency and the signs of accounting, but not with a percent sign.
            let units = [unit, otherUnit]
            profile.notation.unit = units.first(where: \.isCurrency) ?? units.first { $0 == .accounting } ?? .none
        }
        if profile.kind.isTemporal, dateNotation != other.dateNotation {
            if hasAmbiguousDates { profile.dateNotation = other.dateNotation } else if !other.hasAmbiguousDates { profile.kind = .text }
        }
        profile.hasAmbiguousDates = hasAmbiguousDates && other.hasAmbiguousDates
        profile.hasIdentifiers = hasIdentifiers && other.hasIdentifiers
        profile.hasFlagWords = hasFlagWords || other.hasFlagWords
        profile.maximumFractionDigits = max(maximumFractionDigits, other.maximumFractionDigits)
        profile.sampledCount += other.sampledCount
        profile.emptyCount += other.emptyCount
        var texts = sampleTexts + other.sampleTexts.filter { !sampleTexts.contains($0) }
        texts.sort { $0.utf8.count > $1.utf8.count }
        profile.sampleTexts = Array(texts.prefix(Self.sampleTextCount))
        return profile
    }
}
