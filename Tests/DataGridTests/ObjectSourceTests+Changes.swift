import DataGrid
import GridTestSupport
import Testing

/// Objects that are inserted, removed and changed while they are shown.
extension ObjectSourceTests {
    @Test func `A19: few objects are inserted or removed one by one, many at once, and no other cell is read again`() {
        let source = source((0..<100).map { Instrument(id: $0, name: "n\($0)") })
        source.sort(by: [ColumnSort(0, isDescending: true)])
        host.actions = []
        source.insert([Instrument(id: 200, name: "n50x")])
        #expect(host.actions == [.insertRows(RowInsertion([100], at: 49))])
        host.actions = []
        source.remove([200, 3])
        #expect(
            host.actions == [
                .removeRows(97..<98, renumbering: false), .removeRows(49..<50, renumbering: false), .discardRowState(host.removedRows),
            ])
        #expect(host.reloads == 0)
        host.perform(.toggleMark(source.row(of: 0)!))
        host.actions = []
        source.remove(Array(stride(from: 0, to: 100, by: 2)))
        #expect(host.actions.count == 2 && host.state.rows.count == 49)
        #expect(host.state.marks.isEmpty)
    }

    @Test func `A19, C2: objects inserted at an index appear there; in a sorted grid, once the sort is removed`() {
        let source = source(few)
        source.insert([Instrument(id: 8, name: "c"), Instrument(id: 9, name: "d")], at: 1)
        #expect(names(source) == ["b10", "c", "d", "b9", "a"])
        #expect(host.changes == [8, 9].map { CellChange(.inserted, row: source.row(of: $0)!) })
        source.insert([Instrument(id: 1, name: "x")], at: -4)
        source.insert([Instrument(id: 2, name: "y")], at: 99)
        #expect(source.objects.map(\.id) == [1, 7, 8, 9, 3, 5, 2] && names(source) == source.objects.map(\.name))
        source.sort(by: [ColumnSort(0)])
        source.insert([Instrument(id: 4, name: "aa")], at: 2)
        #expect(names(source).prefix(2) == ["a", "aa"])
        source.sort(by: [])
        #expect(source.objects.map(\.id) == [1, 7, 4, 8, 9, 3, 5, 2] && names(source) == source.objects.map(\.name))
    }

    @Test func `A19, C2: visible rows that close gaps are highlighted, even after many removals at once and in sections`() {
        let source = source((0..<100).map { Instrument(id: $0, name: "n\($0)", kind: "k\($0 / 10)") })
        source.remove(Array(stride(from: 1, to: 100, by: 2)))
        #expect(host.changes == host.state.visibleRows.dropFirst().map { CellChange(.movedUp, row: $0) })
        host.changes = []
        source.groupings = [ObjectGrouping(by: \.kind)]
        source.remove([2, 4, 98])
        #expect(host.changes == [CellChange(.movedUp, row: source.row(of: 6)!)])
        host.changes = []
        source.remove(source.objects.map(\.id))
        #expect(host.changes.isEmpty)
    }

    @Test func `A20: the source reports which values of an object rose or fell, and leaves the row in place`() {
        let source = source(few)
        source.sort(by: [ColumnSort(1)])
        host.actions = []
        #expect(
            source.update(3) {
                $0.price = 9; $0.amount = 4; $0.name = "z"
            })
        #expect(
            host.changes == [
                CellChange(.changed, row: 1, column: 0), CellChange(.risen, row: 1, column: 1), CellChange(.changed, row: 1, column: 2),
            ])
        host.changes = []
        source.update(3) { $0.price = 8 }
        source.update(3) { $0.price = 8 }
        #expect(host.changes == [CellChange(.fallen, row: 1, column: 1)])
        host.changes = []
        source.highlightsRows = true
        source.update(3) { $0.price = 8 }
        #expect(host.changes.isEmpty, "no value changed")
        source.update(3) { $0.price = 7 }
        #expect(host.changes == [CellChange(.updated, row: 1), CellChange(.fallen, row: 1, column: 1)])
        source.highlightsRows = false
        #expect(!source.update(99) { _ in })
        #expect(host.actions.isEmpty && names(source) == ["z", "b10", "a"])
        source.sortAgain()
        #expect(names(source) == ["b10", "a", "z"])
        source.insert([Instrument(id: 3, name: "y")])
        #expect(source.count == 3 && source.object(1)?.name == "y" && host.changes.last == CellChange(.changed, row: 1))
    }

    @Test func `A20: a change formats only cells whose highlight depends on the text`() {
        var formatted = 0
        func text(_ instrument: Instrument) -> String {
            formatted += 1
            return instrument.kind
        }
        let source = ObjectSource(
            few,
            columns: [
                ObjectColumn("Price", \.price), ObjectColumn("Quiet", \.name) { $0.highlightsChanges = false }.formatted(text),
                ObjectColumn("Lit", \.name).formatted(text),
            ])
        source.attach(to: host)
        source.update(3) { $0.price = 9 }
        #expect(host.changes == [CellChange(.risen, row: 1, column: 0), CellChange(.changed, row: 1, column: 1)])
        #expect(formatted == 2, "the text of the highlighted column, before and after")
        host.changes = []
        source.update(3) { $0.amount = 9 }
        #expect(host.changes.isEmpty, "nothing looks different")
        source.update(3) { $0.kind = "fund" }
        #expect(host.changes == [CellChange(.changed, row: 1, column: 2), CellChange(.changed, row: 1, column: 1)])
    }

    @Test func `A19: after replacing all objects, those with known IDs keep their rows`() {
        let source = source(few)
        source.select([5])
        host.perform(.toggleMark(source.row(of: 7)!))
        source.replaceAll([Instrument(id: 5, name: "five"), Instrument(id: 8, name: "eight"), Instrument(id: 5, name: "five!")])
        #expect(names(source) == ["five!", "eight"])
        #expect(source.selectedObjects.map(\.name) == ["five!"])
        #expect(host.state.marks.isEmpty && host.reloads == 1)
        source.insert([Instrument(id: 7, name: "seven")])
        #expect(source.row(of: 7) != source.row(of: 8) && host.state.marks.isEmpty)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func `A19, C2: random changes agree with a plain array`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let source = source([])
        host.perform(.setPresentation([.table, .cards, .transposed][Int(seed % 3)]))
        var model: [Instrument] = []
        var selected: Set<Int> = []
        var next = 0
        var rows: [Int: RowID] = [:]
        func new() -> Instrument {
            next += 1
            return Instrument(
                id: next, name: "n\(number(0...9))", price: Double(number(0...5)), amount: number(0...3) == 0 ? nil : number(0...9))
        }
        for step in 0..<300 {
            switch number(0...6) {
            case 0, 1:
                let objects = (0..<number(1...12)).map { _ in new() }
                let index = number(0...1) == 0 ? nil : number(0...model.count)
                model.insert(contentsOf: objects, at: index ?? model.count)
                source.insert(objects, at: index)
            case 2:
                let removed = Set(model.filter { _ in number(0...4) == 0 }.map(\.id))
                model.removeAll { removed.contains($0.id) }
                selected.subtract(removed)
                for id in removed { rows[id] = nil }
                source.remove(Array(removed))
            case 3:
                let columns = [0, 1, 2].shuffled(using: &random).prefix(number(0...2))
                source.sort(by: columns.map { ColumnSort(ColumnID($0), isDescending: number(0...1) == 0) })
            case 4:
                let chosen = model.filter { _ in number(0...3) == 0 }.map(\.id)
                selected = Set(chosen)
                source.select(chosen)
            case 5:
                source.groupings = number(0...2) == 0 ? [ObjectGrouping(by: \.name)] : []
            default:
                guard !model.isEmpty else { continue }
                let index = number(0...model.count - 1)
                model[index].price = Double(number(0...5))
                source.update(model[index].id) { $0.price = model[index].price }
                source.sortAgain()
            }
            // A simple stable sort: the objects with their positions.
            var expected = Array(model.enumerated())
            func compare(_ a: Instrument, _ b: Instrument) -> Int {
                if !source.groupings.isEmpty, a.name != b.name {
                    // Sections follow the direction of their column.
                    let isDescending = source.sortKeys.contains { $0.column == 0 && $0.isDescending }
                    return (a.name < b.name) != isDescending ? -1 : 1
                }
                for key in source.sortKeys {
                    var order = 0
                    switch key.column {
                    case 0: order = a.name == b.name ? 0 : a.name < b.name ? -1 : 1
                    case 1: order = a.price == b.price ? 0 : a.price < b.price ? -1 : 1
                    default:
                        guard let x = a.amount, let y = b.amount else {
                            if (a.amount == nil) == (b.amount == nil) { continue }
                            return a.amount == nil ? 1 : -1
                        }
                        order = x == y ? 0 : x < y ? -1 : 1
                    }
                    if order != 0 { return key.isDescending ? -order : order }
                }
                return 0
            }
            expected.sort { a, b in
                let order = compare(a.element, b.element)
                return order == 0 ? a.offset < b.offset : order < 0
            }
            let shown = (0..<host.state.rows.count).map { source.object(host.state.rows[$0])!.id }
            #expect(shown == expected.map(\.element.id), "seed \(seed), step \(step)")
            #expect(Set(source.selectedObjects.map(\.id)) == selected, "seed \(seed), step \(step)")
            #expect(source.objects.map(\.id) == model.map(\.id))
            #expect(model.isEmpty || host.state.isCursorVisible, "seed \(seed), step \(step)")
            for object in model {
                let row = source.row(of: object.id)!
                if let old = rows[object.id] { #expect(old == row, "a row keeps its ID") }
                rows[object.id] = row
            }
            #expect(Set(rows.values).count == rows.count)
        }
    }
}
