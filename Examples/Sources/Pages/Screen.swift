import DataGrid
import DataGridTerminal
import TerminalSurface

/// The gallery with its settings beside it and the keys below.
@MainActor
final class Screen {
    let gallery: Gallery
    let panel: SettingsPanel
    /// True while the settings are shown.
    private(set) var isOpen = false
    private weak var application: GridApplication?
    /// Delivers the next photos, if they are requested.
    private var arrival: ApplicationTimer?
    /// The grid with the focus and the colors for which the theme was applied.
    private var appliedTheme: (focused: GridController?, colors: TerminalColors)?

    init(_ gallery: Gallery) {
        self.gallery = gallery
        panel = SettingsPanel(of: gallery)
    }

    func show(on application: GridApplication) {
        self.application = application
        application.add(gallery.grid) { [weak self] in self?.galleryFrame(on: $0) ?? TerminalRect($0) }
        gallery.settings.hasMotion = !gallery.grid.reduceMotion
        gallery.requestMore = { [weak self] in self?.requestMore() }
        application.adaptsPresetThemes = false
        application.onStart = { [weak self] in self?.applyTheme() }
        application.onTurn = { [weak self] in self?.applyTheme() }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.onEvent = { [weak self, weak application] event in
            guard let self, case .key(let press) = event else { return false }
            gallery.clearNote(after: press)
            application?.setNeedsDisplay()
            return press.modifiers.isEmpty && handle(press.key)
        }
    }

    // MARK: Keys

    private var isFocused: Bool { isOpen && application?.focused === panel.grid }

    /// Handles the keys that the grids do not use.
    private func handle(_ key: Key) -> Bool {
        guard panel.grid.state.editing == nil else { return false }
        switch key {
        case .character("e"): toggleSettings()
        case .escape where isOpen, .character("q") where isOpen: toggleSettings()
        case let key where isFocused: return panel.handle(key)
        case .character("i"): gallery.insertPhoto()
        case .character("I"): gallery.insertAlbum()
        case let key where Gallery.removalKeys.contains(key): gallery.removePhotoOrAlbum()
        default: return false
        }
        return true
    }

    /// Opens or closes the settings.
    private func toggleSettings() {
        guard let application else { return }
        isOpen.toggle()
        if isOpen {
            application.add(panel.grid) { [weak self] in self?.panelFrame(on: $0) ?? TerminalRect($0) }
            application.focused = panel.grid
        } else {
            application.remove(panel.grid)
        }
        gallery.grid.frame = galleryFrame(on: application.backend.size)
    }

    /// Delivers the next photos after a while, as a slow source would.
    private func requestMore() {
        guard arrival == nil else { return }
        arrival = application?.addTimer(interval: .milliseconds(700)) { [weak self] in
            self?.arrival?.cancel()
            self?.arrival = nil
            self?.gallery.appendPhotos(40)
        }
    }

    // MARK: Drawing

    /// Applies the preset for the terminal. The grid without the focus has a dim cursor.
    private func applyTheme() {
        guard let application else { return }
        let (focused, colors) = (application.focused, application.colors)
        if let appliedTheme, appliedTheme.focused === focused, appliedTheme.colors == colors { return }
        appliedTheme = (focused, colors)
        let theme = Theme.preset(for: colors).fitted(to: colors)
        for grid in [gallery.grid, panel.grid] {
            grid.perform(.setTheme(theme))
            guard grid !== focused else { continue }
            grid.perform(.setStyle(.cursor, theme.selection))
            grid.perform(.setStyle(.currentHeader, theme.header))
        }
    }

    /// The width of the settings with their frame.
    private static let panelWidth = SettingsPanel.width + 4

    /// The room for the settings and a space before them; all of a narrow screen.
    private func panelWidth(on size: TerminalSize) -> Int { size.columns < 56 ? size.columns : Self.panelWidth + 1 }

    /// An open panel also needs a line for a description.
    private func height(on size: TerminalSize) -> Int { max(0, size.rows - (isOpen ? 3 : 2)) }

    private func galleryFrame(on size: TerminalSize) -> TerminalRect {
        TerminalRect(x: 0, y: 1, width: size.columns - (isOpen ? panelWidth(on: size) : 0), height: height(on: size))
    }

    private func panelFrame(on size: TerminalSize) -> TerminalRect {
        let width = min(Self.panelWidth, size.columns)
        return TerminalRect(
            x: size.columns - width + 2, y: 2, width: max(0, width - 3), height: min(max(0, height(on: size) - 2), Setting.all.count))
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let (theme, size) = (gallery.grid.state.theme, buffer.size)
        let title = buffer.write("Photos", x: 1, y: 0, style: theme.title.textStyle)
        let sizeText = "\(gallery.count) in \(gallery.albums.count) albums\(page.map { ", \($0)" } ?? "")"
        let detail = gallery.note.isEmpty ? sizeText : gallery.note
        buffer.write(detail, x: 3 + title, y: 0, width: size.columns - title - 4, style: theme.titleDetail.textStyle, ellipsis: true)
        if isOpen { drawPanel(on: &buffer, theme) }
        buffer.write(hints, y: size.rows - 1, theme: theme)
    }

    /// The page of the photos on the screen; `nil` without paging.
    private var page: String? {
        guard let size = gallery.grid.state.layout.pageSize else { return nil }
        return "page \(gallery.grid.state.scroll.top / size + 1) of \((gallery.count + size - 1) / size)"
    }

    private var hints: [KeyHint] {
        if panel.grid.state.editing != nil { return [KeyHint("Enter", "accept"), KeyHint("Esc", "cancel")] }
        if isFocused {
            return [
                KeyHint("q", "back"), KeyHint("Space", "change"), KeyHint("←→", "less, more"), KeyHint("0–9", "type"),
                KeyHint("F6", "photos"),
            ]
        }
        let first = isOpen ? [KeyHint("q", "back"), KeyHint("F6", "settings")] : [KeyHint("q", "quit"), KeyHint("e", "settings")]
        let move = gallery.settings.allowsReordering ? [KeyHint("Alt-↑↓", "move")] : []
        return first + [KeyHint("i", "add photo"), KeyHint("I", "add album"), KeyHint("x", "remove"), KeyHint("PgDn", "page")] + move
    }

    /// Draws the frame of the settings, and a description of the current one below.
    private func drawPanel(on buffer: inout CellBuffer, _ theme: Theme) {
        let frame = panelFrame(on: buffer.size)
        let (x, right, style) = (frame.x - 2, frame.x + frame.width, (isFocused ? theme.currentRowHeader : theme.gridLine).textStyle)
        let line = String(repeating: "─", count: max(0, right - x - 1))
        buffer.write("╭\(line)╮", x: x, y: 1, style: style)
        for y in 2..<max(2, frame.y + frame.height) {
            buffer.write("│", x: x, y: y, style: style)
            buffer.write("│", x: right, y: y, style: style)
        }
        buffer.write("╰\(line)╯", x: x, y: frame.y + frame.height, style: style)
        buffer.write(" Settings ", x: x + 2, y: 1, style: (isFocused ? theme.currentRowHeader : theme.titleDetail).textStyle)
        let setting = panel.current
        let words = setting.hasEffect(gallery.settings) ? setting.description : "No effect: it needs \(setting.condition)."
        buffer.write(words, x: 1, y: buffer.size.rows - 2, width: buffer.size.columns - 2, style: theme.message.textStyle, ellipsis: true)
    }
}
