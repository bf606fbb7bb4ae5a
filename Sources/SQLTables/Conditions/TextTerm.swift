import FieldValues
import Tables

/// A text operand. NULL is treated as an empty string.
struct TextTerm {
    var sql: SQLFragment
    var isNullable: Bool
    var collation = ServerColumn.Collation.bytes
    var isNumberOrDate = false
    /// The string, if the operand is a constant.
    var constant: String?

    var orEmpty: SQLFragment { isNullable ? "COALESCE(\(sql), '')" : sql }
}
