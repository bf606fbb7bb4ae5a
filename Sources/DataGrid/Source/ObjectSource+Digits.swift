import FieldValues

/// The fraction digits of columns without a format: as many as the values need. The number of digits never decreases, so that text moves at
/// most once.
extension ObjectSource {
    private var maximumDigits: Int { 6 }

    /// Adapts the formats to the values of an object. O(columns).
    func fitDigits(to object: Object) {
        for (index, column) in columns.enumerated() where column.adaptsFractionDigits {
            if let number = column.number(object) { fitDigits(ofColumn: index, to: number) }
        }
    }

    /// Adapts the format of a column to a number, if the column has no format.
    func fitDigits(ofColumn index: Int, to number: Double) {
        let old = gridColumns[index].format
        guard columns[index].adaptsFractionDigits, var digits = old.fractionDigits?.upperBound, number.isFinite else { return }
        while digits < maximumDigits, !isExact(number, withFractionDigits: digits) { digits += 1 }
        // Rounding must not turn a small number into 0.
        let isSmall = number != 0 && number.magnitude < 0.1 / ExactDecimal.doublePower(maximumDigits - 1)
        var new = old
        new.setAutomaticDigits(digits, isRounding: !isSmall)
        guard new != old else { return }
        gridColumns[index].format = new
        changedFormats.insert(index)
    }

    /// True if the number is the nearest floating-point number to a decimal with this many fraction digits.
    private func isExact(_ number: Double, withFractionDigits fractionDigits: Int) -> Bool {
        let power = ExactDecimal.doublePower(fractionDigits)
        return (number * power).rounded() / power == number
    }

    /// Passes changed formats to the grid. Columns whose format the application has set in the grid are not changed.
    func updateFormats() {
        guard let host, !changedFormats.isEmpty else { return }
        for index in changedFormats.sorted() {
            guard var column = host.state.columns[ColumnID(index)] else { continue }
            let format = column.format.joined(with: gridColumns[index].format)
            guard format != column.format else { continue }
            column.format = format
            host.perform(.updateColumn(column))
        }
        changedFormats = []
    }
}
