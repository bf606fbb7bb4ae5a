public import FieldValues

/// How the values of a column are compared.
///
/// Whatever the ordering and the direction, fields come in this order: values that can be read (ascending or descending), NaN, text that
/// cannot be read (in the order of its bytes), blank fields, missing fields.
public enum SortOrdering: Sendable, Hashable {
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

    /// By value, numbers being written with a point.
    public static var number: SortOrdering { .number(.point) }

    /// As people expect of names, with the letters of ASCII.
    public static var natural: SortOrdering { .natural(.ascii) }

    /// The ordering for a column of `kind`, with numbers written by `notation`; text is compared naturally, with the letters of `alphabet`.
    public init(kind: ValueKind, notation: NumberNotation = .point, alphabet: NaturalOrder.Alphabet = .ascii) {
        switch kind {
        case .integer, .decimal: self = .number(notation)
        case .date, .dateTime, .time: self = .temporal(kind)
        case .flag: self = .flag
        case .text: self = .natural(alphabet)
        }
    }

    /// Whether fields are compared as text, blank ones alone being without a value.
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
public struct SortKey: Sendable, Hashable {
    /// The column of the table, from 0.
    public var column: Int
    /// How its values are compared.
    public var ordering: SortOrdering
    /// Whether the greatest value comes first. Fields without a value come last either way.
    public var isDescending: Bool

    /// Sorts by `column`.
    public init(column: Int, ordering: SortOrdering, isDescending: Bool = false) {
        self.column = column
        self.ordering = ordering
        self.isDescending = isDescending
    }
}
