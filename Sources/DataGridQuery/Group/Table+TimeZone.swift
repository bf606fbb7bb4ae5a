package import FieldValues
package import Tables

extension Table {
    /// True if the declared type of a column has a zone. Without a declared type, true if the first time in the column has a zone, or is a
    /// number of seconds since 1970. Results that are computed from times with a zone are in UTC. Reads the records up to the first time,
    /// but at most 4,096 records of a server, and no records if the type is declared.
    /// - Parameters:
    ///   - kind: the kind of the column; false for other kinds than `dateTime`.
    ///   - notation: the notation of the dates of the column.
    /// - Throws: ``JobCancelled``, and the errors of ``scan(_:columns:_:)``.
    package func hasTimeZone(_ field: FieldID, _ kind: ValueKind, _ notation: DateNotation, _ control: JobControl) throws -> Bool {
        guard kind == .dateTime else { return false }
        if let hasZone = timesHaveZone(inColumn: field.rawValue) { return hasZone }
        var found = false
        try scan(0..<min(recordCount, isSequential ? 4_096 : .max), columns: [field.rawValue]) { _, fields in
            guard let time = fields[0].exactDateTime(.dateTime, notation) else { return !control.isCancelled }
            found = time.hasZone
            return false
        }
        try control.checkCancellation()
        return found
    }
}
