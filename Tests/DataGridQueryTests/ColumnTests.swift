import GridTestSupport
import Tables
import FieldValues
import Testing

@testable import DataGridQuery

@Suite("Columns extracted from a table")
struct ColumnTests {
    private func vector(_ fields: [String?], _ ordering: SortOrdering = .number, threads: Int = 2) throws -> ValueVector {
        let table = MemoryTable(column: fields)
        let selection = try RecordSelection(order: nil, recordCount: fields.count)
        let reader = try ValueReader(0, as: ordering, count: fields.count, threads: threads)
        try selection.readColumns(with: [reader], of: table, threads: threads, control: JobControl())
        return reader.vector
    }

    private func value(_ vector: ValueVector, _ slot: Int) -> Double? {
        guard vector.kind(slot) == FieldClass.value.rawValue else { return nil }
        switch vector.representation {
        case .double: return ValueVector.decimal(of: vector.key(slot))
        case .fixed(let digits): return FixedScale.double(ValueVector.integer(of: vector.key(slot)), digits: digits)
        }
    }

    @Test func `plain decimals are stored as integers`() throws {
        #expect(try vector(["1", "-2", "1,000"]).representation == .fixed(digits: 0))
        #expect(try vector(["1.5", "-2", "0.25", ""]).representation == .fixed(digits: 2))
        #expect(try vector(["1.5", "1e400"]).representation == .double)
        // A double cannot represent the 16 digits of the second number.
        #expect(try vector(["1.5", "9007199254740993"]).representation == .double)
        #expect(try vector(["9007199254740993", "9223372036854775807"]).representation == .fixed(digits: 0))
        #expect(try vector(["0.12345678901234567"]).representation == .double)
        #expect(try vector(["2024-01-01 00:00:01"], .temporal(.dateTime)).representation == .fixed(digits: 0))
        #expect(try vector(["2024-01-01 00:00:01.5", "2024-01-01 00:00:01"], .temporal(.dateTime)).representation == .fixed(digits: 6))
        #expect(try vector(["", nil, "x"]).hasOnlyValues == false)
        #expect(try vector(["1", "2"]).hasOnlyValues)
    }

    @Test func `blocks of different widths, decimals and contents decode to the values of the fields`() throws {
        var random = SplitMix64(seed: 77)
        let makers: [(inout SplitMix64) -> String?] = [
            { _ in "7" }, { "\($0.next() % 200)" }, { "\($0.next() % 60_000)" }, { "\(Int64(bitPattern: $0.next()) >> 20)" },
            { "\(Double($0.next() % 1000) / 4)" }, { "-\($0.next() % 99).\($0.next() % 10)" },
            { ["", nil, "x", "12%", "nan", "-0", "1e3", "+5", " 4 "][Int($0.next() % 9)] },
        ]
        for chosen in [[0, 1], [1, 2, 3], [4, 1], [5, 4, 0], [6, 1], [3, 4], [6]] {
            var fields: [String?] = []
            for index in 0..<3 {
                let maker = makers[chosen[index % chosen.count]]
                for _ in 0..<(index == 2 ? 500 : rangeSize) { fields.append(maker(&random)) }
            }
            let vector = try vector(fields)
            let keys = try UnsafeArray<UInt64>(count: rangeSize)
            for block in 0..<3 {
                let slots = vector.slots(ofBlock: block)
                vector.decode(slots, into: keys.base)
                for slot in slots where vector.kind(slot) == FieldClass.value.rawValue {
                    #expect(keys[slot - slots.lowerBound] == vector.key(slot))
                }
            }
            for slot in stride(from: 0, to: fields.count, by: 7) {
                let expected = fields[slot].flatMap { text in FieldBytes.withBytes(of: text) { $0.decimal() } }
                let found = value(vector, slot)
                #expect(found == expected || (expected?.isNaN == true && found == nil), "\(fields[slot] ?? "nil") in \(chosen)")
            }
        }
    }

    @Test func `a column with few distinct values stores the number of a distinct value for each field`() throws {
        func numbered(_ fields: [String?]) throws -> NumberedColumn? {
            let table = MemoryTable(column: fields)
            let selection = try RecordSelection(order: nil, recordCount: fields.count)
            let reader = try FieldNumberReader(0, count: fields.count, threads: 2, control: JobControl())
            try selection.readColumns(with: [reader], of: table, threads: 2, control: JobControl())
            return reader.result
        }
        let fields = (0..<100_000).map { index -> String? in
            [nil, "", "  ", "a", "b", "longer than eight", "longer than eighT", "abcdefg", "c\(index % 300)"][index % 9]
        }
        let column = try #require(try numbered(fields))
        #expect(column.fields.count == 2 + 5 + 100)
        for slot in stride(from: 0, to: fields.count, by: 11) {
            let text = ByteDictionary.text(column.fields.bytes(column.number(slot)))
            #expect(text == (fields[slot] ?? "").trimmingBlanks)
        }
        let ranks = try column.fields.ranks(.text, isDescending: true, threads: 2, control: JobControl())
        #expect(Set(ranks).count == ranks.count)
        #expect(ranks[column.number(0)] == 106 && ranks[column.number(1)] == 105 && column.number(1) == column.number(2))
        #expect(try numbered((0..<70_000).map { "\($0)" }) == nil)
        #expect(try numbered((0..<NumberedColumn.lowCardinalityLimit).map { "\($0)" })?.fields.count == NumberedColumn.lowCardinalityLimit)
    }

    @Test func `short fields with a common prefix or a trailing NUL have distinct numbers`() throws {
        let ends = ["", "\0", "\0\0", "x", "y"]
        let different = ["", "1234567", "12345678", "123456789", "12345678901234", "123456789012345", "1234567890123456"]
            .flatMap { start in ends.map { start + $0 } }
        let fields = (0..<70_000).map { different[$0 * 31 % different.count] }
        let table = MemoryTable(column: fields)
        let reader = try FieldNumberReader(0, count: fields.count, threads: 2, control: JobControl())
        try RecordSelection(order: nil, recordCount: fields.count).readColumns(with: [reader], of: table, threads: 2, control: JobControl())
        let column = try #require(reader.result)
        #expect(column.fields.count == Set(different).count)
        #expect(fields.indices.allSatisfy { ByteDictionary.text(column.fields.bytes(column.number($0))) == fields[$0] })
    }
}

extension String {
    fileprivate var trimmingBlanks: String { allSatisfy { $0 == " " } ? "" : self }
}
