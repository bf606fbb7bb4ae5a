/// A fixed piece of memory that threads fill at different places; pages that are never touched cost nothing.
final class Storage<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Element>
    let count: Int
    /// What it is a part of; `nil`: it is a piece by itself.
    private let slab: Slab?

    /// Memory with no particular content.
    /// - Parameter slab: what it is to be a part of, which has room for it.
    /// - Throws: ``OutOfMemory``.
    init(count: Int, in slab: Slab? = nil) throws {
        let bytes = max(1, count) * MemoryLayout<Element>.stride
        if let slab {
            base = slab.take(bytes).bindMemory(to: Element.self, capacity: max(1, count))
        } else {
            let memory = try Memory.allocate(byteCount: bytes, alignment: Platform.alignment(ofBytes: bytes))
            Platform.useLargePages(memory, byteCount: bytes)
            base = memory.bindMemory(to: Element.self, capacity: max(1, count))
        }
        self.count = count
        self.slab = slab
    }

    convenience init(count: Int, repeating value: Element) throws {
        try self.init(count: count)
        base.initialize(repeating: value, count: count)
    }

    deinit { if slab == nil { UnsafeMutableRawPointer(base).deallocate() } }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        set { base[index] = newValue }
    }
}

/// One piece of memory of which many small ``Storage``s are made: in large pages, it is handed out in a part of the time.
final class Slab: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let byteCount: Int
    private var used = 0

    /// - Parameter byteCount: enough for all that will be taken, with 64 bytes more for each piece.
    /// - Throws: ``OutOfMemory``.
    init(byteCount: Int) throws {
        self.byteCount = byteCount
        base = try Memory.allocate(byteCount: byteCount, alignment: max(64, Platform.alignment(ofBytes: byteCount)))
        Platform.useLargePages(base, byteCount: byteCount)
    }

    deinit { base.deallocate() }

    /// The next `count` bytes, on one thread. They live as long as the slab.
    fileprivate func take(_ count: Int) -> UnsafeMutableRawPointer {
        precondition(used + count <= byteCount, "more than was asked for")
        defer { used += (count + 63) / 64 * 64 }
        return base + used
    }
}

extension Array where Element: BitwiseCopyable {
    /// `count` elements that `fill` gives a value, each, in large pages where they are many.
    /// - Throws: ``OutOfMemory``, and what `fill` throws.
    init(filled count: Int, _ fill: (UnsafeMutablePointer<Element>) throws -> Void) throws {
        // An array without room would be written to where all empty arrays are, which is a race.
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

    /// An element for each place, made in ranges on several threads: the memory of millions is handed out page by page, which takes longer
    /// than a cancelled job may go on.
    /// - Throws: ``JobCancelled``, ``OutOfMemory``.
    init(count: Int, threads: Int, control: JobControl, _ element: (Int) -> Element) throws {
        try self.init(filled: count) { elements in
            try forEachRange(of: count, threads: threads, control: control) { _, range in
                for place in range { (elements + place).initialize(to: element(place)) }
            }
        }
    }
}

/// Bytes one after the other, with eight more behind them that can be read as part of a word.
struct ByteArena {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init() {
        capacity = 64
        base = .allocate(capacity: capacity)
    }

    /// - Parameter likely: about how many bytes there will be; memory that is not needed is never touched.
    /// - Throws: ``OutOfMemory``.
    init(likely: Int) throws {
        capacity = likely + likely / 8 + 64
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

    /// Appends what `write` writes: no more than `most` bytes, and it answers how many.
    @inline(__always)
    mutating func append(atMost most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) throws {
        if count + most + 8 > capacity { try grow(by: most) }
        count += write(base + count)
    }

    @inline(never)
    private mutating func grow(by most: Int) throws {
        let grown = max(capacity * 2, count + most + 8)
        let moved = try Memory.allocate(UInt8.self, count: grown)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = grown
    }

    mutating func removeAll() { count = 0 }

    func deallocate() { base.deallocate() }
}
