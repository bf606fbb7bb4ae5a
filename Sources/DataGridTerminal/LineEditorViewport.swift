package import DataGrid
import TerminalSurface

/// The visible part of a line editor. It begins at the start of the text, or is scrolled so that it ends with the cursor.
package struct LineEditorViewport {
    /// The visible grapheme clusters with their first terminal cell and width.
    package private(set) var characters: [(character: Character, x: Int, width: Int)] = []
    /// The terminal cell of the cursor.
    package let cursorX: Int
    /// True for each end at which text is cut off. A mark then takes the first or the last terminal cell.
    package let isTruncated: (leading: Bool, trailing: Bool)
    private let width: Int

    /// Computes the visible part of a field, which always contains the cursor.
    ///
    /// - Complexity: O(`width` + visible zero-width characters), independent of the length of the text.
    package init(_ field: LineEditor, width: Int) {
        self.width = width
        func cellWidth(at index: Int) -> Int { DisplayWidth.of(String(field.text[index]), limit: width + 1) }
        var first = field.cursor
        var used = 0
        while first > 0, used + cellWidth(at: first - 1) < width {
            first -= 1
            used += cellWidth(at: first)
        }
        // Mark text that is cut off, if there is room.
        let isCutAtStart = first > 0 && width > 1
        while isCutAtStart, used + 1 >= width, first < field.cursor {
            used -= cellWidth(at: first)
            first += 1
        }
        cursorX = used + (isCutAtStart ? 1 : 0)
        var x = isCutAtStart ? 1 : 0
        var index = first
        while index < field.text.count {
            let characterWidth = cellWidth(at: index)
            guard x + characterWidth <= width else { break }
            characters.append((field.text[index], x, characterWidth))
            x += characterWidth
            index += 1
        }
        let isCutAtEnd = index < field.text.count && cursorX < width - 1
        while isCutAtEnd, let last = characters.last, last.x + last.width > width - 1 { characters.removeLast() }
        isTruncated = (isCutAtStart, isCutAtEnd)
    }

    /// The number of terminal cells that the visible text and its end mark take.
    package var usedWidth: Int { isTruncated.trailing ? width : characters.last.map { $0.x + $0.width } ?? 0 }

    /// Draws the visible text, with marks where it is cut off.
    /// - Parameter write: writes text at a terminal cell of the window.
    package func paint(_ write: (_ text: String, _ x: Int, _ width: Int, _ isMark: Bool) -> Void) {
        for (character, x, width) in characters { write(String(character), x, width, false) }
        if isTruncated.leading { write("…", 0, 1, true) }
        if isTruncated.trailing { write("…", width - 1, 1, true) }
    }
}
