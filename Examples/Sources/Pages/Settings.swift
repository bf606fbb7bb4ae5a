/// The settings of the gallery.
struct Settings: Equatable {
    var isTransposed = false
    var hasCards = true
    var hasSections = true
    var headerHeight = 1
    var hasStickyHeaders = true
    var isPaged = false
    var padding = 1
    var spacing = 2
    var hasOneHeight = true
    var allowsReordering = true
    var loadsMore = true
    var hasMotion = true

    var isList: Bool { !isTransposed && !hasCards }
}

/// A line of the settings panel.
@MainActor
struct Setting {
    enum Value {
        /// A setting that is on or off, shown as a check mark.
        case flag(WritableKeyPath<Settings, Bool>)
        /// A setting with two values, each shown as a word.
        case choice(WritableKeyPath<Settings, Bool>, off: String, on: String)
        case number(WritableKeyPath<Settings, Int>, ClosedRange<Int>)
    }

    let name: String
    let value: Value
    let description: String
    /// The condition under which the setting has an effect, in words.
    var condition = ""
    var hasEffect: (Settings) -> Bool = { _ in true }

    static let all = [
        Setting(
            name: "Direction", value: .choice(\.isTransposed, off: "down", on: "across"),
            description: "Photos go down or across the screen."),
        Setting(
            name: "Cards", value: .flag(\.hasCards), description: "Cards side by side instead of a list.", condition: "photos that go down",
            hasEffect: { !$0.isTransposed }),
        Setting(name: "Albums", value: .flag(\.hasSections), description: "Each album is a section with a header."),
        Setting(
            name: "Header height", value: .number(\.headerHeight, 1...3), description: "Lines of an album's header.",
            condition: "a list with albums", hasEffect: { $0.isList && $0.hasSections }),
        Setting(
            name: "Sticky headers", value: .flag(\.hasStickyHeaders), description: "The header of the current album stays at the top.",
            condition: "albums", hasEffect: \.hasSections),
        Setting(
            name: "Paging", value: .flag(\.isPaged), description: "Scrolls by whole pages.", condition: "no albums and one height",
            hasEffect: { !$0.hasSections && ($0.hasOneHeight || !$0.isList) }),
        Setting(
            name: "Padding", value: .number(\.padding, 0...4), description: "Space between the cards and the edge, in cells.",
            condition: "cards", hasEffect: { $0.hasCards && !$0.isTransposed }),
        Setting(name: "Spacing", value: .number(\.spacing, 0...4), description: "Space between cards or columns, in cells."),
        Setting(
            name: "One height", value: .flag(\.hasOneHeight), description: "Same height for all; if off, 5-star photos have two lines.",
            condition: "a list", hasEffect: \.isList),
        Setting(name: "Reordering", value: .flag(\.allowsReordering), description: "Alt-↑↓, or a drag of the current photo, moves it."),
        Setting(name: "Load more", value: .flag(\.loadsMore), description: "Loads older photos near the end."),
        Setting(
            name: "Motion", value: .flag(\.hasMotion), description: "Rows slide when rows are added or removed.",
            condition: "photos that go down", hasEffect: { !$0.isTransposed }),
    ]

    /// Changes the setting by a step: a flag or a choice to its other value, a number within its range.
    func change(_ settings: inout Settings, by step: Int) {
        switch value {
        case .flag(let path), .choice(let path, _, _): settings[keyPath: path].toggle()
        case .number(let path, let range):
            settings[keyPath: path] = min(max(range.lowerBound, settings[keyPath: path] + step), range.upperBound)
        }
    }

    /// The number that the setting changes, and its range; `nil` for a flag or a choice.
    var number: (path: WritableKeyPath<Settings, Int>, range: ClosedRange<Int>)? {
        if case .number(let path, let range) = value { (path, range) } else { nil }
    }
}
