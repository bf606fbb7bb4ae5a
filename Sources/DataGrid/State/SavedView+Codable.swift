extension SavedView {
    private enum Key: String, CodingKey {
        case columns, frozen, sort, movedRows, filters, collapsed, selection, selectionMode, scroll, cursor
        case metrics, presentation, rowHeights, marks, theme, grouping, rowOrder
    }

    /// Reads a view. What is missing, or was written in a way that is not known here, is as in a view of which nothing was made: views of
    /// other versions are read as far as they go.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func read<Value: Decodable>(_ key: Key, _ missing: Value) -> Value {
            (try? values.decodeIfPresent(Value.self, forKey: key)) ?? missing
        }
        columns = read(.columns, [])
        frozen = read(.frozen, FrozenPanes())
        sort = read(.sort, [])
        movedRows = read(.movedRows, [])
        filters = read(.filters, [])
        collapsed = read(.collapsed, [])
        selection = read(.selection, .empty)
        selectionMode = read(.selectionMode, .cells)
        scroll = read(.scroll, GridScroll())
        cursor = read(.cursor, GridCursor())
        metrics = read(.metrics, nil)
        presentation = read(.presentation, nil)
        rowHeights = read(.rowHeights, [])
        marks = read(.marks, [])
        theme = read(.theme, nil)
        grouping = read(.grouping, [])
        rowOrder = read(.rowOrder, nil)
    }
}
