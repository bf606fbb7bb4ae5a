/// Sentences of `FilterError` that several suites expect: tests of filters, of formulas, and of options.
enum FormulaErrorText {
    static let noComparison = "Expected a comparison, as in price > 1 or price is empty."
    static let noQuotedText = "Expected text in single quotes, as in 'text'."
    static let unclosedGroup = "Invalid regular expression: missing ): (."
    static let tooManyDigits = "Number too large: the limit is 38 digits."
    static let numberForDate = "Expected a date, not a number."
    static let dateForNumber = "Expected a number, not a date."
    static let usedName = "Column “price” already exists. Choose another name."
}
