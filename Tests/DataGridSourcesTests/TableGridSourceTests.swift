import DataGrid
import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridSources

/// A data source that shows a table.
@MainActor
@Suite struct TableGridSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ content: String) throws -> TableGridSource { try open(Array(content.utf8)) }

    private func open(_ content: [UInt8]) throws -> TableGridSource {
        TableGridSource(try DelimitedFile(path: folder.file("table.csv", bytes: content)))
    }

    private func finish(_ source: TableGridSource) throws {
        try source.source.readAll(threads: 2) { _ in true }
        source.refresh()
    }

    private func texts(_ source: TableGridSource, _ row: RowID, _ columns: Int) -> [String] {
        (0..<columns).map { source.content(row: row, column: ColumnID($0)).text }
    }

    /// A grid that counts calls.
    private final class Host: GridHost {
        var state = GridState()
        weak var dataSource: (any GridDataSource)?
        var reloads = 0
        func perform(_ action: GridAction) -> Bool {
            _ = state.apply(action)
            return true
        }
        func reload() { reloads += 1 }
        func reloadRows(_ rows: [RowID]?) { reloads += 1 }
        func reportChanges(_ changes: [CellChange]) {}
    }

    @Test func `A1, A2: the columns of a table become grid columns with titles and kinds`() throws {
        let source = try open("n,text\n" + (1...12).map { "\($0),x\n" }.joined())
        try finish(source)
        let host = Host()
        source.attach(to: host)
        #expect(host.dataSource === source && host.reloads > 0)
        #expect(host.state.columns.all.map(\.title) == ["n", "text"])
        #expect(host.state.columns.all.map(\.kind) == [.integer, .text])
        let reloads = host.reloads
        source.setKind(.integer, of: 1)
        #expect(host.reloads == reloads + 1, "a change of the table is drawn")
        #expect(source.content(row: 1, column: 1).condition == .unreadable)
    }

    @Test func `A1: columns of identifiers have no thousands separators, and columns of flags keep their words`() throws {
        let rows = (1...12).map { "\(2000 + $0),\($0).25,yes,true,x\n2001,2,no,false,x\n" }
        let source = try open("year,amount,paid,open,\n" + rows.joined())
        let columns = source.gridColumns
        #expect(columns.map(\.title) == ["year", "amount", "paid", "open", "#5"])
        #expect(columns.map(\.kind) == [.integer, .decimal, .flag, .flag, .text] && columns[1].format.alignedFractionDigits == 2)
        #expect(columns.prefix(2).map(\.format.groupsThousands) == [false, true])
        #expect(columns[2].flagMarks == .none && columns[3].flagMarks == .trueAndFalse && columns.allSatisfy { $0.width == .standard })
    }

    @Test func `A2: the source returns the fields of a table, and distinguishes missing from empty ones`() throws {
        let source = try open("a,b,c\n1,\"x,\ny\",\n2,z\n")
        try finish(source)
        #expect(source.numberOfRows(inSection: 0) == 2)
        #expect(texts(source, RowID(0), 3) == ["1", "x,\ny", ""])
        #expect(source.content(row: RowID(0), column: ColumnID(2)).condition == .value)
        #expect(source.content(row: RowID(1), column: ColumnID(2)).condition == .missing)
        #expect(source.content(row: RowID(0), column: ColumnID(99)).condition == .missing)
        #expect(source.content(row: RowID(7), column: ColumnID(0)).condition == .missing, "no such row")
        #expect(source.record(RowID(7)) == nil && source.consumeFailure() == nil)
    }

    @Test(arguments: [(2_000, 100), (20, 2_000)])
    func `E: fewer rows are kept in memory if the table has very many columns`(columns: Int, limit: Int) throws {
        let line = Array(repeating: "1", count: columns).joined(separator: ",") + "\n"
        let source = try open(String(repeating: line, count: columns == 20 ? 3_000 : 300))
        try finish(source)
        var maximumCount = 0
        for page in 0..<source.numberOfRows(inSection: 0) / 40 {
            let rows = (page * 40..<page * 40 + 40).map { RowID($0) }
            source.willShow(rows: rows, columns: [])
            #expect(rows.allSatisfy { source.rows[$0] != nil })
            maximumCount = max(maximumCount, source.rows.count)
        }
        #expect(maximumCount <= limit && maximumCount > limit / 2)
    }

    @Test func `E: when rows appear one by one, more rows are read ahead in both directions`() throws {
        let source = try open("a,b\n" + (0..<500).map { "\($0),x\n" }.joined())
        try finish(source)
        func cachedRows() -> [Int] { source.rows.keys.map(\.rawValue).sorted() }
        func show(_ rows: Range<Int>) { source.willShow(rows: rows.map { RowID($0) }, columns: []) }
        show(200..<240)
        #expect(cachedRows() == Array(200..<240), "a page is not read ahead")
        show(240..<241)
        #expect(cachedRows() == Array(200..<272))
        show(199..<200)
        #expect(cachedRows() == Array(168..<272))
        show(400..<401)
        #expect(cachedRows() == Array(168..<272) + [400], "a distant row is not read ahead")
        for row in 272..<500 {
            show(row..<row + 1)
            #expect(texts(source, RowID(row), 2) == ["\(row)", "x"])
        }
        show(0..<3)
        show(3..<4)
        #expect(cachedRows().last == 499 && cachedRows().first == 0, "reads existing rows only")
        let wide = try open(
            String(repeating: "1,", count: 600) + "1\n" + String(repeating: String(repeating: "2,", count: 600) + "2\n", count: 50))
        try finish(wide)
        wide.willShow(rows: (0..<10).map { RowID($0) }, columns: [])
        wide.willShow(rows: [RowID(10)], columns: [])
        #expect(wide.rows.count == 11, "does not read ahead with many columns")
    }

    @Test func `E: the last row is read again after the file has grown, even if no other row was read since`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("grown.csv", "a,b\n1,x\n2,y")
        let source = TableGridSource(try DelimitedFile(path: path))
        try finish(source)
        func last() -> String { source.content(row: RowID(1), column: ColumnID(1)).text }
        #expect(last() == "y")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("z\n3,w\n".utf8))
        try handle.close()
        let accept = source.source.growthUpdate(from: try DelimitedFile(path: path))
        #expect(accept != nil)
        accept?()
        source.refreshAfterGrowth()
        try finish(source)
        #expect(last() == "yz" && source.content(row: RowID(2), column: ColumnID(1)).text == "w")
    }

    @Test func `D3: fields that cannot be read as the kind of their column are marked`() throws {
        let source = try open("n\n12\nx\n\n\" \"\n")
        try finish(source)
        source.setKind(.integer, of: ColumnID(0))
        let conditions = (0..<4).map { source.content(row: RowID($0), column: ColumnID(0)).condition }
        #expect(conditions[0] == .value && conditions[1] == .unreadable && conditions[3] == .value)
        source.setKind(.text, of: ColumnID(0))
        #expect(source.content(row: RowID(1), column: ColumnID(0)).condition == .value)
    }

    @Test func `D3: integers of any length can be read in a column of integers`() throws {
        let texts = ["9223372036854775808", "-18446744073709551617", String(repeating: "9", count: 300), "1.5", "99999999999999999999x"]
        let source = try open("n\n" + texts.map { "\($0)\n" }.joined())
        try finish(source)
        source.setKind(.integer, of: ColumnID(0))
        let conditions = texts.indices.map { source.content(row: RowID($0), column: ColumnID(0)).condition }
        #expect(conditions == [.value, .value, .value, .unreadable, .unreadable])
    }

    @Test func `D3: numbers are read in the notation of their column`() throws {
        let source = try open("n\tm\n12,5\tx\n12.5\tx\n")
        try finish(source)
        func conditions(_ notation: DecimalStyle) -> [CellContent.Condition] {
            source.setKind(.decimal, notation: notation, of: ColumnID(0))
            return (0..<2).map { source.content(row: RowID($0), column: ColumnID(0)).condition }
        }
        #expect(conditions(.comma) == [.value, .unreadable])
        #expect(conditions(.point) == [.unreadable, .value])
    }

    @Test func `D2: the last rows can be read before the row index is complete, and by number afterwards`() throws {
        let count = 60_000
        let source = try open("n,t\n" + (1...count).map { "\($0),row number \($0)\n" }.joined())
        #expect(!source.snapshot.isComplete && source.snapshot.recordCount < count)
        let tail = try TableGridSource.readTail(of: source.source, completedBy: source.snapshot, atLeast: 30)
        #expect(tail.records.count >= 30)
        source.show(tail)
        #expect(texts(source, RowID(-1), 2) == ["60000", "row number 60000"])
        #expect(texts(source, RowID(-30), 2) == ["59971", "row number 59971"])
        #expect(source.record(RowID(-1_000_000)) == nil)
        source.willShow(rows: [RowID(0), RowID(-1)], columns: [])
        #expect(texts(source, RowID(0), 1) == ["1"])
        try finish(source)
        #expect(source.tail == nil && source.snapshot.recordCount == count)
        #expect(texts(source, RowID(count - 1), 2) == ["60000", "row number 60000"])
        #expect(source.record(RowID(-1)) == nil, "negative numbers are invalid after indexing")
    }

    @Test func `19.4: the last rows of a query stay available after all rows of the table are counted`() throws {
        let source = try open("n,t\n" + (1...60_000).map { "\($0),row number \($0)\n" }.joined())
        let tail = try TableGridSource.readTail(of: source.source, completedBy: source.snapshot, atLeast: 30)
        source.show(tail, ofQueryStartingAt: 1 << RowID.numberBits)
        try finish(source)
        #expect(source.snapshot.isComplete && texts(source, RowID(-1), 2) == ["60000", "row number 60000"])
    }

    @Test func `A6: more rows than the cache holds can be read, in any order`() throws {
        let source = try open("n\n" + (0..<5_000).map { "\($0)\n" }.joined())
        try finish(source)
        let all = (0..<5_000).map { RowID(($0 * 7_919) % 5_000) }
        source.willShow(rows: all, columns: [ColumnID(0)])
        for row in all { #expect(source.content(row: row, column: ColumnID(0)).text == String(row.rawValue)) }
        source.willShow(rows: [RowID(4_999), RowID(9_999)], columns: [])
        #expect(source.content(row: RowID(4_999), column: ColumnID(0)).text == "4999" && source.consumeFailure() == nil)
    }

    @Test func `E: a cell shows the beginning of a long field, and the lazy record returns the whole field`() throws {
        let long = String(repeating: "äöü ", count: 10_000)
        let source = try open("a,b\n\(long),x\n")
        try finish(source)
        let shown = source.content(row: RowID(0), column: ColumnID(0)).text
        #expect(shown.utf8.count <= 4_096 && shown.utf8.count > 4_000 && long.hasPrefix(shown))
        let found = source.lazyRecord(of: RowID(0))
        let record = try #require(found)
        let first = try record.field(0)
        let field = try #require(first)
        #expect(try (0..<field.pieceCount).map { try record.text(of: field, piece: $0) }.joined() == long)
        let (second, third) = (try record.field(1), try record.field(2))
        #expect(second != nil && third == nil && record.isComplete && source.lazyRecord(of: RowID(1)) == nil)
    }

    @Test func `E: a changed text for a grid without rows is reported, and an unchanged text is not`() throws {
        let source = try open("n\n")
        var changeCount = 0
        source.onChange = { changeCount += 1 }
        source.emptyText = "Nothing here."
        source.emptyText = "Nothing here."
        #expect(changeCount == 1 && source.emptyText == "Nothing here.")
    }

    @Test func `E: a truncated file is reported, and the rows already read remain available`() throws {
        let source = try open("n\n" + (0..<200_000).map { "\($0)\n" }.joined())
        try source.source.readAll(threads: 1) { _ in true }
        source.refresh()
        #expect(texts(source, RowID(5), 1) == ["5"])
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path(of: "table.csv")))
        try handle.truncate(atOffset: 1_000)
        try handle.close()
        #expect(source.content(row: RowID(150_000), column: ColumnID(0)).condition == .pending)
        #expect(source.consumeFailure()?.isEmpty == false)
        var changeCount = 0
        source.onChange = { changeCount += 1 }
        source.retryFailedReads()
        source.retryFailedReads()
        #expect(changeCount == 1, "the grid asks again for cells that could not be read")
        #expect(texts(source, RowID(5), 1) == ["5"] && source.consumeFailure() == nil)
    }
}
