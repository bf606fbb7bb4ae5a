import FieldValues
import DataGridQuery
import DataGrid
import DataGridTerminal
import Foundation
import GridTestSupport
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Default options of the settings file that are not valid for a table.
@MainActor
@Suite struct DefaultOptionsTests {
    /// Launch options with the default options that `change` sets.
    private func options(_ change: (inout LaunchOptions) throws -> Void) rethrows -> LaunchOptions {
        var options = LaunchOptions()
        options.makeFallbackOptions = {
            LaunchOptions().adding(SettingsProblem(path: "/x/config.toml", line: 3, key: "options", reason: $0.message))
        }
        try change(&options)
        return options
    }

    nonisolated private static let changes: [(text: String, change: @Sendable (inout LaunchOptions) throws -> Void)] = [
        ("--group: Unknown column “region”.", { $0.groups = [try GroupRequest(text: "region")] }),
        ("--hide: Unknown column “note”.", { $0.hiddenColumns = [ColumnReference("note")] }),
        ("--types: Unknown column “zip”.", { $0.types = [(ColumnReference("zip"), ColumnType(.text))] }),
        ("--filter: Unknown column “nope”.", { $0.filters = ["nope > 3"] }),
        ("--sort: Unknown column “zzz”.", { $0.sort = [try SortRequest(text: "zzz")] }),
        ("--columns: Unknown column “c”.", { $0.columns = [ColumnReference("a..c")] }),
    ]

    @Test(arguments: 0..<6)
    func `D14: default options for unknown columns are ignored, and a message names the file, line and key`(index: Int) throws {
        let (text, change) = Self.changes[index]
        var options = try options(change)
        let document = try Document.open(MemorySource(name: "t", titles: ["a", "b"], rows: [["1", "2"]]), &options)
        #expect(document.visibleColumns.map(\.title) == ["a", "b"] && options.groups.isEmpty && options.filters.isEmpty)
        let problem = try #require(options.settingsProblems.first)
        #expect(problem.text.hasPrefix("/x/config.toml, line 3, options: \(text)") && options.settingsProblems.count == 1)
        let backend = RecordingBackend(size: TerminalSize(columns: 120, rows: 12))
        let session = try Session(document, options: options, backend: backend, runner: .inline)
        try session.start()
        #expect(session.state.message?.text.contains(text) == true && session.state.message?.isError == true)
    }

    @Test func `D14: an invalid command-line option is an error even after the default options are ignored`() throws {
        var wrong = LaunchOptions()
        wrong.sort = [try SortRequest(text: "zzz")]
        var options = try options { $0.groups = [try GroupRequest(text: "region")] }
        options.makeFallbackOptions = { [wrong] _ in wrong }
        let error = #expect(throws: RequestError.self) {
            _ = try Document.open(MemorySource(name: "t", titles: ["a"], rows: [["1"]]), &options)
        }
        #expect(error?.message.hasPrefix("--sort: Unknown column “zzz”.") == true)
    }

    @Test func `D14: default options for unknown columns are also ignored for files that are opened later`() throws {
        let options = try options { $0.groups = [try GroupRequest(text: "region")] }
        let backend = RecordingBackend(size: TerminalSize(columns: 120, rows: 12))
        let session = try Session(
            awaiting: SheetInput(name: "t") { MemorySource(name: "t", titles: ["a"], rows: [["1"]]) }, options: options, backend: backend,
            runner: .inline)
        try session.add([
            SheetInput(name: "u") { MemorySource(name: "u", titles: ["b"], rows: [["1"]]) }
        ])
        try session.start()
        session.turn()
        #expect(session.state.document.name == "t" && session.state.grid.rows.count == 1 && session.state.exitStatus == nil)
        #expect(session.state.message?.text.contains("config.toml, line 3, options: --group: Unknown column “region”.") == true)
        #expect(session.state.settingsProblems.count == 1)
        backend.press(KeyPress(.pageDown, .control))
        session.turn()
        #expect(session.state.document.name == "u" && session.state.grid.rows.count == 1 && session.state.grid.columns.count == 1)
    }
}
