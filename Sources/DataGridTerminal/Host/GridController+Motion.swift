import DataGrid
import TerminalSurface

/// Motion after rows and sections were inserted, removed, collapsed or expanded.
///
/// The state changes at once; only the drawn rows slide to their new positions. A motion starts in ``tick(at:)``, so a host that does
/// not call it shows final states only.
extension GridController {
    /// Prepares a motion after an action that inserts, removes, collapses or expands. Applies the action to the items of the last frame,
    /// because they slide from their positions in that frame.
    func followMotion(through action: GridAction, _ events: [GridEvent], from old: GridState, to new: GridState) {
        guard motionOrigin != nil || motion != nil else { return }
        if action.splicesRows {
            guard new.rows.count != old.rows.count || new.outline.collapsed.count != old.outline.collapsed.count else { return }
            motionOrigin?.follow(old.itemMapping(by: action))
        } else if case .setRows(_, _, let keeping) = action, keeping.contains(.scroll), new.rows.count != old.rows.count {
            // Rows were inserted or removed between other rows, such as in the sections of an `ObjectSource`.
            motionOrigin?.follow(to: new, from: old)
        } else if action.endsMotion || events.contains(where: \.isRowMove) {
            endMotion()
            motionOrigin = nil
            return
        } else if !events.contains(where: \.changesCollapsedSections) {
            return
        }
        if motionOrigin?.changeTime == nil { motionOrigin?.changeTime = .now }
    }

    /// The time at which a motion starts or shows its next frame; `nil` without a motion.
    var motionTick: ContinuousClock.Instant? { motionOrigin?.changeTime ?? motion?.nextFrame }

    /// Starts a motion after a change, or advances it. No motion starts during a drag or while a cell is edited.
    ///
    /// A change soon after another change (within the duration of a motion) starts no motion. While a key is held down or changes arrive
    /// continuously, only final states are shown.
    func tickMotion(at now: ContinuousClock.Instant) {
        if let origin = motionOrigin, let changeTime = origin.changeTime {
            let isFirst = motion == nil && changeTime - lastMotionChange >= RowMotion.duration
            endMotion()
            guard isFirst, needsDisplay, state.drag == nil, state.editing == nil, now - changeTime < RowMotion.duration else { return }
            motion = RowMotion(origin, from: changeTime, at: now)
        } else if motion?.advance(to: now) == true {
            setNeedsDisplay()
        }
    }

    /// Discards a prepared motion that was not started since the last frame, because the host does not call ``tick(at:)``.
    func endUntickedMotion() { if motionOrigin?.changeTime != nil { endMotion() } }

    /// Ends a motion, so that the next frame shows all rows at their final positions.
    func endMotion() {
        if let changeTime = motionOrigin?.changeTime {
            lastMotionChange = changeTime
            motionOrigin?.changeTime = nil
        }
        guard motion != nil else { return }
        motion = nil
        setNeedsDisplay()
    }

    /// The lines of moving rows in the next frame; `nil` without a motion. Ends the motion if all rows have arrived, or if another change
    /// has moved the rows.
    func movingLines(for painter: GridPainter) -> RowMotion.PaneLines? {
        guard let motion else { return nil }
        let isSame = !motion.isDrawn || drawnLayout?.hasSamePositions(as: painter.layout) == true
        guard isSame, let lines = motion.lines(to: painter) else {
            self.motion = nil
            return nil
        }
        self.motion?.isDrawn = true
        return lines
    }
}

extension TerminalEvent {
    /// True for events that end a motion: a key, a press or a wheel notch. The release after a tap does not.
    var endsMotion: Bool {
        switch self {
        case .key, .paste: return true
        case .mouse(let mouse):
            switch mouse.kind {
            case .press, .wheel: return true
            case .drag, .release: return false
            }
        case .resize, .background, .resumed: return false
        }
    }
}

extension GridAction {
    /// True if the rows of the last frame cannot be followed through the action, so that a motion ends.
    fileprivate var endsMotion: Bool {
        switch self {
        case .setRows, .growRows, .restore, .moveRows, .moveCurrentRows: true
        default: false
        }
    }
}

extension GridEvent {
    fileprivate var isRowMove: Bool {
        if case .rowsMoved = self { return true }
        return false
    }

    fileprivate var changesCollapsedSections: Bool {
        switch self {
        case .sectionCollapsed, .sectionExpanded, .sectionsChanged: true
        default: false
        }
    }
}
