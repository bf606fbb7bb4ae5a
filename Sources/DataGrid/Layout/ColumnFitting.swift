import FieldValues

/// Computes the widths of standard columns (``WidthRule/standard``) or of flexible columns. These columns fill the room that other columns
/// leave free.
///
/// Standard columns that all fit are widened equally. If room is short, the widest columns are narrowed to a common width, but none below
/// its minimum. If even the minimum widths do not fit, columns have the width of their content, and scroll. Flexible columns have equal
/// widths within their limits.
struct ColumnFitting {
    /// The widths that suit a column, in terminal cells.
    private struct WidthRequirement {
        /// The width that shows all content, within the limits of the column.
        let preferred: Int
        /// The minimum width, used if room is short.
        let minimum: Int
        /// The maximum width, used if there is spare room.
        let maximum: Int
        /// The width if the columns do not fit in the frame and scroll.
        let scrollingWidth: Int
    }

    /// The distribution of the room that remains if all columns have their preferred width.
    private enum SpareWidthDistribution {
        /// The remaining room stays unused.
        case unused
        /// Each column is widened by the same number of cells.
        case added
        /// Narrow columns are widened first, so that all widths are equal within their limits.
        case shared
    }

    private let requirements: [WidthRequirement]
    private let room: Int
    private let spareWidthDistribution: SpareWidthDistribution

    /// - Parameters:
    ///   - room: the number of terminal cells for all columns, without the spacing between columns.
    ///   - unmeasuredWidth: the width of a column whose content has not been measured, computed from the frame.
    ///   - widthLimit: the maximum width of a measured column if the columns do not fit and scroll.
    init(_ columns: [Column], room: Int, unmeasuredWidth: Int, metrics: GridMetrics, widthLimit: Int, fillsRoom: Bool) {
        self.room = max(0, room)
        spareWidthDistribution = fillsRoom ? .added : .unused
        requirements = columns.map { column in
            let minimum = max(1, column.minimumWidth ?? metrics.minimumColumnWidth)
            let isMeasured = column.measuredWidth > 0
            let maximum = max(minimum, column.maximumWidth ?? (isMeasured ? metrics.maximumColumnWidth : nil) ?? .max)
            let preferred = (isMeasured ? column.measuredWidth : unmeasuredWidth).clamped(to: minimum...maximum)
            return WidthRequirement(
                preferred: preferred,
                minimum: column.minimumWidth == nil ? max(minimum, min(preferred, metrics.minimumFittedWidth)) : minimum,
                maximum: maximum,
                scrollingWidth: isMeasured
                    ? max(1, ColumnGeometry.contentWidth(of: column, metrics: metrics, widthLimit: widthLimit)) : preferred)
        }
    }

    /// Distributes `room` terminal cells equally among flexible columns, and among automatic columns that have not been measured.
    init(sharing columns: [Column], room: Int, metrics: GridMetrics) {
        self.room = max(0, room)
        spareWidthDistribution = .shared
        requirements = columns.map { column in
            let minimum = max(1, column.minimumWidth ?? metrics.minimumColumnWidth)
            return WidthRequirement(
                preferred: minimum, minimum: minimum, maximum: max(minimum, column.maximumWidth ?? .max), scrollingWidth: minimum)
        }
    }

    /// The width of each column. O(columns) if columns scroll, otherwise O(columns · log room).
    var widths: [Int] {
        if total(\.minimum) > room { return requirements.map(\.scrollingWidth) }
        if total(\.preferred) > room { return widthsFillingRoom { max($0.minimum, min($0.preferred, $1)) } }
        switch spareWidthDistribution {
        case .unused: return requirements.map(\.preferred)
        case .added: return widthsFillingRoom { requirement, added in min(requirement.maximum, requirement.preferred + added) }
        case .shared: return widthsFillingRoom { requirement, level in level.clamped(to: requirement.preferred...requirement.maximum) }
        }
    }

    /// The total width of all columns. To avoid overflow, a total greater than `room` counts as `room + 1`.
    private func total(_ width: (WidthRequirement) -> Int) -> Int {
        requirements.reduce(0) { min(room + 1, $0 + min(room + 1, width($1))) }
    }

    /// The widths of all columns, with the greatest total that does not exceed `room`. All widths depend on one level, such as a common
    /// maximum width, and the greatest level that fits is used.
    /// - Parameter width: returns the width of a column at a level. From one level to the next, the width grows by at most one cell.
    private func widthsFillingRoom(_ width: (WidthRequirement, Int) -> Int) -> [Int] {
        let level = (0..<room).partitioningIndex { level in total { width($0, level + 1) } > room }
        var widths = requirements.map { width($0, level) }
        // Widen some columns by one cell until no room is left: first the columns with the widest content; among equal columns, the last
        // ones.
        let wider = requirements.indices.filter { width(requirements[$0], level + 1) > widths[$0] }
            .sorted { (requirements[$0].preferred, $0) < (requirements[$1].preferred, $1) }
        for index in wider.suffix(room - widths.reduce(0, +)) { widths[index] += 1 }
        return widths
    }
}
