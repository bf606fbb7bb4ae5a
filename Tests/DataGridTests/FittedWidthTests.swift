import DataGrid
import Foundation
import GridTestSupport
import Testing

/// Columns without a width, which are fitted to the frame.
@Suite struct FittedWidthTests {
    @Test func `A9: a column has no width by default, and the minimum fitted width is 8 by default`() throws {
        #expect(Column(id: 0, title: "").width == .standard)
        var metrics = try JSONDecoder().decode(GridMetrics.self, from: Data("{}".utf8))
        #expect(metrics == GridMetrics() && metrics.minimumFittedWidth == 8)
        metrics.minimumFittedWidth = 5
        #expect(try JSONDecoder().decode(GridMetrics.self, from: JSONEncoder().encode(metrics)) == metrics)
        #expect(try JSONDecoder().decode(WidthRule.self, from: JSONEncoder().encode(WidthRule.standard)) == .standard)
    }

    @Test func `A9: with enough room, each column has its content width plus an equal share of the spare cells`() {
        #expect(fittedWidths(measuredColumns(7, 1, 10), frame: 40) == [13, 9, 16])
        #expect(fittedWidths(measuredColumns(7, 1, 10), frame: 42) == [14, 9, 17])
        #expect(fittedWidths(measuredColumns(7, 1, 10), frame: 22) == [7, 3, 10])
        #expect(fittedWidths(measuredColumns(5), frame: 60) == [60], "no share of the frame limits it")
    }

    @Test func `A9: with too little room, only the widest columns shrink, to the same width`() {
        #expect(fittedWidths(measuredColumns(5, 30, 60), frame: 97) == [5, 30, 60])
        #expect(fittedWidths(measuredColumns(5, 30, 60), frame: 80) == [5, 30, 43])
        #expect(fittedWidths(measuredColumns(5, 30, 60), frame: 42) == [5, 17, 18])
        #expect(fittedWidths(measuredColumns(60, 5, 60), frame: 42) == [17, 5, 18])
    }

    @Test func `A9: columns never shrink below a minimum, and scroll with their content width if they do not fit`() {
        let some = measuredColumns(5, 30, 60)
        #expect(fittedWidths(some, frame: 23) == [5, 8, 8])
        #expect(fittedWidths(some, frame: 22) == [5, 11, 11], "half of the frame")
        #expect(fittedWidths(some, frame: 22) { $0.maximumColumnFraction = 1 } == [5, 22, 22])
        #expect(fittedWidths(some, frame: 20) { $0.maximumColumnWidth = 9 } == [5, 9, 9])
        #expect(fittedWidths(some, frame: 20) { $0.minimumFittedWidth = 4 } == [5, 6, 7])
        #expect(fittedWidths(some, frame: 20) { $0.minimumFittedWidth = -1 } == [5, 6, 7])
        #expect(fittedWidths(some, frame: 42) { $0.minimumColumnWidth = 10 } == [10, 15, 15])
        #expect(fittedWidths(some, frame: 31) { $0.minimumColumnWidth = 10 } == [10, 15, 15], "half of the frame")
        #expect(fittedState(some, frame: 22).layout.geometry.maximumX > 0 && fittedState(some, frame: 23).layout.geometry.maximumX == 0)
    }

    @Test func `A9: a column cut to less than four cells gives its room to the fitted columns before it`() {
        func widths(_ columns: [Column], frame: Int = 24) -> [Int] {
            fittedWidths(columns, frame: frame) { ($0.minimumFittedWidth, $0.maximumColumnFraction) = (12, 1) }
        }
        var some = measuredColumns(5, 14, 60)
        #expect(widths(some, frame: 25) == [5, 14, 25], "the third column shows four cells")
        // With widths of 5 and 14 cells, the other columns would leave three cells for the third column.
        #expect(widths(some) == [7, 16, 24])
        let state = fittedState(some, frame: 24) { ($0.minimumFittedWidth, $0.maximumColumnFraction) = (12, 1) }
        #expect(state.layout.columns.map(\.range) == [0..<7, 8..<24])
        some[1].maximumWidth = 15
        #expect(widths(some) == [8, 15, 24])
        (some[0].maximumWidth, some[1].maximumWidth) = (6, 14)
        #expect(widths(some) == [5, 14, 24], "the others do not take that many cells")
        (some[0].width, some[1].width) = (.fixed(5), .fixed(14))
        #expect(widths(some) == [5, 14, 24], "explicit widths stay")
    }

    @Test func `A9, A1: the limits of a column apply to its fitted width, and the other columns absorb the difference`() {
        var some = measuredColumns(5, 30, 60)
        some[1].minimumWidth = 12
        #expect(fittedWidths(some, frame: 30) == [5, 12, 11])
        #expect(fittedWidths(some, frame: 26) == [5, 13, 13], "half of the frame")
        some[2].minimumWidth = 2
        #expect(fittedWidths(some, frame: 22) == [5, 12, 3], "its own minimum, however narrow")
        some = measuredColumns(5, 30, 60)
        some[2].maximumWidth = 20
        #expect(fittedWidths(some, frame: 42) == [5, 18, 17])
        #expect(fittedWidths(some, frame: 80) == [16, 42, 20])
        some[2].maximumWidth = 6
        #expect(fittedWidths(some, frame: 80) == [23, 49, 6])
        some[0].maximumWidth = 5
        some[1].maximumWidth = 31
        #expect(fittedWidths(some, frame: 80) == [5, 31, 6], "the rest stays empty")
        #expect(fittedWidths(measuredColumns(5, 30, 60), frame: 60) { $0.maximumColumnWidth = 12 } == [12, 12, 12])
    }

    @Test func `A9: unmeasured columns get equal widths, even among measured columns`() {
        #expect(fittedWidths(measuredColumns(0, 0, 0), frame: 41) == [13, 13, 13])
        #expect(fittedWidths(measuredColumns(0, 0, 0), frame: 43) == [13, 14, 14])
        #expect(fittedWidths(measuredColumns(0, 0, 0, 0), frame: 8) == [3, 3, 3, 3])
        #expect(fittedWidths(measuredColumns(0, 0, 0), frame: 0) == [3, 3, 3])
        #expect(fittedWidths(measuredColumns(0, 0, 0), frame: 41) { $0.maximumColumnWidth = 5 } == [13, 13, 13])
        #expect(fittedWidths(measuredColumns(0, 5, 0), frame: 41) == [16, 7, 16])
        #expect(fittedWidths(measuredColumns(0, 50), frame: 41) == [20, 20])
    }

    @Test func `A9, B3: fitted columns share the room left by gaps and other columns, and hidden columns take none`() {
        var some = measuredColumns(0, 0, 6, 4, 3, 9)
        (some[0].width, some[1].width, some[2].width, some[5].isHidden) = (.fixed(5), .fraction(0.25), .automatic, true)
        #expect(fittedWidths(some, frame: 44) == [5, 11, 6, 10, 8])
        #expect(fittedWidths(some, frame: 44) { $0.columnSpacing = 3 } == [5, 11, 6, 6, 4])
        #expect(fittedWidths(some, frame: 30) == [5, 7, 6, 5, 3])
    }

    @Test func `A9, B3: next to flexible columns, fitted columns have their content width`() {
        var some = measuredColumns(7, 50, 9)
        some[1].width = .flexible
        #expect(fittedWidths(some, frame: 40) == [7, 22, 9])
        (some[0].measuredWidth, some[2].measuredWidth) = (30, 60)
        #expect(fittedWidths(some, frame: 42) == [18, 3, 19])
        some[1].minimumWidth = 12
        #expect(fittedWidths(some, frame: 42) == [14, 12, 14])
        some[0].measuredWidth = 0
        #expect(fittedWidths(some, frame: 62) == [20, 12, 28])
        some[2].width = .automatic
        some[2].measuredWidth = 0
        #expect(fittedWidths(some, frame: 62) == [20, 20, 20], "the same as unmeasured automatic columns")
    }

    @Test func `A9, C7: the default width takes precedence over measured widths, within the limits of the column`() {
        var some = measuredColumns(20, 30, 0, 9)
        some[3].width = .automatic
        #expect(fittedWidths(some, frame: 60) { $0.defaultColumnWidth = 7 } == [7, 7, 7, 9])
        (some[0].minimumWidth, some[1].maximumWidth) = (11, 5)
        #expect(
            fittedWidths(some, frame: 60) {
                $0.defaultColumnWidth = 7; $0.minimumColumnWidth = 8; $0.maximumColumnWidth = 6
            } == [11, 5, 7, 8])
    }

    /// Provides the widths of columns 0 and 2.
    private final class Widths: GridDelegate {
        var own: [ColumnID: Int] = [0: 6, 1: 0, 2: 90]
        func width(ofColumn column: ColumnID) -> Int? { own[column] }
    }

    @MainActor
    @Test(arguments: [nil, 7]) func `A9, A3: a width set by the delegate applies at any frame width`(common: Int?) {
        var state = fittedState(measuredColumns(20, 30, 20), frame: 50) { $0.defaultColumnWidth = common }
        _ = state.updateWidths(from: Widths())
        #expect(state.layout.geometry.widths == [6, common ?? 17, 25])
        #expect(state.columns.all.map(\.width) == [.standard, .standard, .standard])
    }

    @MainActor
    @Test(
        arguments: [WidthRule.standard, .automatic], [nil, 7])
    func `A9, A3: if the delegate withdraws a width, the column has the same width as without a delegate`(rule: WidthRule, common: Int?) {
        let plain = fittedState(measuredColumns(20, 30, 0, rule: rule), frame: 50) { $0.defaultColumnWidth = common }
        let delegate = Widths()
        var state = plain
        #expect(state.updateWidths(from: delegate) == [] && state != plain)
        delegate.own = [2: 11]
        _ = state.updateWidths(from: delegate)
        #expect(state.columns.all.map(\.delegatedWidth) == [nil, nil, 11])
        // If a column is fitted or replaced, the new width applies. The delegate is not asked about columns with explicit widths.
        state.play(.updateColumn(Column(id: 2, title: "other", width: rule)))
        #expect(state.columns[2].delegatedWidth == 11)
        var fitted = state
        fitted.play(.fitColumns([2: 5]))
        #expect(fitted.layout.geometry.widths[2] == 5)
        fitted.play(.setWidth(2, .fixed(9)))
        _ = fitted.updateWidths(from: delegate)
        #expect(fitted.layout.geometry.widths[2] == 9)
        fitted.play(.setWidth(2, rule))
        #expect(fitted.columns[2].delegatedWidth == nil)

        delegate.own = [:]
        _ = state.updateWidths(from: delegate)
        state.play(.updateColumn(Column(id: 2, title: "2", width: rule)))
        #expect(state == plain)
        delegate.own = [1: 4]
        _ = state.updateWidths(from: delegate)
        _ = state.updateWidths(from: nil)
        #expect(state == plain)
    }

    @MainActor
    @Test func `A3, A18: a saved view neither stores nor restores widths set by the delegate`() {
        var state = fittedState(measuredColumns(20, 30, 20), frame: 50)
        let plain = state.savedView
        _ = state.updateWidths(from: Widths())
        #expect(state.savedView.columns == plain.columns)
        let before = state.layout.geometry.widths
        state.play(.restore(plain))
        #expect(state.layout.geometry.widths == before)
    }

    @MainActor
    @Test func `A3, C1: in a transposed table, a delegate width sets the row width, and overrides the default width`() {
        var state = fittedState(measuredColumns(20, 9, 12), frame: 90) { $0.defaultColumnWidth = 10 }
        state.play(.setRows(.natural(count: 3)), .setPresentation(.transposed))
        #expect(state.layout.tiles.first?.fullWidth == 10)
        let delegate = Widths()
        delegate.own = [1: 17]
        _ = state.updateWidths(from: delegate)
        #expect(state.layout.tiles.first?.fullWidth == 17)
    }

    @Test func `A9: fitted columns follow the frame, and adapt to a column whose width the user has set`() {
        var state = fittedState(measuredColumns(7, 1, 10), frame: 40)
        state.play(.resize(GridSize(width: 22, height: 10)))
        #expect(state.layout.geometry.widths == [7, 3, 10])
        state.play(.resize(GridSize(width: 42, height: 10)))
        #expect(state.play(.resizeColumn(1, by: 4)) == [.columnResized(1, width: 13)])
        #expect(state.layout.geometry.widths == [12, 13, 15] && state.columns.all.map(\.width) == [.standard, .fixed(13), .standard])
        state.play(.setWidth(1, .standard), .setMeasuredWidths([0: 14]))
        #expect(state.layout.geometry.widths == [19, 7, 14])
        #expect(state.play(.fitColumns([0: 9])) == [.columnResized(0, width: 9)])
        #expect(state.layout.geometry.widths == [9, 12, 19] && state.columns[0].width == .automatic)
    }

    @Test func `A18: fitted columns are restored with their content width, measured or not`() throws {
        let state = fittedState(measuredColumns(7, 0, 10), frame: 40)
        let view = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(state.savedView))
        #expect(view.columns.map(\.measuredWidth) == [7, nil, 10])
        var other = FittedWidthTests.fresh
        other.play(.restore(view))
        #expect(other.columns.all.map(\.width) == [.standard, .standard, .standard])
        #expect(other.layout.geometry.widths == state.layout.geometry.widths)
    }

    private static var fresh: GridState { fittedState(measuredColumns(0, 0, 0, rule: .fixed(3)), frame: 40) }

    @Test func `A9, A6: ten thousand columns are fitted, and any widths are added without overflow`() {
        let some = (0..<10_000).map { Column(id: ColumnID($0), title: "", measuredWidth: $0 % 2 == 0 ? 6 : .max) }
        let all = fittedWidths(some, frame: 50)
        #expect(all.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? 6 : 25) })
    }

    @Test func `A9, B2: cards cannot fill the frame, so their columns have their content width`() {
        var some = measuredColumns(6, 0, 9)
        (some[0].cardSlot, some[1].cardSlot, some[2].cardSlot) = (.headline, .subheadline, .status)
        func status(_ common: Int? = nil) -> Int? {
            var state = fittedState(some, frame: 60) { $0.defaultColumnWidth = common }
            state.play(.setRows(.natural(count: 3)), .setPresentation(.cards))
            return state.layout.slots.first { $0.slot == .status }?.width
        }
        #expect(status() == 9 && status(5) == 5)
        some[2].measuredWidth = 0
        #expect(status() == 24, "their width in a table")
    }

    /// The reference algorithm works cell by cell. It starts from the minimum widths, or from the content widths if all of them
    /// fit. Each remaining cell goes to the column with the smallest gain.
    private func reference(_ columns: [Column], available: Int, cap: Int, _ metrics: GridMetrics) -> [Int] {
        let minimum = columns.map { $0.minimumWidth ?? metrics.minimumColumnWidth }
        let maximum = columns.indices.map { max(minimum[$0], columns[$0].maximumWidth ?? metrics.maximumColumnWidth ?? 9_999) }
        let needs = columns.indices.map { min(maximum[$0], max(minimum[$0], columns[$0].measuredWidth)) }
        let minimums = columns.indices.map {
            columns[$0].minimumWidth ?? max(metrics.minimumColumnWidth, min(needs[$0], metrics.minimumFittedWidth))
        }
        if minimums.reduce(0, +) > available {
            return columns.indices.map {
                min(max(minimum[$0], columns[$0].measuredWidth), max(minimum[$0], columns[$0].maximumWidth ?? cap))
            }
        }
        let isNarrow = needs.reduce(0, +) > available
        var widths = isNarrow ? minimums : needs
        while widths.reduce(0, +) < available {
            let growing = widths.indices.filter { widths[$0] < (isNarrow ? needs[$0] : maximum[$0]) }
            func gain(_ index: Int) -> Int { widths[index] - (isNarrow ? 0 : needs[index]) }
            guard let next = growing.min(by: { (gain($0), -needs[$0], -$0) < (gain($1), -needs[$1], -$1) }) else { break }
            widths[next] += 1
        }
        return widths
    }

    @Test func `A9, E: random columns fill random frames, and wider content never gets a smaller width`() {
        var random = SplitMix64(seed: 9)
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
        var seen = (scrolled: 0, narrowed: 0, filled: 0, stopped: 0)
        for round in 0..<400 {
            var metrics = GridMetrics()
            (metrics.columnSpacing, metrics.showsScrollBar) = (number(0...2), false)
            (metrics.minimumColumnWidth, metrics.minimumFittedWidth) = (number(1...6), number(0...12))
            if number(0...9) == 0 { metrics.maximumColumnWidth = number(10...30) }
            let hasLimits = round % 2 == 1
            let some = (0..<number(1...12)).map { index -> Column in
                var column = Column(id: ColumnID(index), title: "")
                if hasLimits, number(0...3) == 0 { column.minimumWidth = number(1...20) }
                if hasLimits, number(0...3) == 0 { column.maximumWidth = number(1...40) }
                column.measuredWidth = number(0...1) == 0 ? number(1...12) : number(1...80)
                return column
            }
            let frame = number(1...250)
            let all = fittedWidths(some, frame: frame) { $0 = metrics }
            let available = max(0, frame - (some.count - 1) * metrics.columnSpacing)
            let cap = max(metrics.minimumColumnWidth, metrics.maximumColumnWidth ?? frame / 2)
            let plain = reference(some, available: available, cap: cap, metrics)
            let starts = plain.indices.map { plain[..<$0].reduce(0) { $0 + $1 + metrics.columnSpacing } }
            let cut = plain.indices.first { (1..<min(4, plain[$0])).contains(frame - starts[$0]) }
            if let cut, all != plain {
                let gain = frame - starts[cut] + metrics.columnSpacing
                #expect(zip(all, plain).allSatisfy(>=) && all[cut...] == plain[cut...], "round \(round)")
                #expect(all.reduce(0, +) == plain.reduce(0, +) + gain, "round \(round)")
                continue
            }
            #expect(all == plain, "round \(round)")

            let sum = all.reduce(0, +)
            let needs = some.map { max($0.measuredWidth, $0.minimumWidth ?? metrics.minimumColumnWidth) }
            let minimums = zip(some, needs).map { $0.minimumWidth ?? max(metrics.minimumColumnWidth, min($1, metrics.minimumFittedWidth)) }
            if hasLimits || metrics.maximumColumnWidth != nil {
                if sum < available { seen.stopped += 1 }
                continue
            }
            #expect(zip(all, minimums).allSatisfy(>=) || sum > available, "round \(round)")
            if minimums.reduce(0, +) <= available { #expect(sum == available, "round \(round)") } else { seen.scrolled += 1 }
            if sum == available { if needs.reduce(0, +) > available { seen.narrowed += 1 } else { seen.filled += 1 } }
            for one in all.indices {
                for other in all.indices where needs[one] <= needs[other] {
                    #expect(all[one] <= all[other] + (needs[one] == needs[other] ? 1 : 0), "round \(round)")
                }
            }
        }
        #expect(min(seen.scrolled, seen.narrowed, seen.filled, seen.stopped) >= 10, "\(seen)")
    }
}
