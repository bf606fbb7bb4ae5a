import GridTestSupport
import DataGrid
import FieldValues
import Testing

@MainActor
@Suite struct ObjectSourceTests {
    let host = RecordingHost()

    func source(_ instruments: [Instrument]) -> ObjectSource<Instrument, Int> {
        let source = ObjectSource(
            instruments,
            columns: [
                ObjectColumn("Name", \.name) { $0.sortMode = .twoState }, ObjectColumn("Price", \.price), ObjectColumn("Amount", \.amount),
                ObjectColumn("Open", \.isOpen),
            ])
        source.attach(to: host)
        return source
    }

    let few = [
        Instrument(id: 7, name: "b10", price: 2.5, amount: 3),
        Instrument(id: 3, name: "b9", price: 1, amount: nil, isOpen: true, kind: "bond"),
        Instrument(id: 5, name: "a", price: 2.5, amount: 1),
    ]

    func names(_ source: ObjectSource<Instrument, Int>) -> [String] {
        (0..<host.state.rows.count).map { source.object(host.state.rows[$0])?.name ?? "?" }
    }

    @Test func `A19: cells are filled from key paths, formats and closures`() {
        let source = ObjectSource(
            few, id: \.id,
            columns: [
                ObjectColumn("Name", \.name).withContent { $0.isOpen ? CellContent("open!", condition: .unreadable) : nil },
                ObjectColumn("Price", \.price).formatted { $0.price > 2 ? "\(Int($0.price))+" : nil },
                ObjectColumn("Amount", \.amount), ObjectColumn("Open", \.isOpen),
                ObjectColumn("Day", value: { $0.id }, kind: .date, text: { "2024-01-0\($0)" }),
            ])
        source.attach(to: host)
        func row(_ id: Int) -> [CellContent] { (0..<5).map { source.content(row: source.row(of: id)!, column: ColumnID($0)) } }
        #expect(row(7) == [CellContent("b10"), CellContent("2+"), CellContent("3"), CellContent("false"), CellContent("2024-01-07")])
        #expect(
            row(3) == [
                CellContent("open!", condition: .unreadable), CellContent("1.0"), .missing, CellContent("true"), CellContent("2024-01-03"),
            ])
        #expect(host.state.columns.all.map(\.kind) == [.text, .decimal, .integer, .flag, .date])
        #expect(source.content(row: 99, column: 0) == .missing && source.content(row: 0, column: 99) == .missing)
    }

    @Test func `A19, A1: the edit closure of a column accepts or rejects edits, and only such a column is editable`() {
        let source = ObjectSource(
            few,
            columns: [
                ObjectColumn("Name", \.name) { $0.isEditable = true },
                ObjectColumn("Price", \.price).editable { instrument, text in
                    instrument.amount = 99
                    guard let price = Double(text) else { return "A number, please." }
                    instrument.price = price
                    return nil
                }, ObjectColumn("Amount", \.amount),
            ])
        source.attach(to: host)
        #expect(host.state.columns.all.map(\.isEditable) == [false, true, false])
        let row = source.row(of: 3)!
        #expect(source.setContent("x", row: row, column: 0) == .rejected("This cell cannot be edited."))
        #expect(source.setContent("x", row: row, column: 1) == .rejected("A number, please."))
        #expect(source.object(row)?.amount == nil && host.changes.isEmpty, "a rejection changes nothing")
        #expect(source.setContent("0.5", row: row, column: 1) == .accepted)
        #expect(source.object(row)?.price == 0.5 && source.object(row)?.amount == 99)
        #expect(host.changes == [CellChange(.fallen, row: row, column: 1), CellChange(.changed, row: row, column: 2)])
        #expect(source.setContent("1", row: 99, column: 1) != .accepted && source.setContent("1", row: row, column: 9) != .accepted)
    }

    @Test func `A19: after an edit of a class instance, all cells of this object are requested again`() {
        final class Note {
            let id = 1
            var text = "a"
        }
        let note = Note()
        let source = ObjectSource(
            [note], id: \.id,
            columns: [
                ObjectColumn("Text", \.text).editable { note, text in
                    note.text = text
                    return nil
                }
            ])
        source.attach(to: host)
        #expect(source.setContent("b", row: 0, column: 0) == .accepted && note.text == "b")
        #expect(host.changes == [CellChange(.changed, row: 0)])
    }

    @Test func `A19, B5: a closure provides the accessory of an object, and is called again after changes`() {
        let source = source(few)
        #expect(source.accessory(ofRow: 0) == .none)
        source.accessory = { $0.isOpen ? .checkmark : .disclosure }
        #expect([0, 1, 9].map { source.accessory(ofRow: RowID($0)) } == [.disclosure, .checkmark, .none] && host.reloads == 1)
        source.update(7) { $0.price = 3 }
        #expect(host.reloads == 1)
        source.update(7) { $0.isOpen = true }
        #expect(source.accessory(ofRow: 0) == .checkmark && host.reloads == 2)
    }

    @Test func `A19: closures provide row headers, corner, classes and object names, and are called again after changes`() {
        let source = source(few)
        #expect(source.rowHeader(0) == nil && source.styleClass(ofRow: 0) == nil && source.corner == nil && source.rowNoun == RowNoun())
        source.rowHeaderText = { "#\($0.id)" }
        source.styleClass = { $0.price > 2 ? "dear" : nil }
        source.corner = CellContent("id")
        source.rowNoun = RowNoun("share", "shares")
        #expect(host.reloads == 4)
        #expect([0, 1, 9].map { source.rowHeader(RowID($0)) } == ["#7", "#3", nil])
        #expect([0, 1, 9].map { source.styleClass(ofRow: RowID($0)) } == ["dear", nil, nil])
        source.update(3) { $0.price = 1.5 }
        #expect(host.reloads == 4)
        source.update(3) { $0.price = 9 }
        #expect(host.reloads == 5 && source.styleClass(ofRow: 1) == "dear")
        source.rowHeaderText = { $0.isOpen ? "open" : "" }
        source.update(3) { $0.isOpen = false }
        #expect(host.reloads == 7 && source.rowHeader(1) == "")
    }

    @Test func `A19, C6: an aggregate or a closure computes column totals over all objects`() {
        let source = ObjectSource(
            few,
            columns: [
                ObjectColumn("Name", \.name).totaled(by: .count), ObjectColumn("Price", \.price).totaled(by: .sum),
                ObjectColumn("Amount", \.amount).totaled(by: .mean), ObjectColumn("Open", \.isOpen),
                ObjectColumn("Kind", \.kind).totaled { objects in objects.count > 3 ? nil : CellContent("\(objects.count) of them") },
                ObjectColumn("First", \.name).formatted { "<\($0.name)>" }.totaled(by: .first),
            ])
        source.attach(to: host)
        func totals() -> [String?] { (0..<7).map { source.total(column: ColumnID($0))?.text } }
        #expect(totals() == ["3", "6", "2", nil, "3 of them", "<b10>", nil])
        #expect(source.totalsTitle == "Σ")
        source.sort(by: [ColumnSort(0)])
        source.remove([7])
        source.insert([Instrument(id: 8, name: "h", price: 0.25), Instrument(id: 9, name: "i")])
        #expect(totals() == ["4", "3.75", "1", nil, nil, "<b9>", nil])
        source.replaceAll([])
        #expect(totals() == ["0", nil, nil, nil, "0 of them", nil, nil])
    }

    @Test func `A19, A2: a section's scrolling title is computed from its objects at each level`() {
        let source = source(few)
        #expect(source.scrollingTitle(ofSection: 0) == nil)
        source.groupings = [
            ObjectGrouping(by: \.kind).withScrollingTitle { objects in objects.map(\.name).joined(separator: "+") },
            ObjectGrouping(by: \.price) { "\($0)" },
        ]
        source.sort(by: [ColumnSort(0)])
        #expect((0..<5).map { source.scrollingTitle(ofSection: $0) } == ["b9", nil, "a+b10", nil, nil])
        #expect(source.title(ofSection: 0) == "bond")
    }

    @Test func `A19: a sort by one or several keys is stable and reversible, with missing values last`() {
        let source = source(few)
        #expect(names(source) == ["b10", "b9", "a"])
        for (keys, order) in [
            ([ColumnSort(0)], ["a", "b9", "b10"]), ([ColumnSort(0, isDescending: true)], ["b10", "b9", "a"]),
            ([ColumnSort(1, isDescending: true)], ["b10", "a", "b9"]),
            ([ColumnSort(1, isDescending: true), ColumnSort(0)], ["a", "b10", "b9"]),
            ([ColumnSort(2)], ["a", "b10", "b9"]), ([ColumnSort(2, isDescending: true)], ["b10", "a", "b9"]),
            ([], ["b10", "b9", "a"]),
        ] as [([ColumnSort], [String])] {
            source.sort(by: keys)
            #expect(names(source) == order, "\(keys)")
            #expect(host.state.sort == keys)
        }
    }

    @Test func `A19: text is sorted by ASCII letters, or by Unicode if the column requests it`() {
        struct Fruit: Identifiable {
            let id: String
            var other: String? { id }
        }
        let fruits = ["Zitrone", "Äpfel 10", "Birne", "apfel", "Äpfel 9"].map { Fruit(id: $0) }
        let source = ObjectSource(
            fruits,
            columns: [
                ObjectColumn("A", \.id), ObjectColumn("B", \.id, alphabet: .unicode), ObjectColumn("C", \.other),
                ObjectColumn("D", \.other, alphabet: .unicode),
            ])
        source.attach(to: host)
        for column in 0..<4 {
            source.sort(by: [ColumnSort(ColumnID(column))])
            let shown = (0..<5).map { source.object(host.state.rows[$0])!.id }
            let isUnicode = column % 2 == 1
            #expect(
                shown
                    == (isUnicode
                        ? ["apfel", "Äpfel 9", "Äpfel 10", "Birne", "Zitrone"] : ["apfel", "Birne", "Zitrone", "Äpfel 9", "Äpfel 10"]))
        }
    }

    @Test func `A19: the column of a property is the first one that shows it`() {
        let source = ObjectSource(
            few,
            columns: [
                ObjectColumn("Size", value: { $0.id }, text: { "\($0)" }), ObjectColumn("Price", \.price), ObjectColumn("Again", \.price),
            ])
        #expect(source.column(of: \.price) == 1)
        #expect(source.column(of: \.name) == nil)
    }

    @Test func `A19: the selected objects can be read and set, and they stay selected through sorting`() {
        let source = source(few)
        source.selectedObjects = [few[0], few[2]]
        #expect(source.selectedObjects.map(\.id) == [7, 5])
        source.sort(by: [ColumnSort(0)])
        #expect(source.selectedObjects.map(\.id) == [5, 7])
        source.insert([Instrument(id: 1, name: "b")])
        source.remove([5])
        #expect(source.selectedObjects.map(\.id) == [7])
        source.selectedObjects = []
        #expect(host.state.selection.isEmpty)
    }

    @Test func `A19: groups are nested, with titles and aggregates; insertions create sections and expand none`() {
        let source = source(few)
        source.aggregates = [Aggregate(.sum, of: 1), Aggregate(.count, of: 2), Aggregate(.distinct, of: 1)]
        source.groupings = [ObjectGrouping(by: \.kind), ObjectGrouping(by: \.price) { $0 > 2 ? "dear" : "cheap" }]
        func outline() -> [String] {
            host.state.outline.tree!.sections.map { "\($0.level) \($0.title) \($0.rows.lowerBound)..<\($0.rows.upperBound)" }
        }
        #expect(outline() == ["0 bond 0..<1", "1 cheap 0..<1", "0 share 1..<3", "1 dear 1..<3"])
        #expect(source.aggregates(ofSection: 2).map(\.value) == [5, 2, 1])
        #expect(source.aggregates(ofSection: 0).map(\.value)[1...] == [0, 1])
        source.sort(by: [ColumnSort(0)])
        #expect(names(source) == ["b9", "a", "b10"])
        host.perform(.setCollapsed(section: 2, true))
        source.insert([Instrument(id: 9, name: "c", price: 1, kind: "bill")])
        #expect(outline() == ["0 bill 0..<1", "1 cheap 0..<1", "0 bond 1..<2", "1 cheap 1..<2", "0 share 2..<4", "1 dear 2..<4"])
        #expect(host.state.outline.collapsed == [false, false, false, false, true, false])
        source.groupings = []
        #expect(host.state.outline.tree == nil && names(source) == ["a", "b9", "b10", "c"])
    }

    @Test func `A19, A15: a sort by a grouped column orders the sections, and other keys order the rows of each section`() {
        let source = source(few + [Instrument(id: 9, name: "c", price: 1, amount: 3)])
        func titles() -> [String] { host.state.outline.tree!.sections.map(\.title) }
        source.groupings = [ObjectGrouping(by: \.price) { "\($0)" }]
        #expect(titles() == ["1.0", "2.5"] && names(source) == ["b9", "c", "b10", "a"])
        source.sort(by: [ColumnSort(1, isDescending: true)])
        #expect(titles() == ["2.5", "1.0"] && names(source) == ["b10", "a", "b9", "c"])
        source.sort(by: [ColumnSort(1, isDescending: true), ColumnSort(0)])
        #expect(titles() == ["2.5", "1.0"] && names(source) == ["a", "b10", "b9", "c"])
        source.sort(by: [ColumnSort(0, isDescending: true)])
        #expect(titles() == ["1.0", "2.5"] && names(source) == ["c", "b9", "b10", "a"])
        // Each level has its own direction, and missing values are last in both.
        source.groupings = [ObjectGrouping(by: \.amount), ObjectGrouping(by: \.price) { "\($0)" }]
        #expect(titles() == ["1", "2.5", "3", "1.0", "2.5", "", "1.0"])
        source.sort(by: [ColumnSort(2, isDescending: true)])
        #expect(titles() == ["3", "1.0", "2.5", "1", "2.5", "", "1.0"])
        source.sort(by: [ColumnSort(2), ColumnSort(1, isDescending: true)])
        #expect(titles() == ["1", "2.5", "3", "2.5", "1.0", "", "1.0"])
    }

    @Test func `A19: a manual move of rows moves the objects; a move in a sorted order lasts until the next sort`() {
        let source = source(few)
        host.perform(.moveRows(0..<1, to: 2))
        #expect(source.objects.map(\.name) == ["b9", "a", "b10"])
        source.sort(by: [ColumnSort(0)])
        host.perform(.moveRows(2..<3, to: 0))
        #expect(names(source) == ["b10", "a", "b9"])
        source.insert([Instrument(id: 1, name: "aa")], at: 0)
        #expect(names(source) == ["a", "aa", "b9", "b10"])
        source.sort(by: [])
        #expect(names(source) == ["aa", "b9", "a", "b10"])
    }
}
