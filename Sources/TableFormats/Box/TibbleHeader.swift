import FieldValues

/// The titles and columns of a tibble, as R prints it: a line such as `# A tibble: 3 × 2`, the titles, the types such as `<chr>`, and rows
/// that begin with their number. Lines that begin with `#` follow the rows.
struct TibbleHeader {
    let shape: BoxShape
    let titles: [[UInt8]]
    /// For each column, the kind of its type.
    let kinds: [ValueKind?]
    /// The lines that begin with `#` above the titles.
    let caption: [String]
    /// The number of columns without that of the row numbers.
    let typeCount: Int

    /// The first words of a printed tibble. Its numbers of rows and columns follow.
    static let prefix = "# A tibble: "

    /// Reads the first lines of an input. Returns `nil` if they are not a tibble.
    init?(_ lines: [UnsafeBufferPointer<UInt8>]) {
        guard lines.first?.starts(with: Self.prefix.utf8) == true else { return nil }
        let head = lines.prefix(10).prefix { $0.first == UInt8(ascii: "#") }
        let rows = lines.dropFirst(head.count + 2).prefix { $0.first != UInt8(ascii: "#") && $0.contains { $0 != 32 } }
        guard !rows.isEmpty, let types = Self.types(lines[head.count + 1]) else { return nil }
        // Blanks in a title between backticks do not divide columns.
        var isQuoted = false
        let titleLine = lines[head.count].map { byte in
            if byte == UInt8(ascii: "`") { isQuoted.toggle() }
            return isQuoted && byte == 32 ? UInt8(ascii: "_") : byte
        }
        var filled: [Bool] = []
        titleLine.withUnsafeBufferPointer { Self.addText(isQuoted ? lines[head.count] : $0, to: &filled) }
        for line in [lines[head.count + 1]] + rows { Self.addText(line, to: &filled) }
        // The last gap before a type divides the columns, because numbers have no blanks, and the other values begin below their type.
        var gaps: [Range<Int>] = []
        var low = 0
        for type in types {
            guard let end = (low..<type.lowerBound).last(where: { !filled[$0] }).map({ $0 + 1 }) else { return nil }
            let start = (low..<end).last { filled[$0] }.map { $0 + 1 } ?? low
            gaps.append(start..<end)
            low = type.upperBound
        }
        guard gaps[0].lowerBound > 0 else { return nil }
        shape = BoxShape(tibbleGaps: gaps)
        var cells: [BoxShape.Cell] = []
        _ = shape.divide(lines[head.count], into: &cells)
        titles = cells.map { cell in
            let title = lines[head.count][cell.range].trimmed
            let hasBackticks = title.count > 2 && title.first == UInt8(ascii: "`") && title.last == UInt8(ascii: "`")
            return Array(hasBackticks ? title.dropFirst().dropLast() : title)
        }
        kinds = [nil] + types.map { Self.kind(lines[head.count + 1][$0.lowerBound + 1..<$0.upperBound - 1]) }
        caption = head.map { String(decoding: $0, as: UTF8.self) }
        typeCount = types.count
    }

    /// The byte ranges of the types in a line such as `  <chr> <list<dbl>>`; `nil` for other lines.
    private static func types(_ line: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
        var types: [Range<Int>] = []
        var (start, depth) = (0, 0)
        for (index, byte) in line.enumerated() {
            if byte >= 0x80 { return nil }
            if byte == UInt8(ascii: "<") {
                if depth == 0 { start = index }
                depth += 1
            } else if byte == UInt8(ascii: ">"), depth > 0 {
                depth -= 1
                if depth == 0 { types.append(start..<index + 1) }
            } else if depth == 0, byte != 32, byte != UInt8(ascii: "*") {
                return nil
            }
        }
        // The column of row numbers precedes the first type, and a blank precedes each of the others.
        let starts = types.map(\.lowerBound)
        return depth == 0 && !types.isEmpty && starts[0] > 1 && !zip(types, starts.dropFirst()).contains { $0.upperBound == $1 }
            ? types : nil
    }

    /// Marks the columns of the terminal in which a line has text.
    private static func addText(_ line: UnsafeBufferPointer<UInt8>, to filled: inout [Bool]) {
        var (index, column) = (0, 0)
        while index < line.count {
            let (scalar, length) = BoxGlyphs.scalar(line, at: index)
            let end = column + BoxGlyphs.width(scalar)
            if end > filled.count { filled += Array(repeating: false, count: end - filled.count) }
            if scalar != 32 { for column in column..<end { filled[column] = true } }
            (index, column) = (index + length, end)
        }
    }

    private static func kind(_ type: Slice<UnsafeBufferPointer<UInt8>>) -> ValueKind? {
        switch String(decoding: type, as: UTF8.self) {
        case "chr", "fct", "ord", "glue": .text
        case "int", "int64": .integer
        case "dbl", "num": .decimal
        case "lgl": .flag
        case "date": .date
        case "dttm": .dateTime
        case "time": .time
        default: nil
        }
    }
}
