import FieldValues

/// The inputs of delegated and automatic row heights: a pure function of the state.
struct AutomaticHeights {
    /// The inputs of text wrapping; a change invalidates cached heights.
    struct Wrapping: Equatable {
        var columns: [WrapColumn]
        var limit: Int
    }

    let wrapping: Wrapping
    private let source: any RowHeightSource
    private let range: ClosedRange<Int>
    let isDelegated: Bool
    private let isAutomatic: Bool

    /// Returns `nil` if heights are neither automatic nor delegated.
    /// - Parameter frame: the number of lines below the header.
    init?(_ state: GridState, frame: Int) {
        isDelegated = state.metrics.hasDelegatedRowHeights
        isAutomatic = state.metrics.hasAutomaticRowHeights
        guard isDelegated || isAutomatic, let source = state.rowHeightSource else { return nil }
        self.source = source
        let minimum = max(1, state.metrics.minimumRowHeight)
        range = minimum...max(minimum, state.metrics.maximumRowHeight)
        wrapping = Wrapping(
            columns: !isAutomatic
                ? []
                : GridLayout.spans(state, ColumnGeometry(state)).filter { state.wraps($0) }.map {
                    let column = state.columns[$0.index]
                    let mark = column.changeMarkRoom(column.effectiveAlignment, in: $0.fullWidth)
                    return WrapColumn(id: $0.id, width: $0.fullWidth - mark)
                },
            limit: max(minimum, min(range.upperBound, frame / 2)))
    }

    /// The height of a row in lines, within the limits; `nil` if the delegate returns none and heights are not automatic.
    func height(of row: RowID) -> Int? {
        let delegated = isDelegated ? source.height(ofRow: row) : nil
        let lines = delegated ?? (isAutomatic ? source.lines(ofRow: row, wrapping: wrapping.columns, limit: wrapping.limit) : nil)
        return lines?.clamped(to: range)
    }

    /// The height of a section header in lines, within the limits; `nil` if the delegate returns none.
    func height(ofSection section: Int) -> Int? { isDelegated ? source.height(ofSection: section)?.clamped(to: range) : nil }
}

extension GridState {
    /// True if text in a visible column wraps in rows of several lines. Only leading-aligned text wraps: part of a number or a date would
    /// be misread.
    public func wraps(_ span: ColumnSpan) -> Bool {
        let column = columns[span.index]
        return column.kind == .text && column.effectiveAlignment == .leading && span.clippedLeading == 0
    }
}
