/// A buffer of fixed size. Several threads may write different elements at once. Pages that are never written use no memory.
final class UnsafeArray<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Creates a buffer of `count` uninitialized elements.
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
        // All empty arrays share one global buffer, so even writing to it would be a data race.
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

    /// Creates an array whose elements several threads compute, range by range, with checks for cancellation.
    init(count: Int, threads: Int, control: JobControl, _ element: (Int) -> Element) throws {
        try self.init(filled: count) { elements in
            try forEachRange(of: count, threads: threads, control: control) { _, range in
                for index in range { (elements + index).initialize(to: element(index)) }
            }
        }
    }
}

/// A growing buffer of bytes. The eight bytes after its last byte are readable, too, because fields are read in words of eight bytes.
struct ByteArena {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init() {
        capacity = 64
        base = .allocate(capacity: capacity)
    }

    /// - Parameter expectedBytes: the number of bytes to reserve. A high number does no harm, because pages that are never written use no
    ///   memory.
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

    /// Appends bytes that `write` produces. `write` gets memory for `limit` bytes and returns the number of bytes written.
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
