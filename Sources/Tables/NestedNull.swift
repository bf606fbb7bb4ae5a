package import FieldValues

/// The text of a null in the additional JSON columns of a table, see ``Table/isJSON``: `null`, followed by one space for each level from
/// the value up to the object that is null.
package enum NestedNull {
    /// The text of a null without spaces.
    package static let word: StaticString = "null"
    /// The text of a null with the maximum number of spaces.
    private static let text: StaticString = "null   "

    /// The field for a null.
    /// - Parameter levels: the number of levels up to the object that is null; 0 if the value itself is null.
    package static func field(levels: Int) -> FieldBytes {
        FieldBytes(start: text.utf8Start, count: min(word.utf8CodeUnitCount + levels, text.utf8CodeUnitCount))
    }

    /// The number of levels of a null; `nil` if the field of an additional column is another value, or missing.
    package static func levels(of field: FieldBytes) -> Int? {
        field.bytes.first == UInt8(ascii: "n") ? field.count - word.utf8CodeUnitCount : nil
    }
}
