import FieldValues

/// A condition compiled to a sequence of tests, for fast evaluation of many records. Each test has the indices of two following tests: one
/// for the result true, and one for the result false.
///
/// It is immutable plain memory. Evaluation allocates nothing and counts no references, so threads do not contend.
final class FilterProgram: @unchecked Sendable {
    /// The table columns to read. In the tests, the *slot* of a field is the index of its column in this array.
    let columns: [Int]
    private let firstTest: Int32
    private let tests: UnsafeMutableBufferPointer<FilterTest>
    private let values: UnsafeMutableBufferPointer<FilterValue>
    private let numbers: UnsafeMutableBufferPointer<FilterNumber>
    private let texts: UnsafeMutableBufferPointer<Unmanaged<FoldedText>>
    private let patterns: UnsafeMutableBufferPointer<Unmanaged<Pattern>>
    private let formulas: UnsafeMutableBufferPointer<Unmanaged<SharedFormula>>
    /// Keeps the strings, patterns and formulas alive. The tests have unmanaged pointers to them.
    private let ownedObjects: [AnyObject]

    /// The working memory of one thread.
    struct Scratch: BitwiseCopyable {
        fileprivate let scratch: UnsafeMutablePointer<FormulaScratch>

        /// Allocates the memory. The owner must call ``deallocate()``.
        fileprivate init() {
            scratch = .allocate(capacity: 1)
            scratch.initialize(to: FormulaScratch())
        }

        /// True after a formula has computed a text that is longer than its limit. Results for its record may be wrong.
        var hasLongText: Bool { scratch.pointee.hasLongText }

        /// - Throws: ``LongTextError`` if a computed text was too long.
        func check() throws {
            if hasLongText { throw LongTextError(column: nil, byteLimit: scratch.pointee.textByteLimit) }
        }

        func deallocate() {
            scratch.deinitialize(count: 1)
            scratch.deallocate()
        }
    }

    /// - Parameter columns: table columns to put first in the property ``columns``, even if the condition does not use them.
    init(_ expression: FilterExpression, allColumns: [Int], columns: [Int] = []) {
        var builder = FilterBuilder(allColumns: allColumns, columns: columns)
        firstTest = builder.add(expression, ifTrue: FilterTest.accept, ifFalse: FilterTest.reject)
        self.columns = builder.columns
        ownedObjects = (builder.patterns as [AnyObject]) + (builder.texts as [AnyObject]) + (builder.formulas as [AnyObject])
        tests = Self.copy(builder.tests)
        values = Self.copy(builder.values)
        numbers = Self.copy(builder.numbers)
        texts = Self.copy(builder.texts.map { Unmanaged.passUnretained($0) })
        patterns = Self.copy(builder.patterns.map { Unmanaged.passUnretained($0) })
        formulas = Self.copy(builder.formulas.map { Unmanaged.passUnretained($0) })
    }

    deinit {
        tests.deallocate()
        values.deallocate()
        numbers.deallocate()
        texts.deallocate()
        patterns.deallocate()
        formulas.deallocate()
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
        let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = copy.initialize(from: elements)
        return copy
    }

    func scratch() -> Scratch { Scratch() }

    /// True if a record matches. `fields` are the fields of the record in ``columns``. Each thread passes its own `scratch`.
    func matches(_ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: Scratch) -> Bool {
        var next = firstTest
        while next >= 0 {
            let test = tests[Int(next)]
            next = matches(test, fields, scratch) ? test.ifTrue : test.ifFalse
        }
        return next == FilterTest.accept
    }

    @inline(__always)
    private func matches(_ test: FilterTest, _ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: Scratch) -> Bool {
        switch test.kind {
        case .compare:
            return value(test.left.first, fields).satisfies(test.comparison, comparedTo: value(test.right.first, fields))
        case .isOneOf: return isOneOf(value(test.left.first, fields), test.right)
        case .compareTexts:
            let (left, right) = (bytes(test.left.first, fields), bytes(test.right.first, fields))
            // Compare the lengths first, because this is fast and unequal strings usually differ in length.
            if left.count != right.count, test.comparison == .equal || test.comparison == .notEqual { return test.comparison == .notEqual }
            let order = Platform.compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            return test.comparison.matches(isLess: order < 0, isEqual: order == 0, isGreater: order > 0)
        case .textIsOneOf: return isOneOf(bytes(test.left.first, fields), test.right)
        case .passesTextTest:
            return texts[Int(test.right.first)]._withUnsafeGuaranteedRef { $0.passes(test.textTest, bytes(test.left.first, fields)) }
        case .matchesPattern:
            let bytes = bytes(test.left.first, fields)
            return patterns[Int(test.right.first)]._withUnsafeGuaranteedRef { $0.matches(bytes) }
        case .isEmpty: return fields[Int(test.left.first)].isBlank
        case .isNull: return fields[Int(test.left.first)].isMissing
        case .computed: return isTrue(test.left.first, fields, scratch)
        }
    }

    @inline(never)
    private func isTrue(_ formula: Int32, _ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: Scratch) -> Bool {
        formulas[Int(formula)]._withUnsafeGuaranteedRef { $0.program.matches(fields, &scratch.scratch.pointee) }
    }

    // MARK: Values

    @inline(__always)
    private func value(_ index: Int32, _ fields: UnsafeBufferPointer<FieldBytes>) -> FilterNumber {
        switch values[Int(index)] {
        case .column(let slot, let type): type.value(of: fields[slot])
        case .literal(let number): number
        }
    }

    private func isOneOf(_ value: FilterNumber, _ part: FilterTest.Indices) -> Bool {
        guard !value.isNaN else { return false }
        let index = (Int(part.first)..<Int(part.end)).partitioningIndex { !numbers[$0].satisfies(.less, comparedTo: value) }
        return index < Int(part.end) && numbers[index].satisfies(.equal, comparedTo: value)
    }

    // MARK: Strings

    /// One side of a string comparison: the field at `slot`, or a literal if `slot` is negative.
    @inline(__always)
    private func bytes(_ slot: Int32, _ fields: UnsafeBufferPointer<FieldBytes>) -> UnsafeBufferPointer<UInt8> {
        slot >= 0 ? fields[Int(slot)].bytes : texts[Int(~slot)]._withUnsafeGuaranteedRef { $0.bytes }
    }

    private func isOneOf(_ field: UnsafeBufferPointer<UInt8>, _ part: FilterTest.Indices) -> Bool {
        func order(_ index: Int) -> Int {
            Platform.compare(UnsafeRawBufferPointer(texts[index]._withUnsafeGuaranteedRef { $0.bytes }), UnsafeRawBufferPointer(field))
        }
        let index = (Int(part.first)..<Int(part.end)).partitioningIndex { order($0) >= 0 }
        return index < Int(part.end) && order(index) == 0
    }
}
