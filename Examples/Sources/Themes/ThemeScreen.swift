import DataGrid
import DataGridTerminal

/// A grid that shows every style layer; see ``Layer``.
@MainActor
final class ThemeScreen {
    let grid: GridController
    let themes: [Theme]
    /// The index of the current theme in ``themes``.
    private var themeIndex = 0
    /// True until the user has chosen a theme.
    private var followsTerminal = true
    /// The capabilities of the terminal.
    var terminal = TerminalColors() { didSet { if terminal != oldValue { adaptTheme() } } }
    private(set) var stations = Station.all
    /// The station with the highest output of each region.
    let strongestStations: [RowID]
    private var changeCount = 0

    /// Shows the first of these themes.
    init(themes: [Theme]) {
        self.themes = themes
        let stations = stations
        strongestStations = Station.regions.indices.compactMap { region in
            stations.indices.filter { stations[$0].region == region }.max { stations[$0].output < stations[$1].output }
        }.map { RowID($0) }
        var metrics = GridMetrics()
        metrics.headerHeight = 1
        metrics.gridLines = .both
        metrics.columnSpacing = 3
        metrics.showsTotals = true
        grid = GridController(
            columns: [
                Column(id: 0, title: "Station", width: .fixed(9)),
                Column(id: 1, title: "By", width: .fixed(2), alignment: .center),
                Column(
                    id: 2, title: "MW", kind: .decimal, width: .fixed(7),
                    format: ValueFormat(fractionDigits: 1...1)),
                Column(id: 3, title: "Load", width: .fixed(9)),
                Column(
                    id: 4, title: "€/MWh", kind: .decimal, width: .fixed(6),
                    format: ValueFormat(fractionDigits: 2...2)),
                Column(id: 5, title: "10 hours", width: .fixed(10)),
                Column(id: 6, title: "Opened", kind: .date, width: .fixed(11), format: ValueFormat(datePattern: "d MMM yyyy")),
                Column(id: 7, title: "Crew", kind: .flag, width: .fixed(4)),
            ], metrics: metrics)
        grid.dataSource = self
        grid.delegate = self
        grid.perform(.freeze(FrozenPanes(leading: 1)))
        grid.reload()
        applyTheme()
        // One row is selected to show its style.
        grid.perform(.setSelected(1, true))
        grid.perform(.moveCursor(GridCursor(item: .row(2), column: 2)))
    }

    // MARK: Commands

    func showNextTheme() {
        followsTerminal = false
        themeIndex = (themeIndex + 1) % themes.count
        applyTheme()
    }

    /// Shows the preset for the terminal until the user has chosen a theme. A chosen theme that does not suit the terminal uses its own
    /// background.
    private func adaptTheme() {
        let name = Theme.preset(for: terminal).name
        if followsTerminal, let index = themes.firstIndex(where: { $0.name == name }) { themeIndex = index }
        applyTheme()
    }

    /// Applies the theme. This resets the styles set in code, so they are set again unless the theme defines them.
    func applyTheme() {
        grid.perform(.setTheme(themes[themeIndex].fitted(to: terminal)))
        if theme.alternateRow == .none { grid.perform(.setStyle(.alternateRow, ground(dark: 0x303030, light: 0xeeeeee))) }
        for (name, style) in ["closed": ThemeClass(normal: theme.mark.applying(CellStyle(traits: .strikethrough))), "expensive": highPrice]
        where theme.classes[name] == nil {
            grid.perform(.setClass(name, style))
        }
        grid.columns[2].style = ground(dark: 0x4a004a, light: 0xd7ffff)
        grid.columns[2].headerStyle = CellStyle(traits: .underline)
    }

    /// The theme in use.
    var theme: Theme { grid.state.theme }

    /// The style of a high price, and its addition on selected cells.
    private var highPrice: ThemeClass {
        ThemeClass(normal: CellStyle(foreground: theme.sectionHeader.foreground, traits: .italic), selected: CellStyle(traits: .underline))
    }

    /// A translucent background. Without blending it is opaque, and all texts of the theme are readable on it.
    private func ground(dark: UInt32, light: UInt32) -> CellStyle {
        // Themes without colors have no background color.
        theme.ground == .none ? .none : CellStyle(background: Color(theme.isLight ? light : dark, alpha: 140))
    }

    /// Cycles through rules between columns, rows, both, or neither.
    func cycleRules() {
        let all = GridLines.allCases
        grid.metrics.gridLines = all[((all.firstIndex(of: grid.metrics.gridLines) ?? -1) + 1) % all.count]
    }

    /// Changes which rules are on top where two rules cross.
    func toggleCrossings() { grid.metrics.linesOnTop = grid.metrics.linesOnTop == .vertical ? .horizontal : .vertical }

    func toggleBlending() { grid.blendsStyles.toggle() }

    /// Changes outputs, which the grid highlights.
    func changeOutputs() {
        changeCount += 1
        grid.reportChanges(
            stations.indices.filter { !stations[$0].isClosed }.map { index in
                let rises = (index + changeCount) % 2 == 0
                stations[index].output *= rises ? 1.03 : 0.97
                return CellChange(rises ? .risen : .fallen, row: RowID(index), column: 2)
            })
    }
}

// MARK: Contents

extension ThemeScreen: GridDataSource {
    var numberOfSections: Int { Station.regions.count }
    func title(ofSection section: Int) -> String? { Station.regions[section].name }
    func numberOfRows(inSection section: Int) -> Int { Station.regions[section].stations.count }

    func content(row: RowID, column: ColumnID) -> CellContent {
        let station = stations[row.rawValue]
        return switch column {
        case 0: CellContent(station.name)
        case 1: CellContent(.icon(Self.icons[station.source]))
        case 2: CellContent(.number(station.output))
        case 3:
            CellContent(.bar(DataBar(station.load, text: "\(Int((station.load * 100).rounded())) %", textPosition: .beside, textWidth: 5)))
        case 4: CellContent(.number(station.price), styleClass: station.price > 80 ? "expensive" : nil)
        case 5: CellContent(.sparkline(Sparkline(station.history)))
        case 6: CellContent(.dateTime(microseconds: station.openingTime, .date))
        default: CellContent(.flag(station.isManned))
        }
    }

    private static let icons = [
        Icon("≋", fallback: "w", name: "wind"), Icon("≈", fallback: "~", name: "water"), Icon("☼", fallback: "*", name: "sun"),
        Icon("♨", fallback: "g", name: "gas"),
    ]

    func styleClass(ofRow row: RowID) -> String? { stations[row.rawValue].isClosed ? "closed" : nil }

    func total(column: ColumnID) -> CellContent? {
        column == 2 ? CellContent(.number(stations.reduce(0) { $0 + $1.output })) : nil
    }
}

// MARK: Styles

extension ThemeScreen: GridDelegate {
    func style(ofColumn column: ColumnID) -> CellStyle? {
        column == 6 ? CellStyle(foreground: theme.timeType.foreground, traits: .italic) : nil
    }

    func style(ofSection section: Int) -> CellStyle? { section == 1 ? ground(dark: 0x00005f, light: 0xffffd7) : nil }

    func style(ofRow row: RowID) -> CellStyle? {
        strongestStations.contains(row) ? CellStyle(foreground: theme.message.foreground, traits: .bold) : nil
    }

    func style(ofRow row: RowID, column: ColumnID) -> CellStyle? { column == 3 ? style(ofLoad: stations[row.rawValue].load) : nil }

    func style(ofLoad load: Double) -> CellStyle? {
        load > 0.85 ? CellStyle(foreground: theme.fall.foreground, traits: .bold) : nil
    }

    /// Styles the rule after the outputs, and the rule below the strongest station.
    func style(ofRule rule: GridRule) -> CellStyle? {
        switch rule {
        case .column(2): CellStyle(foreground: theme.numberType.foreground)
        case .row(strongestStations[0]): CellStyle(foreground: theme.fall.foreground)
        default: nil
        }
    }
}
