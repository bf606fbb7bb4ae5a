import DataGrid
import DataGridQuery
import DataGridSources
import DataGridTerminal
import Tables
import TerminalSurface

/// A pending change of the settings with which a sheet's file is read. It ends when the file is open again.
struct Rereading: Equatable {
    let settings: ReadingSettings
    /// The view to restore, for undo and redo; `nil` for a new change.
    var restored: RereadSide?
    /// The history after undo or redo; `nil` to add this change to the current history.
    var history: ViewHistory?
    /// The number of changes that are undone, or redone if negative; 0 for a new change.
    var undoCount = 0
    /// The message, once the file is open again.
    var message: Message
    /// True if the user accepted a suggestion. Another suggestion may follow.
    var isSuggested = false
}

/// The settings with which a file was read, and its view at that time.
struct RereadSide: Equatable {
    var settings: ReadingSettings
    var view: ViewState
    /// The definitions of the derived columns.
    var derived: [String]
}

/// The states before and after a file was read with other settings.
struct RereadChange: Equatable {
    var before: RereadSide
    var after: RereadSide

    /// The number of stored columns.
    var size: Int { before.view.columns.count + after.view.columns.count }
}

extension AppState {
    /// The settings with which the file of the current sheet is read.
    var readingSettings: ReadingSettings { sheet.reading ?? launchReading }

    /// The options with which the file of the current sheet is read, by name without hyphens.
    var readingOptions: [String: String] {
        let settings = readingSettings
        var options = settings.options
        // A new delimiter replaces the format.
        if settings.delimiter == launchReading.delimiter { options["format"] = launchFormat }
        return options
    }

    mutating func openReading() -> [AppEffect] {
        switch document.reading {
        case .awaited, .failed: return show(.notReadYet)
        case .running, .stopped, .complete: return preview(ReadingForm(readingSettings))
        }
    }

    /// Shows a form and, if its settings are valid, requests a preview: the first rows read with these settings.
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

    /// Shows the preview of the open form, or the error in its settings. Closes the form if there is neither, because the input cannot be
    /// read with other settings.
    mutating func showPreview(_ preview: ReadingPreview?, _ error: ReadingSettingsError?) {
        guard var form = overlay as? ReadingForm else { return }
        (form.preview, form.error) = (preview, error)
        overlay = form
        guard preview == nil, error == nil else { return }
        overlay = nil
        show(.cannotReadAgain(Message.name(document.name)))
    }

    /// Reads the file with the settings of a form, unless they are invalid.
    mutating func applyReading(_ form: ReadingForm) -> [AppEffect] {
        guard form.error == nil, let settings = try? form.settings() else { return [] }
        overlay = nil
        return read(with: settings)
    }

    /// Reads the file with other settings.
    mutating func read(with settings: ReadingSettings, isSuggested: Bool = false) -> [AppEffect] {
        guard settings != readingSettings else { return [] }
        sheet.rereading = Rereading(
            settings: settings, message: .readAgain(Message.name(document.name), undo: key(.undo)), isSuggested: isSuggested)
        return [.reread]
    }

    mutating func useRowAsHeader() -> [AppEffect] {
        guard let row = grid.currentRow else { return show(.noRows) }
        return row.isCountedFromEnd ? show(.rowCannotBeHeader) : [.useAsHeader(record: row.rawValue)]
    }

    /// Reads the file again, and takes the column names from the line after the first `lines` lines. `nil` for a row that cannot be the
    /// header.
    mutating func useAsHeader(lines: Int?) -> [AppEffect] {
        guard let lines else { return show(.rowCannotBeHeader) }
        var settings = readingSettings
        (settings.skippedLines, settings.header) = (lines, "yes")
        return read(with: settings)
    }

    // MARK: Suggestions

    /// Suggests other reading options, until the next key.
    mutating func suggest(_ suggestion: ReadingSuggestion) {
        guard message == nil || message?.id == .firstSteps || message?.id == .readAgain, overlay == nil, pick == nil else { return }
        sheet.suggestion = suggestion
        show(.suggested(suggestion, accept: KeyNotation.label(KeyPress(.enter))))
    }

    /// Ends the current suggestion. If the key is Enter, accepts it.
    /// - Parameter shown: the message that was shown before the key.
    /// - Returns: The effects of accepting the suggestion; `nil` if the key has another effect.
    mutating func answerSuggestion(_ press: KeyPress, _ shown: Message?) -> [AppEffect]? {
        guard let suggestion = sheet.suggestion else { return nil }
        sheet.suggestion = nil
        guard shown?.id == .readingSuggested, press == KeyPress(.enter), overlay == nil, pending.isEmpty, grid.drag == nil else {
            return nil
        }
        if case .totalsRow(let column, let value) = suggestion {
            return addFilter(Filter.text(FieldID(rawValue: column), hasValue: value, isNegated: true, in: schema))
        }
        return read(with: suggestion.applied(to: readingSettings), isSuggested: true)
    }

    // MARK: Applying

    /// The settings with which the file is read, and its view.
    private var rereadSide: RereadSide {
        RereadSide(settings: readingSettings, view: ViewState(self), derived: definitions(of: sheet.derivedFields))
    }

    /// Shows the file after it was read with other settings: one change that can be undone.
    /// - Parameter show: shows the rows with the new columns, and drops filters and sort keys without a column.
    mutating func showReread(_ columns: [Column], _ show: (inout AppState, [Column]) -> [AppEffect]) -> [AppEffect] {
        guard let rereading = sheet.rereading else { return show(&self, columns) }
        let before = rereadSide
        var history = sheet.history
        history.store(derived: before.derived)
        sheet.rereading = nil
        sheet.reading = rereading.settings
        sheet.awaitedMoves = nil
        message = nil
        var effects = show(&self, rereading.restored == nil ? keepingWidths(columns) : columns)
        if let restored = rereading.restored { effects += restore(restored.view) }
        if let changed = rereading.history {
            sheet.history = changed
        } else {
            sheet.history = history
            let view = ViewState(self)
            sheet.history.add(
                .init(
                    title: ViewHistory.reading, undoing: ViewPatch(from: view, to: view), redoing: ViewPatch(from: view, to: view),
                    rereading: RereadChange(before: before, after: rereadSide)))
        }
        // A message about a dropped filter or sort key is more important.
        if let message, message.id != .reloaded, message.id != .changeReloaded { return effects }
        message = rereading.message
        return effects
    }

    /// The columns with the widths that the user has given to columns of the same name.
    private func keepingWidths(_ columns: [Column]) -> [Column] {
        let fixed = Dictionary(grid.columns.all.filter { $0.width != .automatic }.map { ($0.valueKey, $0.width) }) { first, _ in first }
        return columns.map { column in
            guard let width = fixed[column.valueKey] else { return column }
            var column = column
            column.width = width
            return column
        }
    }

    /// Restores a view of the same columns. Omits columns whose field does not exist.
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
    /// Applies the difference to a view that is not shown.
    func applied(to view: ViewState) -> ViewState {
        var view = view
        if size > 0 { view.columns = applied(to: view.columns) }
        if let frozenRows { view.frozenRows = frozenRows }
        if let arrangements { view.arrangement = arrangements.after }
        if let layout { view.layout = layout }
        if let movedRows { view.movedRows = movedRows }
        view.marks.formSymmetricDifference(marks)
        return view
    }
}

extension AppState {
    /// Undoes or redoes changes if at least one of them has read the file with other settings; otherwise, returns `nil`.
    /// - Parameters:
    ///   - changes: the changes in the order of undoing or redoing.
    ///   - history: the history after undoing or redoing.
    mutating func rereadForHistory(_ changes: [ViewHistory.Change], _ history: ViewHistory, isUndoing: Bool) -> [AppEffect]? {
        var target: RereadSide?
        for change in changes {
            if let rereading = change.rereading {
                target = isUndoing ? rereading.before : rereading.after
            } else if let side = target {
                target?.view = (isUndoing ? change.undoing : change.redoing).applied(to: side.view)
            }
        }
        guard let target, let last = changes.last else { return nil }
        let message: Message = isUndoing ? .undone(last.title, redo: key(.redo)) : .redone(last.title, undo: key(.undo))
        sheet.rereading = Rereading(
            settings: target.settings, restored: target, history: history, undoCount: isUndoing ? changes.count : -changes.count,
            message: message)
        return [.reread]
    }
}
