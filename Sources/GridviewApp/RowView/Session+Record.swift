import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

extension Session {
    /// The lines of the open row view; `nil` if the row view is not open.
    func rowViewText() -> RowViewText? {
        guard state.overlay is RowView, let row = state.grid.currentRow, let text = document.source.lazyRecord(of: row) else {
            return nil
        }
        let source = document.source
        return RowViewText(state.grid.columns.visible, of: text, width: PanelFrame(pageIn: state.size).rect.width) {
            source.recordingFailure($0)
        }
    }

    /// Scrolls the row view. If the current field is no longer visible, the nearest visible field becomes the current one.
    func scrollRecord(_ motion: RecordMotion) {
        guard let position = (state.overlay as? RowView)?.top, let view = rowViewText(), !view.columns.isEmpty else { return }
        let new = view.position(motion, from: position, height: pageHeight)
        let page = view.lines(from: new, count: pageHeight).map(\.position.column)
        let (first, last, current) = (page.first ?? 0, page.last ?? 0, state.currentField)
        let field =
            switch motion {
            case .top: 0
            case .bottom: view.columns.count - 1
            case .lines: min(max(first, current), last)
            }
        if field != current { send(.fieldSelected(field)) }
        send(.recordAt(new, awaitsEnd: motion == .bottom && !view.record.isComplete))
    }

    private var pageHeight: Int { PanelFrame(pageIn: state.size).pageHeight }

    /// Makes the field at a position the current one, and scrolls until the line at the position is visible.
    private func select(_ target: RecordPosition, in view: RowViewText) {
        guard let position = (state.overlay as? RowView)?.top, view.columns.indices.contains(target.column) else { return }
        if target.column != state.currentField { send(.fieldSelected(target.column)) }
        send(.recordAt(view.position(showing: target, from: position, height: pageHeight)))
    }

    /// Scrolls until the first line of the current field is visible.
    func showField() {
        guard let view = rowViewText() else { return }
        select(RecordPosition(column: state.currentField), in: view)
    }

    /// Scrolls until the match of the current search in the current field is visible. Without a match, shows the start of the field.
    func showMatch() {
        guard let view = rowViewText() else { return }
        let field = state.currentField
        var match: RecordPosition?
        if let search = state.search, search.isShown, view.columns.indices.contains(field),
            search.column == nil || search.column == view.columns[field].id, let text = try? search.textSearch()
        {
            var fieldSearch = RowViewText.FieldSearch(finder: TextHighlighter(text))
            match = view.firstMatch(of: &fieldSearch, in: field)
        }
        select(match ?? RecordPosition(column: field), in: view)
    }

    /// Makes another field the current one: `count` fields further down, or up if `count` is negative.
    func selectField(by count: Int) {
        guard let position = (state.overlay as? RowView)?.top, let view = rowViewText(), !view.columns.isEmpty else { return }
        let field = view.field(movingBy: count, from: state.currentField, position: position, height: pageHeight)
        select(RecordPosition(column: field), in: view)
    }

    /// Moves to the next or previous field. While a field continues beyond the page, scrolls by one line instead.
    func moveField(by step: Int) {
        guard let position = (state.overlay as? RowView)?.top, let view = rowViewText(), !view.columns.isEmpty else { return }
        let (height, current) = (pageHeight, state.currentField)
        let lines = view.lines(from: position, count: height + 1)
        guard let first = lines.first, lines.prefix(height).contains(where: { $0.position.column == current }) else {
            return selectField(by: step)
        }
        let next = lines.count > height ? lines[height] : nil
        let continues = step > 0 ? next?.position.column == current : first.position.column == current && !first.isStart
        let field = min(max(0, current + step), view.columns.count - 1)
        let isAtEdge = step > 0 ? next.map { $0.position.column == field && $0.isStart } == true : first.position.column == current
        if !continues, field != current { send(.fieldSelected(field)) }
        if continues || isAtEdge { send(.recordAt(view.position(.lines(step), from: position, height: height))) }
    }

    /// Goes to the first match in the next or previous field that has this text in its name or in its value. Wraps around. Ends the search
    /// if there is no match.
    func findField(_ text: String, by step: Int, includingCurrent: Bool) {
        guard let view = rowViewText(), !view.columns.isEmpty else { return }
        var search = RowViewText.FieldSearch(finder: TextHighlighter(.smartCase(text)))
        let current = state.currentField
        if let match = view.firstMatch(of: &search, from: current, by: step, includingCurrent: includingCurrent) {
            return select(match, in: view)
        }
        send(.fieldNotFound(search.isIncomplete ? .notFoundInStart(Search(text: text)) : .notFound(Search(text: text))))
    }

    /// Copies the current field if it is visible, otherwise the first visible field.
    func copyFromRecord() {
        guard let position = (state.overlay as? RowView)?.top, let row = state.grid.currentRow, let view = rowViewText() else { return }
        let shown = view.lines(from: position, count: pageHeight).map(\.position.column)
        let current = state.currentField
        guard let index = shown.contains(current) ? current : shown.first else { return }
        startCopying(view.columns[index], of: row, view.record)
    }

    /// Starts a job that finds the fields of a very long row, because this may take seconds. The start of the row is shown at once.
    func readRecord() {
        jobs.cancel(.record)
        guard state.overlay is RowView, let row = state.grid.currentRow, let text = document.source.lazyRecord(of: row),
            !text.isComplete
        else { return }
        startJob(.record, "reading the row", .bytes(text.byteLimit)) { control, outbox in
            var text = text
            control.begin(total: text.byteLimit)
            try text.scan(bytes: .max) { bytes in
                control.advance(by: bytes - control.completed)
                return !control.isCancelled
            }
            let record = text
            outbox.post { session in
                session.document.source.cache(record, of: row)
                session.application.setNeedsDisplay()
                if (session.state.overlay as? RowView)?.awaitsEnd == true { session.scrollRecord(.bottom) }
            }
        }
    }
}
