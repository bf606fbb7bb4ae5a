import CByteScan
import DelimitedText
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Keys that are found while records are checked.
@Suite struct JSONKeyTests: JSONSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func source(_ text: String) throws -> any TableSource { try open(text, "t.jsonl") }

    private func snapshot(_ text: String) throws -> RecordSnapshot {
        let lines = try DelimitedFile(path: folder.file("lines.jsonl", text)).lines()
        try lines.buildIndex(threads: 1) { _ in true }
        return lines.snapshot()
    }

    @Test func `18.3: the type of a key is detected even if only a few records in the middle have the key`() throws {
        let lines = (0..<3_000).map { (600..<650).contains($0) ? "{\"a\":\($0),\"b\":\($0),\"d\":\"2024-01-31\"}\n" : "{\"a\":\($0)}\n" }
        let sparse = try source(lines.joined())
        #expect(sparse.profiles(budgetMilliseconds: 100).map(\.kind) == [.integer, .integer, .date])
        // In a wide table, the usual sample has few records.
        let wide = try source(
            (0..<100).map { row in "{" + (0..<50).map { "\"k\(row * 50 + $0)\":\($0)" }.joined(separator: ",") + "}\n" }.joined())
        #expect(wide.columnCount == 5_000 && wide.profiles(budgetMilliseconds: 100).allSatisfy { $0.kind == .integer })
    }

    @Test func `18.3: the samples of rare keys have at most 2,000 records in total`() {
        for places in [1, 4, 5, 100, 200, 500] {
            for columns in [places, places * 10, places * 1_000] {
                let count = JSONSource.rareKeySampleSize(columns: columns, places: places)
                #expect(count > 0 && count * places <= 2_000 && count * columns <= max(columns, 100_000))
            }
        }
        #expect(JSONSource.rareKeySampleSize(columns: 1, places: 1) == 500 && JSONSource.rareKeySampleSize(columns: 0, places: 0) == 500)
    }

    // MARK: Time

    /// Records with a new key each.
    enum NewKeys: CaseIterable {
        case values, nulls, objects, repeated, escaped

        func record(_ number: Int) -> String {
            switch self {
            case .values: "{\"k\(number)\":\(number)}\n"
            case .nulls: "{\"k\(number)\":null}\n"
            case .objects: "{\"k\(number)\":{\"a\":\(number)}}\n"
            case .repeated: "{\"k\(number)\":0,\"k\(number)\":\(number)}\n"
            case .escaped: "{\"\\u006b\(number)\":\(number)}\n"
            }
        }
    }

    @Test(arguments: NewKeys.allCases)
    func `18.3: checking records takes time in proportion to the new keys, not to all keys`(keys: NewKeys) throws {
        let count = 4_000
        var checker = JSONChecker(JSONSchema())
        let part = try checker.check(0..<count, of: snapshot((0..<count).map(keys.record).joined()))
        // At most 200 keys of nested objects become columns.
        let nodes = 1 + count + (keys == .objects ? JSONSchema.maximumNestedKeys : 0)
        #expect(part.count == count && checker.schema.nodes.count == nodes)
        #expect(checker.initializedNodes < 4 * nodes, "\(checker.initializedNodes)")
    }

    @Test(arguments: [NewKeys.values, .repeated, .escaped])
    func `18.3: thousands of new keys are columns in the order of the records`(keys: NewKeys) throws {
        let count = 4_000
        let source = try source((0..<count).map(keys.record).joined())
        #expect(titles(source) == (0..<count).map { "k\($0)" })
        try source.snapshot().scan(count - 1..<count, columns: [0, count - 1]) { _, fields in
            #expect(fields[0].isMissing && String(decoding: fields[1].bytes, as: UTF8.self) == "\(count - 1)")
            return true
        }
    }

    // MARK: Result

    @Test func `18.3: a repeated new key has its last value; new keys with null and nested values are found`()
        throws
    {
        let known = "{" + (0..<100).map { "\"k\($0)\":0" }.joined(separator: ",") + "}\n"
        let text = known + "{\"x\":1,\"x\":2}\n{\"y\":null}\n{\"y\":3}\n{\"y\":{\"z\":4}}\n{\"y\":5}\n"
        let source = try source(text)
        #expect(titles(source).suffix(3) == ["x", "y", "y.z"])
        #expect(
            try rows(source).dropFirst().map { Array($0.suffix(3)) } == [
                ["2", nil, nil], [nil, nil, nil], [nil, "3", nil], [nil, nil, "4"], [nil, "5", nil],
            ])
    }

    /// Checks records as ``JSONChecker`` does, with a new tree for each check.
    private struct ReferenceChecker {
        var schema = JSONSchema()
        var notes: UInt32 = 0

        mutating func check(_ record: Int, _ text: String) {
            var text = text
            text.withUTF8 { bytes in
                while true {
                    let tree = JSONTree(schema, .discovery)
                    let memory = JSONMemory(tree)
                    let (recordNotes, findings) = memory.check(tree, bytes)
                    if findings.isEmpty {
                        if recordNotes & UInt32(GV_JSON_INVALID) != 0, !schema.hasUnreadableRecords { schema.addUnreadableRecord(record) }
                        notes |= recordNotes
                        return
                    }
                    _ = schema.add(findings, in: record, bytes)
                }
            }
        }
    }

    /// Random records, many of them with new keys.
    private struct RandomRecords {
        var random: SplitMix64
        /// The number of new keys so far.
        private var keyCount = 0
        /// The probability that the key of a nested object is new, in percent.
        let newNestedKeys: Int
        /// True if some records are damaged or have long keys.
        let hasDamage: Bool

        init(seed: UInt64, newNestedKeys: Int, hasDamage: Bool) {
            random = SplitMix64(seed: seed)
            (self.newNestedKeys, self.hasDamage) = (newNestedKeys, hasDamage)
        }

        indirect enum Value {
            case scalar(String)
            case object([(key: String, value: Value)])

            var text: String {
                switch self {
                case .scalar(let text): text
                case .object(let members): "{" + members.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ",") + "}"
                }
            }
        }

        private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        mutating func object(depth: Int = 1) -> Value {
            var members: [(key: String, value: Value)] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                var key = ["a", "b", "c"].randomElement(using: &random)!
                if chance(depth == 1 ? 40 : newNestedKeys) {
                    keyCount += 1
                    key = "n\(keyCount)"
                }
                if hasDamage, chance(1) { key = String(repeating: "long", count: 2_000) }
                // Repeated keys have different kinds of values.
                for _ in 0..<(chance(10) ? 2 : 1) {
                    let isObject = depth < 5 && chance(30)
                    members.append((key, isObject ? object(depth: depth + 1) : .scalar(chance(20) ? "null" : "\(members.count)")))
                }
            }
            return .object(members)
        }

        mutating func record() -> String {
            let text = object().text
            guard hasDamage, chance(3) else { return text }
            return chance(50) ? String(text.dropLast()) : "[\(text)]"
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `18.3: a key tree that grows finds the same keys and notes as a new tree for each record`(seed: UInt64) throws {
        var records = RandomRecords(seed: seed, newNestedKeys: 20, hasDamage: seed % 2 == 0)
        let texts = (0..<400).map { _ in records.record() }
        let snapshot = try snapshot(texts.map { $0 + "\n" }.joined())
        var (checker, reference) = (JSONChecker(JSONSchema()), ReferenceChecker())
        var start = 0
        while start < texts.count {
            let end = min(texts.count, start + Int.random(in: 1...150, using: &records.random))
            let part = try checker.check(start..<end, of: snapshot)
            reference.notes = 0
            for record in start..<end { reference.check(record, texts[record]) }
            #expect(part.notes == reference.notes && part.count == end - start)
            if start == 0 {
                // After the first records, their keys become columns.
                var schema = checker.schema
                schema.createColumns()
                checker.update(to: schema)
                reference.schema.createColumns()
            }
            start = end
        }
        let (found, expected) = (checker.schema, reference.schema)
        #expect(found.nodes == expected.nodes)
        #expect(found.columns == expected.columns && found.firstRecords == expected.firstRecords)
        #expect(found.hasUnreadableRecords == expected.hasUnreadableRecords && found.unreadableColumn == expected.unreadableColumn)
    }

    /// The values of a record by column title.
    private func fields(_ value: RandomRecords.Value, _ path: [String] = []) -> [String: String] {
        guard case .object(let members) = value else { return [:] }
        var fields: [String: String] = [:]
        for (key, value) in Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }) {
            let path = path + [key]
            if case .object(let below) = value, !below.isEmpty, path.count < JSONSchema.maximumDepth {
                fields.merge(self.fields(value, path)) { $1 }
            } else if value.text != "null" {
                fields[path.joined(separator: ".")] = value.text
            }
        }
        return fields
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func `18.3: each record has the last value of each repeated key`(seed: UInt64)
        throws
    {
        var records = RandomRecords(seed: seed, newNestedKeys: 0, hasDamage: false)
        let values = (0..<40).map { _ in records.object() }
        // The first records have no new keys, so most keys are found after the columns were settled.
        let first = String(repeating: "{\"a\":0}\n", count: 40_000)
        let source = try source(first + values.map { $0.text + "\n" }.joined())
        let titles = titles(source)
        #expect(source.snapshot().recordCount == 40_040 && titles.count < JSONSchema.maximumNestedKeys)
        try source.snapshot().scan(40_000..<40_040, columns: Array(titles.indices)) { record, fields in
            var found: [String: String] = [:]
            for (title, field) in zip(titles, fields) where !field.isMissing { found[title] = String(decoding: field.bytes, as: UTF8.self) }
            let value = values[record - 40_000]
            #expect(found == self.fields(value), "\(value.text)")
            return true
        }
    }
}
