public import FieldValues

/// An aggregate to compute for each section: a function and a column.
public struct Aggregate: Hashable, Sendable, Codable {
    /// The function to compute.
    public var function: AggregateFunction
    /// The column whose values are aggregated.
    public var column: ColumnID

    /// Creates an aggregate of `function` over the values of `column`.
    public init(_ function: AggregateFunction, of column: ColumnID) {
        self.function = function
        self.column = column
    }
}

/// The order in which the sections of a level are shown within their parent.
public struct SectionOrder: Hashable, Sendable, Codable {
    /// The property by which sections are compared.
    public enum Criterion: Hashable, Sendable, Codable {
        /// The value that the rows of a section have in common.
        case title
        /// The number of rows in a section.
        case rowCount
        /// An aggregate of the rows in a section, such as a sum.
        case aggregate(Aggregate)
    }

    /// The property by which sections are compared. Sections with equal values are ordered by title.
    public var criterion: Criterion
    /// True if the section with the greatest value is shown first.
    public var isDescending: Bool

    /// Creates an order by `criterion`, ascending by default.
    public init(_ criterion: Criterion, isDescending: Bool = false) {
        self.criterion = criterion
        self.isDescending = isDescending
    }
}

/// An aggregate and its value.
public struct SectionAggregate: Hashable, Sendable {
    /// The computed aggregate.
    public var aggregate: Aggregate
    /// The value of the aggregate; NaN if it is undefined, such as the mean of no numbers.
    public var value: Double
    /// The exact value, if a `Double` cannot represent all its digits; otherwise `nil`.
    public var exact: ExactDecimal?

    /// Creates an aggregate with its value. `exact` is the exact value, if a `Double` cannot represent it.
    public init(_ aggregate: Aggregate, _ value: Double, exact: ExactDecimal? = nil) {
        self.aggregate = aggregate
        self.value = value
        self.exact = exact
    }

    /// The value as a whole number, such as microseconds of a time; `nil` if it exceeds 64 bits or is undefined.
    public var roundedInteger: Int64? { exact.map(\.roundedInteger) ?? Int64(exactly: value.rounded()) }
}

/// The exact numbers that belong to a list of doubles. Only elements that a `Double` cannot represent exactly have an exact number.
public struct ExactValues: Sendable, Hashable {
    /// The ascending indices of the elements that have an exact number.
    private var indices: [Int] = []
    /// The exact numbers, in the order of ``indices``.
    private var numbers: [ExactDecimal] = []

    /// Creates a list without exact numbers.
    public init() {}

    /// Creates a list of exact numbers. The keys are indices in the list of doubles.
    public init(_ numbers: [Int: ExactDecimal]) {
        for (index, number) in numbers.sorted(by: { $0.key < $1.key }) { append(number, at: index) }
    }

    /// True if no element has an exact number.
    public var isEmpty: Bool { indices.isEmpty }

    /// Appends an exact number. Its index must be greater than the indices of all previous numbers.
    public mutating func append(_ number: ExactDecimal, at index: Int) {
        precondition(indices.last.map { $0 < index } ?? true, "indices must be ascending")
        indices.append(index)
        numbers.append(number)
    }

    /// The exact number of the element at an index; `nil` if the double is exact. O(log numbers).
    public subscript(index: Int) -> ExactDecimal? {
        let found = indices.indices.partitioningIndex { indices[$0] >= index }
        return found < indices.count && indices[found] == index ? numbers[found] : nil
    }
}

/// Consecutive rows with a header. A section of level 0 contains the sections of level 1 that follow it, and so on.
public struct Section: Hashable, Sendable {
    /// The nesting level; 0 for an outermost section.
    public var level: Int
    /// The title in the header.
    public var title: String
    /// The positions of the rows in the section, including rows of nested sections.
    public var rows: Range<Int>

    /// Creates a section at `level` with the rows at these positions.
    public init(level: Int = 0, title: String, rows: Range<Int>) {
        self.level = level
        self.title = title
        self.rows = rows
    }
}

/// The object that provides section titles. Each title is created only when it is requested.
public protocol SectionTitles: Sendable {
    /// The title of the section at an index. The method is called for visible sections, from any thread.
    func title(ofSection index: Int) -> String
    /// The value that the rows of a section have in common, in a form for programs: `2024-03-01` for “March 2024”. By default, it is the
    /// title.
    func key(ofSection index: Int) -> String
}

extension SectionTitles {
    /// Returns the title of the section.
    public func key(ofSection index: Int) -> String { title(ofSection: index) }
}

/// A tree of all sections of a grid, in display order (pre-order). The tree is immutable and compared by identity.
///
/// Invariants: the rows of a parent are its own rows, if any, followed by the rows of its nested sections without gaps. The sections of
/// level 0 together contain all rows of the grid.
///
/// Uses 4 bytes for each section if the tree has one level, otherwise 21, plus titles and aggregates.
public final class SectionTree: Sendable, Equatable {
    /// The position of the first row of each section. The last element is the number of rows.
    private let starts: RowNumbers
    /// The nesting level of each section; empty if the tree has only level 0.
    private let levels: [UInt8]
    /// For each section, the index after its last nested section; empty if the tree has only level 0.
    private let ends: [UInt32]
    /// For each section, the index of its parent, or ``noParent`` at level 0; empty if the tree has only level 0.
    private let parents: [UInt32]
    private static let noParent = UInt32.max
    /// For each level, the ascending indices of its sections; empty if the tree has only level 0.
    private let sectionsOfLevels: [[UInt32]]
    private let titles: any SectionTitles
    /// The number of sections.
    public let count: Int
    /// The number of nesting levels.
    public let depth: Int
    /// The column by which each level is grouped; empty if the data source defines the sections itself.
    public let columns: [ColumnID]
    /// The aggregates that were computed for each section.
    public let aggregates: [Aggregate]
    /// The columns of ``aggregates``, in the order of their first aggregates. Each column occurs once.
    public let aggregateColumns: [ColumnID]
    /// For each column, the indices of its aggregates in ``aggregates``.
    private let aggregateIndices: [ColumnID: [Int]]
    /// The aggregate values: `aggregates.count` consecutive numbers for each section; NaN means no value.
    ///
    /// If the value is a cell (`AggregateFunction.returnsCell`), the number is the ``RowID/rawValue`` of the cell's row.
    public let aggregateValues: [Double]
    /// The exact values that a `Double` cannot represent, by their indices in ``aggregateValues``.
    public let exactValues: ExactValues
    /// A sentence for users about sections that are not in the tree; `nil` if the tree has all sections.
    public let omission: String?
    /// A phrase for users about values that the aggregates leave out; `nil` if no value is left out.
    public let leftOutValues: String?

    /// Creates a tree of sections, in which each section is followed by its nested sections (pre-order). O(sections).
    public convenience init(
        _ sections: [Section], columns: [ColumnID] = [], aggregates: [Aggregate] = [], aggregateValues: [Double] = [],
        exactValues: ExactValues = ExactValues(), omission: String? = nil, leftOutValues: String? = nil
    ) {
        let end = sections.last?.rows.upperBound ?? 0
        self.init(
            starts: RowNumbers(sections.map(\.rows.lowerBound) + [end], ofRows: end),
            levels: sections.contains { $0.level > 0 } ? sections.map { UInt8(clamping: $0.level) } : [],
            titles: TitleList(titles: sections.map(\.title)),
            columns: columns, aggregates: aggregates, aggregateValues: aggregateValues, exactValues: exactValues, omission: omission,
            leftOutValues: leftOutValues)
    }

    /// Creates a tree of up to millions of sections, in which each section is followed by its nested sections (pre-order). O(sections).
    /// - Parameters:
    ///   - starts: the position of each section's first row, followed by the number of rows.
    ///   - levels: the level of each section; may be empty if all are at level 0.
    ///   - titles: the object that provides the titles of visible sections.
    ///   - columns: the column by which each level is grouped; empty if the data source defines the sections itself.
    ///   - aggregates: the aggregates of each section.
    ///   - aggregateValues: the values of the first section for each of `aggregates`, then the values of the second section, and so on.
    ///   - exactValues: the exact values that a `Double` cannot represent, by their indices in `aggregateValues`.
    ///   - omission: a sentence for users about sections that are not in the tree; `nil` if `starts` has all sections.
    ///   - leftOutValues: a phrase for users about values that the aggregates leave out; `nil` if no value is left out.
    public init(
        starts: RowNumbers, levels: [UInt8], titles: any SectionTitles, columns: [ColumnID] = [], aggregates: [Aggregate] = [],
        aggregateValues: [Double] = [], exactValues: ExactValues = ExactValues(), omission: String? = nil, leftOutValues: String? = nil
    ) {
        let count = starts.count - 1
        precondition(levels.isEmpty || levels.count == count, "each section must have one level")
        precondition(aggregateValues.count == aggregates.count * count, "each section must have one value for each aggregate")
        (self.starts, self.levels, self.titles, self.count) = (starts, levels, titles, count)
        (self.columns, self.aggregates) = (columns, aggregates)
        aggregateColumns = Self.columns(of: aggregates)
        aggregateIndices = Dictionary(grouping: aggregates.indices) { aggregates[$0].column }
        (self.aggregateValues, self.exactValues) = (aggregateValues, exactValues)
        (self.omission, self.leftOutValues) = (omission, leftOutValues)
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

    /// Compares by identity. O(1).
    public static func == (a: SectionTree, b: SectionTree) -> Bool { a === b }

    // MARK: A section

    /// All sections, each followed by its nested sections (pre-order). The index in this list identifies a section.
    public var sections: SectionList { SectionList(tree: self) }

    /// The nesting level of a section, from 0. O(1).
    public func level(of index: Int) -> Int { levels.isEmpty ? 0 : Int(levels[index]) }

    /// The positions of a section's rows, including the rows of nested sections. O(1).
    public func rows(of index: Int) -> Range<Int> { starts[index]..<starts[end(of: index)] }

    /// The positions of the rows that are in the section, but not in a nested section. These rows come first. O(1).
    func ownRows(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    /// The position of the first row of a section. For the index after the last section, it is the number of rows. O(1).
    func firstRow(of index: Int) -> Int { starts[index] }

    /// The title in a section's header.
    public func title(of index: Int) -> String { titles.title(ofSection: index) }

    /// The value that the rows of a section have in common, in a form for programs, such as `2024-03-01` for “March 2024”.
    public func key(of index: Int) -> String { titles.key(ofSection: index) }

    /// The index after the last section nested in section `index`, whose nested sections are `index + 1 ..< end(of: index)`. O(1).
    public func end(of index: Int) -> Int { levels.isEmpty ? index + 1 : Int(ends[index]) }

    /// The parent of a section; `nil` at level 0. O(1).
    public func parent(of index: Int) -> Int? { parents.isEmpty || parents[index] == Self.noParent ? nil : Int(parents[index]) }

    /// The index of a section, given its index among the sections of a level. O(1).
    func section(at index: Int, ofLevel level: Int) -> Int { levels.isEmpty ? index : Int(sectionsOfLevels[level][index]) }

    /// The index of a section among the sections of its level. O(log sections).
    func indexInLevel(of index: Int) -> Int {
        guard !levels.isEmpty else { return index }
        let sections = sectionsOfLevels[Int(levels[index])]
        return sections.indices.partitioningIndex { sections[$0] >= index }
    }

    // MARK: Lookup

    /// The innermost section that contains the row at `position`; `nil` if the row is in no section. O(log sections).
    public func innermostSection(containing position: Int) -> Int? {
        guard count > 0, (firstRow(of: 0)..<firstRow(of: count)).contains(position) else { return nil }
        // Return the last section that begins at or before the row. Earlier sections with the same start are empty or contain this
        // section.
        return (0..<count).partitioningIndex { firstRow(of: $0) > position } - 1
    }

    /// The ancestor of a section at nesting level `level`. If `level` is the level of the section, the result is the section itself.
    /// O(levels).
    public func ancestor(of index: Int, level: Int) -> Int {
        var index = index
        while self.level(of: index) > level { index = parent(of: index) ?? index }
        return index
    }

    /// The titles on the path to a section: those of its ancestors, outermost first, then its own title. O(levels).
    public func path(of index: Int) -> [String] { sequence(first: index, next: parent(of:)).map(title(of:)).reversed() }

    /// The keys on the path to a section: those of its ancestors, outermost first, then its own key. O(levels).
    public func keyPath(of index: Int) -> [String] { sequence(first: index, next: parent(of:)).map(key(of:)).reversed() }

    /// The columns of a list of aggregates, in the order of their first aggregates. Each column occurs once.
    package static func columns(of aggregates: [Aggregate]) -> [ColumnID] {
        var known: Set<ColumnID> = []
        return aggregates.map(\.column).filter { known.insert($0).inserted }
    }

    /// The aggregates of a section with their values, in the order of ``aggregates``. O(aggregates).
    public func aggregates(of section: Int) -> [SectionAggregate] { aggregates.indices.map { aggregate($0, of: section) } }

    /// The aggregates of a section and a column with their values, in the order of ``aggregates``. O(aggregates of the column).
    public func aggregates(of section: Int, column: ColumnID) -> [SectionAggregate] {
        (aggregateIndices[column] ?? []).map { aggregate($0, of: section) }
    }

    private func aggregate(_ index: Int, of section: Int) -> SectionAggregate {
        let valueIndex = section * aggregates.count + index
        return SectionAggregate(aggregates[index], aggregateValues[valueIndex], exact: exactValues[valueIndex])
    }
}

/// The sections of a tree. Each element is created when it is accessed.
public struct SectionList: RandomAccessCollection, Sendable {
    let tree: SectionTree

    /// The first index, which is 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { tree.count }

    /// The section at an index. O(length of the section's title).
    public subscript(index: Int) -> Section {
        Section(level: tree.level(of: index), title: tree.title(of: index), rows: tree.rows(of: index))
    }
}

private struct TitleList: SectionTitles {
    let titles: [String]

    func title(ofSection index: Int) -> String { titles[index] }
}
