public import DataGrid
public import TerminalSurface

/// A grid in an application: its state, data source and delegate.
///
/// Terminal events go in (``handle(_:)``), cells come out (``draw(on:)``). An application with its own loop calls these two; otherwise a
/// ``GridApplication`` does. The grid fills a rectangle of the screen, ``frame``; several grids can share a screen.
///
/// All changes go through ``perform(_:)``: the delegate is asked before a change and notified after it. Use a controller on the main
/// thread only.
@MainActor
public final class GridController {
    /// The state of the grid, without its content. ``perform(_:)`` changes it.
    public private(set) var state: GridState { didSet { caches.heights = state.rowHeightSource as? ContentHeights } }
    /// The source of the content, which also determines automatic row heights. Call ``reload()`` after replacing the source.
    ///
    /// The reference is weak. Only the source of ``init(owning:delegate:theme:metrics:)`` is retained, until another source replaces it.
    public weak var dataSource: (any GridDataSource)? {
        didSet {
            if dataSource !== ownedSource { ownedSource = nil }
            caches.contents.source = dataSource
            resetHeights()
        }
    }
    /// Retains the source of ``init(owning:delegate:theme:metrics:)``; `nil` for other sources.
    private var ownedSource: (any GridDataSource)?
    /// Permits actions and is notified of events. A `GridDelegate` also provides styles and row heights.
    public weak var delegate: (any GridInteractionDelegate)? {
        didSet {
            styleDelegate = delegate as? any GridDelegate
            resetHeights()
        }
    }
    /// The delegate, if it also provides styles; otherwise `nil`.
    private(set) weak var styleDelegate: (any GridDelegate)? {
        didSet {
            caches.styles.delegate = styleDelegate
            caches.contents.changes.addFullChange()
        }
    }
    /// Draws parts of the grid, replacing its own drawing. Call ``setNeedsDisplay()`` when the drawn content has changed.
    public weak var drawingDelegate: (any GridDrawingDelegate)? { didSet { setNeedsDisplay() } }
    let caches = GridCaches()
    /// The recent changes of content, which are highlighted.
    var highlights = Highlights()
    /// True if highlights fade; false if they keep their full color until they end.
    ///
    /// A ``GridApplication`` sets it to false on a terminal with 256 or fewer colors, which shows half-faded colors as gray or white.
    public var fadesHighlights = true {
        didSet {
            guard fadesHighlights != oldValue else { return }
            highlights.steps = fadesHighlights ? Highlights().steps : 1
            setNeedsDisplay()
        }
    }
    /// For each column whose ▲ or ▼ stays after the highlight ends: the direction in which each cell last changed.
    var changeMarks = ChangeMarks()
    /// The time of the last frame for a change, in milliseconds since ``epoch``. Highlights are drawn as of this time.
    var highlightTime: Int64 = 0
    var hasChanges = false
    var lastChangeFrame = ContinuousClock.now - .seconds(1)
    /// The duration of the highlight, and of ▲ or ▼, of a changed cell or row, in whole milliseconds; `.zero` for no highlight. Setting it
    /// affects later changes only. ▲ and ▼ stay longer in columns that keep them (`Column.keepsChangeMarks`).
    public var changeDuration = Duration.seconds(2)
    /// The duration of the highlight of an inserted row, or of the row after removed rows, in whole milliseconds; `.zero` for no highlight.
    public var arrivalDuration = Duration.milliseconds(200)
    /// True if inserted and removed rows and sections change the screen at once, instead of sliding for up to 120 ms.
    ///
    /// A ``GridApplication`` sets it to true on a terminal without motion (`TerminalBackend.showsMotion`).
    public var reduceMotion = false {
        didSet {
            guard reduceMotion else { return }
            endRowAnimation()
            rowAnimationOrigin = nil
        }
    }
    /// The current animation of rows that slide to their new positions; `nil` without an animation.
    var rowAnimation: RowAnimation?
    /// The last frame, from which the next animation starts; `nil` if nothing can move.
    var rowAnimationOrigin: RowAnimation.Origin?
    /// The time of the last change that could move rows.
    var lastRowChange = ContinuousClock.now - .seconds(1)
    /// The origin of the times of highlights. It is before the first frame, so that all times are positive.
    let epoch = ContinuousClock.now - .seconds(1)
    /// Finds the ranges of a cell's text to highlight; `nil` for none. Each ``draw(on:)`` calls it: call ``setNeedsDisplay()`` after its
    /// results change.
    public var findMatches: ((String, ColumnID) -> [Range<String.Index>])?
    /// Receives the text of a copy (`GridAction.requestCopy(withHeader:)`). A ``GridApplication`` sends it to the clipboard of the
    /// terminal.
    public var onCopy: ((String) -> Void)?
    /// Receives the reason for a refused edit or move (`Permission.refused(_:)`), or for a failed copy. A ``GridApplication`` shows it in
    /// its last line. The reason for rejecting typed text is shown below the cell instead.
    public var onRefusal: ((String) -> Void)?
    /// The duration of the blink of a refused cell, column or row, at most 200 milliseconds; `.zero` for no blink.
    public var refusalDuration = Duration.milliseconds(150)
    /// The blinking part of the grid, if an edit or move was refused less than ``refusalDuration`` ago.
    var blink: Blink?
    /// The rectangle of the grid on the screen, in terminal cells.
    public var frame = TerminalRect(x: 0, y: 0, width: 0, height: 0) {
        didSet {
            let size = GridSize(width: frame.width, height: frame.height)
            if size != state.size { perform(.resize(size)) } else if frame != oldValue { setNeedsDisplay() }
        }
    }
    /// The glyphs that the terminal can show. A ``GridApplication`` sets ASCII for terminals without UTF-8
    /// (`TerminalBackend.showsUnicode`).
    public var glyphs = GlyphSet.unicode { didSet { if glyphs != oldValue { setNeedsDisplay() } } }
    /// True if the grid may look different since the last ``draw(on:)``.
    public private(set) var needsDisplay = true
    /// Called when ``needsDisplay`` becomes `true`. The application should draw soon.
    public var onNeedsDisplay: (() -> Void)?
    /// The last measured width of each column whose width follows from its content.
    var measuredWidths: [ColumnID: Int] = [:]
    /// The columns of which only the header is measured, because there were no rows. They are measured again with the first rows.
    var columnsWithMeasuredHeader: Set<ColumnID> = []
    /// True if the last row order that the grid read from the source (`GridDataSource.rowOrder`) was not `nil`.
    var hasSourceOrder = false
    var refusedSelection: RefusedSelection?
    var isCommittingEdit = false
    /// The key bindings of the grid.
    public lazy var keyMap = KeyMap<GridCommand>.standard
    private var pendingKeys = KeySequence()
    private var clicks = ClickCounter()
    private var wheel = WheelLock()
    /// The time at which the pull strip is hidden; `nil` without a pull.
    private var pullEnd: ContinuousClock.Instant?
    /// The time between the last pull by the user and the hiding of the strip.
    private static let pullReleaseDelay = Duration.milliseconds(250)
    /// The layout of the last frame, for applications that draw around the grid; `nil` before the first frame.
    public private(set) var drawnLayout: GridLayout?
    private(set) var drawnFrame: PaintedFrame?
    private var lastTick = ContinuousClock.now
    private var lastLoaderTick = ContinuousClock.now

    /// Creates a grid without rows: set ``dataSource`` and ``frame``, then call ``reload()``. The references to the data source and the
    /// delegate are weak, so retain these objects.
    /// - Parameter columns: the columns; `nil` for the columns of the source (`GridDataSource.gridColumns`).
    public init(
        columns: [Column]? = nil, dataSource: (any GridDataSource)? = nil, delegate: (any GridInteractionDelegate)? = nil,
        theme: Theme = .dark, metrics: GridMetrics = GridMetrics()
    ) {
        state = GridState(columns: columns ?? dataSource?.gridColumns ?? [], theme: theme, metrics: metrics)
        self.dataSource = dataSource
        self.delegate = delegate
        styleDelegate = delegate as? any GridDelegate
        caches.contents.source = dataSource
        caches.styles.delegate = styleDelegate
        state.cardContent = CachedCardContent(caches.contents)
        resetHeights()
    }

    /// Creates a grid with the columns and rows of a source, and retains the source.
    ///
    /// ```swift
    /// let grid = GridController(owning: ObjectSource(stocks, columns: [ObjectColumn("Price", \.price)]))
    /// ```
    ///
    /// A source that retains the grid would never be released. Use ``init(columns:dataSource:delegate:theme:metrics:)`` for such a source.
    public convenience init(
        owning source: any GridDataSource, delegate: (any GridInteractionDelegate)? = nil, theme: Theme = .dark,
        metrics: GridMetrics = GridMetrics()
    ) {
        self.init(delegate: delegate, theme: theme, metrics: metrics)
        ownedSource = source
        source.attach(to: self)
    }

    // MARK: Changes

    /// Performs an action: asks the delegate, changes the state, notifies the delegate.
    ///
    /// An action that moves the cursor away from an edited cell first commits the text (``commitEditing()``). If the text is rejected, the
    /// action is performed only if it changes rows or the frame.
    /// - Returns: True if the action was performed; `false` if the delegate refused it.
    /// - Complexity: That of ``GridState/apply(_:)``.
    @discardableResult
    public func perform(_ action: GridAction) -> Bool {
        if case .restore(let view) = action { prepareSource(for: view) }
        // While an action inserts or removes rows, heights cannot be measured, because the source no longer has the old rows.
        if !action.reportsRowChanges { refreshHeights() }
        let old = state
        var new = old
        var events = apply(action, to: &new)
        if old.editing != nil, new.editing == nil, !isCommittingEdit {
            switch action {
            case .endEditing: break
            case _ where !action.splicesRows && commitEditing(): return perform(action)
            // The delegate cannot refuse a new frame size.
            case .resize: break
            default: if !action.changesStructure { return false }
            }
        }
        guard permits(action, &events, from: old, to: &new) else {
            // A refused drop ends the drag.
            if case .pointerUp = action { setState(old) { _ = $0.apply(.cancelDrag) } }
            return false
        }
        caches.invalidate(after: action, from: old, to: new)
        updateRowAnimation(after: action, events, from: old, to: new)
        (new.rowHeightSource as? ContentHeights)?.moveContentToCache()
        moveHighlights(through: action, from: old, to: new)
        switch action {
        case .replaceColumns, .insertColumns: _ = new.updateWidths(from: styleDelegate)
        case .restore:
            trackRestoredWidths(new, since: old)
            _ = new.updateWidths(from: styleDelegate)
        default: break
        }
        new.fitHeaders(to: caches.contents)
        measureColumns(of: &new)
        setState(new)
        if case .restore = action { reportMoves(since: old) }
        highlightGap(leftBy: action, from: old)
        for event in events { notify(event, from: old, action) }
        if old.cursor != new.cursor { delegate?.didMoveCursor(to: new.cursor) }
        return true
    }

    /// Changes the state without asking or notifying the delegate. For changes that are not made by the user.
    package func configure(_ change: (inout GridState) -> Void) { setState(state, change) }

    /// If the theme is the preset for the colors `old`, replaces it with the preset for `colors`, and keeps the classes of the application.
    /// Any other theme does not change: fit it with `Theme.fitted(to:)`.
    public func updatePresetTheme(for colors: TerminalColors, from old: TerminalColors = TerminalColors()) {
        var (current, theme) = (state.theme, Theme.preset(for: colors).fitted(to: colors))
        theme.classes = current.classes
        current.classes = [:]
        guard current == Theme.preset(for: old).fitted(to: old) else { return }
        perform(.setTheme(theme, keepsColumns: true))
    }

    func setState(_ new: GridState, _ change: (inout GridState) -> Void = { _ in }) {
        var new = new
        change(&new)
        guard new != state else { return }
        state = new
        setNeedsDisplay()
    }

    /// Replaces the row heights by new heights from the source and the delegate, unless the application provides row heights.
    func resetHeights() {
        guard state.rowHeightSource == nil || state.rowHeightSource is ContentHeights else { return }
        configure { $0.rowHeightSource = ContentHeights(caches.contents, delegate: styleDelegate) }
    }

    /// Measures rows again whose content has changed, if heights depend on content.
    private func refreshHeights() {
        guard let heights = caches.heights?.withoutStaleHeights(isAutomatic: state.metrics.hasAutomaticRowHeights) else { return }
        configure { $0.updateHeights(from: heights) }
    }

    /// Requests a frame although the state is unchanged. Cached content and styles are not read again. Use ``reloadRows(_:)`` and
    /// ``redrawRows(_:)`` for that.
    public func setNeedsDisplay() {
        guard !needsDisplay else { return }
        needsDisplay = true
        onNeedsDisplay?()
    }

    /// Handles a click on a column header: changes the sort according to `Column.sortMode`.
    public func activateHeader(_ id: ColumnID, isAdding: Bool = false) {
        guard delegate?.shouldActivateHeader(ofColumn: id, isAdding: isAdding) ?? true else { return }
        delegate?.didActivateHeader(ofColumn: id)
        let keys = state.sort(afterActivating: id, isAdding: isAdding)
        if keys != state.sort { perform(.setSort(keys)) }
    }

    // MARK: Events and drawing

    /// Handles a terminal event in screen coordinates.
    /// - Returns: True if the grid consumed the event; otherwise the application should handle it.
    @discardableResult
    public func handle(_ event: TerminalEvent) -> Bool {
        if event.endsRowAnimation { endRowAnimation() }
        switch event {
        case .key(let press): return handleKey(press)
        case .mouse(let mouse):
            let count = clicks.count(event)
            guard state.drag != nil || frame.contains(x: mouse.x, y: mouse.y) else { return false }
            guard wheel.shouldHandle(mouse, lock: state.interaction.directionalLock) else { return true }
            for action in GridInput.actions(for: mouse, clicks: count, origin: GridPoint(x: frame.x, y: frame.y)) {
                performUserAction(withPermittedDirections(action))
            }
            return true
        case .paste(let text): return state.editing != nil && perform(.paste(text))
        case .resize, .background, .resumed: return false
        }
    }

    private func handleKey(_ press: KeyPress) -> Bool {
        if state.editing != nil {
            pendingKeys = KeySequence()
            return handleEditorKey(press)
        }
        switch pendingKeys.append(press, restarts: true, resolve: { GridInput.resolve($0, in: state, keys: keyMap) }) {
        case .command(let action): performUserAction(action)
        case .prefix: break
        case .none: return false
        }
        return true
    }

    /// Performs an action of the user. An action that would move beyond the first row pulls the rows down instead.
    private func performUserAction(_ action: GridAction) {
        let action = GridInput.pullAction(for: action, in: state)
        perform(action)
        guard case .pull = action else { return }
        pullEnd = state.pull?.uncovered ?? 0 > 0 ? .now + Self.pullReleaseDelay : nil
    }

    /// Draws the grid in its frame, and reads newly visible or changed content only. O(terminal cells of the frame).
    ///
    /// First measures rows with changed content, which can change their heights and the scroll position in ``state``. Another draw without
    /// a change measures nothing and leaves the state equal. The delegate's `didFinishLayout()` and `didOverflow(_:)` are called after
    /// drawing, and only if the layout has changed since the last frame. Changes that they make need another frame (``needsDisplay``).
    /// - Returns: The position of the text cursor in the buffer, in the edited cell; `nil` to hide it.
    @discardableResult
    public func draw(on buffer: inout CellBuffer) -> (x: Int, y: Int)? {
        // Heights are refreshed here, not in `GridApplication.turn()`: applications with their own loop call only `draw(on:)`, and several
        // changes are measured together, once per frame.
        refreshHeights()
        discardUnstartedRowAnimation()
        endBlink(at: .now)
        needsDisplay = false
        let changes = caches.contents.drainChanges()
        let painter = GridPainter(
            state, source: caches.contents, delegate: styleDelegate == nil ? nil : caches.styles, drawing: drawingDelegate,
            origin: GridPoint(x: frame.x, y: frame.y), matches: findMatches, highlights: highlights, changeMarks: changeMarks,
            now: highlightTime, glyphs: glyphs)
        painter.paint(on: &buffer, after: changes, &drawnFrame, keepsFrame: !reduceMotion, moving: animatedLines(for: painter))
        rowAnimationOrigin = reduceMotion ? nil : drawnFrame.map { RowAnimation.Origin($0) }
        let cursor = painter.paintEditor(on: &buffer)
        if let blink { painter.paintBlink(of: blink.part, on: &buffer) }
        let (previous, layout) = (drawnLayout, painter.layout)
        drawnLayout = layout
        if previous?.hasSamePositions(as: layout) != true { delegate?.didFinishLayout() }
        if previous?.overflowingSides ?? [] != layout.overflowingSides { delegate?.didOverflow(layout.overflowingSides) }
        return cursor
    }

    /// The time at which the grid must be redrawn without an event; `nil` if no redraw is due.
    ///
    /// A drag held at an edge scrolls 20 times per second. A pull by wheel or key is released after a quarter of a second without a pull. A
    /// visible loader is animated. The end of a blink needs one redraw. Changed content is drawn at most 30 times per second, and fading
    /// highlights at most 10 times. Rows slide for at most 120 ms, in at most 6 frames.
    public var nextTick: ContinuousClock.Instant? {
        [dragTick, pullEnd, loaderTick, blink?.end, rowAnimationTick, nextChangeFrame].compactMap { $0 }.min()
    }

    private var dragTick: ContinuousClock.Instant? { state.drag?.needsTicks == true ? lastTick + .milliseconds(50) : nil }

    private var loaderTick: ContinuousClock.Instant? {
        guard state.loader != nil, state.layout.strips.contains(where: { $0.kind == .loader }) else { return nil }
        return lastLoaderTick + .milliseconds(125)
    }

    /// Applies the changes that are due at `now`.
    public func tick(at now: ContinuousClock.Instant = .now) {
        if let pullEnd, pullEnd <= now {
            self.pullEnd = nil
            perform(.releasePull)
        }
        if let loaderTick, loaderTick <= now {
            lastLoaderTick = now
            perform(.tickLoader)
        }
        endBlink(at: now)
        tickRowAnimation(at: now)
        drawChanges(at: now)
        guard let dragTick, dragTick <= now else { return }
        lastTick = now
        perform(.dragTick)
    }
}
