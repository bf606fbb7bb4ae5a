public import DataGrid
public import Tables

extension RowOrder {
    /// The rows of the order as a sequence that background jobs accept. O(1).
    public var sequence: RowSequence {
        switch self {
        case .natural: return .all
        case .spliced: return records.map { RowSequence($0) } ?? .all
        case .permuted(let permutation): return RowSequence(permutation.records)
        case .moved(let rows):
            if case .permuted(let permutation) = rows.base { return .list(permutation.records, ranges: rows.runs) }
            return .runs(rows.runs)
        }
    }
}
