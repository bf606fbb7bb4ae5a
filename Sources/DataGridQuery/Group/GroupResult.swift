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
    public var order: [UInt32]
    /// The groups, each before those inside it, in the order of the rows.
    public var groups: [Group]
    /// The aggregates asked for, group by group: those of group `g` begin at `g` × number of requests.
    public var values: [AggregateValue]
    let valuesPerGroup: Int

    /// Bytes in memory, about.
    var byteCount: Int {
        let texts = groups.reduce(0) { $0 + ($1.key.utf8.count > 15 ? $1.key.utf8.count + 32 : 0) }
        return order.count * MemoryLayout<UInt32>.stride + groups.count * MemoryLayout<Group>.stride + texts
            + values.count * MemoryLayout<AggregateValue>.stride
    }

    /// The aggregates of a group, in the order asked for.
    public func aggregates(ofGroup index: Int) -> ArraySlice<AggregateValue> {
        values[index * valuesPerGroup..<(index + 1) * valuesPerGroup]
    }
}
