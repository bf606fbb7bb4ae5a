import GridTestSupport
import Locks
import Tables
import FieldValues
import Testing

@testable import DataGridQuery

@Suite("D7: search")
struct SearchTests {
    private func marked(_ text: String, _ search: TextSearch) -> String {
        var shown = ""
        var end = text.startIndex
        for range in TextHighlighter(search).ranges(in: text) {
            shown += text[end..<range.lowerBound] + "[" + text[range] + "]"
            end = range.upperBound
        }
        return shown + text[end...]
    }

    @Test func `every match in a string is found, with smart case and thousands separators`() {
        #expect(marked("Abc abc ABC", .smartCase("abc")) == "[Abc] [abc] [ABC]")
        #expect(marked("Abc abc ABC", .smartCase("Abc")) == "[Abc] abc ABC")
        #expect(marked("aaaa", .smartCase("aa")) == "[aa][aa]")
        #expect(marked("Ärger ärger", .smartCase("är")) == "[Är]ger [är]ger")
        #expect(marked("Ärger ärger", .smartCase("Är")) == "[Är]ger ärger")
        #expect(marked("日本語", .smartCase("本")) == "日[本]語")
        #expect(marked("İx ix", .smartCase("ñx")) == "İx ix")
        #expect(marked("ÇİÇEK", .smartCase("çi")) == "[Çİ]ÇEK" || marked("ÇİÇEK", .smartCase("çi")) == "[Çİ]ÇEK")
        #expect(marked("abc", .smartCase("")) == "abc" && marked("", .smartCase("a")) == "")
        #expect(marked("a.c abc", .smartCase("a.c")) == "[a.c] abc")
        #expect(marked("15,500 5500 5,50", .smartCase("5,500")) == "1[5,500] [5500] 5,50")
        #expect(marked("1234567.25 1,234,567.25", .smartCase("1,234,567.2")) == "[1234567.2]5 [1,234,567.2]5")
        var commas = TextSearch.smartCase("1.234,5")
        commas.notation = .comma
        #expect(marked("1234,50 1.234,5 1234.5", commas) == "[1234,5]0 [1.234,5] 1234.5")
        let moments = "2026-11-28T10:05:00Z 2026-11-28 10:05"
        #expect(marked(moments, .smartCase("2026-11-28 10:05")) == "[2026-11-28T10:05]:00Z [2026-11-28 10:05]")
        #expect(marked("2026-11-28 10:05 2026-11-29 10:05", .smartCase("11-28T10")) == "2026-[11-28 10]:05 2026-11-29 10:05")
        #expect(marked("2026-11-28x10 28T10 a-28T10 11-28T b", .smartCase("11-28 b")) == "2026-11-28x10 28T10 a-28T10 11-28T b")
        #expect(marked("28T10", .smartCase("28 10")) == "28T10")
        for text in ["1,2", "1234,567", ",500", "5,500,", "5,5000", "a,500", "1.5,500"] {
            let plain = text.filter { $0 != "," }
            #expect(marked("\(plain) \(text)", .smartCase(text)) == "\(plain) [\(text)]", "not a grouped number")
        }
    }

    @Test func `a search for a date and time finds rows with a space or a T between them`() throws {
        var rows = (0..<3_000).map { ["2026-11-27T10:\(10 + $0 % 50)", "x"] }
        rows[1_700][0] = "2026-11-28T10:05:00.300Z"
        rows[2_900][1] = "2026-11-28 10:05"
        for text in ["2026-11-28 10:05", "2026-11-28T10:05"] {
            let found = try findRecords(matching: .smartCase(text), in: MemoryTable(rows), threads: 2, control: JobControl())
            #expect(found.short == [1_700, 2_900], "\(text)")
        }
    }

    @Test func `every match of a regular expression in a string is found`() throws {
        func marked(_ text: String, _ pattern: String) throws -> String { try self.marked(text, .smartCase(pattern: pattern)) }
        #expect(try marked("AB12 ab3", "^ab\\d") == "[AB1]2 ab3")
        #expect(try marked("AB12 ab3", "B\\d") == "A[B1]2 ab3")
        #expect(try marked("AB12 ab3", "b\\D") == "AB12 ab3")
        #expect(try marked("Αβγ abc", "\\p{Greek}+") == "[Αβγ] abc")
        #expect(try marked("Αβγ abc", "\\pL+") == "[Αβγ] [abc]")
        #expect(try marked("aéb", "x*") == "aéb" && marked("aéb", "b*") == "aé[b]" && marked("", "x*") == "")
        #expect(throws: Pattern.SyntaxError.self) { try marked("", "(") }
    }

    private let table = MemoryTable([["one", "x"], ["Two", "y"], ["three", nil], ["", "two"], ["TWO", "z"], ["six"]])

    private func first(_ search: TextSearch, _ start: Int, _ direction: SearchDirection, wraps: Bool = true, order: [UInt32]? = nil) throws
        -> Int?
    {
        try firstMatch(
            of: search, in: table, from: start, direction: direction, wraps: wraps,
            order: order.map { RowSequence(RowNumbers($0)) } ?? .all,
            threads: 2, control: JobControl())?
            .position
    }

    @Test func `a search finds the next match forward and backward, and wraps at the ends`() throws {
        let two = TextSearch.smartCase("two")
        #expect(try first(two, 0, .forward) == 1)
        #expect(try first(two, 1, .forward) == 1)
        #expect(try first(two, 2, .forward) == 3)
        #expect(try first(two, 5, .forward) == 1)
        #expect(try first(two, 5, .forward, wraps: false) == nil)
        #expect(try first(two, 5, .backward) == 4)
        #expect(try first(two, 3, .backward) == 3)
        #expect(try first(two, 0, .backward) == 4)
        #expect(try first(two, 0, .backward, wraps: false) == nil)
        #expect(try first(two, -5, .backward) == 4)
        #expect(try first(two, 99, .backward) == 4)
        #expect(try first(two, 99, .forward) == 1)
        #expect(try first(.smartCase("nowhere"), 3, .forward) == nil)
        #expect(try first(.smartCase("two", columns: [1]), 0, .forward) == 3)
        #expect(try first(.smartCase("Two"), 2, .forward) == 1)
        #expect(try first(two, 0, .forward, order: [5, 4, 3, 0]) == 1)
        #expect(try first(two, 0, .backward, order: [5, 4, 3, 0]) == 2)
        #expect(try first(two, 0, .forward, order: []) == nil)
        let match = try firstMatch(of: two, in: table, from: 3, direction: .forward, threads: 1, control: JobControl())
        #expect(match == SearchMatch(position: 3, record: 3, column: 1))
    }

    @Test func `a search finds the same records as a comparison of every field`() throws {
        let table = randomTable(["text", "whole"], count: 30_000, seed: 3)
        let search = TextSearch.smartCase("name 77")
        let matching = table.rows.indices.filter { row in
            table.rows[row].contains { $0.map { !TextHighlighter(search).ranges(in: $0).isEmpty } ?? false }
        }
        for threads in [1, 2] {
            let batches = Mutex<[UInt32]>([])
            let control = JobControl()
            let found = try findRecords(matching: search, in: table, threads: threads, control: control) { batch in
                batches.withLock { $0 += batch.short }
            }
            #expect(found.map { Int($0) } == matching && batches.withLock { $0 } == found.short && control.fraction == 1)
        }
        var random = SplitMix64(seed: 8)
        let all = (0..<UInt32(30_000)).map { $0 }
        let isMatch = Set(matching.map { UInt32($0) })
        for order in [
            all, all.filter { $0 % 2 == 0 }, all.shuffled(using: &random), all.filter { !isMatch.contains($0) || $0 > 29_000 }.reversed(),
        ] {
            for _ in 0..<4 {
                let start = Int(random.next() % UInt64(order.count))
                let after = order.indices[start...].first { isMatch.contains(order[$0]) } ?? order.firstIndex { isMatch.contains($0) }
                let before = order.indices[...start].last { isMatch.contains(order[$0]) } ?? order.lastIndex { isMatch.contains($0) }
                func match(_ direction: SearchDirection) throws -> Int? {
                    try firstMatch(
                        of: search, in: table, from: start, direction: direction, order: RowSequence(RowNumbers(order)), threads: 2,
                        control: JobControl())?.position
                }
                #expect(try match(.forward) == after)
                #expect(try match(.backward) == before)
            }
        }
    }

    // MARK: Required bytes

    /// True if the field contains the bytes.
    private func occurs(_ required: RequiredBytes, _ field: [UInt8]) -> Bool {
        guard !required.isEmpty else { return true }
        guard field.count >= required.count else { return false }
        return (0...field.count - required.count).contains { place in
            (0..<required.count).allSatisfy { required.matches(field[place + $0], at: $0) }
        }
    }

    private func matches(_ needle: TextNeedle, _ field: [UInt8]) -> Bool {
        field.withUnsafeBufferPointer { needle.firstRange(in: $0, from: 0) != nil }
    }

    @Test func `the required bytes of a search exclude no case variant of any character`() {
        for value in 0..<UInt32(0x11_0000) {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else { continue }
            let lower = scalar.properties.lowercaseMapping
            // The letter is tested alone, and between neighbors of other byte lengths.
            for (before, after) in [("", ""), ("x", "é"), ("日", "")] {
                let needle = TextNeedle(before + lower + after, isCaseSensitive: false)
                let field = Array(before.uppercased().utf8) + Array(String(scalar).utf8) + Array(after.uppercased().utf8)
                if value >= 0x80 || before + after != "" {
                    let isFound = matches(needle, field) == (needle.requiredBytes.isEmpty || occurs(needle.requiredBytes, field))
                    if !isFound || value >= 0x80 && !lower.utf8.allSatisfy({ $0 < 0x80 }) && !matches(needle, field) {
                        Issue.record("U+\(String(value, radix: 16)) \(before)\(lower)\(after)")
                    }
                }
            }
        }
    }

    @Test func `a search requires as many bytes as the case variants permit`() {
        func required(_ text: String) -> (Int, [UInt8]) {
            let bytes = TextNeedle(text, isCaseSensitive: text.contains { $0.isUppercase }).requiredBytes
            return (bytes.count, bytes.masks.filter { $0 != 0xff })
        }
        #expect(required("jürgen") == (7, [0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf]))
        #expect(required("Jürgen") == (7, []))
        #expect(required("日本") == (6, []))
        #expect(required("приве") == (10, [0xdf, 0xfe, 0xdf, 0xdf, 0xdf, 0xdf]))
        // The Ångström sign is a case variant of å, and the Kelvin sign is one of k. Both have other byte lengths than the letters.
        #expect(required("småland").0 == 4 && required("gök").0 == 3 && required("�") == (0, []))
    }

    @Test func `invalid bytes in a field match the replacement character`() {
        let needle = TextNeedle("a�é", isCaseSensitive: false)
        #expect(matches(needle, [0x41, 0xFF, 0xC3, 0x89]) && matches(needle, Array("A�É".utf8)))
        #expect(!matches(needle, [0x41, 0xFF, 0xFE, 0xC3, 0x89]) && !matches(needle, [0x41, 0xC3, 0x89]))
    }

    @Test func `every match of a random pattern contains its required bytes`() throws {
        var random = SplitMix64(seed: 5)
        let pieces = [
            "a", "b", "ab", "k", "S", "é", "É", "\\.", ".", "[ab]", "[^a\\]]", "[[:alpha:]b]", "(ab|b)", "(?:a(b)?)", "a?", "b*", "ab+",
            "a{2}",
            "b{0,1}", "ab??", "\\d", "\\bab", "^", "$", "1", "\\+", "[]a]b",
        ]
        let letters = ["a", "b", "A", "B", "k", "K", "\u{212A}", "s", "S", "ſ", "é", "É", ".", "1", "+", "]"]
        var (matched, required) = (0, 0)
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            let pattern = try Pattern(text, ignoresCase: Bool.random(using: &random))
            let bytes = pattern.requiredBytes
            required += bytes.isEmpty ? 0 : 1
            for _ in 0..<40 {
                let field = Array(
                    (0..<Int.random(in: 0...8, using: &random)).map { _ in letters.randomElement(using: &random)! }.joined().utf8)
                guard field.withUnsafeBufferPointer({ pattern.matches($0) }) else { continue }
                matched += 1
                if !occurs(bytes, field) { Issue.record("\(text) requires \(bytes), not in \(String(decoding: field, as: UTF8.self))") }
            }
        }
        #expect(matched > 10_000 && required > 2_000)
    }

    @Test func `the required bytes of a pattern are its longest literal part`() throws {
        func required(_ text: String, ignoresCase: Bool = false) throws -> String {
            String(decoding: try Pattern(text, ignoresCase: ignoresCase).requiredBytes.values, as: UTF8.self)
        }
        #expect(try required("^ab\\.c\\d+xyz") == "ab.c")
        #expect(try required("[0-9]{3}-abc(def)?gh") == "-abc")
        #expect(try required("né+x") == "né")
        #expect(try required("abc|d") == "" && required("(?i)abc") == "" && required("\\Qabc\\E") == "" && required("\\x41bc") == "")
        #expect(try required("ab{2") == "" && required("\\141bc") == "" && required("((?i)a)bc") == "")
        #expect(try required("task one", ignoresCase: true) == " ONE")
    }

    @Test func `a table that skips records by required bytes gives the same matches`() throws {
        let plain = randomTable(["text", "whole"], count: 8_000, seed: 4)
        let table = RequiredBytesTable(plain: plain)
        var random = SplitMix64(seed: 9)
        let orders: [[UInt32]?] = [
            nil, (0..<8_000).filter { $0 % 3 > 0 }, (0..<8_000).filter { $0 % 100 == 0 },
            (0..<8_000).map { $0 }.shuffled(using: &random),
        ]
        // For the last searches, many fields contain a group of digits but not the number.
        let searches = [
            TextSearch.smartCase("name 7"), .smartCase("É"), .smartCase("77"), .smartCase("beginning 10"),
            try .smartCase(pattern: "^name \\d*7$"),
            .smartCase("1,100"), .smartCase("7,123"), .smartCase("-5,000"),
        ]
        for search in searches {
            let expected = try findRecords(matching: search, in: plain, threads: 1, control: JobControl())
            #expect(try findRecords(matching: search, in: table, threads: 2, control: JobControl()) == expected)
            for order in orders {
                let count = order?.count ?? 8_000
                for _ in 0..<2 {
                    let start = Int(random.next() % UInt64(count))
                    for direction in [SearchDirection.forward, .backward] {
                        func match(_ table: any Table) throws -> SearchMatch? {
                            try firstMatch(
                                of: search, in: table, from: start, direction: direction,
                                order: order.map { RowSequence(RowNumbers($0)) } ?? .all, threads: 2, control: JobControl())
                        }
                        #expect(try match(table) == match(plain))
                    }
                }
            }
        }
        #expect(table.skippedCount.load(ordering: .relaxed) > 40_000, "skips records")
    }
}
