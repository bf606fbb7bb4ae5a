import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// JSON objects whose members are the rows: 18.3.
@Suite struct JSONMemberTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func description(_ source: any TableSource) -> String { source.details.first { $0.name == "rows" }?.value ?? "" }

    @Test func `18.3: an object of objects with the same keys is a table whose first column has the member names`() throws {
        let texts = [
            #"{"web1":{"cpu":1,"os":{"name":"x"}},"web2":{"cpu":2,"os":null}}"#,
            "{\n  \"web1\": {\n    \"cpu\": 1,\n    \"os\": { \"name\": \"x\" }\n  },\n  \"web2\" : { \"cpu\": 2, \"os\": null }\n}\n",
        ]
        for text in texts {
            for path in [nil, "*"] {
                let source = try open(text, path: path)
                #expect(titles(source) == ["key", "cpu", "os.name"] && description(source) == "members of the object")
                #expect(try rows(source) == [["web1", "1", "x"], ["web2", "2", nil]] && source.problems.isEmpty)
            }
        }
        let optional = #"{"a":{"k":1,"m":2},"b":{"k":1,"m":2,"n":3},"c":{"k":1,"m":2}}"#
        #expect(try rows(open(optional)).map { $0[0] } == ["a", "b", "c"])
        // A field of the objects keeps its name.
        #expect(try titles(open(#"{"a":{"key":1,"key_2":2},"b":{"key":3,"key_2":4}}"#)) == ["key_3", "key", "key_2"])
    }

    @Test(
        arguments: [
            #"{"name":"x","version":"1","dependencies":{"a":"1","b":"2"},"devDependencies":{"a":"1","b":"2"}}"#,
            #"{"env":{"browser":true},"rules":{"semi":"error"}}"#, #"{"compilerOptions":{"strict":true,"target":"x"}}"#,
            #"{"data":{"id":1,"type":"t"},"meta":{"page":1}}"#, #"{"a":{},"b":{}}"#, #"{"a":{"k":1},"b":{"k":2},"n":3}"#,
            #"{"a":{"k":1},"b":null}"#, #"{"a":{"k":1,"l":1,"m":1},"b":{"k":2,"x":1,"y":1}}"#,
            #"{"users":{"1":{"n":1},"2":{"n":2}},"posts":{"10":{"t":1}}}"#, "{}",
        ])
    func `18.3: other objects, such as configuration files, are read as one row`(text: String) throws {
        let source = try open(text)
        #expect(description(source) == "the object" && source.snapshot().recordCount == 1)
        #expect(!titles(source).contains("key"))
    }

    @Test func `18.3: arrays of objects, GeoJSON and several objects take precedence over members`() throws {
        let arrays = try open(#"{"users":{"items":[{"a":1}],"n":1},"groups":{"items":[{"a":2},{"a":3}],"n":2}}"#)
        #expect(description(arrays) == "elements of users.items")
        let geo = #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point"}}]}"#
        #expect(try description(open(geo, "t.geojson")) == "elements of features")
        let lines = try open("{\"a\":{\"k\":1},\"b\":{\"k\":2}}\n{\"a\":{\"k\":3},\"b\":{\"k\":4}}\n")
        #expect(titles(lines) == ["a.k", "b.k"] && lines.snapshot().recordCount == 2)
        let values = try open("{\"a\":{\"k\":1},\"b\":{\"k\":2}} {\"a\":{\"k\":3},\n\"b\":{\"k\":4}}\n")
        #expect(titles(values) == ["a.k", "b.k"] && description(values) == "values of the file")
    }

    @Test func `18.3: --path selects the members of an object of objects, or with .* those of any object`() throws {
        let text = #"""
            {"n": 1, "servers": {"web 1": {"cpu": 1}, "\u0064b\"": {"disk": {"free": 2}}}, "one": {"only": {"k": 1}},
            "mixed": {"a": 1, "b": [2, 3], "c": null, "d": {}, "e": {"value": "v", "x": true}}, "x.*": {"y": 5}, "list": [{"z": 1}, {"z": 2}]}
            """#
        let servers = try open(text, path: "servers")
        #expect(titles(servers) == ["key", "cpu", "disk.free"] && description(servers) == "members of servers")
        #expect(try rows(servers) == [["web 1", "1", nil], ["db\"", nil, "2"]])
        #expect(try rows(open(text, path: "servers.*")) == rows(servers))
        // A single member is a record only if the path specifies it.
        #expect(try titles(open(text, path: "one")) == ["only.k"])
        #expect(try rows(open(text, path: "one.*")) == [["only", "1"]])
        #expect(try titles(open(text, path: "mixed")).contains("a"))
        let mixed = try open(text, path: "mixed.*")
        #expect(titles(mixed) == ["key", "value", "x"])
        #expect(
            try rows(mixed) == [["a", "1", nil], ["b", "[2,3]", nil], ["c", nil, nil], ["d", nil, nil], ["e", "v", "true"]])
        #expect(try mixed.snapshot().records(2..<3, maximumFieldBytes: 100)[0].isNull(1))
        // Objects after other values, or after many objects, also keep their field “key”.
        let named = try open(#"{"a": 1, "b": {"key": 5}}"#, path: "*")
        #expect(titles(named) == ["key_2", "value", "key"] && named.problems.isEmpty)
        #expect(try rows(named) == [["a", "1", nil], ["b", nil, "5"]])
        let many = (0..<200).map { "\"m\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
        let last = try open("{\(many),\"last\":{\"n\":1,\"key\":\"k\"}}")
        #expect(titles(last) == ["key_2", "n", "key"] && last.problems.isEmpty)
        #expect(try rows(last).last == ["last", "1", "k"])
        #expect(try rows(open(text, path: "servers.web 1")) == [["1"]])
        #expect(try rows(open(text, path: "\"x.*\"")) == [["5"]])
        #expect(try rows(open(text, path: "\"x.*\".*")) == [["y", "5"]])
        #expect(try rows(open(text, path: "list.*")) == [["1"], ["2"]])
        #expect(throws: FormatError.self) { try open(text, path: "none.*") }
        #expect(throws: FormatError.self) { try open(text, path: "n.*") }
        #expect(throws: FormatError.self) { try open(text, path: "\"servers.*") }
    }

    @Test func `18.3: an object with many members is read in limited memory, and --path can point far after the start`() throws {
        let count = 30_000
        let members = (0..<count).map { "\"m\($0)\": {\"n\": \($0), \"text\": \"some text of member \($0)\"}" }.joined(separator: ",\n")
        let late = ",\n\"late\": {\"new\": [1], \"n\": 5}, \"other\": 7"
        let source = try open("{\(members)\(late)}\n")
        #expect(titles(source) == ["key", "n", "text", "new", "value"])
        let table = source.snapshot()
        #expect(table.recordCount == count + 2)
        let last = try table.records(count - 1..<count + 2, maximumFieldBytes: 100).map { record in (0..<5).map { record[$0]?.text } }
        #expect(
            last == [
                ["m29999", "29999", "some text of member 29999", nil, nil], ["late", "5", nil, "[1]", nil], ["other", nil, nil, nil, "7"],
            ])
        let behind = try open("{\"first\": {\(members)}, \"second\": {\"a\": {\"k\": 1}, \"b\": {\"l\": 2}}}", path: "second")
        #expect(try rows(behind) == [["a", "1", nil], ["b", nil, "2"]])
    }

    @Test func `18.3: arrays beyond the sampled part of an object of objects are rows, and nothing is left out`() throws {
        let members = (0..<8_000).map { "\"m\($0)\":{\"n\":\($0),\"t\":\"some text of member \($0)\"}" }
        let before = members.prefix(7_000).joined(separator: ",")
        #expect(before.utf8.count > JSONFormat.sampleBytes)
        let after = members.suffix(1_000).joined(separator: ",")
        let arrays = #""objects":[{"a":1},{"a":2}],"numbers":[1,2],"empty":[],"in":{"list":[{"b":3}]}"#
        let source = try open("{\(before),\(arrays),\(after)}")
        #expect(description(source) == "members of the object" && titles(source) == ["key", "n", "t", "value", "list"])
        let found = try rows(source)
        try #require(found.count == 8_004)
        #expect(found[6_999] == ["m6999", "6999", "some text of member 6999", nil, nil])
        #expect(
            Array(found[7_000..<7_004]) == [
                ["objects", nil, nil, #"[{"a":1},{"a":2}]"#, nil], ["numbers", nil, nil, "[1,2]", nil], ["empty", nil, nil, "[]", nil],
                ["in", nil, nil, nil, #"[{"b":3}]"#],
            ])
        #expect(found.last == ["m7999", "7999", "some text of member 7999", nil, nil])
        #expect(source.problems.isEmpty && source.conversions.isEmpty)
        // If the objects before such an array have other keys, the array is the table, and the objects are named.
        let others = (0..<8_000).map { "\"m\($0)\":{\"n\($0)\":\"some text of member \($0)\"}" }.joined(separator: ",")
        let table = try open("{\(others),\"rows\":[{\"a\":1},{\"a\":2}]}")
        #expect(try rows(table) == [["1"], ["2"]])
        #expect(table.problems == ["the fields “m0”, “m1”, “m2” and more are left out; --path '' shows the whole document"])
    }

    @Test func `18.3: the position of the records in one document is not used for the next document`() throws {
        let members = try open(
            "{\"a\":[\n{\"x\":1}\n]}\n{\"a\":{\"k\" \"v\"}}\n{\"a\":{\"m\":{\"x\":2}}}\n{\"a\":{\"n\":{\"x\":3}}}\n", path: "a.*")
        #expect(try rows(members).map { $0[0] } == ["1"])
        #expect(members.problems == ["the JSON is damaged on line 4: there is a value without a key; reading stopped there"])
        let object = try open("{\"a\":[\n{\"x\":1}\n]}\n{\"a\":{\"k\" {\"v\":1}}}\n{\"a\":{\"m\":{\"x\":2}}}\n", path: "a.*")
        #expect(try rows(object).map { $0[0] } == ["1"] && object.problems == members.problems)
    }

    @Test func `18.3: damaged members are reported`() throws {
        let cut = try open("{\"a\":{\"k\":1},\"b\":{\"k\":2},\"c\":{\"k\":", path: "*")
        #expect(cut.problems.contains("the JSON is incomplete: the file ends within a record"), "\(cut.problems)")
        #expect(try rows(cut).prefix(2).map { Array($0.prefix(2)) } == [["a", "1"], ["b", "2"]])
        let keyless = try open("{\"a\":{\"k\":1},\"b\":{\"k\":2},{\"k\":3}}", path: "*")
        #expect(keyless.problems == ["the JSON is damaged on line 1: there is a value without a key; reading stopped there"])
        #expect(try rows(keyless) == [["a", "1"], ["b", "2"]])
        for text in [#""c" "d":4"#, #":{"k":3}"#, #""c":{"k":3} {"k":4}"#] {
            let source = try open("{\"a\":{\"k\":1},\"b\":{\"k\":2},\(text)}", path: "*")
            #expect(source.problems.contains { $0.contains("there is a value without a key") }, "\(text) \(source.problems)")
        }
        for text in [#""c":,"d":{"k":4}"#, #""c":"#] {
            let source = try open("{\"a\":{\"k\":1},\"b\":{\"k\":2},\(text)}", path: "*")
            #expect(source.problems.contains { $0.contains("there is a key without a value") }, "\(text) \(source.problems)")
            #expect(try rows(source) == [["a", "1"], ["b", "2"]], "\(text)")
        }
        let large = try open("{\"a\":{\"k\":\"\(String(repeating: "x", count: 17 << 20))\"},\"b\":{\"k\":2}}", path: "*")
        #expect(large.problems.contains { $0.contains("row 1 is larger than 16 MiB") } && large.snapshot().recordCount == 2)
        let start = try large.snapshot().records(0..<1, maximumFieldBytes: 100)[0].fields.map(\.text).joined()
        #expect(start.contains(#""a":{"k":"xxx"#), "\(start)")
    }

    @Test func `18.3: an object of objects is read from a pipe as a table, however its bytes arrive`() throws {
        let bytes = Data("{\"web1\":{\"cpu\":1},\"web2\":{\"cpu\":2}}\n".utf8)
        for first in [1, 9, 20, bytes.count - 1, bytes.count] {
            let pipe = Pipe()
            let writer = pipe.fileHandleForWriting
            Thread.detachNewThread {
                try? writer.write(contentsOf: bytes.prefix(first))
                Thread.sleep(forTimeInterval: 0.05)
                try? writer.write(contentsOf: bytes.dropFirst(first))
                try? writer.close()
            }
            let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
            try source.readAll(threads: 1) { _ in true }
            #expect(titles(source) == ["key", "cpu"] && source.snapshot().recordCount == 2, "\(first)")
        }
    }
}
