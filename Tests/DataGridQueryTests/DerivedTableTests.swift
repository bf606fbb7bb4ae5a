import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DataGridQuery

@Suite("Derived fields") struct DerivedTableTests {
    /// The index of the first derived column.
    private static let first = FieldID.firstDerived.rawValue
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "price", kind: .decimal), Field(FieldID(rawValue: 1), name: "quantity", kind: .integer),
        Field(FieldID(rawValue: 2), name: "name", kind: .text),
    ])
    private static let definitions = ["total = price * quantity", "label = concat(upper(name), ' ', total)", "big = total > 5000"]

    /// A table with derived fields, and a table that contains their values.
    private static func tables(count: Int, seed: UInt64) throws -> (derived: DerivedTable, plain: MemoryTable) {
        var random = SplitMix64(seed: seed)
        let names = ["ada", "bob", "Çelik", "", "eve"]
        var rows: [[String?]] = []
        var written: [[String?]] = []
        for _ in 0..<count {
            let (price, quantity) = (Int(random.next() % 100_000), Int(random.next() % 100))
            let name = names[Int(random.next() % 5)]
            let cents = price % 100
            let row = ["\(price / 100).\(cents < 10 ? "0" : "")\(cents)", "\(quantity)", name]
            let product = price * quantity
            var total = "\(product / 100)"
            if product % 100 != 0 {
                let rest = product % 100
                total += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
            }
            rows.append(row)
            written.append(row + [total, "\(name.uppercased()) \(total)", product > 500_000 ? "true" : "false"])
        }
        var fields: [DerivedField] = []
        for (number, definition) in definitions.enumerated() {
            let known = Schema(schema.fields + fields.map(\.field))
            fields.append(try DerivedField(definition, id: FieldID(rawValue: first + number), in: known))
        }
        return (DerivedTable(MemoryTable(rows), CompiledDerivedFields(fields, schema: schema)), MemoryTable(written))
    }

    @Test(arguments: [1, 2])
    func `D18: derived fields are sorted, filtered, grouped, searched and counted like stored ones`(threads: Int) throws {
        let (derived, plain) = try Self.tables(count: 70_000, seed: UInt64(threads))
        /// The same column in both tables.
        func columns(_ number: Int) -> [(any Table, Int)] { [(derived, Self.first + number), (plain, 3 + number)] }

        let orders = try columns(0).map { table, column in
            let keys = [
                ResolvedSortKey(column: column, ordering: .number, isDescending: true), ResolvedSortKey(column: 2, ordering: .text),
            ]
            return Array(try sortedRecords(of: table, by: keys, threads: threads, control: JobControl()))
        }
        #expect(orders[0] == orders[1])

        let left = try columns(0).map { table, column in
            let known = [
                Field(FieldID(rawValue: column), name: "total", kind: .decimal), Field(FieldID(rawValue: 2), name: "name", kind: .text),
            ]
            let filter = try Filter("total > 1000.50 and name != 'bob'", in: Schema(known))
            return Array(try filteredRecords(of: table, by: [filter], threads: threads, control: JobControl()))
        }
        #expect(left[0] == left[1] && left[0].count > 1_000)

        let rare = try columns(1).map { table, column in
            let filter = try Filter("label contains 'ÇELIK 1'", in: Schema([Field(FieldID(rawValue: column), name: "label", kind: .text)]))
            return Array(try filteredRecords(of: table, by: [filter], threads: threads, control: JobControl()))
        }
        #expect(rare[0] == rare[1] && rare[0].count > 100)

        let groups = try columns(2).map { table, column in
            let total = column - 2
            let result = try groupedRecords(
                of: table, by: [ResolvedGroupKey(column: column, ordering: .text)],
                aggregates: [AggregateRequest(function: .sum, column: total)],
                threads: threads, control: JobControl())
            return ((0..<result.groups.count).map { result.groups.key($0) }, result.values)
        }
        #expect(groups[0].0 == groups[1].0 && groups[0].1 == groups[1].1 && groups[0].0 == ["false", "true"])

        let found = try columns(1).map { table, column in
            let search = TextSearch("eve 99", isCaseSensitive: false, columns: [column])
            return Array(try findRecords(matching: search, in: table, threads: threads, control: JobControl()))
        }
        #expect(found[0] == found[1] && !found[0].isEmpty)

        let statistics = try columns(0).map { table, column in
            var all = try columnStatistics(
                of: table, [StatisticsRequest(column: column, kind: .decimal)], threads: threads, control: JobControl())
            all[0].column = 0
            return all
        }
        #expect(statistics[0] == statistics[1])
    }

    @Test func `D18: derived columns can be read in any order, repeatedly, and without their source columns`() throws {
        let (derived, plain) = try Self.tables(count: 3_000, seed: 7)
        let requested = [Self.first + 1, 2, Self.first, Self.first + 1, 0, Self.first + 9]
        let written = [4, 2, 3, 4, 0, 9]
        var (rows, expected): ([[String]], [[String]]) = ([], [])
        func text(_ fields: UnsafeBufferPointer<FieldBytes>) -> [String] { fields.map { String(decoding: $0.bytes, as: UTF8.self) } }
        try derived.scan(100..<2_900, columns: requested) { _, fields in
            rows.append(text(fields))
            return true
        }
        try plain.scan(100..<2_900, columns: written) { _, fields in
            expected.append(text(fields))
            return true
        }
        #expect(rows == expected)
    }

    /// A table whose scans pass up to 1,000 records at once.
    private struct BatchTable: Table {
        let rows: [[String?]]
        var recordCount: Int { rows.count }
        let columnCount = 3

        func scan(
            _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
        ) throws {
            try scanBatches(records, columns: columns) { $0.forEachRecord(body) }
        }

        func scanBatches(_ records: Range<Int>, columns: [Int], _ body: (_ batch: FieldBatch) -> Bool) throws {
            for first in stride(from: records.lowerBound, to: records.upperBound, by: 1_000) {
                let part = rows[first..<min(first + 1_000, records.upperBound)]
                let texts = part.flatMap { row in columns.map { row.indices.contains($0) ? row[$0] : nil } }
                let continues = FieldBytes.withFields(of: columns.isEmpty ? [nil] : texts) { fields in
                    fields.baseAddress.map {
                        body(FieldBatch(firstRecord: first, count: part.count, width: columns.count, fields: $0))
                    }
                }
                guard continues == true else { return }
            }
        }
    }

    @Test(arguments: [1, 3_000]) func `D18: constant derived columns are read beside other columns`(count: Int) throws {
        let table = BatchTable(rows: (0..<count).map { ["\($0)", nil, "x\($0)"] })
        var fields: [DerivedField] = []
        for (number, definition) in ["five = 5", "word = concat('a', 'b')", "next = price + 1"].enumerated() {
            let known = Schema(Self.schema.fields + fields.map(\.field))
            fields.append(try DerivedField(definition, id: FieldID(rawValue: Self.first + number), in: known))
        }
        let derived = DerivedTable(table, CompiledDerivedFields(fields, schema: Self.schema))
        func rows(_ columns: [Int], _ range: Range<Int>) throws -> [[String?]] {
            var rows: [[String?]] = []
            try derived.scanBatches(range, columns: columns) { batch in
                batch.forEachRecord { record, fields in
                    #expect(record == range.lowerBound + rows.count)
                    rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                    return true
                }
            }
            return rows
        }
        let (five, word, next) = (Self.first, Self.first + 1, Self.first + 2)
        let range = count / 3..<count
        #expect(try rows([five], range) == range.map { _ in ["5"] })
        #expect(try rows([word, 2, 1, five, 99, word, 0], range) == range.map { ["ab", "x\($0)", nil, "5", nil, "ab", "\($0)"] })
        #expect(try rows([word, 0, next], range) == range.map { ["ab", "\($0)", "\($0 + 1)"] })
    }

    @Test(arguments: [1, 3_000])
    func `18.3: fields derived from JSON distinguish strings from other values, and other derived fields do not`(count: Int) throws {
        let forms: [(text: String, value: String, json: String?)] = [
            (#"{"a": "00123"}"#, "00123", nil), (#"{"a": 1.50}"#, "1.50", "1.50"), (#"{"a": "tr\u0075e"}"#, "true", nil),
            (#"{"a": true}"#, "true", "true"), (#"{"a": null}"#, "", "null"), (#"{"a": ""}"#, "", nil), (#"{"b": 1}"#, "", "null"),
            (#"{"a": [1, "x"]}"#, #"[1, "x"]"#, #"[1, "x"]"#), ("no JSON", "", "null"), (#"{"a": "null"}"#, "null", nil),
        ]
        let schema = Schema([Field(FieldID(rawValue: 0), name: "id", kind: .integer), Field(FieldID(rawValue: 1), name: "j", kind: .text)])
        var fields: [DerivedField] = []
        for definition in ["a = json(j, 'a')", "b = concat(a, '')", #"c = json('{"x": "5"}', 'x')"#, "d = json('[5]', '0')"] {
            let known = Schema(schema.fields + fields.map(\.field))
            fields.append(try DerivedField(definition, id: FieldID(rawValue: Self.first + fields.count), in: known))
        }
        let rows = (0..<count * forms.count).map { ["\($0)", forms[$0 % forms.count].text] }
        let table = DerivedTable(MemoryTable(rows), CompiledDerivedFields(fields, schema: schema))
        #expect(table.hasNestedValues && !table.isJSON)
        #expect(!DerivedTable(MemoryTable(rows), CompiledDerivedFields([], schema: schema)).hasNestedValues)
        let derived = Array(Self.first..<Self.first + 4)
        #expect(([0, 1] + derived + [Self.first + 9]).map(table.hasTypedStrings) == [false, false, true, false, true, true, false])
        // The JSON values are also known if the columns themselves are not read.
        let nested = ([1] + derived + [Self.first + 9]).map { FieldID.firstNestedColumn + $0 }
        for columns in [nested + [Self.first, 0], [FieldID.firstNestedColumn + 1, Self.first, 0], [FieldID.firstNestedColumn + 1, 0]] {
            var wrong: [Int] = []
            try table.scan(0..<rows.count, columns: columns) { row, fields in
                let found = fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
                let form = forms[row % forms.count]
                var expected: [String?] = columns.count > 3 ? [nil, form.json, nil, nil, "5", nil] : [nil]
                if columns.count > 2 { expected.append(form.value) }
                if found != expected + ["\(row)"] { wrong.append(row) }
                return true
            }
            #expect(wrong == [])
        }
    }

    @Test(arguments: [4, 30_000])
    func `18.3: samples treat strings in JSON text as text, even if they look like numbers or flags`(count: Int) throws {
        func kinds(_ forms: [String]) throws -> [ValueKind] {
            let schema = Schema([Field(FieldID(rawValue: 0), name: "j", kind: .text)])
            let fields = try ["a", "b", "c", "d", "e", "f"].enumerated().map { index, key in
                try DerivedField("\(key) = json(j, '\(key)')", id: FieldID(rawValue: Self.first + index), in: schema)
            }
            let rows = (0..<count).map { ["{" + forms[$0 % forms.count] + "}"] }
            let table = DerivedTable(MemoryTable(rows), CompiledDerivedFields(fields, schema: schema))
            return table.profiles(of: fields.map(\.field.id.rawValue)).map(\.kind)
        }
        let single = #""a": "98765", "b": "true", "c": "2024-01-31", "d": "1e3", "e": 98765, "f": true"#
        #expect(try kinds([single]) == [.text, .text, .date, .text, .integer, .flag])
        let mixed = [#""a": 1, "b": "1", "c": "", "d": 1.5, "e": null"#, #""a": "1", "b": 2, "c": 7, "d": -100, "f": [1]"#]
        #expect(try kinds(mixed) == [.text, .text, .integer, .decimal, .text, .text])
        guard count > 4 else { return }
        // One string in a hundred values does not change the type of a column of numbers, as in JSON files.
        #expect(try kinds((0..<100).map { $0 == 7 ? #""a": "1""# : "\"a\": \($0)" })[0] == .integer)
        #expect(try kinds((0..<20).map { $0 == 7 ? #""a": "1""# : "\"a\": \($0)" })[0] == .text)
    }

    /// A table with a type for each value: the first value is a number, and the second one is text.
    private struct TypedValues: Table {
        let recordCount = 2
        let columnCount = 1

        func hasTypedValues(inColumn column: Int) -> Bool { true }

        func scan(
            _ records: Range<Int>, columns: [Int], _ body: (_ record: Int, _ fields: UnsafeBufferPointer<FieldBytes>) -> Bool
        ) throws {
            for record in records {
                let texts = columns.map { $0 == 0 || record == 0 ? "1" : nil }
                guard FieldBytes.withFields(of: texts, { body(record, $0) }) else { return }
            }
        }
    }

    @Test func `18.10: a table with derived fields keeps the types of the values of its base table`() throws {
        let schema = Schema([Field(FieldID(rawValue: 0), name: "x", kind: .text)])
        let field = try DerivedField("y = concat(x, '!')", id: .firstDerived, in: schema)
        let table = DerivedTable(TypedValues(), CompiledDerivedFields([field], schema: schema))
        let derived = FieldID.firstDerived.rawValue
        #expect(table.hasTypedValues(inColumn: 0) && !table.hasTypedValues(inColumn: derived))
        for columns in [[0, FieldID.firstNestedColumn], [0, derived, FieldID.firstNestedColumn]] {
            var rows: [[String?]] = []
            try table.scan(0..<2, columns: columns) { _, fields in
                rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                return true
            }
            let computed = columns.count > 2 ? ["1!"] : []
            #expect(rows == [["1"] + computed + ["1"], ["1"] + computed + [nil]])
        }
    }

    private static let invalid: [(String, FilterError.Kind, Range<Int>)] = [
        ("total", .expectedEqualsSign, 5..<5),
        ("= 3", .expectedName, 0..<1),
        ("price = 3", .columnExists, 0..<5),
        ("x = prise + 1", .unknownColumn, 4..<9),
    ]

    @Test(arguments: invalid)
    func `D18: a definition consists of a new name and a formula`(definition: String, kind: FilterError.Kind, place: Range<Int>) {
        let error = #expect(throws: FilterError.self) { try DerivedField(definition, id: .firstDerived, in: Self.schema) }
        #expect(error?.kind == kind && error?.range == place, "\(definition)")
    }
}
