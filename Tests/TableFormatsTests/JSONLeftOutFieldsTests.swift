import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Fields of a JSON document outside the array whose elements are the rows.
@Suite struct JSONLeftOutFieldsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, path: String? = nil) throws -> any TableSource {
        let source = try FileOpener(jsonPath: path).open(path: folder.file("t.json", text))
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    /// The phrases about values that are left out, which are notes of output and not losses.
    private func leftOutPhrases(_ text: String, path: String? = nil) throws -> [String] {
        let source = try open(text, path: path)
        #expect(source.conversions == source.problems.map { TextConversion("t.json: \($0).", isLoss: false) }, "\(text)")
        return source.problems
    }

    @Test func `18.3: a note names the fields outside the rows: before them, after them and at each level`() throws {
        let advice = "--path '' shows the whole document"
        for (text, names) in [
            (#"{"a": 1, "b": [{"x": 1}]}"#, "field “a” is"), (#"{"b": [{"x": 1}], "a": null}"#, "field “a” is"),
            (#"{"type": "FeatureCollection", "features": [{"x": 1}]}"#, "field “type” is"),
            (#"{"s": "ok", "data": {"n": 2, "rows": [{"x": 1}], "m": {"k": 1}}, "z": []}"#, "fields “s”, “data.n”, “data.m” and more are"),
            (#"{"s": "}", "data": {"rows": [{"x": 1}, {"s": 2}]}, "t": [[1]]}"#, "fields “s” and “t” are"),
            // A repeated field is named once, and the fields of an incomplete document are named, too.
            (#"{"a": 1, "a": 2, "b": [{"x": 1}], "a": 3}"#, "field “a” is"),
        ] {
            #expect(try leftOutPhrases(text) == ["the \(names) left out; \(advice)"], "\(text)")
        }
        let cut = try open(#"{"b": [{"x": 1}], "a": 3"#)
        #expect(cut.problems.first == "the field “a” is left out; \(advice)" && cut.conversions.contains(where: \.isLoss))
    }

    @Test func `18.3: an array of objects outside the rows is not also listed as a field`() throws {
        let text = #"{"a": 1, "more": [{"y": 1}], "b": [{"x": 1}], "last": [2, {"z": 3}]}"#
        #expect(
            try leftOutPhrases(text) == [
                "the arrays “b” and “last” are left out; --path b shows the first",
                "the field “a” is left out; --path '' shows the whole document",
            ])
    }

    @Test func `18.3: no fields are listed if all of them are shown, or if --path selects the rows`() throws {
        for text in [
            #"{"b": [{"a": 1, "c": {"d": 2}}, {"e": 3}]}"#, #"{"data": {"rows": [{"x": 1}]}}"#, #"[{"a": 1}, {"b": [{"c": 1}]}]"#,
            #"{"a": 1, "b": 2}"#, "{\"a\": 1}\n{\"a\": 2, \"b\": [{}]}\n", #"{"w": {"a": 1}, "v": {"a": 2}}"#,
        ] {
            #expect(try leftOutPhrases(text) == [], "\(text)")
        }
        let text = #"{"a": 1, "b": [{"x": 1}]}"#
        #expect(try leftOutPhrases(text, path: "b") == [])
        // The advised option shows the fields.
        let whole = try open(text, path: "")
        #expect((0..<whole.columnCount).map { whole.title(ofColumn: $0) } == ["a", "b"] && whole.problems.isEmpty)
    }

    @Test func `18.3: fields far after the first bytes of the file are also listed`() throws {
        let rows = [String](repeating: #"{"a": "0123456789012345678901234567890123456789"}"#, count: 20_000).joined(separator: ",\n")
        let phrase = "the field “total” is left out; --path '' shows the whole document"
        #expect(try leftOutPhrases("{\"rows\": [\(rows)], \"total\": 20000}") == [phrase])
    }
}
