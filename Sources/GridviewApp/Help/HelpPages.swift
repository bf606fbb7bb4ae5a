import DataGrid
import DataGridTerminal
import FieldValues

extension Page {
    static let help = Page("All keys", usesTwoColumns: true) { HelpText.lines($0.keyMap) }

    /// The page with details of the file.
    static let about = Page("File details") { aboutLines($0) }

    @MainActor private static func aboutLines(_ state: AppState) -> [Line] {
        let document = state.document
        let change = state.changeExplanation.map { Line.text("  " + $0) }
        let news = change.isEmpty ? [] : [.chapter("The file has changed")] + change + [.text("")]
        let exported = state.sheet.exportNotes.map { Line.text("  " + $0) }
        let export = exported.isEmpty ? [] : [.chapter("Notes on the last export")] + exported + [.text("")]
        let ambiguous = state.grid.columns.all.filter { $0.hasAmbiguousDates && ($0.kind == .date || $0.kind == .dateTime) }.map {
            Line.entry(
                keys: "dates",
                text: "“\(Message.name($0.title))”: \(ValueText.typeName($0)); day and month may be in the wrong order "
                    + "(\(state.key(.swapDayAndMonth)) swaps them)")
        }
        let details = document.details.map { Line.entry(keys: $0.name, text: $0.value) } + ambiguous
        let notes = (state.settingsProblems.map(\.text) + state.problems).map { Line.text("  " + $0) }
        let collapsed = state.collapsedGroups?.areAllCollapsed == true ? [Line.entry(keys: "--collapsed", text: "")] : []
        let options = state.queryOptions.map { Line.entry(keys: $0.name, text: $0.value) } + collapsed
        let view = options.isEmpty ? [] : [.text(""), .chapter("This view as command-line options")] + options
        let columns = document.columnDetails.map { Line.entry(keys: $0.name, text: $0.value) }
        let declared = columns.isEmpty ? [] : [.text(""), .chapter("Columns of the file")] + columns
        let problems = [Line.text(""), .chapter("Problems found")] + (notes.isEmpty ? [.text("  None.")] : notes)
        return news + export + details + view + problems + declared
    }
}
