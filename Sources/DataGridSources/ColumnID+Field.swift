public import DataGrid
public import Tables

/// The field that a grid column shows. Several columns can show the same field.
extension ColumnID {
    /// The number of low bits of an ID that hold the field number. The bits above them tell columns of one field apart.
    private static let fieldBits = 40

    /// Creates the ID of a column that shows a field.
    /// - Parameters:
    ///   - field: the field.
    ///   - copy: 0 for the first column that shows the field, 1 for the second, and so on.
    public init(_ field: FieldID, copy: Int = 0) { self.init(copy << Self.fieldBits | field.rawValue) }

    /// The field that the column shows.
    public var field: FieldID { FieldID(rawValue: rawValue & (1 << Self.fieldBits - 1)) }

    /// 0 for the first column that shows the field, 1 for the second, and so on.
    public var copy: Int { rawValue >> Self.fieldBits }
}

extension Column {
    /// The field that the column shows.
    public var field: FieldID { id.field }
}
