import DataGrid
import DataGridTerminal
import TerminalSurface

/// The grid of contacts and its commands.
@MainActor
final class AddressBook: GridDelegate {
    let source: ObjectSource<Contact, Int>
    let grid: GridController
    /// True while the contact under the cursor is open.
    private(set) var isOpen = false { didSet { grid.setNeedsDisplay() } }

    init(_ contacts: [Contact]) {
        source = ObjectSource(contacts, columns: Self.columns)
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.showsAccessories = true
        metrics.hasStickySectionHeaders = true
        metrics.cards.spacing.height = 0
        metrics.cards.minimumWidth = 37
        grid = GridController(columns: [], metrics: metrics)
        grid.delegate = self
        source.accessory = { _ in .disclosure }
        source.rowNoun = RowNoun("contact", "contacts")
        // Sections are in alphabetical order. In each section, people are in the sort order of the header.
        source.groupings = [ObjectGrouping(by: \.letter)]
        source.attach(to: grid)
        source.sort(by: [ColumnSort(1)])
        grid.perform(.setSelectionMode(.none))
        // The name stays visible in a narrow table.
        grid.perform(.freeze(FrozenPanes(leading: 2)))
        grid.perform(.setPresentation(.cards))
    }

    /// Each column names its slot on a card. In a table, a terminal of 60 columns shows every column except the e-mail, and one of 80
    /// columns shows every column.
    private static let columns: [ObjectColumn<Contact>] = [
        ObjectColumn("", \.initials) {
            $0.width = .fixed(2)
            $0.sortMode = .none
            $0.hasGraphics = true
            $0.cardSlot = .icon
        }.withContent { CellContent(.icon(Icon($0.initials, fallback: $0.initials, name: $0.initials, style: badge($0)))) },
        // The column sorts by family name, but shows the given name first.
        ObjectColumn("Name", \.sortName) {
            $0.width = .fixed(18)
            $0.cardSlot = .headline
        }.formatted(\.name),
        ObjectColumn("Title", \.title) {
            $0.width = .fixed(17)
            $0.cardSlot = .subheadline
        },
        ObjectColumn("Phone", \.phone) {
            $0.width = .fixed(9)
            $0.cardSlot = .status
        },
        ObjectColumn("", \.isFavorite) {
            $0.width = .fixed(1)
            $0.hasGraphics = true
            $0.cardSlot = .substatusImage
        }.withContent { $0.isFavorite ? CellContent(.icon(star)) : CellContent("") },
        ObjectColumn("E-mail", \.email) {
            $0.width = .flexible
            $0.minimumWidth = 20
            $0.cardSlot = .footnote
        },
    ]

    private static let star = Icon("★", fallback: "*", name: "favorite")

    /// A fixed color for each contact.
    private static func badge(_ contact: Contact) -> CellStyle {
        let grounds: [UInt32] = [0x2F6F8F, 0x7A4F9A, 0x3F7D4E, 0x9A5B3C, 0x8A3F5F, 0x4F5FA0]
        return CellStyle(foreground: Color(0xFFFFFF), background: Color(grounds[contact.id % grounds.count]), traits: .bold)
    }

    /// The star has a text color of the theme, so that it is visible on every background.
    func style(ofRow row: RowID, column: ColumnID) -> CellStyle? {
        column == 4 ? CellStyle(foreground: grid.state.theme.sectionHeader.foreground) : nil
    }

    // MARK: Actions

    /// Enter, a double-click on a contact, or a click on its accessory.
    func didActivate(row: RowID, column: ColumnID) { isOpen = true }
    func didActivateAccessory(ofRow row: RowID) { isOpen = true }
    /// Closes the contact when the cursor moves to a section header, which has no contact to show.
    func didMoveCursor(to cursor: GridCursor) { if cursor.row == nil { isOpen = false } }

    /// The contact under the cursor; `nil` on a section header.
    private var current: Contact? { grid.state.currentRow.flatMap(source.object) }

    /// Handles this program's keys and leaves all other keys to the grid.
    func handle(_ press: KeyPress) -> Bool {
        switch press.key {
        case _ where !press.modifiers.isEmpty: return false
        case .escape where isOpen, .enter where isOpen, .character("q") where isOpen: isOpen = false
        case .character("f"): if let current { source.update(current.id) { $0.isFavorite.toggle() } }
        case .character("t"): grid.perform(.setPresentation(grid.state.presentation == .cards ? .table : .cards))
        case .character("z"):
            let sections = 0..<grid.state.numberOfSections
            grid.perform(.setAllCollapsed(sections.contains { !grid.state.isCollapsed(section: $0) }))
        case .character("A"..."Z"): if case .character(let letter) = press.key { goToContacts(of: String(letter)) }
        default: return false
        }
        return true
    }

    /// A click outside an open contact closes it, and does not reach the grid below.
    private func handle(_ mouse: MouseEvent, on size: TerminalSize) -> Bool {
        guard isOpen else { return false }
        switch mouse.kind {
        case .press: isOpen = openedFrame(on: size).contains(x: mouse.x, y: mouse.y)
        case .wheel: break
        // A drag or release may belong to a press that the grid received.
        case .drag, .release: return false
        }
        return true
    }

    /// Moves to the contacts of a letter.
    private func goToContacts(of letter: String) {
        let sections = 0..<source.numberOfSections
        guard let section = sections.first(where: { source.title(ofSection: $0) == letter }) else { return }
        grid.perform(.moveCursor(GridCursor(item: .header(section))))
    }

    // MARK: Drawing

    /// Shows the address book in an application.
    func show(on application: GridApplication) {
        let backend = application.backend
        application.add(grid) { TerminalRect(x: 0, y: 1, width: $0.columns, height: $0.rows - 2) }
        application.drawBackground = { [weak self] in self?.drawFrame(on: &$0) }
        application.drawOverlay = { [weak self] in
            self?.drawOpened(on: &$0)
            return nil
        }
        application.onEvent = { [weak self] event in
            switch event {
            case .key(let press): self?.handle(press) ?? false
            case .mouse(let mouse): self?.handle(mouse, on: backend.size) ?? false
            default: false
            }
        }
    }

    private func drawFrame(on buffer: inout CellBuffer) {
        let favorites = source.objects.count(where: \.isFavorite)
        buffer.write("Contacts", x: 1, y: 0, style: grid.state.theme.title.textStyle)
        buffer.write("\(source.count) people, \(favorites) ★", x: 11, y: 0, style: grid.state.theme.titleDetail.textStyle)
        let hints =
            isOpen
            ? [KeyHint("q", "back"), KeyHint("↑↓", "others"), KeyHint("f", "★")]
            : [
                KeyHint("q", "quit"), KeyHint("Enter", "open"), KeyHint("f", "★"),
                KeyHint("t", grid.state.presentation == .cards ? "table" : "cards"), KeyHint("A–Z", "go to"), KeyHint("z", "collapse"),
            ]
        buffer.write(hints, y: buffer.size.rows - 1, theme: grid.state.theme)
    }

    /// The frame of an open contact: the middle of the screen.
    private func openedFrame(on size: TerminalSize) -> TerminalRect {
        let (width, height) = (min(46, size.columns), 8)
        return TerminalRect(x: (size.columns - width) / 2, y: max(0, (size.rows - height) / 2), width: width, height: height)
    }

    /// Draws the open contact in a frame.
    private func drawOpened(on buffer: inout CellBuffer) {
        guard isOpen, let contact = current else { return }
        let lines = [contact.title, "", "☎ \(contact.phone)", "✉ \(contact.email)", "", "f \(contact.isFavorite ? "★" : "☆")   Esc back"]
        let frame = openedFrame(on: buffer.size)
        let (x, y, width) = (frame.x, frame.y, frame.width)
        let style = grid.state.theme.panel.textStyle
        buffer.fill(frame, style: style)
        buffer.write("╭" + String(repeating: "─", count: width - 2) + "╮", x: x, y: y, style: style)
        let title = grid.state.theme.panel.applying(CellStyle(traits: .bold)).textStyle
        buffer.write(" \(contact.name) ", x: x + 2, y: y, width: width - 4, style: title, ellipsis: true)
        for (index, line) in lines.enumerated() {
            buffer.write("│", x: x, y: y + 1 + index, style: style)
            buffer.write(line, x: x + 3, y: y + 1 + index, width: width - 5, style: style, ellipsis: true)
            buffer.write("│", x: x + width - 1, y: y + 1 + index, style: style)
        }
        buffer.write("╰" + String(repeating: "─", count: width - 2) + "╯", x: x, y: y + lines.count + 1, style: style)
    }
}
