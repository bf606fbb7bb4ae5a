public import FieldValues

/// Records in nested groups.
public struct GroupResult: Sendable {
    /// One group of one level.
    public struct Group: Sendable, Hashable {
        /// 0 for the outermost level.
        public var level: Int
        /// The field that the records of the group share, as text (invalid UTF-8 replaced); empty for blank and missing fields.
        public var key: String
        /// Its records: a range of ``GroupResult/order``. The groups inside it cover the same range.
        public var rows: Range<Int>
    }

    /// All records, those of a group next to each other; within a group of the last level in the order given.
    public internal(set) var order: RowNumbers
    /// The groups, each before those inside it, in the order of the rows.
    public internal(set) var groups: GroupList
    /// The aggregates asked for, group by group: those of group `g` begin at `g` × number of requests.
    public internal(set) var values: [AggregateValue]
    let valuesPerGroup: Int

    /// Bytes in memory but for the different fields, which the columns that are kept hold too.
    var byteCount: Int {
        order.byteCount + groups.count * 13 + values.count * MemoryLayout<AggregateValue>.stride
    }

    /// The aggregates of a group, in the order asked for.
    public func aggregates(ofGroup index: Int) -> ArraySlice<AggregateValue> {
        values[index * valuesPerGroup..<(index + 1) * valuesPerGroup]
    }
}

/// Groups, each before those inside it; made when they are asked for, so that millions take few bytes.
///
/// 8 bytes a group where there is one level, else 13; and the different fields of each column, once.
public struct GroupList: RandomAccessCollection, Sendable, Equatable {
    /// The first row of each group, and behind them the number of rows.
    public private(set) var starts: [UInt32]
    /// The level of each group; empty where there is one level.
    public private(set) var levels: [UInt8]
    /// Which of the level's fields is the key of each group.
    private(set) var numbers: [UInt32]
    private let fields: [any FieldList]
    /// Behind the groups inside each group; empty where there is one level.
    private(set) var ends: [UInt32]

    /// - Parameter fields: the distinct fields of each level's column.
    init(starts: [UInt32], levels: [UInt8], numbers: [UInt32], fields: [any FieldList], ends: [UInt32] = []) {
        (self.starts, self.levels, self.numbers, self.fields, self.ends) = (starts, levels, numbers, fields, ends)
    }

    /// Behind the groups inside each group, by the levels of all.
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

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of groups.
    public var endIndex: Int { numbers.count }

    /// A group. O(its key).
    public subscript(index: Int) -> Group { Group(level: level(index), key: key(index), rows: rows(index)) }

    /// How deep a group lies, from 0. O(1).
    public func level(_ index: Int) -> Int { levels.isEmpty ? 0 : Int(levels[index]) }

    /// The records of a group as a range of the order. O(1).
    public func rows(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[end(index)]) }

    /// The field that the records of a group share, as text. O(its bytes).
    public func key(_ index: Int) -> String { ByteDictionary.text(fields[level(index)].bytes(Int(numbers[index]))) }

    /// Behind the last group inside a group.
    func end(_ index: Int) -> Int { levels.isEmpty ? index + 1 : Int(ends[index]) }

    /// The groups in another order, in which rows begin elsewhere.
    func rearranged(_ sequence: [UInt32], starts: [UInt32], threads: Int, control: JobControl) throws -> GroupList {
        let levels = try [UInt8](count: self.levels.isEmpty ? 0 : sequence.count, threads: threads, control: control) {
            self.levels[Int(sequence[$0])]
        }
        let numbers = try [UInt32](count: sequence.count, threads: threads, control: control) { self.numbers[Int(sequence[$0])] }
        return GroupList(
            starts: starts, levels: levels, numbers: numbers, fields: fields, ends: try GroupList.ends(levels, control: control))
    }

    /// Whether the groups are the same. O(groups).
    public static func == (a: GroupList, b: GroupList) -> Bool { a.elementsEqual(b) }

    /// A group, made when it is asked for.
    public typealias Group = GroupResult.Group
}
