import DataGrid
import TerminalSurface

/// Which part of a line of text is seen in so many terminal cells while it is being typed: the one that ends with the cursor or, where there is
/// room, begins with the text.
struct FieldWindow {
    /// What is drawn, a grapheme cluster each, with the terminal cell where it stands.
    private(set) var characters: [(character: Character, x: Int, width: Int)] = []
    /// The terminal cell of the cursor.
    let cursorX: Int
    /// Whether text is out of sight before, which takes the first cell, and behind, which takes the last.
    let isCut: (leading: Bool, trailing: Bool)

    /// O(`width` and the characters without width that are among those seen).
    init(_ field: TextField, width: Int) {
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
}
