import Tables

/// A formula with the ranges of its operands and operators in its text, for error messages.
struct LocatedFormula {
    let formula: Formula
    let arguments: [LocatedFormula]
    /// The range of the formula in the text, including parentheses around it.
    var range: Range<Int>
    /// The range of the outermost operator of the formula in the text.
    let operatorRange: Range<Int>

    init(_ formula: Formula, at range: Range<Int>) { (self.formula, arguments, self.range, operatorRange) = (formula, [], range, range) }

    init(_ function: Formula.Function, _ arguments: [LocatedFormula], at range: Range<Int>, operatorRange: Range<Int>) {
        formula = .call(function, arguments.map(\.formula))
        (self.arguments, self.range, self.operatorRange) = (arguments, range, operatorRange)
    }

    /// Creates a formula that has no text. Its ranges are empty.
    init(_ formula: Formula) {
        self.formula = formula
        (range, operatorRange) = (0..<0, 0..<0)
        if case .call(_, let parts) = formula { arguments = parts.map { LocatedFormula($0) } } else { arguments = [] }
    }

    var end: Range<Int> { range.upperBound..<range.upperBound }

    /// True if the formula is a comparison, a test, or a combination of them.
    var isCondition: Bool {
        if case .call(let function, _) = formula { return function.isCondition }
        return false
    }

    var text: String? {
        if case .constant(.text(let text)) = formula { return text }
        return nil
    }
}

extension FilterError {
    /// Advice for text that is combined with `||`, as in SQL.
    static let joinAdvice = "|| means “or”. To join text, write concat(a, b)."

    static func textExpectedError(at range: Range<Int>) -> FilterError {
        FilterError(.expectedText, "Expected text in single quotes, as in 'text'.", at: range)
    }

    static func comparisonExpectedError(at range: Range<Int>) -> FilterError {
        FilterError(.expectedComparison, "Expected a comparison, such as “price > 1” or “price is empty”.", at: range)
    }

    static func missingQuotesError(_ name: String, at range: Range<Int>) -> FilterError {
        FilterError(.unquotedName, "Write the column name in double quotes: \(Formula.quoted(name)).", at: range)
    }
}
