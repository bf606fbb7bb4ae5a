import FieldValues
import Tables

/// Recognizes a row of totals at the end of a table.
enum TotalsRow {
    /// The number of records at the end of the table that are searched for a row of totals.
    static let searchedRecords = 4
    /// The maximum number of records that are added up to recognize a row of totals without a name.
    static let maximumAddedRecords = 5_000

    /// The suggestion for a row of totals at the end of the records; `nil` if there is no such row. Blank lines, and remarks in the first
    /// column below them, may follow the row.
    /// - Parameter isTotal: returns true if the numbers of a record without a name are the totals of their columns. Its argument is the
    ///   index of the record in `records`.
    static func suggestion(_ records: [Record], isTotal: (Int) -> Bool) -> ReadingSuggestion? {
        for (index, record) in records.enumerated().reversed() {
            let filled = record.fields.indices.filter { !record.fields[$0].text.isEmpty }
            // Skip a blank line, and a remark below a blank line.
            if filled.isEmpty || filled == [0] && index > 0 && isBelowBlank(records[..<index]) { continue }
            guard let column = filled.first else { return nil }
            let hasNumber = filled.dropFirst().contains { isNumber(record.fields[$0]) }
            if hasNumber, isName(record.fields[column].text) { return .totalsRow(column: column, value: record.fields[column].text) }
            // A row without a name must consist of numbers only.
            guard column > 0, filled.allSatisfy({ isNumber(record.fields[$0]) }), isTotal(index) else { return nil }
            return .totalsRow(column: 0, value: "")
        }
        return nil
    }

    /// True if the last of the records is blank, or if it is a remark below a blank record.
    private static func isBelowBlank(_ records: ArraySlice<Record>) -> Bool {
        for record in records.reversed() {
            let filled = record.fields.indices.filter { !record.fields[$0].text.isEmpty }
            if filled.isEmpty { return true }
            guard filled == [0] else { return false }
        }
        return false
    }

    private static func isNumber(_ field: RecordField) -> Bool { HeaderSniffer.isValue(Array(field.text.utf8)[...]) }

    private static func isName(_ text: String) -> Bool {
        var name = text.lowercased()
        while let last = name.last, last == ":" || last == " " { name.removeLast() }
        return names.contains(name)
    }

    private static let names: Set<String> = [
        "total", "totals", "grand total", "subtotal", "sub-total", "sub total", "overall", "sum", "sums", "summe", "summen", "gesamt",
        "gesamtsumme", "zwischensumme", "endsumme", "insgesamt", "total général", "total general", "sous-total", "somme", "ensemble",
        "suma", "suma total", "totale", "totali", "totale complessivo", "subtotale", "somma", "totaal", "eindtotaal", "razem", "ogółem",
        "celkem", "summa", "totalt", "i alt", "yhteensä", "итого", "всего", "toplam", "合計", "总计", "合计", "σ", "∑",
    ]

    /// True if each number of a record is the sum of the numbers above it in its column.
    /// - Parameters:
    ///   - table: all records.
    ///   - lastRecord: the number of the record.
    static func addsUp(_ table: RecordSnapshot, lastRecord: Int) -> Bool {
        guard lastRecord >= 2, lastRecord < maximumAddedRecords, table.columnCount <= 200 else { return false }
        // Sums are integers that count billionths, which 128 bits represent exactly.
        let fractionDigits = 9
        var sums = [Int128](repeating: 0, count: table.columnCount)
        var (isValid, matchingSums) = (true, 0)
        try? table.scan(0..<lastRecord + 1, columns: Array(0..<table.columnCount)) { record, fields in
            // If another record has an empty name, suggest nothing, because the suggested filter would exclude this record, too.
            if record < lastRecord, fields[0].isBlank, !fields[0].isMissing { isValid = false }
            for (column, field) in fields.enumerated() where !field.isBlank {
                guard let (mantissa, digits) = FixedPoint.read(field), digits <= fractionDigits else {
                    if record == lastRecord { isValid = false }
                    continue
                }
                let value = (0..<fractionDigits - digits).reduce(Int128(mantissa)) { value, _ in value * 10 }
                if record < lastRecord {
                    sums[column] += value
                } else if sums[column] != value {
                    isValid = false
                } else {
                    matchingSums += 1
                }
            }
            return isValid
        }
        return isValid && matchingSums > 0
    }
}
