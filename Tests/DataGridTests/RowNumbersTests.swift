import FieldValues
import GridTestSupport
import Testing

@testable import DataGrid

@Suite("Row numbers of 32 and 64 bits")
struct RowNumbersTests {
    @Test(arguments: [1, 2, 60, 5_000]) func `T3: a row set finds its members and their positions`(spread: UInt64) {
        var random = SplitMix64(seed: spread)
        let count = 100_000
        let members = (0..<count).filter { _ in random.next() % spread == 0 } + [count - 1]
        var set = RankedSet(rowCount: count)
        for member in Set(members).sorted() { set.append(member) }
        let numbers = RowNumbers(.set(set))
        let expected = Set(members).sorted()
        #expect(Array(numbers) == expected)
        for _ in 0..<200 {
            let number = Int(random.next() % UInt64(count + 10))
            let place = expected.firstIndex { $0 >= number } ?? expected.count
            #expect(numbers.lowerBound(of: number) == place)
            #expect(numbers.firstIndex(of: number) == (place < expected.count && expected[place] == number ? place : nil))
            let start = Int(random.next() % UInt64(expected.count))
            let range = start..<min(expected.count, start + Int(random.next() % 300))
            #expect(numbers.numbers(at: range) == Array(expected[range]))
        }
    }

    @Test func `19.3: consecutive numbers need no memory and behave like a list`() {
        let range = 3 << 40..<(3 << 40) + 1_000
        let (numbers, list) = (RowNumbers(consecutive: range), RowNumbers(.long(Array(range))))
        #expect(numbers == list && numbers.byteCount == 0 && numbers.count == 1_000)
        #expect(numbers.consecutive == range && list.consecutive == nil)
        for number in [0, range.lowerBound - 1, range.lowerBound, range.lowerBound + 7, range.upperBound - 1, range.upperBound] {
            #expect(numbers.firstIndex(of: number) == list.firstIndex(of: number))
            #expect(numbers.lowerBound(of: number) == list.lowerBound(of: number))
        }
        #expect(numbers.numbers(at: 5..<9) == list.numbers(at: 5..<9) && numbers[17] == list[17])
        #expect(RowNumbers(range, ofRows: 1_000) == numbers, "numbers beyond 32 bits in a small table")
        let order = RowOrder.permuted(RowPermutation(numbers))
        #expect(order.position(of: RowID(range.lowerBound + 7)) == 7 && order.position(ofNumber: 7) == 7)
        #expect(order.position(ofNumber: 1_000) == nil && order[7].number == 7 && RowID(-2).number == -2)
    }

    @Test func `T3: the storage of row numbers depends on the number of all rows and the number of selected rows`() {
        func form(_ numbers: [Int], rowCount: Int) -> String {
            var builder = RowNumbersBuilder(rowCount: rowCount, shortLimit: 1_000)
            for number in numbers { builder.append(RowNumbers([number], ofRows: rowCount)) }
            #expect(Array(builder.numbers) == numbers)
            return switch builder.numbers.form {
            case .short: "short"
            case .long: "long"
            case .set: "set"
            case .range: "range"
            }
        }
        #expect(form(Array(0..<500), rowCount: 1_000) == "short")
        #expect(form([0, 5, 1_000], rowCount: 1_001) == "long")
        #expect(form(Array(stride(from: 0, to: 10_000, by: 10)), rowCount: 10_000) == "set")
        // A builder adopts the list of many rows, and uses at most one bit per row.
        var all = RowNumbersBuilder(rowCount: 10_000, shortLimit: 1_000)
        #expect(all.growthBytes(for: 9_999) <= 10_000 / 8)
        all.append(RowNumbers(.long(Array(0..<9_999))))
        var copy = RowNumbersBuilder(all.numbers, rowCount: 10_000, shortLimit: 1_000)
        copy.append(RowNumbers(.long([9_999])))
        #expect(Array(copy.numbers) == Array(0..<10_000))
        // The table has more rows than before.
        var grown = RowNumbersBuilder(copy.numbers, rowCount: 50_000, shortLimit: 1_000)
        grown.append(RowNumbers(.long([49_999])))
        #expect(grown.numbers.count == 10_001 && grown.numbers[10_000] == 49_999)
    }

    @Test(arguments: 0..<20) func `T3, A17, C2: row orders change in the same way below and above the 32-bit limit`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var count = 40
        var (short, long) = (RowOrder.natural(count: count), RowOrder.natural(count: count))
        if seed % 2 == 0 {
            let records = (0..<UInt32(count)).shuffled(using: &random)
            (short, long) = (.permuted(RowPermutation(records)), .permuted(RowPermutation(RowNumbers(.long(records.map { Int($0) })))))
        }
        for _ in 0..<30 {
            let start = Int(random.next() % UInt64(count))
            switch random.next() % 4 {
            case 0:
                let rows = start..<min(count, start + 5)
                let target = Int(random.next() % UInt64(count - rows.count + 1))
                (short, long) = (short.moving(rows, to: target), long.moving(rows, to: target))
            case 1:
                let insertion = RowInsertion(at: start, count: 3)
                (short, long) = (short.inserting(insertion)!.order, long.inserting(insertion, shortLimit: 20)!.order)
                count += 3
            case 2:
                let id = RowID((0..<count).map { short[$0].rawValue }.max()! + 2)
                let insertion = RowInsertion([id], at: start)
                (short, long) = (short.inserting(insertion)!.order, long.inserting(insertion, shortLimit: 20)!.order)
                count += 1
            default:
                let rows = start..<min(count, start + 2)
                guard rows.count < count else { continue }
                let renumbers = random.next() % 2 == 0
                (short, long) = (
                    short.removing(rows, renumbering: renumbers)!.order, long.removing(rows, renumbering: renumbers, shortLimit: 20)!.order
                )
                count -= rows.count
            }
            let rows = (0..<count).map { short[$0] }
            #expect(rows == (0..<count).map { long[$0] } && long.count == count)
            let some = rows.shuffled(using: &random).prefix(4)
            #expect(some.map { short.position(of: $0) } == some.map { long.position(of: $0) })
            #expect(short.positions(of: Array(some)).map(\.position) == long.positions(of: Array(some)).map(\.position))
            #expect(short.idRuns(upTo: 1_000) == long.idRuns(upTo: 1_000))
            #expect(short.positionRuns(ofRows: short.idRuns(upTo: 1_000)!) == long.positionRuns(ofRows: long.idRuns(upTo: 1_000)!))
        }
        if let records = long.records, (records.max() ?? 0) >= 20, case .short = records.form { #expect(seed % 2 == 1) }
    }

    @Test(arguments: [0, 7 << 40])
    func `T3, A10: moved rows are found without a scan, in source order and in the order of a server`(first: Int) {
        let count = 1 << 33
        let base: RowOrder =
            first == 0 ? .natural(count: count) : .permuted(RowPermutation(RowNumbers(consecutive: first..<first + count)))
        let order = base.moving(0..<1, to: count - 1)
        let rows = [RowID(first + 1 << 32), RowID(first), RowID(first + count)]
        #expect(base.positions(of: rows).map { [$0.position, $0.index] } == [[0, 1], [1 << 32, 0]])
        #expect(order.positions(of: rows).map { [$0.position, $0.index] } == [[1 << 32 - 1, 0], [count - 1, 1]])
        let runs = [first + 1..<first + count, first..<first + 1]
        #expect(base.idRuns(upTo: 1) == [first..<first + count] && order.idRuns(upTo: 2) == runs)
        #expect(first == 0 || order.idRuns(upTo: 1) == nil)
        #expect(first == 0 || base.positionRuns(ofRows: runs) == [1..<count, 0..<1])
        // Explicit row heights follow the rows.
        var heights = RowHeights()
        heights.set(3, of: RowID(first + 5), in: base)
        heights.updatePositions(in: order)
        var expected = LineIndex()
        expected.set(3, at: 4)
        #expect(heights.lineIndex == expected)
    }

    @Test func `T3, A15, A17: sections and moved rows work beyond 2^32`() {
        let count = 1 << 33
        let order = RowOrder.natural(count: count).moving(0..<1, to: count - 1)
        #expect(order[count - 1] == RowID(0) && order[1 << 32] == RowID(1 << 32 + 1))
        #expect(order.position(of: RowID(1 << 32)) == 1 << 32 - 1)
        #expect(order.idRuns(upTo: 10) == [1..<count, 0..<1])
        let tree = SectionTree([
            Section(level: 0, title: "a", rows: 0..<1 << 32 + 5), Section(level: 1, title: "b", rows: 0..<7),
            Section(level: 1, title: "c", rows: 7..<1 << 32 + 5), Section(level: 0, title: "d", rows: 1 << 32 + 5..<count),
        ])
        #expect(tree.rows(of: 2) == 7..<1 << 32 + 5 && tree.rows(of: 3).upperBound == count && tree.parent(of: 2) == 0)
        #expect(
            tree.innermostSection(containing: 1 << 32 + 5) == 3 && tree.innermostSection(containing: 1 << 32) == 2
                && tree.parent(of: 3) == nil)
        #expect(tree.inserting(10, in: 2).rows(of: 3) == 1 << 32 + 15..<count + 10)
    }
}
