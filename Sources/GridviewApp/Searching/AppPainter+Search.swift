import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import TerminalSurface

extension AppPainter {
    /// Draws the search prompt.
    /// - Returns: The position of the text cursor.
    func paintSearch(_ prompt: SearchPrompt, _ y: Int, on buffer: inout CellBuffer) -> (x: Int, y: Int) {
        let name = prompt.isPattern ? "regex /" : "/"
        let (done, cancel) = (promptHints("done")[0], promptHints("done")[1])
        if let error = prompt.error {
            let errors = ["Invalid regular expression: \(error).", "Invalid regex: \(error).", "invalid regex", ""]
            return paintPrompt(name, prompt.field, errors: errors, hints: [cancel, ""], y, on: &buffer)
        }
        let scope = prompt.column.flatMap { state.grid.columns[$0]?.title }.map { "in \(Message.quoted($0))" } ?? "in all columns"
        let change = "\(label(of: .searchScope)) \(prompt.column == nil ? "this column" : "all columns")"
        let toggle = "\(label(of: .searchPattern)) \(prompt.isPattern ? "plain text" : "regex")"
        let casing = !prompt.isPattern && TextSearch.matchesCase(of: prompt.field.string) ? "case matters · " : ""
        let found = (matchText.isEmpty ? "" : matchText + "· ") + casing
        let history = state.searchHistory.isEmpty ? [] : ["\(label(of: .previousSearch)) history"]
        let longest = [scope, change, toggle] + history + [done, cancel]
        let forms = [
            longest, [scope, change, toggle, done, cancel], [change, toggle, done, cancel], [change, toggle, cancel], [change, cancel],
            [cancel],
        ]
        return paintPrompt(name, prompt.field, hints: forms.map { found + $0.joined(separator: " · ") } + [cancel], y, on: &buffer)
    }

    /// The rank of the current match and the number of matches, such as `3/12 `. Unknown numbers are left out.
    var matchText: String {
        guard let search = state.search else { return "" }
        // While the user goes to the next match, keep showing the known number of matches.
        if search.count ?? 0 == 0, state.jobs.contains(where: { $0.kind == .find && $0.isShown }) { return "searching " }
        guard let count = search.count else { return "" }
        let total = ValueText.count(count) + (search.isCounted ? "" : "+")
        let rows = "\(total) \(count == 1 && search.isCounted ? "row" : "rows") "
        if state.isAtTitle { return count == 0 && search.isCounted ? "in header " : "in header, \(rows)" }
        if count == 0, search.isCounted { return "not found " }
        if let current = search.currentRank { return "\(ValueText.count(current))/\(total) " }
        return search.isCounted ? "–/\(total) " : rows
    }
}
