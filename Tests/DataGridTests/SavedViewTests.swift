import DataGrid
import Foundation
import Testing

@Suite struct SavedViewTests {
    /// A grid with many changes.
    private var changedState: GridState {
        var state = grid("abcd", rows: 12, frame: (14, 7), tree: sections("x\n  p 3\n  q 3\ny\n  p 6"))
        state.play(
            .moveColumn(2, toIndex: 0), .setWidth(1, .fixed(6)), .setHidden(3, true), .freeze(FrozenPanes(leading: 1)),
            .setSort([ColumnSort(1, isDescending: true)]), .setFilters(["a > 1", "b ~ 'x'"]), .setCollapsed(section: 4, true),
            .move(.row(4)), .move(.right(1)),
            .move(.down(1), extending: true))
        return state
    }

    @Test func `A18: views restore layout, order, widths, sort, filters, collapsed sections and selection, even via JSON`() throws {
        let saved = changedState.savedView
        let data = try JSONEncoder().encode(saved)
        let read = try JSONDecoder().decode(SavedView.self, from: data)
        #expect(read == saved)
        var fresh = grid("abcd", rows: 12, frame: (14, 7), tree: sections("x\n  p 3\n  q 3\ny\n  p 6"))
        #expect(sketch(fresh) != sketch(changedState))
        fresh.play(.restore(read))
        #expect(sketch(fresh) == sketch(changedState))
        #expect(fresh.sort == changedState.sort && fresh.filters == ["a > 1", "b ~ 'x'"])
        #expect(fresh.savedView == saved)
    }

    @Test func `A18: a view restores the scroll position`() {
        var state = grid("abcdef", rows: 20, frame: (14, 6))
        state.go(.row(10), .column(3))
        state.play(.scroll(items: 2, columns: 1))
        var fresh = grid("abcdef", rows: 20, frame: (14, 6))
        fresh.play(.restore(state.savedView))
        #expect(fresh.scroll == state.scroll && fresh.cursor == state.cursor)
        #expect((fresh.scroll.top, fresh.scroll.x) == (8, 10))
    }

    @Test func `A8, A18: a view stores which columns are frozen, and an older view with only their number can be read`() throws {
        var state = grid("abcde", frame: (40, 6))
        state.play(.freeze(FrozenPanes(leading: 2, trailing: 1)))
        let shown = state.savedView
        state.play(.setHidden(1, true))
        let data = try JSONEncoder().encode(state.savedView)
        var other = grid("aebcd", frame: (40, 6))
        other.play(.freeze(FrozenPanes(leading: 4)), .restore(try JSONDecoder().decode(SavedView.self, from: data)))
        #expect(other.columns.all.map(\.title).joined() == "abcde" && other.frozen == FrozenPanes(leading: 1, trailing: 1))
        other.play(.setHidden(other.columns.all[1].id, false))
        #expect(other.frozen == FrozenPanes(leading: 2, trailing: 1))
        // The second frozen column does not exist: no other column is frozen instead.
        var few = grid("aced", frame: (40, 6))
        few.play(.restore(shown))
        #expect(few.columns.all.map(\.title).joined() == "acde" && few.frozen == FrozenPanes(leading: 1, trailing: 1))

        let text = String(decoding: data, as: UTF8.self)
        let old = text.replacing(#/"frozenSide":"[a-z]+",|,"frozenSide":"[a-z]+"/#, with: "")
        #expect(old != text && !old.contains("frozenSide"))
        var fresh = grid("abcde", frame: (40, 6))
        fresh.play(.restore(try JSONDecoder().decode(SavedView.self, from: Data(old.utf8))))
        #expect(fresh.frozen == FrozenPanes(leading: 1, trailing: 1))
        #expect(fresh.columns.all.map(\.frozenSide) == [.leading, nil, nil, nil, .trailing])
    }

    @Test func `A18: a view restores each of several columns with the same key after they were moved`() throws {
        var state = grid("aab", frame: (30, 6))
        var second = state.columns[1]
        second.title = "second"
        state.play(.updateColumn(second), .setWidth(1, .fixed(7)), .moveColumn(1, toIndex: 0))
        let view = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(state.savedView))
        #expect(view.columns.map(\.occurrence) == [1, 0, nil])
        var other = grid("aab", frame: (30, 6))
        other.play(.restore(view))
        #expect(other.columns.all.map(\.id) == [1, 0, 2] && other.columns.all.map(\.title) == ["second", "a", "b"])
        #expect(other.columns.all.map { $0.width == .fixed(7) } == [true, false, false])
        // If there is no second column, the first one does not get its settings.
        var few = grid("ab", frame: (30, 6))
        few.play(.restore(view))
        #expect(few.columns.all.map(\.title) == ["a", "b"] && few.columns.all[0].width != .fixed(7))
        #expect(view.restored(few.columns.all).missing == 1)
        // Views of earlier versions have no numbers: the columns match in order.
        var old = view
        for index in old.columns.indices { old.columns[index].occurrence = nil }
        other = grid("aab", frame: (30, 6))
        other.play(.restore(old))
        #expect(other.columns.all.map(\.id) == [0, 1, 2] && other.columns.all.map(\.title) == ["second", "a", "b"])
    }

    @Test func `A11, A13: interaction policies stored by older versions have the default for each missing value`() throws {
        var policies = GridInteraction.browsing
        (policies.pansByDragging, policies.singleClick, policies.directionalLock) = (true, [.toggle, .edit], .on)
        #expect(try JSONDecoder().decode(GridInteraction.self, from: JSONEncoder().encode(policies)) == policies)
        #expect(try JSONDecoder().decode(GridInteraction.self, from: Data("{}".utf8)) == GridInteraction())
    }

    @Test func `A18: moved rows are restored within their sections if the number of rows is equal`() throws {
        func rows(_ state: GridState) -> [Int] { (0..<state.rows.count).map { state.rows[$0].rawValue } }
        func restored(_ view: SavedView, _ count: Int, _ tree: SectionTree? = nil) -> [Int] {
            var state = grid("a", rows: count, tree: tree)
            state.play(.restore(view))
            return rows(state)
        }
        var state = grid("a", rows: 6, tree: sections("x 3\ny 3"))
        #expect(state.savedView.movedRows == [])
        state.play(.moveRows(0..<1, to: 2), .moveRows(3..<4, to: 4))
        let view = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(state.savedView))
        #expect(restored(view, 6, sections("x 3\ny 3")) == [1, 2, 0, 4, 3, 5])
        #expect(restored(view, 6) == [1, 2, 0, 4, 3, 5])
        #expect(restored(view, 6, sections("x 2\ny 4")) == Array(0..<6))
        #expect(restored(view, 7) == Array(0..<7))
        // Rows moved differently since then are moved back.
        var other = grid("a", rows: 6)
        let unmoved = other.savedView
        other.play(.moveRows(4..<6, to: 0), .restore(view))
        #expect(rows(other) == [1, 2, 0, 4, 3, 5] && other.savedView.rowOrder == [1..<3, 0..<1, 4..<5, 3..<4, 5..<6])
        other.play(.restore(unmoved))
        #expect(rows(other) == Array(0..<6) && other.savedView == unmoved)
        other.checkInvariants()
        for runs in [[0..<3, 2..<6], [3..<6], [0..<3, 3..<3, 3..<6], [4..<6, -1..<4]] {
            var invalid = view
            invalid.movedRows = runs
            #expect(restored(invalid, 6) == Array(0..<6), "\(runs)")
            invalid.rowOrder = runs + [0..<Int.max]
            #expect(restored(invalid, 6) == Array(0..<6), "\(runs)")
        }
    }

    @Test func `A18: a view applied to changed data ignores removed items and shows new ones`() {
        let saved = changedState.savedView
        var other = grid("aecb", rows: 2, frame: (24, 7))
        other.play(.restore(saved))
        #expect(other.columns.visible.map(\.title) == ["c", "a", "b", "e"])
        other.checkInvariants()
        var empty = grid("z", rows: 0)
        empty.play(.restore(saved))
        empty.checkInvariants()
    }

    @Test func `A18: a view restores metrics, heights, marks, the theme, kinds and formats`() throws {
        func fresh() -> GridState { grid("abcd", rows: 12, frame: (30, 9)) }
        var state = fresh()
        var metrics = state.metrics
        metrics.columnSpacing = 3
        metrics.gridLines = .both
        var column = state.columns[1]
        column.kind = .decimal
        column.format.fractionDigits = 1...4
        state.play(
            .setMetrics(metrics), .updateColumn(column), .setRowHeight(2, 3), .setRowHeight(7, 2), .toggleMark(4), .toggleMark(1),
            .setTheme(.light), .setPresentation(.cards), .move(.row(3)))
        let read = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(state.savedView))
        var other = fresh()
        other.play(.restore(read))
        #expect(sketch(other) == sketch(state))
        #expect(other.savedView == state.savedView)
        #expect(
            other.theme == .light && other.presentation == .cards && other.marks == [1, 4]
                && other.columns[1].format.fractionDigits == 1...4)
        let grouped = SectionTree([Section(title: "x", rows: 0..<12)], columns: [2])
        other.play(.setRows(.natural(count: 12), tree: grouped))
        #expect(other.savedView.grouping == ["c"])
    }

    @Test func `A18: a view restores the selection mode and column titles`() {
        let fresh = grid("abcd", rows: 12, frame: (30, 9))
        for mode in SelectionMode.allCases {
            var state = fresh
            var column = state.columns[2]
            column.title = "called otherwise"
            state.play(.setSelectionMode(mode), .updateColumn(column))
            let view = state.savedView
            for other in SelectionMode.allCases {
                var restored = fresh
                restored.play(.setSelectionMode(other), .restore(view))
                #expect(restored.selectionMode == mode && restored.columns.all.map(\.title) == ["a", "b", "called otherwise", "d"])
            }
        }
    }

    @Test func `A18: a view restores measured widths, and a view without them leaves widths unchanged`() throws {
        func fresh(_ width: Int) -> GridState {
            var state = grid("abc", rows: 12, frame: (60, 9))
            for id in [0, 1] as [ColumnID] { state.play(.setWidth(id, .automatic)) }
            state.play(.setMeasuredWidths([0: width, 1: width, 2: width]))
            return state
        }
        var state = fresh(7)
        state.play(.fitColumns([0: 12]))
        let view = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(state.savedView))
        #expect(view.columns.map(\.measuredWidth) == [12, 7, nil])
        var other = fresh(9)
        other.play(.restore(view))
        #expect(other.layout.geometry.widths == [12, 7, 4])
        // The view as earlier versions wrote it.
        var json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(view)) as! [String: Any]
        json["columns"] = (json["columns"] as! [[String: Any]]).map { $0.filter { $0.key != "measuredWidth" } }
        let old = try JSONDecoder().decode(SavedView.self, from: JSONSerialization.data(withJSONObject: json))
        #expect(old.columns.count == 3)
        other = fresh(9)
        other.play(.restore(old))
        #expect(other.layout.geometry.widths == [9, 9, 4])
    }

    @Test func `A20, A18: a saved view stores which columns highlight changes and keep marks; an older version does not`() throws {
        var state = grid("ab", rows: 3)
        var column = state.columns[0]
        (column.highlightsChanges, column.keepsChangeMarks) = (false, true)
        state.play(.updateColumn(column))
        let data = try JSONEncoder().encode(state.savedView)
        var fresh = grid("ab", rows: 3)
        fresh.play(.restore(try JSONDecoder().decode(SavedView.self, from: data)))
        #expect(fresh.columns.all.map(\.highlightsChanges) == [false, true] && fresh.columns.all.map(\.keepsChangeMarks) == [true, false])
        // The view as earlier versions wrote it.
        var json = try JSONSerialization.jsonObject(with: data) as! [String: Any]
        json["columns"] = (json["columns"] as! [[String: Any]]).map { column in
            column.filter { !["highlightsChanges", "keepsChangeMarks"].contains($0.key) }
        }
        fresh = grid("ab", rows: 3)
        column = fresh.columns[1]
        column.keepsChangeMarks = true
        fresh.play(
            .updateColumn(column),
            .restore(try JSONDecoder().decode(SavedView.self, from: JSONSerialization.data(withJSONObject: json))))
        #expect(fresh.columns.all.map(\.highlightsChanges) == [true, true] && fresh.columns.all.map(\.keepsChangeMarks) == [false, true])
    }

    @Test func `A18: a view with missing parts and unknown keys is read, and a part of a wrong type is rejected by name`() throws {
        func read(_ json: Any) throws -> SavedView {
            try JSONDecoder().decode(SavedView.self, from: JSONSerialization.data(withJSONObject: json))
        }
        #expect(try read([String: Any]()).columns.isEmpty)
        let whole = try JSONSerialization.jsonObject(with: JSONEncoder().encode(changedState.savedView)) as! [String: Any]
        #expect(try read(whole.merging(["future": [1, 2]]) { $1 }) == changedState.savedView)
        for key in whole.keys {
            var incompleteView = whole
            incompleteView[key] = nil
            var null = whole
            null[key] = NSNull()
            for json in [incompleteView, null] {
                let view = try read(json)
                var state = grid("abcd", rows: 12, frame: (14, 7), tree: sections("x\n  p 3\n  q 3\ny\n  p 6"))
                state.play(.restore(view))
                state.checkInvariants()
                if key != "columns" { #expect(view.columns == changedState.savedView.columns) }
            }
            #expect(
                performing: { _ = try read(whole.merging([key: 17.5]) { $1 }) },
                throws: { error in
                    guard let error = error as? DecodingError else { return false }
                    return "\(error)".contains(key)
                })
        }
    }

    @Test func `A18: a view saves every metric, and a missing metric has its default`() throws {
        let plain = try JSONSerialization.jsonObject(with: JSONEncoder().encode(GridMetrics())) as! [String: Any]
        for (key, value) in Mirror(reflecting: GridMetrics()).children {
            let key = try #require(key)
            var other = plain
            switch value {
            case let flag as Bool: other[key] = !flag
            case let number as Int: other[key] = number + 1
            case let part as Double: other[key] = part / 2
            case is Int?: other[key] = 5
            case is GridLines: other[key] = "both"
            case is LinesOnTop: other[key] = "horizontal"
            case is CardMetrics: other[key] = (plain[key] as! [String: Any]).merging(["width": 30]) { $1 }
            default: Issue.record("a new type of metric: \(key)")
            }
            let read = try JSONDecoder().decode(GridMetrics.self, from: JSONSerialization.data(withJSONObject: other))
            #expect(read != GridMetrics(), "\(key)")
            #expect(try JSONDecoder().decode(GridMetrics.self, from: JSONEncoder().encode(read)) == read)
            other[key] = nil
            #expect(try JSONDecoder().decode(GridMetrics.self, from: JSONSerialization.data(withJSONObject: other)) == GridMetrics())
        }
    }

    @Test func `A18: a view saved during a sort has the pending order`() {
        var state = grid("abc")
        let pendingSort = [ColumnSort(1, isDescending: true), ColumnSort(2)]
        state.play(.setSort([ColumnSort(0)], pending: pendingSort))
        let view = state.savedView
        #expect(view.sort.map(\.valueKey) == ["b", "c"] && view.sort.map(\.isDescending) == [true, false])
        state.play(.setSort(pendingSort))
        #expect(state.savedView == view)
    }
}
