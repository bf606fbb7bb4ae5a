public import FieldValues

/// The groups of a query, which can be nested, with their records and aggregates.
public struct GroupResult: Sendable {
    /// A group of one level.
    public struct Group: Sendable, Hashable {
        /// The level of the group; 0 for the outermost.
        public var level: Int
        /// The field that the records of the group share, as text with ill-formed UTF-8 replaced. Empty for a group of empty and missing
        /// fields.
        public var key: String
        /// The records, as a range of ``GroupResult/order``. The inner groups of this group cover the same range.
        public var rows: Range<Int>

        /// Creates a group.
        public init(level: Int = 0, key: String, rows: Range<Int>) { (self.level, self.key, self.rows) = (level, key, rows) }
    }

    /// The records of all groups. The records of a group are consecutive; the records of an innermost group are in the sort order of the
    /// query.
    public internal(set) var order: RowNumbers
    /// The groups in row order, each before its inner groups.
    public internal(set) var groups: GroupList
    /// The aggregates of all groups, group by group. The first aggregate of group `g` is at index `g` × the number of aggregates per group.
    public internal(set) var values: [AggregateValue]
    let valuesPerGroup: Int
    /// The groups that are left out; `nil` if all groups are in the result.
    public var omission: GroupOmission?
    /// The fields that the aggregates leave out, although they may be meant as values; one element for each column with such fields.
    public var leftOutValues: [LeftOutValues] = []

    /// The size in memory, in bytes. The distinct fields do not count, because cached columns have the same fields in memory.
    var byteCount: Int {
        order.byteCount + groups.count * 13 + values.count * MemoryLayout<AggregateValue>.stride
    }

    /// The aggregates of a group, in the requested order.
    public func aggregates(ofGroup index: Int) -> ArraySlice<AggregateValue> {
        values[index * valuesPerGroup..<(index + 1) * valuesPerGroup]
    }
}

extension GroupResult {
    /// Creates the result of an engine.
    /// - Parameters:
    ///   - order: the rows of all groups; empty if the query does not need them.
    ///   - groups: the groups, as ranges of `order`.
    ///   - values: the aggregates of all groups, group by group. Each group must have the same number of aggregates.
    public init(order: RowNumbers, groups: GroupList, values: [AggregateValue]) {
        let width = groups.isEmpty ? 0 : values.count / groups.count
        precondition(values.count == width * groups.count, "each group must have the same number of aggregates")
        self.init(order: order, groups: groups, values: values, valuesPerGroup: width)
    }
}

/// A list of groups, each before its inner groups. Elements are created on access, so that millions of groups take little memory.
///
/// Memory: 8 bytes per group with one level, otherwise 13, and the distinct fields of each column once.
public struct GroupList: RandomAccessCollection, Sendable, Equatable {
    /// The first row of each group. One more element at the end is the number of all rows.
    public private(set) var starts: [UInt32]
    /// The level of each group; empty if there is one level.
    public private(set) var levels: [UInt8]
    /// For each group, the field number of its field. It refers to the field list of the group's level.
    private(set) var fieldNumbers: [UInt32]
    private let fields: [any FieldList]
    /// For each group, the index of the first group after it that is not one of its inner groups. Empty if there is one level.
    private(set) var ends: [UInt32]

    /// - Parameter fields: for each level, the distinct fields of its column.
    init(starts: [UInt32], levels: [UInt8], fieldNumbers: [UInt32], fields: [any FieldList], ends: [UInt32] = []) {
        (self.starts, self.levels, self.fieldNumbers, self.fields, self.ends) = (starts, levels, fieldNumbers, fields, ends)
    }

    /// Creates a list from groups in row order, each before its inner groups. O(groups).
    ///
    /// The rows of a group must end where the next group of the same or an outer level starts. The last group must end at the last row.
    /// - Throws: ``OutOfMemory``.
    public init(_ groups: [Group]) throws {
        let depth = (groups.map(\.level).max() ?? 0) + 1
        let texts = TextFields(groups.map(\.key))
        let levels = depth > 1 ? groups.map { UInt8($0.level) } : []
        self.init(
            starts: (groups.map(\.rows.lowerBound) + [groups.last?.rows.upperBound ?? 0]).map { UInt32($0) }, levels: levels,
            fieldNumbers: groups.indices.map { UInt32($0) }, fields: Array(repeating: texts, count: depth),
            ends: try GroupList.ends(levels, control: JobControl()))
        precondition(groups.indices.allSatisfy { rows($0) == groups[$0].rows }, "groups must cover consecutive rows")
    }

    /// For each group, the index of the first group after it that is not one of its inner groups, computed from the levels.
    static func ends(_ levels: [UInt8], control: JobControl) throws -> [UInt32] {
        var ends = try [UInt32](count: levels.count, threads: 1, control: control) { _ in UInt32(levels.count) }
        var open: [Int] = []
        for group in levels.indices {
            try control.checkCancellation(at: group)
            while let last = open.last, levels[last] >= levels[group] {
                ends[last] = UInt32(group)
                open.removeLast()
            }
            open.append(group)
        }
        return ends
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of groups.
    public var endIndex: Int { fieldNumbers.count }

    /// The group at an index. O(bytes of its key).
    public subscript(index: Int) -> Group { Group(level: level(index), key: key(index), rows: rows(index)) }

    /// The level of a group; 0 for the outermost. O(1).
    public func level(_ index: Int) -> Int { levels.isEmpty ? 0 : Int(levels[index]) }

    /// The records of a group, as a range of ``GroupResult/order``. O(1).
    public func rows(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[end(index)]) }

    /// The field that the records of a group share, as text. O(bytes).
    public func key(_ index: Int) -> String { ByteDictionary.text(fields[level(index)].bytes(Int(fieldNumbers[index]))) }

    /// The bytes of the field that the records of a group share, which may be invalid UTF-8. Empty if ``hasEmptyKey(_:)`` is true.
    func keyBytes(_ index: Int) -> [UInt8] { hasEmptyKey(index) ? [] : Array(fields[level(index)].bytes(Int(fieldNumbers[index]))) }

    /// True for the group of empty and missing fields. O(bytes).
    func hasEmptyKey(_ index: Int) -> Bool { FieldBytes(fields[level(index)].bytes(Int(fieldNumbers[index]))).isBlank }

    /// The index of the first group after a group that is not one of its inner groups.
    func end(_ index: Int) -> Int { levels.isEmpty ? index + 1 : Int(ends[index]) }

    /// The same groups in another order.
    /// - Parameters:
    ///   - sequence: the indices of the groups in their new order.
    ///   - starts: the first row of each group in the new order.
    func rearranged(_ sequence: [UInt32], starts: [UInt32], threads: Int, control: JobControl) throws -> GroupList {
        let levels = try [UInt8](count: self.levels.isEmpty ? 0 : sequence.count, threads: threads, control: control) {
            self.levels[Int(sequence[$0])]
        }
        let fieldNumbers = try [UInt32](count: sequence.count, threads: threads, control: control) { self.fieldNumbers[Int(sequence[$0])] }
        return GroupList(
            starts: starts, levels: levels, fieldNumbers: fieldNumbers, fields: fields, ends: try GroupList.ends(levels, control: control))
    }

    /// True if both lists have equal groups. O(groups).
    public static func == (a: GroupList, b: GroupList) -> Bool { a.elementsEqual(b) }

    /// An element of the list, created on access.
    public typealias Group = GroupResult.Group
}
