public import Tables

/// A condition on records, bound to the fields of a table.
///
/// ```
/// price > 100 and symbol ~ '^A' and not (note contains 'hold')
/// price * quantity >= 1e6 or side in ('BUY', 'SELL')
/// length(name) > 3 and year(date) = 2024 or if(side = 'BUY', fee, 0) > 1
/// ```
///
/// - A **column** is a bare name, `"a name"` in double quotes, or `#3`. Names match exactly, otherwise ignoring case.
/// - A **literal** is a string in single quotes (`''` inside is one quote), a bare number, `true`, `false`, or a date or time of ISO 8601
///   (`2024-01-31`, `2024-01-31T10:22`, `10:22`). A name in double quotes that is not a column is also a string.
/// - **Comparisons** are `=` `!=` `<` `<=` `>` `>=` of a column with a literal or another column. Numbers can be compared with sums,
///   differences, products and quotients. `in (…)` is equality with one of several literals. `between 1 and 5` includes both ends.
///   `==` is `=`, and `<>` is `!=`.
/// - **Strings** are tested by `contains`, `starts with`, `ends with`, and `~` and `!~` with a regular expression, which matches anywhere
///   in the field. `is empty` is true for a field without text or with spaces only; `is not empty` is the opposite.
/// - `is null` is true for a field without a value: a null or a missing key. In tables without nulls, such as CSV, it means `is empty`.
///   `is missing` is the same in every table: true for a null, a missing key and a field that a short record lacks, never for an empty
///   field.
/// - **Patterns** of SQL match the whole field: in `like 'A%'`, `%` stands for any text and `_` for one character. `ilike` ignores case.
///   After `escape '!'`, a character after `!` stands for itself.
/// - A `*` after `=` `!=` `~` `!~` `contains` `starts with` `ends with` ignores case (simple case folding).
/// - `not` applies to the comparison after it. It binds more tightly than `and`, which binds more tightly than `or`. `not` can also precede
///   `in`, `between`, `like`, `contains`, `starts` and `ends`. `&&`, `||` and `!` mean `and`, `or` and `not`.
/// - **Quotes** can be omitted around a word that is not the name of a column. This is possible in comparisons of strings with `=` and
///   `!=`, in `in (…)`, and in tests of strings: `trader = smith`. Dates can be written as in their column: `day >= 31.01.2024`.
/// - A column of flags can be compared with `yes`, `no`, `y`, `n`, `t`, `f`, `1` and `0` as well, without quotes: `done = yes` is
///   `done = true`.
/// - A **month** `2024-05` or a **year** `2024` compared with a column of dates stands for all of its days. `=` matches a day in
///   it, `>` a day after its last day, and `>=` its first day and all later days.
/// - The name of a column of flags is a condition by itself: the flag is true.
/// - A single word that is not a column, or a quoted string alone, matches records in which **any field** contains it. Case matters only if
///   it has capital letters. Several words must all occur, in any fields. `anywhere('text')` is equivalent and can be combined with `and`,
///   `or` and `not`.
/// - All **functions** of formulas can be used. `true`, `false` and `not` are column names only in double quotes.
///
/// Rules of comparison:
///
/// - With a number, both sides are numbers (`FieldBytes.integer(_:)`, otherwise `FieldBytes.decimal(_:)`). Fields use the notation of their
///   column; bare numbers have a decimal point and no group separators. With a date or time, both sides are points in time, and a date
///   means its midnight. With `true` or `false`, both sides are flags.
/// - With a quoted string, the kind and notation of the column apply if the text matches them. Otherwise both sides are compared as
///   strings, for equality only. Two columns are compared by their common kind, otherwise as strings.
/// - Numbers of up to 38 digits are compared exactly; longer ones are rounded to the nearest double.
/// - If a field does not match the kind of the comparison, only `!=` is true of it. This includes empty and missing fields, and NaN. −0
///   equals 0, and infinities are beyond all numbers.
/// - Strings are compared by UTF-8 bytes, which is the order of Unicode scalars. A missing field is an empty string.
/// - A comparison with arithmetic or a function follows the rules of formulas, and finds the same rows as a filter of a computed column.
///   Strings in quotes are strings. Results of up to 38 digits and quotients of up to 18 decimals are exact; others are rounded to the
///   nearest double. A quotient by zero and an infinite result have no value, so that only `!=` is true of them.
///
/// Filters are equal if their trees are equal, regardless of their text.
public struct Filter: Sendable, Hashable {
    /// The text of the condition. It is the text as written, without surrounding spaces, or the result of ``text(of:in:)`` for a filter
    /// created from a tree.
    public let text: String
    /// The condition as a tree. It can be encoded and references fields by ID, so renaming a field does not break it.
    public let formula: Formula
    let expression: FilterExpression

    /// Parses a condition.
    /// - Throws: ``FilterError`` with the position of the error.
    /// - Complexity: O(length).
    public init(_ text: String, in schema: Schema) throws(FilterError) {
        let source = FormulaSource(text)
        var parser = FormulaParser(source, schema, isFilter: true)
        let parsed = try parser.parseAll()
        do throws(FilterError) {
            expression = try FilterPlanner(schema: schema).plan(parsed)
        } catch {
            throw parser.suggestingQuotes(error)
        }
        formula = parsed.formula
        self.text = source.trimmedText
    }

    /// Creates a filter from a tree.
    /// - Throws: ``FilterError`` if the condition does not fit the fields. Its range covers the whole text.
    /// - Complexity: O(formula).
    public init(_ formula: Formula, in schema: Schema) throws(FilterError) {
        text = Self.text(of: formula, in: schema)
        self.formula = formula
        do throws(FilterError) {
            if let unknown = formula.fields.first(where: { schema[$0] == nil }) {
                throw FilterError(.unknownColumnNumber, "No column #\(unknown.rawValue + 1).", at: 0..<0)
            }
            expression = try FilterPlanner(schema: schema).plan(LocatedFormula(formula))
        } catch {
            throw FilterError(error.kind, error.message, at: 0..<text.unicodeScalars.count)
        }
    }

    /// The text form of a condition, with the field names of a schema. Parsing it as a filter returns the same tree.
    public static func text(of formula: Formula, in schema: Schema) -> String {
        let text = formula.text(in: schema)
        // A quoted name or a column number alone would be parsed as a search in all fields. Parentheses prevent that.
        if case .field = formula, text.hasPrefix("#") || text.hasPrefix("\"") { return "(\(text))" }
        return text
    }

    /// True if the text of a filter or a formula has a name in double quotes that no known field has. Such a filter is parsed again when
    /// later records add fields, because a new field may have this name.
    package static func hasUnknownQuotedName(_ text: String, in schema: Schema) -> Bool {
        let source = FormulaSource(text)
        var position = 0
        while let token = (try? source.token(after: position)) ?? source.size(after: position), token.kind != .end {
            if case .name(let name) = token.kind, schema.field(named: name) == nil { return true }
            position = token.range.upperBound
        }
        return false
    }

    /// Compares the conditions, regardless of their text.
    public static func == (a: Filter, b: Filter) -> Bool { a.formula == b.formula && a.expression == b.expression }

    /// Hashes the condition.
    public func hash(into hasher: inout Hasher) { hasher.combine(formula) }

    /// The string to search for, if the whole condition is a search for one string in all fields; otherwise `nil`.
    public var bareText: String? { bareTexts.count == 1 ? bareTexts[0] : nil }

    /// The strings to search for, if the whole condition is a search in all fields; otherwise empty. A matching record contains all of
    /// these strings.
    public var bareTexts: [String] {
        func text(_ part: FilterExpression) -> String? { if case .anyFieldContains(let text) = part { text } else { nil } }
        guard case .all(let parts) = expression else { return text(expression).map { [$0] } ?? [] }
        let texts = parts.compactMap(text)
        return texts.count == parts.count ? texts : []
    }
}
