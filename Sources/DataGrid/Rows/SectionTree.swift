/// What a section header tells about the rows below it.
public enum AggregateFunction: String, Hashable, Sendable, Codable, CaseIterable {
    case count, sum, mean, min, max, distinct
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

/// An aggregate with what it comes to.
public struct SectionAggregate: Hashable, Sendable {
    /// What was worked out.
    public var aggregate: Aggregate
    /// What it comes to; NaN where there is no value.
    public var value: Double

    /// `aggregate` comes to `value`.
    public init(_ aggregate: Aggregate, _ value: Double) {
        self.aggregate = aggregate
        self.value = value
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

/// All sections of a grid, in the order their headers are read (pre-order). Immutable; equal only to itself.
///
/// Invariants: the rows of the sections of one parent follow each other without gaps and fill it; level 0 fills the grid.
public final class SectionTree: Sendable, Equatable {
    /// Every section before those nested in it; a section's index here is how all else names it.
    public let sections: [Section]
    /// Behind the last section nested in each section: `i + 1 ..< ends[i]` are the descendants of section i.
    public let ends: [Int]
    /// The sections without nested ones, ascending: every row is in exactly one of them.
    public let leaves: [Int]
    /// The number of levels.
    public let depth: Int
    /// The section that each section is nested in; −1 at level 0.
    private let parents: [Int32]
    /// By which columns was grouped, a level each; empty when the sections are the source's own.
    public let columns: [ColumnID]
    /// What is aggregated.
    public let aggregates: [Aggregate]
    /// The aggregates of all sections, section-major: `aggregates.count` numbers each; NaN where there is no value.
    public let aggregateValues: [Double]

    /// Links sections given in pre-order. O(sections).
    public init(_ sections: [Section], columns: [ColumnID] = [], aggregates: [Aggregate] = [], aggregateValues: [Double] = []) {
        precondition(aggregateValues.count == aggregates.count * sections.count, "one value for each aggregate of each section")
        self.sections = sections
        self.columns = columns
        self.aggregates = aggregates
        self.aggregateValues = aggregateValues
        var ends = [Int](repeating: sections.count, count: sections.count)
        var leaves: [Int] = []
        var parents = [Int32](repeating: -1, count: sections.count)
        var open: [Int] = []
        for (index, section) in sections.enumerated() {
            while let last = open.last, sections[last].level >= section.level {
                ends[last] = index
                open.removeLast()
            }
            if let last = open.last { parents[index] = Int32(last) }
            open.append(index)
            if index + 1 == sections.count || sections[index + 1].level <= section.level { leaves.append(index) }
        }
        self.ends = ends
        self.leaves = leaves
        self.parents = parents
        depth = (sections.map(\.level).max() ?? -1) + 1
    }

    /// Whether it is the same object, O(1).
    public static func == (a: SectionTree, b: SectionTree) -> Bool { a === b }

    /// The innermost section that holds the row at `position`. O(log sections).
    public func leaf(containing position: Int) -> Int? {
        var low = 0
        var high = leaves.count
        while low < high {
            let middle = (low + high) / 2
            if sections[leaves[middle]].rows.upperBound <= position { low = middle + 1 } else { high = middle }
        }
        return low < leaves.count && sections[leaves[low]].rows.contains(position) ? leaves[low] : nil
    }

    /// The section of `level` that holds section `index`, or itself. O(levels).
    public func ancestor(of index: Int, level: Int) -> Int {
        var index = index
        while sections[index].level > level { index = parent(of: index) ?? index }
        return index
    }

    /// The section in which section `index` is nested. O(1).
    public func parent(of index: Int) -> Int? { parents[index] >= 0 ? Int(parents[index]) : nil }

    /// The titles of a section and of those around it, the outermost first. O(levels).
    public func path(of index: Int) -> [String] {
        var path = [sections[index].title]
        var at = index
        while let parent = parent(of: at) {
            path.append(sections[parent].title)
            at = parent
        }
        return path.reversed()
    }

    /// The aggregate values of a section, in the order of ``aggregates``.
    public func values(of section: Int) -> ArraySlice<Double> {
        aggregateValues[section * aggregates.count..<(section + 1) * aggregates.count]
    }
}
