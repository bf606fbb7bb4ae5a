import FieldValues

/// Columns without a format have as many fraction digits as their values need. The number of digits never decreases, so that text is not
/// shifted repeatedly.
extension ObjectSource {
    private var maximumDigits: Int { 6 }

    /// Increases the fraction digits of columns without a format to the digits that the values of an object need. O(columns).
    func fitDigits(to object: Object) {
        for (index, column) in columns.enumerated() where column.adaptsFractionDigits {
            if let number = column.number(object) { fitDigits(ofColumn: index, to: number) }
        }
    }

    /// Increases the fraction digits of a column to the digits that `number` needs, if the column has no format.
    func fitDigits(ofColumn index: Int, to number: Double) {
        let old = gridColumns[index].format
        guard columns[index].adaptsFractionDigits, var digits = old.fractionDigits?.upperBound, number.isFinite else { return }
        while digits < maximumDigits, !isExact(number, withFractionDigits: digits) { digits += 1 }
        // Do not round a small number, because rounding would turn it into 0.
        let isSmall = number != 0 && number.magnitude < 0.1 / ExactDecimal.doublePower(maximumDigits - 1)
        var new = old
        new.setAutomaticDigits(digits, isRounding: !isSmall)
        guard new != old else { return }
        gridColumns[index].format = new
        changedFormats.insert(index)
    }

    /// True if `number` has at most this many fraction digits: it is the floating-point number nearest to such a decimal.
    private func isExact(_ number: Double, withFractionDigits fractionDigits: Int) -> Bool {
        let power = ExactDecimal.doublePower(fractionDigits)
        return (number * power).rounded() / power == number
    }

    /// Passes changed formats to the grid. If the application has set the format of a column in the grid, this format stays.
    func updateFormats() {
        guard let host, !changedFormats.isEmpty else { return }
        for index in changedFormats.sorted() {
            guard var column = host.state.columns[ColumnID(index)] else { continue }
            let format = column.format.mergingFractionDigits(with: gridColumns[index].format)
            guard format != column.format else { continue }
            column.format = format
            host.perform(.updateColumn(column))
        }
        changedFormats = []
    }
}
