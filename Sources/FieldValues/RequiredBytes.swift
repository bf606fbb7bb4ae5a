/// Consecutive bytes that a field must contain to match a filter. Records without these bytes are skipped without parsing.
///
/// A mask says which bits of a byte are compared. If one bit of a letter is not compared, both cases of the letter match.
public struct RequiredBytes: Sendable, Hashable {
    /// The required bytes. Bits that are not compared are 0.
    public private(set) var values: [UInt8] = []
    /// For each byte, a mask of the bits that are compared.
    public private(set) var masks: [UInt8] = []
    /// True if every field that contains the bytes matches the filter. Such a field need not be tested.
    public var isSufficient = false

    /// Creates an empty sequence of bytes, which every field contains.
    public init() {}

    /// Creates a sequence of bytes. If case is ignored, ASCII letters match in either case.
    package init(_ bytes: some Sequence<UInt8>, ignoresCase: Bool) {
        for byte in bytes { append(byte, mask: ignoresCase && (byte | 0x20) &- 0x61 < 26 ? 0xdf : 0xff) }
    }

    /// The number of required bytes.
    public var count: Int { values.count }
    /// True if no bytes are required, so that no record can be skipped.
    public var isEmpty: Bool { values.isEmpty }

    /// Appends a byte, of which the bits in `mask` are compared.
    public mutating func append(_ value: UInt8, mask: UInt8 = 0xff) {
        values.append(value & mask)
        masks.append(mask)
    }

    /// True if `byte` matches the required byte at `index`.
    public func matches(_ byte: UInt8, at index: Int) -> Bool { byte & masks[index] == values[index] }

    /// True if the bytes can occur in a text that consists only of characters of `alphabet`. The alphabet must be ASCII.
    package func canOccur(in alphabet: String) -> Bool {
        values.indices.allSatisfy { index in alphabet.utf8.contains { matches($0, at: index) } }
    }

    /// The longest run of bytes for whose indices `isUsable` is true. Every matching field contains this run, but other fields may contain
    /// it, too.
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
