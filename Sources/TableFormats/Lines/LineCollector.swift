/// Divides blocks of bytes into lines. Memory is bounded: a longer line is passed in parts.
struct LineCollector: Sendable {
    /// The beginning of a line whose end has not arrived.
    private var rest: [UInt8] = []
    /// The maximum number of bytes of a line.
    static let maximumBytes = 16 << 20

    /// Calls `body` with each line, without its line end.
    mutating func forEachLine(of bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var start = 0
        while start < bytes.count {
            guard let end = bytes[start...].firstIndex(of: 10) else { break }
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            if rest.isEmpty { body(Self.withoutReturn(line)) } else { finish(line, body) }
            start = end + 1
        }
        rest.append(contentsOf: bytes[start...])
        if rest.count > Self.maximumBytes || isEnd && !rest.isEmpty { finish(UnsafeBufferPointer(start: nil, count: 0), body) }
    }

    private mutating func finish(_ end: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        rest.append(contentsOf: end)
        rest.withUnsafeBufferPointer { body(Self.withoutReturn($0)) }
        rest.removeAll(keepingCapacity: true)
    }

    static func withoutReturn(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        line.last == 13 ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
    }
}
