import FieldValues
import GridTestSupport
import Tables

@testable import DataGridQuery

/// Generates random formulas of fields, as the parser creates them. There must be fields of each type.
struct FormulaGenerator {
    /// Fields of each type, some of which have names that need quotes or a number.
    static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal),
        Field(FieldID(rawValue: 1), name: "quantity", kind: .integer),
        Field(FieldID(rawValue: 2), name: "first name", kind: .text),
        Field(FieldID(rawValue: 3), name: "and", kind: .flag),
        Field(FieldID(rawValue: 4), name: "when", kind: .dateTime),
        Field(FieldID(rawValue: 5), name: "day", kind: .date),
        Field(FieldID(rawValue: 6), name: "a \"b\"", kind: .text),
        Field(FieldID(rawValue: 7), name: "", kind: .decimal, notation: .comma),
        Field(FieldID(rawValue: 8), name: "PRICE", kind: .time),
    ])

    var random: SplitMix64
    var fields = Self.schema.fields

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(random.next() % UInt64(elements.count))] }

    mutating func formula(_ type: FormulaType, depth: Int) -> Formula {
        guard depth > 0, random.next() % 4 != 0 else { return leaf(type) }
        func all(_ function: Formula.Function, _ types: FormulaType...) -> Formula {
            .call(function, types.map { formula($0, depth: depth - 1) })
        }
        switch type {
        case .number:
            switch random.next() % 8 {
            case 0: return all(pick([.abs, .floor, .ceil, .negate]), .number)
            case 1: return all(.round, .number, .number)
            case 2: return all(.length, .text)
            case 3: return all(pick([.year, .month, .day, .weekday]), pick([.date, .dateTime]))
            case 4: return all(pick([.hour, .minute, .second]), pick([.time, .dateTime]))
            case 5: return all(.days, .date, .dateTime)
            default: return all(pick([.add, .subtract, .multiply, .divide]), .number, .number)
            }
        case .text:
            switch random.next() % 6 {
            case 0: return all(pick([.upper, .lower, .trim]), pick([.text, .number]))
            case 1: return all(pick([.left, .right]), .text, .number)
            case 2: return all(.replace, .text, .text, .text)
            case 3: return all(.concat, .number, .text, .flag)
            case 4: return .call(.json, [formula(.text, depth: depth - 1), .constant(.text(pick(["a", "a.0", "\"a.b\".c"])))])
            default: return all(pick([.conditional]), .flag, .text, .text)
            }
        case .flag:
            let compared: FormulaType = pick([.number, .text, .dateTime, .time, .flag])
            switch random.next() % 6 {
            case 0: return all(pick([.and, .or]), .flag, .flag, .flag)
            case 1: return all(.not, .flag)
            case 2: return all(.isIn, compared, compared, compared)
            case 3: return all(pick([.isEmpty, .isNull]), compared)
            case 4: return all(pick([.contains, .startsWith, .endsWith]), .text, .text)
            default: return all(pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]), compared, compared)
            }
        case .date: return all(.date, pick([.date, .dateTime]))
        case .dateTime: return all(.conditional, .flag, .dateTime, .dateTime)
        case .time: return all(.coalesce, .time, .time)
        }
    }

    private mutating func leaf(_ type: FormulaType) -> Formula {
        let fields = fields.filter { FormulaType($0.kind) == type }
        if random.next() % 2 == 0 { return .field(pick(fields).id) }
        switch type {
        case .number:
            return .constant(
                pick([
                    .exact(ExactDecimal(5)), .exact(ExactDecimal(-125, digits: 2)), .exact(ExactDecimal(0)),
                    .exact(ExactDecimal(1, digits: 38)),
                ]))
        case .text: return .constant(.text(pick(["", "it's", "\"", "and", "Ä\n", "#1", "1", "true"])))
        case .flag: return .constant(.flag(pick([true, false])))
        case .date: return .constant(.temporal(pick([0, 19_782 * 86_400_000_000, -86_400_000_000]), .date))
        case .dateTime: return .constant(.temporal(pick([0, 1_706_696_520_000_001, -1_500_000]), .dateTime))
        case .time: return .constant(.temporal(pick([0, 37_320_000_000, 86_399_999_999]), .time))
        }
    }
}

/// The texts of a column of a table, with empty strings for missing fields.
func derivedTexts(of table: some Table, column: Int) throws -> [String] {
    var texts: [String] = []
    try table.scan(0..<table.recordCount, columns: [column]) { _, fields in
        texts.append(String(decoding: fields[0].bytes, as: UTF8.self))
        return true
    }
    return texts
}
