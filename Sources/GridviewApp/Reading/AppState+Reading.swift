import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

/// A pending request to read the file of a sheet with other settings. It ends when the file is open again.
struct RereadRequest: Equatable {
    let settings: ReadingSettings
    /// For undo and redo, the settings and the view to restore; `nil` for a new change.
    var restoredState: RereadState?
    /// For undo and redo, the history afterwards; `nil` to add this change to the current history.
    var history: ViewHistory?
    /// The number of changes to undo, or to redo if negative; 0 for a new change.
    var undoCount = 0
    /// The message to show once the file is open again.
    var message: Message
    /// True if the user has accepted suggested options. The next suggestion may then be shown.
    var isSuggested = false
}

/// The settings with which a file was read, and the view of the file at that time. Undo and redo restore them.
struct RereadState: Equatable {
    var settings: ReadingSettings
    var view: ViewState
    /// The definitions of the derived columns.
    var derived: [String]
}

/// The settings and views before and after the file was read with other settings, for undo and redo.
struct RereadChange: Equatable {
    var before: RereadState
    var after: RereadState

    /// The number of stored columns.
    var size: Int { before.view.columns.count + after.view.columns.count }
}

extension AppState {
    /// The settings with which the file of the current sheet is read: the sheet's own settings or, by default, the settings of the command
    /// line.
    var readingSettings: ReadingSettings { sheet.readingSettings ?? launchReading }

    /// The command-line options that read the file of the current sheet in the same way. Keys are option names without hyphens.
    var readingOptions: [String: String] {
        let settings = readingSettings
        var options = settings.options
        // A changed delimiter replaces the format of the command line.
        if settings.delimiter == launchReading.delimiter { options["format"] = launchFormat }
        return options
    }

    mutating func openReading() -> [AppEffect] {
        switch document.reading {
        case .awaited, .failed: return show(.notReadYet)
        case .running, .stopped, .complete: return preview(ReadingForm(readingSettings))
        }
    }

    /// Shows the form for reading options. If its values are valid, starts to read the first rows with them, for the preview.
    mutating func preview(_ form: ReadingForm) -> [AppEffect] {
        var form = form
        form.error = nil
        do {
            let settings = try form.settings()
            overlay = form
            return [.previewReading(settings)]
        } catch {
            form.error = error
            overlay = form
            return []
        }
    }

    /// Shows the first rows in the open form, or the error in its values. If both are `nil`, the input cannot be read with other settings,
    /// and the form closes.
    mutating func showPreview(_ preview: ReadingPreview?, _ error: ReadingSettingsError?) {
        guard var form = overlay as? ReadingForm else { return }
        (form.preview, form.error) = (preview, error)
        overlay = form
        guard preview == nil, error == nil else { return }
        overlay = nil
        show(.cannotReadAgain(Message.name(document.name)))
    }

    /// Reads the file again with the values of the form. If they are invalid, the form stays open.
    mutating func applyReading(_ form: ReadingForm) -> [AppEffect] {
        guard form.error == nil, let settings = try? form.settings() else { return [] }
        overlay = nil
        return read(with: settings)
    }

    /// Reads the file again with these settings. Does nothing if it was read with the same settings.
    mutating func read(with settings: ReadingSettings, isSuggested: Bool = false) -> [AppEffect] {
        guard settings != readingSettings else { return [] }
        sheet.rereadRequest = RereadRequest(
            settings: settings, message: .readAgain(Message.name(document.name), undoKey: key(.undo)), isSuggested: isSuggested)
        return [.reread]
    }

    mutating func useRowAsHeader() -> [AppEffect] {
        guard let row = grid.currentRow else { return show(.noRows) }
        return row.isCountedFromEnd ? show(.rowCannotBeHeader) : [.useAsHeader(record: row.rawValue)]
    }

    /// Reads the file again with column names from the line after the first `lines` lines. If `lines` is `nil`, shows that the row cannot
    /// be the header.
    mutating func useAsHeader(lines: Int?) -> [AppEffect] {
        guard let lines else { return show(.rowCannotBeHeader) }
        var settings = readingSettings
        (settings.skippedLines, settings.header) = (lines, "yes")
        return read(with: settings)
    }

    // MARK: Suggestions

    /// Suggests other reading options until the next key; Enter accepts them. A panel or a more important message prevents this.
    mutating func suggest(_ suggestion: ReadingSuggestion) {
        guard message == nil || message?.id == .firstSteps || message?.id == .readAgain, overlay == nil, pick == nil else { return }
        sheet.suggestion = suggestion
        show(.suggested(suggestion, acceptKey: KeyNotation.label(KeyPress(.enter))))
    }

    /// Ends the current suggestion, and accepts it if the key is Enter.
    /// - Parameter shownMessage: the message that was shown before the key was pressed.
    /// - Returns: The effects of accepting the suggestion; `nil` if the key must be handled in another way.
    mutating func answerSuggestion(_ press: KeyPress, _ shownMessage: Message?) -> [AppEffect]? {
        guard let suggestion = sheet.suggestion else { return nil }
        sheet.suggestion = nil
        guard shownMessage?.id == .readingSuggested, press == KeyPress(.enter), overlay == nil, pendingKeys.isEmpty, grid.drag == nil else {
            return nil
        }
        if case .totalsRow(let column, let value) = suggestion {
            return addFilter(Filter.text(FieldID(rawValue: column), hasValue: value, isNegated: true, in: schema))
        }
        return read(with: suggestion.applied(to: readingSettings), isSuggested: true)
    }

    // MARK: Applying

    /// The current settings and the current view, to restore them by undo or redo.
    private var currentRereadState: RereadState {
        RereadState(settings: readingSettings, view: ViewState(self), derived: definitions(of: sheet.derivedFields))
    }

    /// Shows the file after it was read with other settings, and adds this to the history as one change.
    /// - Parameter show: shows the rows with the new columns, and drops filters and sort keys of columns that no longer exist.
    mutating func showReread(_ columns: [Column], _ show: (inout AppState, [Column]) -> [AppEffect]) -> [AppEffect] {
        guard let request = sheet.rereadRequest else { return show(&self, columns) }
        let before = currentRereadState
        var history = sheet.history
        history.store(derived: before.derived)
        sheet.rereadRequest = nil
        sheet.readingSettings = request.settings
        sheet.awaitedMoves = nil
        message = nil
        var effects = show(&self, request.restoredState == nil ? columnsKeepingSetWidths(columns) : columns)
        if let restoredState = request.restoredState { effects += restore(restoredState.view) }
        if let changed = request.history {
            sheet.history = changed
        } else {
            sheet.history = history
            let view = ViewState(self)
            sheet.history.add(
                .init(
                    title: ViewHistory.readingOptionsTitle, undoPatch: ViewPatch(from: view, to: view),
                    redoPatch: ViewPatch(from: view, to: view),
                    rereadChange: RereadChange(before: before, after: currentRereadState)))
        }
        // Keep a message about a dropped filter or sort key, because it is more important.
        if let message, message.id != .reloaded, message.id != .changeReloaded { return effects }
        message = request.message
        return effects
    }

    /// The columns with the widths that the user has set for columns of the same names.
    private func columnsKeepingSetWidths(_ columns: [Column]) -> [Column] {
        let fixed = Dictionary(grid.columns.all.filter { $0.width != .automatic }.map { ($0.valueKey, $0.width) }) { first, _ in first }
        return columns.map { column in
            guard let width = fixed[column.valueKey] else { return column }
            var column = column
            column.width = width
            return column
        }
    }

    /// Restores a view of the file with these columns. Leaves out columns whose field no longer exists.
    private mutating func restore(_ view: ViewState) -> [AppEffect] {
        let fields = Set(grid.columns.all.map(\.field))
        controller.perform(.replaceColumns(view.columns.filter { fields.contains($0.field) }))
        let patch = ViewPatch(from: ViewState(self), to: view)
        apply(layout: patch)
        query = QueryState(requesting: view.arrangement, isRestoring: true)
        updateSortBadges()
        showFilters(view.arrangement)
        if query.isSettled { return restoreMoves(view.movedRows) }
        sheet.awaitedMoves = view.movedRows
        return []
    }
}

extension ViewPatch {
    /// Applies the differences to a view that is stored, not shown.
    func applied(to view: ViewState) -> ViewState {
        var view = view
        if size > 0 { view.columns = applied(to: view.columns) }
        if let frozenRows { view.frozenRows = frozenRows }
        if let arrangementChange { view.arrangement = arrangementChange.after }
        if let layout { view.layout = layout }
        if let movedRows { view.movedRows = movedRows }
        view.marks.formSymmetricDifference(changedMarks)
        return view
    }
}

extension AppState {
    /// Undoes or redoes changes by reading the file again. Returns `nil` if none of the changes has read the file with other settings.
    /// - Parameters:
    ///   - changes: the changes in the order in which to undo or redo them.
    ///   - history: the history afterwards.
    mutating func rereadForHistory(_ changes: [ViewHistory.Change], _ history: ViewHistory, isUndoing: Bool) -> [AppEffect]? {
        var target: RereadState?
        for change in changes {
            if let rereadChange = change.rereadChange {
                target = isUndoing ? rereadChange.before : rereadChange.after
            } else if let side = target {
                target?.view = (isUndoing ? change.undoPatch : change.redoPatch).applied(to: side.view)
            }
        }
        guard let target, let last = changes.last else { return nil }
        let message: Message = isUndoing ? .undone(last.title, redoKey: key(.redo)) : .redone(last.title, undoKey: key(.undo))
        sheet.rereadRequest = RereadRequest(
            settings: target.settings, restoredState: target, history: history, undoCount: isUndoing ? changes.count : -changes.count,
            message: message)
        return [.reread]
    }
}
