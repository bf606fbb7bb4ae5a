import DataGrid
import DataGridTerminal
import FieldValues
import Foundation
import GridTestSupport
import TerminalSurface
import Testing

/// Saved views with content that no grid writes.
@MainActor
@Suite struct HostileViewTests {
    // MARK: Views with a value for every key

    private static let tree = SectionTree(
        [Section(title: "x", rows: 0..<4), Section(title: "y", rows: 4..<12)], columns: [1])

    /// A view of a grid in which every saved property was changed.
    static func view(tree: SectionTree?, sort: [ColumnSort]) -> SavedView {
        var state = grid("a:6 b:5:i c:7:d2 d:5", rows: 12, frame: (40, 12), tree: tree) { metrics in
            metrics.defaultColumnWidth = 9
            metrics.maximumColumnWidth = 30
            metrics.titleWidth = 8
            metrics.transposedRowWidth = 9
            metrics.cards.width = 20
        }
        var column = state.columns.all[2]
        column.format.datePattern = "yyyy"
        for action: GridAction in [
            .updateColumn(column), .setSort(sort), .setWidth(0, .fraction(0.25)), .setWidth(1, .automatic), .setMeasuredWidths([1: 7]),
            .setWidth(3, .fixed(8)),
            .freeze(FrozenPanes(leading: 1, trailing: 1, rows: 1, bottom: 1)), .setFilters(["a > 1"]), .setRowHeight(2, 3),
            .toggleMark(4), .toggleMark(5), .setCollapsed(section: 0, true), .move(.row(6)), .move(.right(1)),
            .move(.down(2), extending: true),
        ] { _ = state.apply(action) }
        _ = state.apply(.moveRows(8..<9, to: 6))
        var view = state.savedView
        view.presentation = .adaptive(below: 20)
        return view
    }

    static let views = [
        view(tree: tree, sort: []), view(tree: nil, sort: [ColumnSort(1, isDescending: true)]), view(tree: nil, sort: []),
    ]

    // MARK: Modifications

    enum Step: Hashable { case key(String), index(Int) }

    /// The paths of all values in a JSON value, including itself.
    static func valuePaths(_ value: Any, _ path: [Step] = []) -> [[Step]] {
        switch value {
        case let object as [String: Any]:
            [path] + object.keys.sorted().flatMap { valuePaths(object[$0]!, path + [.key($0)]) }
        case let array as [Any]:
            [path] + array.indices.flatMap { valuePaths(array[$0], path + [.index($0)]) }
        default: [path]
        }
    }

    static func replacing(_ value: Any, _ path: ArraySlice<Step>, _ new: Any) -> Any {
        guard let step = path.first else { return new }
        switch (step, value) {
        case (.key(let key), var object as [String: Any]):
            if let old = object[key] { object[key] = replacing(old, path.dropFirst(), new) }
            return object
        case (.index(let index), var array as [Any]):
            if array.indices.contains(index) { array[index] = replacing(array[index], path.dropFirst(), new) }
            return array
        default: return value
        }
    }

    static let hostile: [Any] = [
        Int.max, Int.min, 1 << 62, -1, 0, 1e300, -1e300, 0.5, "", "\u{0}\u{202e}", NSNull(), true, [Any](), [String: Any](),
        [Any](repeating: Int.max, count: 3), [Any](repeating: [Int.max, Int.min], count: 2000), [[-5, Int.max]], [[0, 1 << 62]],
        (0..<200).reduce([] as [Any]) { value, _ in [value] },
    ]

    // MARK: Use

    static func exercise(_ view: SavedView) {
        for (rows, tree, frame) in [
            (12, tree, (40, 12)), (12, nil, (80, 24)), (0, nil, (14, 7)), (1, nil, (1, 1)), (100_000, nil, (30, 9)),
        ] {
            var state = grid("a:6 b:5:i c:7:d2 d:5", rows: rows, frame: frame, tree: tree)
            let source = RecordingSource { row, column in CellContent("\(row.rawValue * 7).\(column.rawValue)") }
            _ = state.apply(.restore(view))
            _ = paint(state, source)
            for action: GridAction in [
                .move(.bottom), .move(.right(3)), .move(.pageUp), .scroll(items: 3, columns: 1), .move(.pageRight),
                .scroll(items: -1, columns: -1),
                .move(.down(1), extending: true), .setPresentation(.transposed), .move(.pageDown), .setPresentation(.cards),
                .move(.pageDown),
                .setPresentation(.table), .selectAll, .move(.top),
            ] {
                _ = state.apply(action)
                _ = state.layout
            }
            _ = paint(state, source)
            _ = state.apply(.resize(GridSize(width: 60, height: 20)))
            _ = paint(state, source)
            _ = state.savedView
        }
    }

    /// Decodes `json` as a view and restores it in grids. Returns `nil` on success, or the decoding error.
    private func outcome(_ json: Any) throws -> DecodingError? {
        let data = try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed)
        do {
            Self.exercise(try JSONDecoder().decode(SavedView.self, from: data))
            return nil
        } catch let error as DecodingError {
            return error
        }
    }

    private func json(_ view: SavedView) throws -> Any { try JSONSerialization.jsonObject(with: JSONEncoder().encode(view)) }

    nonisolated private func context(of error: DecodingError) -> DecodingError.Context? {
        switch error {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            context
        @unknown default: nil
        }
    }

    // MARK: Tests

    /// Values that once trapped on restoring, layout, drawing or scrolling: path, value, and limits.
    nonisolated static let traps: [String] = """
        columns.2.format.alignedFractionDigits max 0...100
        columns.2.format.alignedFractionDigits 2^62 0...100
        columns.3.width.fixed max 0...10000
        cursor.column min 0...2147483648
        metrics.cards.spacing.height max 0...10000
        metrics.cards.spacing.width max 0...10000
        metrics.columnSpacing max 0...10000
        metrics.columnSpacing min 0...10000
        metrics.columnSpacing 2^62 0...10000
        metrics.minimumColumnWidth max 0...10000
        metrics.minimumColumnWidth 2^62 0...10000
        metrics.rowHeaderWidth max 0...10000
        metrics.rowHeaderWidth min 0...10000
        metrics.rowHeaderWidth 2^62 0...10000
        metrics.rowHeight max 0...10000
        metrics.rowHeight 2^62 0...10000
        rowHeights.0.lines max 0...10000
        rowHeights.0.row.rawValue max -1099511627776...1099511627776
        rowHeights.0.row.rawValue 2^62 -1099511627776...1099511627776
        """.split(separator: "\n").map(String.init)

    @Test(arguments: traps)
    func `A18: a saved view with a value that once crashed the program is rejected with the path of the value`(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let value = ["max": Int.max, "min": Int.min, "2^62": 1 << 62][words[1]]!
        let path = Self.path(words[0]) + (words[0].hasSuffix("fixed") ? [.key("_0")] : [])
        let error = try #require(try outcome(Self.replacing(try json(Self.views[0]), path[...], value)))
        let name = words[0].replacing(/\.(\d+)/) { "[\($0.1)]" }
        #expect(context(of: error)?.debugDescription == "\(name): \(value) is out of range \(words[2])")
    }

    /// Parses a path such as `a.0.b`.
    private static func path(_ text: String) -> [Step] {
        text.split(separator: ".").map { Int($0).map(Step.index) ?? .key(String($0)) }
    }

    @Test(
        arguments: [(0, Int.min), (1, Int.max), (0, 1 << 62), (1, -1)] as [(Int, Int)])
    func `A18: a saved view with a row range that once crashed the program is rejected with its path`(_ bound: Int, _ value: Int) throws {
        for (number, key) in [(0, "movedRows"), (2, "rowOrder")] {
            let json = try json(Self.views[number])
            let error = try outcome(Self.replacing(json, [.key(key), .index(1), .index(bound)], value))
            let text = error.flatMap(context(of:))?.debugDescription ?? ""
            #expect(text.hasPrefix("\(key)[1]: ") && text.hasSuffix(" is not a range within 0...1099511627776"), "\(text)")
        }
    }

    @Test func `A18: a rejected view reports the path of the error`() throws {
        let base = try json(Self.views[0])
        let cases: [(String, Any, String)] = [
            ("columns.1.width", ["fixed": ["_0": -1]], "columns[1].width.fixed: -1 is out of range 0...10000"),
            ("columns.1.width", ["fraction": ["_0": 1e300]], "columns[1].width.fraction: 1e+300 is out of range 0.0...1.0"),
            ("columns.1.width", ["wide": [String: Any]()], "columns[1].width.wide: unknown case"),
            ("columns.1.width", [String: Any](), "columns[1].width: expected one case, not 0"),
            ("presentation", ["adaptive": ["below": Int.max]], "presentation.adaptive.below: \(Int.max) is out of range 0...10000"),
            ("metrics.maximumColumnFraction", 1e300, "metrics.maximumColumnFraction: 1e+300 is out of range 0.0...1.0"),
            ("metrics.rowHeight", 1e300, "metrics.rowHeight: expected a number in 0...10000"),
            ("movedRows.0", [0, -1e300], "movedRows[0]: expected a number in 0...1099511627776"),
            ("frozen.leading", -1, "frozen.leading: -1 is out of range 0...2147483648"),
            ("scroll.top", -1, "scroll.top: -1 is out of range 0...1099511627776"),
            ("cursor.item", ["row": ["_0": Int.max]], "cursor.item.row: \(Int.max) is out of range 0...1099511627776"),
            ("movedRows", [Any](repeating: [0, 1], count: 4097), "movedRows: there are more than 4096 elements"),
            ("selection.blocks", [Any](repeating: [String: Any](), count: 65_537), "selection.blocks: there are more than 65536 elements"),
        ]
        for (place, value, message) in cases {
            let path = Self.path(place)
            let error = try #require(try outcome(Self.replacing(base, path[...], value)), "\(place)")
            #expect(context(of: error)?.debugDescription == message)
        }
        for (place, name) in [("theme", "theme"), ("columns.2.title", "columns[2].title"), ("marks.0", "marks[0]")] {
            let path = Self.path(place)
            let error = try #require(try outcome(Self.replacing(base, path[...], [1])), "\(place)")
            #expect(context(of: error)?.debugDescription.hasPrefix(name + ": ") == true, "\(error)")
        }
    }

    @Test(arguments: 1...6) func `A18: random changes of a saved view are rejected with their path or are harmless`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let base = try json(Self.views[Int(seed) % Self.views.count])
        let valuePaths = Self.valuePaths(base).filter { !$0.isEmpty }
        for _ in 0..<120 {
            let paths = (0..<Int.random(in: 1...3, using: &random)).map { _ in valuePaths.randomElement(using: &random)! }
            let values = paths.map { _ in Self.hostile.randomElement(using: &random)! }
            let changed = zip(paths, values).reduce(base) { Self.replacing($0, $1.0[...], $1.1) }
            guard let error = try outcome(changed) else { continue }
            let context = try #require(self.context(of: error))
            let named = context.codingPath.map { key in key.intValue.map { Step.index($0) } ?? .key(key.stringValue) }
            // The error concerns a replaced value, a value that contains it, or a value inside it.
            #expect(
                paths.contains { path in !named.isEmpty && zip(path, named).allSatisfy { $0 == $1 } },
                "\(context.debugDescription): \(paths)")
            if case .key(let key) = named.first { #expect(context.debugDescription.hasPrefix(key), "\(context.debugDescription)") }
        }
    }

    @Test func `A18: deeply nested JSON is rejected or ignored, and other JSON is not a view`() throws {
        for depth in [100, 513, 200_000] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let deep = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                for text in [deep, "{\"columns\":\(deep)}", "{\"unknown\":\(deep)}", "{\"selection\":{\"blocks\":\(deep)}}"] {
                    if let view = try? JSONDecoder().decode(SavedView.self, from: Data(text.utf8)) { Self.exercise(view) }
                    #expect(throws: DecodingError.self) { try JSONDecoder().decode(GridMetrics.self, from: Data("[\(deep)]".utf8)) }
                }
            }
        }
        for text in ["", "[]", "1", "null", "\"x\"", "{\"columns\":1}", "{\"columns\"", "{\"frozen\":{\"leading\":1e400}}"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(SavedView.self, from: Data(text.utf8)) }
        }
    }

    @Test func `A18: saved views can be read again, whatever sizes the application has set`() throws {
        var state = grid("a:6 b:5:i c:7:d2 d:5", rows: 12, frame: (40, 12))
        var metrics = GridMetrics()
        metrics.hasStickySectionHeaders = true
        metrics.maximumColumnWidth = .max
        metrics.maximumRowHeight = .max
        metrics.minimumFittedWidth = -1
        metrics.maximumColumnFraction = .infinity
        state.metrics = metrics
        var column = state.columns.all[2]
        column.format.fractionDigits = 2...1_000
        for action: GridAction in [
            .updateColumn(column), .setWidth(0, .fixed(70_000)), .setWidth(1, .automatic), .setMeasuredWidths([1: 500_000]),
            .setPresentation(.adaptive(below: .max)), .freeze(FrozenPanes(leading: 1, rows: .max)),
        ] { _ = state.apply(action) }
        let view = state.savedView
        #expect(try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(view)) == view)
        #expect(view.metrics?.maximumColumnWidth == 10_000 && view.columns[0].width == .fixed(10_000))
        #expect(view.columns[1].measuredWidth == 10_000 && view.columns[2].format?.fractionDigits == 2...100)
        #expect(view.presentation == .adaptive(below: 10_000))
        for view in Self.views { #expect(try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(view)) == view) }
    }
}
