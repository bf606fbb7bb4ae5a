import FieldValues
import Tables

/// Advice about names that are functions in other programs.
enum FunctionHints {
    /// Functions with another name here, by their name in lower case.
    private static let otherNames: [String: Formula.Function] = [
        "len": .length, "strlen": .length, "char_length": .length, "substr": .mid, "substring": .mid, "ucase": .upper,
        "upper_case": .upper, "uppercase": .upper, "toupper": .upper, "lcase": .lower, "lower_case": .lower, "lowercase": .lower,
        "tolower": .lower, "strip": .trim, "ceiling": .ceil, "int": .floor, "concatenate": .concat, "iif": .conditional,
        "ifnull": .coalesce, "nvl": .coalesce, "datediff": .days, "json_extract": .json,
    ]

    /// Tests that are operators here, by their name in lower case.
    private static let operators = [
        "startswith": "name starts with 'a'", "starts_with": "name starts with 'a'", "endswith": "name ends with 'a'",
        "ends_with": "name ends with 'a'", "includes": "name contains 'a'", "isnull": "price is null", "isempty": "price is empty",
        "isblank": "price is empty",
    ]

    /// A sentence about the current date, with a leading space; `nil` if no function for the current date has this lower-case name.
    static func currentDate(_ name: String) -> String? {
        guard ["today", "now", "current_date", "current_timestamp", "getdate", "curdate"].contains(name) else { return nil }
        return " gridview does not know the current date. Write it as 2024-01-31."
    }

    /// A sentence about a keyword of SQL in lower case, with a leading space; `nil` for other names.
    static func keyword(_ name: String) -> String? { name == "case" ? " Write if(price > 1, 'a', 'b')." : nil }

    /// A sentence that names an alternative to an unknown function, with a leading space. The name is in lower case.
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
