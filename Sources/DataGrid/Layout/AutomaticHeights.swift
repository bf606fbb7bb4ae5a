import FieldValues

/// What the heights of rows depend on when they are found from content: a pure function of the state.
struct AutomaticHeights {
    /// What makes rows be wrapped anew when it changes.
    struct Wrapping: Equatable {
        var columns: [WrapColumn]
        var limit: Int
    }

    let wrapping: Wrapping
    private let source: any RowHeightSource
    private let range: ClosedRange<Int>

    /// `nil` when heights are not automatic.
    /// - Parameter frame: lines below the header.
    init?(_ state: GridState, frame: Int) {
        guard state.metrics.hasAutomaticRowHeights, let source = state.rowHeightSource else { return nil }
        self.source = source
        let least = max(1, state.metrics.minimumRowHeight)
        range = least...max(least, state.metrics.maximumRowHeight)
        wrapping = Wrapping(
            columns: GridLayout.spans(state, ColumnGeometry(state)).filter { state.wraps($0) }.map {
                WrapColumn(id: $0.id, width: $0.fullWidth)
            },
            limit: max(least, min(range.upperBound, frame / 2)))
    }

    func height(of row: RowID) -> Int {
        source.lines(ofRow: row, wrapping: wrapping.columns, limit: wrapping.limit).clamped(to: range)
    }
}

extension GridState {
    /// Whether the cells of a column in sight are broken into lines where a row has several. Only prose is: half a number or half a date
    /// is another one.
    public func wraps(_ span: ColumnSpan) -> Bool {
        let column = columns[span.index]
        return column.kind == .text && column.effectiveAlignment == .leading && span.clippedLeading == 0
    }
}
