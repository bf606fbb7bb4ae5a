import FieldValues

extension SavedView {
    private enum Key: String, CodingKey {
        case columns, frozen, sort, movedRows, filters, collapsed, selection, selectionMode, scroll, cursor
        case metrics, presentation, rowHeights, marks, theme, grouping, rowOrder
    }

    /// Reads a view. What is missing is as in a view of which nothing was made, and keys that are unknown here are passed over: views of other
    /// versions are read as far as they go.
    /// - Throws: `DecodingError` for a value of another kind or out of its limits; its message begins with the value's place, as in
    ///   `columns[3].width.fixed: 9223372036854775807 is out of range 0...10000`.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(try decoder.container(keyedBy: Key.self))
        } catch let error as DecodingError {
            throw error.naming
        }
    }

    private init(_ values: KeyedDecodingContainer<Key>) throws {
        func read<Value: Decodable>(_ key: Key, _ missing: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? missing
        }
        func runs(_ key: Key) throws -> [Range<Int>] {
            let runs: [DecodedRows] = try values.decodeElements(key, upTo: DecodingLimits.runs)
            return runs.map(\.range)
        }
        columns = try values.decodeElements(.columns)
        frozen = try read(.frozen, FrozenPanes())
        sort = try values.decodeElements(.sort)
        movedRows = try runs(.movedRows)
        filters = try values.decodeElements(.filters)
        collapsed = try values.decodeElements(.collapsed)
        selection = try read(.selection, .empty)
        selectionMode = try read(.selectionMode, .cells)
        scroll = try read(.scroll, GridScroll())
        cursor = try read(.cursor, GridCursor())
        metrics = try read(.metrics, nil)
        presentation = try read(.presentation, nil)
        rowHeights = try values.decodeElements(.rowHeights)
        marks = try values.decodeElements(.marks)
        theme = try read(.theme, nil)
        grouping = try values.decodeElements(.grouping)
        rowOrder = try values.contains(.rowOrder) && !values.decodeNil(forKey: .rowOrder) ? runs(.rowOrder) : nil
    }
}

extension SavedView.SavedColumn {
    private enum Key: String, CodingKey { case valueKey, title, width, measuredWidth, isHidden, kind, format }

    /// Reads what is kept of a column.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        valueKey = try values.decode(String.self, forKey: .valueKey)
        title = try values.decode(String.self, forKey: .title)
        width = try values.decode(WidthRule.self, forKey: .width)
        measuredWidth = try values.decodeIfPresent(.measuredWidth, within: DecodingLimits.cells)
        isHidden = try values.decode(Bool.self, forKey: .isHidden)
        kind = try values.decodeIfPresent(ValueKind.self, forKey: .kind)
        format = try values.decodeIfPresent(ValueFormat.self, forKey: .format)
    }
}

extension SavedView.SavedRowHeight {
    private enum Key: String, CodingKey { case row, lines }

    /// Reads the height of one row.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        row = try values.decode(RowID.self, forKey: .row)
        lines = try values.decode(.lines, within: DecodingLimits.cells)
    }
}
