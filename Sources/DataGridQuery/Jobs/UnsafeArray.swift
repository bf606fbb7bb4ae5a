/// A fixed piece of memory that threads fill at different places; pages that are never touched cost nothing.
final class UnsafeArray<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Memory with no particular content.
    init(count: Int) throws {
        let bytes = max(1, count) * MemoryLayout<Element>.stride
        let memory = try Memory.allocate(byteCount: bytes, alignment: Platform.alignment(ofBytes: bytes))
        Platform.useLargePages(memory, byteCount: bytes)
        base = memory.bindMemory(to: Element.self, capacity: max(1, count))
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
    /// `count` elements that `fill` gives a value, each, in large pages where they are many.
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
