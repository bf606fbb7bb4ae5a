import FieldValues
import Locks
import Tables
import Testing

@testable import DataGridQuery

@Suite("The number storage of derived fields") struct DerivedNumberTests {
    /// A table that counts how often it is asked for the number storage of a column.
    private struct StoredNumbers: Table {
        final class Counter: Sendable { let value = Atomic(0) }
        let storage: [NumberStorage?]
        let asked = Counter()
        var recordCount: Int { 0 }
        var columnCount: Int { storage.count }
        func scan(_ records: Range<Int>, columns: [Int], _ body: (Int, UnsafeBufferPointer<FieldBytes>) -> Bool) {}
        func numberStorage(ofColumn column: Int) -> NumberStorage? {
            asked.value.add(1, ordering: .relaxed)
            return storage[column]
        }
    }

    /// The number storage of derived fields of a table with the columns `a`, `b` and `c`.
    private func storage(of definitions: [String], in table: StoredNumbers) throws -> [NumberStorage?] {
        let names: [(String, ValueKind)] = [("a", .integer), ("b", .decimal), ("c", .text)]
        var schema = Schema(names.enumerated().map { Field(FieldID(rawValue: $0), name: $1.0, kind: $1.1) })
        var fields: [DerivedField] = []
        for definition in definitions {
            fields.append(try DerivedField(definition, id: FieldID(rawValue: FieldID.firstDerived.rawValue + fields.count), in: schema))
            schema = Schema(schema.fields + [fields[fields.count - 1].field])
        }
        let derived = DerivedTable(table, CompiledDerivedFields(fields, schema: schema))
        return fields.map { derived.numberStorage(ofColumn: $0.field.id.rawValue) }
    }

    @Test func `18.10: a number derived from a quotient or a floating-point number is marked as computed`() throws {
        let definitions = [
            "d = a + 1", "e = a / 3", "f = d * b", "g = -e", "h = round(e, 2)", "i = if(b > 1, a, d)", "j = if(a > 1, a, e)",
            "k = coalesce(b, a)", "l = concat(e, '')", "m = l + 1", "n = f - h", "o = b", "p = if(a > 1, f, a)",
        ]
        let stored = StoredNumbers(storage: [nil, .double, nil])
        let computed: Set<Int> = [1, 3, 6, 7, 11, 12]
        // Arithmetic with floating-point numbers.
        let doubles: Set<Int> = [2, 10]
        // Results of integers.
        let integers: Set<Int> = [0, 5]
        let expected: [NumberStorage?] = definitions.indices.map {
            computed.contains($0) ? .computed : doubles.contains($0) ? .computedDouble : integers.contains($0) ? .computedInteger : nil
        }
        let found = try storage(of: definitions, in: stored)
        #expect(found == expected, "\(found)")
    }

    @Test func `18.10: numbers that a formula computes from integers only are computed integers`() throws {
        let whole = ["-a * 2 - abs(a)", "floor(b / 3)", "ceil(b)", "round(b)", "length(c)", "if(b > 0.5, a, 0)", "coalesce(a, 1)", "a"]
        let others = ["a * 0.5", "a + b", "a / 2", "round(b, 1)", "if(a > 1, a, 0.5)", "c + 1", "upper(c)", "a > 1"]
        let definitions = (whole + others).enumerated().map { "d\($0) = \($1)" }
        let found = try storage(of: definitions, in: StoredNumbers(storage: [nil, nil, nil]))
        #expect(found.prefix(whole.count).allSatisfy { $0 == .computedInteger }, "\(found)")
        #expect(!found.dropFirst(whole.count).contains(.computedInteger), "\(found)")
    }

    @Test func `18.10: the precision of a chain of derived fields is found in one step per field`() throws {
        let definitions = (1...16).map { $0 == 1 ? "d1 = a + a" : "d\($0) = d\($0 - 1) + d\($0 - 1)" }
        let stored = StoredNumbers(storage: [nil, nil, nil])
        #expect(try storage(of: definitions, in: stored).allSatisfy { $0 == .computedInteger })
        #expect(stored.asked.value.load(ordering: .relaxed) == definitions.count)
    }
}
