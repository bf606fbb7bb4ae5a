public import FieldValues

/// A query of a table: the rows, their order and groups, and the aggregates of each group.
///
/// A query is a value that can be encoded. It references fields by ID, so it remains valid if a field is renamed. A query also specifies
/// how each field is parsed. A `QueryEngine` runs the query.
public struct Query: Hashable, Codable, Sendable {
    /// Computed fields. A formula may use the derived fields listed before its own. The IDs are consecutive from ``FieldID/firstDerived``.
    public var derived: [DerivedField] = []
    /// Conditions on rows. A row must match all of them.
    public var filters: [Formula] = []
    /// The sort keys, most significant first. Rows that are equal by all keys stay in table order.
    public var sort: [SortKey] = []
    /// The group levels, outermost first.
    public var groups: [GroupKey] = []
    /// The aggregates to compute for each group.
    public var aggregates: [Aggregate] = []
    /// True if the result must contain the rows of the groups. If only the groups and their aggregates are needed, `false` can be much
    /// faster.
    public var needsRows = true
    /// The number of rows needed from the start of the result; `nil` for all. A sorted result may omit later rows if that is faster. If it
    /// is 0, a server neither fetches nor counts rows. The result is then an empty range, which starts at the number of the first row.
    public var rowLimit: Int?

    /// Creates a query of all rows in table order.
    public init() {}

    /// True if the rows stay in table order, without groups.
    public var keepsOrder: Bool { sort.isEmpty && groups.isEmpty }

    /// How the values of a field are compared.
    public enum Comparison: Hashable, Codable, Sendable {
        /// By the order of the kind. Numbers compare by value, dates by time, and strings in natural order.
        case kind(ValueKind, DecimalStyle)
        /// As dates or date-times that are written in the given notation.
        case dates(ValueKind, DateNotation)
        /// In natural order: digits in a row compare as a number, so that `a9` comes before `a10`.
        case natural
        /// Character by character, by the numbers of the Unicode scalars.
        case text

        /// Creates the comparison of a field's values, parsed as `kind` in the notations of the field.
        public init(_ kind: ValueKind, of field: Field) {
            let hasNotation = kind.isTemporal && kind != .time && field.dateNotation != .iso
            self = hasNotation ? .dates(kind, field.dateNotation) : .kind(kind, field.notation)
        }
    }

    /// A field to sort by.
    public struct SortKey: Hashable, Codable, Sendable {
        /// The field to compare.
        public var field: FieldID
        /// How the values are compared.
        public var comparison: Comparison
        /// True for descending order. Empty and missing fields come last in both directions.
        public var isDescending: Bool

        /// Creates a sort key.
        public init(_ field: FieldID, by comparison: Comparison, isDescending: Bool = false) {
            (self.field, self.comparison, self.isDescending) = (field, comparison, isDescending)
        }
    }

    /// A group level: rows with the same value of a field, or with values in the same interval, form a group.
    public struct GroupKey: Hashable, Codable, Sendable {
        /// How the groups of a level are ordered.
        public enum Order: Hashable, Codable, Sendable {
            /// By the value that the rows of a group have in common.
            case value
            /// By the number of rows of a group.
            case rowCount
            /// By the aggregate at this index of ``Query/aggregates``.
            case aggregate(Int)
        }

        /// The field to group by.
        public var field: FieldID
        /// How the group values are compared to order the groups.
        public var comparison: Comparison
        /// How the groups are ordered. Groups that are equal in this order are in ascending order of their values.
        public var order: Order
        /// True for descending order. The group of empty values comes last in both directions.
        public var isDescending: Bool
        /// The interval of values that form a group; `nil` to group equal values. The comparison specifies how values are parsed. Values
        /// that cannot be parsed form one group. It comes after all other groups, except the group of empty values.
        public var interval: GroupInterval?

        /// Creates a group level.
        public init(
            _ field: FieldID, by comparison: Comparison, order: Order = .value, isDescending: Bool = false, interval: GroupInterval? = nil
        ) {
            (self.field, self.comparison, self.order, self.isDescending) = (field, comparison, order, isDescending)
            self.interval = interval
        }
    }

    /// A value computed from a field over all rows of a group, such as a sum.
    public struct Aggregate: Hashable, Codable, Sendable {
        /// An aggregate function.
        public typealias Function = AggregateFunction

        /// The function to compute.
        public var function: Function
        /// The field to aggregate.
        public var field: FieldID
        /// The kind of the values. For text, only count, distinct, first and last are supported. The means and quantiles of times are in
        /// microseconds.
        public var kind: ValueKind
        /// The notation in which numbers of the field are parsed.
        public var notation: DecimalStyle
        /// The notation in which dates of the field are parsed.
        public var dateNotation: DateNotation

        /// Creates an aggregate.
        public init(
            _ function: Function, of field: FieldID, kind: ValueKind, notation: DecimalStyle = .point, dateNotation: DateNotation = .iso
        ) {
            (self.function, self.field, self.kind, self.notation, self.dateNotation) = (function, field, kind, notation, dateNotation)
        }

        /// Decodes an aggregate. In queries saved by older versions, the date notation is missing and becomes `DateNotation.iso`.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                try values.decode(Function.self, forKey: .function), of: try values.decode(FieldID.self, forKey: .field),
                kind: try values.decode(ValueKind.self, forKey: .kind), notation: try values.decode(DecimalStyle.self, forKey: .notation),
                dateNotation: try values.decodeIfPresent(DateNotation.self, forKey: .dateNotation) ?? .iso)
        }
    }
}
