import FieldValues
import Locks
import Tables

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error in an Arrow file. The message does not contain the name of the file.
enum ArrowError: Error, Hashable {
    /// The file is damaged. The phrase describes the damage.
    case damaged(String)
    /// The file uses an unsupported feature. The text completes a sentence that begins with the name of the file.
    case unsupported(String)
    /// The values need more memory than allowed. Reading fewer rows at once may succeed.
    case tooLarge
    /// The library of a codec is missing. The text is a complete sentence.
    case failed(String)

    /// Adds the name of the file to the error.
    func formatError(forFile name: String) -> FormatError {
        switch self {
        case .damaged(let phrase): .damaged(name, phrase)
        case .unsupported(let phrase): FormatError("\(name) \(phrase).")
        case .tooLarge: FormatError("\(name) has a value that needs more than \(ArrowReader.maximumValueBytes >> 30) GiB of memory.")
        case .failed(let sentence): FormatError(sentence)
        }
    }
}

/// A block of memory. Its creator fills it once. After that it is immutable, so that any thread can read it.
final class ArrowBlock: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let count: Int

    /// Allocates `count` bytes, aligned for any type.
    init(count: Int) throws(ArrowError) {
        guard count >= 0, let memory = malloc(max(16, count)) else { throw .tooLarge }
        (start, self.count) = (memory, count)
    }

    deinit { free(start) }

    /// The memory of the block as elements of a type without references.
    func elements<T>(of type: T.Type) -> UnsafeMutablePointer<T> {
        start.bindMemory(to: type, capacity: count / MemoryLayout<T>.stride)
    }
}

/// A range of bytes in a block. It keeps the block alive.
struct ArrowBytes {
    let start: UnsafeRawPointer
    let count: Int
    let owner: ArrowBlock

    /// The little-endian number at an index. The index counts numbers of this type, not bytes.
    @inline(__always)
    func number<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, _ index: Int) -> T {
        // Without the extended lifetime, the owner could be released, and its bytes freed, before they are read.
        withExtendedLifetime(owner) { T(littleEndian: start.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)) }
    }
}

/// Memory that grows while strings are printed to it.
struct ArrowArena: ~Copyable {
    private(set) var block: ArrowBlock
    private(set) var count = 0
    private let limit: Int

    /// Creates an empty arena.
    /// - Parameter limit: the maximum number of bytes.
    init(limit: Int) throws(ArrowError) {
        block = try ArrowBlock(count: min(4_096, limit))
        self.limit = limit
    }

    /// Makes room for at least `more` bytes.
    /// - Throws: ``ArrowError/tooLarge`` if the limit would be exceeded.
    private mutating func reserve(_ more: Int) throws(ArrowError) {
        guard more > block.count - count else { return }
        guard more <= limit - count else { throw .tooLarge }
        let larger = try ArrowBlock(count: min(limit, max(count + more, 2 * block.count)))
        larger.start.copyMemory(from: block.start, byteCount: count)
        block = larger
    }

    mutating func append(_ byte: UInt8) throws(ArrowError) {
        try reserve(1)
        block.start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Appends the little-endian bytes of a number.
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(number: Number) throws(ArrowError) {
        let size = MemoryLayout<Number>.size
        try reserve(size)
        (block.start + count).storeBytes(of: number.littleEndian, as: Number.self)
        count += size
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(ArrowError) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        try reserve(bytes.count)
        (block.start + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    mutating func append(_ text: StaticString) throws(ArrowError) {
        try append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Prints a value of at most 64 bytes and appends it.
    mutating func appendValue(_ print: (inout ValueTextWriter) -> Void) throws(ArrowError) {
        try reserve(64)
        var text = ValueTextWriter((block.start + count).assumingMemoryBound(to: UInt8.self))
        text.begin()
        print(&text)
        count += text.field.count
    }

    mutating func append(_ text: String) throws(ArrowError) { for byte in text.utf8 { try append(byte) } }
}

/// A cache of recently used metadata, buffers and dictionaries of one Arrow file, of at most 64 MiB. If one record batch needs more, the
/// cache keeps everything of that batch. Any thread can use it.
final class ArrowCache: Sendable {
    /// Identifies a cached value.
    struct Key: Hashable {
        /// The kind of the value, with the number of the buffer or the ID of the dictionary.
        enum Part: Hashable { case metadata, buffer(Int), dictionary(Int64, isRaw: Bool) }
        /// The byte offset in the file of the message that contains the value.
        let message: Int
        let part: Part
    }

    private struct Entry {
        var value: any AnyObject & Sendable
        var bytes: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var clock = 0
    }

    private static let maximumBytes = 64 << 20
    private static let maximumEntries = 1_024
    private let state = Mutex(State())

    /// Returns the cached value for a key; `nil` if it is not in the cache.
    func value<T: AnyObject & Sendable>(_ key: Key, as type: T.Type) -> T? {
        state.withLock { state in
            guard let value = state.entries[key]?.value as? T else { return nil }
            state.clock += 1
            state.entries[key]?.lastUse = state.clock
            return value
        }
    }

    /// Adds a value. If the cache is full, the least recently used values of other messages are removed.
    func insert(_ value: some AnyObject & Sendable, _ key: Key, bytes: Int) {
        state.withLock { state in
            state.clock += 1
            if let old = state.entries[key] { state.bytes -= old.bytes }
            state.entries[key] = Entry(value: value, bytes: bytes, lastUse: state.clock)
            state.bytes += bytes
            guard state.bytes > Self.maximumBytes || state.entries.count > Self.maximumEntries else { return }
            // A quarter of the values is removed at once, because each removal has to sort all values by their last use.
            let others = state.entries.filter { $0.key.message != key.message }.sorted { $0.value.lastUse < $1.value.lastUse }
            for (key, entry) in others
            where state.bytes > Self.maximumBytes / 4 * 3 || state.entries.count > Self.maximumEntries / 4 * 3 {
                state.entries[key] = nil
                state.bytes -= entry.bytes
            }
        }
    }
}
