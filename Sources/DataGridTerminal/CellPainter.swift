import DataGrid
import FieldValues
import TerminalSurface

/// The visible rectangle of a grid cell, in coordinates of the frame.
struct CellBox {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// The number of terminal cells that are clipped at the left.
    var clippedLeading = 0
    /// The width of the whole grid cell, in terminal cells.
    var fullWidth: Int
    /// True if the visible part is wide enough for readable text.
    var isLegible = true
}

/// The content of a cell, broken into lines.
struct CellBody {
    /// The state of the value, such as missing or null.
    var condition: CellContent.Condition
    /// The first line, usually the only one. `nil` if the content is graphical.
    var firstLine: String?
    /// The lines after the first one.
    var otherLines: [String] = []
    /// The styled parts of each line; empty if the whole text has one style.
    var runs: [[StyledSpan]] = []
    var graphic: CellItem?
    /// True if the first line is a number.
    var isNumber: Bool

    /// Breaks `content` into lines for a cell of `width` terminal cells.
    /// - Parameter limit: the maximum number of lines.
    init(_ content: CellContent, in column: Column, width: Int, lines limit: Int) {
        condition = content.condition
        isNumber = condition == .value && content.item.isNumber(in: column)
        if condition == .missing {
            firstLine = "·"
            return
        }
        switch content.item {
        case .icon, .bar, .sparkline:
            graphic = content.item
        case .text, .styled, .number, .integer, .dateTime, .flag:
            let text = ValueText.display(content, in: column)
            guard limit > 1, content.wrappingText != nil else {
                // Only text can have more lines.
                firstLine = text
                if case .styled(let styled) = content.item { setRuns(styled, in: [Substring(text)], width: width) }
                return
            }
            let lines = TextWrap.substrings(text, width: width, limit: limit)
            firstLine = lines.first.map(String.init)
            otherLines = lines.dropFirst().map(String.init)
            if case .styled(let styled) = content.item { setRuns(styled, in: lines, width: width) }
        }
    }

    /// Sets the styled parts of each line. Content that is not an ordinary value, such as an error, keeps one style.
    private mutating func setRuns(_ styled: [TextRun], in lines: [Substring], width: Int) {
        guard condition == .value else { return }
        runs = lines.map { StyledSpan.spans(of: styled, in: $0, width: width) }
    }
}

/// A part of a line with the style of its `TextRun`.
struct StyledSpan {
    /// The range of terminal cells, counted from the start of the line.
    var cells: Range<Int>
    var style: CellStyle

    /// The styled parts of a line, within its first `width` terminal cells. `line` must be a substring of the joined text of `runs`,
    /// because the indices of both are compared.
    static func spans(of runs: [TextRun], in line: Substring, width: Int) -> [StyledSpan] {
        var spans: [StyledSpan] = []
        var end = line.base.utf8.startIndex
        for run in runs {
            let start = end
            end = line.base.utf8.index(start, offsetBy: run.text.utf8.count)
            let range = max(start, line.startIndex)..<max(start, line.startIndex, min(end, line.endIndex))
            guard let style = run.style, !range.isEmpty else { continue }
            let before = DisplayWidth.of(String(line[..<range.lowerBound]), limit: width)
            guard before < width else { break }
            spans.append(StyledSpan(cells: before..<before + DisplayWidth.of(String(line[range]), limit: width), style: style))
        }
        return spans
    }
}

extension CellContent {
    /// The text that wraps in a tall row; `nil` for items that have one line.
    var wrappingText: String? {
        switch item {
        case .text: text
        case .styled: item.plainText
        default: nil
        }
    }
}

extension CellItem {
    /// True for numbers, and for text in a column of numbers.
    fileprivate func isNumber(in column: Column) -> Bool {
        switch self {
        case .number, .integer: true
        case .text: column.kind.isNumber
        case .styled, .dateTime, .flag, .icon, .bar, .sparkline: false
        }
    }
}

extension String {
    /// True for text with digits and without letters, except the letter of an exponent.
    fileprivate var isNumberText: Bool {
        contains { $0.isASCII && $0.isNumber } && allSatisfy { !$0.isLetter || $0 == "e" || $0 == "E" }
    }
}

/// The alignment and the styles of cell content.
struct CellAppearance {
    var alignment: CellAlignment
    var style: CellStyle
    /// The style of characters that are not content: the ellipsis, the line break mark and the mark of a missing cell.
    var mark: CellStyle
    var isCursor = false
    /// Returns the search matches in a line of the cell; `nil` without a search.
    var matches: ((String) -> [Range<String.Index>])?
}

/// Draws cell content in rectangles of the frame.
struct CellPainter {
    let theme: Theme
    /// True if translucent colors are blended with the colors below.
    var blendsStyles: Bool
    /// The size of the frame. Drawing is clipped to it.
    let size: GridSize
    /// The origin of the frame in the buffer.
    let origin: GridPoint
    let glyphs: GlyphSet

    func layered(_ top: CellStyle, over style: CellStyle) -> CellStyle { style.applying(top, blending: blendsStyles, base: theme.ground) }

    /// A style with a decoration of the theme over it, in a readable color.
    func decorated(_ top: CellStyle, over style: CellStyle) -> CellStyle {
        style.decorated(with: top, blending: blendsStyles, base: theme.ground)
    }

    /// The part of a rectangle that lies in the frame, in coordinates of the buffer.
    func rect(x: Int, y: Int, width: Int, height: Int = 1) -> TerminalRect {
        let columns = (x..<max(x, x + width)).clamped(to: 0..<size.width)
        let rows = (y..<max(y, y + height)).clamped(to: 0..<size.height)
        return TerminalRect(x: origin.x + columns.lowerBound, y: origin.y + rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// Draws the lines of a cell, the first at `box.y`. The caller fills the background.
    func paintBody(_ body: CellBody, in box: CellBox, _ appearance: CellAppearance, on buffer: inout CellBuffer) {
        if let graphic = body.graphic { return paintItem(graphic, in: box, appearance, on: &buffer) }
        var style = appearance.style
        let isValue = body.condition == .value || body.condition == .unreadable
        if !isValue { style = appearance.mark }
        if body.condition == .unreadable { style = layered(theme.unreadable, over: style) }
        guard box.height > 0, let first = body.condition == .pending ? glyphs.pending : body.firstLine else { return }
        let matches = isValue ? appearance.matches : nil
        paintLine(first, in: box, y: box.y, style, appearance, body.runs.first ?? [], matches, isNumber: body.isNumber, on: &buffer)
        for (index, text) in body.otherLines.prefix(box.height - 1).enumerated() {
            let runs = body.runs.isEmpty ? [] : body.runs[index + 1]
            paintLine(text, in: box, y: box.y + 1 + index, style, appearance, runs, matches, on: &buffer)
        }
    }

    private func paintLine(
        _ text: String, in box: CellBox, y: Int, _ style: CellStyle, _ appearance: CellAppearance, _ runs: [StyledSpan],
        _ matches: ((String) -> [Range<String.Index>])?, isNumber: Bool = false, on buffer: inout CellBuffer
    ) {
        guard !text.isEmpty else { return }
        write(text, in: box, y: y, alignment: appearance.alignment, style: style, mark: appearance.mark, isNumber: isNumber, on: &buffer)
        if !runs.isEmpty { paintRuns(runs, of: text, in: box, y: y, style, appearance, on: &buffer) }
        guard let matches else { return }
        paintMatches(matches(text), in: text, box, y: y, appearance.alignment, appearance.isCursor, on: &buffer)
    }

    /// Writes text at a position in the frame, clipped to the frame.
    @discardableResult
    func write(
        _ text: String, x: Int, y: Int, width: Int, style: CellStyle, mark: CellStyle? = nil, ellipsis: Bool = true,
        on buffer: inout CellBuffer
    ) -> Int {
        if x < 0, width > -x {
            // Clip the text at the left edge of the frame.
            return write(
                Self.dropping(-x, from: text), x: 0, y: y, width: width + x, style: style, mark: mark, ellipsis: ellipsis, on: &buffer) - x
        }
        let room = min(width, size.width - x)
        guard x >= 0, room > 0, (0..<size.height).contains(y) else { return 0 }
        return buffer.write(
            text, x: origin.x + x, y: origin.y + y, width: room, style: style.textStyle,
            replacementStyle: (mark ?? layered(theme.mark, over: style)).textStyle, ellipsis: ellipsis)
    }

    /// Writes a line of a cell, clipped to the visible part of the cell, with a mark where text is cut off.
    /// - Parameter isNumber: true if the mark replaces a number that is cut off, because its visible digits would be misread as another
    ///   number.
    func write(
        _ text: String, in box: CellBox, y: Int, alignment: CellAlignment, style: CellStyle, mark: CellStyle? = nil, isNumber: Bool = false,
        on buffer: inout CellBuffer
    ) {
        guard box.isLegible else { return }
        let textWidth = DisplayWidth.of(text, limit: box.fullWidth + 1)
        let free = max(0, box.fullWidth - textWidth)
        let indent = Self.indent(alignment, unusedWidth: free)
        // The x coordinate of the text, relative to the visible part of the cell; negative if the text begins in the hidden part.
        let start = indent - box.clippedLeading
        if isNumber, start < 0 || start + textWidth > box.width, box.width > 0, text.isNumberText {
            // Trailing spaces, which align decimal separators, may be cut without a mark.
            let digits = String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
            let count = DisplayWidth.of(digits, limit: box.fullWidth + 1)
            if start >= 0, start + count <= box.width {
                write(digits, x: box.x + start, y: y, width: count, style: style, mark: mark, on: &buffer)
            } else if start + count > 0 {
                let offset = start + Self.indent(alignment, unusedWidth: min(count, box.fullWidth) - 1)
                let x = box.x + max(0, min(offset, box.width - 1))
                write("…", x: x, y: y, width: 1, style: mark ?? layered(theme.mark, over: style), on: &buffer)
            }
        } else if start >= box.width, box.clippedLeading + box.width < box.fullWidth {
            // Without a mark, the cell would look empty.
            write("…", x: box.x + box.width - 1, y: y, width: 1, style: mark ?? layered(theme.mark, over: style), on: &buffer)
        } else if start >= 0 {
            write(text, x: box.x + start, y: y, width: box.width - start, style: style, mark: mark, on: &buffer)
        } else {
            // Mark the clipped text at the left, like text that is clipped at the right.
            let rest = Self.dropping(1 - start, from: text)
            guard start + textWidth > 0 else { return }
            write("…", x: box.x, y: y, width: 1, style: mark ?? layered(theme.mark, over: style), on: &buffer)
            write(rest, x: box.x + 1, y: y, width: box.width - 1, style: style, mark: mark, on: &buffer)
        }
    }

    /// Applies the styles of `TextRun`s to a line that was written in `style`. Marks, such as an ellipsis, keep their style.
    private func paintRuns(
        _ runs: [StyledSpan], of text: String, in box: CellBox, y: Int, _ style: CellStyle, _ appearance: CellAppearance,
        on buffer: inout CellBuffer
    ) {
        guard box.isLegible else { return }
        let textWidth = DisplayWidth.of(text, limit: box.fullWidth + 1)
        let start = Self.indent(appearance.alignment, unusedWidth: max(0, box.fullWidth - textWidth)) - box.clippedLeading
        let plain = style.textStyle
        for run in runs {
            let cells = (start + run.cells.lowerBound..<start + run.cells.upperBound).clamped(to: 0..<box.width)
            let runStyle = self.style(run.style, appearance).textStyle
            buffer.restyle(rect(x: box.x + cells.lowerBound, y: y, width: cells.count)) { if $0 == plain { $0 = runStyle } }
        }
    }

    func paintMatches(
        _ ranges: [Range<String.Index>], in text: String, _ box: CellBox, y: Int, _ alignment: CellAlignment, _ isCursor: Bool,
        on buffer: inout CellBuffer
    ) {
        guard !ranges.isEmpty else { return }
        let textWidth = DisplayWidth.of(text, limit: box.fullWidth + 1)
        let indent = Self.indent(alignment, unusedWidth: max(0, box.fullWidth - textWidth))
        let matchStyle = (isCursor ? theme.currentMatch : theme.match).textStyle
        for range in ranges {
            let start = indent + DisplayWidth.of(String(text[..<range.lowerBound]), limit: box.fullWidth) - box.clippedLeading
            let end = start + DisplayWidth.of(String(text[range]), limit: box.fullWidth)
            let low = max(0, start)
            let high = min(box.width, end)
            guard low < high else { continue }
            buffer.restyle(rect(x: box.x + low, y: y, width: high - low)) { $0 = matchStyle }
        }
    }

    /// The number of spaces before a text, if `unusedWidth` terminal cells of the line are unused.
    static func indent(_ alignment: CellAlignment, unusedWidth: Int) -> Int {
        switch alignment {
        case .leading: 0
        case .center: unusedWidth / 2
        case .trailing: unusedWidth
        }
    }

    /// Returns the text without its first `cells` terminal cells. If the cut splits a wide character, a space replaces its second half.
    private static func dropping(_ cells: Int, from text: String) -> String {
        var rest = text.unicodeScalars[...]
        var removed = 0
        while removed < cells, let first = rest.first {
            removed += DisplayWidth.of(String(first))
            rest = rest.dropFirst()
        }
        return String(repeating: " ", count: removed - min(removed, cells)) + String(rest)
    }
}
