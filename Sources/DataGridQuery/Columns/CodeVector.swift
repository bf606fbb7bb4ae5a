/// A column by slot as numbers of its different fields, which are few: two bytes a slot, and each field once.
final class CodeVector: FieldList, @unchecked Sendable {
    /// The most different fields that are numbered.
    static let limit = 1 << 16

    let slotCount: Int
    /// The number of the field at each slot.
    let codes: Storage<UInt16>
    private let dictionary: ByteDictionary

    init(slotCount: Int, codes: Storage<UInt16>, dictionary: ByteDictionary) {
        (self.slotCount, self.codes, self.dictionary) = (slotCount, codes, dictionary)
    }

    deinit { dictionary.deallocate() }

    /// How many different fields there are.
    var count: Int { dictionary.count }

    func bytes(_ code: Int) -> UnsafeBufferPointer<UInt8> { dictionary.bytes(code) }

    /// Bytes in memory.
    var byteCount: Int { slotCount * 2 + dictionary.byteCount }
}
