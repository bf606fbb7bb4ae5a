import FieldValues
import Tables

/// Tests of text.
extension ConditionCompiler {
    func text(_ column: ColumnTerm) -> TextTerm {
        if case .nondeterministic = column.collation {
            // Replace a nondeterministic collation, because text functions reject it.
            return TextTerm(
                sql: "(\(dialect.withByteCollation(column.text)))", isNullable: column.isNullable, isNumberOrDate: !column.isText,
                isStored: column.isStored, textOrBlob: column.textOrBlob)
        }
        return unchangedText(column)
    }

    /// The text of a column for a comparison with a constant, or for a search for a constant. A constant is much shorter than the limit at
    /// which very large values are cut, so only a search can depend on the end of a cut text.
    func testedText(_ column: ColumnTerm) -> TextTerm {
        var column = column
        column.text = column.cutText ?? column.text
        return text(column)
    }

    private func unchangedText(_ column: ColumnTerm) -> TextTerm {
        TextTerm(
            sql: column.text, isNullable: column.isNullable, collation: column.collation, isNumberOrDate: !column.isText,
            isStored: column.isStored, textOrBlob: column.textOrBlob)
    }

    func constant(_ text: String) throws(UnsupportedError) -> TextTerm {
        guard !text.unicodeScalars.contains("\0") || dialect.family == .sqlite else {
            throw UnsupportedError("The text contains a NUL character, which gridview cannot send to \(dialect.name).")
        }
        return TextTerm(sql: dialect.text(text), isNullable: false, constant: text)
    }

    /// The SQL of an operand, for an equality test that compares bytes.
    func equalityOperand(_ term: TextTerm, _ sql: SQLFragment) -> SQLFragment {
        if case .nondeterministic = term.collation { return "(\(dialect.withByteCollation(sql)))" }
        return sql
    }

    /// The SQL of an operand, for an ordered comparison of bytes.
    func orderingOperand(_ term: TextTerm, _ sql: SQLFragment) -> SQLFragment {
        term.collation == .bytes ? sql : "(\(dialect.withByteCollation(sql)))"
    }

    func compareTexts(_ a: TextTerm, _ comparison: SQLComparison, _ b: TextTerm) -> SQLCondition {
        if a.constant != nil, b.constant == nil { return compareTexts(b, comparison.exchanged, a) }
        // The server refuses to compare columns with different collations unless one side names a collation.
        let needsCollation = b.constant == nil && a.collation != b.collation
        let isEquality = !needsCollation && (comparison == .equal || comparison == .notEqual)
        func operand(_ term: TextTerm, _ sql: SQLFragment) -> SQLFragment {
            // An explicit collation on one side applies to both.
            isEquality ? equalityOperand(term, sql) : orderingOperand(term, sql)
        }
        guard let constant = b.constant else {
            let sql: SQLFragment = "\(operand(a, a.orEmpty)) \(comparison.sql) \(operand(b, b.orEmpty))"
            return SQLCondition(sql, mayBeNull: false)
        }
        // A test for equality does not need the texts of blobs, unless the constant can be such a text. Without them, the test can use an
        // index.
        let column = isEquality && !BlobText.isText(constant) ? a.textOrBlob : nil
        let compared: SQLFragment = column.map { column -> SQLFragment in "(\(column))" } ?? operand(a, a.sql)
        let sql: SQLFragment = "\(compared) \(comparison.sql) \(b.sql)"
        guard a.isNullable else { return SQLCondition(sql, mayBeNull: false) }
        if comparison.matchesEmptyText(comparedWith: constant) { return SQLCondition("(\(a.sql) IS NULL OR \(sql))", mayBeNull: false) }
        return SQLCondition(sql, mayBeNull: true)
    }

    /// The characters that numbers, dates, times and flags can have as text, on all servers. Other texts cannot be a part of them.
    private static let numberAndDateCharacters = Set(
        "0123456789 +-.,:/()infinityINFINITYnanNaNbcBCadADtruefalseTRUEFALSEzZ".unicodeScalars)

    /// True if no value can contain a text, because the values are numbers or dates. In SQLite and unknown engines, they may have any text.
    private func isImpossible(_ text: String, in term: TextTerm) -> Bool {
        guard term.isNumberOrDate, dialect.family != .sqlite, dialect.family != .ansi else { return false }
        return text.unicodeScalars.contains { !Self.numberAndDateCharacters.contains($0) }
    }

    func test(_ test: SQLDialect.TextTest, _ term: TextTerm, _ text: String, ignoresCase: Bool) throws(UnsupportedError) -> SQLCondition {
        let needle = try constant(text)
        if text.isEmpty, test != .equals { return SQLCondition(dialect.trueLiteral, mayBeNull: false) }
        let folded = CaseVariants.folded(text, dialect.encoding)
        if isImpossible(ignoresCase ? folded.text : text, in: term) { return SQLCondition(dialect.falseLiteral, mayBeNull: false) }
        guard ignoresCase else {
            let value = equalityOperand(term, term.sql)
            if test == .equals { return compareTexts(term, .equal, needle) }
            if let pattern = dialect.patternTest(test, value, text) { return SQLCondition(pattern, mayBeNull: term.isNullable) }
            return SQLCondition(dialect.test(test, value, needle.sql, count: dialect.encoding.length(of: text)), mayBeNull: term.isNullable)
        }
        guard let value = dialect.translated(term.sql, folded.pairs, isStored: term.isStored) else {
            throw UnsupportedError("\(dialect.name) cannot ignore case as gridview does. Use a case-sensitive test.")
        }
        let bytes = equalityOperand(term, value)
        if text.isEmpty {
            return SQLCondition(term.isNullable ? "(\(term.sql) IS NULL OR \(bytes) = '')" : "\(bytes) = ''", mayBeNull: false)
        }
        let condition = dialect.test(test, bytes, dialect.text(folded.text), count: dialect.encoding.length(of: folded.text))
        return SQLCondition(condition, mayBeNull: term.isNullable)
    }

    /// Tests a text operand against a second operand that is not a constant.
    func test(_ test: SQLDialect.TextTest, _ term: TextTerm, _ other: TextTerm) -> SQLCondition {
        SQLCondition(
            dialect.test(test, equalityOperand(term, term.orEmpty), equalityOperand(other, other.orEmpty), count: nil),
            mayBeNull: false)
    }

    func matches(_ term: TextTerm, _ pattern: String, ignoresCase: Bool) throws(UnsupportedError) -> SQLCondition {
        _ = try constant(pattern)
        guard dialect.capabilities.contains(.regex),
            let sql = try dialect.matches(equalityOperand(term, term.orEmpty), pattern, ignoresCase: ignoresCase)
        else {
            throw UnsupportedError("\(dialect.name) does not support regular expressions. Use contains, starts with, ends with or like.")
        }
        return SQLCondition(sql, mayBeNull: false)
    }

    /// The condition that any field contains `text`. It ignores case unless `text` contains capital letters.
    func anyField(contains text: String) throws(UnsupportedError) -> SQLCondition {
        let ignoresCase = !text.unicodeScalars.contains { $0.properties.isUppercase }
        var parts: [SQLCondition] = []
        for id in allColumns { parts.append(try test(.contains, testedText(try column(id)), text, ignoresCase: ignoresCase)) }
        return parts.isEmpty ? SQLCondition(dialect.falseLiteral, mayBeNull: false) : .joined(parts, by: " OR ")
    }
}
