/// A fixed piece of memory that threads fill at different places; pages that are never touched cost nothing.
final class Storage<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Memory with no particular content.
    init(count: Int) {
        let bytes = max(1, count) * MemoryLayout<Element>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Platform.alignment(ofBytes: bytes))
        Platform.useLargePages(memory, byteCount: bytes)
        base = memory.bindMemory(to: Element.self, capacity: max(1, count))
        self.count = count
    }

    convenience init(count: Int, repeating value: Element) {
        self.init(count: count)
        base.initialize(repeating: value, count: count)
    }

    deinit { UnsafeMutableRawPointer(base).deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        set { base[index] = newValue }
    }
}

/// Bytes one after the other, with eight more behind them that can be read as part of a word.
struct ByteArena {
    private(set) var base = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
    private(set) var count = 0
    private var capacity = 64

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        append(atMost: bytes.count) {
            $0.update(from: source, count: bytes.count)
            return bytes.count
        }
    }

    /// Appends what `write` writes: no more than `most` bytes, and it answers how many.
    @inline(__always)
    mutating func append(atMost most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        if count + most + 8 > capacity { grow(by: most) }
        count += write(base + count)
    }

    @inline(never)
    private mutating func grow(by most: Int) {
        let grown = max(capacity * 2, count + most + 8)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = grown
    }

    mutating func removeAll() { count = 0 }

    func deallocate() { base.deallocate() }
}
