/// Fields of 1 to 8 bytes that have been read but not counted yet.
///
/// The counting tables of thousands of columns are more than the cache holds, so that nearly each field would wait for its place in one. A
/// thousand fields of one column are counted in a table that is fetched once. 9 bytes a field.
struct WaitingFields {
    private let capacity: Int
    private var words: UnsafeMutablePointer<UInt64>?
    private var lengths: UnsafeMutablePointer<UInt8>?
    private(set) var count = 0

    /// - Parameter records: how many there are.
    init(records: Int) { capacity = max(1, min(1024, records)) }

    var isFull: Bool { count == capacity }

    /// Takes a field as ``ShortFields`` knows it.
    @inline(__always)
    mutating func append(_ word: UInt64, _ length: Int) {
        if words == nil { (words, lengths) = (.allocate(capacity: capacity), .allocate(capacity: capacity)) }
        words.unsafelyUnwrapped[count] = word
        lengths.unsafelyUnwrapped[count] = UInt8(truncatingIfNeeded: length)
        count &+= 1
    }

    subscript(index: Int) -> (word: UInt64, length: Int) { (words.unsafelyUnwrapped[index], Int(lengths.unsafelyUnwrapped[index])) }

    /// Hands over all fields, and begins anew.
    mutating func takeAll() -> WaitingFields {
        defer { (words, lengths, count) = (nil, nil, 0) }
        return self
    }

    /// Gives up the memory; whoever makes one does.
    func deallocate() {
        words?.deallocate()
        lengths?.deallocate()
    }
}
