import CByteScan
import FieldValues
import Tables

/// The working memory of a formula, reused between rows: a stack of values and a buffer for strings.
struct FormulaScratch {
    private(set) var stack = ValueStack()
    private var texts: [UInt8] = []
    /// True if the last value that was extracted from JSON text is a string.
    private(set) var isString = false
    /// The maximum length of a computed text in bytes. Without a limit, the text could double with each formula that uses the previous one
    /// twice. A longer text has no value, and ``hasLongText`` is true.
    let textByteLimit: Int
    /// True after a text was longer than the limit.
    private(set) var hasLongText = false

    /// The usual limit of a computed text.
    static let defaultTextByteLimit = 16 << 20

    init(textByteLimit: Int = Self.defaultTextByteLimit) { self.textByteLimit = textByteLimit }

    /// Prepares the evaluation of a row.
    /// - Parameter stack: an empty stack, which is used until the next evaluation.
    mutating func begin(_ stack: ValueStack) {
        self.stack = stack
        if !texts.isEmpty { texts.removeAll(keepingCapacity: true) }
    }

    @inline(__always)
    mutating func push(_ value: DerivedValue) { stack.append(value) }

    @inline(__always)
    mutating func pop() -> DerivedValue { stack.removeLast() }

    mutating func pushText(_ make: (inout [UInt8]) -> Void) {
        let start = texts.count
        make(&texts)
        stack.append(.text(start..<texts.count))
    }

    /// Replaces the string at the top of the stack by the result of a test.
    mutating func test(_ passes: (UnsafeBufferPointer<UInt8>) -> Bool) {
        let value = stack.removeLast()
        stack.append(.flag(withBytes(value, passes)))
    }

    /// Replaces the JSON text at the top of the stack by the value at a path in it. A string without escapes is not copied.
    /// - Parameter read: reads the value as a type; `nil` to keep it as text.
    mutating func extract(_ path: JSONExtractor, _ read: ((FieldBytes) -> DerivedValue)?) {
        let json = textValue(stack.removeLast())
        let found = withBytes(json, path.find)
        isString = found?.isString == true
        guard let found else { return stack.append(.none) }
        var value = part(of: json) { _ in found.range }
        if found.hasEscapes {
            let escaped = withBytes(value) { Array($0) }
            let start = texts.count
            texts.append(contentsOf: escaped)
            let length = texts.withUnsafeMutableBufferPointer { texts in
                escaped.withUnsafeBufferPointer { gv_json_unescape($0.baseAddress!, $0.count, texts.baseAddress! + start) }
            }
            texts.removeLast(escaped.count - length)
            value = .text(start..<texts.count)
        }
        if let read { value = withBytes(value) { read(FieldBytes(start: $0.baseAddress, count: $0.count)) } }
        stack.append(value)
    }

    /// Replaces the `count` arguments at the top of the stack by the result of a function.
    mutating func call(_ function: Formula.Function, _ count: Int, _ comparedType: FormulaType?) {
        let first = stack.count - count
        let result =
            switch function {
            case .add: DerivedValue.add(stack[first], stack[first + 1], negatingSecond: false)
            case .subtract: DerivedValue.add(stack[first], stack[first + 1], negatingSecond: true)
            case .multiply: DerivedValue.multiply(stack[first], stack[first + 1])
            case .divide: DerivedValue.divide(stack[first], stack[first + 1])
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                DerivedValue.flag(matches(function, order(first, first + 1, comparedType)))
            default: evaluate(function, first, count, comparedType)
            }
        stack.replaceValues(from: first, by: result.finite)
    }

    /// Replaces three numbers at the top of the stack by the result of the comparison of the quotient of the first two with the third.
    mutating func compareQuotient(_ function: Formula.Function) {
        let first = stack.count - 3
        let order = DerivedValue.order(ofQuotient: stack[first], stack[first + 1], to: stack[first + 2])
        stack.replaceValues(from: first, by: .flag(matches(function, order)))
    }

    private mutating func evaluate(_ function: Formula.Function, _ first: Int, _ count: Int, _ comparedType: FormulaType?) -> DerivedValue {
        let a = stack[first]
        switch function {
        case .negate: return .add(.exact(0, digits: 0), a, negatingSecond: true)
        case .abs:
            if let number = a.double, number < 0 { return .add(.exact(0, digits: 0), a, negatingSecond: true) }
            return a.double == nil ? .none : a
        case .round:
            guard let digits = count == 1 ? 0 : stack[first + 1].count else { return .none }
            return .rounded(a, digits: max(-400, min(400, digits)), .toNearestOrAwayFromZero)
        case .floor: return .rounded(a, digits: 0, .down)
        case .ceil: return .rounded(a, digits: 0, .up)

        case .isIn: return .flag((1..<count).contains { order(first, first + $0, comparedType) == 0 })
        case .isEmpty: return .flag(isBlank(a))
        case .isNull: return .flag(Self.isNull(a))
        case .and: return .flag((0..<count).allSatisfy { Self.isTrue(stack[first + $0]) })
        case .or: return .flag((0..<count).contains { Self.isTrue(stack[first + $0]) })
        case .not: return .flag(!Self.isTrue(a))

        case .contains: return .flag(withTexts(a, stack[first + 1]) { Self.offset(of: $1, in: $0, from: 0) != nil })
        case .startsWith: return .flag(withTexts(a, stack[first + 1]) { $0.starts(with: $1) })
        case .endsWith: return .flag(withTexts(a, stack[first + 1]) { $0.count >= $1.count && $0.suffix($1.count).elementsEqual($1) })
        case .upper, .lower: return changedCase(a, isUpper: function == .upper)
        case .trim:
            return part(of: a) { bytes in
                guard let low = bytes.firstIndex(where: { $0 > 0x20 }), let high = bytes.lastIndex(where: { $0 > 0x20 }) else {
                    return 0..<0
                }
                return low..<high + 1
            }
        case .length: return .exact(Int128(withBytes(a) { Self.scalarCount($0) }), digits: 0)
        case .left:
            guard let length = stack[first + 1].count else { return .none }
            return part(of: a) { Self.range(of: $0, from: 0, count: length) }
        case .right:
            guard let length = stack[first + 1].count else { return .none }
            return part(of: a) { Self.range(of: $0, from: max(0, Self.scalarCount($0) - max(0, length)), count: length) }
        case .mid:
            guard let start = stack[first + 1].count, let length = stack[first + 2].count else { return .none }
            return part(of: a) { Self.range(of: $0, from: start > 0 ? start - 1 : 0, count: length) }
        case .replace: return replaced(a, stack[first + 1], stack[first + 2])
        case .concat:
            let start = texts.count
            for index in first..<first + count {
                append(stack[index])
                guard texts.count - start <= textByteLimit else { return longText(from: start) }
            }
            return .text(start..<texts.count)

        case .year, .month, .day, .weekday, .hour, .minute, .second: return Self.dateComponent(function, of: a)
        case .date:
            guard case .temporal(let time, _) = a else { return .none }
            return .temporal(Self.days(time) &* Self.dayLength, .date)
        case .days:
            guard case .temporal(let from, _) = a, case .temporal(let to, _) = stack[first + 1] else { return .none }
            return .exact(Int128(Self.days(to) - Self.days(from)), digits: 0)

        // Never called here: these functions are computed elsewhere, or only filters use them.
        case .add, .subtract, .multiply, .divide, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
            .json, .matches, .equalIgnoringCase, .containsIgnoringCase, .startsWithIgnoringCase, .endsWithIgnoringCase,
            .matchesIgnoringCase,
            .anyFieldContains:
            return .none

        case .conditional: return Self.isTrue(a) ? stack[first + 1] : stack[first + 2]
        case .coalesce: return (first..<first + count).map { stack[$0] }.first { !isBlank($0) } ?? .none
        }
    }

    // MARK: Truth and order

    static func isTrue(_ value: DerivedValue) -> Bool {
        switch value {
        case .flag(let flag): flag
        case .field(let field): field.flag() ?? false
        default: false
        }
    }

    private static func isNull(_ value: DerivedValue) -> Bool {
        switch value {
        case .none: true
        case .field(let field): field.isMissing
        case .double(let number): !number.isFinite
        default: false
        }
    }

    private func isBlank(_ value: DerivedValue) -> Bool {
        switch value {
        case .none: true
        case .field(let field): field.isBlank
        case .text(let range): texts[range].allSatisfy { $0 == 0x20 || $0 == 0x09 }
        case .double(let number): !number.isFinite
        default: false
        }
    }

    /// Negative, 0 or positive if the value at index `a` of the stack is less than, equal to or greater than the one at `b`; `nil` without
    /// an order.
    private func order(_ a: Int, _ b: Int, _ comparedType: FormulaType?) -> Int? {
        guard case .text? = comparedType else { return DerivedValue.order(stack[a], stack[b]) }
        return withTexts(stack[a], stack[b]) { Platform.compare(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer($1)) }
    }

    /// The result of a comparison whose sides are in the given order (negative, 0 or positive). If the order is `nil`, only `!=` is true,
    /// as in filters.
    private func matches(_ comparison: Formula.Function, _ order: Int?) -> Bool {
        guard let order else { return comparison == .notEqual }
        switch comparison {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        default: return order >= 0
        }
    }

    // MARK: Strings

    /// The value as a string, which may be in the text buffer.
    private mutating func textValue(_ value: DerivedValue) -> DerivedValue {
        switch value {
        case .field, .text: return value
        default:
            let start = texts.count
            append(value)
            return .text(start..<texts.count)
        }
    }

    private func withBytes<Result>(_ value: DerivedValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch value {
        case .field(let field): return body(field.bytes)
        case .text(let range): return texts.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
        default:
            var bytes: [UInt8] = []
            append(value, as: .text, to: &bytes)
            return bytes.withUnsafeBufferPointer(body)
        }
    }

    private func withTexts<Result>(
        _ a: DerivedValue, _ b: DerivedValue, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withBytes(a) { a in withBytes(b) { b in body(a, b) } }
    }

    private mutating func append(_ value: DerivedValue) {
        var bytes: [UInt8] = []
        swap(&bytes, &texts)
        if case .text(let range) = value {
            bytes.append(contentsOf: bytes[range])
        } else {
            append(value, as: .text, to: &bytes)
        }
        swap(&bytes, &texts)
    }

    /// The result of a function whose text exceeds the limit. The bytes from `start` on are removed.
    private mutating func longText(from start: Int) -> DerivedValue {
        texts.removeSubrange(start...)
        hasLongText = true
        return .none
    }

    /// A part of a string value, without a copy.
    /// - Parameter range: returns the range of the part within the given bytes of the string.
    private mutating func part(of value: DerivedValue, _ range: (UnsafeBufferPointer<UInt8>) -> Range<Int>) -> DerivedValue {
        switch textValue(value) {
        case .field(let field):
            let part = range(field.bytes)
            return .field(FieldBytes(start: field.start.map { $0 + part.lowerBound }, count: part.count))
        case .text(let whole):
            let part = texts[whole].withUnsafeBufferPointer(range)
            return .text(whole.lowerBound + part.lowerBound..<whole.lowerBound + part.upperBound)
        default: return .none
        }
    }

    /// The number of Unicode scalars in UTF-8 text. A stray continuation byte counts as part of the scalar before it.
    private static func scalarCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }

    /// The range of the bytes of `count` Unicode scalars. The first of these scalars has the index `from`.
    private static func range(of bytes: UnsafeBufferPointer<UInt8>, from: Int, count: Int) -> Range<Int> {
        var (start, scalarIndex) = (bytes.count, 0)
        for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
            if scalarIndex == from { start = offset }
            if scalarIndex > from, scalarIndex - from >= max(0, count) { return start..<offset }
            if scalarIndex == from, count <= 0 { return start..<start }
            scalarIndex += 1
        }
        return start..<bytes.count
    }

    private static func offset(of needle: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
        guard !needle.isEmpty else { return from <= bytes.count ? from : nil }
        guard bytes.count - from >= needle.count else { return nil }
        return (from...bytes.count - needle.count).first { bytes[$0] == needle[0] && bytes[$0..<$0 + needle.count].elementsEqual(needle) }
    }

    private mutating func changedCase(_ value: DerivedValue, isUpper: Bool) -> DerivedValue {
        let start = texts.count
        let changed = withBytes(value) { bytes -> [UInt8] in
            guard bytes.contains(where: { $0 >= 0x80 }) else {
                let first = isUpper ? UInt8(ascii: "a") : UInt8(ascii: "A")
                return bytes.map { $0 &- first < 26 ? $0 ^ 0x20 : $0 }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            return Array((isUpper ? text.uppercased() : text.lowercased()).utf8)
        }
        texts += changed
        return .text(start..<texts.count)
    }

    private mutating func replaced(_ value: DerivedValue, _ old: DerivedValue, _ new: DerivedValue) -> DerivedValue {
        let start = texts.count
        var result: [UInt8] = []
        withBytes(value) { bytes in
            withTexts(old, new) { old, new in
                var from = 0
                while !old.isEmpty, result.count <= textByteLimit, let offset = Self.offset(of: old, in: bytes, from: from) {
                    result += bytes[from..<offset]
                    result += new
                    from = offset + old.count
                }
                if result.count <= textByteLimit { result += bytes[from...] }
            }
        }
        guard result.count <= textByteLimit else { return longText(from: start) }
        texts += result
        return .text(start..<texts.count)
    }

    // MARK: Dates

    private static let dayLength: Int64 = 86_400_000_000

    private static func days(_ microseconds: Int64) -> Int64 {
        let (days, rest) = microseconds.quotientAndRemainder(dividingBy: dayLength)
        return rest < 0 ? days - 1 : days
    }

    private static func dateComponent(_ function: Formula.Function, of value: DerivedValue) -> DerivedValue {
        guard case .temporal(let time, let kind) = value else { return .none }
        let days = days(time)
        // The leap second of a time of day, 23:59:60, belongs to the last minute.
        let leap: Int64 = kind == .time && days == 1 ? 1_000_000 : 0
        let rest = leap > 0 ? time &- leap : time &- days &* dayLength
        switch function {
        case .hour: return .exact(Int128(rest / 3_600_000_000), digits: 0)
        case .minute: return .exact(Int128(rest / 60_000_000 % 60), digits: 0)
        case .second: return .exact(Int128(rest % 60_000_000 + leap), digits: 6)
        // Day 0, 1970-01-01, was a Thursday. The result for Monday is 1.
        case .weekday: return .exact(Int128(((days + 3) % 7 + 7) % 7 + 1), digits: 0)
        default:
            let day = CalendarDay(daysSinceEpoch: Int(days))
            return .exact(Int128(function == .year ? day.year : function == .month ? day.month : day.day), digits: 0)
        }
    }

    // MARK: Writing

    /// Appends the text of a value of the formula's type. Appends nothing if there is no value.
    func append(_ value: DerivedValue, as type: FormulaType, to output: inout [UInt8]) {
        switch value {
        case .none: break
        case .field(let field): output += field.bytes
        case .text(let range): output += texts[range]
        case .flag(let flag): output += (flag ? "true" : "false").utf8
        case .temporal(let time, let kind):
            // A date with a time is written with a `T` between them, as in ISO 8601.
            var text = DateText.text(ofMicroseconds: time, kind: type == .date ? .date : kind)
            if kind == .dateTime, type != .date { text = text.replacing(" ", with: "T", maxReplacements: 1) }
            output += text.utf8
        case .exact(let mantissa, let digits): Self.append(mantissa, digits, to: &output)
        case .double(let number):
            guard number.isFinite else { return }
            let text = number.description
            output += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
        }
    }

    /// Appends the decimal number `mantissa` / 10^`digits`, without trailing zeros in its fraction.
    private static func append(_ mantissa: Int128, _ digits: Int, to output: inout [UInt8]) {
        var (rest, digits) = (mantissa.magnitude, digits)
        while digits > 0, rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
        if mantissa < 0 { output.append(UInt8(ascii: "-")) }
        let start = output.count
        var written = 0
        while rest > 0 || written <= digits {
            if written == digits, digits > 0 { output.append(UInt8(ascii: ".")) }
            output.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
            written += 1
        }
        output[start...].reverse()
    }
}
