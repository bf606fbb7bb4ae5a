import DataGrid
import DataGridTerminal
import FieldValues
import Foundation
import GridTestSupport
import TerminalSurface
import Testing

@testable import GridviewApp

/// Settings files, presets of keys and the user's own keys.
@MainActor
@Suite struct SettingsFileTests {
    private func file(_ text: String) -> SettingsFile { SettingsFile(path: "/x/config.toml", Array(text.utf8)) }

    /// The errors, without the path.
    private func problems(_ file: SettingsFile) -> [String] { file.problems.map { $0.text.replacing("/x/config.toml, ", with: "") } }

    /// The settings as text.
    private func described(_ settings: Settings) -> String {
        var text = ""
        dump(settings, to: &text)
        return text
    }

    @Test func `D14: every setting is read`() {
        let read = file(
            """
            theme = "mine"
            color = "256"
            hints = false
            mouse = false
            grouping = false
            dates = "mdy"
            decimal = "comma"
            clipboard = "wl-copy"
            recent-views = false
            options = ["--freeze-columns", "1"]
            [keys]
            preset = "vim"
            sort = "x"
            page-down = ["C-d", "C-x C-n"]
            [keys.page]
            close = []
            """)
        let settings = read.settings
        #expect(read.problems.isEmpty && settings.theme == "mine" && settings.colorDepth == .indexed256)
        #expect(!settings.showsHints && !settings.usesMouse && !settings.groupsThousands && !settings.savesRecentViews)
        #expect(settings.ambiguousDates == .monthFirst && settings.clipboard == .wlCopy && settings.decimal == "comma")
        #expect(settings.options == ["--freeze-columns", "1"])
        #expect(settings.keyPreset == .vim)
        #expect(
            settings.keys == [
                KeyAssignment(.sort, ["x"], line: 13), KeyAssignment(.pageDown, ["C-d", "C-x C-n"], line: 14),
                KeyAssignment(.close, [], in: .page, line: 16),
            ])
        let options = LaunchOptions(settings)
        #expect(!options.showsHints && !options.usesMouse && !options.groupsThousands && options.ambiguousDates == .monthFirst)
    }

    @Test func `D14: the file of commented default settings is read as the defaults`() throws {
        let text = Settings.commentedDefaults
        let read = file(text)
        #expect(read.problems.isEmpty && described(read.settings) == described(Settings()))
        for setting in Setting.table {
            #expect(text.contains("\n\(setting.name) = \(setting.defaultText)\n") && text.contains(setting.help), "\(setting.name)")
        }
        // Uncommented, the key lines bind each command to its default keys.
        let place = try #require(text.firstRange(of: "# The keys of each command.")).lowerBound
        let (head, keys) = (text[..<place], text[place...])
        let lines = keys.split(separator: "\n").dropFirst().map { $0.hasPrefix("# ") ? $0.dropFirst(2) : $0 }
        var whole = file(String(head) + lines.joined(separator: "\n"))
        #expect(lines.contains("[keys.row-view]  # Row view") && whole.settings.keys.count == Command.table.count)
        let found = whole.keyMap(preset: nil)
        let map = try #require(found)
        #expect(whole.problems.isEmpty)
        for command in Command.table {
            #expect(
                map.bindings(of: command.id, in: command.context).map(\.keys)
                    == KeyMap<Command>.standard.bindings(of: command.id, in: command.context).map(\.keys))
        }
    }

    @Test func `D14: an error names the line and the setting, and all other settings are used`() {
        let read = file(
            """
            them = "dark"
            hints = "no"
            mouse = false
            color = "many"
            decimal = "dot"
            theme = 7
            options = ["a", 1]
            clipboard = "x\\u001bclip"
            [keys]
            preset = "emacs"
            srt = "x"
            sort = "Dwn"
            filter = "5x"
            copy = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
            export = 1
            [keys.pages]
            close = "x"
            """)
        #expect(!read.settings.usesMouse && read.settings.showsHints && read.settings.keys.isEmpty)
        #expect(
            problems(read) == [
                "line 1, them: Unknown setting “them”. Did you mean “theme”?", "line 2, hints: Expected true or false, not a string.",
                "line 4, color: Unknown value “many”. Use auto, never, 16, 256 or true.",
                "line 5, decimal: Unknown value “dot”. Use auto, point or comma.", "line 6, theme: Expected a string, not a number.",
                "line 7, options: Expected a string, not a number.", "line 8, clipboard: The text has control characters.",
                "line 10, keys.preset: Unknown value “emacs”. Use default, less, vim, excel or visidata.",
                "line 11, keys.srt: Unknown command “srt”. Did you mean “sort”?",
                "line 12, keys.sort: Unknown key “Dwn”. Did you mean “Down”?",
                "line 13, keys.filter: “5x” begins with a digit, but digits before a key repeat it. Choose another key.",
                "line 14, keys.copy: A command has at most 8 keys.", "line 15, keys.export: Expected a list of strings, not a number.",
                problems(read).last ?? "",
            ])
        #expect(problems(read).last?.hasPrefix("line 16, keys.pages: Unknown context “pages”. Use ") == true)
        #expect(problems(read).last?.hasSuffix(" Did you mean “page”?") == true)
        #expect(problems(file("hints = false\nx")) == ["line 2: “=” is missing after “x”."])
        #expect(problems(file("keys = 1")) == ["line 1, keys: Expected a table of keys, not a number."])
        let hostile = problems(file("\"\\u001b[31m\\n\" = 1"))
        #expect(hostile.count == 1 && hostile[0].unicodeScalars.allSatisfy { $0.value >= 32 })
    }

    @Test func `D14: if the settings file is missing, huge or not a regular file, the defaults apply`() throws {
        let folder = try TemporaryFolder()
        let missing = SettingsFile(path: folder.path(of: "none/config.toml"))
        #expect(missing.problems.isEmpty && missing.path != nil)
        #expect(SettingsFile(path: folder.path).problems.map(\.text) == ["\(folder.path): cannot be read: not a regular file."])
        let huge = try folder.file("huge.toml", bytes: [UInt8](repeating: 10, count: UserFile.byteLimit + 1))
        #expect(SettingsFile(path: huge).problems.map(\.text) == ["\(huge): larger than 1 MiB."])
        let largest = try folder.file(
            "largest.toml", bytes: Array("hints = false".utf8) + [UInt8](repeating: 10, count: UserFile.byteLimit - 13))
        #expect(SettingsFile(path: largest).problems.isEmpty && !SettingsFile(path: largest).settings.showsHints)
        func path(_ environment: [String: String]) -> String? { SettingsFile.path { environment[$0] } }
        #expect(path(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/gridview/config.toml")
        #expect(path(["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/gridview/config.toml" && path(["HOME": "h"]) == nil)
    }

    @Test func `D14: damaged settings files never cause a crash`() {
        var random = SplitMix64(seed: 4)
        let whole = Array(Settings.commentedDefaults.utf8)
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = bytes.indices.randomElement(using: &random)!
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.removeSubrange(..<place)
                }
                if bytes.isEmpty { break }
            }
            let read = SettingsFile(path: "/x/config.toml", bytes)
            #expect(read.problems.allSatisfy { !$0.text.contains("\n") })
        }
    }

    // MARK: Keys

    @Test(
        arguments: [
            (
                KeyPreset.less,
                [
                    "f": .pageDown, "b": .pageUp, "e": .down, "y": .up, "<": .top, ">": .bottom, "p": .goToPercent, "h": .help,
                    "F": .follow, "=": .about, "r": .redraw, "-S": .wrap, "zr": .reset,
                ]
            ),
            (
                .vim,
                [
                    "gg": .top, "G": .bottom, "u": .undo, "C-r": .redo, "C-d": .halfPageDown, "C-v": .selectCells, "ZQ": .quit,
                    "gt": .nextSheet,
                    "gT": .previousSheet, "y": .copy, "*": .searchCell,
                ]
            ),
            (
                .excel,
                [
                    "C-f": .search, "F3": .searchNext, "S-F3": .searchPrevious, "C-z": .undo, "C-y": .redo, "C-s": .export, "F5": .palette,
                    "C-w": .closeSheet, "M-Down": .frequencies, "C-Space": .selectColumns, "C-Home": .top, "C-Right": .edgeRight,
                ]
            ),
            (
                .visidata,
                [
                    "gg": .top, "gj": .bottom, "gh": .firstColumn, "Space": .palette, "I": .summary, "F": .frequencies, "=": .deriveColumn,
                    "^": .renameColumn, "C": .showColumns, "gv": .showAllColumns, "<": .previousDifferent, ">": .nextDifferent, "s": .mark,
                    "gu": .clearMarks, "S": .sheets, "T": .transpose, "v": .wrap, "W": .pivot, "gq": .quit, "R": .redo, "C-r": .reload,
                    "C-s": .export,
                    "[": .sortAscending, "]": .sortDescending, "z[": .addSortKey, "_": .fitColumn, "g_": .fitAll, "+": .aggregates,
                    "@": .typeDate, "~": .typeText, "#": .typeInteger, "%": .typeDecimal, "$": .typeDecimal, ",": .filterByCell,
                ]
            ),
        ] as [(KeyPreset, [String: CommandID])])
    func `D14: each key preset has the keys that users of that program know`(_ preset: KeyPreset, _ keys: [String: CommandID]) throws {
        let map = try preset.keyMap()
        for (key, command) in keys {
            #expect(map.resolve(try #require(KeyNotation.sequence(key)), in: [.grid]) == .command(command), "\(key)")
        }
        // Every command keeps a key, except Ctrl-z, which undoes in a spreadsheet.
        for command in Command.table where !command.keys.isEmpty && !(preset == .excel && command.id == .suspend) {
            #expect(!map.bindings(of: command.id, in: command.context).isEmpty, "\(command.id.rawValue)")
        }
        // The list of keys of a command is complete.
        for assignment in preset.keys {
            #expect(map.bindings(of: assignment.command, in: .grid).map(\.keys) == assignment.keys.compactMap { KeyNotation.sequence($0) })
        }
    }

    @Test func `D14: without keys in the settings, the default preset has the keys of the command table`() throws {
        var read = file("")
        var vim = file("[keys]\npreset = \"vim\"\n")
        let found = [read.keyMap(preset: nil), read.keyMap(preset: .less), vim.keyMap(preset: nil), vim.keyMap(preset: .standard)]
        #expect(try found == [nil, KeyPreset.less.keyMap(), KeyPreset.vim.keyMap(), nil])
        #expect(try KeyPreset.standard.keyMap() == .standard)
    }

    @Test func `D14: keys in the settings replace the keys of their command, and take precedence over the preset`() throws {
        var read = file("[keys]\npreset = \"vim\"\nsort = [\"x\", \"u\"]\nredo = []\n[keys.row-view]\nnext-row = \"C-n\"\n")
        let found = read.keyMap(preset: nil)
        let map = try #require(found)
        func command(_ key: String, in context: KeyContext = .grid) -> CommandID? {
            guard case .command(let id)? = KeyNotation.sequence(key).map({ map.resolve($0, in: [context]) }) else { return nil }
            return id
        }
        #expect(read.problems.isEmpty && command("x") == .sort && command("u") == .sort && command("s") == nil && command("U") == .undo)
        #expect(command("C-r") == nil && command("gg") == .top)
        #expect(command("C-n", in: .record) == .nextRow && command("n", in: .record) == nil && command("p", in: .record) == .previousRow)
        #expect(map.label(of: .sort, in: [.grid]) == "x")
    }

    @Test func `D14: the error for conflicting keys names both commands and the line, and only that line is ignored`() throws {
        var read = file("[keys]\nsort = \"x\"\ngroup = \"x\"\nfilter = \"z\"\ncopy = \"X\"\n")
        let found = read.keyMap(preset: nil)
        let map = try #require(found)
        #expect(
            problems(read) == [
                "line 3, keys.group: “x” is bound to both “sort” and “group” in the context “grid”.",
                "line 4, keys.filter: “z” (“filter”) is a prefix of “zf” (“freeze-rows”) in the context “grid”.",
            ])
        #expect(map.label(of: .sort, in: [.grid]) == "x" && map.label(of: .copy, in: [.grid]) == "X")
        #expect(map.label(of: .group, in: [.grid]) == "zg" && map.label(of: .filter, in: [.grid]) == "&")
    }

    // MARK: In the program

    @Test func `D14: display settings apply at the start, and a message reports errors in the settings`() throws {
        let read = file("hints = false\nmouse = false\ndates = \"mdy\"\nthme = 1\nx = 2\n")
        var options = LaunchOptions(read.settings)
        (options.settingsPath, options.settingsProblems) = (read.path, read.problems)
        let pilot = try Pilot("when,n\n05/01/2022,1\n02/03/2022,2\n", size: (120, 12), options: options)
        #expect(!pilot.state.showsHints && !pilot.state.isMouseOn)
        #expect(pilot.state.grid.columns.all[0].dateNotation == .monthFirst && !pilot.state.grid.columns.all[0].hasAmbiguousDates)
        #expect(pilot.state.message == Message.settingsIgnored(read.problems, listKey: "Alt-g") && pilot.state.message?.isError == true)
        #expect(pilot.screen.contains("config.toml, line 4, thme: Unknown setting “thme”. Did you mean “theme”? · 1 more: Alt-g"))
        pilot.press("M-g G")
        for problem in read.problems { #expect(pilot.screen.contains(problem.text), "\(pilot.screen)") }
        pilot.press("Escape j")
        #expect(pilot.state.message == nil && pilot.cursorCell == "when 2")
    }

    @Test func `17.7: if a key of a preset has no equivalent, a message explains what to use instead`() throws {
        func message(_ preset: KeyPreset, _ keys: String) throws -> (Message?, Pilot) {
            var options = LaunchOptions()
            options.keyMap = try preset.keyMap()
            let pilot = try Pilot("a,b\n1,2\n", size: (100, 12), options: options)
            for key in try #require(KeyNotation.sequence(keys)) { pilot.send(.key(key)) }
            return (pilot.state.message, pilot)
        }
        #expect(try message(.visidata, "|").0 == .familiarKey("select rows by a pattern", key: "&"))
        #expect(try message(.less, "-N").0 == .noOptionsPrompt(wrapKey: "W", commandsKey: ":"))
        let (_, wrapped) = try message(.less, "-S")
        #expect(wrapped.state.grid.metrics.hasAutomaticRowHeights && wrapped.titles == ["a", "b"])
        #expect(try message(.standard, "o").0 == .filesOpenAtStart(filesKey: "zw"))
        let (_, typed) = try message(.visidata, "~")
        #expect(typed.state.grid.columns.all[0].kind == .text && typed.message.hasPrefix("“a”"), "\(typed.message)")
    }

    @Test func `D14: a clipboard program that is set in the settings is the only one tried`() throws {
        let folder = try TemporaryFolder()
        for name in ["tmux", "xclip", "xsel"] {
            let path = try folder.file(name, "#!/bin/sh\n")
            #expect(chmod(path, 0o755) == 0)
        }
        func names(_ choice: ClipboardChoice) -> [String] {
            ClipboardProgram.installed(choice) { ["PATH": folder.path, "TMUX": "x", "DISPLAY": ":0"][$0] }.map(\.name)
        }
        #expect(names(.automatic) == ["tmux", "xclip"] && names(.terminal) == [] && names(.xsel) == ["xsel"] && names(.wlCopy) == [])
    }
}
