/// Lines of names and aligned values, such as the output of `lscpu` and the file `/proc/meminfo`: `Architecture:     x86_64`. Blanks or
/// tabs may precede the colon, as in `/proc/cpuinfo`.
///
/// A line of another form has no name: the whole line is shown as its value.
struct LabelLayout: LineLayout {
    var titles: [String] { ["name", "value"] }
    var hasColumnNames: Bool { false }
    var headerLines: Int { 0 }
    var details: [(name: String, value: String)] { [("format", "names with values"), ("header", "none")] }

    /// Detects the layout. Returns `nil` unless the first line, and nearly all lines after it, have a name and a value, and the values are
    /// aligned after names of different lengths. A single line needs a name without blanks.
    /// - Parameter isWhole: true if the lines are the whole input, so that a single line can have this layout.
    init?(_ lines: [ArraySlice<UInt8>], isWhole: Bool) {
        let lines = lines.prefix(1_000).filter { $0.contains { $0 > 32 } }
        let found = lines.map { line in line.withUnsafeBufferPointer { Parts($0) } }
        guard let line = lines.first, let first = found[0], !first.value.isEmpty else { return nil }
        if lines.count == 1 {
            guard isWhole, !line.dropFirst(first.name.lowerBound).prefix(first.name.count).contains(32) else { return nil }
            return
        }
        let parts = found.compactMap { $0 }.filter { !$0.value.isEmpty }
        // The longest name may have a single blank after it. If there are two lines, one of them has the longest name.
        let padded = parts.count { $0.blanks > 1 }
        guard parts.count * 20 >= lines.count * 19, padded * 3 > parts.count || padded == 1 && lines.count == 2,
            Set(parts.map(\.name.count)).count > 1
        else { return nil }
        let starts = parts.count { $0.valueColumn == first.valueColumn }
        let ends = parts.count { $0.firstWordEnd == first.firstWordEnd }
        guard max(starts, ends) * 10 >= parts.count * 9 else { return nil }
        // Reject lines whose values all have the same number of words, more than one. They are the rows of a table.
        let widths = Set(
            zip(lines, found).compactMap { line, part in
                part.map { line.dropFirst($0.value.lowerBound).split(separator: 32).count }
            })
        guard widths.count > 1 || widths == [1] else { return nil }
    }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        guard let parts = Parts(line) else {
            fields.append(line[..<0])
            return fields.append(line[...])
        }
        fields.append(trimming: line[parts.name])
        fields.append(trimming: line[parts.value])
    }

    /// The places of the name and the value in a line.
    private struct Parts {
        var name: Range<Int>
        var value: Range<Int>
        /// The end of the first word of the value.
        var firstWordEnd: Int
        /// The terminal column in which the value begins.
        var valueColumn = 0
        /// The number of blank columns between the name and the value.
        var blanks = 0

        /// The name ends at the first colon before a blank or the end of the line, or at the blanks before this colon.
        init?(_ line: UnsafeBufferPointer<UInt8>) {
            guard
                let colon = line.indices.first(where: { index in
                    line[index] == UInt8(ascii: ":") && (index + 1 == line.count || line[index + 1] == 32)
                }), let first = line[..<colon].firstIndex(where: { $0 != 32 }),
                let last = line[..<colon].lastIndex(where: { $0 != 32 && $0 != 9 }), !line[..<last].contains(9)
            else { return nil }
            let start = line[(colon + 1)...].firstIndex { $0 != 32 } ?? line.count
            (name, value) = (first..<last + 1, start..<line.count)
            firstWordEnd = line[start...].firstIndex(of: 32) ?? line.count
            valueColumn = last + 1
            for byte in line[(last + 1)..<start] { valueColumn = byte == 9 ? valueColumn / 8 * 8 + 8 : valueColumn + 1 }
            blanks = valueColumn - last - 2
        }
    }
}
