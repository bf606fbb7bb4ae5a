import DataGridQuery
import Tables

/// An input with everything that was read to open it, so that the main thread can show it without reading.
struct OpenedInput: Sendable {
    let input: any TableSource
    let profiles: [ColumnProfile]
    /// Problems in its first block.
    let notes: [String]
    /// Known profiles of derived fields, by name.
    var derivedProfiles: [String: ColumnProfile] = [:]
    /// Adds the new bytes to the input that is already open; `nil` if the file has changed otherwise.
    var acceptGrowth: (@Sendable () -> Void)?

    init(_ input: any TableSource) {
        self.input = input
        profiles = input.profiles(budgetMilliseconds: 4)
        notes = input.oddities
    }

    /// Opens an input again.
    ///
    /// If it does not have all columns of the former input yet, it is read to its end, because later rows may have them.
    /// - Parameters:
    ///   - isWhole: true if the former input was read completely.
    ///   - derived: the derived fields and their computation.
    ///   - isWanted: called during reading; returns `false` to stop.
    init(
        _ input: any TableSource, former: any TableSource, isWhole: Bool, threads: Int,
        derived: (fields: [DerivedField], derivation: Derivation),
        isWanted: @escaping @Sendable () -> Bool
    ) throws {
        self.init(input)
        // For a file that was small, more of its properties may be detectable now.
        if isWhole { acceptGrowth = former.growth(asOf: input) }
        if input.columnCount < former.columnCount { try input.readAll(threads: threads) { _ in isWanted() } }
        let sampled = DerivedTable(input.snapshot(), derived.derivation).profiles(of: derived.fields.map(\.field.id.rawValue))
        derivedProfiles = Dictionary(zip(derived.fields.map(\.field.name), sampled)) { first, _ in first }
    }
}

/// Profiles of the columns that longer records have added.
struct LaterColumns: Sendable {
    /// The index of the first of them.
    let first: Int
    let profiles: [ColumnProfile]
}
