import Tables
import FieldValues
import GridTestSupport
import Testing

@testable import DataGridQuery

@Suite("D6: sorting in Unicode order")
struct AlphabetTests {
    private static let letters = ["a", "Ä", "é", "E", "z", "ß", "ss", "ж", "Ж", "1", "02", "日", "e\u{301}"]

    /// Random strings with empty and repeated values.
    private static func table(_ count: Int, _ seed: UInt64) -> MemoryTable {
        var random = SplitMix64(seed: seed)
        return MemoryTable(
            column: (0..<count).map { _ in
                (0..<Int(random.next() % 5)).map { _ in letters[Int(random.next() % UInt64(letters.count))] }.joined()
            })
    }

    private func order(_ table: MemoryTable, _ alphabet: NaturalOrder.Alphabet, isDescending: Bool) -> [UInt32] {
        ReferenceSort(table: table).sorted(by: [ResolvedSortKey(column: 0, ordering: .natural(alphabet), isDescending: isDescending)])
    }

    @Test(arguments: [false, true])
    func `D6: sorting records and sorting column codes agree with a stable sort`(isDescending: Bool) throws {
        for alphabet in [NaturalOrder.Alphabet.ascii, .unicode] {
            for count in [40, 3000] {
                let table = Self.table(count, UInt64(count))
                let expected = order(table, alphabet, isDescending: isDescending)
                let keys = [ResolvedSortKey(column: 0, ordering: .natural(alphabet), isDescending: isDescending)]
                #expect(try sortedRecords(of: table, by: keys, threads: 2, control: JobControl()).short == expected)
                let store = ColumnStore(budget: 1 << 30)
                #expect(try sortedRecords(of: table, by: keys, store: store, threads: 2, control: JobControl()).short == expected)
            }
        }
    }

    @Test(arguments: [false, true])
    func `D8: groups have the same order as records sorted by the same alphabet`(isDescending: Bool) throws {
        let table = Self.table(2000, 7)
        for alphabet in [NaturalOrder.Alphabet.ascii, .unicode] {
            let key = ResolvedGroupKey(column: 0, ordering: .natural(alphabet), isDescending: isDescending)
            let result = try groupedRecords(of: table, by: [key], threads: 2, control: JobControl())
            #expect(result.order.short == order(table, alphabet, isDescending: isDescending))
        }
    }

    @Test func `D9: the first and last text and the order of equally frequent values follow the requested alphabet`() throws {
        let table = MemoryTable(column: ["zebra", "Äpfel", "birne", "éclair"])
        func statistics(_ alphabet: NaturalOrder.Alphabet) throws -> ColumnStatistics {
            let request = StatisticsRequest(column: 0, kind: .text, alphabet: alphabet)
            return try columnStatistics(of: table, [request], threads: 2, control: JobControl())[0]
        }
        #expect(try statistics(.unicode).textRange?.last == "zebra" && statistics(.unicode).textRange?.first == "Äpfel")
        #expect(try statistics(.ascii).textRange?.last == "éclair" && statistics(.ascii).textRange?.first == "birne")
        #expect(try statistics(.unicode).top.map(\.value) == ["Äpfel", "birne", "éclair", "zebra"])
        let request = StatisticsRequest(column: 0, kind: .text, alphabet: .unicode)
        let counted = try frequencies(of: table, request, threads: 1, control: JobControl())
        #expect((0..<4).map { counted.entry($0, byValue: true).value } == ["Äpfel", "birne", "éclair", "zebra"])
    }
}
