/// An open input of a table: a file, a pipe. Formats implement it; a program holds one for each table it shows.
///
/// Opening reads only the beginning. ``readAll(threads:progress:)``, on a thread of the caller's, reads the rest, while ``snapshot()`` gives the
/// part that is known and ``tail(atLeast:)`` the end. All members can be used from any thread.
public protocol TableSource: AnyObject, Sendable {
    /// The type of its snapshots.
    associatedtype Snapshot: Table

    /// A short name: the last part of the path, or the name of the input.
    var name: String { get }
    /// The path of the file; `nil` for a pipe.
    var path: String? { get }
    /// The number of bytes known now.
    var byteCount: Int { get }
    /// The number of bytes whose records are known.
    var indexedByteCount: Int { get }
    /// Whether more bytes may come by themselves, as from a pipe.
    var isGrowing: Bool { get }

    /// The number of fields known now. It grows when a longer record is found.
    var columnCount: Int { get }
    /// Whether the input names its fields. Otherwise they are called "A", "B", … as in a spreadsheet.
    var hasTitles: Bool { get }
    /// The name of a field. Empty where the input has no name for it.
    func title(ofColumn column: Int) -> String
    /// The kinds and sample values of all fields, by a sample that takes at most this time.
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile]
    /// The kinds and sample values of the fields behind the first `known` ones.
    func profiles(ofColumnsFrom known: Int) -> [ColumnProfile]

    /// The records known now. O(1).
    func snapshot() -> Snapshot
    /// The last records, at least `count` as far as there are so many, also before the others are counted.
    /// - Throws: when they cannot be read.
    func tail(atLeast count: Int) throws -> TailRecords
    /// Reads on until all records are known. Blocks; call it on a background thread, one call at a time. A call after a cancelled one continues.
    /// - Parameters:
    ///   - threads: the number of threads to use, including the caller's.
    ///   - progress: called by one thread at a time; `false` cancels.
    /// - Throws: when the input cannot be read.
    func readAll(threads: Int, progress: @Sendable (ReadProgress) -> Bool) throws
    /// Wakes ``readAll(threads:progress:)`` where it waits for a pipe, so that it calls `progress`.
    func interrupt()

    /// Compares the open file with its path. Two system calls.
    func checkForChange() -> FileChange
    /// Checks whether the file has only got more bytes since all of it was read.
    ///
    /// Reads parts of the file: not for a thread that must not wait.
    /// - Parameter newer: the same path, opened again.
    /// - Returns: a function that takes the new bytes in, and reads nothing; `nil` where the table has changed otherwise.
    func growth(asOf newer: any TableSource) -> (@Sendable () -> Void)?

    /// Names and values for a page about the file, beyond its name, size and number of rows.
    var facts: [(name: String, value: String)] { get }
    /// Oddities of the input found so far, a phrase each. May read a few MiB.
    var oddities: [String] { get }
    /// Whether fields may hold bytes that are not text.
    var mayHoldInvalidText: Bool { get }
    /// Sentences about characters of the input that are shown, and written, differently from the file.
    var conversions: [TextConversion] { get }
    /// A sentence about fields that are left out because records have too many; `nil` when nothing is left out.
    var omission: String? { get }
}

extension TableSource {
    /// Nothing to wake.
    public func interrupt() {}
    /// Never changes.
    public func checkForChange() -> FileChange { .unchanged }
    /// Never grows.
    public func growth(asOf newer: any TableSource) -> (@Sendable () -> Void)? { nil }
    /// No facts.
    public var facts: [(name: String, value: String)] { [] }
    /// No oddities.
    public var oddities: [String] { [] }
    /// Every field is text.
    public var mayHoldInvalidText: Bool { false }
    /// Characters are as in the input.
    public var conversions: [TextConversion] { [] }
    /// Nothing is left out.
    public var omission: String? { nil }
}

/// A difference between the characters of an input and those of a table.
public struct TextConversion: Sendable, Hashable {
    /// A sentence about the difference and what helps.
    public var sentence: String
    /// Whether characters were lost.
    public var isLoss: Bool

    /// A difference that `sentence` describes.
    public init(_ sentence: String, isLoss: Bool) { (self.sentence, self.isLoss) = (sentence, isLoss) }
}

/// Progress of reading an input.
public struct ReadProgress: Sendable, Hashable {
    /// Bytes from the start of the input that have been read.
    public var bytesDone: Int
    /// Bytes known now.
    public var bytesTotal: Int
    /// Records found so far, the header not counted.
    public var records: Int

    /// Bytes done, bytes known, records found.
    public init(bytesDone: Int, bytesTotal: Int, records: Int) {
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.records = records
    }
}

/// Opens inputs as tables. The program gets one and so needs to know no format.
public protocol TableOpener: Sendable {
    /// Opens the file at a path.
    /// - Throws: a ``TableError`` when it cannot be opened.
    func open(path: String) throws -> any TableSource
    /// Makes an empty temporary file for a job.
    /// - Throws: a ``TableError`` when there is no place for it.
    func makeScratchFile() throws -> any ScratchFile
}
