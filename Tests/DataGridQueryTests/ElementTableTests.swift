import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

@Suite("18.3: elements of JSON arrays as rows") struct ElementTableTests {
    @Test(
        arguments: [
            ("[1,2.50,-3]", ["1", "2.50", "-3"]), (" [ \"a\" , \"\" , null ] ", ["a", "", nil]), ("[]", [nil]), ("[ ]", [nil]),
            (#"["a\"b\u00e4\n","ü"]"#, ["a\"bä\n", "ü"]), (#"[{"a":[1,2]},[3,[4]],true]"#, [#"{"a":[1,2]}"#, "[3,[4]]", "true"]),
            ("7", ["7"]), ("", [""]), (nil, [nil]), ("[1,2", ["[1,2"]), ("[1] x", ["[1] x"]), (#"{"a":[1]}"#, [#"{"a":[1]}"#]),
            ("\"[1]\"", ["\"[1]\""]), ("[nul]", ["[nul]"]),
        ] as [(String?, [String?])])
    func `an array has one element per value, and any other field is a single element`(text: String?, expected: [String?]) {
        FieldBytes.withFields(of: [text]) { fields in
            var elements = ArrayElements()
            let count = elements.count(of: fields[0])
            #expect(count == expected.count)
            for first in 0...expected.count {
                var found: [String?] = []
                elements.forEach(of: fields[0], from: first) { number, element, _ in
                    #expect(number == first + found.count)
                    found.append(element.isMissing ? nil : String(decoding: element.bytes, as: UTF8.self))
                    return true
                }
                #expect(found == Array(expected[first...]))
            }
        }
    }

    /// Random records, and the rows of their elements. The records fill several blocks of the index.
    private func records(_ count: Int, _ random: inout SplitMix64) -> (records: [[String?]], rows: [[String?]]) {
        let texts: [(String, String?)] = [
            ("1", "1"), ("null", nil), (#""x\\y""#, #"x\y"#), ("\"\"", ""), (#"{"k":[1,"]"]}"#, #"{"k":[1,"]"]}"#), ("[2,3]", "[2,3]"),
        ]
        var (records, rows): ([[String?]], [[String?]]) = ([], [])
        for number in 0..<count {
            let others = ["\(number)", random.next() % 5 == 0 ? nil : "v\(random.next() % 100)"]
            var elements: [String?]
            let list: String?
            switch random.next() % 10 {
            case 0: (list, elements) = (nil, [nil])
            case 1: (list, elements) = ("plain", ["plain"])
            case 2: (list, elements) = ("[]", [nil])
            default:
                let chosen = (0..<1 + random.next() % 9).map { _ in texts[Int(random.next() % UInt64(texts.count))] }
                (list, elements) = ("[" + chosen.map(\.0).joined(separator: ", ") + "]", chosen.map(\.1))
            }
            records.append([others[0], list, others[1]])
            rows += elements.map { [others[0], $0, others[1]] }
        }
        return (records, rows)
    }

    private func read(_ table: any Table, _ rows: Range<Int>, _ columns: [Int]) throws -> [[String?]] {
        var found: [[String?]] = []
        try table.scan(rows, columns: columns) { row, fields in
            #expect(row == rows.lowerBound + found.count)
            found.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        return found
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `random rows and columns equal those of a simple reference`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (records, rows) = records(1_500, &random)
        // The columns are in another order than in the base table.
        let source = try ElementSource(
            name: "list", MemoryTable(records), columns: [(2, "value"), (1, "list"), (0, "number")], arrayIndex: 1, byteCount: 1_000,
            hasNulls: true)
        func known(_ count: Int) throws {
            let tail = try source.tail(atLeast: count).records
            #expect(tail.map { $0.fields.first?.text } == rows.suffix(count).map { $0[2] ?? "" }, "\(count)")
        }
        for count in [0, 1, 40, 3_000] { try known(count) }
        let first = source.snapshot()
        #expect(!first.isComplete && first.recordCount >= 256 && source.hasNulls && source.indexedByteCount < 1_000)
        #expect(try read(first, 0..<first.recordCount, [1]).map { $0[0] } == rows.prefix(first.recordCount).map { $0[1] })
        try source.readAll(threads: 2, priority: .foreground) { _ in false }
        try source.readAll(threads: 2, priority: .foreground) { _ in true }
        let table = source.snapshot()
        #expect(table.isComplete && table.recordCount == rows.count)
        #expect((0..<3).map(source.title) == ["value", "list", "number"] && source.indexedByteCount == 1_000)
        for _ in 0..<300 {
            let start = Int(random.next() % UInt64(rows.count))
            let end = min(rows.count, start + Int(random.next() % 700))
            let columns = (0..<random.next() % 5).map { _ in Int(random.next() % 4) }
            let expected = rows[start..<end].map { row in columns.map { $0 == 3 ? nil : row[2 - $0] } }
            #expect(try read(table, start..<end, columns) == expected)
        }
        #expect(throws: (any Error).self) { try read(table, 0..<rows.count + 1, [0]) }
        for count in [0, 1, 40, 3_000, 100_000] { try known(count) }
    }

    /// A table with two columns of lists, whose binary forms name the list and the record.
    private struct ListTable: Table {
        let recordCount = 2
        let columnCount = 2
        let hasNestedValues = true
        let nestedColumns = (0..<2).map { column in
            let element = NestedField("element", .value(.double), isOptional: true)
            return NestedColumn(
                columns: column..<column + 1, kinds: [.text], field: NestedField("l\(column)", .list(element, size: nil), isOptional: true))
        }

        func scan(
            _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
        ) throws {
            for record in records {
                let texts = columns.map { column -> String? in
                    let list = column - FieldID.firstStoredColumn
                    return column < columnCount || column >= FieldID.firstNestedColumn ? "[\(record),2.5]" : "list \(list) of \(record)"
                }
                guard FieldBytes.withFields(of: texts, { body(record, $0) }) else { return }
            }
        }
    }

    @Test func `elements have JSON values, and the other lists of the table keep their binary form`() throws {
        let source = try ElementSource(
            name: "list", ListTable(), columns: [(0, "elements"), (1, "other")], arrayIndex: 0, byteCount: 10, hasNulls: false)
        let table = source.snapshot()
        #expect(table.hasNestedValues && table.nestedColumns.map(\.columns) == [1..<2] && table.nestedColumns[0].field.name == "l1")
        let columns = [0, FieldID.firstNestedColumn, FieldID.firstNestedColumn + 1, FieldID.firstStoredColumn]
        #expect(
            try read(table, 0..<4, columns) == [
                ["0", "0", "[0,2.5]", "list 1 of 0"], ["2.5", "2.5", "[0,2.5]", "list 1 of 0"], ["1", "1", "[1,2.5]", "list 1 of 1"],
                ["2.5", "2.5", "[1,2.5]", "list 1 of 1"],
            ])
        #expect(table.hasTypedStrings(inColumn: 0) && !table.hasTypedStrings(inColumn: 1))
    }

    @Test func `index blocks of long arrays have few records, and each indexing step stops after the given bytes`() throws {
        let array = "[" + [String](repeating: "\"" + String(repeating: "x", count: 90) + "\"", count: 1_000).joined(separator: ",") + "]"
        let records = (0..<40).map { $0 % 4 == 0 ? "[\($0)]" : array }
        var table = ElementTable(base: MemoryTable(column: records), columns: [0], arrayIndex: 0, index: ElementIndex())
        try table.extend(records: 40, bytes: 200_000)
        #expect(table.index.endRecord == 4 && !table.isComplete)
        while !table.isComplete { try table.extend(records: 40, bytes: 200_000) }
        #expect(table.recordCount == 10 + 30 * 1_000)
        let block = table.index.block(ofRow: 20_000)
        #expect(block.records.count <= 4 && block.row <= 20_000)
        #expect(try read(table, 3_000..<3_002, [0]) == [["\(String(repeating: "x", count: 90))"], ["4"]])
        let error = #expect(throws: MissingRecordsError.self) { try read(table, 0..<30_011, [0]) }
        #expect(error?.message == "The table has only 30,010 rows.")
    }

    @Test func `a scan ends when its closure returns false`() throws {
        let table = ElementTable(base: MemoryTable(column: ["[1,2,3]", "[4]"]), columns: [0], arrayIndex: 0, index: ElementIndex())
        var complete = table
        try complete.extend(records: 10, bytes: 1_000)
        var rows: [Int] = []
        try complete.scan(0..<4, columns: [0]) { row, _ in
            rows.append(row)
            return row < 1
        }
        #expect(rows == [0, 1] && complete.recordCount == 4 && table.recordCount == 0)
    }
}
