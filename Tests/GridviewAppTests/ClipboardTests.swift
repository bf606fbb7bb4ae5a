import Foundation
import GridTestSupport
import Testing

@testable import GridviewApp

/// Copying by programs of the system, which scripts replace here.
@MainActor
@Suite struct ClipboardTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        signal(SIGPIPE, SIG_IGN)
    }

    /// Stores the copied text and the arguments beside the script.
    private static let recordingScript = "cat >\"${0%/*}/text\"; echo \"$*\" >\"${0%/*}/arguments\""

    /// Adds programs that run a script.
    ///
    /// Another process writes them. A program cannot be started while its file is open for writing, and processes that other tests start at
    /// that moment inherit the open files of this one.
    private func add(_ names: String..., script: String = recordingScript) throws {
        for name in names {
            let path = try folder.file("\(name).sh", "#!/bin/sh\n\(script)\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: ["-p", path, folder.path(of: name)])
            copy.waitUntilExit()
            try #require(copy.terminationStatus == 0)
        }
    }

    private func installed(_ variables: String...) -> [ClipboardProgram] {
        let path = "relative:\(folder.path)/none:\(folder.path)"
        return ClipboardProgram.installed { $0 == "PATH" ? path : variables.contains($0) ? "x" : nil }.map {
            var program = $0
            program.timeLimit = .seconds(100_000)
            return program
        }
    }

    private func read(_ name: String) throws -> String { try String(contentsOfFile: folder.path(of: name), encoding: .utf8) }

    private func open(_ content: String, _ programs: [ClipboardProgram]) throws -> Pilot {
        var options = LaunchOptions()
        options.clipboardPrograms = { programs }
        return try Pilot(content, options: options)
    }

    @Test func `D10: the environment and the installed programs decide which clipboard programs are used`() throws {
        func names(_ programs: [ClipboardProgram]) -> [String] { programs.map(\.name) }
        #expect(installed("TMUX", "DISPLAY").isEmpty)
        try add("xsel")
        // Neither a folder nor a file that is not executable counts as an installed program.
        try FileManager.default.createDirectory(atPath: folder.path(of: "wl-copy"), withIntermediateDirectories: false)
        _ = try folder.file("xclip", "")
        #expect(names(installed("WAYLAND_DISPLAY", "DISPLAY")) == ["xsel"] && installed("WAYLAND_DISPLAY").isEmpty)
        try add("tmux", "xclip", "clip.exe")
        #expect(names(installed("TMUX", "DISPLAY")) == ["tmux", "xclip"] && names(installed("TMUX")) == ["tmux", "clip.exe"])
        try add("pbcopy")
        #expect(names(installed()) == ["pbcopy"])
    }

    @Test func `D10: in tmux, only tmux gets the copied text, through standard input`() throws {
        try add("tmux", "xclip")
        let pilot = try open("a,b\nsecret,2\n", installed("TMUX", "DISPLAY"))
        pilot.press("V y")
        #expect(try read("text") == "secret\t2" && read("arguments") == "load-buffer -w -\n")
        #expect(pilot.clipboard == nil && pilot.state.message == .copiedRows(1, columns: 2, by: .program("tmux", withTerminal: false)))
    }

    @Test func `D10: a desktop program and the terminal both get the copied text`() throws {
        try add("xclip")
        let pilot = try open("a,b\nsecret,2\n", installed("DISPLAY"))
        pilot.press("y")
        #expect(try read("text") == "secret" && read("arguments") == "-selection clipboard -in\n")
        #expect(pilot.clipboardText == "secret" && pilot.state.message == .copiedCell(by: .program("xclip", withTerminal: true)))
    }

    @Test func `D10: if a clipboard program fails, the next one is tried; if all fail, OSC 52 copies the text`() throws {
        try add("tmux", script: "cat >/dev/null; exit 1")
        try add("xclip")
        let next = try open("a\nx\n", installed("TMUX", "DISPLAY"))
        next.press("y")
        #expect(try read("text") == "x" && next.state.message == .copiedCell(by: .program("xclip", withTerminal: true)))
        let last = try open("a\nx\n", installed("TMUX"))
        last.press("y")
        #expect(last.clipboardText == "x" && last.state.message == .copiedCell(by: .terminal(problem: "tmux failed")))
    }

    @Test(
        arguments: ["wl-copy", "xclip", "xsel", "pbcopy", "clip.exe", "tmux"])
    func `D10, D14: a message names the chosen clipboard program if it cannot be used`(name: String) throws {
        let choice = try #require(ClipboardChoice(rawValue: name))
        func reasonUnavailable(_ variables: String...) -> String? {
            ClipboardProgram.reasonUnavailable(choice) { $0 == "PATH" ? folder.path : variables.contains($0) ? "x" : nil }
        }
        let all = ["TMUX", "WAYLAND_DISPLAY", "DISPLAY"]
        #expect(reasonUnavailable(all[0], all[1], all[2]) == "\(name) was not found" && reasonUnavailable() == "\(name) was not found")
        var options = LaunchOptions()
        options.clipboardProblem = { "\(name) was not found" }
        let pilot = try Pilot("a\nx\n", options: options)
        pilot.press("y")
        #expect(
            pilot.message
                == "Copied the cell via the terminal. \(name) was not found; if pasting does not work, export to a file.")
        try add(name)
        #expect(reasonUnavailable(all[0], all[1], all[2]) == nil)
        let needed = ["tmux": "TMUX", "wl-copy": "WAYLAND_DISPLAY", "xclip": "DISPLAY", "xsel": "DISPLAY"][name]
        #expect(reasonUnavailable() == needed.map { "\(name) needs \($0), which is not set" })
        #expect(ClipboardProgram.reasonUnavailable(.automatic) { _ in nil } == nil)
        #expect(ClipboardProgram.reasonUnavailable(.terminal) { _ in nil } == nil)
    }

    @Test func `D10: a program copies text that is too large for OSC 52`() throws {
        let long = String(repeating: "x", count: 5 << 20)
        try add("xclip")
        let pilot = try open("a\n\(long)\n", installed("DISPLAY"))
        pilot.press("y")
        #expect(try read("text") == long && pilot.clipboard == nil)
        #expect(pilot.state.message == .copiedCell(by: .program("xclip", withTerminal: false)))
        // This program reads nothing.
        try add("xsel", script: "exit 1")
        try FileManager.default.removeItem(atPath: folder.path(of: "xclip"))
        let failed = try open("a\n\(long)\n", installed("DISPLAY"))
        failed.press("y")
        #expect(failed.clipboard == nil && failed.state.message == .notCopied(by: "xsel", limit: 4 << 20))
    }

    @Test func `D10: a clipboard program that does not end is killed`() {
        let sleep = ["-c", "sleep 100000"]
        #expect(!Platform.run("/bin/sh", sleep, input: [], timeLimit: .milliseconds(50)) { false })
        #expect(!Platform.run("/bin/sh", sleep, input: Array(repeating: 0, count: 1 << 20), timeLimit: .milliseconds(50)) { false })
        #expect(!Platform.run("/bin/sh", sleep, input: [], timeLimit: .seconds(100_000)) { true })
        #expect(!Platform.run("/nonexistent/program", [], input: [], timeLimit: .seconds(100_000)) { false })
    }

    @Test func `D10: Windows programs get UTF-16`() {
        #expect(ClipboardProgram.utf16(Array("aé€𝄞".utf8)) == [0xFF, 0xFE, 0x61, 0, 0xE9, 0, 0xAC, 0x20, 0x34, 0xD8, 0x1E, 0xDD])
    }
}
