/// A context in which keys apply. The raw value is its name in settings and messages.
public enum KeyContext: String, CaseIterable, Sendable {
    case grid
    /// A drag with the mouse.
    case drag
    /// Any panel for reading: a page, the row view, statistics.
    case panel
    case page
    case record
    case statistics
    /// Any place for typing text, including lists.
    case prompt
    case list
    case search
    case filter

    /// The help heading for the keys of this context.
    public var title: String {
        switch self {
        case .grid: "Table"
        case .drag: "While dragging"
        case .panel: "Panels"
        case .page: "Help and file details"
        case .record: "Row view"
        case .statistics: "Statistics panels"
        case .prompt: "Prompts and lists"
        case .list: "Lists"
        case .search: "Search prompt"
        case .filter: "Filter prompt"
        }
    }
}

extension Layer {
    /// The contexts of the layer, innermost first.
    var contexts: [KeyContext] {
        switch self {
        case .page: [.page, .panel]
        case .record: [.record, .panel]
        case .statistics: [.statistics, .panel]
        case .list: [.list, .prompt]
        case .search: [.search, .prompt]
        case .formula(let prompt): prompt.purpose == .filter ? [.filter, .prompt] : [.prompt]
        case .rename: [.prompt]
        }
    }

    var takesText: Bool { contexts.contains(.prompt) }
}

extension AppState {
    var contexts: [KeyContext] { layer?.contexts ?? [.grid] }
}
