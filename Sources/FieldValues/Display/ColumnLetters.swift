/// The names of columns in spreadsheets.
package enum ColumnLetters {
    /// The letters of a column: A, B, …, Z, AA, AB, …, for index 0, 1, and so on.
    package static func text(_ column: Int) -> String {
        var text = ""
        var rest = column + 1
        while rest > 0 {
            rest -= 1
            text = String(UnicodeScalar(UInt8(65 + rest % 26))) + text
            rest /= 26
        }
        return text
    }
}
