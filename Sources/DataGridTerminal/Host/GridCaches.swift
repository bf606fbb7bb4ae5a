import DataGrid

/// The caches of a grid (content, styles and row heights) and their invalidation.
@MainActor
final class GridCaches {
    let contents = ContentCache()
    let styles = StyleCache()
    /// The row heights measured from content; `nil` if heights do not depend on content.
    weak var heights: ContentHeights?
    /// The columns whose format has changed since their width was measured.
    var reformattedColumns: Set<ColumnID> = []

    init() {
        contents.onShow = { [weak styles] rows, columns in
            guard let styles, styles.delegate != nil else { return }
            _ = styles.cells.beginFrame(showing: rows, columns: columns)
        }
    }

    func removeAll() {
        contents.removeAll()
        styles.removeAll()
        heights?.invalidate(nil)
    }

    /// Invalidates the cached values that an action makes outdated.
    func invalidate(after action: GridAction, from old: GridState, to new: GridState) {
        switch action {
        case .replaceColumns, .restore:
            removeAll()
            reformattedColumns = []
        case .updateColumn(let column):
            remove(columns: [column.id])
            if let before = old.columns[column.id], before.measuredWidth > 0, before.format != new.columns[column.id]?.format {
                reformattedColumns.insert(column.id)
            }
        case .removeColumns(let ids):
            remove(columns: ids)
            reformattedColumns.subtract(ids)
        case .setTheme, .setStyle, .setClass: removeStyles()
        case .discardRowState(let rows): remove(rows: rows)
        case let action where action.splicesRows:
            let newID = old.rowIDMapping(by: action)
            contents.change { $0.renumber(newID) }
            styles.cells.renumber(newID)
            styles.removeColumnsAndRules()
        case .setRows, .growRows: break
        default: return
        }
        guard new.outline.tree != old.outline.tree || new.rows != old.rows else { return }
        contents.removeSections()
        // Appended rows change only the content of section headers, such as row counts.
        if case .growRows = action { return }
        styles.removeSections()
    }

    func remove(rows: [RowID]?) {
        guard let rows else { return removeAll() }
        contents.remove(rows: rows)
        contents.removeSections()
        heights?.invalidate(rows)
        styles.cells.remove(rows: rows)
        styles.removeColumnsAndRules()
    }

    /// Invalidates a cell. The caller must invalidate section headers, which can show aggregates of the cell.
    func remove(_ row: RowID, _ column: ColumnID) {
        contents.remove(row, column)
        heights?.invalidate(row, column)
        styles.cells.remove(row, column)
    }

    /// Invalidates the style of a row, but not the styles of its cells.
    func removeStyle(ofRow row: RowID) {
        contents.changes.add([row])
        styles.cells.removeRowValue(row)
    }

    func removeStyles() {
        contents.changes.addFullChange()
        styles.removeAll()
    }

    /// Invalidates the styles of `rows` (`nil` for all rows) and of all sections, columns and rules.
    func removeStyles(ofRows rows: [RowID]?) {
        // Styles of sections affect all their rows.
        contents.changes.addFullChange()
        styles.cells.remove(rows: rows)
        styles.removeSections()
        styles.removeColumnsAndRules()
    }

    func removeStyles(ofColumns columns: [ColumnID]) {
        contents.changes.addFullChange()
        styles.cells.remove(columns: columns)
        styles.removeColumnsAndRules()
    }

    func remove(columns: [ColumnID]) {
        contents.change { $0.remove(columns: columns) }
        contents.removeSections()
        heights?.invalidate(columns: columns)
        styles.cells.remove(columns: columns)
        styles.removeColumnsAndRules()
    }
}
