import DataGrid
import FieldValues
import Locks
import Tables

/// Finds the columns in which JSON and SQL write numbers as strings, for a note to the user. All threads of an output share one object.
final class StringNumberFinder: Sendable {
    private final class Findings: Sendable {
        let hasNumbers = Atomic(0)
        let hasNonFinite = Atomic(0)
    }

    private let names: [String]
    /// For each column, true if its kind is a number.
    private let isNumeric: [Bool]
    /// For each column, true if its kind has no numbers, but the input may store some of its values as numbers.
    private let mayStoreNumbers: [Bool]
    private let findings: [Findings]

    /// - Parameter mayStoreNumbers: for each column, true if the input may store its values as numbers.
    init(_ columns: [Column], mayStoreNumbers: [Bool]) {
        names = columns.map(\.title)
        isNumeric = columns.map(\.kind.isNumber)
        self.mayStoreNumbers = zip(columns, mayStoreNumbers).map { !$0.kind.isNumber && $1 }
        findings = columns.map { _ in Findings() }
    }

    /// Examines a field that is written as a string.
    func check(_ field: FieldBytes, _ column: Int) {
        if isNumeric[column] {
            if field.decimal()?.isFinite == false { addNonFinite(column) }
        } else if mayStoreNumbers[column], findings[column].hasNumbers.load(ordering: .relaxed) == 0, field.isJSONNumber {
            findings[column].hasNumbers.store(1, ordering: .relaxed)
        }
    }

    /// Records that NaN or infinity is written as a string.
    func addNonFinite(_ column: Int) {
        if findings[column].hasNonFinite.load(ordering: .relaxed) == 0 { findings[column].hasNonFinite.store(1, ordering: .relaxed) }
    }

    /// The columns in which numbers are strings, once for each reason.
    var columns: [TextColumn] {
        zip(names, findings).flatMap { name, one in
            (one.hasNumbers.load(ordering: .relaxed) != 0 ? [TextColumn(name: name, reason: .otherValues)] : [])
                + (one.hasNonFinite.load(ordering: .relaxed) != 0 ? [TextColumn(name: name, reason: .nonFinite)] : [])
        }
    }
}
