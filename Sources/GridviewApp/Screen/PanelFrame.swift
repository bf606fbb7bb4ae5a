import TerminalSurface

struct PanelFrame {
    let rect: TerminalRect

    /// A list, with one line each for its title and the typed text.
    init(listIn size: TerminalSize, rows: Int) {
        let width = min(size.columns, max(24, min(64, size.columns - 4)))
        let height = min(size.rows, max(3, min(rows + 3, size.rows - 2)))
        // Below the title line, when there is room.
        let y = max(size.rows > height ? 1 : 0, (size.rows - height) / 3)
        rect = TerminalRect(x: max(0, (size.columns - width) / 2), y: y, width: width, height: height)
    }

    /// A page: all of the screen except the first and the last line, which show its context and how to close it.
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
