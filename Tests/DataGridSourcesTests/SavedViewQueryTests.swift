import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DataGridSources

/// Saved views converted to queries.
@Suite struct SavedViewQueryTests {
    private static let schema = Schema([
        Field(FieldID(rawValue: 0), name: "name", kind: .text), Field(FieldID(rawValue: 1), name: "price", kind: .decimal),
        Field(FieldID(rawValue: 2), name: "day", kind: .date),
        // Names that options cannot represent, or that are reserved.
        Field(FieldID(rawValue: 3), name: "a,b: \"c\"", kind: .integer), Field(FieldID(rawValue: 4), name: "price", kind: .text),
        Field(FieldID(rawValue: 5), name: "#2", kind: .decimal), Field(FieldID(rawValue: 6), name: "", kind: .text),
        Field(FieldID(rawValue: 7), name: "Größe €", kind: .decimal, notation: .comma),
    ])

    private var view: SavedView { GridState(columns: [], rows: .natural(count: 0)).savedView }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `D18: a saved view that stores a query converts back to the same query`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func some(_ limit: Int) -> [Field] {
            Array(Self.schema.fields.shuffled(using: &random).prefix(Int.random(in: 0...limit, using: &random)))
        }
        let conditions = ["#2 > 3", "name contains 'a'", "#4 + 1 = 3 or not (#1 = 'x, y')", "anything", "day < '2024-01-31'"]
        var query = Query()
        query.filters = try conditions.filter { _ in Bool.random(using: &random) }.map { try Filter($0, in: Self.schema).formula }
        query.sort = some(3).map {
            Query.SortKey($0.id, by: .kind($0.kind, $0.notation), isDescending: Bool.random(using: &random))
        }
        query.groups = some(2).map { Query.GroupKey($0.id, by: .kind($0.kind, $0.notation)) }
        var view = view
        try view.store(query, in: Self.schema)
        #expect(try view.query(in: Self.schema) == query)
        let read = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(view))
        #expect(try read.query(in: Self.schema) == query, "also after encoding")
    }

    @Test func `D20: a saved view stores derived fields, group intervals, group orders and aggregates`() throws {
        var text = QueryText()
        text.derived = ["twice = #2 * 2"]
        text.filters = ["twice > 3"]
        text.sort = [try SortRequest(text: "twice:desc")]
        text.groups = [
            try GroupRequest(text: "day:month:count:desc"), try GroupRequest(text: "#4:10:p95(twice)"), try GroupRequest(text: "name"),
        ]
        text.aggregates = [try AggregateOption(text: "p95(twice)"), try AggregateOption(text: "share(#2)")]
        let query = try text.query(in: Self.schema)
        var view = view
        try view.store(query, in: Self.schema)
        let read = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(view))
        #expect(read == view && read.version == SavedView.currentVersion)
        #expect(try read.query(in: Self.schema) == query)
    }

    @Test func `D20: a view of the first version still loads`() throws {
        let sort = #"[{"valueKey": "day", "isDescending": true}]"#
        let text = #"{"columns": [], "grouping": ["name"], "sort": \#(sort), "filters": ["day is empty"]}"#
        let read = try JSONDecoder().decode(SavedView.self, from: Data(text.utf8))
        #expect(read.version == 1 && read.derived.isEmpty && read.aggregates == nil && read.reading.isEmpty)
        let query = try read.query(in: Self.schema)
        #expect(query.groups.map(\.field) == [FieldID(rawValue: 0)] && query.sort.map(\.isDescending) == [true] && query.filters.count == 1)
    }

    @Test func `D18: the column kind set by a view decides how values are compared`() throws {
        let columns = [Column(id: ColumnID(0), title: "Name", valueKey: "name", kind: .integer)]
        var view = GridState(columns: columns, rows: .natural(count: 0)).savedView
        view.sort = [SavedView.SavedSortKey("name", isDescending: true)]
        #expect(
            try view.query(in: Self.schema).sort == [
                Query.SortKey(FieldID(rawValue: 0), by: .kind(.integer, .point), isDescending: true)
            ])
    }

    @Test func `D18: the kind that a view sets for one of several columns with the same name applies to it only`() throws {
        let schema = Schema([0, 1].map { Field(FieldID(rawValue: $0), name: "a", kind: .integer) })
        // The second column was moved before the first one.
        let columns = [(1, ValueKind.decimal), (0, .integer)].map { Column(id: ColumnID($0), title: "a", kind: $1) }
        var view = GridState(columns: columns, rows: .natural(count: 0)).savedView
        view.sort = [SavedView.SavedSortKey("#2"), SavedView.SavedSortKey("a")]
        #expect(
            try view.query(in: schema).sort == [
                Query.SortKey(FieldID(rawValue: 1), by: .kind(.decimal, .point)),
                Query.SortKey(FieldID(rawValue: 0), by: .kind(.integer, .point)),
            ])
    }

    @Test func `D20: in a view of an older version, a name shared by several fields refers to the first one`() throws {
        var view = view
        view.derived = ["twice = price * 2"]
        view.filters = ["price > 3"]
        view.sort = [SavedView.SavedSortKey("price")]
        view.grouping = ["price"]
        let query = try view.query(in: Self.schema)
        #expect(query.derived.map(\.formula.fields) == [[FieldID(rawValue: 1)]])
        #expect(query.filters.map(\.fields) == [[FieldID(rawValue: 1)]])
        #expect(query.sort.map(\.field.rawValue) == [1] && query.groups.map(\.field.rawValue) == [1])
        var stored = self.view
        try stored.store(query, in: Self.schema)
        #expect(stored.filters == ["#2 > 3"], "the text also has this meaning elsewhere")
        #expect(try stored.query(in: Self.schema) == query)
    }

    @Test func `A18: a view whose selection names a duplicated column can be encoded and decoded`() throws {
        let fields = [FieldID(rawValue: 1), FieldID(rawValue: FieldID.firstDerived.rawValue + 2)]
        let columns = Set(fields.flatMap { field in [0, 1, 1000].map { ColumnID(field, copy: $0) } })
        #expect(columns.count == 6)
        var view = view
        view.selection = Selection(blocks: [SelectionBlock(rows: 0..<3, columns: columns)])
        let read = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(view))
        #expect(read == view)
        #expect(read.selection.blocks.first?.columns?.map(\.copy).max() == 1000)
    }

    @Test func `D18: the parts of a query that no longer match the table are described`() throws {
        var view = view
        view.sort = [SavedView.SavedSortKey("prize")]
        #expect(throws: QueryTextError.self) { try view.query(in: Self.schema) }
        view.sort = []
        view.filters = ["prize > 3"]
        #expect(throws: FilterError.self) { try view.query(in: Self.schema) }
        var query = Query()
        query.sort = [Query.SortKey(FieldID(rawValue: 99), by: .text)]
        let before = view
        #expect(throws: FilterError.self) { try view.store(query, in: Self.schema) }
        #expect(view == before, "an invalid query changes nothing")
    }
}
