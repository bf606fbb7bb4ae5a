import FieldValues

/// The comparison of the values of a column.
///
/// In every ordering and direction, fields are ordered by ``FieldClass``: values, NaN, unreadable text (by its bytes), empty fields,
/// missing fields.
enum SortOrdering: Sendable, Hashable {
    /// By value: exact 64-bit integers if all numbers of the column are integers, otherwise the nearest doubles. −0 equals 0.
    case number(DecimalStyle)
    /// As points in time: dates, times, or dates with times.
    case temporal(ValueKind)
    /// False before true.
    case flag
    /// In the natural order of an alphabet; see `NaturalOrder`.
    case natural(NaturalOrder.Alphabet)
    /// By UTF-8 bytes, which is the order of Unicode scalars.
    case text

    /// Creates the ordering for a column of `kind`. Texts are in natural order.
    init(kind: ValueKind, notation: DecimalStyle = .point, alphabet: NaturalOrder.Alphabet = .ascii) {
        switch kind {
        case .integer, .decimal: self = .number(notation)
        case .date, .dateTime, .time: self = .temporal(kind)
        case .flag: self = .flag
        case .text: self = .natural(alphabet)
        }
    }

    /// Numbers with a decimal point.
    static var number: SortOrdering { .number(.point) }

    /// Natural order of the ASCII alphabet.
    static var natural: SortOrdering { .natural(.ascii) }

    /// True if every field that is not empty is a value.
    var isText: Bool {
        switch self {
        case .natural, .text: true
        case .number, .temporal, .flag: false
        }
    }

    /// The alphabet of natural order; `nil` for other orderings.
    var alphabet: NaturalOrder.Alphabet? { if case .natural(let alphabet) = self { alphabet } else { nil } }

    /// True if a field comes before another one; fields of equal values are in the order of their bytes. Both must not be blank.
    func precedes(_ a: FieldBytes, _ b: FieldBytes) -> Bool {
        if let alphabet { return NaturalOrder.compare(a.bytes, b.bytes, alphabet) < 0 }
        let (left, right) = (value(of: a), value(of: b))
        return left == right ? Platform.compare(UnsafeRawBufferPointer(a.bytes), UnsafeRawBufferPointer(b.bytes)) < 0 : left < right
    }

    /// The value of a field as a comparable key, and the integer that a double cannot represent. Unreadable fields come after NaN.
    private func value(of field: FieldBytes) -> (key: UInt64, integer: Int64) {
        switch self {
        case .number(let notation):
            guard let number = field.decimal(notation) else { break }
            return (ValueVector.key(of: number), number.magnitude < 0x1p53 ? 0 : field.integer(notation) ?? 0)
        case .temporal(let kind): if let time = field.temporal(kind) { return (ValueVector.key(of: time), 0) }
        case .flag: if let flag = field.flag() { return (flag ? 1 : 0, 0) }
        case .natural, .text: break
        }
        return (.max, 0)
    }
}

/// A column to sort by.
struct SortKey: Sendable, Hashable {
    var column: Int
    var ordering: SortOrdering
    var isDescending = false
}
