import GridTestSupport
import FieldValues
import Foundation

@testable import DataGridQuery

/// A test condition: written as text for the filter, and evaluated row by row by a simple reference implementation.
indirect enum ReferenceCondition {
    case and(ReferenceCondition, ReferenceCondition), or(ReferenceCondition, ReferenceCondition), not(ReferenceCondition)
    /// A column number, an operator, and a number as written in the filter and in plain digits.
    case number(Int, String, String)
    case columns(Int, String, Int)
    case sum(Int, String, Int, String, String)
    case text(Int, String, String)
    case words(Int, String, String, ignoresCase: Bool)
    case oneOf(Int, [String])
    case empty(Int, Bool)
    case date(Int, String, String)
    /// A pattern of characters, `%` and `_`.
    case like(Int, String, ignoresCase: Bool)
    case between(Int, String, String)

    func written(_ names: [String]) -> String {
        func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "''") + "'" }
        switch self {
        case .and(let a, let b): return "(\(a.written(names)) and \(b.written(names)))"
        case .or(let a, let b): return "(\(a.written(names)) or \(b.written(names)))"
        case .not(let a): return "not \(a.written(names))"
        case .number(let column, let sign, let literal): return "\(names[column]) \(sign) \(literal)"
        case .columns(let a, let sign, let b): return "\(names[a]) \(sign) #\(b + 1)"
        case .sum(let a, let operation, let b, let sign, let literal): return "\(names[a]) \(operation) \(names[b]) \(sign) \(literal)"
        case .text(let column, let sign, let literal): return "\(names[column]) \(sign) \(quoted(literal))"
        case .words(let column, let word, let literal, let ignoresCase):
            return "\(names[column]) \(word)\(ignoresCase ? "*" : "") \(quoted(literal))"
        case .oneOf(let column, let list): return "\(names[column]) in (\(list.map(quoted).joined(separator: ", ")))"
        case .empty(let column, let isNot): return "\(names[column]) is \(isNot ? "not " : "")empty"
        case .date(let column, let sign, let literal): return "\(names[column]) \(sign) \(literal)"
        case .like(let column, let pattern, let ignoresCase): return "\(names[column]) \(ignoresCase ? "i" : "")like \(quoted(pattern))"
        case .between(let column, let first, let last): return "\(names[column]) between \(first) and \(last)"
        }
    }

    var hasArithmetic: Bool {
        switch self {
        case .and(let a, let b), .or(let a, let b): a.hasArithmetic || b.hasArithmetic
        case .not(let a): a.hasArithmetic
        case .sum: true
        default: false
        }
    }

    /// True if the condition holds for a row.
    func matches(_ row: [String?]) -> Bool {
        func cell(_ column: Int) -> String? { column < row.count ? row[column] : nil }
        switch self {
        case .and(let a, let b): return a.matches(row) && b.matches(row)
        case .or(let a, let b): return a.matches(row) || b.matches(row)
        case .not(let a): return !a.matches(row)
        case .number(let column, let sign, let literal):
            return Self.matches(Self.decimal(cell(column)), sign, Self.decimal(literal))
        case .columns(let a, let sign, let b): return Self.matches(Self.decimal(cell(a)), sign, Self.decimal(cell(b)))
        case .sum(let a, let operation, let b, let sign, let literal):
            guard let x = Self.decimal(cell(a)), let y = Self.decimal(cell(b)) else { return sign == "!=" }
            let result = operation == "+" ? x + y : operation == "-" ? x - y : x * y
            return Self.matches(result, sign, Self.decimal(literal))
        case .text(let column, let sign, let literal):
            let (a, b) = (Array((cell(column) ?? "").utf8), Array(literal.utf8))
            let isLess = a.lexicographicallyPrecedes(b)
            return ["=": a == b, "!=": a != b, "<": isLess, "<=": isLess || a == b, ">": !isLess && a != b, ">=": !isLess][sign]!
        case .words(let column, let word, let literal, let ignoresCase):
            func folded(_ text: String) -> [UInt8] { Array((ignoresCase ? text.lowercased() : text).utf8) }
            let (field, needle) = (folded(cell(column) ?? ""), folded(literal))
            switch word {
            case "contains":
                return needle.isEmpty || field.indices.contains { field[$0...].starts(with: needle) }
            case "starts with": return field.starts(with: needle)
            default: return field.reversed().starts(with: needle.reversed())
            }
        case .oneOf(let column, let list): return list.contains { Array($0.utf8) == Array((cell(column) ?? "").utf8) }
        case .empty(let column, let isNot):
            return (cell(column) ?? "").allSatisfy { $0 == " " || $0 == "\t" } != isNot
        case .date(let column, let sign, let literal):
            return Self.matches(Self.seconds(cell(column)), sign, Self.seconds(literal))
        case .like(let column, let pattern, let ignoresCase):
            func folded(_ text: String) -> ArraySlice<Unicode.Scalar> {
                Array((ignoresCase ? text.lowercased() : text).unicodeScalars)[...]
            }
            return Self.isLike(folded(cell(column) ?? ""), folded(pattern))
        case .between(let column, let first, let last):
            let value = Self.decimal(cell(column))
            return Self.matches(value, ">=", Self.decimal(first)) && Self.matches(value, "<=", Self.decimal(last))
        }
    }

    private static func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        switch pattern.first {
        case nil: text.isEmpty
        case "%": (text.startIndex...text.endIndex).contains { isLike(text[$0...], pattern.dropFirst()) }
        case "_": !text.isEmpty && isLike(text.dropFirst(), pattern.dropFirst())
        case let scalar: text.first == scalar && isLike(text.dropFirst(), pattern.dropFirst())
        }
    }

    /// Decimals of 38 digits represent every test number exactly.
    private static func decimal(_ text: String?) -> Decimal? {
        guard let text, let value = FieldBytes.withBytes(of: text, { $0.decimal() }), value.isFinite else { return nil }
        let plain = text.replacingOccurrences(of: ",", with: "").trimmingCharacters(in: .whitespaces)
        if plain.hasSuffix("%") { return Decimal(string: String(plain.dropLast()))! / 100 }
        return Decimal(string: plain)
    }

    private static func seconds(_ text: String?) -> Decimal? {
        guard let text, let value = FieldBytes.withBytes(of: text, { $0.temporal(.dateTime) }) else { return nil }
        return Decimal(value)
    }

    private static func matches(_ a: Decimal?, _ sign: String, _ b: Decimal?) -> Bool {
        guard let a, let b else { return sign == "!=" }
        return ["=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b][sign]!
    }
}

/// Generates random conditions on the columns `whole`, `text`, `date` and `other`. The last one has integers.
struct ReferenceConditionGenerator {
    var random: SplitMix64

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(random.next() % UInt64(elements.count))] }

    mutating func condition(depth: Int) -> ReferenceCondition {
        if depth > 0, random.next() % 3 != 0 {
            switch random.next() % 3 {
            case 0: return .and(condition(depth: depth - 1), condition(depth: depth - 1))
            case 1: return .or(condition(depth: depth - 1), condition(depth: depth - 1))
            default: return .not(condition(depth: depth - 1))
            }
        }
        let sign = pick(["=", "!=", "<", "<=", ">", ">="])
        let whole = pick(["1", "2", "-3", "10", "7", "9223372036854775807", "-9223372036854775808", "9007199254740992", "1000", "50000"])
        switch random.next() % 11 {
        case 0, 1: return .number(pick([0, 3]), sign, whole)
        case 2: return .columns(0, sign, 3)
        case 3: return .sum(0, pick(["+", "-"]), 3, sign, pick(["0", "100", "-5"]))
        case 4: return .text(1, sign, fieldSamples["text"]!.compactMap { $0 }[Int(random.next() % 18)])
        case 5:
            let literal = pick(["a", "A", "common", "COMMON", "1", "é", "É", "file", "é", "b", "name 1", "\t", "77"])
            return .words(1, pick(["contains", "starts with", "ends with"]), literal, ignoresCase: random.next() % 2 == 0)
        case 6: return .oneOf(1, (0..<Int(random.next() % 5 + 1)).map { _ in pick(["a", "B", "", "é", "file2", "name 5", "seven77"]) })
        case 7: return .empty(Int(random.next() % 4), random.next() % 2 == 0)
        case 8:
            let pattern = pick(["a", "a%", "%1", "%m%", "%", "", "f_le%", "_", "na%_7", "%e_", "É%", "COMMON", "_%é%", "name _", "%'%"])
            return .like(1, pattern, ignoresCase: random.next() % 2 == 0)
        case 9: return .between(pick([0, 3]), whole, pick(["1", "100", "9007199254740993", "-5"]))
        default: return .date(2, sign, pick(["2024-01-01", "1969-12-31", "2024-02-29", "2023-12-31T12:00"]))
        }
    }
}
