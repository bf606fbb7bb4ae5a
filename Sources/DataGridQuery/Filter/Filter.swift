public import Tables

/// A condition that a record fulfils or not, bound to the fields of a table.
///
/// ```
/// price > 100 and symbol ~ '^A' and not (note contains 'hold')
/// price * quantity >= 1e6 or side in ('BUY', 'SELL')
/// length(name) > 3 and year(date) = 2024 or if(side = 'BUY', fee, 0) > 1
/// ```
///
/// - A **column** is a bare name, `"a name"` in double quotes, or `#3`. Names are matched exactly, else without regard to case.
/// - A **literal** is a text in single quotes (`''` inside stands for one; double quotes do, where no column has that name), a bare number,
///   a date or time of ISO 8601 (`2024-01-31`, `2024-01-31T10:22`, `10:22`), `true` or `false`.
/// - **Comparisons** are `=` `!=` `<` `<=` `>` `>=` of a column with a literal or another column; between numbers also of sums, differences,
///   products and quotients. `in (…)` is equality with one of several literals.
/// - **Texts** are tested by `contains`, `starts with`, `ends with`, and `~` and `!~` with a regular expression, which matches anywhere in
///   the field. `is empty` and `is not empty` tell whether there is anything but blanks.
/// - A `*` behind `=` `!=` `~` `!~` `contains` `starts with` `ends with` ignores case (simple case folding).
/// - `not` is of the comparison behind it and binds stronger than `and`, which binds stronger than `or`. `not` may also stand before `in`,
///   `contains`, `starts` and `ends`.
/// - The name of a column of flags by itself is a condition: that they are true.
/// - Any other single word that is no column, or quoted text, and nothing else asks for records in which **any field** contains it; case counts if, and only if, it has
///   capital letters. `anywhere('text')` asks for the same and can stand between `and`, `or` and `not`.
/// - All **functions** of formulas may be used. `true`, `false` and `not` are never names of columns unless they are in double quotes.
///
/// What is compared:
///
/// - With a number, or in arithmetic, both sides are numbers (`FieldBytes.integer(_:)`, else `FieldBytes.decimal(_:)`): fields by the
///   notation of their column, bare numbers with a point and without thousands separators. With a date or time, points in time, a date being its midnight; with `true` or
///   `false`, flags.
/// - With a quoted text, what the column's kind and notation say, if the text can be read so; otherwise texts, and then for equality alone. Two columns are compared as
///   what both are, otherwise as texts.
/// - Integers of 64 bits are exact, also against decimals; sums, differences and products of them as long as they fit.
/// - A field that cannot be read as what is asked for, blank and missing ones among them, compares as NaN does: equal to nothing and neither
///   less nor greater, so that `!=` alone holds. A NaN in the data is the same. −0 equals 0; the infinities are beyond all numbers. A
///   quotient by zero is an infinity or NaN.
/// - Texts are compared by UTF-8 bytes, which is by Unicode scalars. A missing field is the empty text.
/// - A comparison with a function in it, or within one, is that of formulas: numbers are exact decimals, a quotient by zero is no value, and
///   texts in quotes are texts.
///
/// Filters are equal when they are the same tree, however that is written.
public struct Filter: Sendable, Hashable {
    /// The condition as it was written, without blanks around it; as ``text(of:in:)`` writes it if it was not read from a text.
    public let text: String
    /// The condition as a tree. It can be encoded, and knows fields by their ids, so that it survives renaming.
    public let formula: Formula
    let expression: FilterExpression

    /// Reads a condition.
    /// - Throws: ``FilterError`` with the place where it cannot be understood.
    /// - Complexity: O(length).
    public init(_ text: String, in schema: Schema) throws(FilterError) {
        let source = FormulaSource(text)
        var parser = FormulaParser(source, schema, isFilter: true)
        let whole = try parser.whole()
        expression = try FilterPlanner(schema: schema).plan(whole)
        formula = whole.formula
        self.text = source.trimmedText
    }

    /// A condition that is a tree already.
    /// - Throws: ``FilterError`` when it does not fit the fields. Its place is all of the text.
    /// - Complexity: O(formula).
    public init(_ formula: Formula, in schema: Schema) throws(FilterError) {
        text = Self.text(of: formula, in: schema)
        self.formula = formula
        do throws(FilterError) {
            if let unknown = formula.fields.first(where: { schema[$0] == nil }) {
                throw FilterError("No column #\(unknown.rawValue + 1).", at: 0..<0)
            }
            expression = try FilterPlanner(schema: schema).plan(PlacedFormula(formula))
        } catch {
            throw FilterError(error.message, at: 0..<text.unicodeScalars.count)
        }
    }

    /// A condition as a person writes it, with the names of a table's fields. Read as a filter, it is the same tree.
    public static func text(of formula: Formula, in schema: Schema) -> String {
        let text = formula.text(in: schema)
        // By itself, what is not a bare word would be looked for in all fields.
        if case .field = formula, text.hasPrefix("#") || text.hasPrefix("\"") { return "(\(text))" }
        return text
    }

    /// Whether both say the same, however it is written.
    public static func == (a: Filter, b: Filter) -> Bool { a.formula == b.formula && a.expression == b.expression }

    /// Hashes what the filter says.
    public func hash(into hasher: inout Hasher) { hasher.combine(formula) }

    /// The text that is looked for in any field, when that is all the condition says.
    public var bareText: String? {
        if case .anyFieldContains(let text) = expression { return text }
        return nil
    }
}

/// Why a text is no filter or no formula.
public struct FilterError: Error, Sendable, Hashable {
    /// A sentence or two: what is wrong and what was expected.
    public var message: String
    /// Where, in Unicode scalars from the start of the text; at its end when something is missing there.
    public var place: Range<Int>

    init(_ message: String, at place: Range<Int>) {
        self.message = message
        self.place = place
    }
}
