import FieldValues

/// Distributes the remaining room among columns that have no explicit width (``WidthRule/standard``), or among flexible columns.
///
/// If all columns fit, spare room is distributed equally. Otherwise the widest columns are narrowed to a common width, but no column below
/// its minimum. If even the minimum widths exceed the room, all columns have the width of their content, and scroll. Flexible columns have
/// equal widths within their limits.
struct ColumnFitting {
    /// The widths that a column accepts, in terminal cells.
    private struct Demand {
        /// The width that shows all content, within the limits.
        let need: Int
        /// The minimum width when columns are narrowed.
        let floor: Int
        /// The maximum width when columns are widened.
        let maximum: Int
        /// The width when columns scroll.
        let scrolled: Int
    }

    /// The distribution of the room that is left when all columns fit.
    private enum Spare {
        /// Spare room stays unused.
        case unused
        /// Each column gets an equal part of the spare room.
        case added
        /// Columns are widened until all widths are equal within their limits.
        case shared
    }

    private let demands: [Demand]
    private let room: Int
    private let spare: Spare

    /// - Parameters:
    ///   - room: the terminal cells for all columns, without spacing.
    ///   - unmeasuredWidth: the width of a column that has not been measured; a share of the frame.
    ///   - cap: the maximum width of a measured column when columns scroll.
    init(_ columns: [Column], room: Int, unmeasuredWidth: Int, metrics: GridMetrics, cap: Int, fillsRoom: Bool) {
        self.room = max(0, room)
        spare = fillsRoom ? .added : .unused
        demands = columns.map { column in
            let minimum = max(1, column.minimumWidth ?? metrics.minimumColumnWidth)
            let isMeasured = column.measuredWidth > 0
            let maximum = max(minimum, column.maximumWidth ?? (isMeasured ? metrics.maximumColumnWidth : nil) ?? .max)
            let need = (isMeasured ? column.measuredWidth : unmeasuredWidth).clamped(to: minimum...maximum)
            return Demand(
                need: need,
                floor: column.minimumWidth == nil ? max(minimum, min(need, metrics.minimumFittedWidth)) : minimum,
                maximum: maximum,
                scrolled: isMeasured ? max(1, ColumnGeometry.contentWidth(of: column, metrics: metrics, cap: cap)) : need)
        }
    }

    /// Distributes the room equally among flexible columns, and among automatic columns that have not been measured.
    init(sharing columns: [Column], room: Int, metrics: GridMetrics) {
        self.room = max(0, room)
        spare = .shared
        demands = columns.map { column in
            let minimum = max(1, column.minimumWidth ?? metrics.minimumColumnWidth)
            return Demand(need: minimum, floor: minimum, maximum: max(minimum, column.maximumWidth ?? .max), scrolled: minimum)
        }
    }

    /// The width of each column. O(columns) if columns scroll, otherwise O(columns · log room).
    var widths: [Int] {
        if total(\.floor) > room { return demands.map(\.scrolled) }
        if total(\.need) > room { return filled { demand, level in max(demand.floor, min(demand.need, level)) } }
        switch spare {
        case .unused: return demands.map(\.need)
        case .added: return filled { demand, spare in min(demand.maximum, demand.need + spare) }
        case .shared: return filled { demand, part in part.clamped(to: demand.need...demand.maximum) }
        }
    }

    /// The total width of all columns, counted only up to one cell beyond the room.
    private func total(_ width: (Demand) -> Int) -> Int { demands.reduce(0) { min(room + 1, $0 + min(room + 1, width($1))) } }

    /// The widths with the greatest total that does not exceed the room.
    /// - Parameter width: returns the width of a column at a level. From one level to the next, the width grows by at most one cell.
    private func filled(_ width: (Demand, Int) -> Int) -> [Int] {
        let level = (0..<room).partitioningIndex { level in total { width($0, level + 1) } > room }
        var widths = demands.map { width($0, level) }
        // Give the remaining cells to the columns that need the largest width; among equal columns, to the last ones.
        let wider = demands.indices.filter { width(demands[$0], level + 1) > widths[$0] }
            .sorted { (demands[$0].need, $0) < (demands[$1].need, $1) }
        for index in wider.suffix(room - widths.reduce(0, +)) { widths[index] += 1 }
        return widths
    }
}
