import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Locks
import Tables
import Testing

@testable import TableFormats

/// Detection and reading of JSON, and of files that are not quite JSON.
@Suite struct JSONFormatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, _ name: String = "t.json", as format: String? = nil, path: String? = nil) throws -> any TableSource {
        let source = try FileOpener(format: format, jsonPath: path).open(path: folder.file(name, text))
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    private func format(_ source: any TableSource) -> String { source.details.first { $0.name == "format" }?.value ?? "delimited" }

    @Test("18.3: JSON Lines, JSON documents and other text are distinguished") func detection() throws {
        let examples: [(text: String, format: String, rows: Int)] = [
            ("{\"a\":1}\n{\"a\":2}\n", "JSON Lines", 2), ("{\"a\":1}\r\n\r\n{\"a\":2}", "JSON Lines", 3),
            ("\u{FEFF}{\"a\":1}\n{\"b\":2}\n", "JSON Lines", 2), ("[{\"a\":1}]\n[{\"a\":2}]\n", "JSON Lines", 2),
            ("{\"a\":1}", "JSON", 1), ("{\"a\":1}\n", "JSON", 1), ("[{\"a\":1},\n{\"a\":2}]\n", "JSON", 2),
            ("[\n{\"a\":1}\n,\n{\"a\":2}\n]\n", "JSON", 2),
            ("{\n\"a\":1}\n{\n\"a\":2}\n", "JSON", 2), ("{\"a\":1}{\"a\":2}\n", "JSON", 2), ("{\"a\":1} {\"a\":\n2}\n", "JSON", 2),
            ("{\"x\":[{\"a\":1},{\"a\":2}]}\n", "JSON", 2), ("[[1,2],[3,4]]", "JSON", 2), ("[]", "JSON", 0),
            ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n", "JSON", 2), ("[1,2,\"x\"]", "JSON", 3),
        ]
        for (text, format, rows) in examples {
            let source = try open(text)
            #expect(self.format(source) == format, "\(text)")
            #expect(source.snapshot().recordCount == rows, "\(text)")
            #expect(source.problems.filter { !$0.contains("byte order") }.isEmpty, "\(text) \(source.problems)")
        }
        for text in [
            "[a],b\n1,2\n", "{x},y\n1,2\n", "[[wiki]] text\nmore\n", "{\"a\" 1}\nb\n", "[{thread}] message\n", "name,{\"a\":1}\n", "",
            "{ // comment\n\"a\":1}\n", "[ # c\n1]\n",
        ] {
            let source = try open(text, "t.txt")
            #expect(!(source is JSONSource), "\(text)")
        }
        // The content decides, not the name.
        for (text, format, rows) in examples where !text.hasPrefix("\u{1E}") {
            for name in ["t.csv", "t.txt", "t"] {
                let source = try open(text, name)
                #expect(self.format(source) == format && source.snapshot().recordCount == rows, "\(name): \(text)")
            }
        }
        for text in ["{\"a\":1},x\n{\"a\":2},y\n", "[1,2],3\n[4,5],6\n", "[1] one\n[2] two\n", "[\"a\",1", "[0.5] x\n"] {
            #expect(try !(open(text, "t.csv") is JSONSource), "\(text)")
        }
        let logs = [
            "[    2.345678] [drm] Initialized\n[    2.345999] [drm] fb0: x\n", "[1234] [INFO] text\n[1234] [INFO] text\n",
            "[1]\n[other]\na=1\n",
        ]
        for text in logs { #expect(try !(open(text, "t.log") is JSONSource), "\(text)") }
        for text in ["{\"a\":1}\t{\"b\":2}\n{\"a\":3}\t{\"b\":4}\n", "[1,2]\t[3,4]\n[5,6]\t[7,8]\n"] {
            #expect(try !(open(text, "t.tsv") is JSONSource), "\(text)")
        }
        for text in ["a,b\n1,2\n3,4\n", "1,2\n3,4\n5,6\n", "\"a\",\"b\"\n\"1\",\"2\"\n"] {
            for name in ["t.json", "t.jsonl"] {
                let source = try open(text, name)
                #expect(!(source is JSONSource) && source.columnCount == 2, "\(name): \(text)")
            }
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: FormatError("t.json has more than 1,024 levels. Use --format lines to read it as text.")) { try open(deep) }
        #expect(try format(open("{\"a\":1}\n", "t.jsonl")) == "JSON Lines")
        #expect(try format(open("1\n\"x\"\n", "t.ndjson")) == "JSON Lines")
        #expect(try format(open("{\"a\":1}\n{\"a\":2}\n", as: "json")) == "JSON")
        #expect(throws: FormatError.self) { try open("a,b\n", "t.txt", as: "json") }
        #expect(throws: FormatError.self) { try open("a,b\n", "t.txt", as: "jsonl") }
        #expect(throws: FormatError.self) { try open("{ // comment\n\"a\":1}\n", "t.json") }
    }

    @Test(
        "18.3: an array of strings or numbers from a pipe is JSON, even if it arrives in parts",
        arguments: ["[\"x\",\"y\"]\n", "[1,2]", "[\n1,\n2\n]\n"])
    func scalarsFromPipe(text: String) throws {
        for isWhole in [true, false] {
            let pipe = Pipe()
            let writer = pipe.fileHandleForWriting
            let bytes = Data(text.utf8)
            try writer.write(contentsOf: isWhole ? bytes : bytes.prefix(2))
            let late = Thread {
                Thread.sleep(forTimeInterval: 0.05)
                if !isWhole { try? writer.write(contentsOf: bytes.dropFirst(2)) }
                try? writer.close()
            }
            late.start()
            let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
            try source.readAll(threads: 1) { _ in true }
            #expect(format(source) == "JSON" && source.snapshot().recordCount == 2, "\(text) \(format(source))")
        }
    }

    @Test("18.3, D2: progress is complete when all records are checked, not when they are found") func progress() throws {
        let text = (0..<100_000).map { "{\"n\":\($0),\"k\($0 / 40_000)\":1}\n" }.joined()
        let source = try FileOpener().open(path: folder.file("t.jsonl", text))
        let reports = Mutex<[Double]>([])
        try source.readAll(threads: 2) { progress in
            reports.withLock { $0.append(Double(progress.bytesDone) / Double(progress.bytesTotal)) }
            return true
        }
        let shares = reports.withLock { $0 }
        let checked = shares.filter { $0 > 0.5 }
        #expect(checked.count > 2 && checked == checked.sorted() && shares.suffix(checked.count) == checked[...], "\(shares)")
        #expect(shares.filter { $0 == 1 }.count == 1 && shares.last == 1, "\(shares)")
    }

    @Test("18.3: nested objects become columns to depth 3") func nesting() throws {
        let source = try open(
            """
            {"id":1,"by":{"desk":{"venue":"X","deep":{"a": 1}},"n":null},"list":[1, {"b":2}],"a.b":{"":5}}
            {"by":{"desk":{"venue":"Y"}},"id":2,"flag":true}
            {"by":7,"id":1e400,"empty":{},"flag":false}
            {"by":null,"id":123456789012345678901234567890}

            """)
        #expect(titles(source) == ["id", "by", "by.desk.venue", "by.desk.deep", "by.n", "list", "\"a.b\".\"\"", "flag", "empty"])
        #expect(
            try rows(source) == [
                ["1", nil, "X", "{\"a\": 1}", nil, "[1, {\"b\":2}]", "5", nil, nil],
                ["2", nil, "Y", nil, nil, nil, nil, "true", nil],
                ["1e400", "7", nil, nil, nil, nil, nil, "false", "{}"],
                ["123456789012345678901234567890", nil, nil, nil, nil, nil, nil, nil, nil],
            ])
        #expect(source.profiles(budgetMilliseconds: 0)[7].kind == .flag)
        #expect(source.profiles(budgetMilliseconds: 0)[0].kind == .decimal || source.profiles(budgetMilliseconds: 0)[0].kind == .integer)
        let record = try source.snapshot().records(1..<2, maximumFieldBytes: 100)[0]
        #expect(record[1] == nil && record[2]?.text == "Y" && record[3] == nil && record[7]?.text == "true")
    }

    @Test("18.3: strings, nulls, empty strings and repeated keys have the right values") func values() throws {
        let source = try open(
            #"""
            {"s":"a\"b\\c\/d\b\f\n\r\t\u00e9\ud83d\ude00\ud800x\udc00","e":"","n":null}
            {"\u0073":"escaped key","n":1,"s2":"\u0041","e":"x","e":"last"}
            {"n":{"k":1},"n":{"l":2}}

            """#)
        #expect(titles(source) == ["s", "e", "n", "n.k", "n.l", "s2"])
        #expect(
            try rows(source) == [
                ["a\"b\\c/d\u{8}\u{C}\n\r\té😀\u{FFFD}x\u{FFFD}", "", nil, nil, nil, nil],
                ["escaped key", "last", "1", nil, nil, "A"], [nil, nil, nil, nil, "2", nil],
            ])
        // A search finds a letter that is written as an escape.
        var required = RequiredBytes()
        required.append(UInt8(ascii: "A"))
        var found: [Int] = []
        try source.snapshot().scan(0..<3, columns: [5], holding: required, while: { true }) { record, fields in
            if fields[0].bytes.elementsEqual([65]) { found.append(record) }
            return true
        }
        #expect(found == [1])
    }

    /// The last row is in another chunk than the first, and far from the bytes that are read when the file is opened.
    @Test("18.3: unpaired surrogates in keys and values are reported as lost characters", arguments: [false, true])
    func unpairedSurrogates(isDocument: Bool) throws {
        let count = JSONChecked.chunkRecords + 100
        // A nested value keeps its escapes.
        let plain = [String](repeating: #"{"a": "\ud83d\ude00 \u00e9", "b": ["\ud800"]}"#, count: count)
        func conversions(_ last: [String]) throws -> [TextConversion] {
            let text = isDocument ? "[" + (plain + last).joined(separator: ",\n") + "]" : (plain + last).map { $0 + "\n" }.joined()
            return try open(text).conversions
        }
        for value in [#"\ud83d\ude00"#, #"\\ud800"#, #"x\ud7ff"#, #"\uE000"#] {
            #expect(try conversions([#"{"a": "\#(value)", "b": []}"#]).isEmpty, "\(value)")
        }
        for value in [#"\ud800"#, #"\udC00x"#, #"\ud83d\ud83d\ude00"#, #"\uD83Dx\ude00"#, #"\ud83d\n"#] {
            let found = try conversions([#"{"a": "\#(value)", "b": []}"#])
            #expect(
                found.map(\.sentence) == ["t.json: row 16,485 has an escape of an unpaired surrogate, replaced with U+FFFD."], "\(value)")
            #expect(found.allSatisfy { $0.isLoss && $0.replacesCharacters })
        }
        let several = try conversions([#"{"\ud800": 1}"#, "{}", #"{"a": "\ud800"}"#])
        #expect(
            several.map(\.sentence) == [
                "t.json: 2 rows have escapes of unpaired surrogates (first: row 16,485), replaced with U+FFFD."
            ])
    }

    /// The last rows are in another chunk than the first, and far from the bytes that are read when the file is opened.
    @Test("18.3: keys that an object has twice are reported as a loss, unless a cell has both values", arguments: [false, true])
    func repeatedKeys(isDocument: Bool) throws {
        // In both files, the JSON text of a cell has all keys, so no value is lost.
        let plain = [String](
            repeating: #"{"a": 1, "b": {"a": 2}, "c": [{"a": 1, "a": 2}], "d": {"d": {"d": {"a": 1, "a": 2}}}}"#,
            count: JSONChecked.chunkRecords + 100)
        func source(_ last: [String]) throws -> any TableSource {
            let text = isDocument ? "[" + (plain + last).joined(separator: ",\n") + "]" : (plain + last).map { $0 + "\n" }.joined()
            return try open(text)
        }
        #expect(try source([]).conversions.isEmpty)
        for last in [
            #"{"a": 1, "a": 1}"#, #"{"a": 1, "\u0061": 2}"#, #"{"b": {"a": 1, "a": 2}}"#, #"{"new": 1, "new": null}"#,
            #"{"b": {"a": 1}, "b": {"c": 2}}"#,
        ] {
            let found = try source([last])
            #expect(found.problems == ["row 16,485 has a key twice; only its last value is read"], "\(last)")
            #expect(
                found.conversions == [
                    TextConversion("t.json: row 16,485 has a key twice; only its last value is read.", isLoss: true)
                ], "\(last)")
        }
        #expect(
            try source([#"{"a": 1, "a": 1}"#, "{}", #"{"a": 1, "a": 1, "a": 1}"#]).problems == [
                "2 rows have a key twice (first: row 16,485); only the last value of a key is read"
            ])
    }

    /// The last row is in another chunk than the first row, and far from the bytes that are read when the file is opened.
    @Test("18.3: columns with numbers and strings that look like numbers are named") func mixedValues() throws {
        let plain = [String](
            repeating: #"{"n": 5, "s": "2024-01-05", "t": "1", "o": {"p": -2.5}, "l": [1, "1"], "f": true}"#,
            count: JSONChecked.chunkRecords + 100)
        func source(_ last: String...) throws -> any TableSource { try open((plain + last).map { $0 + "\n" }.joined()) }
        let others = ["n/a", "1.2.3", "2024-01-05", "", " ", "-", "1e", "7x", ",5", "12:30", "true"]
        for text in others + [#"\u0037x"#, #"\n5"#, #"5\/"#, #"\u00e97"#, #"\""#] {
            #expect(try source(#"{"n": "\#(text)", "o": {"p": "\#(text)"}, "t": null, "f": "\#(text)"}"#).problems.isEmpty, "\(text)")
        }
        let phrase = "numbers and strings that look like numbers count as equal in"
        for text in ["77", " -1,234.5 ", "+1e3", "02139", ".5", "5.", #"\u0037\u0037"#, #"7\u0037"#, #"\u002d1\u002e5"#, #"5\u0020"#] {
            let found = try source(#"{"n": "\#(text)"}"#, #"{"n": "1"}"#)
            #expect(found.problems == ["\(phrase) “n” (row 16,485)"], "\(text)")
            // All values are shown as they are, so the rows have no loss.
            #expect(found.conversions.isEmpty)
            #expect(found.mixedValues(of: [0]) != nil && found.mixedValues(of: [1, 2, 3, 4, 5, 99]) == nil)
        }
        #expect(try source(#"{"t": 0}"#).problems == ["\(phrase) “t” (row 16,485)"])
        #expect(try source(#"{"s": -1, "o": {"p": "0"}}"#).problems == ["\(phrase) “o.p” (row 16,485)"])
        #expect(
            try source(#"{"n": "1", "late": 1}"#, #"{"t": 1, "o": {"p": "0"}, "late": "1"}"#).problems == [
                "\(phrase) “n” (row 16,485), “t” (row 16,486), “o.p” (row 16,486) and 1 more"
            ])
        #expect(try open("[1, 2, \"3\"]").problems == ["\(phrase) “value” (row 3)"])
    }

    @Test("18.3: null, missing and empty values are distinguished, also within objects", arguments: [false, true])
    func nulls(isTidy: Bool) throws {
        // `∅` is null, and `-` is missing. A key of an object that is null is null, too.
        var forms: [(line: String, fields: [String])] = [
            (#"{"a":{"b":null},"c":"1"}"#, ["-", "∅", "1"]), (#"{"a":{},"c":""}"#, ["{}", "-", ""]), (#"{"a":null}"#, ["∅", "∅", "-"]),
            ("{}", ["-", "-", "-"]), (#"{"a":{"b":""},"c":null}"#, ["-", "", "∅"]),
            (#"{"c":"\u00e9\n","a":"null"}"#, ["null", "-", "é\n"]),
            ("null", ["∅", "∅", "∅"]),
        ]
        // Lines that are not plain objects are read in another way.
        if !isTidy { forms += [("", ["-", "-", "-"]), (#"{"a":1,"a":null,"c":"n\u0075ll"}"#, ["∅", "∅", "null"])] }
        let count = 20_000
        let source = try open((0..<count).map { forms[$0 % forms.count].line + "\n" }.joined(), "t.jsonl")
        #expect(titles(source) == ["a", "a.b", "c"] && source.problems.isEmpty == isTidy)
        let table = source.snapshot()
        #expect(table.recordCount == count)
        var wrong: [Int] = []
        for (row, record) in try table.records(0..<count, maximumFieldBytes: 100).enumerated() {
            let found = (0..<3).map { record.isNull($0) ? "∅" : record[$0]?.text ?? "-" }
            if found != forms[row % forms.count].fields { wrong.append(row) }
        }
        #expect(wrong == [])
        // Nested columns have nulls as text, and strings that look like null are in the columns themselves. If an object around a value is
        // null instead, a space follows for each level.
        let levels = [
            #"{"a":null}"#: [0, 1, 0], #"{"a":1,"a":null,"c":"n\u0075ll"}"#: [0, 1, 0], "null": [1, 2, 1],
        ]
        for columns in [[0, 1, 2], [1]] {
            let nested = columns.map { FieldID.firstNested + $0 }
            try table.scan(0..<count, columns: columns + nested) { row, fields in
                for (index, column) in columns.enumerated() {
                    let (field, nested) = (fields[index], fields[columns.count + index])
                    let text = field.isMissing ? "-" : String(decoding: field.bytes, as: UTF8.self)
                    let nestedText = nested.isMissing ? text : String(decoding: nested.bytes, as: UTF8.self)
                    let form = forms[row % forms.count]
                    let expected = form.fields[column]
                    let null = "null" + String(repeating: " ", count: levels[form.line]?[column] ?? 0)
                    if nestedText != (expected == "∅" ? null : expected) || field.isMissing != ["∅", "-"].contains(expected) {
                        wrong.append(row)
                    }
                }
                return true
            }
        }
        #expect(wrong == [])
        for (row, form) in forms.enumerated() {
            let lazy = try table.lazyRecord(table.records(row..<row + 1, maximumFieldBytes: 1)[0], number: row)
            #expect((0..<3).map(lazy.isNull) == form.fields.map { $0 == "∅" }, "\(form.line)")
        }
    }

    @Test("18.3: a null object is distinguished from a missing one if all other objects have keys") func nullObject() throws {
        let source = try open("{\"a\":{\"b\":1,\"c\":{\"d\":2}}}\n{\"a\":null}\n{}\n{\"a\":{\"c\":null}}\n")
        #expect(titles(source) == ["a.b", "a.c.d"])
        #expect((0..<3).map(source.snapshot().keyPath) == [["a", "b"], ["a", "c", "d"], nil])
        let records = try source.snapshot().records(0..<4, maximumFieldBytes: 100)
        #expect(
            records.map { record in [record.isNull(0), record.isNull(1)] } == [
                [false, false], [true, true], [false, false], [false, true],
            ])
        #expect(try rows(source) == [["1", "2"], [nil, nil], [nil, nil], [nil, nil]])
    }

    @Test("18.3: values beside arrays at the top level are rows") func valuesBesideArrays() throws {
        // The array is larger than the sample and than a block.
        let array = "[" + (0..<40_000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        let examples: [(rest: String, rows: [[String]], problems: [String])] = [
            (" 3 {\"a\":4} [5]", [["3"], ["4"], ["5"]], []), ("\n\"lost\"", [["lost"]], []),
            ("\nreset by", [["reset"], ["by"]], ["2 rows are not valid JSON (first: row 40,001)"]),
        ]
        for (rest, expected, problems) in examples {
            let source = try open(array + rest)
            let found = try rows(source)
            #expect(found.count == 40_000 + expected.count, "\(rest)")
            #expect(found.suffix(expected.count).map { $0.compactMap { $0 } } == expected, "\(rest)")
            #expect(source.problems == problems, "\(rest)")
        }
        for rest in ["Connection reset", "\"lost\"", "7"] {
            let source = try open("{\"data\":\(array)}\n\(rest)\n")
            #expect(try rows(source).count == 40_000)
            #expect(source.problems == ["the JSON is damaged on line 2: there is text after the object; reading stopped there"])
        }
    }

    @Test("18.3: invalid lines are shown as text") func unreadable() throws {
        let bad = [
            "{\"a\":1,}", "{\"a\":01}", "{\"a\":1} x", "{'a':1}", "{\"a\":\"\\x\"}", "{\"a\":[1,2}", "{\"a\":tru}", "{\"a\"", "nul",
            "{\"a\":1}{\"a\":2}",
        ]
        let text = (0..<40).map { "{\"a\":\($0),\"b\":\"x\"}\n" }.joined() + bad.joined(separator: "\n") + "\n[1,2]\n\"s\"\n\n{\"a\":NaN}\n"
        let source = try open(text)
        #expect(titles(source) == ["a", "b", "value", "(unreadable)"])
        let found = try rows(source)
        #expect(found[39] == ["39", "x", nil, nil])
        for (index, line) in bad.enumerated() { #expect(found[40 + index] == [nil, nil, nil, line]) }
        #expect(
            Array(found.suffix(4)) == [[nil, nil, "[1,2]", nil], [nil, nil, "s", nil], [nil, nil, nil, nil], ["NaN", nil, nil, nil]])
        #expect(source.problems == ["10 rows are not valid JSON (first: row 41)"])
        // A scan of one column returns the same values as a scan of all columns.
        var ones: [String?] = []
        try source.snapshot().scan(0..<found.count, columns: [0]) { _, fields in
            ones.append(fields[0].isMissing ? nil : String(decoding: fields[0].bytes, as: UTF8.self))
            return true
        }
        #expect(ones == found.map { $0[0] })
    }

    @Test("18.3: columns and damage that appear late are found") func late() throws {
        var text = ""
        for index in 0..<40_000 {
            text += index == 30_000 ? "{\"n\":30000,\"new\":{\"x\":1,\"y\":null}}\n" : "{\"n\":\(index),\"t\":\"number \(index)\"}\n"
            if index == 35_000 { text += "{broken\n" }
        }
        let source = try FileOpener().open(path: folder.file("t.jsonl", text))
        #expect(titles(source) == ["n", "t"] && source.snapshot().contentID == nil)
        let counts = Counts()
        try source.readAll(threads: 2) { _ in
            counts.add(source.columnCount)
            return true
        }
        #expect(titles(source) == ["n", "t", "new.x", "new.y", "(unreadable)"])
        #expect(source.snapshot().contentID != nil && source.problems == ["row 35,002 is not valid JSON"])
        #expect(counts.all.last == 5)
        let profiles = source.profiles(ofColumnsFrom: 2)
        #expect(profiles.count == 3 && profiles[0].kind == .integer)
        let found = try rows(source)
        #expect(found[30_000] == ["30000", nil, "1", nil, nil] && found[35_001][4] == "{broken" && found[40_000][0] == "39999")
        // Reading can be stopped and resumed.
        let again = try FileOpener().open(path: folder.path + "/t.jsonl")
        try again.readAll(threads: 2) { _ in false }
        try again.readAll(threads: 1) { _ in true }
        #expect(titles(again) == titles(source))
    }

    @Test("18.3: columns are wide enough for the nulls of the sample, also columns that appear late") func nullWidths() throws {
        let late = { (row: Int) in
            row < 30_000 ? "" : row == 30_150 ? #","late":null,"long":null"# : #","late":7,"long":12345"#
        }
        for count in [400, 40_000] {
            let text = (0..<count).map { row in
                let isNull = row == count - 1
                return #"{"n":\#(isNull ? "null" : "5"),"s":\#(isNull ? "null" : "\"\""),"o":[],"i":{"x":1}\#(late(row))}"# + "\n"
            }.joined()
            let source = try open(text, "t\(count).jsonl")
            let profiles = source.profiles(ofColumnsFrom: 0)
            #expect(profiles.map(\.kind) == [.integer, .text, .text, .integer] + (count > 400 ? [.integer, .integer] : []))
            #expect(profiles.prefix(4).map(\.sampleTexts) == [["null", "5"], ["null"], ["[]"], ["1"]])
            #expect(profiles[0].sampledCount == profiles[3].sampledCount - 1)
            guard count > 400 else { continue }
            #expect(source.profiles(ofColumnsFrom: 4).map(\.sampleTexts) == [["null", "7"], ["12345"]])
        }
    }

    @Test("18.11: strings are text, even if they look like numbers or flags; strings with dates are dates") func typedStrings() throws {
        func kinds(_ forms: [String], count: Int) throws -> [ValueKind] {
            let text = (0..<count).map { "{" + forms[$0 % forms.count] + "}\n" }.joined()
            return try open(text, "t.jsonl").profiles(ofColumnsFrom: 0).map(\.kind)
        }
        for count in [4, 30_000] {
            let strings = try kinds([#""zip":"98765","ok":"true","day":"2024-01-31","e":"1e3","n":5,"f":true"#], count: count)
            #expect(strings == [.text, .text, .date, .text, .integer, .flag])
            #expect(try kinds([#""a":1,"b":"1","c":"# + "\"\"", #""a":"1","b":2,"c":7"#], count: count) == [.text, .text, .integer])
        }
        // Placeholders for missing values are strings in columns of numbers. So is one value in a hundred.
        #expect(try kinds([#""a":1"#, #""a":2"#, #""a":"n/a""#], count: 9) == [.integer])
        #expect(try kinds((0..<200).map { $0 == 7 ? #""a":"1""# : #""a":\#($0)"# }, count: 200) == [.integer])
        #expect(try kinds((0..<200).map { $0 % 20 == 7 ? #""a":"1""# : #""a":\#($0)"# }, count: 200) == [.text])
    }

    @Test("18.3: several threads find the same columns as one thread, in the same order", arguments: 1...4 as ClosedRange<UInt64>)
    func threads(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Some chunks have new keys, some have damage, and most have neither.
        let late = Set((0..<Int.random(in: 1...30, using: &random)).map { _ in Int.random(in: 0..<150_000, using: &random) })
        let damaged = Set((0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<150_000, using: &random) })
        var text = ""
        for index in 0..<150_000 {
            if damaged.contains(index) {
                text += "{\"n\":\n"
            } else if late.contains(index) {
                text += "{\"n\":\(index),\"k\(index % 17)\":{\"x\(index % 3)\":1},\"n\":2}\n"
            } else {
                text += "{\"n\":\(index)}\n"
            }
        }
        let path = try folder.file("t.jsonl", text)
        func read(_ threads: Int) throws -> JSONTable {
            let source = try FileOpener().open(path: path)
            try source.readAll(threads: threads) { _ in true }
            return try #require(source.snapshot() as? JSONTable)
        }
        let (one, several) = (try read(1), try read(4))
        func titles(_ table: JSONTable) -> [String] { (0..<table.columnCount).map(table.schema.title) }
        #expect(titles(one) == titles(several) && one.schema.firstRecords == several.schema.firstRecords)
        #expect(one.checked == several.checked && one.checked.count == 150_000)
        #expect(one.checked.invalid.count == damaged.count && Set(titles(one)).contains("(unreadable)") == !damaged.isEmpty)
        #expect(Set(titles(one)).isSuperset(of: late.subtracting(damaged).map { "k\($0 % 17).x\($0 % 3)" }))
    }

    @Test("18.3: the check does not read records again that a scan has read", arguments: 1...4 as ClosedRange<UInt64>)
    func readBeforeCheck(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = 120_001
        // Up to four special records; the other chunks are plain.
        let special = Set((0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) })
        let kinds = [
            "{\"n\":", "{\"n\":1,\"n\":2}", "{\"\\u006e\":5}", "", "{\"late\":1,\"n\":3}", "{\"o\":{\"x\":7,\"new\":1}}", "[1]",
            "{\"n\":1,\"t\":\"\\u0041\"}", "{\"n\":\"77\"}",
        ]
        var text = ""
        for index in 0..<count {
            if special.contains(index) {
                text += kinds[Int.random(in: kinds.indices, using: &random)]
            } else if index % 5 == 0 {
                text += "{\"t\": \"\\n\(index)\"}"
            } else {
                text += "{\"n\":\(index),\"o\":{\"x\":[1,{}],\"y\":\(index % 3 == 0 ? "null" : "{}")}}"
            }
            text += "\n"
        }
        let path = try folder.file("t.jsonl", text)
        let expected = try FileOpener().open(path: path)
        try expected.readAll(threads: 1) { _ in true }
        let complete = try #require(expected.snapshot() as? JSONTable)
        let source = try #require(try FileOpener().open(path: path) as? JSONSource)
        try source.readRecords(threads: 2, priority: .foreground) { _ in true }
        let table = source.snapshot()
        #expect(table.isComplete && table.recordCount == count && table.contentID == nil)
        let columns = Array(0..<table.columnCount)
        func rows(_ table: JSONTable, _ records: Range<Int>) throws -> [[String?]] {
            var rows: [[String?]] = []
            try table.scan(records, columns: columns) { _, fields in
                rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                return true
            }
            return rows
        }
        // The second scan does not check plain chunks again.
        for _ in 0..<2 {
            for first in stride(from: 0, to: count, by: 32_768) {
                let part = first..<min(count, first + 32_768)
                #expect(try rows(table, part) == rows(complete, part))
            }
        }
        for chunk in stride(from: 16_384, to: count, by: 16_384) {
            let records = chunk..<min(count, chunk + 16_384)
            // A special record can be plain, too, if it is empty or has no new keys.
            if special.isDisjoint(with: records) { #expect(table.plain.contains(records)) }
        }
        try source.readAll(threads: 2) { _ in true }
        #expect(source.snapshot().checked == complete.checked && source.problems == expected.problems)
        #expect(titles(source) == titles(expected) && source.snapshot().schema.firstRecords == complete.schema.firstRecords)
    }

    @Test("18.3: a record that grows after it was read is checked again") func growthOfPlainRecord() throws {
        let path = try folder.file("t.jsonl", (0..<200_000).map { "{\"n\":\($0)}" }.joined(separator: "\n"))
        let source = try #require(try FileOpener().open(path: path) as? JSONSource)
        try source.readRecords(threads: 1, priority: .foreground) { _ in true }
        #expect(try rows(source).count == 200_000 && source.snapshot().plain.contains(196_608..<200_000))
        try source.readAll(threads: 1) { _ in true }
        try readAppended(" 5\n", to: path, source)
        #expect(source.problems == ["row 200,000 is not valid JSON"])
    }

    @Test("18.3: a file that grows while its records are checked is counted once", arguments: [1, 4]) func growthDuringCheck(threads: Int)
        throws
    {
        let lines = (0..<100_000).map { $0 == 50_000 ? "{\"n\":1,\"n\":2}\n" : "{\"n\":\($0)}\n" }.joined()
        let path = try folder.file("t.jsonl", lines)
        let source = try #require(try FileOpener().open(path: path) as? JSONSource)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let calls = Counts()
        // The growth is accepted in the middle of a pass, which then ends without adding what it has read.
        try source.readAll(threads: threads) { progress in
            guard source.snapshot().isComplete, source.snapshot().checked.count > 32_000, calls.all.isEmpty else { return true }
            calls.add(1)
            _ = try? file.seekToEnd()
            file.write(Data("{\"n\":1,\"late\":2}\n".utf8))
            let accept = (try? FileOpener().open(path: path)).flatMap { source.growth(asOf: $0) }
            #expect(accept != nil)
            accept?()
            return true
        }
        #expect(calls.all.count == 1)
        try source.readAll(threads: threads) { _ in true }
        let table = source.snapshot()
        #expect(table.recordCount == 100_001)
        #expect(table.checked.count == 100_001)
        #expect(table.contentID != nil)
        #expect(titles(source) == ["n", "late"] && table.checked.invalid.count == 0)
        // The record with two equal keys affects only the chunk that contains it.
        #expect(!table.checked.trust(in: 50_000).isTrusted && table.checked.trust(in: 40_000).isTrusted)
        #expect(table.checked.trust(in: 100_000).isTrusted)
    }

    private final class Counts: @unchecked Sendable {
        private let lock = NSLock()
        private var counts: [Int] = []
        func add(_ count: Int) { lock.withLock { counts.append(count) } }
        var all: [Int] { lock.withLock { counts } }
    }

    @Test("18.3: keys beyond the limit are shown in the text of their object") func limits() throws {
        let wide = (0..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let source = try open("{\"o\":{\(wide)},\"z\":1}\n{\"o\":{\"k1\":5},\"z\":2}\n")
        #expect(source.columnCount == 202)
        #expect(titles(source).first == "o" && titles(source)[1] == "o.k0" && titles(source).last == "z")
        let found = try rows(source)
        #expect(found[0][0] == "{\(wide)}" && found[0][200] == "199" && found[1][0] == nil && found[1][2] == "5" && found[1][201] == "2")
        // Each record has another key.
        let many = try open((0..<20_000).map { "{\"key\($0)\":\($0),\"s\":1}\n" }.joined())
        #expect(many.columnCount <= JSONSchema.maximumKeys + 1)
        let last = try many.snapshot().records(19_999..<20_000, maximumFieldBytes: 100)[0]
        #expect(last.fields.contains { $0.text == "{\"key19999\":19999,\"s\":1}" })
        // A key of 5,000 bytes has no column.
        let key = String(repeating: "k", count: 5_000)
        let long = try open("{\"\(key)\":1,\"b\":2}\n{\"b\":3}\n")
        #expect(titles(long) == ["b", "value"])
        #expect(try rows(long) == [["2", "{\"\(key)\":1,\"b\":2}"], ["3", nil]])
    }

    @Test("18.3: an array of arrays is a table") func arrays() throws {
        let named = try open("[[\"name\", \"n\", \"n\"], [\"a, b\", 1, null], [\"c\", [2, {\"x\": 3}], \"\", 4]]")
        #expect(titles(named) == ["name", "n", "n 2", "D"] && named.hasColumnNames)
        #expect(try rows(named) == [["a, b", "1", nil, nil], ["c", "[2,{\"x\":3}]", "", "4"]])
        let plain = try open("[\n  [1, \"x\"],\n  [2, \"y\"]\n]\n")
        #expect(titles(plain) == ["A", "B"] && !plain.hasColumnNames)
        #expect(try rows(plain) == [["1", "x"], ["2", "y"]])
        #expect(try rows(open("[[\"only\",\"row\"]]")) == [["only", "row"]])
    }

    @Test("18.3: the first array of objects in an object has the records") func paths() throws {
        let text = #"{"meta": {"list": [1]}, "data": {"items": [{"a": 1}, {"a": 2}], "other": [{"b": 1}]}, "one": {"c": 3}}"#
        let first = try open(text)
        #expect(first.details.contains { $0 == ("rows", "elements of data.items") })
        #expect(try rows(first) == [["1"], ["2"]])
        let other = try open(text, path: "data.other")
        #expect(titles(other) == ["b"])
        #expect(try rows(other) == [["1"]])
        #expect(try rows(open(text, path: "one")) == [["3"]])
        #expect(try rows(open(text, path: "meta.list")) == [["1"]])
        #expect(try rows(open(text, path: "meta.list")).count == 1)
        #expect(throws: FormatError.self) { try open(text, path: "data.nothing") }
        #expect(throws: FormatError.self) { try open(text, path: "\"data") }
        let single = try open("{\n \"a\": 1,\n \"b\": {\"c\": [1, 2]}\n}\n")
        #expect(titles(single) == ["a", "b.c"])
        #expect(try rows(single) == [["1", "[1,2]"]])
        let geo = try open(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[1.50, 2]}}]}"#,
            "t.geojson")
        #expect(titles(geo) == ["type", "properties.name", "geometry.type", "geometry.coordinates"])
        #expect(try rows(geo) == [["Feature", "A", "Point", "[1.50,2]"]])
    }

    @Test("18.3: the arrays of objects that are not the records are named with the option that shows them") func otherArrays() throws {
        /// The phrase about other arrays, which is a note of output and not a loss.
        func others(_ text: String, path: String? = nil) throws -> String? {
            let source = try open(text, path: path)
            let conversions = source.conversions
            #expect(conversions == source.problems.map { TextConversion("t.json: \($0).", isLoss: false) }, "\(text)")
            return source.problems.first
        }
        let one = #"{"data": [{"a": 1}], "more": [{"b": 1}, {"b": 2}], "n": 3}"#
        #expect(try others(one) == "the array “more” is left out; --path more shows it")
        #expect(try rows(open(one, path: "more")) == [["1"], ["2"]])
        #expect(try others(one, path: "data") == nil)
        // The array before the records is empty, and the path has keys with a dot, a space and an escape.
        let nested = #"{"no": [], "x": {"data": [{"a": 1}], "b.c": {"d \u0065": [1, {"a": [{}]}]}}, "y": {}}"#
        #expect(try others(nested) == #"the array “x."b.c".d e” is left out; --path 'x."b.c".d e' shows it"#)
        #expect(try rows(open(nested, path: "x.\"b.c\".d e")).count == 2)
        // Arrays of other values, arrays within arrays, and arrays within records are not named.
        for text in [
            #"{"data": [{"a": 1}], "more": [1, 2], "list": [[{"b": 1}]], "o": {"p": {}, "q": "[{"}}"#,
            #"{"data": [{"a": [{"b": 1}], "c": {"d": [{}]}}], "e": [[1], "{"]}"#, #"{"data": [{"a": 1}], "data": [{"a": 2}]}"#,
            #"[{"a": [{"b": 1}]}, {"c": [{"d": 1}]}]"#, "{\"a\": [{\"b\": 1}]}\n{\"c\": [{\"d\": 1}]}\n",
        ] {
            #expect(try others(text) == nil, "\(text)")
        }
        let arrays = (1...5).map { "\"k\($0)\": [{\"a\": \($0)}]" }
        for (count, names) in [(3, "“k2” and “k3”"), (4, "“k2”, “k3” and “k4”"), (5, "“k2”, “k3”, “k4” and more")] {
            let text = "{\(arrays.prefix(count).joined(separator: ",")), \"k2\": [{}]}"
            #expect(try others(text) == "the arrays \(names) are left out; --path k2 shows the first", "\(text)")
        }
        // Equal paths are named once, and "more" does not count them.
        let repeated = "{\(arrays.joined(separator: ",")),\([String](repeating: #""k5": [{}]"#, count: 100).joined(separator: ","))}"
        #expect(try others(repeated)?.hasPrefix("the arrays “k2”, “k3”, “k4” and more are left out; ") == true)
        // The option is not named with text that a message cannot show, or that is read as other keys.
        let limit = String(repeating: "k", count: 100)
        for (key, name, option) in [
            (#"b\ngridview: fake"#, "b\u{FFFD}gridview: fake", "--path"), (#"b\u009b1m"#, "b\u{FFFD}1m", "--path"),
            (#"\"q\""#, "\"q\"", "--path"), (#"q\""#, "q\"", "--path 'q\"'"), (#".\"q"#, "\".\"q\"", "--path"),
            (limit, limit, "--path \(limit)"), (limit + "k", limit + "…", "--path"),
            (String(repeating: "kä", count: 3_000), String(repeating: "kä", count: 50) + "…", "--path"),
        ] {
            #expect(try others("{\"data\": [{\"a\": 1}], \"\(key)\": [{}]}") == "the array “\(name)” is left out; \(option) shows it")
        }
        #expect(
            try others(#"{"data": [{"a": 1}], "b\n": [{}], "c": [{}]}"#)
                == "the arrays “b\u{FFFD}” and “c” are left out; --path shows the first")
        // The other array is far behind the first bytes that are read, and objects are nested deeper than the limit.
        let long = [String](repeating: #"{"a": "0123456789012345678901234567890123456789"}"#, count: 20_000).joined(separator: ",\n")
        let deep = String(repeating: #"{"x":"#, count: 1_100) + "[{}]" + String(repeating: "}", count: 1_100)
        #expect(try others("{\"data\": [\(long)], \"more\": [{}]}") == "the array “more” is left out; --path more shows it")
        #expect(try open("{\"data\": [{\"a\": 1}], \"deep\": \(deep), \"more\": [{}]}").problems.contains { $0.contains("“more”") })
    }

    @Test("18.3: appended lines are read") func growth() throws {
        let path = try folder.file("t.jsonl", "{\"n\":1}\n{\"n\":2}\n{\"n\"")
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 1) { _ in true }
        #expect(source.problems == ["row 3 is not valid JSON"])
        try readAppended(":3}\n{\"new\":\"x\",\"n\":4}\n", to: path, source)
        #expect(titles(source) == ["n", "(unreadable)", "new"] && source.problems.isEmpty)
        #expect(try rows(source) == [["1", nil, nil], ["2", nil, nil], ["3", nil, nil], ["4", nil, "x"]])
    }

    @Test("18.3: the last rows are available before the rest is counted") func tail() throws {
        let text = (1...60_000).map { "{\"n\":\($0),\"t\":\"row number \($0)\"}\n" }.joined()
        let source = try FileOpener().open(path: folder.file("t.jsonl", text))
        #expect(!source.snapshot().isComplete)
        let tail = try source.tail(atLeast: 20)
        #expect(tail.records.last?.fields.map(\.text) == ["60000", "row number 60000"])
        try source.snapshot().scan(tail.records[tail.records.count - 1], columns: [1, 0]) { fields in
            #expect(fields.map { String(decoding: $0.bytes, as: UTF8.self) } == ["row number 60000", "60000"])
        }
    }

    @Test(
        "18.3: JSON is read from a pipe",
        arguments: ["{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1},\n{\"a\":2}]", "{\"d\":[{\"a\":1},{\"a\":2}]}\n"])
    func pipe(text: String) throws {
        let pipe = Pipe()
        let bytes = Array(text.utf8)
        // The bytes arrive in two parts.
        Thread.detachNewThread {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes[..<9]))
            Thread.sleep(forTimeInterval: 0.05)
            try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes[9...]))
            try? pipe.fileHandleForWriting.close()
        }
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        try source.readAll(threads: 1) { _ in true }
        #expect(try rows(source) == [["1"], ["2"]])
    }

    @Test("18.3: the elements of an array on one line are shown while a pipe pauses") func pausingPipe() throws {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        try writer.write(contentsOf: Data("[{\"a\":1},{\"a\":2},".utf8))
        let isOpen = DispatchSemaphore(value: 0)
        // If opening waits for more bytes, they arrive late, and the test fails instead of hanging.
        Thread.detachNewThread {
            _ = isOpen.wait(timeout: .now() + 10)
            try? writer.write(contentsOf: Data("{\"a\":3}]".utf8))
            try? writer.close()
        }
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        #expect(format(source) == "JSON" && source.isGrowing && source.snapshot().recordCount == 2)
        #expect(try rows(source) == [["1"], ["2"]])
        isOpen.signal()
        try source.readAll(threads: 1) { _ in true }
        #expect(try rows(source) == [["1"], ["2"], ["3"]])
    }

    @Test("18.3: an array on one line is read as JSON without reading the line as a header") func longLine() throws {
        let text = "[" + (0..<50_000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        let source = try #require(FileOpener().open(path: folder.file("t.json", text)) as? JSONSource)
        #expect(source.file.isHeaderCut)
        #expect(source.snapshot().recordCount > 1_000)
        try source.readAll(threads: 2) { _ in true }
        #expect(source.snapshot().recordCount == 50_000)
    }

    @Test("18.3: damaged JSON gives rows or an error", arguments: ["jsonl", "json"]) func damage(suffix: String) throws {
        let record = #"{"id":123,"by":{"desk":{"venue":"X\u00e9"},"n":null},"list":[1,{"b":2.5e3}],"s":"a\"b"}"#
        let lines = [String](repeating: record, count: 40)
        let text = suffix == "jsonl" ? lines.joined(separator: "\n") + "\n" : "{\"data\": [\n" + lines.joined(separator: ",\n ") + "]}\n"
        let bytes = Array(text.utf8)
        var random = SplitMix64(seed: 8)
        var opened = 0
        for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
            var flipped = bytes
            flipped[position] ^= UInt8.random(in: 1...255, using: &random)
            for damaged in [flipped, Array(bytes[..<position]), Array(bytes[..<position]) + Array(bytes[(position + 1)...])] {
                do {
                    let source = try FileOpener().open(path: folder.file("t.\(suffix)", bytes: damaged))
                    try source.readAll(threads: 1) { _ in true }
                    _ = try rows(source)
                    _ = try source.snapshot().records(0..<source.snapshot().recordCount, maximumFieldBytes: 100)
                    _ = (source.problems, source.details, source.profiles(budgetMilliseconds: 0))
                    opened += 1
                } catch is FormatError {}
            }
        }
        #expect(opened > 200)
        for end in [bytes.count / 2, bytes.count - 2] where suffix == "json" {
            let source = try FileOpener().open(path: folder.file("t.json", bytes: Array(bytes[..<end])))
            try source.readAll(threads: 1) { _ in true }
            #expect(source.problems.contains { $0.contains("incomplete") } && source.snapshot().recordCount > 10)
        }
    }

    @Test("18.3: hostile depths and sizes are bounded") func hostile() throws {
        let deep = String(repeating: "[", count: 1_000_000)
        for text in [deep, "{\"a\":" + deep, "[{\"a\":" + deep + "]", "{\"a\":1}\n{\"a\":" + deep + "\n{\"a\":2}\n"] {
            for name in ["t.json", "t.jsonl", "t.txt"] {
                do {
                    let source = try open(text, name)
                    _ = try source.snapshot().records(0..<source.snapshot().recordCount, maximumFieldBytes: 100)
                } catch is FormatError {}
            }
        }
        let objects = String(repeating: "{\"a\":", count: 500_000) + "1" + String(repeating: "}", count: 500_000)
        let nested = try open("[{\"a\":1},\(objects),{\"a\":2}]")
        #expect(nested.snapshot().recordCount == 3 && nested.problems.contains { $0.contains("row 2 has more than 1,024 levels") })
        #expect(try rows(nested)[2][0] == "2")
        // 1,000 levels are read.
        let list = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
        #expect(try rows(open("[{\"a\":\(list)}]")) == [[list]])
    }

    @Test("18.3: large records are read or reported") func large() throws {
        let text = String(repeating: "x", count: 20 << 20)
        let lines = try open("{\"a\":1,\"s\":\"\(text)\",\"b\":2}\n{\"a\":3,\"s\":\"y\",\"b\":4}\n", "t.jsonl")
        #expect(titles(lines) == ["a", "s", "b"])
        var counts: [Int] = []
        try lines.snapshot().scan(0..<2, columns: [1, 2]) { _, fields in
            counts += fields.map(\.count)
            return true
        }
        #expect(counts == [20 << 20, 1, 1, 1])
        let record = try lines.snapshot().records(0..<2, maximumFieldBytes: 10)
        #expect(record[0].fields.map(\.text) == ["1", "xxxxxxxxxx"] && record[0][1]?.isTruncated == true && record[1][2]?.text == "4")
        let array = try open("[{\"a\":1,\"s\":\"\(text)\"},{\"a\":3,\"s\":\"y\"}]")
        #expect(array.snapshot().recordCount == 2 && array.problems.contains("row 1 is larger than 16 MiB"))
        #expect(try rows(array)[1].contains("3"))
    }

    @Test("18.3: documents in UTF-16 and in Windows-1252 are read") func encodings() throws {
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in "[{\"a\":\"é\"},{\"a\":\"😀\"}]".utf16 { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let wide = try FileOpener().open(path: folder.file("t.json", bytes: utf16))
        try wide.readAll(threads: 1) { _ in true }
        #expect(try rows(wide) == [["é"], ["😀"]])
        let latin = Array("[{\"a\":\"".utf8) + [0xE9, 0xE8] + Array("\"},{\"a\":\"x\"}]".utf8)
        let narrow = try FileOpener(dialect: DialectRequest(encoding: .windows1252)).open(path: folder.file("t.json", bytes: latin))
        try narrow.readAll(threads: 1) { _ in true }
        #expect(try rows(narrow) == [["éè"], ["x"]])
    }

    @Test("18.3: the time of reading a file is printed", .enabled(if: ProcessInfo.processInfo.environment["GV_JSON_FILE"] != nil))
    func timing() throws {
        let path = ProcessInfo.processInfo.environment["GV_JSON_FILE"]!
        func time(_ name: String, _ body: () throws -> Void) rethrows {
            let start = clock()
            let wall = ContinuousClock.now
            try body()
            print("\(name): \(Double(clock() - start) / 1e6) s CPU, \(ContinuousClock.now - wall)")
        }
        var source: any TableSource = try FileOpener().open(path: path)
        try time("open") { source = try FileOpener().open(path: path) }
        try time("read all") { try source.readAll(threads: 2) { _ in true } }
        let lines = try DelimitedFile(path: path, request: DialectRequest(delimiter: 0x1F, quote: .some(nil), hasHeader: false))
        try time("index of lines") { try lines.readAll(threads: 2, priority: .foreground) { _ in true } }
        var bytes = 0
        func add(_ batch: FieldBatch) -> Bool {
            for record in 0..<batch.count { for field in batch.fields(of: record) { bytes += field.count } }
            return true
        }
        time("scan of lines") { try? lines.snapshot().scanBatches(0..<lines.snapshot().recordCount, columns: [0], add) }
        let table = source.snapshot()
        print("rows", table.recordCount, "columns", table.columnCount)
        for column in 0..<min(table.columnCount, 12) {
            try time("column \(source.title(ofColumn: column))") { try table.scanBatches(0..<table.recordCount, columns: [column], add) }
        }
        try time("all columns") { try table.scanBatches(0..<table.recordCount, columns: Array(0..<table.columnCount), add) }
    }
}
