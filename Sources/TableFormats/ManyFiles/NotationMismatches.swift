import DelimitedText
import FieldValues
import Tables

/// Finds files that write the values of a column in another way than the profile of the column expects, such as `(1,234.50)` in a column
/// of plain numbers. Filters, groups and sums read such values as text. The files are compared by samples.
struct NotationMismatches: Sendable {
    /// The profiles of the columns that are not text, by column.
    private var expectedProfiles: [Int: ColumnProfile] = [:]
    /// The number of columns, from the first on, for which ``expect(_:from:)`` was called. Some of them have no expected profile.
    private var settledCount = 0
    /// The profiles of files that were read before the expected profiles of their columns were set.
    private var waitingProfiles: [(column: Int, profile: ColumnProfile, label: String)] = []
    /// For each column with other values, the label of the first file that has them, and the number of such files.
    private var otherForms: [Int: (first: String, count: Int)] = [:]
    private var textCount = 0
    private var columnarCount = 0

    /// The maximum numbers of files that are compared. The sample of a columnar file takes longer, because whole pages are decoded.
    private static let maximumTextCount = 500
    private static let maximumColumnarCount = 20
    /// The maximum number of profiles that wait for their comparison. Without it, columns that are never profiled could fill the memory.
    private static let maximumWaitingProfiles = 10_000
    /// The maximum number of columns that ``phrase(about:title:)`` names.
    private static let namedColumns = 3

    /// Sets the profiles of columns, from the column `first` on. Compares the files that were read before.
    mutating func expect(_ profiles: [ColumnProfile], from first: Int) {
        for (index, profile) in profiles.enumerated() {
            // A column of text has no mismatches, because it reads every value in the same way. A column without values has no expected
            // form.
            let isKnown = profile.kind != .text && profile.sampledCount > profile.emptyCount
            expectedProfiles[first + index] = isKnown ? profile : nil
        }
        if first <= settledCount { settledCount = max(settledCount, first + profiles.count) }
        let found = waitingProfiles
        waitingProfiles = []
        for (column, profile, label) in found { add(profile, of: column, label) }
    }

    /// The columns of one more file that are to be compared, by their index in the file. Empty after many files.
    mutating func columnsToCompare(_ map: ColumnMap?, isColumnar: Bool) -> [Int] {
        guard let map else { return [] }
        let indices = map.columns.indices.filter { index in
            let column = Int(map.columns[index])
            return expectedProfiles[column] != nil || column >= settledCount && waitingProfiles.count < Self.maximumWaitingProfiles
        }
        guard !indices.isEmpty else { return [] }
        if isColumnar { columnarCount += 1 } else { textCount += 1 }
        return (isColumnar ? columnarCount <= Self.maximumColumnarCount : textCount <= Self.maximumTextCount) ? indices : []
    }

    /// The profiles of columns of a file, from samples of its start and its end.
    /// - Parameter notation: the notation of all numbers in text; `nil` to detect it.
    static func sample(_ source: any TableSource, _ columns: [Int], notation: DecimalStyle?) -> [ColumnProfile] {
        guard !columns.isEmpty else { return [] }
        let table: any Table = source.snapshot()
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: columns.count)
        let (count, part) = (table.recordCount, sampledRecords)
        for records in [0..<min(count, part), max(min(count, part), count - part)..<count] where !records.isEmpty {
            // The file has been read already. If it can no longer be read, the output reports the error.
            try? table.sample(records, columns: columns, into: &samplers, maximumBytes: sampledBytes)
        }
        let delimiter = source.delimitedText?.dialect.delimiter ?? 0
        return ColumnSampler.profiles(samplers, delimiter: delimiter, notation: table is any ColumnarTable ? .point : notation) {
            source.hasColumnNames ? source.title(ofColumn: columns[$0]) : ""
        }
    }

    /// The maximum number of records, and of bytes, of each sample of a file.
    private static let sampledRecords = 50
    private static let sampledBytes = 64 << 10

    /// Compares the profiles of columns of a file with the expected ones, or keeps them until the expected ones are set.
    /// - Parameter columns: the columns of the table that have these profiles.
    mutating func add(_ profiles: [ColumnProfile], of columns: [Int32], _ label: String) {
        for (column, profile) in zip(columns, profiles) { add(profile, of: Int(column), label) }
    }

    private mutating func add(_ profile: ColumnProfile, of column: Int, _ label: String) {
        guard column < settledCount else {
            if waitingProfiles.count < Self.maximumWaitingProfiles { waitingProfiles.append((column, profile, label)) }
            return
        }
        guard let expected = expectedProfiles[column], !profile.hasValues(readAs: expected) else { return }
        otherForms[column] = (otherForms[column]?.first ?? label, (otherForms[column]?.count ?? 0) + 1)
    }

    /// A phrase that names the columns in which files have other values, with the files; `nil` without such columns.
    /// - Parameter columns: the columns to examine; `nil` for all.
    func phrase(about columns: [Int]?, title: (Int) -> String) -> String? {
        let found = columns?.filter { otherForms[$0] != nil } ?? otherForms.keys.sorted()
        guard !found.isEmpty else { return nil }
        let named = found.prefix(Self.namedColumns).compactMap { column in
            otherForms[column].map { first, count in
                let rest = count == 1 ? "" : count == 2 ? " and 1 other file" : " and \(NumberText.count(count - 1)) other files"
                return "\(title(column).quotedForMessage) in \(first)\(rest)"
            }
        }
        let rest = found.count > named.count ? "; \(NumberText.count(found.count - named.count)) more columns" : ""
        return "some values count as text, because they are not written as in the other files: \(named.joined(separator: ", "))\(rest)"
    }
}

extension ColumnProfile {
    /// True if the sampled values of this profile can be read in the way that another profile expects.
    fileprivate func hasValues(readAs expected: ColumnProfile) -> Bool {
        if sampledCount == emptyCount { return true }
        if kind == .text {
            // A word such as `n/a` is not a value of the column. A text with digits may be one.
            return sampleTexts.allSatisfy { text in
                !text.utf8.contains { $0 &- UInt8(ascii: "0") < 10 }
                    || FieldBytes.withBytes(of: text) { $0.parses(as: expected.kind, expected.notation, expected.dateNotation) }
            }
        }
        let merged = expected.merged(with: self)
        let areSame = merged.kind == expected.kind || merged.kind.isNumber && expected.kind.isNumber
        guard areSame, merged.kind.isNumber else { return areSame && merged.dateNotation == expected.dateNotation }
        return merged.notation == expected.notation || expected.notation.unit.isSize && hasNumbers(in: expected.notation)
    }
}
