/// Divides blocks of bytes into lines. To bound memory, a line of more than ``maximumBytes`` bytes is passed in several parts.
struct LineCollector: Sendable {
    /// The beginning of a line that continues in the next block.
    private var pending: [UInt8] = []
    /// The maximum number of bytes that are passed as one line.
    static let maximumBytes = 16 << 20

    /// Calls `body` with each line, without its line end.
    mutating func forEachLine(of bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var start = 0
        while start < bytes.count {
            guard let end = bytes[start...].firstIndex(of: 10) else { break }
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            if pending.isEmpty { body(Self.withoutTrailingCR(line)) } else { finish(line, body) }
            start = end + 1
        }
        pending.append(contentsOf: bytes[start...])
        if pending.count > Self.maximumBytes || isEnd && !pending.isEmpty { finish(UnsafeBufferPointer(start: nil, count: 0), body) }
    }

    private mutating func finish(_ lastBytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        pending.append(contentsOf: lastBytes)
        pending.withUnsafeBufferPointer { body(Self.withoutTrailingCR($0)) }
        pending.removeAll(keepingCapacity: true)
    }

    static func withoutTrailingCR(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        line.last == 13 ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
    }
}
