public import FieldValues

/// What a section header tells about the rows below it.
public enum AggregateFunction: String, Hashable, Sendable, Codable, CaseIterable {
    /// How many values are not empty.
    case count
    /// Their sum, of what is a number.
    case sum
    /// Their mean, likewise.
    case mean
    /// The least of them.
    case min
    /// The greatest of them.
    case max
    /// How many different values there are, empty ones aside.
    case distinct
    /// What the section's first row says.
    case first
    /// What its last row says.
    case last

    /// Whether its value is a cell of a row, and no number.
    public var isCell: Bool { self == .first || self == .last }
}

/// One aggregate asked for: a function over a column.
public struct Aggregate: Hashable, Sendable, Codable {
    /// What is worked out.
    public var function: AggregateFunction
    /// Of whose values.
    public var column: ColumnID

    /// Asks for `function` over the values of `column`.
    public init(_ function: AggregateFunction, of column: ColumnID) {
        self.function = function
        self.column = column
    }
}

/// By what the sections of a level are put in order, among those nested in the same section.
public struct SectionOrder: Hashable, Sendable, Codable {
    /// What makes one section greater than another.
    public enum Criterion: Hashable, Sendable, Codable {
        /// What their rows have in common.
        case title
        /// How many rows they have.
        case rowCount
        /// An aggregate of their rows.
        case aggregate(Aggregate)
    }

    /// What decides; those that are equal in it are in the order of their titles.
    public var criterion: Criterion
    /// Whether the greatest comes first.
    public var isDescending: Bool

    /// An order by `criterion`.
    public init(_ criterion: Criterion, isDescending: Bool = false) {
        self.criterion = criterion
        self.isDescending = isDescending
    }
}

/// An aggregate with what it comes to.
public struct SectionAggregate: Hashable, Sendable {
    /// What was worked out.
    public var aggregate: Aggregate
    /// What it comes to; NaN where there is no value.
    public var value: Double
    /// The value where a `Double` does not have all its digits.
    public var exact: ExactDecimal?

    /// `aggregate` comes to `value`, or precisely to `exact`.
    public init(_ aggregate: Aggregate, _ value: Double, exact: ExactDecimal? = nil) {
        self.aggregate = aggregate
        self.value = value
        self.exact = exact
    }
}

/// Exact numbers at some places of a list of doubles.
public struct ExactValues: Sendable, Hashable {
    private var places: [Int] = []
    private var numbers: [ExactDecimal] = []

    /// No exact number yet.
    public init() {}

    /// The numbers of some places.
    public init(_ numbers: [Int: ExactDecimal]) {
        for (place, number) in numbers.sorted(by: { $0.key < $1.key }) { append(number, at: place) }
    }

    /// Whether there is none.
    public var isEmpty: Bool { places.isEmpty }

    /// Adds a number at a place behind all others.
    public mutating func append(_ number: ExactDecimal, at place: Int) {
        precondition(places.last.map { $0 < place } ?? true, "places ascend")
        places.append(place)
        numbers.append(number)
    }

    /// The number at a place, if it has one. O(log numbers).
    public subscript(place: Int) -> ExactDecimal? {
        let index = places.indices.partitioningIndex { places[$0] >= place }
        return index < places.count && places[index] == place ? numbers[index] : nil
    }
}

/// A run of rows with a header. Sections nest: a section of level 0 holds those of level 1 that follow it.
public struct Section: Hashable, Sendable {
    /// 0 for the outermost.
    public var level: Int
    /// What the header says.
    public var title: String
    /// The positions of its rows, those of nested sections included.
    public var rows: Range<Int>

    /// A section at `level` with the rows at these positions.
    public init(level: Int = 0, title: String, rows: Range<Int>) {
        self.level = level
        self.title = title
        self.rows = rows
    }
}

/// Where the titles of many sections come from, so that they need not all be made.
public protocol SectionTitles: Sendable {
    /// The title of a section, by its index. Asked for what is seen, by any thread.
    func title(ofSection index: Int) -> String
}

/// All sections of a grid, in the order their headers are read (pre-order). Immutable; equal only to itself.
///
/// Invariants: the rows of the sections of one parent follow each other without gaps and fill it, but for rows of the parent's own before
/// them, if it has any; level 0 fills the grid.
///
/// Kept in 4 bytes a section where there is one level, else 21, and what titles and aggregates take.
public final class SectionTree: Sendable, Equatable {
    /// The first row of each section, and behind them the number of rows.
    private let starts: RowNumbers
    /// The level of each section; empty where all are of level 0.
    private let levels: [UInt8]
    /// Behind the last section nested in each section; empty where all are of level 0.
    private let ends: [UInt32]
    /// The section that each section is nested in; ``noParent`` at level 0. Empty where all are.
    private let parents: [UInt32]
    private static let noParent = UInt32.max
    /// The sections of each level, ascending. Empty where all are of level 0.
    private let sectionsOfLevels: [[UInt32]]
    private let titles: any SectionTitles
    /// The number of sections.
    public let count: Int
    /// The number of levels.
    public let depth: Int
    /// By which columns was grouped, a level each; empty when the sections are the source's own.
    public let columns: [ColumnID]
    /// What is aggregated.
    public let aggregates: [Aggregate]
    /// The aggregates of all sections, section-major: `aggregates.count` numbers each; NaN where there is no value. For one whose value is a
    /// cell (``AggregateFunction/isCell``), the ``RowID/rawValue`` of the cell's row.
    public let aggregateValues: [Double]
    /// Those of them of which a `Double` does not have all digits, by their places in ``aggregateValues``.
    public let exactValues: ExactValues

    /// Links sections given in pre-order. O(sections).
    public convenience init(
        _ sections: [Section], columns: [ColumnID] = [], aggregates: [Aggregate] = [], aggregateValues: [Double] = [],
        exactValues: ExactValues = ExactValues()
    ) {
        let end = sections.last?.rows.upperBound ?? 0
        self.init(
            starts: RowNumbers(sections.map(\.rows.lowerBound) + [end], ofRows: end),
            levels: sections.contains { $0.level > 0 } ? sections.map { UInt8($0.level) } : [],
            titles: TitleList(titles: sections.map(\.title)),
            columns: columns, aggregates: aggregates, aggregateValues: aggregateValues, exactValues: exactValues)
    }

    /// Links sections given in pre-order, which may be millions. O(sections).
    /// - Parameters:
    ///   - starts: the position of each section's first row, and behind them the number of rows.
    ///   - levels: the level of each section; may be empty when all are of level 0.
    ///   - titles: asked for a title when it is seen.
    ///   - columns: the column of each level, as far as there are any.
    ///   - aggregates: what is told of each section.
    ///   - aggregateValues: for each section the value of each of `aggregates`.
    ///   - exactValues: the values of which a `Double` does not have all digits, by their places in `aggregateValues`.
    public init(
        starts: RowNumbers, levels: [UInt8], titles: any SectionTitles, columns: [ColumnID] = [], aggregates: [Aggregate] = [],
        aggregateValues: [Double] = [], exactValues: ExactValues = ExactValues()
    ) {
        let count = starts.count - 1
        precondition(levels.isEmpty || levels.count == count, "one level for each section")
        precondition(aggregateValues.count == aggregates.count * count, "one value for each aggregate of each section")
        (self.starts, self.levels, self.titles, self.count) = (starts, levels, titles, count)
        (self.columns, self.aggregates) = (columns, aggregates)
        (self.aggregateValues, self.exactValues) = (aggregateValues, exactValues)
        depth = levels.isEmpty ? (count > 0 ? 1 : 0) : Int(levels.max() ?? 0) + 1
        guard !levels.isEmpty else {
            (ends, parents, sectionsOfLevels) = ([], [], [])
            return
        }
        var sectionsOfLevels = [[UInt32]](repeating: [], count: depth)
        var ends = [UInt32](repeating: UInt32(count), count: count)
        var parents = [UInt32](repeating: Self.noParent, count: count)
        var open: [Int] = []
        for index in 0..<count {
            while let last = open.last, levels[last] >= levels[index] {
                ends[last] = UInt32(index)
                open.removeLast()
            }
            if let last = open.last { parents[index] = UInt32(last) }
            open.append(index)
            sectionsOfLevels[Int(levels[index])].append(UInt32(index))
        }
        (self.ends, self.parents, self.sectionsOfLevels) = (ends, parents, sectionsOfLevels)
    }

    /// Whether it is the same object, O(1).
    public static func == (a: SectionTree, b: SectionTree) -> Bool { a === b }

    // MARK: A section

    /// Every section before those nested in it; a section's index here is how all else names it.
    public var sections: SectionList { SectionList(tree: self) }

    /// How deep a section is nested, from 0. O(1).
    public func level(of index: Int) -> Int { levels.isEmpty ? 0 : Int(levels[index]) }

    /// The positions of a section's rows, those of nested sections included. O(1).
    public func rows(of index: Int) -> Range<Int> { starts[index]..<starts[end(of: index)] }

    /// The positions of the rows of a section's own, which stand before those of the sections nested in it. O(1).
    func ownRows(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    /// The position of a section's first row; behind the last section the number of rows. O(1).
    func firstRow(of index: Int) -> Int { starts[index] }

    /// What a section's header says.
    public func title(of index: Int) -> String { titles.title(ofSection: index) }

    /// Behind the last section nested in section `index`: `index + 1 ..< end(of: index)` are its descendants. O(1).
    public func end(of index: Int) -> Int { levels.isEmpty ? index + 1 : Int(ends[index]) }

    /// The section in which section `index` is nested. O(1).
    public func parent(of index: Int) -> Int? { parents.isEmpty || parents[index] == Self.noParent ? nil : Int(parents[index]) }

    /// The sections of a section's level in order: the one at `place`. O(1).
    func section(at place: Int, ofLevel level: Int) -> Int { levels.isEmpty ? place : Int(sectionsOfLevels[level][place]) }

    /// How many sections of the level of section `index` come before it. O(log sections).
    func place(of index: Int) -> Int {
        guard !levels.isEmpty else { return index }
        let sections = sectionsOfLevels[Int(levels[index])]
        return sections.indices.partitioningIndex { sections[$0] >= index }
    }

    // MARK: Looking up

    /// The innermost section that holds the row at `position`. O(log sections).
    public func leaf(containing position: Int) -> Int? {
        guard count > 0, (firstRow(of: 0)..<firstRow(of: count)).contains(position) else { return nil }
        // The last that begins there or before: those of the same beginning that come before it hold it, or nothing.
        return (0..<count).partitioningIndex { firstRow(of: $0) > position } - 1
    }

    /// The section of `level` that holds section `index`, or itself. O(levels).
    public func ancestor(of index: Int, level: Int) -> Int {
        var index = index
        while self.level(of: index) > level { index = parent(of: index) ?? index }
        return index
    }

    /// The titles of a section and of those around it, the outermost first. O(levels).
    public func path(of index: Int) -> [String] { sequence(first: index, next: parent(of:)).map(title(of:)).reversed() }

    /// What the aggregates of a section come to, in the order of ``aggregates``. O(aggregates).
    public func aggregates(of section: Int) -> [SectionAggregate] {
        aggregates.indices.map { index in
            let place = section * aggregates.count + index
            return SectionAggregate(aggregates[index], aggregateValues[place], exact: exactValues[place])
        }
    }

    /// The aggregate values of a section, in the order of ``aggregates``.
    public func values(of section: Int) -> ArraySlice<Double> {
        aggregateValues[section * aggregates.count..<(section + 1) * aggregates.count]
    }
}

/// The sections of a tree, each made when it is asked for.
public struct SectionList: RandomAccessCollection, Sendable {
    let tree: SectionTree

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { tree.count }

    /// A section, by its index. O(its title).
    public subscript(index: Int) -> Section {
        Section(level: tree.level(of: index), title: tree.title(of: index), rows: tree.rows(of: index))
    }
}

private struct TitleList: SectionTitles {
    let titles: [String]

    func title(ofSection index: Int) -> String { titles[index] }
}
