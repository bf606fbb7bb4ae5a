package import DataGrid
import TerminalSurface

/// The visible part of a text field: it ends with the cursor or, where there is room, begins with the text.
package struct FieldWindow {
    /// The visible grapheme clusters, each with its first terminal cell and its width.
    package private(set) var characters: [(character: Character, x: Int, width: Int)] = []
    /// The terminal cell of the cursor.
    package let cursorX: Int
    /// Whether text is cut at an end. A mark takes the first cell, or the last one.
    package let isCut: (leading: Bool, trailing: Bool)
    private let width: Int

    /// - Complexity: O(`width` + visible characters without width), whatever the length of the text.
    package init(_ field: TextField, width: Int) {
        self.width = width
        func cells(_ index: Int) -> Int { DisplayWidth.of(String(field.text[index]), limit: width + 1) }
        var first = field.cursor
        var used = 0
        while first > 0, used + cells(first - 1) < width {
            first -= 1
            used += cells(first)
        }
        // What is cut says so, where there is room.
        let isCutBefore = first > 0 && width > 1
        while isCutBefore, used + 1 >= width, first < field.cursor {
            used -= cells(first)
            first += 1
        }
        cursorX = used + (isCutBefore ? 1 : 0)
        var x = isCutBefore ? 1 : 0
        var index = first
        while index < field.text.count {
            let wide = cells(index)
            guard x + wide <= width else { break }
            characters.append((field.text[index], x, wide))
            x += wide
            index += 1
        }
        let isCutBehind = index < field.text.count && cursorX < width - 1
        while isCutBehind, let last = characters.last, last.x + last.width > width - 1 { characters.removeLast() }
        isCut = (isCutBefore, isCutBehind)
    }

    /// The terminal cells that the text takes, with the mark at a cut end.
    package var usedWidth: Int { isCut.trailing ? width : characters.last.map { $0.x + $0.width } ?? 0 }

    /// Draws the text, with marks where it is cut.
    /// - Parameter write: writes a text at a terminal cell of the window.
    package func paint(_ write: (_ text: String, _ x: Int, _ width: Int, _ isMark: Bool) -> Void) {
        for (character, x, width) in characters { write(String(character), x, width, false) }
        if isCut.leading { write("…", 0, 1, true) }
        if isCut.trailing { write("…", width - 1, 1, true) }
    }
}
