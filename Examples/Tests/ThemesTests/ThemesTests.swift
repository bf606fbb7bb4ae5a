import DataGrid
import DataGridTerminal
import Foundation
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Themes

@MainActor
@Suite struct ThemesTests {
    private let themeScreen: ThemeScreen
    private let backend = RecordingBackend(size: TerminalSize(columns: 140, rows: 45))
    private let application: GridApplication

    init() throws {
        themeScreen = ThemeScreen(themes: Theme.presets + [try Themes.read()])
        application = GridApplication(on: backend)
        themeScreen.show(on: application)
        try application.start()
    }

    private func press(_ keys: String) {
        backend.type(keys)
        application.turn()
    }

    /// The style of the last terminal cell of a grid cell.
    private func style(_ row: RowID, _ column: ColumnID) throws -> TextStyle {
        let (origin, size) = try #require(themeScreen.grid.state.visibleFrame(ofRow: row, column: column))
        return backend.screen[origin.x + size.width - 1, origin.y + 1].style
    }

    private func terminal(_ color: Color) -> TerminalColor { CellStyle(foreground: color).textStyle.foreground }

    @Test func `C8, A4: the backgrounds of row, column and section are blended; b shows only the topmost one`() throws {
        // Bay Head is the second station of the Coast.
        let ground = try #require(themeScreen.theme.ground.background)
        let layers = [themeScreen.theme.alternateRow, themeScreen.grid.columns[2].style, themeScreen.style(ofSection: 1)].compactMap {
            $0?.background
        }
        try #require(layers.count == 3 && layers.allSatisfy { $0.alpha < 255 })
        let mixed = layers.reduce(ground) { $1.blended(over: $0) }
        #expect(try style(8, 2).background == terminal(mixed))
        #expect(try style(7, 4).background == terminal(layers[2].blended(over: ground)))
        press("b")
        #expect(try style(8, 2).background == terminal(layers[2]) && backend.lines[0].contains("not blended"))
    }

    @Test func `C8, A5: t cycles through the presets and the theme file, which inherits missing styles from its base`() throws {
        for name in ["dark", "light", "contrast", "plain", "ember"] {
            #expect(backend.lines[0].hasPrefix(" \(name)  lines:"))
            // The program sets its own styles again after each theme.
            #expect(name == "plain" || themeScreen.theme.alternateRow != .none && themeScreen.grid.columns[2].style?.background != nil)
            press("t")
        }
        #expect(backend.lines[0].hasPrefix(" dark"))
        let ember = try Themes.read()
        #expect(ember.header.foreground == Color(0xffd7af) && ember.totals == Theme.dark.totals && ember.fall == Theme.dark.fall)
        let file = FileManager.default.temporaryDirectory.appending(path: "Themes-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{ "name": "odd", "headr": {} }"#.utf8).write(to: file)
        #expect(throws: DecodingError.self) { try Themes.read(file) }
    }

    @Test(
        arguments: [
            (nil, "cannot be read. Name a theme file, or omit it to use ember.json."), ("{", "is not a theme: it is not JSON."),
            (
                ##"{ "name": "odd", "header": { "foreground": "#zz" } }"##,
                "at header.foreground, “#zz” is not a color; use #rrggbb or #rrggbbaa."
            ),
            (#"{ "name": "odd", "headr": {} }"#, "at headr, unknown name “headr” (did you mean “header”?)."),
            (#"{ "name": 1 }"#, "at name, the value has the wrong type."),
            (#"{}"#, "is not a theme: “name” is missing."),
        ] as [(String?, String)])
    func `C8, A5: the error for an unreadable theme file names the file and the remedy`(text: String?, end: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "Themes-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        if let text { try Data(text.utf8).write(to: file) }
        let error = try #require(throws: (any Error).self) { try Themes.read(file) }
        let message = Themes.errorMessage(for: "mine.json", error)
        #expect(message.hasPrefix("mine.json ") && message.hasSuffix(end), "\(message)")
    }

    @Test func `C8, A5: the first preset suits the terminal, and dark themes on a light terminal set their own background`() {
        #expect(backend.screen[139, 40].style.background.isDefault)
        backend.events = [.background(TerminalColor(red: 255, green: 255, blue: 255))]
        application.turn()
        #expect(backend.lines[0].hasPrefix(" light") && backend.screen[139, 40].style.background.isDefault)
        press("tttt")
        #expect(backend.lines[0].hasPrefix(" dark") && backend.screen[139, 40].style.background == terminal(Color(0x1c1c1c)))
        // A chosen theme stays.
        backend.events = [.background(TerminalColor(red: 254, green: 254, blue: 254))]
        application.turn()
        #expect(backend.lines[0].hasPrefix(" dark"))
    }

    @Test func `C8, A12: g cycles the rules through columns, rows, both and none; x selects the top one at crossings`() throws {
        /// True if this line character occurs among the rows.
        func has(_ line: Character) -> Bool { backend.lines[3..<20].joined().contains(line) }
        // The lines cross to the right of the output of the strongest station, below its row.
        let (origin, size) = try #require(themeScreen.grid.state.visibleFrame(ofRow: themeScreen.strongestStations[0], column: 2))
        func crossing() -> Cell { backend.screen[origin.x + size.width + 1, origin.y + size.height] }
        let (vertical, horizontal) = try (#require(themeScreen.theme.numberType.foreground), #require(themeScreen.theme.fall.foreground))
        #expect(crossing().text == "┼" && crossing().style.foreground == terminal(vertical))
        press("x")
        #expect(crossing().style.foreground == terminal(horizontal))
        press("g")
        #expect(!has("┼") && !has("│") && backend.lines[0].contains("lines: none"))
        press("g")
        #expect(has("│") && !has("┼") && backend.lines[0].contains("lines: columns"))
        press("g")
        #expect(has("─") && !has("│") && backend.lines[0].contains("lines: rows"))
    }

    @Test func `C8, B7: closed stations have the style of their class, which the code or a theme file sets`() throws {
        #expect(try style(3, 0).attributes.contains(.strikethrough))
        for _ in 0..<4 { press("t") }
        #expect(try style(3, 0).attributes.contains(.italic) && !style(3, 0).attributes.contains(.strikethrough))
        #expect(try !style(5, 4).attributes.contains(.underline))
        themeScreen.grid.perform(.setSelected(5, true))
        application.turn()
        #expect(try style(5, 4).attributes.contains(.underline))
    }

    @Test func `C8, B1, A20: the table shows icons, bars, charts, dates and flags; u highlights rising and falling values`() {
        #expect(backend.lines[3].contains("≋") && backend.lines[3].contains("30 %") && backend.lines[3].contains("14 Dec 1980"))
        #expect(backend.lines[3].contains { "▁▂▃▄▅▆▇".contains($0) } && backend.lines[3].contains("✗"))
        press("u")
        themeScreen.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        #expect(backend.lines.joined().contains("▲") && backend.lines.joined().contains("▼"))
        #expect(!backend.lines[43].contains("4,301.5"), "the total follows")
    }

    @Test func `C8: the last line of the grid shows the total output, which follows changes`() {
        #expect(backend.lines[43].contains("4,301.5"))
        press("u")
        themeScreen.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        #expect(backend.lines[43].contains(".") && !backend.lines[43].contains("4,301.5"))
    }

    @Test(
        arguments: [(140, 45), (80, 24), (60, 20)])
    func `C8: the legend lists the layers of the cell under the cursor, beside the grid or below it`(columns: Int, rows: Int) {
        backend.size = TerminalSize(columns: columns, rows: rows)
        application.turn()
        func marked() -> Set<Substring> {
            Set(backend.lines.flatMap { $0.split(separator: "●").dropFirst().compactMap { $0.split(separator: " ").first } })
        }
        #expect(marked() == ["column", "cursor"])
        themeScreen.grid.perform(.moveCursor(GridCursor(item: .row(8), column: 4)))
        application.turn()
        #expect(marked() == ["alternateRow", "section", "cellClass", "cursor"])
        for layer in Layer.cellLayers { #expect(backend.lines.contains { $0.contains(layer.name) }) }
        #expect(backend.lines[rows - 1].contains("q quit"))
    }

    @Test(arguments: [(40, 12), (60, 12), (40, 20), (80, 24)])
    func `C8: a screen with few lines drops the legend and keeps the grid's rows`(columns: Int, rows: Int) {
        backend.size = TerminalSize(columns: columns, rows: rows)
        application.turn()
        #expect(themeScreen.grid.state.size.height >= (rows - 2) * 3 / 4)
        #expect(backend.lines.contains { $0.contains("delegateColumn") } == (columns == 80))
        #expect(backend.lines[rows - 1].hasPrefix(" q quit") && backend.lines[rows - 1].contains("t theme"))
    }

    @Test(
        arguments: [(140, 45), (120, 40), (80, 24)])
    func `C8, A4, A5: every theme keeps all text legible, with and without blending, for every cursor position`(columns: Int, rows: Int)
        throws
    {
        backend.size = TerminalSize(columns: columns, rows: rows)
        // These rows include East Mole, whose cells have every layer, and a closed station.
        for (row, column) in [(2, 2), (11, 3), (9, 4)] {
            themeScreen.grid.perform(.moveCursor(GridCursor(item: .row(row), column: column)))
            for _ in themeScreen.themes {
                for _ in 0..<2 {
                    application.turn()
                    try checkTexts()
                    press("b")
                }
                press("t")
            }
        }
    }

    /// Checks that all text on the screen has enough contrast.
    private func checkTexts() throws {
        // Without colors there is no contrast to check.
        guard let ground = themeScreen.theme.ground.background, let text = themeScreen.theme.ground.foreground else { return }
        func color(_ color: TerminalColor, _ own: Color) -> Color {
            color.isDefault ? own : Color(red: color.red, green: color.green, blue: color.blue)
        }
        for y in 0..<backend.size.rows {
            for x in 0..<backend.size.columns {
                let cell = backend.screen[x, y]
                // Rules and bars are not text.
                guard let first = cell.text.unicodeScalars.first, first != " ", !(0x2500...0x259F).contains(first.value) else { continue }
                let contrast = color(cell.style.foreground, text).contrast(with: color(cell.style.background, ground))
                #expect(contrast >= 4.5, "\(themeScreen.theme.name), “\(cell.text)” at \(x), \(y) of \(backend.lines[y])")
            }
        }
    }

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and the key that quits, in every theme`(terminal: CommonTerminal) throws {
        let backend = terminal.backend()
        let application = GridApplication(on: backend)
        let themeScreen = ThemeScreen(themes: Theme.presets)
        themeScreen.show(on: application)
        try application.start()
        application.turn()
        #expect(themeScreen.theme.name == (terminal.colorDepth == .none ? "plain" : terminal.isLight ? "light" : "dark"))
        for _ in themeScreen.themes {
            #expect(defects(of: backend.lines) == [])
            #expect(backend.lines[1].contains("Crew") == (terminal.size.columns > 60))
            backend.type("t")
            application.turn()
        }
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        backend.size = TerminalSize(columns: 140, rows: 30)
        press("u")
        themeScreen.grid.tick(at: .now + .milliseconds(100))
        application.turn()
        #expect(backend.lines.joined().contains("▲"))
        try drawPicture(of: "Themes", backend.screen)
    }
}
