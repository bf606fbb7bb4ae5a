import DataGrid
import Foundation
import GridTestSupport
import Testing

@testable import GridviewApp

/// Changes inside the program that are saved in the settings file.
@MainActor
@Suite struct SaveSettingsTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "config.toml")
    }

    private func open(at path: String? = nil) throws -> Pilot {
        var options = LaunchOptions()
        options.settingsPath = path ?? self.path
        return try Pilot("a,b\n1,2\n", size: (100, 12), options: options)
    }

    private func saveSettings(_ pilot: Pilot) {
        pilot.press(":")
        pilot.type("save settings")
        pilot.press("Enter")
    }

    private var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    @Test func `D14: the messages about a new theme and about hints name the command that saves them`() throws {
        let pilot = try open()
        pilot.press("T")
        let theme = pilot.state.grid.theme.name
        #expect(pilot.state.message == .theme(theme, saveKey: ": save settings"))
        pilot.press("z?")
        #expect(pilot.state.message == .hintsOff(hintsKey: "z?", saveKey: ": save settings"))
        let plain = try Pilot("a\n1\n")
        plain.press("T")
        #expect(plain.state.message == .theme(theme))
        saveSettings(plain)
        #expect(plain.state.message == .settingsOff)
    }

    @Test func `D14: saving settings changes only the lines of these settings, and the next start reads them`() throws {
        try "# Mine.\ntheme = \"plain\"   # at night\n\n# Keys.\n[keys]\npreset = \"vim\"\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(chmod(path, 0o600) == 0)
        let pilot = try open()
        pilot.press("T z? M-m")
        let theme = pilot.state.grid.theme.name
        saveSettings(pilot)
        #expect(pilot.state.message == .settingsSaved(["theme", "hints", "mouse"], in: "config.toml"))
        #expect(
            try text
                == "# Mine.\ntheme = \"\(theme)\"   # at night\nhints = false\nmouse = false\n\n# Keys.\n[keys]\npreset = \"vim\"\n")
        let settings = SettingsFile(path: path).settings
        #expect(settings.theme == theme && !settings.showsHints && !settings.usesMouse && settings.keyPreset == .vim)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["config.toml"], "no temporary file is left")
        saveSettings(pilot)
        #expect(pilot.state.message == .nothingToSave)
        pilot.press("z?")
        saveSettings(pilot)
        #expect(try text.contains("\nhints = true\n") && text.contains("theme = \"\(theme)\""))
    }

    @Test func `D14: saving a setting in a file of commented defaults changes only the line of the setting`() throws {
        try Settings.commentedDefaults.write(toFile: path, atomically: true, encoding: .utf8)
        let pilot = try open()
        pilot.press("z?")
        saveSettings(pilot)
        #expect(try text == Settings.commentedDefaults.replacing("\nhints = true\n", with: "\nhints = false\n"))
    }

    @Test func `D14: saving settings creates a missing settings file and its folders`() throws {
        let path = folder.path(of: "new/gridview/config.toml")
        let pilot = try open(at: path)
        pilot.press("z?")
        saveSettings(pilot)
        #expect(pilot.state.message == .settingsSaved(["hints"], in: "config.toml"))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "# Settings of gridview. gridview --write-config prints all of them.\n\nhints = false\n")
    }

    @Test func `D14: a file that cannot be read as settings is never overwritten`() throws {
        for (content, message) in [
            ("a = 1\ntheme = dark\n", "config.toml, line 2: “dark” is not a value; put text in quotes. Correct the file first."),
            ("[hints]\n", "gridview cannot change config.toml. Edit the file: set hints = false."),
        ] {
            try content.write(toFile: path, atomically: true, encoding: .utf8)
            let pilot = try open()
            pilot.press("z?")
            saveSettings(pilot)
            #expect(pilot.state.message == .settingsNotSaved("Settings not saved: " + message))
            #expect(try text == content)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["config.toml"])
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        let pilot = try open()
        pilot.press("z?")
        saveSettings(pilot)
        #expect(pilot.state.message == .settingsNotSaved("Settings not saved: cannot read config.toml: not a regular file."))
    }

    @Test func `D14: a settings file that is a link stays a link, and a linked file of another kind is not changed`() throws {
        let real = try folder.file("real.toml", "hints = true\n")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: real)
        let pilot = try open()
        pilot.press("z?")
        saveSettings(pilot)
        #expect(try String(contentsOfFile: real, encoding: .utf8) == "hints = false\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == real)
        let other = try folder.file("profile", "export PATH\n")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        pilot.press("z?")
        saveSettings(pilot)
        #expect(pilot.state.message?.id == .settingsNotSaved)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "export PATH\n")
    }
}
