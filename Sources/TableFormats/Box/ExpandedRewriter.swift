import DelimitedText

/// Converts records with one line per field to comma-separated text. psql writes such records in expanded mode, MySQL for `\G`, and SQLite
/// and DuckDB for `.mode line`.
struct ExpandedRewriter: TextRewriter {
    /// The form of a record: the line that starts it, and the lines of its fields.
    enum Style: Sendable {
        /// `-[ RECORD 1 ]---`, then `name | value`.
        case psql(isUnicode: Bool)
        /// `*** 1. row ***`, then `name: value`, aligned at the colon.
        case mySQL
        /// `   id = 1`, aligned at the equals sign, which is at this position. A blank line is between two records.
        case sqlite(position: Int)
    }

    private let style: Style
    /// True if each record starts with a line of its number.
    private var hasHeaders: Bool { if case .sqlite = style { false } else { true } }
    private let notes: BoxNotes
    private var remainingHeadLineCount: Int
    private var lines = LineCollector()
    /// The field names of the first record; empty until its end is read.
    private var titles: [[UInt8]] = []
    /// The column of each field name. It is needed for records whose field names differ from those of the first record.
    private var columns: [[UInt8]: Int] = [:]
    private var names: [[UInt8]] = []
    private var values: [[UInt8]] = []
    private var recordBytes = 0
    /// The byte offset of the colon in each line of a MySQL record; `nil` until it is known.
    private var colon: Int?
    /// True if the value of the last field continues in the next line.
    private var valueContinues = false
    private var hasEnded = false
    /// In a record of SQLite, the number of blank lines before the next line. They belong to a value unless a new record follows.
    private var blankLineCount = 0
    private var rowCount = 0

    private static let maximumRecordBytes = 16 << 20
    /// The maximum number of fields of a record. Databases usually have fewer columns. The limit bounds the output, because each record is
    /// written with all fields of the first one.
    private static let maximumFields = 10_000

    private init(_ style: Style, headLineCount: Int, _ notes: BoxNotes) {
        (self.style, remainingHeadLineCount, self.notes) = (style, headLineCount, notes)
    }

    /// Creates a rewriter for an input that begins with a record. Returns `nil` for any other input.
    init?(_ lines: [UnsafeBufferPointer<UInt8>], makeNotes: ([String]) -> BoxNotes) {
        if let position = Self.equalsPosition(lines) {
            self.init(.sqlite(position: position), headLineCount: 0, makeNotes([]))
            return
        }
        var caption: [String] = []
        for (index, line) in lines.enumerated().prefix(12) {
            if let style = Self.style(ofHeader: line) {
                guard caption.count <= 3 else { return nil }
                self.init(style, headLineCount: index, makeNotes(caption))
                return
            }
            let text = String(decoding: line.prefix(1_000)[...], as: UTF8.self)
            if text.contains(where: { $0 != " " }) { caption.append(text) }
        }
        return nil
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        rowCount = 0
        var lines = lines
        self.lines = LineCollector()
        lines.forEachLine(of: bytes, isEnd: isEnd) { read($0, &output) }
        self.lines = lines
        if isEnd { finishRecord(&output) }
        if rowCount > 0 { notes.addRows(rowCount) }
    }

    /// The style of a line that begins a record; `nil` for any other line.
    private static func style(ofHeader line: UnsafeBufferPointer<UInt8>) -> Style? {
        let text = line[...].trimmed
        guard text.count >= 10, text.count < 1_000 else { return nil }
        if text.first == UInt8(ascii: "*"), text.last == UInt8(ascii: "*") {
            let words = String(decoding: text, as: UTF8.self).split(separator: " ")
            guard words.count == 4, words[2] == "row", words[1].last == ".",
                words[1].dropLast().utf8.allSatisfy({ (48...57).contains($0) }),
                words[0].utf8.allSatisfy({ $0 == 42 }), words[3].utf8.allSatisfy({ $0 == 42 })
            else { return nil }
            return .mySQL
        }
        guard [UInt8(ascii: "-"), UInt8(ascii: "+"), 0xE2].contains(text[text.startIndex]) else { return nil }
        let header = String(decoding: text, as: UTF8.self)
        guard let open = header.firstIndex(of: "["), header[open...].hasPrefix("[ RECORD "), let close = header.firstIndex(of: "]"),
            open < close,
            header[open..<close].dropFirst(9).allSatisfy({ $0 == " " || $0.isNumber }),
            header[..<open].unicodeScalars.allSatisfy({ isRule($0.value) }),
            header[close...].dropFirst().unicodeScalars.allSatisfy({ isRule($0.value) })
        else { return nil }
        return .psql(isUnicode: text.first == 0xE2)
    }

    private static func isRule(_ scalar: UInt32) -> Bool {
        scalar == UInt32(UInt8(ascii: "+")) || BoxGlyphs.isHorizontal(scalar) || BoxGlyphs.isJunction(scalar)
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if remainingHeadLineCount > 0 {
            remainingHeadLineCount -= 1
            return
        }
        if hasHeaders, Self.style(ofHeader: line) != nil {
            finishRecord(&output)
            hasEnded = false
            return
        }
        if hasEnded { return notes.addFooter(line) }
        // Line ends count, too, because a value may contain any number of blank lines.
        recordBytes += line.count + 1
        if recordBytes > Self.maximumRecordBytes || names.count == Self.maximumFields { finishRecord(&output) }
        switch style {
        case .psql(let isUnicode): readField(line, isUnicode, &output)
        case .mySQL: readField(line, &output)
        case .sqlite(let position): readField(line, position, &output)
        }
    }

    /// The position of the equals sign in the first lines, if they are a record of SQLite. Its names are right-aligned, and the equals sign
    /// is next to the longest name, but not before column 6. Other text can have this form by chance, so a record without a second one
    /// after a blank line must have at least three names, not all of the same length, and no other lines.
    private static func equalsPosition(_ lines: [UnsafeBufferPointer<UInt8>]) -> Int? {
        guard let first = lines.first, let position = first.indices.first(where: { isEquals(first, at: $0) }), position > 5 else {
            return nil
        }
        let fields = lines.prefix { name($0, position) != nil }
        let names = fields.map { Array(name($0, position)!) }
        let isRecord =
            fields.count > 2 && Set(names.map(\.count)).count > 1 && lines[fields.count...].allSatisfy(\.isEmpty)
            || zip(lines, lines.dropFirst()).contains { $0.isEmpty && name($1, position)?.elementsEqual(names[0]) == true }
        let hasLongestName = position == 6 || lines.contains { $0.first != 32 && name($0, position) != nil }
        guard fields.count > 1, isRecord, hasLongestName, fields.contains(where: { $0.first == 32 }) else { return nil }
        return Set(names).count == names.count && !names.contains { $0.isEmpty } ? position : nil
    }

    private static func isEquals(_ line: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        line[index] == UInt8(ascii: "=") && index > 1 && line[index - 1] == 32 && line[index - 2] != 32 && index + 1 < line.count
            && line[index + 1] == 32
    }

    /// The name before an equals sign at a position, counted in bytes or in columns of the terminal; `nil` for other lines.
    private static func name(_ line: UnsafeBufferPointer<UInt8>, _ position: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
        guard let equals = line.indices.first(where: { isEquals(line, at: $0) }),
            equals == position || BoxShape.width(line[..<equals]) == position
        else { return nil }
        return line[..<equals].trimmed
    }

    /// Reads a line of SQLite output.
    private mutating func readField(_ line: UnsafeBufferPointer<UInt8>, _ position: Int, _ output: inout [UInt8]) {
        if line.isEmpty, !names.isEmpty { return blankLineCount += 1 }
        if let name = Self.name(line, position) {
            if !names.isEmpty, name.elementsEqual(titles.first ?? names[0]) {
                // All blank lines but the last one are the end of a value. No blank line precedes the first record of another query.
                values[values.count - 1] += Array(repeating: 10, count: max(0, blankLineCount - 1))
                finishRecord(&output)
            }
            if blankLineCount == 0 {
                names.append(Array(name))
                return values.append(Array(line[min(name.endIndex + 3, line.count)...]))
            }
        }
        guard !values.isEmpty else { return notes.addFooter(line) }
        // The value contains a line end, so this line continues it.
        values[values.count - 1] += Array(repeating: 10, count: blankLineCount + 1) + line
        blankLineCount = 0
    }

    /// Reads a line of psql output.
    private mutating func readField(_ line: UnsafeBufferPointer<UInt8>, _ isUnicode: Bool, _ output: inout [UInt8]) {
        let text = line[...].trimmed
        // A line that consists of a rule is the bottom of a framed record.
        if !text.isEmpty, String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy({ Self.isRule($0.value) }) {
            finishRecord(&output)
            return hasEnded = true
        }
        func bar(from start: Int) -> Range<Int>? {
            for index in line.indices[start...] {
                if !isUnicode {
                    if line[index] == UInt8(ascii: "|") { return index..<index + 1 }
                } else if line[index] == 0xE2, BoxGlyphs.isBar(BoxGlyphs.scalar(line, at: index).value) {
                    return index..<index + 3
                }
            }
            return nil
        }
        guard var first = bar(from: 0) else {
            finishRecord(&output)
            hasEnded = true
            return notes.addFooter(line)
        }
        var (start, end) = (0, line.count)
        // A frame has a bar at both ends.
        if first.lowerBound == 0, let next = bar(from: first.upperBound), text.endIndex - first.count >= next.upperBound,
            bar(from: text.endIndex - first.count) != nil
        {
            (start, end, first) = (first.upperBound, text.endIndex - first.count, next)
        }
        let name = line[start..<max(start, first.lowerBound)].trimmed
        var value = line[min(first.upperBound, end)..<end]
        let isContinuation = valueContinues && !values.isEmpty && name.isEmpty
        if value.first == 32 { value.removeFirst() }
        while value.last == 32 { value.removeLast() }
        valueContinues = value.last == UInt8(ascii: "+") || value.suffix(3).elementsEqual([0xE2, 0x86, 0xB5])
        if isContinuation {
            var last = values.removeLast()
            // The line above ends with a mark that says that the value continues. The mark is removed.
            last.removeLast(last.last == UInt8(ascii: "+") ? 1 : 3)
            while last.last == 32 { last.removeLast() }
            last.append(10)
            last.append(contentsOf: value)
            values.append(last)
        } else {
            names.append(Array(name))
            values.append(Array(value))
        }
    }

    /// Reads a line of MySQL output.
    private mutating func readField(_ line: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        if names.isEmpty { colon = line.firstIndex(of: UInt8(ascii: ":")) }
        if let colon, colon < line.count, line[colon] == UInt8(ascii: ":"), colon + 1 >= line.count || line[colon + 1] == 32 {
            names.append(Array(line[..<colon].trimmed))
            values.append(Array(line[min(colon + 2, line.count)...]))
            return
        }
        let text = line.count < 100 ? String(decoding: line, as: UTF8.self) : ""
        if names.isEmpty || text.hasSuffix(" sec)") || text.hasSuffix(" in set") {
            finishRecord(&output)
            hasEnded = true
            return notes.addFooter(line)
        }
        // The value contains a line end, so this line continues it.
        values[values.count - 1].append(10)
        values[values.count - 1].append(contentsOf: line)
    }

    private mutating func finishRecord(_ output: inout [UInt8]) {
        defer {
            names.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
            (recordBytes, colon, valueContinues, blankLineCount) = (0, nil, false, 0)
        }
        guard !names.isEmpty else { return }
        if titles.isEmpty {
            titles = names
            RowText.append(titles.map { $0.map { $0 == 10 ? 32 : $0 } }, to: &output)
        }
        if names != titles {
            var fields = titles.map { _ in [UInt8]() }
            var isFilled = titles.map { _ in false }
            if columns.isEmpty { columns = Dictionary(zip(titles, titles.indices)) { first, _ in first } }
            for (index, name) in names.enumerated() {
                let column = titles.indices.contains(index) && titles[index] == name ? index : columns[name]
                if let column, !isFilled[column] {
                    (fields[column], isFilled[column]) = (values[index], true)
                } else {
                    // The first record has no other field with this name, so this record belongs to another result. The value is written
                    // with its name.
                    fields.append(name + Array(": ".utf8) + values[index])
                }
            }
            values = fields
        }
        RowText.append(values, to: &output)
        rowCount += 1
    }
}
