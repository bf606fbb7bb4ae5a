/// The number of records of a sample for each number of fields.
///
/// A list is used because samples have few distinct field counts. Creating a program's first dictionary takes longer than searching a list.
struct FieldCounts {
    private var counts: [(fields: Int, records: Int)] = []

    /// Adds a record. O(distinct field counts).
    mutating func add(_ fields: Int) {
        if let index = counts.firstIndex(where: { $0.fields == fields }) {
            counts[index].records += 1
        } else {
            counts.append((fields, 1))
        }
    }

    /// The most common number of fields, and the number of records with it. Among equally common numbers of fields, the greatest.
    var mostCommon: (fields: Int, records: Int)? { counts.max { ($0.records, $0.fields) < ($1.records, $1.fields) } }

    /// The greatest number of fields; 0 without records.
    var maximum: Int { counts.map(\.fields).max() ?? 0 }
}
