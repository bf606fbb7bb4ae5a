/// A column by slot as numbers of its different fields, however many they are: 4 bytes a slot and each field once.
final class DistinctColumn: FieldList, @unchecked Sendable {
    let slotCount: Int
    /// The number of the field at each slot.
    let numbers: Storage<UInt32>
    private let fields: WideFields

    init(slotCount: Int, numbers: Storage<UInt32>, fields: WideFields) {
        (self.slotCount, self.numbers, self.fields) = (slotCount, numbers, fields)
    }

    /// How many different fields there are.
    var count: Int { fields.count }

    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> { fields.bytes(number) }

    /// Bytes in memory.
    var byteCount: Int { slotCount * 4 + fields.byteCount }
}
