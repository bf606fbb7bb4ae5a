import DataGrid
import TerminalSurface

/// Rows or lines of cards that slide to their new positions after rows or sections were inserted, removed, collapsed or expanded.
///
/// Each line is copied from one of two frames, before and after the change, so nothing is read or painted again. Items that are in both
/// frames move from their old to their new lines. New lines appear between them, and removed lines remain until other lines cover them. The
/// animation slows down towards its end.
struct RowAnimation {
    /// The maximum number of frames; the last frame shows the final state.
    static let frameCount = 6
    /// The time between two frames.
    static let interval = Duration.milliseconds(24)
    /// The time from the change to the final state.
    static let duration = interval * (frameCount - 1)

    /// The frame from which an animation starts, and the items that its lines show. Changes after the frame update the positions of these
    /// items.
    struct Origin {
        let frame: PaintedFrame
        /// The items of the layout of ``frame``, with their current positions; `nil` for removed items.
        private(set) var items: [GridItem?]
        /// The time of the first change that moves rows after the frame was drawn; `nil` without such a change.
        var changeTime: ContinuousClock.Instant?

        init(_ frame: PaintedFrame) {
            self.frame = frame
            items = frame.layout.rowSpans.map(\.item)
        }

        mutating func updateItems(_ newItem: (GridItem) -> GridItem?) { items = items.map { $0.flatMap(newItem) } }

        /// Updates ``items`` after all rows were replaced.
        mutating func updateItems(to new: GridState, from old: GridState) {
            let matches = old.matchingItems(of: items.compactMap(\.self), in: new)
            updateItems { matches[$0] }
        }
    }

    /// The source from which a line is copied: a line of the final frame (`new`), or of the frame before the change (`old`).
    enum Line: Hashable {
        case new(Int)
        case old(Int)
    }

    /// The sources of the lines of a pane in one step of the animation.
    struct PaneLines {
        let pane: Range<Int>
        let lines: [Line]
        let oldFrame: PaintedFrame

        /// Composes the pane from the final frame and the frame before the change.
        func copy(from final: PaintedFrame, to buffer: inout CellBuffer) {
            for (y, line) in zip(pane, lines) {
                switch line {
                case .new(let source): if source != y { final.copyLines(at: source, to: y, of: &buffer) }
                case .old(let source): oldFrame.copyLines(at: source, to: y, of: &buffer)
                }
            }
        }
    }

    /// A row, a section header, or the cards of one line. A removed item is `nil`.
    private struct ItemLine {
        var items: [GridItem?]
        var span: ItemSpan
    }

    /// A sliding row: its first screen line before and after the change. A slide of height 0 represents the end of the rows.
    private struct Slide {
        var oldY: Int
        var newY: Int
        var height: Int
    }

    private let origin: Origin
    private let start: ContinuousClock.Instant
    /// The number of the current frame of the animation, from 1 to ``frameCount``.
    private var step: Int
    /// True if a frame of the animation was drawn.
    var isDrawn = false

    init(_ origin: Origin, from start: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
        (self.origin, self.start) = (origin, start)
        step = Self.step(after: now - start)
    }

    private static func step(after time: Duration) -> Int { min(frameCount, 1 + max(0, Int(time / interval))) }

    /// The time of the next frame; `nil` after the last frame.
    var nextFrame: ContinuousClock.Instant? { step < Self.frameCount ? start + Self.interval * step : nil }

    /// Returns true if another frame is due.
    mutating func advance(to now: ContinuousClock.Instant) -> Bool {
        let before = step
        step = max(step, Self.step(after: now - start))
        return step > before
    }

    /// The sources of the lines of the pane in this step; `nil` if all lines are at their final positions.
    @MainActor
    func paneLines(for painter: GridPainter) -> PaneLines? {
        let layout = painter.layout
        let start = layout.rowSpans.last { $0.pane == .stuck }?.range.upperBound ?? layout.pane.lowerBound
        let before = origin.frame.layout
        guard step < Self.frameCount, layout.presentation != .transposed, start < layout.pane.upperBound,
            before.presentation == layout.presentation, before.pane == layout.pane, before.size == layout.size,
            before.columns == layout.columns, before.slots == layout.slots,
            origin.frame.frame == painter.rect(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
        else { return nil }
        let pane = start..<layout.pane.upperBound
        guard let slides = slides(to: layout, painter.state, end: pane.upperBound) else { return nil }
        let lines = lines(of: pane, slides)
        return lines == pane.map { .new($0) } ? nil : PaneLines(pane: pane, lines: lines, oldFrame: origin.frame)
    }

    /// The lines of the scrolling and stuck items of a layout. Cards side by side are one line, as tall as the tallest.
    private static func itemLines(_ items: [GridItem?], _ spans: [ItemSpan]) -> [ItemLine] {
        var lines: [ItemLine] = []
        for (item, span) in zip(items, spans) where span.pane == .scrolling || span.pane == .stuck {
            if let last = lines.last, last.span.y == span.y {
                lines[lines.count - 1].items.append(item)
                lines[lines.count - 1].span.height = max(last.span.height, span.height)
                lines[lines.count - 1].span.fullHeight = max(last.span.fullHeight, span.fullHeight)
            } else {
                lines.append(ItemLine(items: [item], span: span))
            }
        }
        return lines
    }

    /// The moves of the lines that are in both frames, from top to bottom; `nil` if no line moves, their order changed, or the grid was
    /// scrolled.
    private func slides(to layout: GridLayout, _ state: GridState, end: Int) -> [Slide]? {
        let before = Self.itemLines(origin.items, origin.frame.layout.rowSpans)
        let after = Self.itemLines(layout.rowSpans.map(\.item), layout.rowSpans)
        var oldSpans: [[GridItem?]: ItemSpan] = [:]
        for line in before where !line.items.contains(nil) { oldSpans[line.items] = line.span }
        var slides = after.compactMap { line in
            oldSpans[line.items].flatMap { old in
                let span = line.span
                let matches = old.fullHeight == span.fullHeight && (old.y == span.y || span.pane != .stuck)
                return matches ? Slide(oldY: old.y, newY: span.y, height: span.fullHeight) : nil
            }
        }
        guard let first = slides.first, let last = slides.last, zip(slides, slides.dropFirst()).allSatisfy({ $0.oldY < $1.oldY }) else {
            return nil
        }
        // If the first line moves, rows above it were inserted or removed, or the grid was scrolled. The grid was scrolled if the top item
        // changed, or if an item above the first line still exists.
        let outline = state.outline
        let isScrolled =
            first.newY > first.oldY
            ? origin.frame.top != state.scroll.top
            : before.contains { line in
                guard line.span.pane == .scrolling, line.span.y < first.oldY else { return false }
                return line.items.contains { $0.map { outline.item(at: outline.index(of: $0)) == $0 } ?? false }
            }
        guard first.newY == first.oldY || !isScrolled else { return nil }
        if last.newY == last.oldY {
            // The last line does not move, but rows may leave or enter the pane below it.
            let edge = last.newY + last.height
            let count = outline.itemCount
            // Cards that only change their positions in a line do not slide.
            let previousItems = Set(before.flatMap(\.items))
            let isRefilled = after.contains { $0.span.y >= edge && $0.items.contains { previousItems.contains($0) } }
            if isRefilled {
                // Nothing slides below `edge`: its lines show the final state.
            } else if count > origin.frame.itemCount, let span = after.last?.span, span.y >= edge {
                slides.append(Slide(oldY: edge, newY: min(span.range.upperBound, end), height: 0))
            } else if count < origin.frame.itemCount, let span = before.last?.span, span.y >= edge {
                slides.append(Slide(oldY: min(span.range.upperBound, end), newY: edge, height: 0))
            }
        }
        return slides.contains { $0.oldY != $0.newY } ? slides : nil
    }

    private func lines(of pane: Range<Int>, _ slides: [Slide]) -> [Line] {
        var lines = pane.map { Line.new($0) }
        func show(_ newLine: Int, _ oldLine: Int, at y: Int, isNew: Bool = true) {
            guard pane.contains(y) else { return }
            if isNew, pane.contains(newLine) {
                lines[y - pane.lowerBound] = .new(newLine)
            } else if pane.contains(oldLine) {
                lines[y - pane.lowerBound] = .old(oldLine)
            }
        }
        // The line below the previous item: before the change, after the change, and in this step.
        var (old, new, y) = (pane.lowerBound, pane.lowerBound, pane.lowerBound)
        for slide in slides {
            let top = currentLine(of: slide)
            for offset in 0..<max(0, top - y) { show(new + offset, old + offset, at: y + offset, isNew: new + offset < slide.newY) }
            for offset in 0..<slide.height { show(slide.newY + offset, slide.oldY + offset, at: top + offset) }
            (old, new, y) = (slide.oldY + slide.height, slide.newY + slide.height, top + slide.height)
        }
        for offset in 0..<max(0, pane.upperBound - y) { show(new + offset, old + offset, at: y + offset) }
        return lines
    }

    /// The line of an item in this step, rounded. Items keep their order and never overlap.
    private func currentLine(of slide: Slide) -> Int {
        let total = Self.frameCount * Self.frameCount
        let remaining = (Self.frameCount - step) * (Self.frameCount - step)
        return (2 * (slide.oldY * remaining + slide.newY * (total - remaining)) + total) / (2 * total)
    }
}

extension GridLayout {
    /// The visible rows and section headers of a table. With cards, the tiles as lines across the frame.
    fileprivate var rowSpans: [ItemSpan] { tiles.isEmpty ? itemSpans : tiles.map(\.itemSpan) }
}
