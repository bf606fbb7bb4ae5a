import DataGrid
import DataGridSources
import FieldValues
import Tables

/// Types of columns that have no value in the sample of rows.
extension Document {
    /// The fields without a value in their sample.
    /// - Parameter first: the index of the first field.
    nonisolated static func unsampledFields(_ profiles: [ColumnProfile], from first: Int) -> Set<FieldID> {
        var fields: Set<FieldID> = []
        for (index, profile) in profiles.enumerated() where profile.sampledCount == profile.emptyCount && profile.kind == .text {
            fields.insert(FieldID(rawValue: first + index))
        }
        return fields
    }

    /// Finds the types of ``unsampledFields`` in all records known so far, and sets them. Reads the values of these fields.
    func findRareTypes() {
        guard !unsampledFields.isEmpty, !columns.isEmpty else { return }
        let records = source.snapshot.recordCount
        setRareTypes(RareTypeSearch(of: self).run(input) { true }, records: records)
    }

    /// Sets the types of columns after a search for values in their fields.
    /// - Parameters:
    ///   - found: the profiles of the fields that were searched.
    ///   - records: the number of records that were known before the search.
    /// - Returns: the columns whose fields have values.
    @discardableResult
    func setRareTypes(_ found: [FieldID: ColumnProfile], records: Int) -> [Column] {
        // Columns that were added meanwhile were not searched.
        if unsampledFields.allSatisfy({ found[$0] != nil }) { searchedRecordCount = records }
        let found = found.filter { unsampledFields.contains($0.key) }
        let profiles = found.filter { $0.value.sampledCount > $0.value.emptyCount }
        if input.snapshot().isComplete { untypedFields.formUnion(found.keys) }
        untypedFields.subtract(profiles.keys)
        unsampledFields.subtract(profiles.keys)
        var changed: [Column] = []
        for index in columns.indices where !columns[index].field.isDerived {
            guard let profile = profiles[columns[index].field] else { continue }
            let typed = column(ofField: columns[index].field.rawValue, profile)
            var column = columns[index]
            (column.kind, column.notation, column.isIdentifier) = (typed.kind, typed.notation, typed.isIdentifier)
            (column.dateNotation, column.hasAmbiguousDates) = (typed.dateNotation, typed.hasAmbiguousDates)
            column.flagMarks = typed.flagMarks
            // The options can set the number of decimals.
            let digits = column.format.fractionDigits
            column.format = typed.format
            column.format.fractionDigits = digits ?? typed.format.fractionDigits
            column.measuredWidth = max(column.measuredWidth, Self.width(of: column, samples: profile.sampleTexts))
            columns[index] = column
            source.setKind(of: column)
            changed.append(column)
        }
        if !changed.isEmpty { computeDerivedFields(from: columns) }
        return changed
    }
}

/// A search for values of the fields without a value in the sample of rows. It can run on any thread.
struct RareTypeSearch: Sendable {
    private let fields: [FieldID]
    private let first: Int
    /// True if there are no such fields.
    var isEmpty: Bool { fields.isEmpty }

    @MainActor
    init(of document: Document) {
        // The last record that was searched can be longer now, because a file can end within a record.
        self.init(of: document.unsampledFields, from: max(0, document.searchedRecordCount - 1))
    }

    /// - Parameter first: the number of the first record to search.
    init(of fields: Set<FieldID>, from first: Int) { (self.fields, self.first) = (fields.sorted(), first) }

    /// The profiles of the fields in the records known so far.
    /// - Parameter shouldContinue: polled occasionally; return `false` to end the search.
    func run(_ input: any TableSource, while shouldContinue: () -> Bool) -> [FieldID: ColumnProfile] {
        if fields.isEmpty { return [:] }
        let profiles = input.profiles(ofRareColumns: fields.map(\.rawValue), from: first, while: shouldContinue)
        return Dictionary(zip(fields, profiles)) { first, _ in first }
    }
}
