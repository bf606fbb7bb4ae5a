/// A column as field numbers: ``numbers`` has the field number at each slot, and ``fields`` has the bytes of the field with each number.
///
/// Usually each distinct field is stored once, and a record takes 4 bytes. If nearly all fields are distinct, ``fields`` is a
/// ``RawColumn``: the field number is the slot of the record, and equal fields may have different numbers.
final class NumberedColumn: Sendable {
    /// The maximum number of distinct fields of a low-cardinality column.
    static let lowCardinalityLimit = 1 << 16

    let slotCount: Int
    /// The field number at each slot. If `nil`, the field number equals the slot.
    let numbers: UnsafeArray<UInt32>?
    let fields: any FieldList

    init(slotCount: Int, numbers: UnsafeArray<UInt32>?, fields: any FieldList) {
        (self.slotCount, self.numbers, self.fields) = (slotCount, numbers, fields)
    }

    /// The column that stores each field at its slot, even repeated ones; `nil` if each distinct field is stored once.
    var raw: RawColumn? { fields as? RawColumn }

    @inline(__always)
    func number(_ slot: Int) -> Int { numbers.map { Int($0[slot]) } ?? slot }

    var byteCount: Int { (numbers == nil ? 0 : slotCount * 4) + fields.byteCount }
}
