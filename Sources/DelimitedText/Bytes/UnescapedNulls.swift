package import FieldValues

/// Finds nulls in the text that ``EscapeRewriter`` writes for an input without quotes.
///
/// A null is the escape character and `N`. A value that begins with the escape character has a second one before it.
package struct UnescapedNulls: Sendable {
    /// The letter after the escape character in a null.
    static let letter = UInt8(ascii: "N")
    @usableFromInline let escape: UInt8

    /// - Parameter escape: the escape character of the input.
    package init(escape: UInt8) { self.escape = escape }

    /// True if a field is a null, or a value that begins with an escape character. Its bytes then differ from the value.
    @inlinable package func changes(_ field: FieldBytes) -> Bool { field.count > 1 && field.start?.pointee == escape }

    /// The value of a field; missing if it is a null.
    package func value(of field: FieldBytes) -> FieldBytes {
        guard changes(field), let start = field.start else { return field }
        return isNull(field.bytes) ? .missing : FieldBytes(start: start + 1, count: field.count - 1)
    }

    /// The value of a field as text; `nil` if it is a null.
    package func value(of text: String) -> String? {
        guard text.utf8.count > 1, text.utf8.first == escape else { return text }
        return isNull(text.utf8) ? nil : String(text.unicodeScalars.dropFirst())
    }

    private func isNull(_ bytes: some Collection<UInt8>) -> Bool { bytes.count == 2 && bytes.dropFirst().first == Self.letter }
}
