import DataGrid
import TerminalSurface

/// The rectangle of a cell in the frame of the grid, as far as it is in sight.
struct CellBox {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// Terminal cells out of sight at the left.
    var clippedLeading = 0
    /// Terminal cells of the whole cell.
    var fullWidth: Int
    /// Whether enough of it is in sight to tell anything.
    var isLegible = true
}

/// What a cell says, in lines.
struct CellBody {
    var condition: CellContent.Condition
    /// The first line, which most cells have alone; `nil` where a picture takes its place.
    var first: String?
    var rest: [String] = []
    var graphic: CellItem?

    /// What `content` says in a cell of `width` terminal cells.
    /// - Parameter lines: as many as it may be wrapped into.
    init(_ content: CellContent, in column: Column, width: Int, lines limit: Int) {
        condition = content.condition
        if condition == .missing {
            first = "·"
            return
        }
        switch content.item {
        case .icon, .bar, .sparkline:
            graphic = content.item
        case .text, .number, .integer, .moment, .flag:
            let text = ValueText.display(content, in: column)
            // Only prose is broken into lines.
            guard limit > 1, content.isText else {
                first = text
                return
            }
            let lines = TextWrap.lines(text, width: width, limit: limit)
            first = lines.first
            rest = Array(lines.dropFirst())
        }
    }
}

struct CellLook {
    var alignment: CellAlignment
    var style: CellStyle
    /// Of what stands for something else: a cut, a line break, a missing cell.
    var mark: CellStyle
    var isCursor = false
    /// Where what was searched for is found in a line of the cell.
    var matches: ((String) -> [Range<String.Index>])?
}

/// Draws what cells say in rectangles, wherever in the frame those are.
struct CellPainter {
    let theme: Theme
    /// Whether colours with alpha mix with what lies beneath.
    var blendsStyles: Bool
    /// The frame: nothing is drawn outside of it.
    let size: GridSize
    /// Where on the buffer the frame begins.
    let origin: GridPoint
    let glyphs: GlyphSet

    func lay(_ top: CellStyle, over style: CellStyle) -> CellStyle { style.with(top, blending: blendsStyles, base: theme.ground) }

    /// A rectangle on the buffer: what of it lies in the frame.
    func rect(x: Int, y: Int, width: Int, height: Int = 1) -> TerminalRect {
        let columns = (x..<max(x, x + width)).clamped(to: 0..<size.width)
        let rows = (y..<max(y, y + height)).clamped(to: 0..<size.height)
        return TerminalRect(x: origin.x + columns.lowerBound, y: origin.y + rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// Draws the lines of a cell, the first one at `box.y`. The ground is the caller's.
    func paint(_ body: CellBody, in box: CellBox, _ look: CellLook, on buffer: inout CellBuffer) {
        if let graphic = body.graphic { return paint(graphic, in: box, look, on: &buffer) }
        var style = look.style
        if body.condition == .missing { style = look.mark }
        if body.condition == .unreadable { style = lay(theme.unreadable, over: style) }
        guard box.height > 0, let first = body.first else { return }
        let matches = body.condition == .missing ? nil : look.matches
        paint(first, in: box, y: box.y, style, look, matches, on: &buffer)
        for (index, text) in body.rest.prefix(box.height - 1).enumerated() {
            paint(text, in: box, y: box.y + 1 + index, style, look, matches, on: &buffer)
        }
    }

    private func paint(
        _ text: String, in box: CellBox, y: Int, _ style: CellStyle, _ look: CellLook, _ matches: ((String) -> [Range<String.Index>])?,
        on buffer: inout CellBuffer
    ) {
        guard !text.isEmpty else { return }
        write(text, in: box, y: y, alignment: look.alignment, style: style, mark: look.mark, on: &buffer)
        guard let matches else { return }
        paintMatches(matches(text), in: text, box, y: y, look.alignment, look.isCursor, on: &buffer)
    }

    /// Writes at a place of the frame, and no further than the frame goes.
    @discardableResult
    func write(
        _ text: String, x: Int, y: Int, width: Int, style: CellStyle, mark: CellStyle? = nil, ellipsis: Bool = true,
        on buffer: inout CellBuffer
    ) -> Int {
        if x < 0, width > -x {
            // What stands left of the frame is left out.
            return write(
                Self.dropping(-x, from: text), x: 0, y: y, width: width + x, style: style, mark: mark, ellipsis: ellipsis, on: &buffer) - x
        }
        let room = min(width, size.width - x)
        guard x >= 0, room > 0, (0..<size.height).contains(y) else { return 0 }
        return buffer.write(
            text, x: origin.x + x, y: origin.y + y, width: room, style: style.textStyle,
            markStyle: (mark ?? lay(theme.mark, over: style)).textStyle, ellipsis: ellipsis)
    }

    func write(
        _ text: String, in box: CellBox, y: Int, alignment: CellAlignment, style: CellStyle, mark: CellStyle? = nil,
        on buffer: inout CellBuffer
    ) {
        guard box.isLegible else { return }
        let wide = DisplayWidth.of(text, limit: box.fullWidth + 1)
        let free = max(0, box.fullWidth - wide)
        let indent = Self.indent(alignment, free: free)
        // Where the text would begin, were the whole cell in sight.
        let start = indent - box.clippedLeading
        if start >= box.width, box.clippedLeading + box.width < box.fullWidth {
            // A blank would say that there is nothing.
            write("…", x: box.x + box.width - 1, y: y, width: 1, style: mark ?? lay(theme.mark, over: style), on: &buffer)
        } else if start >= 0 {
            write(text, x: box.x + start, y: y, width: box.width - start, style: style, mark: mark, on: &buffer)
        } else {
            // What is cut at the left says so, as what is cut at the right does.
            let rest = Self.dropping(1 - start, from: text)
            guard start + wide > 0 else { return }
            write("…", x: box.x, y: y, width: 1, style: mark ?? lay(theme.mark, over: style), on: &buffer)
            write(rest, x: box.x + 1, y: y, width: box.width - 1, style: style, mark: mark, on: &buffer)
        }
    }

    func paintMatches(
        _ ranges: [Range<String.Index>], in text: String, _ box: CellBox, y: Int, _ alignment: CellAlignment, _ isCursor: Bool,
        on buffer: inout CellBuffer
    ) {
        guard !ranges.isEmpty else { return }
        let wide = DisplayWidth.of(text, limit: box.fullWidth + 1)
        let indent = Self.indent(alignment, free: max(0, box.fullWidth - wide))
        let found = (isCursor ? theme.currentMatch : theme.match).textStyle
        for range in ranges {
            let start = indent + DisplayWidth.of(String(text[..<range.lowerBound]), limit: box.fullWidth) - box.clippedLeading
            let end = start + DisplayWidth.of(String(text[range]), limit: box.fullWidth)
            let low = max(0, start)
            let high = min(box.width, end)
            guard low < high else { continue }
            buffer.restyle(rect(x: box.x + low, y: y, width: high - low)) { $0 = found }
        }
    }

    /// The blanks before text that leaves `free` terminal cells of its cell.
    static func indent(_ alignment: CellAlignment, free: Int) -> Int {
        switch alignment {
        case .leading: 0
        case .center: free / 2
        case .trailing: free
        }
    }

    /// The text without its first `cells` terminal cells; a blank stands for the half of a wide character.
    private static func dropping(_ cells: Int, from text: String) -> String {
        var rest = text.unicodeScalars[...]
        var gone = 0
        while gone < cells, let first = rest.first {
            gone += DisplayWidth.of(String(first))
            rest = rest.dropFirst()
        }
        return String(repeating: " ", count: gone - min(gone, cells)) + String(rest)
    }
}
