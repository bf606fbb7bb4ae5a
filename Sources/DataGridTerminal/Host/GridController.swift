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
    public private(set) var state: GridState { didSet { caches.heights = state.rowHeightSource as? ContentHeights } }
    /// Where content comes from, and how high rows are that are as high as theirs; call ``reload()`` when it is another one.
    public weak var dataSource: (any GridDataSource)? {
        didSet {
            caches.contents.source = dataSource
            makeHeights()
        }
    }
    /// Decides what may happen in the grid and hears what happened; a `GridDelegate` also decides looks and row heights.
    public weak var delegate: (any GridInteractionDelegate)? {
        didSet {
            looks = delegate as? any GridDelegate
            makeHeights()
        }
    }
    /// The delegate, where it says how the grid looks.
    private(set) weak var looks: (any GridDelegate)? { didSet { caches.styles.delegate = looks } }
    let caches = GridCaches()
    /// What has changed lately, and fades.
    var highlights = Highlights()
    /// The time of the last frame that was drawn for a change, in milliseconds since ``epoch``; what is lit is drawn as of then.
    var highlightTime: Int64 = 0
    var hasChanges = false
    var lastChangeFrame = ContinuousClock.now - .seconds(1)
    /// How long a cell or row that has changed is lit and marked with ▲ or ▼ while it fades, to the millisecond; `.zero`: not at all, it only says
    /// something else. Holds for what changes from then on.
    public var changeDuration = Duration.seconds(2)
    /// How long a row is lit that has come, or has closed the gap where others have gone, to the millisecond; `.zero`: not at all.
    public var arrivalDuration = Duration.milliseconds(200)
    let epoch = ContinuousClock.now - .seconds(1)
    /// Which parts of a column's text are marked as found; `nil` marks nothing. Asked by each ``draw(on:)``: call ``setNeedsDisplay()`` when it
    /// finds something else.
    public var findMatches: ((String, ColumnID) -> [Range<String.Index>])?
    /// The rectangle of the screen that the grid takes, in terminal cells.
    public var frame = TerminalRect(x: 0, y: 0, width: 0, height: 0) {
        didSet {
            let size = GridSize(width: frame.width, height: frame.height)
            if size != state.size { perform(.resize(size)) } else if frame != oldValue { setNeedsDisplay() }
        }
    }
    /// Which glyphs the terminal shows in cells. A ``GridApplication`` has it ASCII where its terminal is none of UTF-8
    /// (`TerminalBackend.showsUnicode`).
    public var glyphs = GlyphSet.unicode { didSet { if glyphs != oldValue { setNeedsDisplay() } } }
    /// Whether the picture may be another one than at the last ``draw(on:)``.
    public private(set) var needsDisplay = true
    /// Called when ``needsDisplay`` becomes `true`: whoever draws does so soon.
    public var onNeedsDisplay: (() -> Void)?
    /// The widths of automatic columns that were found by measuring.
    var measured: [ColumnID: Int] = [:]
    /// Whether rows stand in an order that the source has told, and not in that of their numbers.
    var hasOrderOfSource = false
    var refused: RefusedSelection?
    var isCommitting = false
    /// The keys of the grid.
    public lazy var keyMap = KeyMap<GridCommand>.standard
    private var pendingKeys: [KeyPress] = []
    private var clicks = ClickCounter()
    private var wheel = WheelLock()
    /// When what was pulled out is let go of.
    private var pullEnd: ContinuousClock.Instant?
    /// How long nothing pulls before that.
    private static let pullPause = Duration.milliseconds(250)
    /// How the grid stands in the frame that was drawn last, for what a host draws around it; `nil` before the first one.
    public private(set) var drawnLayout: GridLayout?
    private var drawnFrame: PaintedFrame?
    private var lastTick = ContinuousClock.now
    private var lastLoaderTick = ContinuousClock.now

    /// A grid without rows: set ``dataSource``, ``frame``, and call ``reload()``. Both references are weak, so keep the objects.
    public init(
        columns: [Column], dataSource: (any GridDataSource)? = nil, delegate: (any GridInteractionDelegate)? = nil, theme: Theme = .dark,
        metrics: GridMetrics = GridMetrics()
    ) {
        state = GridState(columns: columns, theme: theme, metrics: metrics)
        self.dataSource = dataSource
        self.delegate = delegate
        looks = delegate as? any GridDelegate
        caches.contents.source = dataSource
        caches.styles.delegate = looks
        makeHeights()
    }

    // MARK: Changing

    /// Does something to the grid: asks the delegate, changes the state, tells the delegate.
    ///
    /// What is being typed into a cell is taken first (``commitEditing()``) when the action moves the cursor away; where it cannot be, the
    /// cursor stays, unless rows or frame are others.
    /// - Returns: whether it was done; `false` when the delegate would not have it.
    /// - Complexity: that of ``GridState/apply(_:)``.
    @discardableResult
    public func perform(_ action: GridAction) -> Bool {
        if case .restore(let view) = action { arrange(for: view) }
        // Where rows come and go, the source has let go of rows that would be measured.
        if !action.isAboutRows { renewHeights() }
        let old = state
        var new = old
        var events = apply(action, to: &new)
        if old.editing != nil, new.editing == nil, !isCommitting {
            switch action {
            case .endEditing: break
            case _ where !action.splicesRows && commitEditing(): return perform(action)
            // Nobody can refuse what has become of the frame.
            case .resize: break
            default: if !action.changesRows { return false }
            }
        }
        guard permits(action, &events, from: old, to: &new) else {
            // What was refused when it was dropped is not being dragged any more.
            if case .pointerUp = action { set(old) { _ = $0.apply(.cancelDrag) } }
            return false
        }
        caches.follow(action, from: old, to: new)
        (new.rowHeightSource as? ContentHeights)?.catchUp()
        if action.isAboutRows, !highlights.isEmpty { highlights.rename(old.renaming(through: action)) }
        if case .forgetRows(let rows) = action { highlights.remove(rows: rows) }
        switch action {
        case .replaceColumns, .insertColumns: _ = new.updateWidths(from: looks)
        case .restore:
            noteRestoredWidths(new, since: old)
            _ = new.updateWidths(from: looks)
        default: break
        }
        new.fitHeaders(to: caches.contents)
        measureColumns(of: &new)
        set(new)
        if case .restore = action { tellMoves(since: old) }
        noteGap(leftBy: action, from: old)
        for event in events { tell(event, from: old, action) }
        if old.cursor != new.cursor { delegate?.didMoveCursor(to: new.cursor) }
        return true
    }

    /// Changes what no action does: measures and policies that are plain values of the state.
    public func configure(_ change: (inout GridState) -> Void) { set(state, change) }

    /// Has a grid that wears the preset for some terminal wear the one for another; classes that the host has set stay. A theme that the
    /// host has chosen is left alone: `Theme.fitted(to:)` is for that.
    public func suit(_ colors: TerminalColors, insteadOf old: TerminalColors = TerminalColors()) {
        var (worn, theme) = (state.theme, Theme.preset(for: colors).fitted(to: colors))
        theme.classes = worn.classes
        worn.classes = [:]
        guard worn == Theme.preset(for: old).fitted(to: old) else { return }
        perform(.apply(theme: theme, keepsColumns: true))
    }

    func set(_ new: GridState, _ change: (inout GridState) -> Void = { _ in }) {
        var new = new
        change(&new)
        guard new != state else { return }
        state = new
        setNeedsDisplay()
    }

    /// Has heights found anew of what source and delegate say now; those that a host has set itself stay.
    func makeHeights() {
        guard state.rowHeightSource == nil || state.rowHeightSource is ContentHeights else { return }
        configure { $0.rowHeightSource = ContentHeights(caches.contents, delegate: looks) }
    }

    /// Has the heights of rows that say something else now found anew.
    private func renewHeights() {
        guard let heights = caches.heights?.renewed(isAutomatic: state.metrics.hasAutomaticRowHeights) else { return }
        configure { $0.updateHeights(from: heights) }
    }

    /// Says that the grid has to be drawn again though its state is the same. Neither source nor delegate is asked anew for it: that do
    /// ``reloadRows(_:)`` and ``redrawRows(_:)``.
    public func setNeedsDisplay() {
        guard !needsDisplay else { return }
        needsDisplay = true
        onNeedsDisplay?()
    }

    /// Does what a click on a header does: the sort order steps on as `Column.sortMode` says.
    public func activateHeader(_ id: ColumnID, isAdding: Bool = false) {
        guard delegate?.shouldActivateHeader(ofColumn: id, isAdding: isAdding) ?? true else { return }
        delegate?.didActivateHeader(ofColumn: id)
        let keys = state.sort(afterActivating: id, isAdding: isAdding)
        if keys != state.sort { perform(.setSort(keys)) }
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
            guard wheel.admits(mouse, lock: state.interaction.directionalLock) else { return true }
            for action in GridInput.actions(for: mouse, clicks: count, origin: GridPoint(x: frame.x, y: frame.y)) {
                performByHand(withPermittedDirections(action))
            }
            return true
        case .paste(let text): return state.editing != nil && perform(.paste(text))
        case .resize, .background, .resumed: return false
        }
    }

    private func handle(_ press: KeyPress) -> Bool {
        let begun = pendingKeys
        pendingKeys = []
        if state.editing != nil { return handleInEditor(press) }
        for before in begun.isEmpty ? [[]] : [begun, []] {
            if GridInput.isPrefix(press, after: before, in: state, keys: keyMap) {
                pendingKeys = before + [press]
                return true
            }
            if let action = GridInput.action(for: press, after: before, in: state, keys: keyMap) {
                performByHand(action)
                return true
            }
        }
        return false
    }

    /// Performs what a person does; beyond the top, that pulls.
    private func performByHand(_ action: GridAction) {
        let action = GridInput.pulling(action, in: state)
        perform(action)
        guard case .pull = action else { return }
        pullEnd = state.pull?.uncovered ?? 0 > 0 ? .now + Self.pullPause : nil
    }

    /// Draws the grid in its frame. Asks the data source for what has come into sight or has changed, and for nothing else.
    /// O(terminal cells of the frame).
    /// - Returns: where on the buffer the text cursor blinks: in the cell that is being edited; `nil` hides it.
    @discardableResult
    public func draw(on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        renewHeights()
        needsDisplay = false
        let painter = GridPainter(
            state, source: caches.contents, delegate: looks == nil ? nil : caches.styles, origin: GridPoint(x: frame.x, y: frame.y),
            matches: findMatches, highlights: highlights, now: highlightTime, glyphs: glyphs)
        painter.paint(on: &buffer, contents: caches.contents.changeCount, &drawnFrame)
        let cursor = painter.paintEditor(on: &buffer)
        let (former, layout) = (drawnLayout, painter.layout)
        drawnLayout = layout
        if former?.hasPlaces(of: layout) != true { delegate?.didFinishLayout() }
        if former?.yielding ?? [] != layout.yielding { delegate?.didYield(layout.yielding) }
        return cursor
    }

    /// When the grid changes by time alone; `nil` when it does not. A drag that is held at an edge scrolls on, 20 times a second; a strip that
    /// was pulled out by wheel or key is let go of when nothing pulls for a quarter of a second; a loader in sight turns. Content that has
    /// changed, and what is lit and fades, is drawn 30 times a second at most.
    public var nextTick: ContinuousClock.Instant? { [dragTick, pullEnd, loaderTick, changesDue].compactMap { $0 }.min() }

    private var dragTick: ContinuousClock.Instant? { state.drag?.wantsTicks == true ? lastTick + .milliseconds(50) : nil }

    private var loaderTick: ContinuousClock.Instant? {
        guard state.loader != nil, state.layout.strips.contains(where: { $0.kind == .loader }) else { return nil }
        return lastLoaderTick + .milliseconds(125)
    }

    /// Changes what time has changed by `now`.
    public func tick(at now: ContinuousClock.Instant = .now) {
        if let pullEnd, pullEnd <= now {
            self.pullEnd = nil
            perform(.releasePull)
        }
        if let loaderTick, loaderTick <= now {
            lastLoaderTick = now
            perform(.tickLoader)
        }
        drawChanges(at: now)
        guard let dragTick, dragTick <= now else { return }
        lastTick = now
        perform(.dragTick)
    }
}
