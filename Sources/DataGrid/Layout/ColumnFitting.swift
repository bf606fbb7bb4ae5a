import FieldValues

/// Shares the room that other columns leave among columns without a width of their own (``WidthRule/standard``), or among flexible ones.
///
/// Where all needs are met, spare room is added equally. Otherwise the widest columns are narrowed to one level, but none below its floor;
/// where even the floors exceed the room, all columns have the width they need, and scroll. Flexible columns need nothing and have equal
/// parts, within their limits.
struct ColumnFitting {
    /// What one column asks for, in terminal cells.
    private struct Demand {
        /// What it shows whole, within its limits.
        let need: Int
        /// How narrow it may become for others to be seen.
        let floor: Int
        /// How wide it may become to fill the frame.
        let most: Int
        /// How wide it is where columns scroll.
        let scrolled: Int
    }

    /// What becomes of room that is not needed.
    private enum Spare {
        /// Nothing; each column has as much of it; or each has as much in all.
        case left, added, shared
    }

    private let demands: [Demand]
    private let room: Int
    private let spare: Spare

    /// - Parameters:
    ///   - room: terminal cells for all columns, without spacing.
    ///   - part: the need of a column that was not measured.
    ///   - cap: the greatest width of a measured column where columns scroll.
    init(_ columns: [Column], room: Int, part: Int, metrics: GridMetrics, cap: Int, fillsRoom: Bool) {
        self.room = max(0, room)
        spare = fillsRoom ? .added : .left
        demands = columns.map { column in
            let least = max(1, column.minimumWidth ?? metrics.minimumColumnWidth)
            let isMeasured = column.measuredWidth > 0
            let most = max(least, column.maximumWidth ?? (isMeasured ? metrics.maximumColumnWidth : nil) ?? .max)
            let need = (isMeasured ? column.measuredWidth : part).clamped(to: least...most)
            return Demand(
                need: need, floor: column.minimumWidth == nil ? max(least, min(need, metrics.minimumFittedWidth)) : least, most: most,
                scrolled: isMeasured ? max(1, ColumnGeometry.contentWidth(of: column, metrics: metrics, cap: cap)) : need)
        }
    }

    /// Equal parts for flexible columns, and for automatic ones that nobody has measured.
    init(sharing columns: [Column], room: Int, metrics: GridMetrics) {
        self.room = max(0, room)
        spare = .shared
        demands = columns.map { column in
            let least = max(1, column.minimumWidth ?? metrics.minimumColumnWidth)
            return Demand(need: least, floor: least, most: max(least, column.maximumWidth ?? .max), scrolled: least)
        }
    }

    /// The width of each column. O(columns); where they fit, which no more columns can than there are cells, times log cells.
    var widths: [Int] {
        if total(\.floor) > room { return demands.map(\.scrolled) }
        if total(\.need) > room { return filled { demand, level in max(demand.floor, min(demand.need, level)) } }
        switch spare {
        case .left: return demands.map(\.need)
        case .added: return filled { demand, spare in min(demand.most, demand.need + spare) }
        case .shared: return filled { demand, part in part.clamped(to: demand.need...demand.most) }
        }
    }

    /// The terminal cells of all columns, as far as that matters: no more than one beyond the room is counted.
    private func total(_ width: (Demand) -> Int) -> Int { demands.reduce(0) { min(room + 1, $0 + min(room + 1, width($1))) } }

    /// Widths that together come nearest to the room.
    /// - Parameter width: the width of a column at a level; it grows by at most one cell to the next level.
    private func filled(_ width: (Demand, Int) -> Int) -> [Int] {
        let level = (0..<room).partitioningIndex { level in total { width($0, level + 1) } > room }
        var widths = demands.map { width($0, level) }
        // What is too little for all goes to those that need most, and of equal ones to the last.
        let wider = demands.indices.filter { width(demands[$0], level + 1) > widths[$0] }
            .sorted { (demands[$0].need, $0) < (demands[$1].need, $1) }
        for index in wider.suffix(room - widths.reduce(0, +)) { widths[index] += 1 }
        return widths
    }
}
