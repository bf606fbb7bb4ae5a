import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import FieldValues
import Tables
import TerminalSurface

/// The lines of the row view: every visible column with its whole value, wrapped.
///
/// Only the visible part of the row is read, in pieces of limited size. So scrolling by a page takes the same time for cells of any size.
struct RowViewText {
    struct Line: Equatable {
        /// The column title if this is the first line of a value; otherwise empty.
        var title: String
        var value: String
        /// True if the line has a note such as `(empty)` instead of a value, because the field is empty, missing, null or not read yet.
        var isNote: Bool
        var position: RecordPosition

        /// True for the first line of a field.
        var isStart: Bool { position.piece == 0 && position.byteOffset == 0 }
    }

    let columns: [Column]
    let record: any LazyRecord
    let titleWidth: Int
    let valueWidth: Int
    /// Runs a function that reads the file. Returns `nil` if reading fails, and records the failure.
    private let readValue: ValueReading

    /// A function that runs `body`, as `TableGridSource.recordingFailure` does.
    typealias ValueReading = (_ body: () throws -> String?) -> String??

    init(_ columns: [Column], of record: any LazyRecord, width: Int, readValue: @escaping ValueReading) {
        self.columns = columns
        self.record = record
        self.readValue = readValue
        titleWidth = min(max(8, width / 3), max(4, columns.map { DisplayWidth.of($0.title, limit: 40) }.max() ?? 4))
        valueWidth = max(1, width - titleWidth - 5)
    }

    // MARK: Lines

    /// At most `count` lines, beginning with the line that contains `position`.
    func lines(from position: RecordPosition, count: Int) -> [Line] {
        var result: [Line] = []
        var piece: RecordPosition? = position
        while let next = piece, result.count < count {
            let all = lines(ofPieceAt: next)
            result += all[index(of: next, in: all)...].prefix(count - result.count)
            piece = self.piece(after: next)
        }
        return result
    }

    /// The lines of one piece of a cell; at least one line, unless there are no columns.
    private func lines(ofPieceAt position: RecordPosition) -> [Line] {
        guard position.column < columns.count else { return [] }
        let column = columns[position.column]
        let (field, isRead) = readField(position.column)
        func line(_ value: String, isNote: Bool, offset: Int) -> Line {
            let start = RecordPosition(column: position.column, piece: position.piece, byteOffset: offset)
            return Line(title: position.piece == 0 && offset == 0 ? column.title : "", value: value, isNote: isNote, position: start)
        }
        guard let field, var text = readValue({ try record.text(of: field, piece: position.piece) }) ?? nil
        else {
            if record.isNull(column.field.rawValue) { return [line("null", isNote: true, offset: 0)] }
            // A dot stands for a missing value, and an ellipsis for a value that is not read yet. A value that cannot be read has the same
            // mark as in the table.
            return [line(field != nil || !isRead ? "░" : record.isComplete ? "·" : "…", isNote: true, offset: 0)]
        }
        if text.isEmpty, field.pieceCount <= 1 { return [line("(empty)", isNote: true, offset: 0)] }
        if field.pieceCount <= 1 { text = Self.displayText(text, in: column) }
        var pieces = TextWrap.substrings(text, width: valueWidth)
        // Remove an empty last line, because the next piece of the cell starts on a new line in any case.
        if position.piece + 1 < field.pieceCount, pieces.count > 1, pieces.last?.isEmpty == true { pieces.removeLast() }
        return pieces.map { line(String($0), isNote: false, offset: text.utf8.distance(from: text.startIndex, to: $0.startIndex)) }
    }

    /// The value as the grid displays it.
    private static func displayText(_ text: String, in column: Column) -> String {
        column.kind == .text ? text : ValueText.display(CellContent(text), in: column).trimmingBlanks
    }

    /// A search in the fields of a row. It reads a limited part of long values, so that a key press takes a limited time.
    struct FieldSearch {
        let finder: TextHighlighter
        /// The number of bytes that may still be read, in addition to the first piece of each value.
        var remainingBytes = 8 << 20
        /// True if a value was not searched to its end.
        var isIncomplete = false
    }

    /// The start of a field if its name has the text, otherwise the position of the text in its value, as stored or as displayed. `nil` if
    /// the text was not found.
    func firstMatch(of search: inout FieldSearch, in index: Int) -> RecordPosition? {
        let (column, start) = (columns[index], RecordPosition(column: index))
        if !search.finder.ranges(in: column.title).isEmpty { return start }
        guard let field = field(index) else {
            if !record.isComplete { search.isIncomplete = true }
            return nil
        }
        // The end of the previous piece, because a match may continue in the next piece.
        var (tail, previousLength) = ("", 0)
        for piece in 0..<field.pieceCount {
            guard piece == 0 || search.remainingBytes > 0, let text = readValue({ try record.text(of: field, piece: piece) }) ?? nil else {
                search.isIncomplete = true
                return nil
            }
            if field.pieceCount == 1, column.kind != .text {
                let texts = [text, Self.displayText(text, in: column)]
                return texts.contains { !search.finder.ranges(in: $0).isEmpty } ? start : nil
            }
            if piece > 0 { search.remainingBytes -= text.utf8.count }
            let joined = tail + text
            if let match = search.finder.ranges(in: joined).first {
                let offset = joined.utf8.distance(from: joined.startIndex, to: match.lowerBound) - tail.utf8.count
                return offset < 0
                    ? RecordPosition(column: index, piece: piece - 1, byteOffset: previousLength + offset)
                    : RecordPosition(column: index, piece: piece, byteOffset: offset)
            }
            (tail, previousLength) = (String(text.suffix(1_000)), text.utf8.count)
        }
        if field.isPartial { search.isIncomplete = true }
        return nil
    }

    /// The first match in the next field that has the text, or in the previous one if `step` is -1. Wraps around, and searches each field
    /// once. If `includingCurrent` is false, the current field is the last one.
    func firstMatch(of search: inout FieldSearch, from current: Int, by step: Int, includingCurrent: Bool) -> RecordPosition? {
        let first = includingCurrent ? 0 : 1
        for distance in first..<first + columns.count {
            let field = ((current + step * distance) % columns.count + columns.count) % columns.count
            if let match = firstMatch(of: &search, in: field) { return match }
        }
        return nil
    }

    private func index(of position: RecordPosition, in lines: [Line]) -> Int {
        lines.lastIndex { $0.position.byteOffset <= position.byteOffset } ?? 0
    }

    private func field(_ column: Int) -> LazyField? { readField(column).field }

    /// The field of a column, and false if reading it fails. The field is `nil` if the record does not have it.
    private func readField(_ column: Int) -> (field: LazyField?, isRead: Bool) {
        guard column < columns.count else { return (nil, true) }
        var found: LazyField?
        let result = readValue {
            found = try record.field(columns[column].field.rawValue)
            return nil
        }
        return (found, result != nil)
    }

    private func piece(after position: RecordPosition) -> RecordPosition? {
        if position.piece + 1 < field(position.column)?.pieceCount ?? 1 {
            return RecordPosition(column: position.column, piece: position.piece + 1)
        }
        return position.column + 1 < columns.count ? RecordPosition(column: position.column + 1) : nil
    }

    private func piece(before position: RecordPosition) -> RecordPosition? {
        if position.piece > 0 { return RecordPosition(column: position.column, piece: position.piece - 1) }
        return position.column > 0 ? lastPiece(of: position.column - 1) : nil
    }

    private func lastPiece(of column: Int) -> RecordPosition { RecordPosition(column: column, piece: (field(column)?.pieceCount ?? 1) - 1) }

    // MARK: Scrolling

    /// The line at the top of the page after scrolling from `position`. Scrolling stops where the last page is full, with `height` lines.
    func position(_ motion: RecordMotion, from position: RecordPosition, height: Int) -> RecordPosition {
        guard !columns.isEmpty else { return .top }
        switch motion {
        case .lines(let count): return self.position(moving: position, by: count, height: height)
        case .top: return .top
        case .bottom: return startOfLastPage(height)
        }
    }

    /// The index of the field that is `count` fields after `current`, or before it if `count` is negative.
    ///
    /// If `current` is not visible on the page at `position`, counts from the top of the page. If the field at the top starts above the
    /// page, going back by one goes to its start.
    func field(movingBy count: Int, from current: Int, position: RecordPosition, height: Int) -> Int {
        let page = lines(from: position, count: height)
        guard let first = page.first else { return current }
        var start = current
        if !page.contains(where: { $0.position.column == current }) {
            start = first.position.column - (count > 0 && first.isStart ? 1 : 0) + (count < 0 && !first.isStart ? 1 : 0)
        } else if count < 0, !page.contains(where: { $0.position.column == current && $0.isStart }) {
            start = current + 1
        }
        return min(max(0, start + count), columns.count - 1)
    }

    /// The start of the page that shows the line with `target`, a position that can be in the middle of a line. This is `position` if that
    /// line is visible already. Otherwise, it is the start of that line, or the start of the last full page if the line is near the end.
    func position(showing target: RecordPosition, from position: RecordPosition, height: Int) -> RecordPosition {
        guard let line = lines(from: target, count: 1).first?.position else { return position }
        return lines(from: position, count: height).contains { $0.position == line } ? position : cappedAtLastPage(line, height)
    }

    private func position(moving position: RecordPosition, by count: Int, height: Int) -> RecordPosition {
        if count < 0 { return self.position(before: position, lines: -count) }
        let lines = lines(from: position, count: count + height)
        return lines.count < count + height
            ? cappedAtLastPage(lines.dropFirst(count).first?.position ?? position, height) : lines[count].position
    }

    /// `position`, or the start of the last full page if fewer than `height` lines come after `position`.
    private func cappedAtLastPage(_ position: RecordPosition, _ height: Int) -> RecordPosition {
        lines(from: position, count: height).count < height ? startOfLastPage(height) : position
    }

    private func startOfLastPage(_ height: Int) -> RecordPosition {
        let last = lastPiece(of: columns.count - 1)
        let line = lines(ofPieceAt: last).last?.position ?? last
        return position(before: line, lines: height - 1)
    }

    /// The line that is `count` lines above `position`, or the first line of the row.
    private func position(before position: RecordPosition, lines count: Int) -> RecordPosition {
        var piece = position
        var all = lines(ofPieceAt: piece)
        var at = index(of: position, in: all)
        var left = count
        while at < left {
            left -= at
            guard let previous = self.piece(before: piece) else { return .top }
            piece = previous
            all = lines(ofPieceAt: piece)
            at = all.count
        }
        return all.isEmpty ? .top : all[at - left].position
    }

    // MARK: Position

    /// The part of the row that a page shows, such as `40 % of 2 MB`; empty if the page shows the whole row.
    /// - Parameter lines: the lines of the page, and one more line if the row continues.
    func positionText(of lines: [Line], height: Int) -> String {
        guard let first = lines.first, let last = lines.prefix(height).last else { return "" }
        let next = lines.count > height ? lines[height] : nil
        guard first.position != .top || next != nil else { return "" }
        var parts: [String] = []
        if let field = field(first.position.column), field.pieceCount > 1 {
            let size = field.byteRange.count
            let end = next.flatMap { $0.position.column == first.position.column ? $0.position : nil }
            let bytes = end.map { min(size, $0.piece * record.pieceBytes + $0.byteOffset) } ?? size
            parts.append(
                field.isPartial
                    ? "\(ByteText.text(bytes)) of …"
                    // Show 100 % only if the end of the field is visible.
                    : "\(end == nil ? 100 : min(99, Int(Double(bytes) / Double(size) * 100))) % of \(ByteText.text(size))")
        }
        if columns.count > 1 {
            let (a, b) = (first.position.column + 1, last.position.column + 1)
            parts.append(
                a == b
                    ? "column \(ValueText.count(a)) of \(ValueText.count(columns.count))"
                    : "columns \(ValueText.count(a))–\(ValueText.count(b)) of \(ValueText.count(columns.count))")
        }
        return parts.joined(separator: " · ")
    }
}

/// Formats sizes in bytes with up to three digits and a unit.
enum ByteText {
    /// A size such as `812 bytes`, `4.2 kB` or `400 MB`.
    static func text(_ count: Int) -> String {
        count < 1_000 ? "\(count) bytes" : text(Double(count) / 1_000, units: ["kB", "MB", "GB", "TB"])
    }

    /// A number with one of `units`. Each unit is a thousand times the unit before it.
    static func text(_ value: Double, units: [String]) -> String {
        var (value, unit) = (max(0, value), 0)
        while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1_000, unit + 1) }
        let tenths = Int((min(value, 100) * 10).rounded())
        return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(min(999, value.rounded())))") + " \(units[unit])"
    }
}
