/// The effects of a click or key on a cell.
public struct CellEffects: OptionSet, Hashable, Sendable, Codable {
    /// The bits of the set.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Selects the cell, or its row if the selection mode selects rows.
    public static let select = CellEffects(rawValue: 1)
    /// Requests an editor for the cell. A cell that is not editable is activated instead (``GridEvent/cellActivated(_:_:)``).
    public static let edit = CellEffects(rawValue: 2)
    /// Selects or deselects the cell or its row. Other selected cells stay selected if the selection mode allows several cells.
    public static let toggle = CellEffects(rawValue: 4)
    /// Both ``select`` and ``edit``.
    public static let both: CellEffects = [.select, .edit]

    /// True if the effects change the selection.
    var isSelecting: Bool { !isDisjoint(with: [.select, .toggle]) }
}

/// A restriction of the directions in which a drag pans the grid.
public enum DirectionalLock: String, Hashable, Sendable, Codable, CaseIterable {
    /// Panning is possible in every direction.
    case off
    /// Panning is either horizontal or vertical: the direction in which the pointer moves further at the start.
    case on
    /// Like ``on``, but a drag that starts nearly diagonally can pan in every direction.
    case diagonalAllowed
}

/// The directions in which a cell or header can be dragged. Dragging along the row moves the column; dragging along the column moves the
/// row.
public struct DragDirections: OptionSet, Hashable, Sendable, Codable {
    /// The bits of the set.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Dragging moves the column.
    public static let columns = DragDirections(rawValue: 1)
    /// Dragging moves the row.
    public static let rows = DragDirections(rawValue: 2)
    /// Dragging moves the row or the column, depending on the direction in which the pointer moves first.
    public static let both: DragDirections = [.columns, .rows]
}

/// The policies for clicks, keys and drags in a grid.
public struct GridInteraction: Hashable, Sendable, Codable {
    /// The effects of a click on a cell. A click also moves the cursor. An editor opens when the button is released at the same point.
    ///
    /// With ``CellEffects/toggle``, users select several rows or cells by clicks without a modifier key.
    public var singleClick = CellEffects.select
    /// The effects of a double click on a cell. If empty, a double click has the effects of a single click.
    public var doubleClick = CellEffects.edit
    /// The effects of Enter on the current cell. If empty, the application handles the key.
    public var enter = CellEffects.edit
    /// The effects of Space on the current cell. If empty, the application handles the key.
    ///
    /// ``CellEffects/select`` selects or deselects the cell if the selection mode allows several cells.
    public var space = CellEffects.select
    /// True if typing a character on an editable cell opens an editor in which the character replaces the text.
    public var editsByTyping = true
    /// True if users can move rows. Code can always move rows.
    ///
    /// Users press Alt-↑ or Alt-↓, drag the header of the current row or of a selected row, or drag a cell with Alt. They can drag the
    /// current card or a selected card by any part. With ``SelectionMode/none``, they can drag the current row by any cell. Other
    /// drags select.
    public var allowsRowReordering = false
    /// True if the grid follows the pointer while a cell or section header is dragged with the primary button, as on touch screens.
    ///
    /// A click then takes effect when the button is released. With Shift, Ctrl or Alt, a drag still selects or moves rows.
    public var pansByDragging = false
    /// The restriction to one direction, for panning by a drag and for scrolling with the wheel.
    public var directionalLock = DirectionalLock.off

    /// Creates the default policies.
    ///
    /// A click and Space select, a double click and Enter edit, and typing replaces the text of an editable cell. Rows are not movable, and
    /// panning is free.
    public init() {}

    /// Policies for read-only tables: a click only moves the cursor, and a drag selects.
    public static let browsing: GridInteraction = {
        var interaction = GridInteraction()
        interaction.singleClick = []
        interaction.space = []
        interaction.editsByTyping = false
        return interaction
    }()
}

extension GridInteraction {
    /// Decodes policies. Policies that are not present have their default values.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ policy: inout Value) throws {
            policy = try values.decodeIfPresent(Value.self, forKey: key) ?? policy
        }
        self.init()
        try read(.singleClick, &singleClick)
        try read(.doubleClick, &doubleClick)
        try read(.enter, &enter)
        try read(.space, &space)
        try read(.editsByTyping, &editsByTyping)
        try read(.allowsRowReordering, &allowsRowReordering)
        try read(.pansByDragging, &pansByDragging)
        try read(.directionalLock, &directionalLock)
    }
}

/// The mouse or keyboard input that triggers effects on a cell.
public enum CellTrigger: Hashable, Sendable {
    /// A click with the primary button.
    case singleClick
    /// Two clicks in quick succession.
    case doubleClick
    /// The Enter key.
    case enter
    /// The space bar.
    case space
}

extension GridInteraction {
    /// The effects that the policies define for `trigger`.
    public func effects(for trigger: CellTrigger) -> CellEffects {
        switch trigger {
        case .singleClick: singleClick
        case .doubleClick: doubleClick
        case .enter: enter
        case .space: space
        }
    }
}
