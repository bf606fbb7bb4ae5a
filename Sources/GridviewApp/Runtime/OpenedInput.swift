import DataGrid
import DataGridQuery
import DataGridSources
import FieldValues
import Tables

/// An input together with everything that was read on opening, so that the main thread can show it without waiting for the file.
struct OpenedInput: Sendable {
    let input: any TableSource
    let profiles: [ColumnProfile]
    /// The problems that were found in the first block of the input, one sentence each.
    let problems: [String]
    /// The profiles of derived fields that were sampled on opening, by the name of the field.
    var derivedProfiles: [String: ColumnProfile] = [:]
    /// The types that a search has found; `nil` without a search.
    private(set) var rareTypes: RareTypes.Found?
    /// Adds the new bytes of a grown file to the input that is already open. `nil` if the file has changed in another way, so that the new
    /// input must replace the open one.
    var acceptGrowth: (@Sendable () -> Void)?

    init(_ input: any TableSource) {
        self.input = input
        profiles = input.profiles(budgetMilliseconds: 4)
        problems = input.problems
    }

    /// Opens an input, and samples the derived columns of the options. Skips invalid definitions, which ``Document`` reports later.
    init(_ input: any TableSource, deriving options: LaunchOptions) {
        self.init(input)
        guard !options.derivedColumns.isEmpty else { return }
        var columns = profiles.enumerated().map { Column(ofField: $0, of: input, $1.readingDates(options.ambiguousDates)) }
        let typedNames = ColumnNames(count: options.types.count)
        for (reference, type) in options.types {
            for index in (try? Document.resolve(reference, columns, typedNames, of: input)) ?? [] {
                columns[index].kind = type.kind
                if let notation = type.notation { columns[index].notation = notation.with(columns[index].notation.unit) }
                if let notation = type.dateNotation { columns[index].dateNotation = notation }
            }
        }
        let inputSchema = Schema(columns)
        var fields: [DerivedField] = []
        for definition in options.derivedColumns {
            let schema = Schema(inputSchema.fields + fields.map(\.field))
            if let field = try? DerivedField(definition, id: DerivedField.nextID(after: fields), in: schema) { fields.append(field) }
        }
        sample(fields, CompiledDerivedFields(fields, schema: inputSchema))
    }

    /// Opens an input again, after its file has changed.
    ///
    /// If the new input lacks columns of the previous input, the new input is read to its end, because later rows may have these columns.
    /// - Parameters:
    ///   - isPreviousComplete: true if the previous input was read to its end.
    ///   - readsToEnd: true to read the input to its end if its new bytes cannot be added to the previous input.
    ///   - derived: the derived fields and their computation.
    ///   - shouldContinue: called during reading; returns `false` to stop.
    init(
        _ input: any TableSource, previous: any TableSource, isPreviousComplete: Bool, readsToEnd: Bool, threads: Int,
        derived: (fields: [DerivedField], derivation: CompiledDerivedFields),
        shouldContinue: @escaping @Sendable () -> Bool
    ) throws {
        self.init(input)
        // If the file was very small before, more of its properties, such as types, may be detected now.
        if isPreviousComplete { acceptGrowth = previous.growthUpdate(from: input) }
        if acceptGrowth == nil, readsToEnd || input.columnCount < previous.columnCount {
            try input.readToEnd(threads: threads) { _ in shouldContinue() }
        }
        sample(derived.fields, derived.derivation)
    }

    /// Finds the types of fields without a value in the sample. Reads the values of these fields.
    /// - Parameter shouldContinue: polled occasionally; return `false` to end the search.
    mutating func findRareTypes(while shouldContinue: () -> Bool) {
        rareTypes = RareTypes(profiles, of: input).search(for: .request, while: shouldContinue)
    }

    private mutating func sample(_ fields: [DerivedField], _ derivation: CompiledDerivedFields) {
        let sampled = DerivedTable(input.snapshot(), derivation).profiles(of: fields.map(\.field))
        derivedProfiles = Dictionary(zip(fields.map(\.field.name), sampled)) { first, _ in first }
    }
}

/// The profiles of columns that were found in records with more fields than all previous ones.
struct AddedColumns: Sendable {
    /// The index of the first added column.
    let firstIndex: Int
    let profiles: [ColumnProfile]
}

extension ColumnProfile {
    /// The profile with this order of day and month, if its dates can be read in both orders. Unchanged if `order` is `nil`.
    func readingDates(_ order: DateNotation?) -> ColumnProfile {
        guard let order, hasAmbiguousDates else { return self }
        var profile = self
        (profile.dateNotation, profile.hasAmbiguousDates) = (order, false)
        return profile
    }
}
