import FieldValues
import Tables

extension ColumnBatch {
    /// Selects the rows whose field in a column passes a test. Writes these rows to `found` and returns their number.
    ///
    /// In a column with a short dictionary, each string is tested once, not once for each row. A value is not converted to text if its text
    /// cannot contain `required`.
    /// - Parameters:
    ///   - required: bytes that every passing field contains.
    ///   - printer: converts values of one column to text.
    ///   - found: memory for as many rows as `rows`.
    func select(
        _ rows: TypedCondition.Rows, column: Int, requiring required: RequiredBytes, _ printer: inout ValuePrinter,
        into found: UnsafeMutablePointer<UInt32>, _ matches: (_ field: FieldBytes) -> Bool
    ) throws -> Int {
        let vector = columns[column]
        let presence = vector.presence
        switch vector.values {
        case .texts(let texts):
            let missingMatches = matches(.missing)
            return rows.filter(into: found) { row in
                if let presence, presence[row] == 0 { return missingMatches }
                return matches(texts[row])
            }
        case .codes(let codes, let dictionary):
            // All strings of a short dictionary are tested in advance. A string of a long dictionary is tested when it first occurs.
            let count = dictionary.count
            let answers = try UnsafeArray<UInt8>(count: max(1, count), repeating: 2)
            let missingMatches = matches(.missing)
            if count <= rows.count / 4 {
                var canMatch = missingMatches
                for code in 0..<count {
                    let isMatch = matches(dictionary[code])
                    answers[code] = isMatch ? 1 : 0
                    canMatch = canMatch || isMatch
                }
                if !canMatch { return 0 }
            }
            return rows.filter(into: found) { row in
                if let presence, presence[row] == 0 { return missingMatches }
                let code = Int(codes[row])
                guard code < count else { return missingMatches }
                if answers[code] == 2 { answers[code] = matches(dictionary[code]) ? 1 : 0 }
                return answers[code] == 1
            }
        default:
            if let characters = vector.values.printedCharacters, !required.canOccur(in: characters) { return 0 }
            let part = ColumnBatch(firstRecord: firstRecord, count: count, columns: [vector])
            return rows.filter(into: found, printing: part, &printer) { matches($0[0]) }
        }
    }
}
