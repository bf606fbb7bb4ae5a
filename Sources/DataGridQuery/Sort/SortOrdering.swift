import FieldValues

/// The comparison of the values of a column.
///
/// In every ordering and direction, fields are ordered by ``FieldClass``: values, NaN, unreadable text (by its bytes), empty fields,
/// missing fields.
enum SortOrdering: Sendable, Hashable {
    /// By value, without rounding. −0 equals 0.
    case number(DecimalStyle)
    /// As points in time: dates, times, or dates with times.
    case temporal(ValueKind, DateNotation = .iso)
    /// False before true.
    case flag
    /// In the natural order of an alphabet; see `NaturalOrder`.
    case natural(NaturalOrder.Alphabet)
    /// By UTF-8 bytes, which is the order of Unicode scalars.
    case text

    /// Creates the ordering for a column of `kind`. Strings are in natural order.
    init(
        kind: ValueKind, notation: DecimalStyle = .point, dateNotation: DateNotation = .iso, alphabet: NaturalOrder.Alphabet = .ascii
    ) {
        switch kind {
        case .integer, .decimal: self = .number(notation)
        case .date, .dateTime, .time: self = .temporal(kind, kind == .time ? .iso : dateNotation)
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
}

/// A sort key of a query, with the column of its field and the ordering of its comparison.
struct ResolvedSortKey: Sendable, Hashable {
    var column: Int
    var ordering: SortOrdering
    var isDescending = false
}
