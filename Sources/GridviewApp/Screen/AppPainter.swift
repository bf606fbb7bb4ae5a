import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

/// Draws the screen from the state and the data source. Changes neither of them.
@MainActor
struct AppPainter {
    let state: AppState
    let source: (any GridDataSource)?
    let rowView: RowViewText?
    let layout: AppLayout
    let theme: Theme

    init(_ state: AppState, source: (any GridDataSource)?, rowView: RowViewText? = nil) {
        self.state = state
        self.source = source
        self.rowView = rowView
        layout = AppLayout(state)
        theme = state.grid.theme
    }

    /// Draws everything except the grid: the lines around it and the panels over it.
    /// - Returns: The position of the text cursor, if text is being typed; otherwise `nil`.
    func paint(on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        if let y = layout.tabsY { paintTabs(y, on: &buffer) }
        if let y = layout.titleY { paintTitle(y, on: &buffer) }
        if let y = layout.valueY { paintValue(y, on: &buffer) }
        if let y = layout.hintY {
            // Clear the hint line first, because it may cover the value line or a line of the grid.
            buffer.fill(TerminalRect(x: 0, y: y, width: state.size.columns, height: 1), style: theme.row.textStyle)
            if state.overlay.map({ $0.frame(in: state) != nil }) ?? true { paintHints(y, on: &buffer) }
        }
        return state.overlay?.paint(with: self, on: &buffer)
    }

    @discardableResult
    func write(_ text: String, x: Int, y: Int, width: Int, style: CellStyle, on buffer: inout CellBuffer) -> Int {
        guard width > 0, y >= 0, y < state.size.rows else { return 0 }
        let style = theme.row.applying(style)
        return buffer.write(
            text, x: x, y: y, width: min(width, state.size.columns - x), style: style.textStyle,
            replacementStyle: style.applying(theme.mark).textStyle, ellipsis: true)
    }

    // MARK: The title

    /// The minimum width, in terminal cells, of a chip that is shown beside other chips.
    private static let minimumChipWidth = 8
    /// The minimum width, in terminal cells, of a chip that is shown alone beside the number of the other chips.
    private static let minimumSingleChipWidth = 5

    /// The widths with which all chips fit into `room` terminal cells together, each followed by a gap. The longest chips are shortened.
    /// `nil` if the chips do not fit even at their minimum widths.
    private func chipWidths(_ chips: [String], room: Int, minimum: Int = Self.minimumChipWidth) -> [Int]? {
        var widths = chips.map { DisplayWidth.of($0) }
        guard widths.reduce(0, { $0 + min($1, minimum) + 1 }) <= room else { return nil }
        var excess = widths.reduce(0) { $0 + $1 + 1 } - room
        while excess > 0 {
            guard let longest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[longest] > minimum else { return nil }
            widths[longest] -= 1
            excess -= 1
        }
        return widths
    }

    /// A colored text in the title line for one setting of the view, such as a filter.
    private struct Chip {
        var text: String
        /// The index of the chip's filter, counting all filters; `nil` if the chip is not for a filter.
        var filter: Int?
        var isOff = false
    }

    private func paintTitle(_ y: Int, on buffer: inout CellBuffer) {
        layOutTitle { text, x, width, style in write(text, x: x, y: y, width: width, style: style, on: &buffer) }
    }

    /// A part of the title line that reacts to a click.
    enum TitleTarget {
        /// The chip of one filter. The number is its index, counting all filters.
        case filter(Int)
        /// The number of all filters, or of the filters without a chip. A click lists all filters.
        case allFilters
    }

    /// The part of the title line at column `x` that reacts to a click; `nil` for none.
    func titleTarget(atX x: Int) -> TitleTarget? {
        layOutTitle { text, x, width, _ in max(0, min(DisplayWidth.of(text), width, state.size.columns - x)) }
            .first { $0.cells.contains(x) }?.target
    }

    /// Arranges the title line. It has the file, its size and its changes at the left, then chips for the state of the view, and the
    /// running job at the right.
    /// - Parameter write: writes text at a cell, with a maximum width and a style, and returns its width.
    /// - Returns: The parts that react to a click, with their columns on the screen.
    @discardableResult
    private func layOutTitle(_ write: (String, Int, Int, CellStyle) -> Int) -> [(target: TitleTarget, cells: Range<Int>)] {
        let width = state.size.columns
        var right = width
        if let job = state.jobs.last(where: \.isShown) {
            let text = ProgressText(job, reloadKey: state.key(.reload)).text(width: width / 2)
            let textWidth = min(DisplayWidth.of(text), width / 2)
            right = width - textWidth - 1
            _ = write(text, right, textWidth, theme.progress)
        }
        var x = 1
        // Reserve room for the short form of the mark that the file has changed.
        let mark = state.changeMark
        let reserved = mark.map { DisplayWidth.of($0.short) + 4 } ?? 0
        // Reserve room also for one filter, and for the number of chips that do not fit.
        let size = sizeText
        var all = self.chips
        var chips = all.map { " \($0.text) " }
        let filterCount = all.count { $0.filter != nil }
        let reservedChips = filterCount > 0 ? Self.minimumChipWidth + (all.count > 1 ? 5 : 2) : all.isEmpty ? 0 : 4
        x += write(state.document.name, x, max(1, right - x - 1 - reserved - reservedChips), theme.title) + 2
        let markWidth = mark.map { DisplayWidth.of($0.short) + 3 } ?? 0
        // Chips, such as active filters, are more important than the size of the file. But they are shortened before the size is left out.
        let afterSize = x + DisplayWidth.of(size) + 2
        let isAlone = chips.isEmpty && mark == nil
        if isAlone || afterSize + markWidth <= right && chipWidths(chips, room: right - afterSize - markWidth) != nil {
            x += write(size, x, right - x - 1, theme.titleDetail) + 2
        }
        if let mark {
            let long = x + DisplayWidth.of(mark.long) + 3
            let text = long < right && chipWidths(chips, room: right - long) != nil ? mark.long : mark.short
            let style = state.sheet.fileChange.losesRows ? theme.error : theme.chip
            x += write(" \(text) ", x, right - x - 1, style) + 1
        }
        var widths = chipWidths(chips, room: right - x)
        if widths == nil {
            all = all.filter { $0.filter != nil } + all.filter { $0.filter == nil }
            chips = all.map { " \($0.text) " }
        }
        var shown = chips.count
        while widths == nil, shown > 0 {
            shown -= 1
            let countWidth = DisplayWidth.of("+\(chips.count - shown)") + 1
            widths = chipWidths(
                Array(chips.prefix(shown)), room: right - x - countWidth,
                minimum: shown == 1 ? Self.minimumSingleChipWidth : Self.minimumChipWidth)
        }
        var targets: [(target: TitleTarget, cells: Range<Int>)] = []
        for (n, width) in (widths ?? []).enumerated() {
            let used = write(chips[n], x, width, all[n].isOff ? theme.titleDetail : theme.chip)
            if let filter = all[n].filter { targets.append((.filter(filter), x..<x + used)) }
            x += used + 1
        }
        if filterCount > 0, shown == 0, right - x > 3 {
            // If no filter has room for a chip, show the number of filters.
            let text = "▽ \(filterCount)"
            let used = write(right - x > DisplayWidth.of(text) + 2 ? " \(text) " : text, x, right - x - 1, theme.chip)
            targets.append((.allFilters, x..<x + used))
            x += used + 1
            shown = filterCount
        }
        let count = "+\(all.count - shown)"
        if shown < all.count, DisplayWidth.of(count) < right - x {
            let used = write(count, x, right - x - 1, theme.titleDetail)
            if shown < filterCount { targets.append((.allFilters, x..<x + used)) }
            x += used + 1
        }
        if let note = titleNotes.first(where: { DisplayWidth.of($0) < right - x - 2 }) {
            _ = write(note, x + 1, right - x - 2, theme.titleDetail)
        }
        return targets
    }

    /// The problems of the file and of the shown rows, in long and short forms for the title line. The page with details of the file lists
    /// all problems.
    private var titleNotes: [String] {
        let all = state.problems
        guard let first = all.first else { return [] }
        let count = all.count == 1 ? "1 problem" : "\(all.count) problems"
        let key = state.key(.about)
        // Offer the first sentence alone, because the advice after it may be too long for the line.
        let sentence = first.firstRange(of: ". ").map { ["! \(first[..<$0.lowerBound])."] } ?? []
        return ["! \(first)\(all.count == 1 ? "" : " · \(count): \(key)")"] + sentence + ["! \(count): \(key)", "! \(count)"]
    }

    private var sizeText: String {
        if state.document.isAwaited { return "" }
        let columns = ValueText.count(state.grid.columns.all.count - state.collapsedColumnCount)
        let count = rowCount(
            state.document.recordCount, estimate: state.document.currentEstimate, isExact: state.document.isComplete)
        return "\(count) × \(columns)"
    }

    /// The number of rows: the exact count or an estimate. An ellipsis if neither is known.
    private func rowCount(_ count: Int, estimate: Int?, isExact: Bool) -> String {
        estimate.map { "≈ \(ValueText.count($0))" } ?? (isExact ? ValueText.count(count) : "…")
    }

    private var chips: [Chip] {
        let grid = state.grid
        func title(_ id: ColumnID) -> String { grid.columns[id]?.title ?? "?" }
        // Chips are shortened later, if they do not fit.
        var chips = (state.sheet.isFollowing ? ["follow"] : state.sheet.reloadsChanges ? ["auto reload"] : []).map { Chip(text: $0) }
        func add(_ text: String) { chips.append(Chip(text: text)) }
        if let label = state.document.rowsLabel { add(label) }
        if let time = state.sheet.oldRowsTime { add("rows as of \(time)") }
        for (index, shown) in state.query.requested.allFilters.enumerated() {
            let text = Message.name(shown.filter.text, width: state.size.columns)
            chips.append(Chip(text: shown.isOn ? "▽ \(text)" : "off: \(text)", filter: index, isOff: !shown.isOn))
        }
        if !state.query.requested.groups.isEmpty {
            let levels = state.query.requested.groups.map { id in
                let level = title(id) + (state.query.requested.groupIntervals[id].map { ":" + $0.text } ?? "")
                guard let order = state.query.requested.sectionOrders[id] else { return level }
                let name = state.name(of: order.criterion)
                return "\(level) \(order.isDescending ? "▼" : "▲")\(name.isEmpty ? "" : " " + name)"
            }
            add("▤ " + levels.joined(separator: " › "))
        }
        if !state.query.requested.sort.isEmpty {
            // Hollow arrows show that the sort is not done yet, as in the header.
            let arrows = grid.pendingSort.isEmpty ? ("▲", "▼") : ("△", "▽")
            add(
                "⇅ "
                    + state.query.requested.sort.map { "\(title($0.column)) \($0.isDescending ? arrows.1 : arrows.0)" }.joined(
                        separator: " ")
            )
        }
        if grid.rows.isMoved { add("rows moved") }
        let hidden = grid.columns.all.count - grid.columns.count - state.collapsedColumnCount
        if let key = state.countAdvice {
            add("not counted: \(key) counts")
        } else if state.isUncounted {
            if !state.isRecounting { add("not counted") }
        } else if state.document.reading.isStopped {
            add(state.document.needsReload ? "not counted" : "partly read: \(state.key(.reload)) continues")
        }
        if hidden > 0 { add("\(hidden) hidden") }
        return chips
    }

    // MARK: Value line

    /// Draws the value line: the whole value of the current cell, and the position of the cursor. If cards do not show the column of a
    /// match, the value of this column is shown instead.
    private func paintValue(_ y: Int, on buffer: inout CellBuffer) {
        let width = state.size.columns
        let position = positionText
        let positionWidth = min(DisplayWidth.of(position), width)
        write(position, x: width - positionWidth - 1, y: y, width: positionWidth, style: theme.row, on: &buffer)
        let matchColumn = state.matchColumnNotOnCards
        guard let column = matchColumn.map({ state.grid.columns[$0] }) ?? state.grid.currentColumn else { return }
        var x = 1
        if let group = groupLine {
            x += write(group.title, x: x, y: y, width: group.titleWidth, style: theme.titleDetail, on: &buffer) + 2
            write(group.text, x: x, y: y, width: groupTextEnd - x, style: theme.row, on: &buffer)
            return
        }
        let room = width - positionWidth - 4
        let content = state.grid.currentRow.flatMap { source?.content(row: $0, column: column.id) }
        let value = content.flatMap { $0.condition == .missing ? nil : $0.text } ?? ""
        let note = content?.condition == .unreadable ? Self.unparsedNote(column.kind) : content?.condition == .null ? "null" : ""
        // A long column title can use the room that a short value leaves.
        let titleRoom = max(Self.minimumTitleWidth, room - x - 2 - DisplayWidth.of(value, limit: max(1, room)) - DisplayWidth.of(note))
        let title = matchColumn == nil ? column.title : "match in " + column.title
        x += write(title, x: x, y: y, width: min(room, titleRoom), style: theme.titleDetail, on: &buffer) + 2
        x += write(visiblePart(of: value, in: column.id, width: room - x), x: x, y: y, width: room - x, style: theme.row, on: &buffer)
        if x + DisplayWidth.of(note) <= room { write(note, x: x, y: y, width: room - x, style: theme.titleDetail, on: &buffer) }
    }

    /// The part of a value that the value line shows: its start or, if the first match of the search does not fit, a part with the match.
    private func visiblePart(of value: String, in column: ColumnID, width: Int) -> String {
        // On a narrow screen, the position of the cursor leaves no room for the value.
        guard width > 0, DisplayWidth.of(value, limit: width + 1) > width, let match = state.matches?(value, column).first,
            DisplayWidth.of(String(value[..<match.upperBound]), limit: width) >= width
        else { return value }
        guard let start = value.index(match.lowerBound, offsetBy: -width / 3, limitedBy: value.startIndex) else { return value }
        return "…" + value[start...]
    }

    /// The note after a value that cannot be read as the type of its column.
    private static func unparsedNote(_ kind: ValueKind) -> String {
        switch kind {
        case .text: ""
        case .integer, .decimal: "  text, not a number"
        case .date, .dateTime: "  text, not a date"
        case .time: "  text, not a time"
        case .flag: "  text, not true or false"
        }
    }

    /// The width that is reserved for the column title in the value line, in terminal cells.
    private static let minimumTitleWidth = 32

    /// The screen column at which text about a group must end in the value line, two cells before the position of the cursor.
    private var groupTextEnd: Int { state.size.columns - min(DisplayWidth.of(positionText), state.size.columns) - 3 }

    /// The value line for a group: the title of its column, then its values and as many of its aggregates as fit; `nil` if the cursor is on
    /// a row.
    ///
    /// The aggregates of the current column come first. An ellipsis replaces the aggregates that do not fit.
    var groupLine: (title: String, titleWidth: Int, text: String, isComplete: Bool)? {
        guard case .header(let section) = state.grid.cursor.item, let tree = state.grid.outline.tree else { return nil }
        let level = tree.level(of: section)
        let title = level < tree.columns.count ? state.grid.columns[tree.columns[level]]?.title ?? "" : ""
        let titleWidth = max(0, min(groupTextEnd - 1, Self.minimumTitleWidth))
        let width = groupTextEnd - 1 - DisplayWidth.of(title, limit: titleWidth) - 2
        let current = state.grid.currentColumn?.id
        let all = state.aggregates(of: section, tree)
        let ordered = all.filter { $0.column.id == current } + all.filter { $0.column.id != current }
        var text = tree.path(of: section).joined(separator: " › ")
        for (n, aggregate) in ordered.enumerated() {
            // Write the name of a column only before the first of its aggregates, as the header of the group does.
            let isFirst = n == 0 || ordered[n - 1].column.id != aggregate.column.id
            let longer = text + (isFirst ? "  \(aggregate.column.title) " : "  ") + aggregate.text
            let mark = n + 1 < ordered.count ? 2 : 0
            guard DisplayWidth.of(longer, limit: max(0, width) + 1) + mark <= width else { return (title, titleWidth, text + " …", false) }
            text = longer
        }
        return (title, titleWidth, text, true)
    }

    /// The position of the cursor, and before it the number of selected rows or cells.
    private var positionText: String {
        let grid = state.grid
        var parts: [String] = []
        if !grid.selection.isEmpty { parts.append(selectionText) }
        switch grid.cursor.item {
        case .header(let section):
            if let tree = grid.outline.tree {
                parts.append("group \(ValueText.count(section + 1)) / \(ValueText.count(tree.sections.count))")
            }
        case .row(let position):
            guard grid.rows.count > 0 else { break }
            let row = grid.rows[position]
            if row.isCountedFromEnd {
                parts.append(row.rawValue == -1 ? "last row" : "\(ValueText.count(-row.rawValue)) from the end")
            } else {
                let count = rowCount(grid.rows.count, estimate: state.estimatedRowCount, isExact: state.isRowCountExact)
                let sign = state.sheet.sampledRows?.contains(position) == true ? "≈ " : ""
                parts.append("\(sign)\(ValueText.count(position + 1)) / \(count)")
            }
        }
        return parts.count == 1 ? parts[0] : parts.joined(separator: "   ")
    }

    /// The number of selected rows and, unless whole rows are selected, of selected cells. For one block of cells, its height and width
    /// instead.
    private var selectionText: String {
        let (grid, ids) = (state.grid, state.grid.columns.visible.map(\.id))
        let (rows, cells) = grid.selection.counts(rowCount: grid.rows.count, columns: ids)
        if grid.selection.blocks.count == 1, !grid.selection.isInverted, grid.selection.blocks[0].columns != nil {
            return "\(ValueText.count(rows)) × \(ValueText.count(rows == 0 ? 0 : cells / rows)) selected"
        }
        let areWholeRows = cells == rows * ids.count
        return "\(Message.rows(rows))\(areWholeRows ? "" : ", \(ValueText.count(cells)) \(cells == 1 ? "cell" : "cells")") selected"
    }
}

extension AppState {
    /// The text in the empty grid, which says why there are no rows.
    var emptyText: String {
        switch document.reading {
        case .failed(let reason): reason
        case .awaited: document.activity.prefix(1).uppercased() + document.activity.dropFirst() + " …"
        case _ where !query.shown.filters.isEmpty: filterMessage(query.shown).text
        case .running, .stopped: "Reading…"
        case .complete: document.byteCount == 0 ? "The file is empty." : "No rows."
        }
    }
}
