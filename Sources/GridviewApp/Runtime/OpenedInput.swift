import DataGridQuery
import Tables

/// An input with everything that opening it has read, for the main thread to show without reading more.
struct OpenedInput: Sendable {
    let input: any TableSource
    let profiles: [ColumnProfile]
    /// What is odd about its first block.
    let notes: [String]
    /// What derived fields seem to hold, by their names, where they are known already.
    var derivedProfiles: [String: ColumnProfile] = [:]
    /// Takes the new bytes into the input that is open already; `nil` where more than that has changed.
    var acceptGrowth: (@Sendable () -> Void)?

    init(_ input: any TableSource) {
        self.input = input
        profiles = input.profiles(budgetMilliseconds: 4)
        notes = input.oddities
    }

    /// An input opened again.
    ///
    /// Columns that only later rows have are found again: the input is read to its end then.
    /// - Parameters:
    ///   - isWhole: whether all of it was read.
    ///   - derived: the fields that are computed from others, and what computes them.
    ///   - isWanted: called while the input is read; `false` leaves the rest of its columns for later.
    init(
        _ input: any TableSource, former: any TableSource, isWhole: Bool, threads: Int,
        derived: (fields: [DerivedField], derivation: Derivation),
        isWanted: @escaping @Sendable () -> Bool
    ) throws {
        self.init(input)
        // Of a file that was small, more may be found out now.
        if isWhole { acceptGrowth = former.growth(asOf: input) }
        if input.columnCount < former.columnCount { try input.readAll(threads: threads) { _ in isWanted() } }
        let sampled = DerivedTable(input.snapshot(), derived.derivation).profiles(of: derived.fields.map(\.field.id.rawValue))
        derivedProfiles = Dictionary(zip(derived.fields.map(\.field.name), sampled)) { first, _ in first }
    }
}

/// Profiles of the columns that longer records have added.
struct LaterColumns: Sendable {
    /// The number of the first of them.
    let first: Int
    let profiles: [ColumnProfile]
}
