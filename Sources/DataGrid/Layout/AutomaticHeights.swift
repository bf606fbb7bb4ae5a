import FieldValues

/// What the heights of rows depend on when they are delegated or found from content: a pure function of the state.
struct AutomaticHeights {
    /// What makes rows be wrapped anew when it changes.
    struct Wrapping: Equatable {
        var columns: [WrapColumn]
        var limit: Int
    }

    let wrapping: Wrapping
    private let source: any RowHeightSource
    private let range: ClosedRange<Int>
    let isDelegated: Bool
    private let isAutomatic: Bool

    /// `nil` when heights are neither automatic nor delegated.
    /// - Parameter frame: lines below the header.
    init?(_ state: GridState, frame: Int) {
        isDelegated = state.metrics.hasDelegatedRowHeights
        isAutomatic = state.metrics.hasAutomaticRowHeights
        guard isDelegated || isAutomatic, let source = state.rowHeightSource else { return nil }
        self.source = source
        let least = max(1, state.metrics.minimumRowHeight)
        range = least...max(least, state.metrics.maximumRowHeight)
        wrapping = Wrapping(
            columns: !isAutomatic
                ? []
                : GridLayout.spans(state, ColumnGeometry(state)).filter { state.wraps($0) }.map {
                    WrapColumn(id: $0.id, width: $0.fullWidth)
                },
            limit: max(least, min(range.upperBound, frame / 2)))
    }

    /// The lines of a row, within the limits; `nil` when the delegate is silent and content does not count.
    func height(of row: RowID) -> Int? {
        let said = isDelegated ? source.height(ofRow: row) : nil
        let lines = said ?? (isAutomatic ? source.lines(ofRow: row, wrapping: wrapping.columns, limit: wrapping.limit) : nil)
        return lines?.clamped(to: range)
    }

    /// The lines of a section's header, within the limits; `nil` when the delegate is silent.
    func height(ofSection section: Int) -> Int? { isDelegated ? source.height(ofSection: section)?.clamped(to: range) : nil }
}

extension GridState {
    /// Whether the cells of a column in sight are broken into lines where a row has several. Only prose is: half a number or half a date
    /// is another one.
    public func wraps(_ span: ColumnSpan) -> Bool {
        let column = columns[span.index]
        return column.kind == .text && column.effectiveAlignment == .leading && span.clippedLeading == 0
    }
}
