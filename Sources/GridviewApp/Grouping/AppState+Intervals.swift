import DataGrid
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables

extension AppState {
    /// Lists the intervals by which a column can be grouped: periods for dates, widths of ranges for numbers. For numbers, a job finds the
    /// smallest and the largest one. Then ``showIntervals(of:minimum:maximum:isSample:)`` lists widths that fit this range.
    mutating func openIntervals(of column: Column) -> [AppEffect] {
        guard column.kind != .text, column.kind != .flag else { return show(.noIntervals(of: Message.name(column.title, width: 12))) }
        guard column.kind.isNumber else {
            // Dates without a time have no hours.
            let periods = GroupInterval.Period.allCases.filter { column.kind != .date || $0 != .hour }
                .map { GroupInterval.period($0) }.filter { $0.applies(to: column.kind) }
            return open(intervalPanel(of: column, periods, title: "Group by period") { Self.example(of: $0, column) })
        }
        let texts =
            column.notation.unit.isSize ? ["1K", "1M", "1G"] : ["1", "2", "5", "10", "20", "50", "100", "1000", "10000"]
        let widths = texts.compactMap { Self.interval($0, of: column) }
        return open(intervalPanel(of: column, widths, title: Self.rangeTitle) { Self.example(of: $0, column) }) + [.findRange(column.id)]
    }

    /// Replaces the widths in the open list by widths that fit the numbers of a column, each with its number of ranges. Selects the best
    /// width, unless the rows are already grouped by a width.
    ///
    /// Does nothing if the user has already typed text or selected another row.
    mutating func showIntervals(of id: ColumnID, minimum: Double, maximum: Double, isSample: Bool) {
        guard let panel = overlay as? ListPanel, panel.purpose == .groupIntervals, panel.column == id, panel.field.text.isEmpty,
            panel.selected == shownRow(of: panel), let column = grid.columns[id],
            let ranges = RangeWidths(
                minimum: minimum, maximum: maximum, areIntegers: column.kind == .integer, areByteSizes: column.notation.unit.isSize)
        else { return }
        var offered = intervalPanel(of: column, ranges.widths, title: Self.rangeTitle) { interval in
            let count = ranges.count(of: interval)
            return "\(isSample ? "about " : "")\(ValueText.count(count)) \(count == 1 ? "range" : "ranges")"
        }
        if shownInterval(of: column) == nil { offered.selected = ranges.recommendedIndex }
        overlay = offered
    }

    private static let rangeTitle = "Width (or type one)"

    private func intervalPanel(
        of column: Column, _ intervals: [GroupInterval], title: String, _ detail: (GroupInterval) -> String
    ) -> ListPanel {
        let shown = shownInterval(of: column)
        let rows = intervals.enumerated().map { index, interval in
            ListPanel.Row(text: Self.text(of: interval, column), detail: interval == shown ? "shown" : detail(interval), tag: index)
        }
        var panel = ListPanel(purpose: .groupIntervals, title: title, rows: rows, of: column.id)
        panel.selected = shownRow(of: panel)
        return panel
    }

    /// The interval by which the rows are now grouped in this column; `nil` for none.
    private func shownInterval(of column: Column) -> GroupInterval? {
        query.requested.groups.contains(column.id) ? query.requested.groupIntervals[column.id] : nil
    }

    private func shownRow(of panel: ListPanel) -> Int { panel.rows.firstIndex { $0.detail == "shown" } ?? 0 }

    /// The text of an interval in the list. Widths of ranges of sizes are sizes.
    private static func text(of interval: GroupInterval, _ column: Column) -> String {
        guard case .bins(let width) = interval, column.notation.unit.isSize else { return interval.text }
        return NumberText.exactSize(of: width, column.notation) ?? interval.text
    }

    /// The interval that is written as a text, such as `month` and `10`, or `1M` for a column of sizes; `nil` for other text.
    fileprivate static func interval(_ text: String, of column: Column) -> GroupInterval? {
        if let interval = GroupInterval(text: text) { return interval }
        guard column.kind.isNumber, column.notation.unit.isSize, let width = FieldBytes.withBytes(of: text, { $0.sizeInBytes }) else {
            return nil
        }
        return GroupInterval(text: width.text)
    }

    private static func example(of interval: GroupInterval, _ column: Column) -> String {
        switch interval {
        case .bins: "as in \(interval.title(ofKey: "0", in: column.notation, groupsThousands: column.format.groupsThousands))"
        case .period(.hour): ""
        case .period: "as in \(interval.title(ofKey: "2024-01-01"))"
        }
    }

    /// Groups the rows by ranges of the width that is typed in the list, such as 10. Returns `nil` if the text is not a width, or if a row
    /// other than the first is selected in the list.
    fileprivate mutating func group(byTypedText text: String) -> [AppEffect]? {
        guard let panel = overlay as? ListPanel, panel.selected == 0, let id = panel.column, let column = grid.columns[id],
            let interval = Self.interval(text, of: column), case .bins = interval, interval.applies(to: column.kind)
        else { return nil }
        overlay = nil
        return group(by: id, interval)
    }
}

extension ListPanel.Purpose {
    /// The list of intervals by which a column can be grouped.
    static let groupIntervals = Self("groupIntervals", hint: "group", accept: { $0.group(byTypedText: $1) }) { state, panel, row in
        guard let id = panel.column, let column = state.grid.columns[id], let interval = AppState.interval(row.text, of: column) else {
            return []
        }
        return state.group(by: id, interval)
    }
}
