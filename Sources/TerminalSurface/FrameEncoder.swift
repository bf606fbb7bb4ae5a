/// An encoder that converts frames to the bytes that update a terminal.
///
/// On a slow line, the speed depends on the number of bytes. Frames are therefore encoded here instead of by a library, and tests count
/// the bytes. Only changed cells are written, and nothing for an unchanged frame. There are two exceptions: a change can also erase the
/// blanks after it up to the end of the row, and a scroll changes all its rows. The encoder tracks the content of the terminal, its
/// cursor and the active style. After any other output to the terminal, call ``invalidate()``.
public struct FrameEncoder: Sendable {
    /// The size in bytes above which a frame is marked as one update, if the terminal supports that. Smaller frames usually arrive in one
    /// packet.
    public static let synchronizationThreshold = 1024

    /// The capabilities of the terminal.
    public let capabilities: TerminalCapabilities
    /// The content of the terminal; `nil` if unknown.
    private var shownSnapshot: ScreenSnapshot?
    private var cursor: (x: Int?, y: Int?)
    private var style: ScreenStyle?
    private var isCursorVisible: Bool?
    /// The scrolling region of the terminal; `nil` if unknown.
    private var scrollRegion: Range<Int>?

    /// Creates an encoder for a terminal in an unknown state.
    public init(capabilities: TerminalCapabilities) {
        self.capabilities = capabilities
    }

    /// Discards the known state of the terminal, so that the next frame is written in full.
    public mutating func invalidate() {
        self = FrameEncoder(capabilities: capabilities)
    }

    /// Returns the bytes that make the terminal show `frame`; empty if it already does.
    ///
    /// - Parameters:
    ///   - frame: the full content of the screen, in the size of the terminal.
    ///   - position: the position of the text cursor, clamped to the frame; `nil` hides it.
    /// - Complexity: O(cells).
    public mutating func encode(_ frame: CellBuffer, cursor position: (x: Int, y: Int)? = nil) -> [UInt8] {
        let snapshot = ScreenSnapshot(frame, depth: capabilities.colorDepth)
        var writer = FrameWriter(capabilities: capabilities, size: frame.size)
        (writer.x, writer.y) = cursor
        writer.style = style
        if let scrollRegion { writer.region = scrollRegion }
        let old: ScreenSnapshot
        if let shownSnapshot, shownSnapshot.size == snapshot.size {
            old = shownSnapshot
        } else {
            old = ScreenSnapshot(blank: snapshot.size)
            writer.clear()
        }
        let runs = FrameDiff.runs(from: old, to: snapshot)
        if !runs.isEmpty {
            let scrolled = scrolled(writer, from: old, to: snapshot, runs)
            // Drawing stops as soon as it takes more bytes than the version that scrolls first.
            let freshRows = shownSnapshot?.size == snapshot.size ? 0..<0 : 0..<snapshot.rows
            let isShorter = writer.draw(runs, of: snapshot, freshRows: freshRows, atMost: scrolled?.bytes.count ?? .max)
            if let scrolled, !isShorter { writer = scrolled }
        }
        moveCursor(to: position, in: &writer)
        shownSnapshot = snapshot
        cursor = (writer.x, writer.y)
        style = writer.style
        scrollRegion = writer.region
        return synchronized(writer.bytes)
    }

    /// The shortest output that scrolls first and then draws the rest of the frame; `nil` if no scroll is possible or useful.
    private func scrolled(
        _ writer: FrameWriter, from old: ScreenSnapshot, to snapshot: ScreenSnapshot, _ runs: [FrameDiff.Run]
    ) -> FrameWriter? {
        guard capabilities.scrollsRegions, let first = runs.first, let last = runs.last, last.row - first.row >= 2 else { return nil }
        guard let scroll = FrameDiff.scroll(from: old, to: snapshot) else { return nil }
        // The candidates differ only in their first and last row. Compare each row only once for all candidates.
        let rows = max(0, scroll.rows.lowerBound - 1)..<min(snapshot.rows, scroll.rows.upperBound + 1)
        let moved = rows.map { row in
            rows.contains(row + scroll.distance) ? FrameDiff.runs(ofRow: row, from: old, row: row + scroll.distance, to: snapshot) : []
        }
        var best: FrameWriter?
        for candidate in scrollCandidates(scroll, rows: snapshot.rows) {
            var attempt = writer
            attempt.scroll(candidate)
            var rest = Array(runs.prefix { $0.row < candidate.rows.lowerBound })
            for row in candidate.rows {
                rest +=
                    candidate.rows.contains(row + scroll.distance)
                    ? moved[row - rows.lowerBound] : FrameDiff.runs(ofRow: row, from: old, row: nil, to: snapshot)
            }
            rest += runs.drop { $0.row < candidate.rows.upperBound }
            let limit = best.map { $0.bytes.count - 1 } ?? .max
            if attempt.draw(rest, of: snapshot, freshRows: candidate.rows, atMost: limit) { best = attempt }
        }
        return best
    }

    /// The scroll, and its variants with one more row at the top, at the bottom or at both. A row with few changed cells, such as the row
    /// that the cursor left, may be cheaper to scroll than to draw.
    private func scrollCandidates(_ scroll: FrameDiff.Scroll, rows: Int) -> [FrameDiff.Scroll] {
        let low = scroll.rows.lowerBound
        let high = scroll.rows.upperBound
        return [(low, high), (low, high + 1), (low - 1, high), (low - 1, high + 1)].filter { $0.0 >= 0 && $0.1 <= rows }.map {
            FrameDiff.Scroll(rows: $0.0..<$0.1, distance: scroll.distance)
        }
    }

    private mutating func moveCursor(to position: (x: Int, y: Int)?, in writer: inout FrameWriter) {
        if let position, writer.size.columns > 0, writer.size.rows > 0 {
            writer.move(x: min(max(0, position.x), writer.size.columns - 1), y: min(max(0, position.y), writer.size.rows - 1))
            if isCursorVisible != true { writer.bytes.append(contentsOf: "\u{1B}[?25h".utf8) }
            isCursorVisible = true
        } else {
            if isCursorVisible != false { writer.bytes.append(contentsOf: "\u{1B}[?25l".utf8) }
            isCursorVisible = false
        }
    }

    private func synchronized(_ bytes: [UInt8]) -> [UInt8] {
        guard capabilities.synchronizesOutput, bytes.count > Self.synchronizationThreshold else { return bytes }
        return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
    }
}

extension FrameWriter {
    /// Clears the screen in the terminal's default colors and moves the cursor to the upper left corner.
    mutating func clear() {
        // Reset the scrolling region before the cursor is moved, because resetting moves the cursor, too.
        bytes.append(contentsOf: "\u{1B}[m\u{1B}[r\u{1B}[H\u{1B}[2J".utf8)
        (x, y, style) = (0, 0, ScreenStyle(bits: 0))
        region = 0..<size.rows
    }
}
