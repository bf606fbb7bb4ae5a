import FieldValues

/// The row and header heights that a delegate returns, clamped to the limits of the grid. A height is `nil` if the delegate returns no
/// height.
struct DelegatedHeights {
    private let source: any RowHeightSource
    private let limits: ClosedRange<Int>

    /// Creates the heights. Returns `nil` if the grid does not request heights from a delegate.
    init?(_ state: GridState) {
        guard state.metrics.hasDelegatedRowHeights, let source = state.rowHeightSource else { return nil }
        self.source = source
        limits = state.metrics.rowHeightLimits
    }

    func height(ofRow row: RowID) -> Int? { source.height(ofRow: row)?.clamped(to: limits) }
    func height(ofCard row: RowID) -> Int? { source.height(ofCard: row)?.clamped(to: limits) }
    func height(ofSection section: Int) -> Int? { source.height(ofSection: section)?.clamped(to: limits) }
}

extension GridMetrics {
    /// The limits, in lines, of heights that are computed or come from a delegate.
    fileprivate var rowHeightLimits: ClosedRange<Int> {
        let minimum = max(1, minimumRowHeight)
        return minimum...max(minimum, maximumRowHeight)
    }
}

/// The heights of rows that a delegate returns or that wrapped text needs. They depend only on the state of the grid.
struct AutomaticHeights {
    /// The values on which text wrapping depends. If one of them changes, cached heights are invalid.
    struct Wrapping: Equatable {
        var columns: [WrapColumn]
        var limit: Int
    }

    let wrapping: Wrapping
    private let source: any RowHeightSource
    private let limits: ClosedRange<Int>
    private let delegated: DelegatedHeights?
    private let isAutomatic: Bool

    var isDelegated: Bool { delegated != nil }

    /// Creates the heights. Returns `nil` if heights neither depend on wrapped text nor come from a delegate.
    /// - Parameter frameHeight: the number of lines below the header.
    init?(_ state: GridState, frameHeight: Int) {
        delegated = DelegatedHeights(state)
        isAutomatic = state.metrics.hasAutomaticRowHeights
        guard delegated != nil || isAutomatic, let source = state.rowHeightSource else { return nil }
        self.source = source
        limits = state.metrics.rowHeightLimits
        wrapping = Wrapping(
            columns: !isAutomatic
                ? []
                : GridLayout.spans(state, ColumnGeometry(state)).filter { state.wraps($0) }.map {
                    let column = state.columns[$0.index]
                    let mark = column.widthForChangeMark(column.effectiveAlignment, in: $0.fullWidth)
                    return WrapColumn(id: $0.id, width: $0.fullWidth - mark)
                },
            limit: max(limits.lowerBound, min(limits.upperBound, frameHeight / 2)))
    }

    /// The height of a row in lines, within the limits of the grid. `nil` if the delegate returns no height, and heights do not depend on
    /// text.
    func height(of row: RowID) -> Int? {
        if let height = delegated?.height(ofRow: row) { return height }
        return isAutomatic ? source.lines(ofRow: row, wrapping: wrapping.columns, limit: wrapping.limit).clamped(to: limits) : nil
    }

    /// The height of a section header in lines, within the limits of the grid; `nil` if the delegate returns no height.
    func height(ofSection section: Int) -> Int? { delegated?.height(ofSection: section) }
}

extension GridState {
    /// True if text of this column wraps in rows of several lines. Only left-aligned text wraps, because users would misread a broken
    /// number or date.
    public func wraps(_ span: ColumnSpan) -> Bool {
        let column = columns[span.index]
        return column.kind == .text && column.effectiveAlignment == .leading && span.clippedLeading == 0
    }
}
