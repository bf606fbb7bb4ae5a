public import DataGrid
public import Tables

/// The field that a grid column shows. Several columns can show the same field.
extension ColumnID {
    /// The number of low bits that hold the field number. Every field number fits in them.
    private static let fieldBits = 40

    /// Creates the ID of a column that shows a field.
    /// - Parameters:
    ///   - field: the field.
    ///   - copy: the index among the columns of the same field, from 0.
    public init(_ field: FieldID, copy: Int = 0) { self.init(copy << Self.fieldBits | field.rawValue) }

    /// The field that the column shows.
    public var field: FieldID { FieldID(rawValue: rawValue & (1 << Self.fieldBits - 1)) }

    /// The index among the columns of the same field, from 0.
    public var copy: Int { rawValue >> Self.fieldBits }
}

extension Column {
    /// The field that the column shows.
    public var field: FieldID { id.field }
}
