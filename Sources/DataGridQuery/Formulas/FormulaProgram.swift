import FieldValues
import Tables

/// A formula made ready to be worked out for many rows: its calls in the order of evaluation.
///
/// Numbers are exact decimals as long as they fit in 128 bits, quotients with up to 18 digits after the point; otherwise they are `Double`s. If an
/// argument cannot be read as the type that a function needs, the derived field is empty.
struct FormulaProgram: Sendable {
    /// One step: a value is pushed on the stack, or a call takes its arguments from it.
    private enum Step: Sendable {
        case field(slot: Int, Reading)
        case constant(Int)
        case call(Formula.Function, count: Int, compared: ValueType?)
    }

    /// What a field is read as.
    private enum Reading: Sendable {
        case bytes
        case number(NumberNotation)
        case moment(ValueKind)
        /// A time of day, or a date and time.
        case clock
        case flag
    }

    /// The columns whose fields are needed, in the order in which they are handed in.
    let columns: [Int]
    /// What the program gives.
    let type: ValueType
    private var steps: [Step] = []
    private var constants: [ConstantValue] = []

    private enum ConstantValue: Sendable {
        case number(ExactDecimal)
        case flag(Bool)
        case moment(Int64, ValueKind)
        case text([UInt8])
    }

    /// - Precondition: the formula was read for this schema.
    init(_ formula: Formula, _ schema: Schema) {
        let columns = formula.fields.map(\.rawValue)
        self.columns = columns
        type = (try? formula.type(in: schema)) ?? .text
        push(formula, as: type == .number ? .number : nil, schema)
    }

    /// - Parameter wanted: the type that is needed; `nil`: the text as it is written. Of calls, only `if` and `coalesce` pass it on to their arguments.
    private mutating func push(_ formula: Formula, as wanted: ValueType?, _ schema: Schema) {
        switch formula {
        case .field(let id):
            let field = schema[id]
            let reading: Reading =
                switch wanted {
                case nil, .text: .bytes
                case .number: .number(field?.notation ?? .point)
                case .flag: .flag
                case .date, .dateTime: .moment(.dateTime)
                case .time: .moment(.time)
                }
            steps.append(.field(slot: columns.firstIndex(of: id.rawValue)!, reading))
        case .constant(let constant):
            switch constant {
            case .number(let number) where wanted != .text && wanted != nil:
                constants.append(.number(number))
            case .flag(let flag): constants.append(.flag(flag))
            case .moment(let value, let kind): constants.append(.moment(value, kind))
            case .number(let number): constants.append(.text(Array(number.text.utf8)))
            case .text(let text): constants.append(.text(Array(text.utf8)))
            }
            steps.append(.constant(constants.count - 1))
        case .call(let function, let arguments):
            let wantedHere = wanted
            let types = arguments.map { (try? $0.type(in: schema)) ?? .text }
            var compared: ValueType?
            for (place, argument) in arguments.enumerated() {
                var wanted: ValueType?
                switch function {
                case .add, .subtract, .multiply, .divide, .negate, .abs, .round, .floor, .ceil: wanted = .number
                case .and, .or, .not: wanted = .flag
                case .left, .right, .mid: wanted = place == 0 ? nil : .number
                case .year, .month, .day, .weekday, .date, .days: wanted = .dateTime
                case .hour, .minute, .second:
                    if case .field(let id) = argument, types[0] == .text {
                        steps.append(.field(slot: columns.firstIndex(of: id.rawValue)!, .clock))
                        continue
                    }
                    wanted = types[0] == .time ? .time : .dateTime
                case .choose where place == 0: wanted = .flag
                case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
                    let common = arguments.indices.dropFirst().compactMap {
                        Formula.Function.comparedType(
                            types[0], types[$0], arguments[0].isTextField(schema), arguments[$0].isTextField(schema))
                    }.map { $0 == .date ? .dateTime : $0 }
                    // Where a list has values of several types, its first argument is compared as text.
                    wanted = Set(common).count == 1 ? common[0] : .text
                    compared = wanted
                    if wanted == .text { wanted = nil }
                case .choose, .firstFilled: wanted = wantedHere
                case .isEmpty, .contains, .startsWith, .endsWith, .upper, .lower, .trim, .length, .replace, .concat:
                    break
                }
                push(argument, as: wanted, schema)
            }
            steps.append(.call(function, count: arguments.count, compared: compared))
        }
    }

    /// Works the value out for one row and appends its text.
    /// - Parameters:
    ///   - fields: those of ``columns``.
    ///   - scratch: kept between rows, so that nothing is allocated for a row.
    ///   - output: gets the bytes of the value; nothing is appended if the row has no value.
    func append(_ fields: UnsafeBufferPointer<FieldBytes>, _ scratch: inout FormulaScratch, to output: inout [UInt8]) {
        scratch.begin()
        for step in steps {
            switch step {
            case .field(let slot, let reading): scratch.stack.append(Self.value(of: fields[slot], reading))
            case .constant(let index):
                switch constants[index] {
                case .number(let number): scratch.stack.append(.exact(number.mantissa, digits: number.digits))
                case .flag(let flag): scratch.stack.append(.flag(flag))
                case .moment(let value, let kind): scratch.stack.append(.moment(value, kind))
                case .text(let bytes): scratch.pushText { $0 += bytes }
                }
            case .call(let function, let count, let compared): scratch.call(function, count, compared)
            }
        }
        guard let value = scratch.stack.last else { return }
        scratch.append(value, as: type, to: &output)
    }

    private static func value(of field: FieldBytes, _ reading: Reading) -> DerivedValue {
        switch reading {
        case .bytes: return .field(field)
        case .number(let notation):
            // Only what reads as a finite number has an exact one.
            guard let number = field.decimal(notation) else { return .none }
            guard number.isFinite, let exact = field.exactDecimal(notation) else { return .double(number) }
            return .exact(exact.mantissa, digits: exact.digits)
        case .moment(let kind): return field.temporal(kind).map { .moment($0, kind) } ?? .none
        case .clock:
            if let time = field.temporal(.time) { return .moment(time, .time) }
            return field.temporal(.dateTime).map { .moment($0, .dateTime) } ?? .none
        case .flag: return field.flag().map { .flag($0) } ?? .none
        }
    }
}
