import DataGrid
import DataGridQuery
import DataGridSources
import Tables

extension Session {
    /// Saves a view as a file. The prompt stays open until a job has checked that the file can be written.
    func save(_ view: SavedView, to path: String, replacesFile: Bool) {
        guard let coding = options.viewCoding else { return send(.exportRefused(.failed("This program cannot save views."))) }
        let (folder, unfinished, openPaths) = (options.exportFolder, sheet.unfinishedFiles, openPaths)
        startJob(.export, "saving the view", .rows(1)) { control, outbox in
            try control.checkCancellation()
            let bytes = try coding.encode(view)
            guard bytes.count <= ViewCoding.byteLimit else {
                return outbox.send(.exportRefused(.failed("The view is too large: it has too many columns.")))
            }
            guard let file = Self.exportFile(path, in: folder, replacesFile: replacesFile, openPaths: openPaths, outbox) else { return }
            try unfinished.with(file) { file in
                if let reason = Platform.writeAll(bytes, to: file.descriptor) { throw file.failure(reason) }
                _ = try file.finish(control)
            }
            outbox.send(.show(.viewSaved(file.target.name, path: path)))
        }
    }

    /// Applies the view that the command line names.
    func restoreLaunchView() {
        guard let view = options.view else { return }
        restore { view }
    }

    /// Applies the view that was last saved for this file.
    func restoreLastView() {
        guard let recent = options.recentViews, let coding = options.viewCoding else { return send(.show(.noRecentViews)) }
        guard let path = document.input.path else { return send(.show(.noLastView)) }
        restore(rereads: true) {
            guard let entry = recent.entryPath(for: path), RecentViews.exists(entry) else { return nil }
            return try coding.read(entry)
        }
    }

    /// Applies a saved view.
    /// - Parameters:
    ///   - rereads: true to read the file again with the reading options of the view first.
    ///   - read: returns the view; `nil` if there is no view. A job calls it, and samples the new derived columns of the view.
    private func restore(rereads: Bool = false, _ read: @escaping @Sendable () throws -> ViewCoding.DecodedView?) {
        guard !jobs.isRunning(.derive) else { return send(.show(.addingColumn)) }
        let (table, columns, groupsThousands) = (document.input.snapshot(), state.grid.columns.all, options.groupsThousands)
        let (existing, shown, computed) = (state.sheet.derivedFields, state.derivedFields, document.derivedFields)
        let currentSettings = state.readingSettings
        startJob(.derive, "restoring the view", .rows(1)) { _, outbox in
            guard let decoded = try read() else { return outbox.send(.show(.noLastView)) }
            var settings = ReadingSettings()
            settings.add(decoded.view.reading)
            if rereads, settings != currentSettings {
                let newSettings = settings
                return outbox.post { session in
                    session.sheet.awaitedView = decoded
                    session.send(.rereadRequested(newSettings))
                    session.sheet.awaitedView = nil
                }
            }
            let view = decoded.view
            let restored = view.restored(columns).columns
            let names = Schema(restored)
            let present = Set(shown.map { $0.text(in: names) })
            var (fields, leftOut) = ([DerivedField](), max(0, view.derived.count - Self.derivedLimit))
            for definition in view.derived.prefix(Self.derivedLimit) where !present.contains(definition) {
                let schema = Schema(names.fields + fields.map(\.field)).namingFirstFields
                if let field = try? DerivedField(definition, id: DerivedField.nextID(after: existing + fields), in: schema) {
                    fields.append(field)
                } else {
                    leftOut += 1
                }
            }
            let new = fields
            let profiles =
                new.isEmpty
                ? []
                : DerivedTable(table, CompiledDerivedFields(computed + new, schema: names)).profiles(of: new.map(\.field))
            let omitted = leftOut
            outbox.post { session in
                let known = session.state.grid.columns.all
                let columns = zip(new, profiles).map { Document.column(of: $0, $1, from: known, groupsThousands: groupsThousands) }
                session.send(
                    .viewRestored(view, deriving: new, columns: columns, leftOutCount: omitted, unknownFields: decoded.unknownFields))
            }
        }
    }

    /// Applies a saved view after the file was read again with the reading options of the view.
    func restore(reread view: ViewCoding.DecodedView) { restore { view } }

    /// The maximum number of derived columns that a saved view may define.
    private nonisolated static let derivedLimit = 256

    /// Saves the view of each open file if it has changed, for ``restoreLastView()`` when the file is opened again.
    func saveRecentViews() {
        guard let recent = options.recentViews, let coding = options.viewCoding else { return }
        for id in state.sheets.map(\.id) {
            withSheet(id) {
                guard state.sheet.history.hasViewChanges || state.hasOtherCollapsedGroups, let path = document.input.path,
                    let bytes = try? coding.encode(state.savedView())
                else { return }
                recent.save(bytes, for: path)
            }
        }
    }
}
