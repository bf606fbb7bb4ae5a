/// How many records of a sample have each number of fields.
///
/// A list: samples have few different numbers, and the first dictionary of a program takes longer to create than to use.
struct FieldCounts {
    private var counts: [(fields: Int, records: Int)] = []

    /// Adds a record. O(different numbers of fields).
    mutating func add(_ fields: Int) {
        if let index = counts.firstIndex(where: { $0.fields == fields }) {
            counts[index].records += 1
        } else {
            counts.append((fields, 1))
        }
    }

    /// The number of fields of most records, and the number of these records. Of equally common ones, the greatest.
    var mostCommon: (fields: Int, records: Int)? { counts.max { ($0.records, $0.fields) < ($1.records, $1.fields) } }

    /// The greatest number of fields; 0 without records.
    var maximum: Int { counts.map(\.fields).max() ?? 0 }
}
