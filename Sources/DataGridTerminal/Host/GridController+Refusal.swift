import DataGrid

/// The blink of a refused part of a grid.
struct Blink {
    enum Part {
        case cell(RowID, ColumnID)
        /// The title of a column, and its cell in the row under the cursor.
        case column(ColumnID)
        /// The cells of the rows at these positions, in the column under the cursor.
        case rows(Range<Int>)
    }

    var part: Part
    var end: ContinuousClock.Instant
}

extension GridController {
    private static let maximumBlink = Duration.milliseconds(200)

    /// Returns true if an edit or a move is permitted. A refused part blinks, and ``onRefusal`` receives the reason.
    func permits(_ permission: Permission, _ part: Blink.Part) -> Bool {
        guard case .refused(let reason) = permission else { return true }
        blink(part)
        if let reason { onRefusal?(reason) }
        return false
    }

    func blink(_ part: Blink.Part) {
        guard refusalDuration > .zero else { return }
        blink = Blink(part: part, end: .now + min(refusalDuration, Self.maximumBlink))
        setNeedsDisplay()
    }

    func endBlink(at now: ContinuousClock.Instant) {
        guard let end = blink?.end, end <= now else { return }
        blink = nil
        setNeedsDisplay()
    }
}
