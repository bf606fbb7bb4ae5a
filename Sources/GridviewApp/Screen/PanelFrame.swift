import TerminalSurface

/// The area of a panel on the screen.
struct PanelFrame {
    let rect: TerminalRect

    /// Creates the frame of a list that shows `matches` of its `rows` entries, with one line each for the title and the typed text.
    ///
    /// It leaves the lines of the title, the value and the hints free. Its top depends only on `rows`, so that the list does not move while
    /// the user types.
    init(listIn size: TerminalSize, rows: Int, matches: Int) {
        let width = min(size.columns, max(24, min(64, size.columns - 4)))
        func lines(_ count: Int) -> Int { min(size.rows, max(3, min(max(1, count) + 3, size.rows - 3))) }
        let (tallest, height) = (lines(rows), lines(min(matches, rows)))
        // The list is below the title line if there is room.
        let y = max(size.rows > tallest ? 1 : 0, (size.rows - tallest) / 3)
        rect = TerminalRect(x: max(0, (size.columns - width) / 2), y: y, width: width, height: height)
    }

    /// Creates the frame of a menu whose title starts at `x` on line `y`; `nil` if there is not enough room below.
    /// - Parameter width: the width of the widest entry.
    init?(menuIn size: TerminalSize, x: Int, y: Int, width: Int, rows: Int, matches: Int) {
        let lines = min(max(1, rows) + 3, size.rows - 2 - y)
        guard lines > 6 else { return nil }
        let width = min(size.columns, max(24, min(64, width)))
        let height = max(3, min(max(1, matches) + 3, lines))
        // One cell at each side stays clear.
        rect = TerminalRect(x: max(0, min(x - 1, size.columns - width - 1)), y: y, width: width, height: height)
    }

    /// Creates the frame of a page: all of the screen except the first and the last line. These show the title line of the program, and
    /// the key that closes the page.
    init(pageIn size: TerminalSize) {
        let top = size.rows > 12 ? 1 : 0
        let bottom = size.rows >= 3 ? 1 : 0
        rect = TerminalRect(x: 0, y: top, width: max(0, size.columns), height: max(0, size.rows - top - bottom))
    }

    var pageHeight: Int { max(1, rect.height - 1) }

    var listHeight: Int { max(1, rect.height - 3) }

    /// The index of the first visible row such that the selected row is visible.
    func firstRow(selected: Int) -> Int { max(0, selected - listHeight + 1) }

    /// The index of the row at a terminal cell; `nil` outside of the list.
    func row(atX x: Int, y: Int, selected: Int) -> Int? {
        guard (rect.x..<rect.x + rect.width).contains(x), (rect.y + 2..<rect.y + 2 + listHeight).contains(y) else { return nil }
        return y - rect.y - 2 + firstRow(selected: selected)
    }
}
