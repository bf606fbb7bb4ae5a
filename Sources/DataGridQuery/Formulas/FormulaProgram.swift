import FieldValues
import Tables

/// A formula compiled to steps in postfix order, for fast evaluation of many rows.
///
/// Numbers are exact decimals if they fit in 128 bits, and quotients have up to 18 fraction digits; otherwise they are `Double`s. If an
/// argument does not have the type that a function requires, the result is empty.
struct FormulaProgram: Sendable {
    /// A step of the evaluation. It pushes a value on the stack, or replaces values at the top of the stack by the result of a function.
    private enum Step: Sendable {
        case field(slot: Int, FieldType)
        case number(ExactDecimal)
        /// A number of more than 38 digits.
        case double(Double)
        case flag(Bool)
        case temporal(Int64, ValueKind)
        case text(Int)
        case call(Formula.Function, count: Int, comparedType: FormulaType?)
        /// Compares the quotient of two numbers with a third number.
        case compareQuotient(Formula.Function)
        /// Tests the string at the top of the stack with one of ``texts``.
        case test(FilterTextTest, text: Int)
        case match(pattern: Int)
        /// Replaces the JSON text at the top of the stack by the value at one of ``paths``.
        case extract(path: Int, FieldType)
    }

    /// The type of the value that is read from a field.
    private enum FieldType: Sendable {
        case bytes
        case number(DecimalStyle)
        case temporal(ValueKind, DateNotation)
        /// A time of day, or the time of day in a date with a time.
        case timeOfDay(DateNotation)
        case flag

        /// The way to read a field as a value of `type`.
        /// - Parameter field: the field whose notation is used; `nil` for a value of JSON text.
        init(_ type: FormulaType?, _ field: Field?) {
            self =
                switch type {
                case nil, .text: .bytes
                case .number: .number(field?.notation ?? .point)
                case .flag: .flag
                case .date, .dateTime: .temporal(.dateTime, field?.dateNotation ?? .iso)
                case .time: .temporal(.time, .iso)
                }
        }
    }

    /// The columns that the formula uses. The fields of a row are passed in this order.
    let columns: [Int]
    let type: FormulaType
    private var steps: [Step] = []
    private var constants: [[UInt8]] = []
    private var texts: [FoldedText] = []
    private var patterns: [Pattern] = []
    private var paths: [JSONExtractor] = []
    /// The maximum number of values on the stack.
    private var stackSize = 0

    /// True if the result is a value of JSON text, found at a path.
    var isJSONValue: Bool {
        if case .extract = steps.last { return true }
        return false
    }

    /// - Precondition: the formula was parsed and type-checked with this schema.
    init(_ formula: Formula, _ schema: Schema) {
        let columns = formula.fields.map(\.rawValue)
        self.columns = columns
        type = (try? formula.type(in: schema)) ?? .text
        // Dates in a notation other than ISO are converted to ISO notation. All other dates are output as written.
        let hasNotation = formula.fields.contains { (schema[$0]?.dateNotation ?? .iso) != .iso }
        push(formula, as: type == .number || (hasNotation && (type == .date || type == .dateTime)) ? type : nil, schema)
        var height = 0
        for step in steps {
            switch step {
            case .field, .number, .double, .flag, .temporal, .text: height += 1
            case .call(_, let count, _): height -= count - 1
            case .compareQuotient: height -= 2
            case .test, .match, .extract: break
            }
            stackSize = max(stackSize, height)
        }
    }

    /// Adds the steps that compute a formula.
    /// - Parameter required: the type of the result; `nil` for fields as text. `if` and `coalesce` pass it to their arguments, and other
    ///   functions do not.
    private mutating func push(_ formula: Formula, as required: FormulaType?, _ schema: Schema) {
        switch formula {
        case .field(let id):
            steps.append(.field(slot: columns.firstIndex(of: id.rawValue)!, FieldType(required, schema[id])))
        case .constant(let constant):
            switch constant {
            case .number(let number) where required != .text && required != nil: steps.append(.number(number))
            case .approximate(let text) where required != .text && required != nil:
                steps.append(.double(ComparisonType.number(.point).value(of: text)?.double ?? .nan))
            case .flag(let flag): steps.append(.flag(flag))
            case .temporal(let value, let kind): steps.append(.temporal(value, kind))
            case .number, .approximate: pushText(constant.text)
            case .text(let text): pushText(text)
            }
        case .call(.json, let arguments):
            guard case .constant(.text(let path)) = arguments[1] else { preconditionFailure("the path must be a constant") }
            push(arguments[0], as: nil, schema)
            paths.append(JSONExtractor(path))
            steps.append(.extract(path: paths.count - 1, FieldType(required, nil)))
        case .call(let function, let arguments) where function.needsConstant:
            pushTest(function, arguments, schema)
        case .call(let function, let arguments):
            let resultType = required
            // Call this function only when needed, because it examines the whole argument.
            func type(_ argument: Int) -> FormulaType { (try? arguments[argument].type(in: schema)) ?? .text }
            let compared = Self.comparedType(function, arguments, schema)
            if compared == .number, function != .isIn, case .call(.divide, let operands) = arguments[0] {
                for argument in operands + [arguments[1]] { push(argument, as: .number, schema) }
                return steps.append(.compareQuotient(function))
            }
            for (index, argument) in arguments.enumerated() {
                var required: FormulaType?
                switch function {
                case .add, .subtract, .multiply, .divide, .negate, .abs, .round, .floor, .ceil: required = .number
                case .and, .or, .not: required = .flag
                case .left, .right, .mid: required = index == 0 ? nil : .number
                case .year, .month, .day, .weekday, .date, .days: required = .dateTime
                case .hour, .minute, .second:
                    if case .call(.json, _) = argument {
                        push(argument, as: nil, schema)
                        if case .extract(let path, _) = steps.removeLast() { steps.append(.extract(path: path, .timeOfDay(.iso))) }
                        continue
                    }
                    if case .field(let id) = argument, type(0) == .text {
                        let notation = schema[id]?.dateNotation ?? .iso
                        steps.append(.field(slot: columns.firstIndex(of: id.rawValue)!, .timeOfDay(notation)))
                        continue
                    }
                    required = type(0) == .time ? .time : .dateTime
                case .conditional where index == 0: required = .flag
                case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
                    required = compared == .text ? nil : compared
                case .conditional, .coalesce: required = resultType
                default: break
                }
                push(argument, as: required, schema)
            }
            steps.append(.call(function, count: arguments.count, comparedType: compared))
        }
    }

    private mutating func pushText(_ text: String) {
        constants.append(Array(text.utf8))
        steps.append(.text(constants.count - 1))
    }

    /// The type in which a comparison compares its arguments; `nil` if the function is not a comparison.
    private static func comparedType(_ function: Formula.Function, _ arguments: [Formula], _ schema: Schema) -> FormulaType? {
        switch function {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: break
        default: return nil
        }
        let types = arguments.map { (try? $0.type(in: schema)) ?? .text }
        let areTextFields = arguments.map { $0.isTextField(schema) }
        let comparedTypes = Set(
            arguments.indices.dropFirst().compactMap {
                Formula.Function.comparedType(types[0], types[$0], areTextFields[0], areTextFields[$0])
            }.map { $0 == .date ? .dateTime : $0 })
        // If a value is compared with values of several types, all comparisons are comparisons of strings.
        return comparedTypes.count == 1 ? comparedTypes.first : .text
    }

    /// Adds a string test or a regular expression whose constant argument is compiled here.
    private mutating func pushTest(_ function: Formula.Function, _ arguments: [Formula], _ schema: Schema) {
        push(arguments[0], as: nil, schema)
        guard case .constant(.text(let text)) = arguments[1] else { preconditionFailure("the text of a test must be a constant") }
        if let test = function.textTest {
            texts.append(FoldedText(text, ignoresCase: function.ignoresCase))
            steps.append(.test(test, text: texts.count - 1))
        } else if let pattern = try? Pattern(text, ignoresCase: function.ignoresCase) {
            patterns.append(pattern)
            steps.append(.match(pattern: patterns.count - 1))
        } else {
            // If the regular expression is invalid, the test has no value.
            steps.append(.call(function, count: 1, comparedType: nil))
        }
    }

    /// Computes the value of a row and appends its text to `output`. Appends nothing if there is no value.
    /// - Parameters:
    ///   - fields: the fields of ``columns``.
    ///   - scratch: working memory, reused between rows to avoid allocations.
    func append(_ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: inout FormulaScratch, to output: inout [UInt8]) {
        let value = evaluate(fields, &scratch)
        scratch.append(value, as: type, to: &output)
    }

    /// True if the value of a row is the flag true.
    func matches(_ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: inout FormulaScratch) -> Bool {
        FormulaScratch.isTrue(evaluate(fields, &scratch))
    }

    /// The value of a formula without fields; `nil` if it uses a text that is too long.
    var constantValue: DerivedValue? {
        var scratch = FormulaScratch()
        let value = evaluate(UnsafeBufferPointer(start: nil, count: 0), &scratch)
        return scratch.hasLongText ? nil : value
    }

    /// True if the formula reads a field as text, not only as a number, a date, a time or a flag.
    var usesText: Bool { steps.contains { if case .field(_, .bytes) = $0 { true } else { false } } }

    /// A copy of the program for rows that have the fields in another order.
    /// - Parameter slot: returns the position in a row at which the field of a column is.
    func readingFields(at slot: (_ column: Int) -> Int) -> FormulaProgram {
        var program = self
        let slots = columns.map(slot)
        for (index, step) in steps.enumerated() {
            if case .field(let old, let type) = step { program.steps[index] = .field(slot: slots[old], type) }
        }
        return program
    }

    /// The value of the formula for a row.
    /// - Parameter replacesUnreadable: true to compute with another value of the same type instead of each unreadable field.
    private func evaluate(
        _ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: inout FormulaScratch, replacesUnreadable: Bool = false
    ) -> DerivedValue {
        // Without the pointer, the array would be retained for each row.
        steps.withUnsafeBufferPointer { steps in
            withUnsafeTemporaryAllocation(of: DerivedValue.self, capacity: stackSize) { memory in
                scratch.begin(ValueStack(memory))
                for step in steps {
                    switch step {
                    case .field(let slot, let type):
                        let isReplaced = replacesUnreadable && Self.isUnreadable(fields[slot], type)
                        scratch.push(isReplaced ? Self.readableValue(type) : Self.value(of: fields[slot], type))
                    case .number(let number): scratch.push(.exact(number.mantissa, digits: number.digits))
                    case .double(let number): scratch.push(.double(number))
                    case .flag(let flag): scratch.push(.flag(flag))
                    case .temporal(let value, let kind): scratch.push(.temporal(value, kind))
                    case .text(let index): scratch.pushText { $0 += constants[index] }
                    case .call(let function, let count, let compared): scratch.call(function, count, compared)
                    case .compareQuotient(let function): scratch.compareQuotient(function)
                    case .test(let test, let index):
                        let text = texts[index]
                        scratch.test { text.passes(test, $0) }
                    case .match(let index):
                        let pattern = patterns[index]
                        scratch.test { pattern.matches($0) }
                    case .extract(let index, .bytes): scratch.extract(paths[index], nil)
                    case .extract(let index, let type): scratch.extract(paths[index]) { Self.value(of: $0, type) }
                    }
                }
                return scratch.pop()
            }
        }
    }

    /// Finds the first field of a row without a result that the formula cannot read although it may be meant as a value. An example is `7x`
    /// where a number is required.
    /// - Parameters:
    ///   - scratch: working memory for this function, reused between rows.
    ///   - buffer: a buffer for this function, reused between rows.
    /// - Returns: The index of the field in ``columns``. `nil` if there is no such field, or if it is not the cause: another field can be
    ///   missing, and `if` may not use the field.
    func unreadableArgument(
        _ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: inout FormulaScratch, _ buffer: inout [UInt8]
    ) -> Int? {
        for case .field(let slot, let type) in steps where Self.isUnreadable(fields[slot], type) {
            buffer.removeAll(keepingCapacity: true)
            let value = evaluate(fields, &scratch, replacesUnreadable: true)
            scratch.append(value, as: self.type, to: &buffer)
            return buffer.isEmpty ? nil : slot
        }
        return nil
    }

    /// A value that a readable field could have.
    private static func readableValue(_ type: FieldType) -> DerivedValue {
        switch type {
        // The number is neither 0 nor 1, for which formulas such as 7 / (n - 1) have no result.
        case .bytes, .number: .exact(7, digits: 0)
        case .temporal(let kind, _): .temporal(0, kind)
        case .timeOfDay: .temporal(0, .time)
        case .flag: .flag(true)
        }
    }

    private static func isUnreadable(_ field: FieldBytes, _ type: FieldType) -> Bool {
        let ordering: SortOrdering
        switch type {
        case .bytes, .flag: return field.isUnreadableResult
        case .number(let notation): ordering = .number(notation)
        case .temporal(let kind, let notation): ordering = .temporal(kind, notation)
        case .timeOfDay: ordering = .temporal(.time)
        }
        guard case .none = value(of: field, type) else { return false }
        return ordering.leavesOut(field)
    }

    private static func value(of field: FieldBytes, _ type: FieldType) -> DerivedValue {
        switch type {
        case .bytes: return .field(field)
        case .number(let notation):
            // A plain number, the most common case, is read fastest.
            if let plain = FixedPoint.read(field, notation) { return .exact(Int128(plain.mantissa), digits: plain.digits) }
            // Infinities and NaN have no exact value.
            guard let number = field.decimal(notation) else { return .none }
            guard number.isFinite, let exact = field.exactDecimal(notation) else { return .double(number) }
            return .exact(exact.mantissa, digits: exact.digits)
        case .temporal(let kind, let notation): return field.temporal(kind, notation).map { .temporal($0, kind) } ?? .none
        case .timeOfDay(let notation):
            if let time = field.temporal(.time) { return .temporal(time, .time) }
            return field.temporal(.dateTime, notation).map { .temporal($0, .dateTime) } ?? .none
        case .flag: return field.flag().map { .flag($0) } ?? .none
        }
    }
}
