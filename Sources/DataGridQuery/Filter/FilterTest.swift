/// One test of a ``FilterProgram``.
struct FilterTest: BitwiseCopyable {
    enum Kind: UInt8 {
        /// Compares two numbers. `left` and `right` are the values.
        case compare
        /// Tests whether a number is in a list. `left` is the value; `right` is the list, ascending.
        case isOneOf
        /// Compares two strings. `left` and `right` are each a field, or a literal if negative.
        case compareTexts
        /// Tests whether a field is in a list. `left` is the field; `right` is the list of strings, ascending.
        case textIsOneOf
        /// Applies ``textTest``. `left` is the field; `right` is the string.
        case passesTextTest
        /// Matches a regular expression. `left` is the field; `right` is the pattern.
        case matchesPattern
        /// Tests whether the field `left` is empty.
        case isEmpty
        case isNull
        /// Evaluates the formula at the index `left`.
        case computed
    }

    /// A range of indices in an array of the program, such as the numbers or the strings. If a test refers to a single element, only
    /// `first` is used.
    struct Indices: BitwiseCopyable {
        var first: Int32
        var end: Int32

        init(_ range: Range<Int>) { (first, end) = (Int32(range.lowerBound), Int32(range.upperBound)) }
        init(_ only: Int) { (first, end) = (Int32(only), Int32(only) + 1) }
    }

    static let accept: Int32 = -1
    static let reject: Int32 = -2

    var kind: Kind
    /// The operands of the test. For a test of one operand, ``right`` is not used.
    var left: Indices
    var right = Indices(0)
    var comparison = FilterComparison.equal
    var textTest = FilterTextTest.equals
    /// The index of the test to continue with if this test is true; ``accept`` or ``reject`` ends the evaluation.
    var ifTrue: Int32 = accept
    var ifFalse: Int32 = reject
}

/// A formula as an object. Its evaluation does not copy the formula, which would count references to its arrays.
final class SharedFormula: Sendable {
    let program: FormulaProgram

    init(_ program: FormulaProgram) { self.program = program }
}

/// Compiles a condition to tests. The last test is added first, because each test needs the indices of the tests that follow it.
struct FilterBuilder {
    private typealias Indices = FilterTest.Indices

    let allColumns: [Int]
    private(set) var columns: [Int] = []
    private(set) var tests: [FilterTest] = []
    /// Values with the slots of their fields instead of the columns.
    private(set) var values: [FilterValue] = []
    private(set) var numbers: [FilterNumber] = []
    private(set) var texts: [FoldedText] = []
    private(set) var patterns: [Pattern] = []
    private(set) var formulas: [SharedFormula] = []
    private var slots: [Int: Int] = [:]

    init(allColumns: [Int], columns: [Int]) {
        self.allColumns = allColumns
        for column in columns { _ = addColumn(column) }
    }

    /// Adds the tests of a condition and returns the index of the first one to run.
    mutating func add(_ expression: FilterExpression, ifTrue: Int32, ifFalse: Int32) -> Int32 {
        switch expression {
        case .all(let parts): return parts.reversed().reduce(ifTrue) { add($1, ifTrue: $0, ifFalse: ifFalse) }
        case .any(let parts): return parts.reversed().reduce(ifFalse) { add($1, ifTrue: ifTrue, ifFalse: $0) }
        case .not(let part): return add(part, ifTrue: ifFalse, ifFalse: ifTrue)
        case .anyFieldContains(let text):
            let ignoresCase = !text.unicodeScalars.contains { $0.properties.isUppercase }
            let textIndex = Indices(addText(text, ignoresCase: ignoresCase))
            return allColumns.reversed().reduce(ifFalse) { next, column in
                let test = FilterTest(kind: .passesTextTest, left: Indices(addColumn(column)), right: textIndex, textTest: .contains)
                return append(test, ifTrue, next)
            }
        case .compare(let left, let comparison, let right):
            return append(FilterTest(kind: .compare, left: add(left), right: add(right), comparison: comparison), ifTrue, ifFalse)
        case .isOneOf(let value, let list):
            let right = Indices(numbers.count..<numbers.count + list.count)
            numbers += list.sorted { $0.satisfies(.less, comparedTo: $1) }
            return append(FilterTest(kind: .isOneOf, left: add(value), right: right), ifTrue, ifFalse)
        case .compareTexts(let left, let comparison, let right):
            let (left, right) = (Indices(addTextOperand(left)), Indices(addTextOperand(right)))
            return append(FilterTest(kind: .compareTexts, left: left, right: right, comparison: comparison), ifTrue, ifFalse)
        case .textIsOneOf(let column, let list):
            let right = Indices(texts.count..<texts.count + list.count)
            for text in list.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { _ = addText(text, ignoresCase: false) }
            return append(FilterTest(kind: .textIsOneOf, left: Indices(addColumn(column)), right: right), ifTrue, ifFalse)
        case .test(let textTest, let column, let text, let ignoresCase):
            let right = Indices(addText(text, ignoresCase: ignoresCase))
            let test = FilterTest(kind: .passesTextTest, left: Indices(addColumn(column)), right: right, textTest: textTest)
            return append(test, ifTrue, ifFalse)
        case .matches(let column, let pattern):
            patterns.append(pattern.pattern)
            let test = FilterTest(kind: .matchesPattern, left: Indices(addColumn(column)), right: Indices(patterns.count - 1))
            return append(test, ifTrue, ifFalse)
        case .isEmpty(let column): return append(FilterTest(kind: .isEmpty, left: Indices(addColumn(column))), ifTrue, ifFalse)
        case .isNull(let column): return append(FilterTest(kind: .isNull, left: Indices(addColumn(column))), ifTrue, ifFalse)
        case .computed(let formula):
            formulas.append(SharedFormula(formula.program.readingFields { addColumn($0) }))
            return append(FilterTest(kind: .computed, left: Indices(formulas.count - 1)), ifTrue, ifFalse)
        }
    }

    private mutating func append(_ test: FilterTest, _ ifTrue: Int32, _ ifFalse: Int32) -> Int32 {
        var test = test
        (test.ifTrue, test.ifFalse) = (ifTrue, ifFalse)
        tests.append(test)
        return Int32(tests.count - 1)
    }

    private mutating func add(_ value: FilterValue) -> Indices {
        switch value {
        case .column(let column, let type): values.append(.column(addColumn(column), type))
        case .literal: values.append(value)
        }
        return Indices(values.count - 1)
    }

    private mutating func addTextOperand(_ text: FilterText) -> Int {
        switch text {
        case .column(let column): addColumn(column)
        case .literal(let text): ~addText(text, ignoresCase: false)
        }
    }

    private mutating func addText(_ text: String, ignoresCase: Bool) -> Int {
        texts.append(FoldedText(text, ignoresCase: ignoresCase))
        return texts.count - 1
    }

    private mutating func addColumn(_ column: Int) -> Int {
        if let slot = slots[column] { return slot }
        slots[column] = columns.count
        columns.append(column)
        return columns.count - 1
    }
}
