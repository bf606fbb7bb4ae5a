import FieldValues
import Tables

/// Advice in error messages about functions and operators of other programs.
enum FunctionHints {
    /// Functions of other programs that are functions here under another name. The keys are in lower case.
    private static let otherNames: [String: Formula.Function] = [
        "len": .length, "strlen": .length, "char_length": .length, "substr": .mid, "substring": .mid, "ucase": .upper,
        "upper_case": .upper, "uppercase": .upper, "toupper": .upper, "lcase": .lower, "lower_case": .lower, "lowercase": .lower,
        "tolower": .lower, "strip": .trim, "ceiling": .ceil, "int": .floor, "concatenate": .concat, "iif": .conditional,
        "ifnull": .coalesce, "nvl": .coalesce, "datediff": .days, "json_extract": .json,
    ]

    /// Functions of other programs without a function here, with the text to write instead. The keys are in lower case.
    private static let replacements = [
        "startswith": "name starts with 'a'", "starts_with": "name starts with 'a'", "endswith": "name ends with 'a'",
        "ends_with": "name ends with 'a'", "includes": "name contains 'a'", "isnull": "price is null", "isempty": "price is empty",
        "isblank": "price is empty", "mod": remainder, "pow": square, "power": square,
    ]

    private static let remainder = "a - b * floor(a / b)"
    private static let square = "a * a for the square of a"

    /// Operators of other programs, with the text to write instead.
    private static let otherOperators = [
        "%": remainder, "^": square, "**": square, "//": "floor(a / b)",
    ]

    /// The error for an operator of another program; `nil` for other text.
    static func unknownOperatorError(_ text: String, at range: Range<Int>) -> FilterError? {
        otherOperators[text].map { FilterError(.unknownOperator, "Unknown operator \(text). Write \($0).", at: range) }
    }

    /// A sentence for a function that returns the current date in other programs, with a leading space. `nil` for other names. The name is
    /// in lower case.
    static func currentDateAdvice(_ name: String) -> String? {
        guard ["today", "now", "current_date", "current_timestamp", "getdate", "curdate"].contains(name) else { return nil }
        return " gridview does not know the current date. Write it as 2024-01-31."
    }

    /// A sentence for a keyword of SQL, with a leading space; `nil` for other names. The name is in lower case.
    static func keywordAdvice(_ name: String) -> String? { name == "case" ? " Write if(price > 1, 'a', 'b')." : nil }

    /// A sentence for a number that is written as a word, with a leading space; `nil` for other names. The name is in lower case.
    static func numberAdvice(_ name: String) -> String? {
        switch name {
        case "nan": " NaN equals no number. To find it, write =* 'NaN'."
        case "inf", "infinity": " For infinity, write '\(name)'."
        default: nil
        }
    }

    /// A sentence that suggests a replacement for an unknown function, with a leading space. The name is in lower case.
    static func replacementAdvice(for name: String) -> String {
        if let sentence = currentDateAdvice(name) { return sentence }
        if let example = replacements[name] { return " Write \(example)." }
        if name == "avg" || AggregateFunction(rawValue: name) != nil {
            return " It is an aggregate of a group, not a function of a row."
        }
        let near = otherNames[name]?.name ?? Suggestions.closest(name, Formula.Function.named.keys.sorted())
        return near.map { " Did you mean “\($0)”?" } ?? " The help (?) lists the functions."
    }
}
