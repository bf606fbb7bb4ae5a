/// A column as field numbers by slot, and the list of fields.
///
/// Usually each distinct field is stored once, with 4 bytes per slot. If nearly all fields are distinct, they are in a ``RawColumn``: the
/// number of a field is its slot, and equal fields may have different numbers.
final class NumberedColumn: Sendable {
    /// The maximum number of distinct fields of a low-cardinality column.
    static let lowCardinalityLimit = 1 << 16

    let slotCount: Int
    /// The field number of each slot; if `nil`, the number is the slot.
    let numbers: UnsafeArray<UInt32>?
    let fields: any FieldList

    init(slotCount: Int, numbers: UnsafeArray<UInt32>?, fields: any FieldList) {
        (self.slotCount, self.numbers, self.fields) = (slotCount, numbers, fields)
    }

    /// The fields in slot order; `nil` if each distinct field is stored once.
    var raw: RawColumn? { fields as? RawColumn }

    @inline(__always)
    func number(_ slot: Int) -> Int { numbers.map { Int($0[slot]) } ?? slot }

    var byteCount: Int { (numbers == nil ? 0 : slotCount * 4) + fields.byteCount }
}
