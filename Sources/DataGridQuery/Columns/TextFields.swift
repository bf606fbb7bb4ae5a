/// A list of fields created from strings, such as values that another engine returned.
final class TextFields: FieldList, @unchecked Sendable {
    /// The bytes of all strings, at addresses that never change.
    private let arena: UnsafeMutableBufferPointer<UInt8>
    /// The offset of each string in ``arena``. One more element at the end is the total number of bytes.
    private let starts: [Int]

    convenience init(_ texts: [String]) { self.init(bytes: texts.map(\.utf8)) }

    init(bytes texts: [some Collection<UInt8>]) {
        var starts = [0]
        starts.reserveCapacity(texts.count + 1)
        for text in texts { starts.append(starts[starts.count - 1] + text.count) }
        let arena = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, starts[texts.count]))
        arena.initialize(repeating: 0)
        for (number, text) in texts.enumerated() {
            for (offset, byte) in text.enumerated() { arena[starts[number] + offset] = byte }
        }
        (self.arena, self.starts) = (arena, starts)
    }

    deinit { arena.deallocate() }

    var count: Int { starts.count - 1 }

    var byteCount: Int { arena.count + starts.count * MemoryLayout<Int>.stride }

    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: arena[starts[number]..<starts[number + 1]]) }
}
