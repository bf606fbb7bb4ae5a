public import DataGrid
public import Tables

/// Columns of the screen refer to fields of a table. Several columns may show one field.
extension ColumnID {
    /// Fields have smaller numbers.
    private static let fieldBits = 40

    /// A column that shows a field.
    /// - Parameters:
    ///   - field: the field.
    ///   - copy: tells columns of one field apart; 0 is the first.
    public init(_ field: FieldID, copy: Int = 0) { self.init(copy << Self.fieldBits | field.rawValue) }

    /// The field that the column shows.
    public var field: FieldID { FieldID(rawValue: rawValue & (1 << Self.fieldBits - 1)) }

    /// Tells columns of one field apart; 0 is the first.
    public var copy: Int { rawValue >> Self.fieldBits }
}

extension Column {
    /// The field that the column shows.
    public var field: FieldID { id.field }
}
