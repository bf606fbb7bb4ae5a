/// A column by slot: the number of each slot's field, and the fields.
///
/// Mostly each distinct field once, and 4 bytes a slot. Where nearly all fields differ, they stand in a ``RawColumn``: then a field's
/// number is its slot, and fields of different numbers may be the same.
final class NumberedColumn: Sendable {
    /// The most distinct fields that are few.
    static let fewLimit = 1 << 16

    let slotCount: Int
    /// The number of the field at each slot; `nil`: the slot.
    let numbers: UnsafeArray<UInt32>?
    let fields: any FieldList

    init(slotCount: Int, numbers: UnsafeArray<UInt32>?, fields: any FieldList) {
        (self.slotCount, self.numbers, self.fields) = (slotCount, numbers, fields)
    }

    /// The fields, if they are in the order of slots.
    var raw: RawColumn? { fields as? RawColumn }

    @inline(__always)
    func number(_ slot: Int) -> Int { numbers.map { Int($0[slot]) } ?? slot }

    var byteCount: Int { (numbers == nil ? 0 : slotCount * 4) + fields.byteCount }
}
