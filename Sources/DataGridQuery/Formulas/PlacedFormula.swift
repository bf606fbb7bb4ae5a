import Tables

/// A formula with the ranges of its parts in its text, for error messages.
struct PlacedFormula {
    let formula: Formula
    let arguments: [PlacedFormula]
    /// The range of the formula in the text, including parentheses around it.
    var place: Range<Int>
    /// The range of the outermost operator of the formula in the text.
    let operatorPlace: Range<Int>

    init(_ formula: Formula, at place: Range<Int>) { (self.formula, arguments, self.place, operatorPlace) = (formula, [], place, place) }

    init(_ function: Formula.Function, _ arguments: [PlacedFormula], at place: Range<Int>, operatorPlace: Range<Int>) {
        formula = .call(function, arguments.map(\.formula))
        (self.arguments, self.place, self.operatorPlace) = (arguments, place, operatorPlace)
    }

    /// Creates a formula that has no text. Its ranges are empty.
    init(_ formula: Formula) {
        self.formula = formula
        (place, operatorPlace) = (0..<0, 0..<0)
        if case .call(_, let parts) = formula { arguments = parts.map { PlacedFormula($0) } } else { arguments = [] }
    }

    var end: Range<Int> { place.upperBound..<place.upperBound }

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
    static func textExpected(at place: Range<Int>) -> FilterError {
        FilterError(.expectedText, "Expected text in single quotes, as in 'text'.", at: place)
    }

    static func comparisonExpected(at place: Range<Int>) -> FilterError {
        FilterError(.expectedComparison, "Expected a comparison, as in price > 1 or price is empty.", at: place)
    }

    static func quotesMissing(_ name: String, at place: Range<Int>) -> FilterError {
        FilterError(.unquotedName, "Write the column name in double quotes: \(Formula.quoted(name)).", at: place)
    }
}
