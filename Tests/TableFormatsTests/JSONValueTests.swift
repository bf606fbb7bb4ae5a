import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Columns, values and types of JSON records.
@Suite struct JSONValueTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.3: nested objects become columns to depth 3`() throws {
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

    @Test func `18.3: strings, nulls, empty strings and repeated keys are read with their correct values`() throws {
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
    @Test(arguments: [false, true])
    func `18.3: unpaired surrogates in keys and values are reported as lost characters`(isDocument: Bool) throws {
        let count = JSONCheckResult.chunkRecords + 100
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
    @Test(arguments: [false, true])
    func `18.3: repeated keys of an object are reported as a loss, unless one cell has both values`(isDocument: Bool) throws {
        // In both files, the JSON text of a cell has all keys, so no value is lost.
        let plain = [String](
            repeating: #"{"a": 1, "b": {"a": 2}, "c": [{"a": 1, "a": 2}], "d": {"d": {"d": {"a": 1, "a": 2}}}}"#,
            count: JSONCheckResult.chunkRecords + 100)
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
    @Test func `18.3: a note names the columns that have both numbers and strings that look like numbers`() throws {
        let plain = [String](
            repeating: #"{"n": 5, "s": "2024-01-05", "t": "1", "o": {"p": -2.5}, "l": [1, "1"], "f": true}"#,
            count: JSONCheckResult.chunkRecords + 100)
        func source(_ last: String...) throws -> any TableSource { try open((plain + last).map { $0 + "\n" }.joined()) }
        let others = ["n/a", "1.2.3", "2024-01-05", "", " ", "-", "1e", "7x", ",5", "12:30", "true"]
        for text in others + [#"\u0037x"#, #"\n5"#, #"5\/"#, #"\u00e97"#, #"\""#] {
            #expect(try source(#"{"n": "\#(text)", "o": {"p": "\#(text)"}, "t": null, "f": "\#(text)"}"#).problems.isEmpty, "\(text)")
        }
        let phrase = "a number equals a string with the same digits in"
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

    @Test(arguments: [false, true])
    func `18.3: null, missing and empty values are distinguished, even within objects`(isTidy: Bool) throws {
        // `∅` is null, and `-` is missing. A key of an object that is null is null, too.
        var forms: [(line: String, fields: [String])] = [
            (#"{"a":{"b":null},"c":"1"}"#, ["-", "∅", "1"]), (#"{"a":{},"c":""}"#, ["{}", "-", ""]), (#"{"a":null}"#, ["∅", "∅", "-"]),
            ("{}", ["-", "-", "-"]), (#"{"a":{"b":""},"c":null}"#, ["-", "", "∅"]),
            (#"{"c":"\u00e9\n","a":"null"}"#, ["null", "-", "é\n"]),
            ("null", ["∅", "∅", "∅"]),
        ]
        // Lines that are not plain objects are read in another way.
        if !isTidy { forms.append((#"{"a":1,"a":null,"c":"n\u0075ll"}"#, ["∅", "∅", "null"])) }
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
            let nested = columns.map { FieldID.firstNestedColumn + $0 }
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

    @Test func `18.3: a null object is distinguished from a missing one if all other objects have keys`()
        throws
    {
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

    @Test func `18.3: columns are wide enough for the nulls of the sample, even if the columns appear late`()
        throws
    {
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

    @Test func `18.11: strings are text even if they look like numbers or flags, but strings with dates are dates`() throws {
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
}
