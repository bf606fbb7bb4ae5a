import DelimitedText
import Dispatch
import Locks
import Tables

/// The open files of a table of many files. The least recently used files are closed, and reopened when they are needed.
final class OpenFiles: Sendable {
    /// The maximum number of files that are open at once. A thread that scans a closed file keeps it open in addition.
    static let maximumCount = 64

    let files: [FileFinder.File]
    let opener: FileOpener
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var entries: [Int: (entry: Entry, used: Int)] = [:]
        var uses = 0
        /// For each file that was compared with other files: true if its first line is a header.
        var hasHeader: [Int: Bool] = [:]
        /// The detected dialects of delimited text. Reopening a file with its dialect is faster and gives the same records.
        var dialects: [Int: DialectRequest] = [:]
        /// The status of each file when it was first opened.
        var opened: [Int: Platform.FileStatus] = [:]
    }

    /// A file that is open, or that a thread is opening. Other threads wait for that thread at the lock.
    private final class Entry: Sendable {
        struct Content {
            var source: (any TableSource)?
            /// The table of the file, after all of its records are known; otherwise `nil`.
            var table: (any Table)?
        }
        let content = Mutex(Content())
    }

    init(_ files: [FileFinder.File], _ opener: FileOpener, limit: Int = OpenFiles.maximumCount) {
        (self.files, self.opener, self.limit) = (files, opener, max(1, limit))
    }

    /// The number of open files.
    var count: Int { state.withLock { $0.entries.count } }

    private func entry(_ file: Int) -> Entry {
        state.withLock { state in
            state.uses += 1
            if let cached = state.entries[file] {
                state.entries[file]?.used = state.uses
                return cached.entry
            }
            if state.entries.count >= limit, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.entries[oldest.key] = nil
            }
            let new = Entry()
            state.entries[file] = (new, state.uses)
            return new
        }
    }

    /// The source of a file, opened if necessary. Its records might not be known yet.
    /// - Parameter detectHeader: can overrule the detection of a header in a text file: true if the first line is a header, `nil` to keep
    ///   the detected result.
    /// - Throws: a `TableError` if the file cannot be opened.
    func source(_ file: Int, detectHeader: (DelimitedFile) -> Bool? = { _ in nil }) throws -> any TableSource {
        try entry(file).content.withLock { content in
            var source = try content.source ?? open(file)
            // Files that were read in the meantime may show that the first line of this file is a header.
            if opener.dialect.hasHeader == nil, content.table == nil, let text = source.delimitedText,
                let hasHeader = detectHeader(text),
                hasHeader != text.hasColumnNames
            {
                state.withLock { $0.hasHeader[file] = hasHeader }
                source = try open(file)
            }
            content.source = source
            return source
        }
    }

    /// The records of a file that was read before. Reopens it if necessary.
    /// - Parameter count: the number of records that the file had.
    /// - Throws: a `TableError` if the file cannot be read, or if it has changed.
    func table(_ file: Int, count: Int) throws -> any Table {
        try entry(file).content.withLock { content in
            if let table = content.table { return table }
            let source = try content.source ?? open(file, isKnown: true)
            content.source = source
            try source.readAll(threads: 1) { _ in true }
            let table: any Table = source.snapshot()
            guard table.recordCount == count else { throw changedFileError(file) }
            content.table = table
            return table
        }
    }

    private func changedFileError(_ file: Int) -> FormatError {
        FormatError("\(files[file].path.withoutControls) has changed since it was read. Reload the files.")
    }

    /// Opens a file.
    /// - Parameter isKnown: true if the file was read before.
    private func open(_ file: Int, isKnown: Bool = false) throws -> any TableSource {
        let path = files[file].path
        guard let status = Platform.status(ofPath: path) else {
            throw FormatError("Cannot open \(path.withoutControls): \(Platform.errorDescription(Platform.lastError)).")
        }
        guard status.kind == .file else { throw FormatError("Cannot open \(path.withoutControls): it is not a regular file.") }
        let (before, hasHeader, dialect) = state.withLock { state in
            defer { if state.opened[file] == nil { state.opened[file] = status } }
            return (state.opened[file], state.hasHeader[file], state.dialects[file])
        }
        if let before, before != status { throw changedFileError(file) }
        var opener = opener
        if let hasHeader { opener.dialect.hasHeader = hasHeader }
        if isKnown, let dialect { opener.dialect = dialect }
        let source = try opener.openFile(path: path)
        // A list of tables is not a table of records.
        if source is ContainerSource || source.path(ofTableInRecord: 0) != nil {
            throw FormatError("\(path.withoutControls) has several tables. Name one of them with --table.")
        }
        if !isKnown, let text = source.delimitedText {
            let dialect = text.dialect
            // Rewritten text has quotes and may have other line endings, even if the file has not.
            let original = ((source as? EscapedSource)?.file ?? text).dialect
            var request = DialectRequest(
                delimiter: dialect.delimiter, quote: .some(original.quote), hasHeader: dialect.hasHeader, encoding: dialect.encoding,
                lineEnd: original.lineEnd, skipLines: dialect.skipLines, commentPrefix: dialect.commentPrefix,
                headerRows: dialect.headerRows, notation: text.notation)
            request.escape = opener.dialect.escape
            let known = request
            state.withLock { $0.dialects[file] = known }
        }
        return source
    }

    // MARK: Opening ahead

    /// Opens the small files that are read next, on several threads. It opens only as many files as can stay open until they are read.
    /// - Returns: the index of the first file that was not considered.
    func openAhead(from first: Int, threads: Int, priority: ReadPriority) -> Int {
        let end = min(files.count, first + min(16, limit / 4))
        let workers = min(threads, end - first, 8)
        guard workers > 1 else { return end }
        let work = PrefetchJob(self, first..<end)
        priority.perform(on: workers) { _ in work.run() }
        return end
    }

    /// Opens some files on several threads. Each thread repeatedly takes the next file.
    private final class PrefetchJob: Sendable {
        private let openFiles: OpenFiles
        private let files: Range<Int>
        private let next: Atomic<Int>

        init(_ openFiles: OpenFiles, _ files: Range<Int>) {
            (self.openFiles, self.files) = (openFiles, files)
            next = Atomic(files.lowerBound)
        }

        func run() {
            while true {
                let file = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard file < files.upperBound else { return }
                // Errors are ignored here: they occur again and are reported when the file is read.
                if openFiles.files[file].status.size <= 1 << 20 { _ = try? openFiles.source(file) }
            }
        }
    }

    /// The status of a file when it was opened; `nil` if it was not opened yet.
    func status(_ file: Int) -> Platform.FileStatus? { state.withLock { $0.opened[file] } }
}

extension DelimitedFile {
    /// The fields of the first record as text. `nil` if there is no record, if a field is empty, or if two fields are equal.
    var firstTexts: [String]? {
        guard let record = try? snapshot().records(0..<1, maximumFieldBytes: 1_024).first else { return nil }
        let texts = record.fields.map(\.text)
        return texts.isEmpty || texts.contains("") || Set(texts).count < texts.count ? nil : texts
    }
}
