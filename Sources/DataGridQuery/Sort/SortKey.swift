import FieldValues

/// How the values of a column are compared.
///
/// Under any ordering and direction, fields come in the order of ``FieldClass``: values, NaN, unreadable text (by its bytes), blank fields,
/// missing fields.
enum SortOrdering: Sendable, Hashable {
    /// By value: exact 64-bit integers when all numbers of the column are such, otherwise the nearest doubles; −0 is 0.
    case number(NumberNotation)
    /// As points in time of the given kind.
    case temporal(ValueKind)
    /// False before true.
    case flag
    /// As people expect of names, with the letters of an alphabet: see `NaturalOrder`.
    case natural(NaturalOrder.Alphabet)
    /// By UTF-8 bytes, which is by Unicode scalars.
    case text

    /// The ordering for a column of `kind`; text is compared naturally.
    init(kind: ValueKind, notation: NumberNotation = .point, alphabet: NaturalOrder.Alphabet = .ascii) {
        switch kind {
        case .integer, .decimal: self = .number(notation)
        case .date, .dateTime, .time: self = .temporal(kind)
        case .flag: self = .flag
        case .text: self = .natural(alphabet)
        }
    }

    /// Numbers with a decimal point.
    static var number: SortOrdering { .number(.point) }

    /// Natural order with the letters of ASCII.
    static var natural: SortOrdering { .natural(.ascii) }

    /// Whether every field that is not blank is a value.
    var isText: Bool {
        switch self {
        case .natural, .text: true
        case .number, .temporal, .flag: false
        }
    }

    /// The letters of natural order; `nil` for any other order.
    var alphabet: NaturalOrder.Alphabet? { if case .natural(let alphabet) = self { alphabet } else { nil } }
}

/// One column to sort by.
struct SortKey: Sendable, Hashable {
    var column: Int
    var ordering: SortOrdering
    var isDescending = false
}
