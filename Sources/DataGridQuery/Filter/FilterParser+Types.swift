import FieldValues

/// A side of a comparison as it was written.
struct FilterOperand {
    enum Kind {
        case column(FilterColumn)
        case amount(FilterValue)
        case text(String)
        case moment(Int64, ValueKind)
        case flag(Bool)
        /// A bare word that is no column.
        case word(String)
    }

    var kind: Kind
    var place: Range<Int>
}

extension FilterParser {
    /// A comparison of one type: see ``Filter`` for which.
    func compare(
        _ left: FilterOperand, _ comparison: FilterComparison, _ right: FilterOperand, ignoresCase: Bool
    ) throws(FilterError) -> FilterExpression {
        for side in [left, right] {
            guard case .word(let word) = side.kind else { continue }
            throw columns.unknown(word, at: side.place, isValue: side.place == right.place && !isWord(left))
        }
        guard isOfRecord(left) || isOfRecord(right) else {
            throw FilterError("A column is expected on one side.\(columns.hint(for: left))", at: left.place)
        }
        if ignoresCase { return try compareIgnoringCase(left, comparison, right) }
        guard let reading = try reading(left, right) else {
            if comparison != .equal, comparison != .notEqual { try checkReadable(left, right) }
            return .compareTexts(try text(left), comparison, try text(right))
        }
        return .compare(try value(left, reading), comparison, try value(right, reading))
    }

    /// What the name of a column says by itself: of flags, that they are true.
    func truth(of column: FilterColumn, at place: Range<Int>) throws(FilterError) -> FilterExpression {
        let example: String
        switch column.kind {
        case .flag: return .compare(.column(column.index, .flag), .equal, .literal(.integer(1)))
        case .integer, .decimal: example = "> 0"
        case .text: example = "= 'text'"
        case .date, .dateTime: example = "> 2024-01-31"
        case .time: example = "> 10:22"
        }
        throw FilterError(
            "“\(column.name)” is a column: compare it, as in \(column.name) \(example). In quotes it is looked for in any cell.", at: place)
    }

    private func isWord(_ operand: FilterOperand) -> Bool {
        if case .word = operand.kind { return true }
        return false
    }

    /// Whether it differs from record to record.
    private func isOfRecord(_ operand: FilterOperand) -> Bool {
        switch operand.kind {
        case .column: return true
        case .amount(.literal): return false
        case .amount: return true
        case .text, .moment, .flag, .word: return false
        }
    }

    private func compareIgnoringCase(_ left: FilterOperand, _ comparison: FilterComparison, _ right: FilterOperand) throws(FilterError)
        -> FilterExpression
    {
        guard case .column(let column) = left.kind, case .text(let text) = right.kind else {
            throw FilterError("A column before “=*” and a text in quotes behind it are expected.", at: left.place)
        }
        let test = FilterExpression.test(.equals, column: column.index, text, ignoresCase: true)
        return comparison == .equal ? test : .not(test)
    }

    /// As what both sides are read; `nil`: as texts.
    private func reading(_ left: FilterOperand, _ right: FilterOperand) throws(FilterError) -> FilterReading? {
        switch (left.kind, right.kind) {
        case (.column(let a), .column(let b)):
            let (x, y) = (FilterReading(a), FilterReading(b))
            if x == y { return x }
            if let x, let y, x.isNumber, y.isNumber { return .number }
            if let x, let y, x.isTemporal, y.isTemporal, x != .time, y != .time { return .dateTime }
            return nil
        case (.column(let column), .text(let text)), (.text(let text), .column(let column)):
            // A flag has several words, and 'NO' may be a country.
            guard let reading = FilterReading(column), reading != .flag else { return nil }
            // A date is compared with a column of dates and times as its midnight, and the other way round.
            let wider = reading == .date ? .dateTime : reading
            return wider.value(of: text) == nil ? nil : wider
        case (.column(let column), .moment(_, let kind)), (.moment(_, let kind), .column(let column)):
            guard let reading = FilterReading(column) else { return kind == .time ? .time : .dateTime }
            guard reading.isTemporal, (reading == .time) == (kind == .time) else { throw mismatch(column, left, right) }
            return kind == .time ? .time : .dateTime
        case (.column(let column), .flag), (.flag, .column(let column)):
            guard column.kind == .text || column.kind == .flag else { throw mismatch(column, left, right) }
            return .flag
        default:
            return .number
        }
    }

    /// - Throws: when a column of anything but texts is put in an order with a text that cannot be read as what it holds.
    ///
    /// Equality with one is fine: that is how to ask for the cells that cannot be read either.
    private func checkReadable(_ left: FilterOperand, _ right: FilterOperand) throws(FilterError) {
        switch (left.kind, right.kind) {
        case (.column(let column), .text(let text)), (.text(let text), .column(let column)):
            guard column.kind != .text, column.kind != .flag else { return }
            var place = right.place
            if case .column = right.kind { place = left.place }
            throw FilterError("“\(column.name)” holds \(Self.words(column.kind)); '\(text)' is none of them.", at: place)
        default: return
        }
    }

    private func mismatch(_ column: FilterColumn, _ left: FilterOperand, _ right: FilterOperand) -> FilterError {
        var place = right.place
        if case .column = right.kind { place = left.place }
        return FilterError("“\(column.name)” holds \(Self.words(column.kind)).", at: place)
    }

    /// What a kind holds, with an example of how it is written in a filter.
    private static func words(_ kind: ValueKind) -> String {
        switch kind {
        case .text: "texts, as in 'a text'"
        case .integer, .decimal: "numbers, as in 12.5"
        case .date: "dates, as in 2024-01-31"
        case .dateTime: "dates and times, as in 2024-01-31T10:22"
        case .time: "times, as in 10:22"
        case .flag: "true or false"
        }
    }

    private func text(_ operand: FilterOperand) throws(FilterError) -> FilterText {
        switch operand.kind {
        case .column(let column): return .column(column.index)
        case .text(let text): return .literal(text)
        case .amount, .moment, .flag, .word: throw FilterError("A column or a text is expected here.", at: operand.place)
        }
    }

    private func value(_ operand: FilterOperand, _ reading: FilterReading) throws(FilterError) -> FilterValue {
        switch operand.kind {
        case .column(let column):
            if reading.isNumber { return try number(operand) }
            return .column(column.index, reading)
        case .moment(let value, _) where reading.isTemporal: return .literal(.integer(value))
        case .flag(let value) where reading == .flag: return .literal(.integer(value ? 1 : 0))
        case .text(let text):
            guard let value = reading.value(of: text) else { throw expected(reading, at: operand.place) }
            return .literal(value)
        case .amount where reading.isNumber: return try number(operand)
        case .amount, .moment, .flag, .word: throw expected(reading, at: operand.place)
        }
    }

    private func expected(_ reading: FilterReading, at place: Range<Int>) -> FilterError {
        switch reading {
        case .number, .commaNumber: FilterError("A number is expected here.", at: place)
        case .date, .dateTime: FilterError("A date is expected here, as in 2024-01-31.", at: place)
        case .time: FilterError("A time is expected here, as in 10:22.", at: place)
        case .flag: FilterError("true or false is expected here.", at: place)
        }
    }

    /// The operand as a number, for arithmetic and for comparing with one.
    func number(_ operand: FilterOperand) throws(FilterError) -> FilterValue {
        switch operand.kind {
        case .amount(let value): return value
        case .column(let column):
            // A text may be a number; what is known to be something else is not.
            guard column.kind == .text || column.kind.isNumber else {
                throw FilterError("“\(column.name)” holds \(Self.words(column.kind)).", at: operand.place)
            }
            return .column(column.index, FilterReading(column.notation))
        case .word(let word): throw columns.unknown(word, at: operand.place)
        case .text, .moment, .flag: throw expected(.number, at: operand.place)
        }
    }
}
