import Tables

/// Profiles of the columns that longer records have added.
struct LaterColumns: Sendable {
    /// The number of the first of them.
    let first: Int
    let profiles: [ColumnProfile]
}
