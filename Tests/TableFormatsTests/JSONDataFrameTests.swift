import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// JSON that pandas writes with `orient="table"` and `orient="split"`: 18.3.
@Suite struct JSONDataFrameTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let table = #"""
        {"schema":{"fields":[{"name":"index","type":"integer"},{"name":"a","type":"string"}],"primaryKey":["index"]},
        "data":[{"index":0,"a":"x"},{"index":1,"a":null}]}
        """#

    private static func split(_ index: String, columns: String = #"["a","b \"c\"",2]"#) -> String {
        #"{"columns":\#(columns),"index":\#(index),"data":[[1,"x",1.5],[2,null,null]]}"#
    }

    @Test func `18.3: the rows of a data frame with a schema are the table, not the fields of the schema`() throws {
        let source = try open(Self.table)
        #expect(try titles(source) == ["index", "a"] && rows(source) == [["0", "x"], ["1", nil]])
        #expect(source.problems.isEmpty && source.conversions.isEmpty)
        // A path still selects the schema.
        #expect(try rows(open(Self.table, path: "schema.fields")) == [["index", "integer"], ["a", "string"]])
        // As for an empty array, there is no record from which to find columns.
        #expect(throws: FormatError.self) { try open(#"{"schema":{"fields":[{"name":"a"}]},"data":[]}"#) }
    }

    @Test func `18.3: a data frame of arrays has its column names, and its index unless that only counts the rows`() throws {
        let plain = try open(Self.split("[0, 1]"))
        #expect(try titles(plain) == ["a", #"b "c""#, "2"] && rows(plain) == [["1", "x", "1.5"], ["2", nil, nil]])
        #expect(plain.problems.isEmpty && plain.hasColumnNames)
        let dated = try open(Self.split(#"["2024-01-01", "2024-01-02"]"#))
        #expect(titles(dated) == ["index", "a", #"b "c""#, "2"])
        #expect(try rows(dated) == [["2024-01-01", "1", "x", "1.5"], ["2024-01-02", "2", nil, nil]])
        #expect(try titles(open(Self.split("[7, 8]", columns: #"["index","a","a"]"#))) == ["index 2", "index", "a", "a 2"])
        #expect(try titles(open(#"{"columns":["a"],"data":[[1]]}"#)) == ["a"])
        let spread = Self.split("[0, 1]").map { $0 == "," || $0 == "[" ? "\($0)\n  " : String($0) }.joined()
        #expect(try rows(open(spread)) == rows(plain))
    }

    @Test func `18.3: parts of a data frame that the table lacks are reported`() throws {
        let late = try open(#"{"columns":["a"],"data":[[1],[2]],"index":["x","y"],"schema":5}"#)
        #expect(try titles(late) == ["a"] && rows(late) == [["1"], ["2"]])
        let text = "the fields “index” and “schema” are left out; --path '' shows the whole document"
        #expect(late.problems == [text] && late.conversions == [TextConversion("t.json: \(text).", isLoss: false)])
        let columns = try open(#"{"schema":{"fields":[]},"columns":[1],"data":[{"a":1}]}"#)
        #expect(columns.problems == ["the field “columns” is left out; --path '' shows the whole document"])
        let short = try open(#"{"columns":["a"],"index":["x","y","z"],"data":[[1]]}"#)
        #expect(try rows(short) == [["x", "1"]])
        #expect(short.problems == ["2 labels of the index have no rows"] && short.conversions.allSatisfy(\.isLoss))
    }

    @Test(
        arguments: [
            #"{"columns":[["a","x"],["a","y"]],"index":[0],"data":[[1,2]]}"#, #"{"columns":["a"],"data":{"a":1}}"#,
            #"{"columns":["a"],"rows":[[1]]}"#, #"{"name":"t","columns":["a"],"data":[[1]]}"#, #"{"schema":"x","data":[[1]]}"#,
            #"{"columns":[],"data":[[1]]}"#,
        ])
    func `18.3: similar objects are not data frames`(text: String) throws {
        #expect(try open(text).snapshot().recordCount == 1)
    }

    @Test func `18.3: damage in a data frame does not shift the labels of later rows`() throws {
        let text = "{\"columns\":[\"a\"],\"index\":[5,6,7],\n\"data\":[\n[1],\n[x],\n[3]\n]}"
        let source = try open(text)
        let found = try rows(source)
        #expect(found.count == 3 && found[0] == ["5", "1", nil] && found[2] == ["7", "3", nil], "\(found)")
        let hasLoss = source.conversions.contains(where: \.isLoss)
        #expect(hasLoss)
    }

    @Test(
        arguments: [
            // A comment, a row without its end, and text that is not JSON.
            ("[1],\n// two\n[2],\n[3]", ["1", "2", "3"], 2), ("[1],\n[2, [2],\n[3],\n{\"b\": [}\n[4]", ["1"], 2),
            ("[1],\n[2],\n}\n[3]", ["1", "2", "3"], 3),
        ])
    func `18.3: after damage, rows have no labels, because they could be those of other rows`(
        data: String, values: [String], row: Int
    ) throws {
        let source = try open("{\"columns\":[\"a\"],\"index\":[\"w\",\"x\",\"y\",\"z\"],\n\"data\":[\n\(data)\n]}")
        let column = try #require(titles(source).firstIndex(of: "a"))
        let found = try rows(source)
        #expect(titles(source)[0] == "index" && found[0][0] == "w")
        #expect(found.compactMap { $0[column] }.starts(with: values), "\(found)")
        #expect(found.dropFirst(row - 1).allSatisfy { $0[0] == nil }, "\(found)")
        #expect(source.problems.contains("because of damage, the labels of the index are left out from row \(row) on"))
        let hasLoss = source.conversions.contains(where: \.isLoss)
        #expect(hasLoss)
    }
}
