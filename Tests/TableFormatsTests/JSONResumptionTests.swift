import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Damaged records of JSON documents, after which reading continues.
@Suite struct JSONResumptionTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How records are written.
    enum Layout: CaseIterable {
        /// Objects over several lines, one after another.
        case values
        /// Objects over several lines in an array.
        case elements
        /// Objects on one line each, in an array within an object.
        case compact

        func record(_ number: Int) -> String {
            let members = ["\"id\": \(number)", "\"by\": {\"desk\": \"d\(number)\", \"list\": [1, {\"b\": 2}]}", "\"s\": \"a\\\"b{\""]
            switch self {
            case .values: return "{\n  " + members.joined(separator: ",\n  ") + "\n}"
            case .elements: return "  {\n    " + members.joined(separator: ",\n    ") + "\n  }"
            case .compact: return " {" + members.joined(separator: ", ") + "}"
            }
        }

        func document(_ records: [String]) -> String {
            switch self {
            case .values: return records.joined(separator: "\n") + "\n"
            case .elements: return "[\n" + records.joined(separator: ",\n") + "\n]\n"
            case .compact: return "{\"data\": [\n" + records.joined(separator: ",\n") + "\n], \"other\": [\n {\"id\": 99}\n]}\n"
            }
        }
    }

    /// The values of the column `id`, without missing ones.
    private func numbers(_ source: any TableSource) throws -> [String] {
        let column = try #require((0..<source.columnCount).first { source.title(ofColumn: $0) == "id" })
        return try rows(source).compactMap { $0[column] }
    }

    @Test(arguments: Layout.allCases) func `18.3: the records after a truncated record are read`(
        layout: Layout
    ) throws {
        let records = (0..<6).map(layout.record)
        for count in 3..<records[2].utf8.count {
            let cut = String(records[2].prefix(count))
            // After a colon, and in an array, the next record may be a part of this one.
            let isOpen = cut.hasSuffix(":") || cut.hasSuffix(": ") || cut.contains("[") && !cut.contains("]")
            guard !isOpen else { continue }
            let text = layout.document(Array(records[..<2]) + [cut] + Array(records[3...]))
            let source = try open(text)
            let found = try numbers(source)
            #expect(found.filter { $0 != "2" } == ["0", "1", "3", "4", "5"], "\(text)")
            #expect(source.problems.contains { $0 == "row 3 is not valid JSON" }, "\(source.problems) \(text)")
            #expect(source.conversions.contains { $0.isLoss })
        }
    }

    @Test(arguments: Layout.allCases) func `18.3: a missing byte damages only one record`(layout: Layout) throws {
        let records = (0..<6).map(layout.record)
        for index in records[2].indices {
            var damaged = records[2]
            damaged.remove(at: index)
            // In an array, if a quote of a key is missing, the object may continue into the next record.
            if damaged.contains("{b\"") || damaged.contains("\"b:") { continue }
            let source = try open(layout.document(Array(records[..<2]) + [damaged] + Array(records[3...])))
            #expect(try numbers(source).filter { $0 != "2" } == ["0", "1", "3", "4", "5"], "\(damaged)")
        }
    }

    @Test(arguments: Layout.allCases) func `18.3: rows and problems do not depend on the blocks in which the bytes arrive`(layout: Layout)
        throws
    {
        let records = (0..<6).map(layout.record)
        for damage in ["{\"id\": [2}", "{\"id\": \"x", "  }", "// comment", "{\"id\": 2,\n \"a\": \"", "]]"] {
            let text = Array(layout.document(Array(records[..<2]) + [damage] + Array(records[3...])).utf8)
            func rewritten(_ size: Int) -> (output: [UInt8], problems: [String]) {
                let notes = JSONNotes(description: "")
                var rewriter = JSONRewriter(layout == .values ? .values : .elements(layout == .compact ? [Array("data".utf8)] : []), notes)
                var output: [UInt8] = []
                for start in stride(from: 0, to: text.count, by: size) {
                    Array(text[start..<min(text.count, start + size)]).withUnsafeBufferPointer {
                        rewriter.rewrite($0, isEnd: start + size >= text.count, into: &output)
                    }
                }
                return (output, notes.problems)
            }
            let whole = rewritten(text.count)
            for size in [1, 2, 3, 7, 16] {
                let parts = rewritten(size)
                #expect(parts.output == whole.output && parts.problems == whole.problems, "\(damage) \(size)")
            }
        }
    }

    @Test func `18.3: damage between records is reported with the lines where reading stops and continues`() throws {
        let brackets = try open("{\n\"a\":1\n}\n}\n{\n\"a\":2\n}\n{\n\"a\":[3}\n}\n{\n\"a\":4}\n")
        #expect(try rows(brackets).map { $0[0] } == ["1", "2", nil, "4"])
        #expect(
            brackets.problems == [
                "row 3 is not valid JSON",
                "the JSON is damaged on line 4: there is a “}” without its opening bracket; reading continued on line 5; "
                    + "1 more such place follows",
            ])
        // The records of another array are not taken for those of the damaged one.
        let other = try open("{\"a\":[\n{\"x\":1},\n{\"x\":2}},\n{\"x\":[3}\n],\"b\":[\n{\"x\":9}\n]}\n")
        #expect(try rows(other).map { $0[0] } == ["1", "2", nil])
        #expect(other.problems.contains { $0.hasSuffix("reading stopped there") })
        let end = try open("{\"a\":[\n{\"x\":1},\n{\"x\":2,\n],\"b\":[\n{\"x\":9}\n]}\n")
        #expect(try rows(end).map { $0[0] } == ["1", nil])
        // Records that do not begin their lines cannot be found again.
        let line = try open("[{\"a\":1},{\"a\":[2}},{\"a\":3}]")
        #expect(try rows(line).map { $0[0] } == ["1", nil])
        #expect(line.problems.contains("the JSON is damaged on line 1: there is a “}” without its opening bracket; reading stopped there"))
    }

    @Test(arguments: ["{\n\"b\": 1\n}", "[\n1\n]"])
    func `18.3: after damage, reading stops if parts of records are indented like records`(part: String) throws {
        // As written by `json.dumps(x, indent=0)`.
        func document(_ end: String) -> String {
            let records = (0..<4).map { "{\n\"id\": \($0)\($0 == 1 ? end : ""),\n\"list\": [\n\(part)\n]\n}" }
            return "[\n" + records.joined(separator: ",\n") + "\n]\n"
        }
        #expect(try numbers(open(document(""))) == ["0", "1", "2", "3"])
        let damaged = try open(document(" #"))
        #expect(try rows(damaged).count == 2 && numbers(damaged) == ["0"], "no row is a part of a record")
        #expect(
            damaged.problems == [
                "row 2 is not valid JSON",
                "the JSON is damaged on line 11: there is a “#” outside of strings, and JSON has no comments; reading stopped there",
            ])
        // A part that begins where no value can begin is not the next record.
        let unseparated = try open(document(",\n\"x\": 1\n\(part)"))
        #expect(try rows(unseparated).allSatisfy { $0[0] != nil || $0.last??.hasPrefix("{\"id\":1") == true })
    }

    @Test func `18.3: comments between records are invalid rows`() throws {
        for text in [
            "{\"a\":\n1}\n// it's\n{\"a\":2}\n  # c {\n'd'\n{\"a\":3}", "[{\"a\":1},\n// it's\n{\"a\":2}, # c {\n'd'\n,{\"a\":3}]\n",
        ] {
            let source = try open(text, as: "json")
            let found = try rows(source)
            #expect(found.compactMap { $0[0] } == ["1", "2", "3"])
            #expect(found.compactMap { $0[1] } == ["// it's", "# c {", "'d'"])
            #expect(source.problems == ["3 rows are not valid JSON (first: row 2)"])
        }
    }

    @Test func `18.3: line ends in strings do not end a record`() throws {
        let source = try open("{\n\"a\":\"int main()\n{\n  puts(\\\"x\\\");\n}\n{\"\n}\n{\n\"a\":\"\n{ \\\"b\\\": 1 }\n\"\n}\n")
        #expect(try rows(source) == [["int main()\n{\n  puts(\"x\");\n}\n{"], ["\n{ \"b\": 1 }\n"]])
        #expect(source.problems.isEmpty)
    }
}
