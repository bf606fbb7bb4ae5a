import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

extension Session {
    /// The row view; `nil` if it is not open.
    func recordForm() -> RecordForm? {
        guard state.overlay is RowView, let row = state.grid.currentRow, let text = document.source.lazyRecord(of: row) else {
            return nil
        }
        let source = document.source
        return RecordForm(state.grid.columns.visible, of: text, width: PanelFrame(pageIn: state.size).rect.width) { source.reading($0) }
    }

    func scrollRecord(_ motion: RecordMotion) {
        guard let place = (state.overlay as? RowView)?.top, let form = recordForm() else { return }
        let new = form.place(motion, from: place, height: PanelFrame(pageIn: state.size).pageHeight)
        send(.recordAt(new, awaitsEnd: motion == .bottom && !form.record.isComplete))
    }

    /// Selects the field `count` fields after the current one and scrolls to its first line.
    func selectField(by count: Int) {
        guard let place = (state.overlay as? RowView)?.top, let form = recordForm(), !form.columns.isEmpty else { return }
        let height = PanelFrame(pageIn: state.size).pageHeight
        let field = form.field(movingBy: count, from: state.grid.cursor.column, place: place, height: height)
        send(.fieldSelected(field))
        send(.recordAt(form.place(showing: field, from: place, height: height)))
    }

    /// Copies the current field if it is on the page, otherwise the first one of the page.
    func copyFromRecord() {
        guard let place = (state.overlay as? RowView)?.top, let row = state.grid.currentRow, let form = recordForm() else { return }
        let shown = form.lines(from: place, count: PanelFrame(pageIn: state.size).pageHeight).map(\.place.column)
        let cursor = state.grid.cursor.column
        guard let index = shown.contains(cursor) ? cursor : shown.first else { return }
        startCopying(form.columns[index], of: row, form.record)
    }

    /// Finds the fields of a very long row on another thread, which may take seconds. The start of the row is shown immediately.
    func readRecord() {
        jobs.cancel(.record)
        guard state.overlay is RowView, let row = state.grid.currentRow, let text = document.source.lazyRecord(of: row),
            !text.isComplete
        else { return }
        startJob(.record, "reading the row", .bytes(text.byteLimit)) { control, outbox in
            var text = text
            control.begin(total: text.byteLimit)
            try text.map(bytes: .max) { bytes in
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
