import FieldValues
import Tables

/// A text operand. NULL is treated as an empty string.
struct TextTerm {
    var sql: SQLFragment
    var isNullable: Bool
    var collation = ServerColumn.Collation.bytes
    /// True if the text is that of a number, a date, a time or a flag.
    var isNumberOrDate = false
    /// True if the server itself stores the text, see ``ColumnTerm/isStored``.
    var isStored = false
    /// See ``ColumnTerm/textOrBlob``.
    var textOrBlob: SQLFragment?
    /// The string, if the operand is a constant.
    var constant: String?

    var orEmpty: SQLFragment { isNullable ? "COALESCE(\(sql), '')" : sql }
}
