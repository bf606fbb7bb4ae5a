import Tables

/// A formula with the places of its parts in the text from which it was read, so that mistakes can be shown there.
struct PlacedFormula {
    let formula: Formula
    let arguments: [PlacedFormula]
    /// Where the formula stands, with the parentheses around it.
    var place: Range<Int>
    /// Where its operator stands.
    let sign: Range<Int>

    init(_ formula: Formula, at place: Range<Int>) { (self.formula, arguments, self.place, sign) = (formula, [], place, place) }

    init(_ function: Formula.Function, _ arguments: [PlacedFormula], at place: Range<Int>, sign: Range<Int>) {
        formula = .call(function, arguments.map(\.formula))
        (self.arguments, self.place, self.sign) = (arguments, place, sign)
    }

    /// A formula that was not read from a text. All its places are empty.
    init(_ formula: Formula) {
        self.formula = formula
        (place, sign) = (0..<0, 0..<0)
        if case .call(_, let parts) = formula { arguments = parts.map { PlacedFormula($0) } } else { arguments = [] }
    }

    var end: Range<Int> { place.upperBound..<place.upperBound }

    /// Whether it is a comparison, a test, or several of them.
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
        FilterError("Expected text in single quotes, as in 'text'.", at: place)
    }

    static func comparisonExpected(at place: Range<Int>) -> FilterError {
        FilterError("Expected a comparison: = != < <= > >= ~ contains, starts with, ends with, in, is empty.", at: place)
    }
}
