import DataGrid
import TerminalSurface

/// The animation after rows and sections were inserted, removed, collapsed or expanded.
///
/// The state changes at once; only the drawn rows slide to their new positions. An animation starts in ``tick(at:)``, so a host that does
/// not call it shows final states only.
extension GridController {
    /// Prepares an animation after an action that inserts, removes, collapses or expands. Applies the action to the items of the last
    /// frame, because they slide from their positions in that frame.
    func updateRowAnimation(after action: GridAction, _ events: [GridEvent], from old: GridState, to new: GridState) {
        guard rowAnimationOrigin != nil || rowAnimation != nil else { return }
        if action.splicesRows {
            guard new.rows.count != old.rows.count || new.outline.collapsed.count != old.outline.collapsed.count else { return }
            rowAnimationOrigin?.updateItems(old.itemMapping(by: action))
        } else if case .setRows(_, _, let keeping) = action, keeping.contains(.scroll), new.rows.count != old.rows.count {
            // Rows were inserted or removed between other rows, such as in the sections of an `ObjectSource`.
            rowAnimationOrigin?.updateItems(to: new, from: old)
        } else if action.endsRowAnimation || events.contains(where: \.isRowMove) {
            endRowAnimation()
            rowAnimationOrigin = nil
            return
        } else if !events.contains(where: \.changesCollapsedSections) {
            return
        }
        if rowAnimationOrigin?.changeTime == nil { rowAnimationOrigin?.changeTime = .now }
    }

    /// The time at which an animation starts or shows its next frame; `nil` without an animation.
    var rowAnimationTick: ContinuousClock.Instant? { rowAnimationOrigin?.changeTime ?? rowAnimation?.nextFrame }

    /// Starts an animation after a change, or advances it. No animation starts during a drag or while a cell is edited.
    ///
    /// A change soon after another change (within the duration of an animation) starts no animation. While a key is held down or changes
    /// arrive continuously, only final states are shown.
    func tickRowAnimation(at now: ContinuousClock.Instant) {
        if let origin = rowAnimationOrigin, let changeTime = origin.changeTime {
            let isFirst = rowAnimation == nil && changeTime - lastRowChange >= RowAnimation.duration
            endRowAnimation()
            guard isFirst, needsDisplay, state.drag == nil, state.editing == nil, now - changeTime < RowAnimation.duration else { return }
            rowAnimation = RowAnimation(origin, from: changeTime, at: now)
        } else if rowAnimation?.advance(to: now) == true {
            setNeedsDisplay()
        }
    }

    /// Discards a prepared animation that was not started since the last frame, because the host does not call ``tick(at:)``.
    func discardUnstartedRowAnimation() { if rowAnimationOrigin?.changeTime != nil { endRowAnimation() } }

    /// Ends an animation, so that the next frame shows all rows at their final positions.
    func endRowAnimation() {
        if let changeTime = rowAnimationOrigin?.changeTime {
            lastRowChange = changeTime
            rowAnimationOrigin?.changeTime = nil
        }
        guard rowAnimation != nil else { return }
        rowAnimation = nil
        setNeedsDisplay()
    }

    /// The lines of moving rows in the next frame; `nil` without an animation. Ends the animation if all rows have arrived, or if another
    /// change has moved the rows.
    func animatedLines(for painter: GridPainter) -> RowAnimation.PaneLines? {
        guard let rowAnimation else { return nil }
        let isSame = !rowAnimation.isDrawn || drawnLayout?.hasSamePositions(as: painter.layout) == true
        guard isSame, let lines = rowAnimation.paneLines(for: painter) else {
            self.rowAnimation = nil
            return nil
        }
        self.rowAnimation?.isDrawn = true
        return lines
    }
}

extension TerminalEvent {
    /// True for events that end an animation: a key, a press or a wheel notch. The release after a tap does not.
    var endsRowAnimation: Bool {
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
    /// True if the rows of the last frame cannot be followed through the action, so that an animation ends.
    fileprivate var endsRowAnimation: Bool {
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
