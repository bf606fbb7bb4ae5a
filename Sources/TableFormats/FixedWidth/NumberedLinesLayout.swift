import DelimitedText

/// Lines that begin with numbers or a commit, such as the output of `uniq -c`, `wc`, `cat -n` and `git log --oneline`. The rest of a line
/// is one column of text.
///
/// A line of another form has no numbers: the whole line is shown as text.
struct NumberedLinesLayout: LineLayout {
    var titles: [String]
    /// True if a line begins with a commit instead of a number.
    var hasCommits = false
    /// The byte between the last number and the text.
    var separator = UInt8(ascii: " ")
    /// The number of separator bytes before the text. Any further separator bytes belong to the text, because they may be its indentation.
    var separatorCount = 1

    var hasColumnNames: Bool { false }
    var headerLines: Int { 0 }
    var details: [(name: String, value: String)] {
        [("format", hasCommits ? "lines that begin with a commit" : "lines that begin with numbers"), ("header", "none")]
    }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        var cursor = LineCursor(line)
        let last = titles.count - 1
        guard let text = skipNumbers(last, &cursor) else {
            for _ in 0..<last { fields.append(line[..<0]) }
            return fields.append(line[...])
        }
        cursor = LineCursor(line)
        for _ in 0..<last {
            cursor.skipSpaces()
            fields.append(readNumber(&cursor)!)
        }
        fields.append(line[text...])
    }

    /// Moves past `count` numbers and the separator. Returns the offset of the text; `nil` if the line has another form.
    private func skipNumbers(_ count: Int, _ cursor: inout LineCursor) -> Int? {
        for _ in 0..<count {
            cursor.skipSpaces()
            guard readNumber(&cursor) != nil else { return nil }
        }
        // An editor may have removed the separator before an empty text.
        if cursor.isAtEnd { return cursor.index }
        for _ in 0..<separatorCount { guard cursor.skip(Unicode.Scalar(separator)) else { return nil } }
        return cursor.index
    }

    /// Reads the next word if it is a number or, if ``hasCommits`` is true, a commit. Otherwise returns `nil`.
    private func readNumber(_ cursor: inout LineCursor) -> LineCursor.Part? {
        let word = cursor.rest.prefix { $0 != 32 && $0 != 9 }
        guard hasCommits ? Self.isCommit(word) : Self.isNumber(word) else { return nil }
        return cursor.readBytes(word.count)
    }

    static func isNumber(_ word: some Collection<UInt8>) -> Bool {
        !word.isEmpty && word.count <= 18 && word.allSatisfy { 48...57 ~= $0 }
    }

    /// True for a commit hash in small letters, complete or abbreviated.
    static func isCommit(_ word: some Collection<UInt8>) -> Bool {
        4...40 ~= word.count && word.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
    }
}

// MARK: Detection

extension NumberedLinesLayout {
    /// Detects the output of a known program. Returns `nil` for other text, such as text that a delimiter divides consistently. The text
    /// after an aligned number and a blank may have such a delimiter, as in the output of `cut -d, -f1,2 | sort | uniq -c`.
    ///
    /// These programs align their numbers at a fixed position, which is rare in other text. The first line, and nearly all lines after it,
    /// must have the form of one such program.
    /// - Parameters:
    ///   - lines: the first lines of the input.
    ///   - delimiter: the detected delimiter, if the input seems to be delimited text with several columns.
    ///   - isWhole: true if the lines are the whole input, so that a single line can have this layout.
    init?(_ lines: [ArraySlice<UInt8>], delimiter: UInt8?, isWhole: Bool) {
        let lines = lines.prefix(1_000).filter { $0.contains { $0 > 32 } }
        guard let first = lines.first, FixedWidthLayout.wordCountOfNumericLines(lines) == nil else { return nil }
        // A single line of numbers is a row of a table.
        guard lines.count > 1 || isWhole && first.split(separator: 32).contains(where: { !HeaderSniffer.isValue($0) }) else { return nil }
        let isDelimited = delimiter.map { Self.isDelimited(lines, by: $0) } == true
        if !isDelimited, let layout = Self.commitLayout(lines) ?? Self.wordCountLayout(lines) {
            self = layout
            return
        }
        guard let form = Self.forms.first(where: { $0.matches(lines) }), !isDelimited || form.separator != delimiter else { return nil }
        self.init(titles: [form.title, "line"], separator: form.separator, separatorCount: form.separatorCount)
    }

    /// True if all lines have the same number of delimiters. A tab after each number is not evidence, because `cat -n` writes it.
    private static func isDelimited(_ lines: [ArraySlice<UInt8>], by delimiter: UInt8) -> Bool {
        let count = lines[0].count { $0 == delimiter }
        return count >= (delimiter == 9 ? 2 : 1) && lines.allSatisfy { line in line.count { $0 == delimiter } == count }
    }

    /// True if the first element and at least 95 % of all elements satisfy a condition.
    private static func nearlyAllMatch<Element>(_ elements: [Element], _ isMatch: (Element) -> Bool) -> Bool {
        guard let first = elements.first, isMatch(first) else { return false }
        return elements.count(where: isMatch) * 20 >= elements.count * 19
    }

    // MARK: Commits

    /// The layout of `git log --oneline`: hashes of about the same length, and one blank before the subject.
    private static func commitLayout(_ lines: [ArraySlice<UInt8>]) -> NumberedLinesLayout? {
        let words = lines.map { $0.prefix { $0 != 32 } }
        guard
            nearlyAllMatch(
                Array(zip(lines, words)),
                { line, word in
                    word.count >= 7 && isCommit(word) && line.count > word.count + 1 && line[word.endIndex + 1] != 32
                })
        else { return nil }
        // Words such as `defaced` and numbers of the same length are not hashes. Nor are addresses, such as those of `nm`, which have 16
        // digits.
        let mixed = words.count { $0.contains { $0 < 58 } && $0.contains { $0 > 96 } }
        guard mixed * 2 > words.count, words[0].count <= 12 || words[0].count == 40,
            words.allSatisfy({ !isCommit($0) || abs($0.count - words[0].count) <= 2 })
        else { return nil }
        guard areSubjects(zip(lines, words).map { line, word in line[word.endIndex...].dropFirst() }) else { return nil }
        return NumberedLinesLayout(titles: ["commit", "subject"], hasCommits: true)
    }

    /// If at least this many lines have the same number of words, this is not chance: the lines are a table.
    private static let minimumTableLines = 8

    /// True if texts can be subjects of commits: most have several words, and their words are not the columns of a table.
    private static func areSubjects(_ texts: [ArraySlice<UInt8>]) -> Bool {
        let subjects = texts.map { $0.split(separator: 32) }
        // Numbers, also in hexadecimal digits such as those of `hexdump`, are not words. A subject rarely begins with a single letter.
        func isWord(_ word: ArraySlice<UInt8>) -> Bool {
            word.contains { 97...122 ~= $0 | 32 || $0 >= 0x80 } && !word.contains { 48...57 ~= $0 }
        }
        func mostMatch(_ isMatch: ([ArraySlice<UInt8>]) -> Bool) -> Bool { subjects.count(where: isMatch) * 2 > subjects.count }
        guard mostMatch({ $0.count(where: isWord) > 1 }), mostMatch({ $0.first.map { $0.count > 1 && isWord($0) } == true }),
            ColumnGaps(texts, minimumNarrowLines: Int.max)?.isPadded != true
        else { return false }
        // Lines with the same number of words are a table, unless they are few, or most begin with the changed area: `area: change`.
        guard let width = subjects.first?.count, subjects.allSatisfy({ $0.count == width }) else { return true }
        let hasNumbers = (0..<width).contains { column in subjects.allSatisfy { HeaderSniffer.isValue($0[column]) } }
        return !hasNumbers && subjects.count < minimumTableLines || mostMatch { $0.first?.last == UInt8(ascii: ":") }
    }

    // MARK: Counts of words

    /// The layout of `wc`: one or three numbers and the name of a file. A last line of totals confirms the layout. If there is no such
    /// line, three numbers are counts of lines, words and bytes only if the counts are possible, such as fewer words than bytes.
    private static func wordCountLayout(_ lines: [ArraySlice<UInt8>]) -> NumberedLinesLayout? {
        let rows = lines.map(Counts.init)
        let width = rows[0]?.numbers.count
        guard let width, width == 1 || width == 3, nearlyAllMatch(rows, { $0?.numbers.count == width && $0?.end == rows[0]?.end }) else {
            return nil
        }
        let counts = rows.compactMap { $0 }
        let isSum =
            counts.count > 2 && counts.last!.isTotal
            && (0..<width).allSatisfy { column in
                counts.dropLast().reduce(0) { $0 &+ $1.numbers[column] } == counts.last!.numbers[column]
            }
        let areNames = counts.count > 2 && nearlyAllMatch(counts) { $0.canBeText } && nearlyAllMatch(counts) { $0.canBeFile }
        guard isSum || width == 3 && areNames else { return nil }
        return NumberedLinesLayout(titles: width == 1 ? ["count", "file"] : ["lines", "words", "bytes", "file"])
    }

    /// The numbers at the start of a line of `wc`.
    private struct Counts {
        var numbers: [Int] = []
        /// The offset of the end of the last number.
        var end = 0
        var name: ArraySlice<UInt8>

        init?(_ line: ArraySlice<UInt8>) {
            var rest = line[...]
            while true {
                let word = rest.drop { $0 == 32 }.prefix { $0 != 32 }
                guard numbers.count < 4, isNumber(word), let number = Int(String(decoding: word, as: UTF8.self)) else { break }
                numbers.append(number)
                rest = line[word.endIndex...]
            }
            end = rest.startIndex - line.startIndex
            guard !numbers.isEmpty, rest.count > 1, rest.first == 32, rest.dropFirst().first != 32 else { return nil }
            name = rest.dropFirst()
        }

        var isTotal: Bool { name.elementsEqual("total".utf8) }
        /// True if a text can have these numbers of lines, words and bytes.
        var canBeText: Bool { numbers.count == 3 && numbers[0] <= numbers[2] && numbers[1] <= numbers[2] / 2 + 1 }
        var canBeFile: Bool { isTotal || name.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") } }
    }

    // MARK: Numbers of lines

    /// How a program writes a number before each line.
    private struct Form {
        var title: String
        /// The offset at which each number ends. A number with more digits starts at offset 0.
        var end: Int
        var separator = UInt8(ascii: " ")
        var separatorCount = 1
        /// True if each number is greater than the one before it.
        var isAscending = false
        /// True if the numbers are process IDs.
        var hasProcessIDs = false

        func matches(_ lines: [ArraySlice<UInt8>]) -> Bool {
            let found = lines.map(number)
            let numbers = found.compactMap { $0 }
            // Numbers without blanks before them can be the keys of delimited text.
            guard nearlyAllMatch(found, { $0 != nil }), lines.count(where: { $0.first == 32 }) * 2 > lines.count else { return false }
            guard isAscending else { return areCounts(numbers, lines) }
            return zip(numbers, numbers.dropFirst()).allSatisfy(<) && (!hasProcessIDs || areProcessIDs(numbers, lines))
        }

        /// The number before a line in this form; `nil` for other lines.
        private func number(_ line: ArraySlice<UInt8>) -> Int? {
            let digits = line.drop { $0 == 32 }.prefix { 48...57 ~= $0 }
            let rest = line[digits.endIndex...]
            let isAligned = digits.endIndex - line.startIndex == end || digits.count > end && digits.startIndex == line.startIndex
            guard isAligned, isNumber(digits), rest.isEmpty || rest.prefix(while: { $0 == separator }).count >= separatorCount else {
                return nil
            }
            return Int(String(decoding: digits, as: UTF8.self))
        }

        /// True if ascending numbers can be the process IDs of `ps -eo pid=,comm=`: not all are consecutive, and the first one is 1 or at
        /// least a quarter are consecutive. Sorted counts of lines are rarely all different.
        private func areProcessIDs(_ numbers: [Int], _ lines: [ArraySlice<UInt8>]) -> Bool {
            let steps = numbers.count - 1
            let consecutive = zip(numbers, numbers.dropFirst()).count { $1 == $0 + 1 }
            return steps > 2 && consecutive < steps && (numbers[0] == 1 || consecutive * 4 >= steps) && !hasColumns(lines)
        }

        /// True if the numbers can be counts of equal lines. False for line numbers, and if more than three quarters of the numbers have
        /// five digits or more, as in the output of `ls -i`.
        private func areCounts(_ numbers: [Int], _ lines: [ArraySlice<UInt8>]) -> Bool {
            guard numbers.allSatisfy({ $0 > 0 }), numbers.count(where: { $0 < 10_000 }) * 4 >= numbers.count else { return false }
            guard numbers.count < 4 || zip(numbers, numbers.dropFirst()).contains(where: { $1 != $0 + 1 }) else { return false }
            return !hasColumns(lines)
        }

        /// True if the text after the numbers is aligned, as in a table such as that of `ps`.
        private func hasColumns(_ lines: [ArraySlice<UInt8>]) -> Bool {
            let texts = lines.map { $0.dropFirst(min(end + separatorCount, $0.count)) }
            return ColumnGaps(texts, minimumNarrowLines: 6)?.isPadded == true
        }
    }

    /// The forms, in this order: `cat -n`; `history`; `ps -eo pid=,comm=` with process IDs of at most seven digits, and of at most five;
    /// `uniq -c` of GNU, and of BSD.
    ///
    /// All numbers except those of `uniq -c` ascend. Numbers in other text rarely ascend over many lines.
    private static let forms = [
        Form(title: "number", end: 6, separator: 9, isAscending: true),
        Form(title: "number", end: 5, separatorCount: 2, isAscending: true),
        Form(title: "number", end: 7, isAscending: true, hasProcessIDs: true),
        Form(title: "number", end: 5, isAscending: true, hasProcessIDs: true),
        Form(title: "count", end: 7), Form(title: "count", end: 4),
    ]
}
