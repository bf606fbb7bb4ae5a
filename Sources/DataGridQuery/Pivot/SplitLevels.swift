import FieldValues
import Tables

/// Group levels. Some of them are followed by an additional level, which separates nulls from empty values.
struct SplitLevels {
    let keys: [Query.GroupKey]
    let isSplit: [Bool]

    init(_ keys: [Query.GroupKey], isSplit: [Bool]) { (self.keys, self.isSplit) = (keys, isSplit) }

    /// The number of levels in the query.
    var depth: Int { keys.count + isSplit.count { $0 } }

    /// The query, grouped by these levels. The groups of nulls follow those of empty values.
    func query(_ query: Query, _ schema: Schema) -> Query {
        var query = query
        query.groups = []
        for (key, isSplit) in zip(keys, isSplit) {
            query.groups.append(key)
            guard isSplit else { continue }
            let id = FieldID(rawValue: query.derived.last.map { $0.field.id.rawValue + 1 } ?? FieldID.firstDerived.rawValue)
            let name = "\(schema[key.field]?.name ?? "") is null"
            query.derived.append(DerivedField(Field(id, name: name, kind: .flag), .call(.isNull, [.field(key.field)])))
            query.groups.append(Query.GroupKey(id, by: .kind(.flag, .point)))
        }
        return query
    }

    /// Calls `body` with each innermost group and its keys, one for each of ``keys``.
    func forEachInnermost(
        _ result: GroupResult, _ control: JobControl, _ body: (_ group: Int, _ keys: [PivotKey]) throws -> Void
    ) throws {
        // For each level of the query, the index of the key that it determines.
        let keyOfLevel = isSplit.enumerated().flatMap { index, isSplit in isSplit ? [index, index] : [index] }
        var path = keys.map { _ in PivotKey() }
        for group in result.groups.indices {
            try control.checkCancellation(at: group)
            let level = result.groups.level(group)
            let index = keyOfLevel[level]
            if level > 0, keyOfLevel[level - 1] == index {
                // The key of this level is a flag: true for nulls, false for other fields. SQLite has no flags, so its keys are 1 and 0.
                path[index].isNull = ["true", "1"].contains(result.groups.key(group))
            } else {
                path[index] = PivotKey(bytes: result.groups.keyBytes(group))
            }
            if level == depth - 1 { try body(group, path) }
        }
    }
}

/// The value that the rows of a group have in common.
struct PivotKey: Hashable {
    /// The bytes of the value, which may be invalid UTF-8. Comparing strings would take equivalent strings for equal.
    var bytes: [UInt8] = []
    var isNull = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isInvalid: Bool { bytes.withUnsafeBufferPointer { !FieldBytes($0).isUTF8 } }
}
