/// A fixed-size buffer that threads fill at distinct places. Pages that are never touched use no memory.
final class UnsafeArray<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Creates an uninitialized buffer.
    init(count: Int) throws {
        base = try Memory.allocateLarge(Element.self, count: count)
        self.count = count
    }

    convenience init(count: Int, repeating value: Element) throws {
        try self.init(count: count)
        base.initialize(repeating: value, count: count)
    }

    convenience init(_ elements: [Element]) throws {
        try self.init(count: elements.count)
        elements.withUnsafeBufferPointer { if let start = $0.baseAddress { base.update(from: start, count: $0.count) } }
    }

    deinit { UnsafeMutableRawPointer(base).deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        set { base[index] = newValue }
    }
}

extension Array where Element: BitwiseCopyable {
    /// Creates an array of `count` elements, all of which `fill` must initialize. Uses large pages for large arrays.
    init(filled count: Int, _ fill: (UnsafeMutablePointer<Element>) throws -> Void) throws {
        // An array without capacity shares a global buffer, and writing to it would be a race.
        guard count > 0 else {
            self = []
            return
        }
        try Memory.check(byteCount: count * MemoryLayout<Element>.stride)
        try self.init(unsafeUninitializedCapacity: count) { elements, initialized in
            guard let start = elements.baseAddress else { return }
            Platform.useLargePages(within: UnsafeMutableRawBufferPointer(elements))
            try fill(start)
            initialized = count
        }
    }

    /// Creates an array of elements in ranges on several threads. Mapping the memory of millions of elements takes longer than
    /// the time limit for cancellation.
    init(count: Int, threads: Int, control: JobControl, _ element: (Int) -> Element) throws {
        try self.init(filled: count) { elements in
            try forEachRange(of: count, threads: threads, control: control) { _, range in
                for place in range { (elements + place).initialize(to: element(place)) }
            }
        }
    }
}

/// A growing buffer of bytes. Eight bytes after the last one can be read, too, because fields are read word by word.
struct ByteArena {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init() {
        capacity = 64
        base = .allocate(capacity: capacity)
    }

    /// - Parameter expectedBytes: the expected number of bytes. Memory that is not touched is not used.
    init(expectedBytes: Int) throws {
        capacity = expectedBytes + expectedBytes / 8 + 64
        base = try Memory.allocate(UInt8.self, count: capacity)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        try append(atMost: bytes.count) {
            $0.update(from: source, count: bytes.count)
            return bytes.count
        }
    }

    /// Appends bytes. `write` writes at most `limit` bytes and returns their number.
    @inline(__always)
    mutating func append(atMost limit: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) throws {
        if count + limit + 8 > capacity { try grow(by: limit) }
        count += write(base + count)
    }

    @inline(never)
    private mutating func grow(by byteCount: Int) throws {
        let grown = max(capacity * 2, count + byteCount + 8)
        let moved = try Memory.allocate(UInt8.self, count: grown)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = grown
    }

    mutating func removeAll() { count = 0 }

    func deallocate() { base.deallocate() }
}
