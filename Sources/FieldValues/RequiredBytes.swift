/// Bytes that stand one after the other in every field that somebody looks for, so that most records need not be read to be ruled out.
///
/// Of each byte only some bits may matter: a letter is asked for in either case by leaving out the bit that tells them apart.
public struct RequiredBytes: Sendable, Hashable {
    /// What the bits that matter are; the others are 0.
    public private(set) var values: [UInt8] = []
    /// For each byte, which of its bits matter.
    public private(set) var cares: [UInt8] = []
    /// Whether they are all that is looked for: a field that holds them is one that somebody wants, whatever else it holds.
    public var areEnough = false

    /// No bytes: nothing is required.
    public init() {}

    /// How many bytes.
    public var count: Int { values.count }
    /// Whether nothing is required.
    public var isEmpty: Bool { values.isEmpty }

    /// Adds a byte of which the bits of `care` matter.
    public mutating func append(_ value: UInt8, care: UInt8 = 0xff) {
        values.append(value & care)
        cares.append(care)
    }

    /// Whether the byte asked for at `index` may be `byte`.
    public func admits(_ byte: UInt8, at index: Int) -> Bool { byte & cares[index] == values[index] }

    /// The longest run of bytes that all satisfy `isUsable`, which gets their indices: where all are required, so is a part of them,
    /// but a part is not enough.
    public func longestRun(where isUsable: (_ index: Int) -> Bool) -> RequiredBytes {
        var best = 0..<0
        var start = 0
        for index in 0...count where index == count || !isUsable(index) {
            if index - start > best.count { best = start..<index }
            start = index + 1
        }
        if best.count == count { return self }
        var run = RequiredBytes()
        for index in best { run.append(values[index], care: cares[index]) }
        return run
    }
}
