public import DataGrid
public import TerminalSurface

/// A part of a grid that an application can draw.
public enum GridPart: Hashable, Sendable {
    /// A cell of a table or, on a card, the area of the column.
    case cell(RowID, ColumnID)
    /// The title of a column, with the type line below it.
    case columnHeader(ColumnID)
    /// The header of a section.
    case sectionHeader(Int)
    /// The loader (`GridState.loader`).
    case loader
    /// The text shown instead of rows in a grid without rows.
    case emptyGrid

    /// The kinds of grid parts that a delegate draws.
    public struct Kinds: OptionSet, Hashable, Sendable {
        /// A bit for each kind.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// All cells.
        public static let cells = Kinds(rawValue: 1)
        /// All column headers.
        public static let columnHeaders = Kinds(rawValue: 2)
        /// All section headers.
        public static let sectionHeaders = Kinds(rawValue: 4)
        /// The loader.
        public static let loader = Kinds(rawValue: 8)
        /// The text shown instead of rows in a grid without rows.
        public static let emptyGrid = Kinds(rawValue: 16)
    }

    /// The kind of this part.
    public var kind: Kinds {
        switch self {
        case .cell: .cells
        case .columnHeader: .columnHeaders
        case .sectionHeader: .sectionHeaders
        case .loader: .loader
        case .emptyGrid: .emptyGrid
        }
    }
}

/// Draws parts of a grid instead of the grid's own drawing. Applications implement it and set ``GridController/drawingDelegate``. The grid
/// calls it for the visible parts of each frame.
///
/// ```swift
/// var drawnParts: GridPart.Kinds { .cells }
/// func draw(_ part: GridPart, in rect: TerminalRect, on buffer: inout CellBuffer) -> Bool {
///     guard case .cell(let row, let column) = part, column == 2 else { return false }
///     buffer.write(stars(of: row), x: 0, y: 0, style: buffer[0, 0].style)
///     return true
/// }
/// ```
@MainActor
public protocol GridDrawingDelegate: AnyObject {
    /// The kinds of parts for which ``draw(_:in:on:)`` is called. The grid reads this property once per frame.
    var drawnParts: GridPart.Kinds { get }

    /// Draws a part on its own buffer, which the grid copies to the screen. Drawing outside of the buffer has no effect.
    /// - Parameters:
    ///   - part: the part.
    ///   - rect: the visible part of the buffer; the rest is clipped.
    ///   - buffer: a blank buffer of the part's full size, or of its first 10,000 cells and 1,000 lines. It has the style of the part, such
    ///     as the style of the cursor.
    /// - Returns: True if the part was drawn; false if the grid should draw it.
    func draw(_ part: GridPart, in rect: TerminalRect, on buffer: inout CellBuffer) -> Bool
}

extension GridPainter {
    /// Lets the application draw a part.
    /// - Parameters:
    ///   - box: the visible rectangle of the part.
    ///   - fullHeight: the height of the whole part, in lines.
    ///   - style: the style of the part.
    /// - Returns: True if the application has drawn the part.
    func draw(_ part: GridPart, in box: CellBox, fullHeight: Int, style: CellStyle, on buffer: inout CellBuffer) -> Bool {
        guard drawnParts.contains(part.kind), let drawing else { return false }
        let target = rect(x: box.x, y: box.y, width: box.width, height: box.height)
        guard target.width > 0, target.height > 0 else { return false }
        let visible = TerminalRect(
            x: box.clippedLeading + target.x - cells.origin.x - box.x, y: target.y - cells.origin.y - box.y, width: target.width,
            height: target.height)
        // Limit the buffer, so that a huge part needs little memory.
        var partBuffer = CellBuffer(
            size: TerminalSize(
                columns: max(min(box.fullWidth, 10_000), visible.x + visible.width),
                rows: max(min(fullHeight, 1_000), visible.y + visible.height)), style: style.textStyle)
        guard drawing.draw(part, in: visible, on: &partBuffer) else { return false }
        buffer.copy(visible, of: partBuffer, toX: target.x, y: target.y)
        return true
    }
}
