public import DataGrid
public import TerminalSurface

/// A grid in an application: its state, where its content comes from, and who is asked about it.
///
/// Events of the terminal go in (``handle(_:)``), cells come out (``draw(on:)``): a host with a loop of its own needs no more, and one
/// without gives the grid to a ``GridApplication``. The grid takes a rectangle of the screen, ``frame``; several can share one screen.
///
/// Everything goes through ``perform(_:)``: the delegate is asked before something changes, and told afterwards. Used on the main thread.
@MainActor
public final class GridController {
    /// Everything about the grid but its content. Changed by ``perform(_:)``.
    public private(set) var state: GridState
    /// Where content comes from; call ``reload()`` when it is another one.
    public weak var dataSource: (any GridDataSource)? { didSet { caches.contents.source = dataSource } }
    /// Who says how the grid looks and what may happen in it.
    public weak var delegate: (any GridDelegate)? { didSet { caches.styles.delegate = delegate } }
    /// What source and delegate have said of what is in sight.
    let caches = GridCaches()
    /// What has changed lately, and fades.
    var highlights = Highlights()
    /// The time of the last frame that was drawn for a change, in milliseconds since ``epoch``; what is lit is drawn as of then.
    var highlightTime: Int64 = 0
    /// Whether something has changed that was not drawn yet.
    var hasChanges = false
    var lastChangeFrame = ContinuousClock.now - .seconds(1)
    let epoch = ContinuousClock.now - .seconds(1)
    /// The rectangle of the screen that the grid takes, in terminal cells.
    public var frame = TerminalRect(x: 0, y: 0, width: 0, height: 0) {
        didSet {
            let size = GridSize(width: frame.width, height: frame.height)
            if size != state.size { perform(.resize(size)) } else if frame != oldValue { setNeedsDisplay() }
        }
    }
    /// Whether the picture may be another one than at the last ``draw(on:)``.
    public private(set) var needsDisplay = true
    /// Called when ``needsDisplay`` becomes `true`: whoever draws does so soon.
    public var onNeedsDisplay: (() -> Void)?
    private var clicks = ClickCounter()
    private var lastTick = ContinuousClock.now

    /// A grid without rows: set ``dataSource``, ``frame``, and call ``reload()``. Both references are weak, so keep the objects.
    public init(
        columns: [Column], dataSource: (any GridDataSource)? = nil, delegate: (any GridDelegate)? = nil, theme: Theme = .dark,
        metrics: GridMetrics = GridMetrics()
    ) {
        state = GridState(columns: columns, theme: theme, metrics: metrics)
        self.dataSource = dataSource
        self.delegate = delegate
        caches.contents.source = dataSource
        caches.styles.delegate = delegate
    }

    // MARK: Changing

    /// Does something to the grid: asks the delegate, changes the state, tells the delegate.
    /// - Returns: whether it was done; `false` when the delegate would not have it.
    /// - Complexity: that of ``GridState/apply(_:)``.
    @discardableResult
    public func perform(_ action: GridAction) -> Bool {
        let old = state
        var new = state
        let events = new.apply(action)
        // What comes of other rows is told, but is nothing that could be refused.
        guard action.isAboutRows || permits(events, from: old, to: new) else {
            // What was refused when it was dropped is not being dragged any more.
            if case .pointerUp = action { set(old) { _ = $0.apply(.cancelDrag) } }
            return false
        }
        caches.follow(action, from: old, to: new)
        if action.isAboutRows, !highlights.isEmpty { highlights.rename(old.renaming(through: action)) }
        new.fitHeaders(to: dataSource)
        set(new)
        for event in events { tell(event, from: old) }
        return true
    }

    /// Changes what no action does: measures and policies that are plain values of the state.
    public func configure(_ change: (inout GridState) -> Void) { set(state, change) }

    private func set(_ new: GridState, _ change: (inout GridState) -> Void = { _ in }) {
        var new = new
        change(&new)
        guard new != state else { return }
        state = new
        setNeedsDisplay()
    }

    /// Says that the grid has to be drawn again though its state is the same. Neither source nor delegate is asked anew for it: that do
    /// ``reloadRows(_:)`` and ``redrawRows(_:)``.
    public func setNeedsDisplay() {
        guard !needsDisplay else { return }
        needsDisplay = true
        onNeedsDisplay?()
    }

    private func permits(_ events: [GridEvent], from old: GridState, to new: GridState) -> Bool {
        guard let delegate else { return true }
        return events.allSatisfy { event in
            switch event {
            case .selectionChanged: delegate.shouldChangeSelection(from: old.selection, to: new.selection)
            case .columnMoved(let id, let from, let to): delegate.shouldMove(column: id, from: from, to: to)
            case .columnResized(let id, let width): delegate.shouldResize(column: id, to: width)
            case .rowsMoved(let rows, let to): delegate.shouldMove(rows: rows, to: to)
            case .sectionCollapsed(let section): delegate.shouldSetCollapsed(section: section, true)
            case .sectionExpanded(let section): delegate.shouldSetCollapsed(section: section, false)
            case .headerActivated, .headerMenu, .fitColumn, .cellActivated, .endOfDataNear, .pullTriggered: true
            }
        }
    }

    private func tell(_ event: GridEvent, from old: GridState) {
        switch event {
        case .selectionChanged: delegate?.didChangeSelection(from: old.selection, to: state.selection)
        case .columnMoved(let id, let from, let to): delegate?.didMove(column: id, from: from, to: to)
        case .columnResized(let id, let width): delegate?.didResize(column: id, to: width)
        case .rowsMoved(let rows, let to):
            dataSource?.didMove(rows: rows, to: to)
            delegate?.didMove(rows: rows, to: to)
        case .sectionCollapsed(let section): delegate?.didSetCollapsed(section: section, true)
        case .sectionExpanded(let section): delegate?.didSetCollapsed(section: section, false)
        case .headerActivated(let id, let isAdding): activateHeader(id, isAdding: isAdding)
        case .headerMenu(let id): delegate?.didRequestMenu(ofColumn: id)
        case .fitColumn(let id): delegate?.didRequestFit(ofColumn: id)
        case .cellActivated(let row, let column): delegate?.didActivate(row: row, column: column)
        case .endOfDataNear: delegate?.endOfDataIsNear()
        case .pullTriggered: if delegate?.shouldReloadAfterPull() ?? true { reload() }
        }
    }

    /// Does what a click on a header does: the sort order steps on as ``Column/sortMode`` says.
    public func activateHeader(_ id: ColumnID, isAdding: Bool = false) {
        let keys = state.sort(afterActivating: id, isAdding: isAdding)
        guard keys != state.sort, delegate?.shouldSort(by: keys) ?? true else { return }
        perform(.setSort(keys))
        dataSource?.sort(by: keys)
        delegate?.didSort(by: keys)
    }

    // MARK: Events and cells

    /// Takes an event of the terminal, its coordinates those of the screen.
    /// - Returns: whether it was the grid's; what is not is the host's.
    @discardableResult
    public func handle(_ event: TerminalEvent) -> Bool {
        switch event {
        case .key(let press): return handle(press)
        case .mouse(let mouse):
            let count = clicks.count(event)
            guard state.drag != nil || frame.contains(x: mouse.x, y: mouse.y) else { return false }
            for action in GridInput.actions(for: mouse, clicks: count, origin: GridPoint(x: frame.x, y: frame.y)) { perform(action) }
            return true
        case .paste, .resize, .background, .resumed: return false
        }
    }

    private func handle(_ press: KeyPress) -> Bool {
        if let action = GridInput.action(for: press, in: state) {
            perform(action)
            return true
        }
        guard press == KeyPress(.enter), let row = state.currentRow, let column = state.currentColumn else { return false }
        delegate?.didActivate(row: row, column: column.id)
        return delegate != nil
    }

    /// Draws the grid in its frame. Asks the data source for what has come into sight or has changed, and for nothing else.
    /// O(terminal cells of the frame).
    public func draw(on buffer: inout CellBuffer) {
        needsDisplay = false
        GridPainter(
            state, source: caches.contents, delegate: delegate == nil ? nil : caches.styles, origin: GridPoint(x: frame.x, y: frame.y),
            highlights: highlights, now: highlightTime
        ).paint(on: &buffer)
    }

    /// When the grid changes by time alone; `nil` when it does not. A drag that is held at an edge scrolls on, 20 times a second.
    /// Content that has changed, and what is lit and fades, is drawn 30 times a second at most.
    public var nextTick: ContinuousClock.Instant? { [dragTick, changesDue].compactMap { $0 }.min() }

    private var dragTick: ContinuousClock.Instant? { state.drag?.wantsTicks == true ? lastTick + .milliseconds(50) : nil }

    /// Changes what time has changed by `now`.
    public func tick(at now: ContinuousClock.Instant = .now) {
        drawChanges(at: now)
        guard let dragTick, dragTick <= now else { return }
        lastTick = now
        perform(.dragTick)
    }
}
