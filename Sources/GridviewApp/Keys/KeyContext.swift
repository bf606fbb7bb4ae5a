/// A place where keys apply. The raw value is its name in settings and messages.
public enum KeyContext: String, CaseIterable, Sendable {
    case grid
    /// Something is dragged with the mouse.
    case drag
    /// Any panel that is read: a page, a row as a form, numbers.
    case panel
    case page
    case record
    case statistics
    /// Any place where text is typed, lists among them.
    case prompt
    case list
    case search
    case filter

    /// The heading of its keys in the help.
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
    /// The contexts whose keys apply, the innermost first.
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
