/// An error in the text of a filter or a formula.
public struct FilterError: Error, Sendable, Hashable {
    /// The kind of error, independent of the words of its message. Most tests compare the kind. One test checks the sentences of the
    /// messages.
    package enum Kind: String, CaseIterable, Sendable {
        // Characters and words
        case unexpectedCharacter, missingQuote, notNumber, currencySign, thousandsSeparator, ambiguousNumber, numberUnit, unknownOperator,
            decimalComma, invalidTime, expectedColumnNumber
        // Names of columns and functions
        case unknownColumn, unknownColumnNumber, ambiguousColumn, unknownFunction, unquotedName, expectedName, expectedEqualsSign,
            columnExists
        // Operands, operators and parentheses
        case expectedOperand, expectedOperator, expectedComparison, expectedAndOr, expectedValue, expectedParenthesis,
            unmatchedParenthesis, expectedListEnd, severalWords, wildcard, joinedText, tooManyOperators, nestedTooDeeply
        // Tests such as `contains`, `in` and `is empty`
        case expectedTest, expectedWith, expectedState, expectedList, expectedListValue, expectedUpperLimit, expectedText, invalidEscape,
            unfinishedEscape, nullComparison, invalidPattern, invalidPath, searchInFormula
        // Types of values and arguments
        case columnNotCompared, otherType, expectedColumn, expectedColumnOnOneSide, argumentCount, argumentType,
            numberTooLarge
    }

    /// The kind; `nil` for an error of another engine, such as a server.
    package let kind: Kind?
    /// One or two sentences that say what is wrong and how to correct it.
    public var message: String
    /// The range of the text that is wrong, in Unicode scalars. If something is missing at the end, it is the empty range at the end of the
    /// text.
    public var range: Range<Int>

    /// Creates an error at a range of the text.
    public init(_ message: String, at range: Range<Int>) { self.init(nil, message, at: range) }

    init(_ kind: Kind?, _ message: String, at range: Range<Int>) { (self.kind, self.message, self.range) = (kind, message, range) }

    /// The message about a new or renamed column whose name is in use.
    package static func columnExists(_ name: String) -> String { "Column “\(name)” already exists. Choose another name." }
}
