import Foundation
import Testing

@testable import DataGridQuery
@testable import GridviewApp

/// Exports of typed files.
@MainActor
@Suite struct TypedExportTests: TypedOutputSuite {
    @Test(arguments: ExportTests.views.indices)
    func `18.10: an export of a typed file has the same bytes as batch output`(view: Int) throws {
        let pilot = try pilot(ExportTests.table, keys: ExportTests.views[view].keys)
        let expected = try write(ExportTests.table, ExportTests.views[view].options)
        for name in ["out.arrow", "out.FEATHER"] {
            export(pilot, to: name)
            #expect(bytes(pilot, name) == expected && !expected.isEmpty, "\(pilot.screen)")
            #expect(pilot.state.message?.id == .exported)
        }
    }

    @Test func `18.10: an export of a selection has only its cells, and an export of the list of values has counts`() throws {
        let pilot = try pilot(ExportTests.table, keys: "l v z+ j l S-Down")
        export(pilot, to: "out.arrow")
        let selected = try read(bytes(pilot, "out.arrow"))
        #expect(selected.rows.allSatisfy { $0.contains(nil) } && !selected.rows.isEmpty)
        let values = try self.pilot("side,n\nB,1\nA,2\nB,5\n", keys: "F")
        export(values, to: "values.arrow")
        let read = try read(bytes(values, "values.arrow"))
        #expect(read.titles == ["side", "count", "share %"] && read.kinds == [.text, .integer, .decimal])
        #expect(Set(read.rows) == [["B", "2", "66.6667"], ["A", "1", "33.3333"]], "\(values.screen)")
    }

    @Test(arguments: ["", "["]) func `18.10: a cancelled export of a typed file leaves no file`(keys: String) throws {
        let pilot = try pilot(ExportTests.largeTable, keys: keys)
        let document = pilot.session.document
        let output = ViewOutput(
            input: document.input, table: document.source.snapshot, columns: document.columns, allColumns: document.columns,
            rows: pilot.state.grid.rows, tree: nil, format: Self.arrow, threads: 2, memory: 1 << 18)
        for limit in [20_000, 70_000] {
            let control = JobControl(onProgress: { if $0.completed > limit { $0.cancel() } })
            let file = try ExportFile(for: ExportTarget(pilot.folder.path(of: "out.arrow")))
            #expect(throws: JobCancelled.self) {
                try UnfinishedFiles().with(file) { try ExportJob(output: output, content: .view).run(to: $0, control) }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: pilot.folder.path) == ["in.csv"])
        }
    }

    @Test func `18.10: an error while a typed file is written is shown, and no file is left`() throws {
        let pilot = try pilot("a\n1\n")
        let document = pilot.session.document
        let output = ViewOutput(
            input: document.input, table: document.source.snapshot, columns: document.columns, allColumns: document.columns,
            rows: pilot.state.grid.rows, tree: nil, format: .typed(CountingFormat(maximumRows: 0)), threads: 1, memory: 1 << 18)
        let file = try ExportFile(for: ExportTarget(pilot.folder.path(of: "out.count")))
        #expect(throws: CountingFormat.TooManyRows.self) {
            try UnfinishedFiles().with(file) { try ExportJob(output: output, content: .view).run(to: $0, JobControl()) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: pilot.folder.path) == ["in.csv"])
    }
}
