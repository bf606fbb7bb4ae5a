import FieldValues
import SQLTables

/// The innermost sections of an order, sorted by position, or one segment with all rows. Never empty.
struct OrderSegments: Sendable {
    /// Rows of one section, or all rows.
    struct Segment: Hashable, Sendable {
        var section: [GroupValue]
        var start: Int
    }

    /// The rows of a range that are in one segment.
    struct Part: Hashable, Sendable {
        var segment: Segment
        var rows: Range<Int>
        /// The end of the segment, if that is known.
        var end: Int?

        /// The number of rows of the segment, if that is known.
        var segmentCount: Int? { end.map { $0 - segment.start } }

        /// True for all rows of the segment.
        var isWhole: Bool { rows.lowerBound == segment.start && rows.upperBound == end }

        /// True if the rows end at the known end of a section. Then a row after them means that the section has more rows than counted.
        var isAtSectionEnd: Bool { !segment.section.isEmpty && rows.upperBound == end }
    }

    private let segments: [Segment]

    /// - Parameter segments: the sections; empty for all rows.
    init(_ segments: [Segment]) { self.segments = segments.isEmpty ? [Segment(section: [], start: 0)] : segments }

    var count: Int { segments.count }
    var first: Segment { segments[0] }

    /// True if the rows are in sections.
    var isGrouped: Bool { !first.section.isEmpty }

    /// The position of the first row of each section, keyed by the values of the section. Without groups, all rows are one section without
    /// values. O(sections).
    var starts: [[GroupValue]: Int] { Dictionary(segments.map { ($0.section, $0.start) }) { first, _ in first } }

    /// The number of rows of each section, keyed by the values of the section. O(sections).
    /// - Parameter rowCount: the number of all rows.
    func counts(rowCount: Int) -> [[GroupValue]: Int] {
        let ends = segments.dropFirst().map(\.start) + [rowCount]
        return Dictionary(zip(segments, ends).map { ($0.section, $1 - $0.start) }, uniquingKeysWith: +)
    }

    /// The index of the first segment that starts after a position. O(log sections).
    private func index(after position: Int) -> Int { segments.indices.partitioningIndex { segments[$0].start > position } }

    /// True if no section starts inside the range. O(log sections).
    func areInOneSection(_ rows: Range<Int>) -> Bool {
        let next = index(after: rows.lowerBound)
        return next == count || segments[next].start >= rows.upperBound
    }

    /// Divides a range of rows at the ends of its segments. Each part has the end of its segment, if that is known.
    /// - Parameter rowCount: the number of all rows; `nil` if it is not known.
    func parts(_ range: Range<Int>, rowCount: Int?) -> [Part] {
        var parts: [Part] = []
        var place = index(after: range.lowerBound) - 1
        while place >= 0, place < count, segments[place].start < range.upperBound {
            let end = place + 1 < count ? segments[place + 1].start : rowCount
            let rows = range.clamped(to: segments[place].start..<(end ?? .max))
            if !rows.isEmpty { parts.append(Part(segment: segments[place], rows: rows, end: end)) }
            place += 1
        }
        return parts
    }
}
