/// What a click or a key does to a cell.
public struct CellEvents: OptionSet, Hashable, Sendable, Codable {
    /// A bit for each of them.
    public let rawValue: UInt8
    /// The events whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Selects what the selection mode lets be selected: the cell or its row.
    public static let select = CellEvents(rawValue: 1)
    /// Opens an editor in the cell or, where it cannot be edited, activates it (``GridEvent/cellActivated(_:_:)``).
    public static let edit = CellEvents(rawValue: 2)
    /// Both.
    public static let both: CellEvents = [.select, .edit]
}

/// Whether panning keeps to one direction.
public enum DirectionalLock: String, Hashable, Sendable, Codable, CaseIterable {
    /// The grid goes wherever it is pulled.
    case off
    /// It goes only the way that it was pulled most at first: sideways, or up and down.
    case on
    /// The same, but what was pulled about as far either way goes wherever it is pulled.
    case diagonalAllowed
}

/// Which ways something can be dragged.
public struct DragDirections: OptionSet, Hashable, Sendable, Codable {
    /// A bit for each direction.
    public let rawValue: UInt8
    /// The directions whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Sideways: its column moves.
    public static let columns = DragDirections(rawValue: 1)
    /// Up and down: its row moves.
    public static let rows = DragDirections(rawValue: 2)
    /// Either; where it goes first decides.
    public static let both: DragDirections = [.columns, .rows]
}

/// What the ways in which people reach into a grid do: policies, kept apart from what the grid shows.
public struct GridInteraction: Hashable, Sendable, Codable {
    /// What a click on a cell does beside placing the cursor. What edits does so when the button is let go where it was pressed.
    public var singleClick = CellEvents.select
    /// What a double click on a cell does; with none it is a click like any other.
    public var doubleClick = CellEvents.edit
    /// What Enter does on a cell; with none the key is the host's.
    public var enter = CellEvents.edit
    /// What Space does on a cell, which in modes that allow many takes away what is selected already; with none the key is the host's.
    public var space = CellEvents.select
    /// Whether a character typed on a cell that can be edited takes the place of what it says.
    public var editsByTyping = true
    /// Whether people move rows: by key (Alt-↑, Alt-↓), by the header of the cursor's row or of a selected one, or where rows are cards by any
    /// part of such a one, and with Alt by a cell. A drag that begins elsewhere selects. Code always can.
    public var allowsRowReordering = false
    /// Whether panning with the middle button, and turning the wheel, keep to one direction.
    public var directionalLock = DirectionalLock.off

    /// A click selects, a double click and Enter edit, Space selects, what is typed on a cell that can be edited takes the place of what it
    /// says, rows stay where they are, and panning is free.
    public init() {}

    /// For looking at a table: a click places the cursor and no more, and a drag selects.
    public static let browsing: GridInteraction = {
        var interaction = GridInteraction()
        interaction.singleClick = []
        interaction.space = []
        interaction.editsByTyping = false
        return interaction
    }()
}

/// What asks for a cell's events.
public enum CellTrigger: Hashable, Sendable {
    /// A click with the primary button.
    case singleClick
    /// Two clicks in quick succession.
    case doubleClick
    /// The key Enter.
    case enter
    /// The space bar.
    case space
}

extension GridInteraction {
    /// What `trigger` does.
    public func events(for trigger: CellTrigger) -> CellEvents {
        switch trigger {
        case .singleClick: singleClick
        case .doubleClick: doubleClick
        case .enter: enter
        case .space: space
        }
    }
}
