/// What stands on the pages that lie over the grid.
enum PageText {
    enum Line: Equatable {
        case chapter(String)
        /// Something at the left, and what is to be said of it.
        case entry(keys: String, text: String)
        case text(String)
    }

    /// Terminal cells for what stands at the left of an entry.
    static let keyWidth = 22

    static func title(of page: Page) -> String {
        switch page {
        case .help: "All keys"
        case .about: "This file"
        }
    }

    static func lines(of page: Page, _ state: AppState) -> [Line] {
        switch page {
        case .help: HelpText.lines()
        case .about: about(state.document)
        }
    }

    private static func about(_ document: DocumentInfo) -> [Line] {
        let facts = document.facts.map { Line.entry(keys: $0.name, text: $0.value) }
        let notes = document.notes.map { Line.text("  " + $0) }
        return facts + [.text(""), .chapter("What is odd about it")] + (notes.isEmpty ? [.text("  Nothing.")] : notes)
    }
}
