import TerminalSurface

/// The area of a panel on the screen, with its frame.
struct PanelFrame {
    let rect: TerminalRect

    /// Creates the frame of a list with `rows` entries, of which `matches` are shown. The title and the typed text have one line each.
    ///
    /// The list leaves the title line, the value line and the hint line of the screen free. Its top depends only on `rows`, so that the
    /// list does not move while the user types.
    init(listIn size: TerminalSize, rows: Int, matches: Int) {
        let width = min(size.columns, max(24, min(64, size.columns - 4)))
        func lines(_ count: Int) -> Int { min(size.rows, max(3, min(max(1, count) + 3, size.rows - 3))) }
        let (tallest, height) = (lines(rows), lines(min(matches, rows)))
        // Start below the title line of the screen if there is room.
        let y = max(size.rows > tallest ? 1 : 0, (size.rows - tallest) / 3)
        rect = TerminalRect(x: max(0, (size.columns - width) / 2), y: y, width: width, height: height)
    }

    /// Creates the frame of a menu whose title starts at column `x` of line `y`; `nil` if there is not enough room below this line.
    /// - Parameter width: the width of the widest entry, in terminal cells.
    init?(menuIn size: TerminalSize, x: Int, y: Int, width: Int, rows: Int, matches: Int) {
        let lines = min(max(1, rows) + 3, size.rows - 2 - y)
        guard lines > 6 else { return nil }
        let width = min(size.columns, max(24, min(64, width)))
        let height = max(3, min(max(1, matches) + 3, lines))
        // Leave one cell free at each side.
        rect = TerminalRect(x: max(0, min(x - 1, size.columns - width - 1)), y: y, width: width, height: height)
    }

    /// Creates the frame of a page: all of the screen except the first and the last line, which show the title line and the key that closes
    /// the page.
    init(pageIn size: TerminalSize) {
        let top = size.rows > 12 ? 1 : 0
        let bottom = size.rows >= 3 ? 1 : 0
        rect = TerminalRect(x: 0, y: top, width: max(0, size.columns), height: max(0, size.rows - top - bottom))
    }

    var pageHeight: Int { max(1, rect.height - 1) }

    var listHeight: Int { max(1, rect.height - 3) }

    /// The index of the first visible entry if the list is scrolled just far enough to show the selected entry.
    func firstRow(selected: Int) -> Int { max(0, selected - listHeight + 1) }

    /// The index of the entry at this cell of the screen; `nil` if there is no entry.
    func row(atX x: Int, y: Int, selected: Int) -> Int? {
        guard (rect.x..<rect.x + rect.width).contains(x), (rect.y + 2..<rect.y + 2 + listHeight).contains(y) else { return nil }
        return y - rect.y - 2 + firstRow(selected: selected)
    }
}
