/// Consecutive bytes that each field that matches a filter must contain. Records without these bytes are skipped without parsing.
///
/// A mask selects the significant bits of each byte. If one bit of a letter is not significant, both cases of the letter match.
public struct RequiredBytes: Sendable, Hashable {
    /// The values of the significant bits; other bits are 0.
    public private(set) var values: [UInt8] = []
    /// The significant bits of each byte.
    public private(set) var masks: [UInt8] = []
    /// True if every field that contains the bytes matches.
    public var isSufficient = false

    /// Creates an empty sequence, which requires nothing.
    public init() {}

    /// Creates a sequence of bytes. If case is ignored, ASCII letters match in either case.
    package init(_ bytes: some Sequence<UInt8>, ignoresCase: Bool) {
        for byte in bytes { append(byte, mask: ignoresCase && (byte | 0x20) &- 0x61 < 26 ? 0xdf : 0xff) }
    }

    /// The number of bytes.
    public var count: Int { values.count }
    /// True if nothing is required.
    public var isEmpty: Bool { values.isEmpty }

    /// Appends a byte with the significant bits of `mask`.
    public mutating func append(_ value: UInt8, mask: UInt8 = 0xff) {
        values.append(value & mask)
        masks.append(mask)
    }

    /// True if `byte` matches the required byte at `index`.
    public func matches(_ byte: UInt8, at index: Int) -> Bool { byte & masks[index] == values[index] }

    /// True if text that consists only of the ASCII characters in `alphabet` can contain the bytes.
    package func canOccur(in alphabet: String) -> Bool {
        values.indices.allSatisfy { index in alphabet.utf8.contains { matches($0, at: index) } }
    }

    /// The longest run of bytes whose indices all satisfy `isUsable`. Matching fields also contain this run, but not every field with the
    /// run matches.
    public func longestRun(where isUsable: (_ index: Int) -> Bool) -> RequiredBytes {
        var best = 0..<0
        var start = 0
        for index in 0...count where index == count || !isUsable(index) {
            if index - start > best.count { best = start..<index }
            start = index + 1
        }
        if best.count == count { return self }
        var run = RequiredBytes()
        for index in best { run.append(values[index], mask: masks[index]) }
        return run
    }
}
