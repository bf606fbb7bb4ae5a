import FieldValues

/// The caption, header and shape of a drawn table, found in the first lines of an input.
struct BoxTable {
    let shape: BoxShape
    /// The names of the columns; `nil` if the table has no header.
    private(set) var titles: [[UInt8]]?
    /// The kinds of the types that the header declares; empty if it declares none.
    private(set) var kinds: [ValueKind?] = []
    /// The number of lines of the input before the first row.
    private(set) var headLineCount = 0
    /// The number of columns in the drawing, not counting the column that stands for omitted columns; `nil` if no columns are omitted.
    /// For a tibble, it always has a value, because the first line of a tibble has the number of all columns.
    private(set) var shownColumns: Int?
    /// The lines above the table.
    private(set) var caption: [String] = []

    /// The maximum number of non-empty lines above a table.
    private static let captionLines = 3

    /// Finds the table that begins in the first lines.
    /// - Parameters:
    ///   - lines: complete lines without line ends.
    ///   - isComplete: true if the input has no more lines.
    init?(_ lines: [UnsafeBufferPointer<UInt8>], isComplete: Bool) {
        if let name = Self.framedName(lines) {
            self.init(Array(lines[2...]), isComplete: isComplete)
            headLineCount += 2
            caption.insert(name, at: 0)
            return
        }
        if let tibble = TibbleHeader(lines) {
            self.init(tibble)
            return
        }
        if let first = lines.firstIndex(where: { $0.contains { $0 != 32 } }), let (shape, names) = BoxShape.clickHouse(lines[first]),
            lines.dropFirst(first + 1).first.map(shape.isClickHouseLine) ?? true
        {
            self.init(shape, header: [], rows: lines[(first + 1)...])
            (titles, headLineCount) = (names, first + 1)
            return
        }
        for index in lines.indices.prefix(12) {
            guard let rule = BoxRule(lines[index]) else { continue }
            guard var shape = BoxShape(rule) else { return nil }
            let above = index > 0 ? lines[index - 1] : nil
            // Only polars writes such a rule below types. Other rules of this form are Markdown.
            if rule.hasInnerBars, index < 3 || !Self.arePolarsDashes(lines[index - 2], shape) { continue }
            if rule.isFramed, above.map(shape.isFramed) != true {
                guard let next = Self.nextRule(after: index, lines, shape), next > index + 1 else { return nil }
                let second = BoxRule(lines[next])!
                let isGrid = !rule.isUnicode && second.isDouble && !rule.isDouble && second.junctions == rule.junctions
                shape.joinsLines = isGrid || Self.hasRulesBetweenRows(lines, next, shape)
                self.init(shape, header: Array(lines[index + 1..<next]), rows: lines[(next + 1)...])
                headLineCount = next + 1
                let rest = lines[(next + 1)...]
                if second.isBottom
                    || isComplete && !rule.isUnicode && rest.first.map({ BoxRule($0) == nil && !shape.startsWithBar($0) }) ?? true
                {
                    // If the second line is not a rule, the table has no header.
                    (titles, kinds, shownColumns, headLineCount) = (nil, [], nil, index + 1)
                }
                guard storeCaption(lines[..<index]), Self.isMostlyTable(rest, shape) else { return nil }
                return
            }
            if rule.hasSpaces, above?.allSatisfy({ $0 == 32 }) ?? true {
                // A simple table of reStructuredText has a rule above the header too.
                guard let next = Self.nextRule(after: index, lines, shape), next > index + 1 else { return nil }
                self.init(shape, header: Array(lines[index + 1..<next]), rows: lines[(next + 1)...])
                headLineCount = next + 1
                guard storeCaption(lines[..<index]), Self.hasSpacedColumns(lines[(next + 1)...], shape) else { return nil }
                return
            }
            guard index > 0, !rule.isBottom else { return nil }
            let hasTypes = index > 2 && Self.arePolarsDashes(lines[index - 2], shape)
            var first = index - (hasTypes ? 3 : 1)
            var cells: [BoxShape.Cell] = []
            // Julia writes the types in a second line of the header, which has no type in the column of row numbers.
            let joinsTitles =
                shape.style == .open && rule.isUnicode && !shape.gaps.isEmpty && shape.divide(lines[index - 1], into: &cells)
                && lines[index - 1][cells[0].range].allSatisfy { $0 == 32 }
            while first > 0, shape.divide(lines[first - 1], into: &cells), joinsTitles || cells.contains(where: { $0.mark == .newline }) {
                first -= 1
            }
            guard shape.divide(lines[index - 1], into: &cells), lines[index - 1].contains(where: { $0 != 32 }) else { return nil }
            let rest = lines[(index + 1)...]
            switch shape.style {
            case .framed:
                // Rules within Org tables separate groups of rows, not single rows.
                shape.joinsLines = false
            case .open:
                guard lines[first...].prefix(index - first).allSatisfy({ $0.first == 32 }) else { return nil }
                shape.joinsLines = hasTypes && Self.hasRulesBetweenRows(lines, index, shape)
                let isCentered = BoxShape.width(lines[index - 1][...]) == shape.end
                if shape.gaps.isEmpty, !isCentered || rest.first.map({ $0.first != 32 && !Self.isRowCount($0) }) ?? true { return nil }
            case .spaced:
                // A single dash may be a value.
                guard rule.runs.contains(where: { $0.count > 1 }), Self.hasSpacedColumns(rest, shape) else { return nil }
            }
            self.init(shape, header: Array(lines[first..<index]), rows: rest)
            headLineCount = index + 1
            guard storeCaption(lines[..<first]), shape.style == .spaced || Self.isMostlyTable(rest, shape) else { return nil }
            return
        }
        return nil
    }

    private init(_ tibble: TibbleHeader) {
        (shape, titles, kinds, caption) = (tibble.shape, tibble.titles, tibble.kinds, tibble.caption)
        (headLineCount, shownColumns) = (tibble.caption.count + 2, tibble.typeCount)
    }

    /// The name that the program of AWS writes in a frame above a table; `nil` for other lines. A rule without the boundaries of columns
    /// is above the name.
    private static func framedName(_ lines: [UnsafeBufferPointer<UInt8>]) -> String? {
        guard lines.count > 2, let first = BoxRule(lines[0]), !first.isFramed, first.runs.count == 1, lines[1].count > 2,
            let rule = BoxRule(lines[2]), rule.isFramed, !rule.isUnicode, rule.end == first.end, lines[1].first == UInt8(ascii: "|"),
            lines[1].last == UInt8(ascii: "|")
        else { return nil }
        let name = lines[1][1..<lines[1].count - 1].trimmed
        return name.contains(UInt8(ascii: "|")) ? nil : String(decoding: name, as: UTF8.self)
    }

    /// Reads the lines of the header.
    private init(_ shape: BoxShape, header: [UnsafeBufferPointer<UInt8>], rows lines: ArraySlice<UnsafeBufferPointer<UInt8>>) {
        var shape = shape
        shape.findIndentation(lines)
        self.shape = shape
        var rows: [[[UInt8]]] = []
        var cells: [BoxShape.Cell] = []
        for line in header where shape.divide(line, into: &cells) { rows.append(cells.map { Array(line[$0.range].trimmed) }) }
        // polars writes a line of dashes between the names and the types.
        if rows.count > 2, Self.arePolarsDashes(rows[rows.count - 2]) {
            kinds = rows.removeLast().map { Self.declaredKind($0) ?? nil }
            rows.removeLast()
        } else if rows.count > 1, shape.isUnicode, shape.style == .framed {
            let types = rows[rows.count - 1].map { Self.isPlaceholder($0) ? .some(nil) : Self.declaredKind($0) }
            if types.allSatisfy({ $0 != nil }), !rows[rows.count - 1].allSatisfy(Self.isPlaceholder) {
                kinds = types.map { $0 ?? nil }
                rows.removeLast()
            }
        }
        if !kinds.isEmpty, rows[0].contains(Self.ellipsis) { shownColumns = rows[0].count { $0 != Self.ellipsis } }
        titles = (0..<shape.columnCount).map { column in
            Array(rows.map { $0[column] }.filter { !$0.isEmpty }.joined(separator: [32]))
        }
    }

    private static let ellipsis = Array("…".utf8)
    private static let dashes = Array("---".utf8)

    /// True for the cells between the names and the types of polars: `---`, or nothing in the column that stands for omitted columns.
    private static func arePolarsDashes(_ cells: [[UInt8]]) -> Bool {
        cells.contains(dashes) && cells.allSatisfy { $0 == dashes || $0.isEmpty }
    }

    private static func arePolarsDashes(_ line: UnsafeBufferPointer<UInt8>, _ shape: BoxShape) -> Bool {
        var cells: [BoxShape.Cell] = []
        return shape.divide(line, into: &cells) && arePolarsDashes(cells.map { Array(line[$0.range].trimmed) })
    }

    /// True if a type belongs to the column that stands for omitted columns.
    private static func isPlaceholder(_ type: [UInt8]) -> Bool { type.isEmpty || type == ellipsis }

    /// Stores the lines above the table. Returns `false` if there are too many.
    private mutating func storeCaption(_ lines: ArraySlice<UnsafeBufferPointer<UInt8>>) -> Bool {
        caption = lines.map { String(decoding: $0[...].trimmed, as: UTF8.self) }.filter { !$0.isEmpty }
        return caption.count <= Self.captionLines
    }

    /// The index of the rule below the header; `nil` if a line above it does not belong to the table.
    private static func nextRule(after index: Int, _ lines: [UnsafeBufferPointer<UInt8>], _ shape: BoxShape) -> Int? {
        for next in lines.indices[(index + 1)...].prefix(100) {
            if let rule = BoxRule(lines[next]) {
                // The rule that polars draws with `=` below the types has no crossings.
                let isPlain = rule.isDouble && rule.isFramed && rule.junctions.count == 2 && rule.end == shape.end
                return isPlain || BoxShape(rule).map { $0.gaps == shape.gaps && $0.style == shape.style } == true ? next : nil
            }
            if shape.style == .framed, !shape.isFramed(lines[next]) { return nil }
        }
        return nil
    }

    /// True if rules separate the rows: a row follows the first rule below the first row.
    private static func hasRulesBetweenRows(_ lines: [UnsafeBufferPointer<UInt8>], _ header: Int, _ shape: BoxShape) -> Bool {
        var cells: [BoxShape.Cell] = []
        for index in lines.indices[(header + 1)...] where index > header + 1 {
            guard let rule = BoxRule(lines[index]) else { continue }
            guard shape.isRule(rule), !rule.isBottom, !rule.closesColumns, lines.indices.contains(index + 1) else { return false }
            let next = lines[index + 1]
            return shape.divide(next, into: &cells) && (cells.count > 1 || !BoxNotes.isFooter(next))
        }
        return false
    }

    /// True if the lines below the header are mostly rows: the number of other lines exceeds the number of rows by at most 10. False for a
    /// document that contains a table among other text.
    private static func isMostlyTable(_ lines: ArraySlice<UnsafeBufferPointer<UInt8>>, _ shape: BoxShape) -> Bool {
        var (rows, others) = (0, 0)
        var cells: [BoxShape.Cell] = []
        for line in lines where line.contains(where: { $0 != 32 }) {
            if BoxRule(line) != nil || shape.startsWithBar(line) || line.first == 32 && shape.divide(line, into: &cells)
                || shape.splitContinuation(line, into: &cells)
            {
                rows += 1
            } else {
                others += 1
            }
        }
        return others <= rows + 10
    }

    /// True if the first 100 rows have spaces or marks between the columns.
    private static func hasSpacedColumns(_ lines: ArraySlice<UnsafeBufferPointer<UInt8>>, _ shape: BoxShape) -> Bool {
        var rows = 0
        var cells: [BoxShape.Cell] = []
        for line in lines {
            if !line.contains(where: { $0 != 32 }) || BoxRule(line) != nil || isRowCount(line) {
                return rows > 0 || isRowCount(line)
            }
            _ = shape.divide(line, into: &cells)
            // A cell crosses the gap after it if its text continues where the gap starts.
            var (index, column) = (0, 0)
            for (cell, gap) in zip(cells, shape.gaps) where cell.range.upperBound >= index {
                column += BoxShape.width(line[index..<cell.range.upperBound])
                index = cell.range.upperBound
                if column != gap.lowerBound, index < line.count { return false }
            }
            rows += 1
            if rows == 100 { return true }
        }
        return rows > 0
    }

    /// True for a line such as `(3 rows)`.
    static func isRowCount(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard line.first == UInt8(ascii: "("), line.count <= 40 else { return false }
        let words = String(decoding: line[...].trimmed, as: UTF8.self).dropFirst().split(separator: " ")
        return words.count == 2 && words[0].utf8.allSatisfy { (48...57).contains($0) } && words[1].last == ")"
    }

    /// The kind of a declared type. The outer optional is `nil` for an unknown type, the inner one for a known type without a kind.
    private static func declaredKind(_ type: [UInt8]) -> ValueKind?? {
        let name = String(decoding: type, as: UTF8.self)
        if name.hasSuffix("]"), !name.hasPrefix("datetime") { return .some(nil) }
        switch name.prefix(while: { $0 != "(" && $0 != "[" }) {
        case "varchar", "str", "char", "bpchar", "text", "uuid", "cat", "enum", "json", "blob", "bit", "binary": return .some(.text)
        case "tinyint", "smallint", "integer", "bigint", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "utinyint",
            "usmallint", "uinteger", "i8", "i16", "i32", "i64", "u8", "u16", "u32":
            return .some(.integer)
        case "double", "float", "real", "decimal", "f32", "f64": return .some(.decimal)
        case "date": return .some(.date)
        case "timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns", "timestamp with time zone", "datetime": return .some(.dateTime)
        case "time": return .some(.time)
        case "boolean", "bool": return .some(.flag)
        case "hugeint", "uhugeint", "ubigint", "uint64", "int128", "uint128", "u64", "i128", "interval", "duration", "struct", "map",
            "list", "union", "null", "\"null\"", "object", "time with time zone":
            return .some(nil)
        default: return nil
        }
    }
}
