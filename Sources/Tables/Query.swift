public import FieldValues

/// What is asked of a table: which rows, in which order, in which groups, with which figures.
///
/// A query is a value that can be encoded. It names fields by their ids, so that it survives renaming, and says of each how it is read.
/// A `QueryEngine` answers it.
public struct Query: Hashable, Codable, Sendable {
    /// Fields that are computed from those of the table. Each may depend on those before it; their ids follow each other from
    /// ``FieldID/firstDerived``.
    public var derived: [DerivedField] = []
    /// Conditions that a row has to meet, all of them.
    public var filters: [Formula] = []
    /// What the rows are put in order by, the strongest key first; rows that are equal by all stay in the order of the table.
    public var sort: [SortKey] = []
    /// What the rows are grouped by, the outermost level first.
    public var groups: [GroupKey] = []
    /// What is computed for each group.
    public var aggregates: [Aggregate] = []
    /// Whether the rows of the groups are asked for, and not only the groups and their aggregates, which may take much less time.
    public var needsRows = true

    /// Asks for all rows in the order of the table.
    public init() {}

    /// Whether the rows are left in the order of the table, without groups.
    public var keepsOrder: Bool { sort.isEmpty && groups.isEmpty }

    /// How the values of a field are compared.
    public enum Comparison: Hashable, Codable, Sendable {
        /// As values of a kind; texts in natural order.
        case kind(ValueKind, NumberNotation)
        /// As people expect of names: digits in them count as numbers.
        case natural
        /// By Unicode scalars.
        case text
    }

    /// A field to sort by.
    public struct SortKey: Hashable, Codable, Sendable {
        /// The field whose values decide.
        public var field: FieldID
        /// How they are compared.
        public var comparison: Comparison
        /// Whether the greatest value comes first. Fields without a value come last either way.
        public var isDescending: Bool

        /// Sorts by `field`.
        public init(_ field: FieldID, by comparison: Comparison, isDescending: Bool = false) {
            (self.field, self.comparison, self.isDescending) = (field, comparison, isDescending)
        }
    }

    /// A level of groups: rows whose field is the same are one group.
    public struct GroupKey: Hashable, Codable, Sendable {
        /// What the groups of a level are put in order by.
        public enum Order: Hashable, Codable, Sendable {
            /// The value that the rows share.
            case value
            /// The number of rows.
            case rowCount
            /// The aggregate at this place of ``Query/aggregates``, from 0.
            case aggregate(Int)
        }

        /// The field that the rows of a group share.
        public var field: FieldID
        /// How its values are compared where they decide the order.
        public var comparison: Comparison
        /// What the groups are put in order by. Groups that are equal by that are in the order of their values, ascending.
        public var order: Order
        /// Whether the greatest group comes first. Groups without a value come last either way.
        public var isDescending: Bool

        /// Groups by `field`.
        public init(_ field: FieldID, by comparison: Comparison, order: Order = .value, isDescending: Bool = false) {
            (self.field, self.comparison, self.order, self.isDescending) = (field, comparison, order, isDescending)
        }
    }

    /// What is computed for each group from the values of a field.
    public struct Aggregate: Hashable, Codable, Sendable {
        /// A function of the values of a group.
        public enum Function: String, Hashable, Codable, Sendable, CaseIterable {
            /// Fields that are not blank.
            case count
            /// The sum of the values. Exact as far as all values have at most 38 digits with a common number of digits after the point, and
            /// the sum fits in 128 bits; otherwise (`1e-300`, `inf`) a compensated sum of doubles.
            case sum
            /// The mean of the values.
            case mean
            /// The least value.
            case min
            /// The greatest value.
            case max
            /// Different fields that are not blank, by their bytes.
            case distinct
            /// The field of the first row of the group, whatever it holds.
            case first
            /// The field of the last row of the group, whatever it holds.
            case last
        }

        /// What is computed.
        public var function: Function
        /// The field with the values.
        public var field: FieldID
        /// What the values are; text has counts, a first and a last field only. A mean of times is one of microseconds.
        public var kind: ValueKind
        /// How numbers are written.
        public var notation: NumberNotation

        /// Computes `function` of `field`.
        public init(_ function: Function, of field: FieldID, kind: ValueKind, notation: NumberNotation = .point) {
            (self.function, self.field, self.kind, self.notation) = (function, field, kind, notation)
        }
    }
}
