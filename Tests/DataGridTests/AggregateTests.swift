import DataGrid
import FieldValues
import GridTestSupport
import Testing

/// Totals and section aggregates that an `ObjectSource` maintains while its objects change.
@MainActor
@Suite struct AggregateTests {
    struct Holding: Identifiable {
        let id: Int
        var value: Double?
        /// A number in some objects, including `nan` and `-inf`.
        var code: String?
        var kind = "a"
        var area = 0
    }

    let host = RecordingHost()

    private static let functionCount = AggregateFunction.allCases.count

    /// One column of values per function, then one column of codes per function.
    private func source(_ holdings: [Holding]) -> ObjectSource<Holding, Int> {
        let columns =
            AggregateFunction.allCases.map { ObjectColumn("Value", \Holding.value).totaled(by: $0) }
            + AggregateFunction.allCases.map {
                ObjectColumn("Code", value: { $0.code }, text: { $0 }, number: { Double($0) }).totaled(by: $0)
            }
        return ObjectSource(holdings, columns: columns)
    }

    /// The section aggregates of both columns.
    private let aggregates = [0, functionCount].map { ColumnID($0) }.flatMap { column in
        AggregateFunction.allCases.map { Aggregate($0, of: column) }
    }

    /// A simple reference implementation of the functions.
    /// - Parameter total: the sum of the numbers of all objects.
    private func recomputed(_ function: AggregateFunction, _ values: [(number: Double?, text: String?)], total: Double) -> Double {
        let numbers = values.compactMap(\.number).filter { !$0.isNaN }
        let texts = values.compactMap(\.text)
        if let percentage = function.percentage { return quantile(percentage, numbers.sorted()) }
        return switch function {
        case .count: Double(texts.count)
        case .distinct: Double(Set(texts).count)
        case .sum: numbers.isEmpty ? .nan : numbers.reduce(0, +)
        case .mean: numbers.isEmpty ? .nan : numbers.reduce(0, +) / Double(numbers.count)
        case .min: numbers.min() ?? .nan
        case .max: numbers.max() ?? .nan
        case .standardDeviation: standardDeviation(numbers)
        case .share: numbers.isEmpty ? .nan : (numbers.reduce(0, +) / total).isFinite ? numbers.reduce(0, +) / total : .nan
        default: .nan
        }
    }

    private func quantile(_ percentage: Int, _ sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = Double(sorted.count - 1) * Double(percentage) / 100
        let (low, high) = (sorted[Int(rank)], sorted[Int(rank.rounded(.up))])
        let part = rank - rank.rounded(.down)
        if low == high { return low }
        guard low.isFinite, high.isFinite else { return part < 0.5 ? low : high }
        return low + (high - low) * part
    }

    private func standardDeviation(_ numbers: [Double]) -> Double {
        guard numbers.count > 1 else { return .nan }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count - 1)
        return variance.isFinite ? variance.squareRoot() : .nan
    }

    private func values(_ holdings: [Holding], isCode: Bool) -> [(number: Double?, text: String?)] {
        holdings.map { holding in
            if isCode { return (holding.code.flatMap { Double($0) }, holding.code) }
            let value = holding.value.flatMap { $0.isNaN ? nil : $0 }
            return (value, value.map { String($0) })
        }
    }

    /// The wrong totals and aggregates, for every `step`th function.
    private func errors(_ source: ObjectSource<Holding, Int>, step: Int = 1) -> [String] {
        var errors: [String] = []
        func check(_ name: String, _ value: Double, _ expected: Double) {
            let isNear = expected.isFinite && (value - expected).magnitude <= 1e-9 * max(1, expected.magnitude)
            if !(value == expected || isNear || value.isNaN && expected.isNaN) { errors.append("\(name): \(value), not \(expected)") }
        }
        let objects = source.objects
        func sum(_ isCode: Bool) -> Double { values(objects, isCode: isCode).compactMap(\.number).filter { !$0.isNaN }.reduce(0, +) }
        let sums = (value: sum(false), code: sum(true))
        for (column, aggregate) in aggregates.enumerated() where column % step == 0 {
            let total = source.total(column: ColumnID(column))
            switch aggregate.function {
            case .first, .last:
                let object = aggregate.function == .first ? objects.first : objects.last
                let cell = object.map { source.content(row: source.row(of: $0.id)!, column: ColumnID(column)) }
                if total != cell { errors.append("total \(column): \(total as Any), not \(cell as Any)") }
            default:
                var number = Double.nan
                if case .number(let value)? = total?.item { number = value }
                if case .integer(let value)? = total?.item { number = Double(value) }
                let isCode = column >= Self.functionCount
                let expected = recomputed(
                    aggregate.function, values(objects, isCode: isCode), total: isCode ? sums.code : sums.value)
                check("total \(aggregate.function)", number, expected)
            }
        }
        guard let tree = host.state.outline.tree else { return errors }
        for section in tree.sections.indices where section % step == 0 {
            let rows = tree.rows(of: section).map { host.state.rows[$0] }
            let objects = rows.map { source.object($0)! }
            for subtotal in source.aggregates(ofSection: section) {
                let name = "\(subtotal.aggregate.function) of section \(section) at \(tree.rows(of: section))"
                switch subtotal.aggregate.function {
                case .first: check(name, subtotal.value, Double(rows.first!.rawValue))
                case .last: check(name, subtotal.value, Double(rows.last!.rawValue))
                default:
                    let isCode = subtotal.aggregate.column.rawValue == Self.functionCount
                    let expected = recomputed(
                        subtotal.aggregate.function, values(objects, isCode: isCode), total: isCode ? sums.code : sums.value)
                    check(name, subtotal.value, expected)
                }
            }
        }
        return errors
    }

    /// Quarters add up exactly in any order; special values are frequent.
    private func holding(_ id: Int, _ random: inout SplitMix64) -> Holding {
        func special(_ number: Double) -> Double? {
            [nil, .nan, .infinity, -.infinity, 0, -0.0, number, number][Int.random(in: 0..<8, using: &random)]
        }
        let number = Double(Int.random(in: -400...400, using: &random)) / 4
        let value = Bool.random(using: &random) ? number : special(number)
        return Holding(
            id: id, value: value,
            code: Bool.random(using: &random) ? special(number).map { "\($0)" } : ["", "x", "y"].randomElement(using: &random),
            kind: ["a", "b", "c"].randomElement(using: &random)!, area: Int.random(in: 0..<4, using: &random) / 3)
    }

    @Test(
        arguments: 1...50)
    func `A20: incremental totals and section aggregates equal recomputed ones after every change and regrouping`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        // With few objects, some sections have no siblings. Many objects fill several blocks.
        let maximumCount = [6, 12, 12, 150][seed % 4]
        var next = Int.random(in: 0...maximumCount, using: &random)
        let source = source((0..<next).map { holding($0, &random) })
        source.aggregates = aggregates
        source.attach(to: host)
        let groupings = [
            [], [ObjectGrouping(by: \Holding.kind)], [ObjectGrouping(by: \Holding.kind), ObjectGrouping(by: \.area) { "\($0)" }],
        ]
        for step in 0..<100 {
            let ids = source.objects.map(\.id)
            let some = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in ids.randomElement(using: &random) }
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<8:
                for id in some {
                    let new = holding(id, &random)
                    source.update(id) { $0 = new }
                }
            case 8, 9:
                let new = (0..<Int.random(in: 1...max(1, maximumCount - ids.count), using: &random)).map { holding(next + $0, &random) }
                next += new.count
                // An object with an existing ID replaces the old one.
                let place = Bool.random(using: &random) ? nil : Int.random(in: 0...ids.count, using: &random)
                source.insert(new + some.prefix(1).map { holding($0, &random) }, at: place)
            case 10, 11: source.remove(some)
            case 12: source.groupings = groupings.randomElement(using: &random)!
            case 13:
                source.sort(
                    by: [[], [ColumnSort(0)], [ColumnSort(ColumnID(Self.functionCount), isDescending: true)]].randomElement(using: &random)!
                )
            case 14:
                let count = host.state.rows.count
                guard count > 2 else { continue }
                let first = Int.random(in: 0..<count - 1, using: &random)
                host.perform(.moveRows(first..<first + 1, to: Int.random(in: 0..<count, using: &random)))
            default:
                if step % 5 == 0 {
                    source.replaceAll(some.map { holding($0, &random) } + [holding(next, &random)])
                } else {
                    source.sortAgain()
                }
            }
            // Checks at random times, because values requested late must be equal too.
            guard Bool.random(using: &random) else { continue }
            let errors = errors(source, step: Int.random(in: 1...3, using: &random))
            #expect(errors.isEmpty, "step \(step)")
            if !errors.isEmpty { return }
        }
        #expect(errors(source).isEmpty)
    }

    @Test func `A20: an aggregate first requested after a move of rows also follows later changes`() {
        let source = source([Holding(id: 0), Holding(id: 1, value: 5)])
        source.groupings = [ObjectGrouping(by: \.kind)]
        source.attach(to: host)
        #expect(source.total(column: 1) == CellContent(.number(5)))
        host.perform(.moveRows(0..<1, to: 1))
        #expect(source.total(column: 0) == CellContent(.integer(1)), "the number of values")
        source.update(1) { $0.value = 6 }
        #expect(source.total(column: 0) == CellContent(.integer(1)) && source.total(column: 1) == CellContent(.number(6)))
    }

    @Test func `A20: a huge, infinite or NaN value leaves no trace in a sum after its removal`() {
        let source = source((0..<100).map { Holding(id: $0, value: 0.1 * Double($0), code: "0.\($0)") })
        source.aggregates = aggregates
        source.groupings = [ObjectGrouping(by: \.kind)]
        source.attach(to: host)
        func all() -> [String] {
            (0..<2 * Self.functionCount).map { "\(source.total(column: ColumnID($0)) as Any)" }
                + source.aggregates(ofSection: 0).map { "\($0.value)" }
        }
        let before = all()
        for special in [1e300, -1e300, .infinity, -.infinity, .nan, 1e17] {
            source.update(50) { ($0.value, $0.code) = (special, "\(special)") }
            source.update(7) { ($0.value, $0.code) = (-special, "\(-special)") }
            #expect(all() != before)
            for id in [50, 7] { source.update(id) { ($0.value, $0.code) = (0.1 * Double(id), "0.\(id)") } }
            #expect(all() == before, "\(special)")
        }
        source.remove([99])
        #expect(all() != before)
        source.insert([Holding(id: 99, value: 0.1 * 99, code: "0.99")])
        #expect(all() == before)
    }

    @Test func `A20: after thousands of changes, a sum equals that of a new source bit for bit`() {
        var random = SplitMix64(seed: 3)
        let source = source((0..<200).map { Holding(id: $0, value: 0.1) })
        source.attach(to: host)
        for _ in 0..<3_000 {
            let (id, value) = (Int.random(in: 0..<200, using: &random), Double.random(in: -1e9...1e9, using: &random))
            source.update(id) { $0.value = value }
            if id % 100 == 0 { _ = source.total(column: 1) }
        }
        #expect(source.total(column: 1) == self.source(source.objects).total(column: 1))
    }

    /// Prices that count reads.
    struct Counted: Identifiable {
        final class Reads { var count = 0 }
        let id: Int
        let group: Int
        let reads: Reads
        private var stored = 1.0
        var price: Double {
            get {
                reads.count += 1
                return stored
            }
            set { stored = newValue }
        }

        init(id: Int, group: Int, reads: Reads) { (self.id, self.group, self.reads) = (id, group, reads) }
    }

    @Test(
        arguments: [100, 3_000])
    func `A20: a change reads one value per aggregate, and a request for aggregates reads none`(rows: Int) {
        let reads = Counted.Reads()
        let functions: [AggregateFunction] = [.sum, .mean, .min, .max, .count, .distinct]
        let source = ObjectSource(
            (0..<rows).map { Counted(id: $0, group: $0 * 20 / rows, reads: reads) },
            // Without a format, counting the digits would take another read.
            columns: functions.map { ObjectColumn("Price", \Counted.price, format: .number(fractionDigits: 2)).totaled(by: $0) })
        source.aggregates = functions.indices.map { Aggregate(functions[$0], of: ColumnID($0)) }
        source.attach(to: host)
        func count(_ body: () -> Void) -> Int {
            let before = reads.count
            body()
            return reads.count - before
        }
        func requestAll() {
            for column in functions.indices { _ = source.total(column: ColumnID(column)) }
            for section in 0..<source.numberOfSections { _ = source.aggregates(ofSection: section) }
        }
        for groupings in [[], [ObjectGrouping(by: \Counted.group) { "\($0)" }]] {
            source.groupings = groupings
            #expect(count(requestAll) == (groupings.isEmpty ? functions.count * rows : 0), "the first request reads every value")
            #expect(count(requestAll) == 0)
            // Reporting the change of each column takes four reads.
            #expect(count { source.update(7) { $0.price = Double(groupings.count) + 2 } } == functions.count * 5)
            #expect(count { source.didChange(8) } == functions.count)
            #expect(count { source.insert([Counted(id: -1, group: 0, reads: reads)]) } == functions.count)
            #expect(source.total(column: 4) == CellContent(.integer(Int64(rows + 1 - groupings.count))))
            #expect(count { source.remove([rows - 1 - groupings.count, -1]) } == 0)
            #expect(count(requestAll) == 0, "inserting, removing and grouping rows reuses values")
        }
        #expect(source.total(column: 4) == CellContent(.integer(Int64(rows - 2))))
    }

    @Test func `A20: aggregates of class instances follow reported changes, and a new sort updates all of them`() {
        final class Account {
            let id: Int
            var balance: Int
            init(_ id: Int, _ balance: Int) { (self.id, self.balance) = (id, balance) }
        }
        let accounts = (0..<5).map { Account($0, 10) }
        let source = ObjectSource(
            accounts, id: \.id,
            columns: [
                ObjectColumn("Balance", \Account.balance).totaled(by: .sum).editable { account, text in
                    account.balance = Int(text) ?? 0
                    return nil
                }, ObjectColumn("Most", \Account.balance).totaled(by: .max),
            ])
        source.attach(to: host)
        func totals() -> [CellContent?] { [source.total(column: 0), source.total(column: 1)] }
        func numbers(_ numbers: Double...) -> [CellContent?] { numbers.map { CellContent(.number($0)) } }
        #expect(totals() == numbers(50, 10))
        accounts[2].balance = 30
        source.didChange(2, column: 0)
        #expect(totals() == numbers(70, 30))
        source.update(2) { $0.balance = 5 }
        #expect(totals() == numbers(45, 10))
        #expect(source.setContent("6", row: 0, column: 0) == .accepted && totals() == numbers(41, 10))
        for account in accounts { account.balance = 1 }
        source.sortAgain()
        #expect(totals() == numbers(5, 1))
    }
}
