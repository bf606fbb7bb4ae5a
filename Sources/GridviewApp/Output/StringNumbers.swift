import DataGrid
import FieldValues
import Locks
import Tables

/// Finds the columns in which JSON and SQL write numbers as strings. All threads of an output share one object.
final class StringNumbers: Sendable {
    private final class Findings: Sendable {
        let hasNumbers = Atomic(0)
        let hasNonFinite = Atomic(0)
    }

    private let names: [String]
    /// For each column, true if its kind is a number.
    private let areNumbers: [Bool]
    /// For each column, true if its kind has no numbers, but the input may store some of its values as numbers.
    private let storeNumbers: [Bool]
    private let findings: [Findings]

    /// - Parameter storeNumbers: for each column, true if the input may store its values as numbers.
    init(_ columns: [Column], storeNumbers: [Bool]) {
        names = columns.map(\.title)
        areNumbers = columns.map(\.kind.isNumber)
        self.storeNumbers = zip(columns, storeNumbers).map { !$0.kind.isNumber && $1 }
        findings = columns.map { _ in Findings() }
    }

    /// Examines a field that is written as a string.
    func check(_ field: FieldBytes, _ column: Int) {
        if areNumbers[column] {
            if field.decimal()?.isFinite == false { addNonFinite(column) }
        } else if storeNumbers[column], findings[column].hasNumbers.load(ordering: .relaxed) == 0, field.isJSONNumber {
            findings[column].hasNumbers.store(1, ordering: .relaxed)
        }
    }

    /// Notes that NaN or infinity is written as a string.
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
