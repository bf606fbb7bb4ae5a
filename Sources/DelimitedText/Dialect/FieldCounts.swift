/// Counts how many records of a sample have each number of fields.
///
/// The counts are in a list, not in a dictionary: a sample has few distinct numbers of fields, and creating the first dictionary of a
/// program takes extra time.
struct FieldCounts {
    private var counts: [(fields: Int, records: Int)] = []

    /// Adds a record with `fields` fields. O(distinct numbers of fields).
    mutating func add(_ fields: Int) {
        if let index = counts.firstIndex(where: { $0.fields == fields }) {
            counts[index].records += 1
        } else {
            counts.append((fields, 1))
        }
    }

    /// The most common number of fields, and how many records have it. If several numbers are equally common, the greatest of them.
    var mostCommon: (fields: Int, records: Int)? { counts.max { ($0.records, $0.fields) < ($1.records, $1.fields) } }

    /// The greatest number of fields of a record; 0 without records.
    var maximum: Int { counts.map(\.fields).max() ?? 0 }
}
