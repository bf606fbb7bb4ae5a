import DataGrid
import Foundation
import Testing

@Suite struct ThemeFileTests {
    private func theme(_ json: String) throws -> Theme { try JSONDecoder().decode(Theme.self, from: Data(json.utf8)) }

    private func errorMessage(_ json: String) -> String {
        do {
            _ = try theme(json)
            return ""
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test func `A5: a file sets some parts of a theme, and inherits the rest from its base preset`() throws {
        let mine = try theme(
            """
            {"name": "mine", "base": "light", "cursor": {"background": "#ff8700", "traits": ["bold", "italic"]},
             "selection": {"foreground": "#01020380"}, "classes": {"late": {"normal": {"foreground": "#ff0000"}}}}
            """)
        var expected = Theme.light
        expected.name = "mine"
        expected.cursor = CellStyle(background: Color(0xff8700), traits: [.bold, .italic])
        expected.selection = CellStyle(foreground: Color(red: 1, green: 2, blue: 3, alpha: 0x80))
        expected.classes = ["late": ThemeClass(normal: CellStyle(foreground: Color(0xff0000)))]
        #expect(mine == expected)
        var dark = Theme.dark
        dark.name = "x"
        #expect(try theme(#"{"name": "x"}"#) == dark)
    }

    @Test func `A5: a part without properties clears the style of the base preset`() throws {
        let mine = try theme(#"{"name": "x", "selection": {}, "cursor": {"traits": ["bold"]}}"#)
        #expect(mine.selection == .none && mine.cursor == CellStyle(traits: .bold) && Theme.dark.selection != .none)
    }

    @Test(arguments: Theme.presets.map(\.name)) func `A5: written themes are read back unchanged`(name: String) throws {
        var theme = try #require(Theme.preset(named: name))
        theme.classes = [
            "a": ThemeClass(normal: CellStyle(traits: [.bold, .reverse]), selected: CellStyle(background: Color(7, alpha: 9)))
        ]
        #expect(try JSONDecoder().decode(Theme.self, from: JSONEncoder().encode(theme)) == theme)
    }

    @Test func `A5: errors in a theme file are reported with suggestions`() {
        #expect(errorMessage(#"{"name": "x", "cursr": {}}"#) == "unknown name “cursr” (did you mean “cursor”?)")
        #expect(errorMessage(#"{"name": "x", "base": "blue"}"#) == "unknown base theme “blue”; use dark, light, contrast, plain")
        #expect(errorMessage(#"{"name": "x", "row": {"foreground": "red"}}"#) == "“red” is not a color; use #rrggbb or #rrggbbaa")
        #expect(errorMessage(#"{"name": "x", "row": {"traits": ["fat"]}}"#).hasPrefix("unknown value “fat”; use bold, dim,"))
        for text in ["", "#", "#12345", "#1234567", "#+12345", "123456", "#12345g", "#１２３４５６"] {
            #expect(Color(hexText: text) == nil, "\(text)")
        }
    }

    @Test func `A5: every part of a theme has a name in files`() {
        let styles = Mirror(reflecting: Theme.plain).children.filter { $0.value is CellStyle }.compactMap(\.label)
        #expect(Set(ThemePart.allCases.map(\.rawValue)) == Set(styles).subtracting(["ground"]))
        for part in ThemePart.allCases {
            var theme = Theme.plain
            theme[part] = CellStyle(foreground: Color(0x123456))
            let changed = Mirror(reflecting: theme).children.filter { ($0.value as? CellStyle)?.foreground == Color(0x123456) }
            #expect(changed.map(\.label) == [part.rawValue])
        }
    }

    @Test func `A5: a part set by code overrides the theme until another theme is applied`() {
        var state = grid("ab")
        let red = CellStyle(foreground: Color(0xff0000))
        for part in ThemePart.allCases { state.play(.setStyle(part, red)) }
        state.play(.setClass("late", ThemeClass(normal: red)))
        #expect(ThemePart.allCases.allSatisfy { state.theme[$0] == red } && state.theme.classes["late"]?.normal == red)
        state.play(.setTheme(.light))
        #expect(state.theme == .light)
        state.play(.setStyle(.header, red))
        #expect(state.theme.header == red)
    }

    @Test func `A5: a terminal gets the preset for its background and colors`() {
        func name(_ depth: TerminalColors.Depth, light: Bool) -> String {
            Theme.preset(for: TerminalColors(depth: depth, isLight: light)).name
        }
        #expect(name(.many, light: false) == "dark" && name(.many, light: true) == "light")
        #expect(name(.few, light: true) == "light" && name(.none, light: true) == "plain")
        let few = Theme.dark.fitted(to: TerminalColors(depth: .few))
        #expect(few.selection.traits.contains(.underline) && few.row == .none)
        for theme in [Theme.light, .dark, .contrast].map({ $0.fitted(to: TerminalColors(depth: .few, isLight: $0.isLight)) }) {
            // The closest matches are the terminal's own colors.
            #expect(theme.isLight ? theme.rise.background == Color(0x00cd00) : theme.rise.foreground == Color(0x00ff00))
            // Red is too dark for the maximum contrast.
            let dark = Color(theme.name == "contrast" ? 0xffff00 : 0xff0000)
            #expect(theme.fall.foreground == (theme.isLight ? Color(0xcd0000) : dark))
        }
        #expect(Theme.plain.fitted(to: TerminalColors(depth: .few)).rise == Theme.plain.rise)
        let onLight = Theme.dark.fitted(to: TerminalColors(isLight: true))
        #expect(onLight.row.background == Theme.dark.ground.background && onLight.selection == Theme.dark.selection)
        #expect(Theme.dark.fitted(to: TerminalColors()) == .dark)
    }

    @Test func `A20: the theme tints changed rows in a clearly visible yellow, and text stays readable as it fades`() throws {
        for theme in [Theme.dark, .light, .contrast] {
            let (text, ground) = (try #require(theme.ground.foreground), try #require(theme.ground.background))
            for level in 1...5 {
                let style = theme.ground.applying(theme.updatedRow.faded(to: level, of: 5))
                #expect(text.contrast(with: try #require(style.background)) >= 4.5, "\(theme.name), \(level)")
            }
            let color = try #require(theme.updatedRow.background)
            #expect(min(color.red, color.green) > color.blue && color.contrast(with: ground) >= (theme.isLight ? 1.4 : 2.5))
            // With 16 colors, the row is a block of the terminal's yellow.
            let few = theme.fitted(to: TerminalColors(depth: .few, isLight: theme.isLight)).updatedRow
            #expect(few.traits.contains(.reverse) ? few.foreground == Color(0xffff00) : few.background == Color(0xcdcd00))
        }
        #expect(Theme.plain.updatedRow == CellStyle(traits: [.bold, .underline]))
        #expect(Theme.plain.fitted(to: TerminalColors(depth: .few)).updatedRow == Theme.plain.updatedRow)
        let mine = try theme(##"{"name": "mine", "updatedRow": {"background": "#008080"}}"##)
        #expect(mine.updatedRow == CellStyle(background: Color(0x008080)) && mine.update == Theme.dark.update)
    }
}
