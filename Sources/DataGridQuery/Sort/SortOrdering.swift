import FieldValues

/// How the fields of a column are compared in a sort.
///
/// In every ordering and direction, fields are ordered by ``FieldClass`` first: values, NaN, unreadable text (by its bytes), empty fields,
/// missing fields.
enum SortOrdering: Sendable, Hashable {
    /// Numbers by value, without rounding. −0 equals 0.
    case number(DecimalStyle)
    /// Dates, times, or dates with times, from earlier to later.
    case temporal(ValueKind, DateNotation = .iso)
    /// Flags, false before true.
    case flag
    /// Strings in the natural order of an alphabet; see `NaturalOrder`.
    case natural(NaturalOrder.Alphabet)
    /// Strings by their UTF-8 bytes, which is the order of Unicode scalars.
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

    /// The ordering of numbers with a decimal point.
    static var number: SortOrdering { .number(.point) }

    /// The natural order of strings with the ASCII alphabet.
    static var natural: SortOrdering { .natural(.ascii) }

    /// True if every field that is not empty counts as a value, because strings are compared.
    var isText: Bool {
        switch self {
        case .natural, .text: true
        case .number, .temporal, .flag: false
        }
    }

    /// The alphabet of natural order; `nil` for other orderings.
    var alphabet: NaturalOrder.Alphabet? { if case .natural(let alphabet) = self { alphabet } else { nil } }
}

/// A sort key of a query after its names are resolved: the field is a column of the table, and the comparison is an ordering.
struct ResolvedSortKey: Sendable, Hashable {
    var column: Int
    var ordering: SortOrdering
    var isDescending = false
}
