import DataGrid
import DataGridTerminal

extension Page {
    /// The page with the values and all aggregates of the group at the cursor.
    static let group = Page("Group details") { groupLines($0) }

    @MainActor private static func groupLines(_ state: AppState) -> [Line] {
        guard let tree = state.grid.outline.tree, let section = state.grid.outline.section(of: state.grid.cursor.item) else { return [] }
        let path = tree.path(of: section).enumerated().map { level, title in
            let column = level < tree.columns.count ? state.grid.columns[tree.columns[level]] : nil
            return Line.entry(keys: column?.title ?? "", text: title.isEmpty ? "(empty)" : title)
        }
        let aggregates = state.aggregates(of: section, tree).map { Line.entry(keys: $0.column.title, text: $0.text) }
        return path + [.entry(keys: "rows", text: ValueText.count(tree.rows(of: section).count))] + aggregates
    }
}

extension AppState {
    /// All aggregates of a group that have a value, each with its column and its formatted value.
    func aggregates(of section: Int, _ tree: SectionTree) -> [(column: Column, text: String)] {
        tree.aggregates(of: section).compactMap { aggregate in
            guard !aggregate.value.isNaN, let column = grid.columns[aggregate.aggregate.column] else { return nil }
            return (column, GridPainter.text(of: aggregate, in: column, source: controller.dataSource))
        }
    }
}
