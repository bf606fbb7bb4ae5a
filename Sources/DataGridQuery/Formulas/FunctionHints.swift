import FieldValues
import Tables

/// Advice in error messages about functions that have other names in other programs.
enum FunctionHints {
    /// Functions of other programs that are functions here under another name. The keys are in lower case.
    private static let otherNames: [String: Formula.Function] = [
        "len": .length, "strlen": .length, "char_length": .length, "substr": .mid, "substring": .mid, "ucase": .upper,
        "upper_case": .upper, "uppercase": .upper, "toupper": .upper, "lcase": .lower, "lower_case": .lower, "lowercase": .lower,
        "tolower": .lower, "strip": .trim, "ceiling": .ceil, "int": .floor, "concatenate": .concat, "iif": .conditional,
        "ifnull": .coalesce, "nvl": .coalesce, "datediff": .days, "json_extract": .json,
    ]

    /// Functions of other programs that are operators here, with the advice to give. The keys are in lower case.
    private static let operators = [
        "startswith": "name starts with 'a'", "starts_with": "name starts with 'a'", "endswith": "name ends with 'a'",
        "ends_with": "name ends with 'a'", "includes": "name contains 'a'", "isnull": "price is null", "isempty": "price is empty",
        "isblank": "price is empty",
    ]

    /// A sentence for a function that returns the current date in other programs, with a leading space. `nil` for other names. The name is
    /// in lower case.
    static func currentDate(_ name: String) -> String? {
        guard ["today", "now", "current_date", "current_timestamp", "getdate", "curdate"].contains(name) else { return nil }
        return " gridview does not know the current date. Write it as 2024-01-31."
    }

    /// A sentence for a keyword of SQL, with a leading space; `nil` for other names. The name is in lower case.
    static func keyword(_ name: String) -> String? { name == "case" ? " Write if(price > 1, 'a', 'b')." : nil }

    /// A sentence that suggests a replacement for an unknown function, with a leading space. The name is in lower case.
    static func alternative(to name: String) -> String {
        if let sentence = currentDate(name) { return sentence }
        if let example = operators[name] { return " Write \(example)." }
        if name == "avg" || AggregateKind(rawValue: name) != nil {
            return " It is an aggregate of a group, not a function of a row."
        }
        let near = otherNames[name]?.name ?? Suggestions.closest(name, Formula.Function.named.keys.sorted())
        return near.map { " Did you mean “\($0)”?" } ?? " The help (?) lists the functions."
    }
}
