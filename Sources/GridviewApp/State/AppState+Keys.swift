import DataGrid
import DataGridTerminal
import TerminalSurface

extension AppState {
    /// A key was pressed: it goes to what lies on top, then through the key map.
    mutating func take(_ press: KeyPress) -> [AppEffect] {
        message = nil
        if grid.drag != nil, press.key == .escape { return change(.cancelDrag) }
        if let layer, let effects = take(press, in: layer) { return effects }

        if !pending.isEmpty, press == KeyPress(.escape) {
            pending = PendingKeys()
            return []
        }
        if pending.keys.isEmpty, press.modifiers.isEmpty, case .character(let scalar) = press.key, let digit = digit(scalar) {
            // 0 is a key of its own unless a number has begun.
            if digit > 0 || pending.count != nil {
                pending.count = min((pending.count ?? 0) * 10 + digit, 999_999_999_999)
                return []
            }
        }
        pending.keys.append(press)
        switch KeyMap.standard.resolve(pending.keys) {
        case .prefix: return []
        case .command(let id):
            let count = pending.count
            pending = PendingKeys()
            // Escape is for what is said of the search, so it has to be there still.
            if id != .escape { search?.wasLeft = ![.searchNext, .searchPrevious].contains(id) }
            return run(id, count: count)
        case .none:
            let label = KeyNotation.label(pending.keys)
            pending = PendingKeys()
            message = Message("\(label) does nothing here. ? shows all keys.", short: "\(label): no such key.")
            return []
        }
    }

    private func digit(_ scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }

    /// A key for what lies over the grid; `nil`: not for it, so the grid's.
    private mutating func take(_ press: KeyPress, in layer: Layer) -> [AppEffect]? {
        let isLeaving = press == KeyPress(.escape) || press == KeyPress(.character("c"), .control)
        switch layer {
        case .page(let page, let scroll):
            return takeInPage(page, press, scroll: scroll, isLeaving: isLeaving)
        case .record:
            return takeInRecord(press, isLeaving: isLeaving)
        case .list(var panel):
            if isLeaving {
                self.layer = nil
                return []
            }
            switch (press.key, press.modifiers) {
            case (.up, []), (.character("p"), .control), (.tab, .shift): panel.move(by: -1)
            case (.down, []), (.character("n"), .control), (.tab, []): panel.move(by: 1)
            case (.pageUp, []): panel.move(by: -min(10, panel.selected))
            case (.pageDown, []): panel.move(by: min(10, max(0, panel.matches.count - 1 - panel.selected)))
            case (.enter, []): return choose(in: panel)
            default: if panel.field.take(press) { panel.selected = 0 }
            }
            self.layer = .list(panel)
            return []
        case .search(let prompt):
            return take(press, in: prompt, isLeaving: isLeaving)
        case .rename(var field, let id):
            if isLeaving { self.layer = nil; return [] }
            if press == KeyPress(.enter) {
                self.layer = nil
                return rename(id, to: field.string)
            }
            if field.take(press) { self.layer = .rename(field, id) }
            return []
        case .filter(let prompt): return takeInFilter(press, prompt, isLeaving: isLeaving)
        case .statistics(let panel): return takeInStatistics(press, panel, isLeaving: isLeaving)
        }
    }

    private mutating func takeInPage(_ page: Page, _ press: KeyPress, scroll: Int, isLeaving: Bool) -> [AppEffect] {
        let frame = PanelFrame(pageIn: size)
        let height = frame.pageHeight
        let last = max(0, PageText.lines(of: page, self, width: frame.rect.width).count - height)
        func go(_ scroll: Int) -> Layer { .page(page, scroll: min(max(0, scroll), last)) }
        switch press.key {
        case .up, .character("k"): layer = go(scroll - 1)
        case .down, .character("j"): layer = go(scroll + 1)
        case .pageUp: layer = go(scroll - height)
        case .pageDown, .character(" "): layer = go(scroll + height)
        case .home, .character("g"): layer = go(0)
        case .end, .character("G"): layer = go(last)
        default: if isLeaving || [.character("q"), .character("?"), .enter, .function(1)].contains(press.key) { layer = nil }
        }
        return []
    }

    private mutating func takeInRecord(_ press: KeyPress, isLeaving: Bool) -> [AppEffect] {
        switch (press.key, press.modifiers) {
        case (.character("q"), []), (.enter, []): return closeRecord()
        case _ where isLeaving: return closeRecord()
        case (.character("n"), []): return nextRecord(isForward: true)
        case (.character("p"), []): return nextRecord(isForward: false)
        case (.up, []), (.character("k"), []): return [.scrollRecord(.lines(-1))]
        case (.down, []), (.character("j"), []): return [.scrollRecord(.lines(1))]
        case (.pageUp, []), (.character("b"), .control): return [.scrollRecord(.pages(-1))]
        case (.pageDown, []), (.character(" "), []), (.character("f"), .control): return [.scrollRecord(.pages(1))]
        case (.tab, []): return [.scrollRecord(.columns(1))]
        case (.tab, .shift): return [.scrollRecord(.columns(-1))]
        case (.home, []), (.character("g"), []): return [.scrollRecord(.top)]
        case (.end, []), (.character("G"), []): return [.scrollRecord(.bottom)]
        case (.character("y"), []): return [.copyFromRecord]
        case (.character("/"), []):
            message = Message("Esc first: search works in the grid.", short: "Esc, then /.")
            return []
        case (.character("R"), []):
            message = Message("Esc first: R works in the grid.", short: "Esc, then R.")
            return []
        default: return []
        }
    }

    private mutating func closeRecord() -> [AppEffect] {
        layer = nil
        return [.cancel(.record)]
    }

    /// Whether typed characters go into a prompt.
    var takesText: Bool {
        switch layer {
        case .search, .list, .rename, .filter: true
        case .page, .record, .statistics, nil: false
        }
    }

    /// Pasted text goes where text is typed, and nowhere else.
    mutating func paste(_ text: String) -> [AppEffect] {
        if !takesText { message = Message("Nothing takes pasted text here. / searches for it.", short: "Paste after /.") }
        return insert(text)
    }

    /// Inserts text into the prompt on top, as one edit.
    mutating func insert(_ text: String) -> [AppEffect] {
        switch layer {
        case .search(var prompt):
            prompt.field.insert(text)
            return searchAnew(prompt)
        case .list(var panel):
            panel.field.insert(text)
            panel.selected = 0
            layer = .list(panel)
        case .rename(var field, let id):
            field.insert(text)
            layer = .rename(field, id)
        case .filter(var prompt):
            prompt.field.insert(text)
            check(&prompt)
        case .page, .record, .statistics, nil: break
        }
        return []
    }
}
