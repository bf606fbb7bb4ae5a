import DataGrid
import DataGridTerminal
import TerminalSurface

/// A host with its own screen and event loop. It polls the terminal, passes each event to a grid (`handle`), and lets the grids draw into
/// its buffer (`draw`).
///
/// Any backend works. With `CursesBackend`, as here, the loop waits for the terminal; with `AnsiBackend`, the host transports the bytes. A
/// program without its own loop uses `GridApplication` instead.
@MainActor
final class EmployeeScreen: GridDelegate {
    let backend: any TerminalBackend
    let departments: GridController
    let people: GridController
    /// The grid that receives the keys.
    private(set) var focused: GridController

    private let list: DepartmentList
    private let source = ObjectSource(columns: EmployeeScreen.columns)
    /// The department whose employees are shown.
    private var chosenDepartment = 0
    /// The colors of the terminal, if known.
    private var theme = Theme.dark
    private var needsDisplay = true
    private var status: Int32?

    init(_ all: [Department], on backend: any TerminalBackend) {
        self.backend = backend
        list = DepartmentList(all)
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        departments = GridController(columns: list.columns, dataSource: list, metrics: metrics)
        people = GridController(columns: [], metrics: metrics)
        focused = departments
        // Only the left grid has a delegate: delegate calls do not identify the grid.
        departments.delegate = self
        departments.perform(.setSelectionMode(.none))
        departments.reload()
        source.attach(to: people)
        people.perform(.setSelectionMode(.rows))
        people.perform(.setSort([ColumnSort(0)]))
        showDepartment(0)
        focus(departments)
    }

    private static let columns: [ObjectColumn<Employee>] = [
        ObjectColumn("Name", \.name) { $0.width = .fixed(13) },
        ObjectColumn("Role", \.role) { $0.width = .fixed(15) },
        ObjectColumn("Salary", \.salary, format: .number()) { $0.width = .fixed(7) },
        ObjectColumn("Planned", \.load) {
            $0.width = .flexible
            $0.minimumWidth = 9
            $0.maximumWidth = 30
        }.withContent {
            CellContent(.bar(DataBar($0.load, text: "\(Int(($0.load * 100).rounded())) %", textPosition: .beside, textWidth: 6)))
        },
        ObjectColumn("Since", value: \.since, kind: .date, text: { $0 }, configure: { $0.width = .fixed(10) }),
    ]

    // MARK: Grid events

    /// Shows the employees of the department under the cursor.
    func didMoveCursor(to cursor: GridCursor) { if let row = cursor.row { showDepartment(row) } }

    /// Enter moves the focus to the employees.
    func didActivate(row: RowID, column: ColumnID) { focus(people) }

    private func showDepartment(_ index: Int) {
        chosenDepartment = index
        source.replaceAll(list.departments[index].people)
        people.perform(.clearSelection)
        people.perform(.move(.top))
    }

    /// Gives a grid the focus, and dims the cursor of the other grid.
    private func focus(_ grid: GridController) {
        focused = grid
        for other in [departments, people] {
            other.perform(.setStyle(.cursor, other === grid ? theme.cursor : theme.selection))
            other.perform(.setStyle(.currentHeader, other === grid ? theme.currentHeader : theme.header))
        }
        needsDisplay = true
    }

    /// Applies the preset for the terminal to both grids.
    private func applyPreset(onLightBackground isLight: Bool) {
        let colors = TerminalColors(depth: .init(backend.colorDepth), isLight: isLight)
        theme = Theme.preset(for: colors).fitted(to: colors)
        for grid in [departments, people] { grid.perform(.setTheme(theme)) }
        focus(focused)
    }

    // MARK: Event loop

    /// Runs until the user quits.
    /// - Returns: the status to exit with.
    func run() throws -> Int32 {
        try start()
        defer { backend.stop() }
        while status == nil {
            // Waits for input, or until a grid's next deadline; usually there is no deadline.
            let next = [departments, people].compactMap(\.nextTick).min()
            backend.wait(timeoutMilliseconds: next.map { max(0, Int(($0 - .now) / .milliseconds(1)) + 1) })
            turn()
        }
        return status ?? 0
    }

    func start() throws {
        try backend.start()
        applyPreset(onLightBackground: false)
        layOut()
        draw()
    }

    /// Handles pending events, and draws if something changed.
    func turn() {
        for event in backend.pollEvents() { handle(event) }
        if let signal = backend.pendingSignal { status = 128 + signal }
        departments.tick()
        people.tick()
        if status == nil, needsDisplay || departments.needsDisplay || people.needsDisplay { draw() }
    }

    private func handle(_ event: TerminalEvent) {
        switch event {
        case .resize: layOut()
        case .resumed: needsDisplay = true
        case .key(KeyPress(.tab)), .key(KeyPress(.tab, .shift)): focus(focused === people ? departments : people)
        case .key(let press): if !focused.handle(event) { handleUnhandledKey(press) }
        case .mouse(let mouse):
            // The grid where a drag started receives it until the button is released, wherever the pointer is.
            let grid =
                shownGrids.first { $0.state.drag != nil } ?? shownGrids.first { $0.frame.contains(x: mouse.x, y: mouse.y) }
            if case .press = mouse.kind, let grid, grid !== focused { focus(grid) }
            grid?.handle(event)
        case .background(let color): applyPreset(onLightBackground: Theme.isLight(color))
        case .paste: break
        }
    }

    /// Handles a key that the focused grid did not handle.
    private func handleUnhandledKey(_ press: KeyPress) {
        switch press {
        case KeyPress(.character("q")), KeyPress(.character("q"), .control): status = 0
        case KeyPress(.character("y")), KeyPress(.character("c"), .control):
            if let text = focused.copyText() { backend.sendControlSequence(Clipboard.sequence(Array(text.utf8))) }
        case KeyPress(.character("z"), .control): backend.suspend()
        case KeyPress(.escape) where focused === people: focus(departments)
        default: break
        }
    }

    // MARK: Drawing

    /// True if both grids fit side by side; otherwise only the focused grid is shown.
    private var isWide: Bool { backend.size.columns >= 50 }
    private var shownGrids: [GridController] { isWide ? [departments, people] : [focused] }

    /// Parts that are hidden on screens with few lines: first the description of the department, then the frames.
    private var hasDetails: Bool { backend.size.rows >= 10 }
    private var hasFrames: Bool { backend.size.rows >= 8 }

    /// Sets the frames of the grids: within their borders, between the title and the lines at the bottom.
    private func layOut() {
        let edge = hasFrames ? 1 : 0
        let (columns, height) = (backend.size.columns, max(0, backend.size.rows - 2 - 2 * edge - (hasDetails ? 2 : 0)))
        let left = isWide ? min(28, max(20, columns / 3)) : columns
        let right = isWide ? left : 0
        // On a narrow screen, the columns up to the salary fit exactly.
        for grid in [departments, people] { grid.metrics.columnSpacing = columns < 66 ? 1 : 2 }
        departments.frame = TerminalRect(x: edge, y: 1 + edge, width: max(0, left - 2 * edge), height: height)
        people.frame = TerminalRect(x: right + edge, y: 1 + edge, width: max(0, columns - right - 2 * edge), height: height)
        needsDisplay = true
    }

    private func draw() {
        needsDisplay = false
        var buffer = CellBuffer(size: backend.size)
        let department = list.departments[chosenDepartment]
        let rows = buffer.size.rows
        let width = max(0, buffer.size.columns - 2)
        buffer.write("Hansen Boats", x: 1, y: 0, width: width, style: theme.title.textStyle, ellipsis: true)
        for grid in shownGrids {
            if hasFrames { drawBox(around: grid, title: grid === departments ? "Departments" : department.name, on: &buffer) }
            grid.draw(on: &buffer)
        }
        drawDetails(of: department, on: &buffer)
        let hints = [KeyHint("q", "quit"), KeyHint("Tab", "other list"), KeyHint("↑↓", "move"), KeyHint("click", "a title to sort")]
        buffer.write(hints, y: rows - 1, theme: theme)
        backend.present(buffer, cursor: nil)
    }

    private func drawDetails(of department: Department, on buffer: inout CellBuffer) {
        guard hasDetails else { return }
        let (width, rows) = (buffer.size.columns - 2, buffer.size.rows)
        let salary = ValueText.display(CellContent(.integer(Int64(department.meanSalary))), in: people.columns[2])
        let size = "\(department.people.count) people earn \(salary) on average"
        buffer.write(department.about, x: 1, y: rows - 3, width: width, style: theme.titleDetail.textStyle, ellipsis: true)
        buffer.write(size, x: 1, y: rows - 2, width: width, style: theme.message.textStyle, ellipsis: true)
    }

    private func drawBox(around grid: GridController, title: String, on buffer: inout CellBuffer) {
        let style = (grid === focused ? theme.currentRowHeader : theme.gridLine).textStyle
        let words = (grid === focused ? theme.currentRowHeader : theme.titleDetail).textStyle
        let (x, y, right) = (grid.frame.x - 1, grid.frame.y - 1, grid.frame.x + grid.frame.width)
        let line = String(repeating: "─", count: grid.frame.width)
        buffer.write("╭\(line)╮", x: x, y: y, style: style)
        for y in grid.frame.y..<grid.frame.y + grid.frame.height {
            buffer.write("│", x: x, y: y, style: style)
            buffer.write("│", x: right, y: y, style: style)
        }
        buffer.write("╰\(line)╯", x: x, y: grid.frame.y + grid.frame.height, style: style)
        buffer.write(" \(title) ", x: x + 2, y: y, width: max(0, grid.frame.width - 2), style: words, ellipsis: true)
    }
}
