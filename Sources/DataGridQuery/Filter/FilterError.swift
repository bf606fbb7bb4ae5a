/// An error in the text of a filter or a formula.
public struct FilterError: Error, Sendable, Hashable {
    /// The identity of an error, independent of its wording. Tests compare it; one test checks the sentences.
    package enum Kind: String, CaseIterable, Sendable {
        // Characters and words
        case unexpectedCharacter, missingQuote, notNumber, currencySign, thousandsSeparator, invalidTime, expectedColumnNumber
        // Names
        case unknownColumn, unknownColumnNumber, unknownFunction, unquotedName, expectedName, expectedEqualsSign, columnExists
        // Structure
        case expectedOperand, expectedOperator, expectedComparison, expectedAndOr, expectedValue, expectedParenthesis,
            unmatchedParenthesis, expectedListEnd, severalWords, wildcard, tooManyOperators, nestedTooDeeply
        // Tests
        case expectedTest, expectedWith, expectedState, expectedList, expectedListValue, expectedUpperLimit, expectedText, invalidEscape,
            unfinishedEscape, nullComparison, invalidPattern, invalidPath, searchInFormula
        // Types
        case columnNotCompared, otherType, expectedColumn, expectedColumnOnOneSide, expectedType, argumentCount, argumentType,
            numberTooLarge
    }

    /// `nil` for an error of another engine.
    package let kind: Kind?
    /// One or two sentences that name the error and the remedy.
    public var message: String
    /// The range of the error, in Unicode scalars from the start of the text. If something is missing at the end, this is the end of the
    /// text.
    public var place: Range<Int>

    /// Creates an error with its place.
    public init(_ message: String, at place: Range<Int>) { self.init(nil, message, at: place) }

    init(_ kind: Kind?, _ message: String, at place: Range<Int>) { (self.kind, self.message, self.place) = (kind, message, place) }

    /// The message about a new or renamed column whose name is in use.
    package static func columnExists(_ name: String) -> String { "Column “\(name)” already exists. Choose another name." }
}
