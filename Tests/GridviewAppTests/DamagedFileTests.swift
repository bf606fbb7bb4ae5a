import DataGridQuery
import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import TerminalSurface
import Testing

@testable import GridviewApp

/// Inputs that end early: damaged or incomplete compressed files, and text beyond the spool limit.
@MainActor
@Suite struct DamagedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private nonisolated static let suffixes = ["gz", "zst", "xz", "bz2", "lz4"]

    /// A compressed file that ends after two thirds of its bytes.
    private func incompleteFile(_ suffix: String = "gz", _ text: String = CompressedText.content, name: String = "t.csv") throws -> String {
        let bytes = try CompressedText.encode(text, suffix)
        return try folder.file("\(name).\(suffix)", bytes: Array(bytes[..<(bytes.count * 2 / 3)]))
    }

    private func run(
        _ path: String, _ format: FileFormat = .text(.csv), statistics: Bool = false, _ change: (inout LaunchOptions) -> Void = { _ in }
    ) throws -> (bytes: [UInt8], notes: OutputNotes) {
        var options = LaunchOptions()
        change(&options)
        let document = try Document(options.files.open(path: path), options: options)
        return try BatchOutput.result(of: BatchRun(document, options: options, format: format), statistics: statistics)
    }

    private func lines(_ bytes: [UInt8]) -> [Substring] { String(decoding: bytes, as: UTF8.self).filledLines }

    private static let expectedLines = CompressedText.content.filledLines

    private static func formatted(_ number: Int) -> String { NumberText.count(number) }

    @Test(arguments: suffixes)
    func `T1, E: rows before a premature end of the file are written, and a note says which rows are missing`(suffix: String) throws {
        let path = try incompleteFile(suffix)
        let (bytes, notes) = try run(path)
        let found = lines(bytes)
        // bzip2 has blocks of 900 kB.
        #expect(found.count > (suffix == "bz2" ? 15_000 : 30_000) && found.count < Self.expectedLines.count)
        #expect(found.dropLast().elementsEqual(Self.expectedLines.prefix(found.count - 1)))
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        let last = "row \(Self.formatted(found.count - 1))"
        let start =
            "t.csv.\(suffix) ends early, after \(Self.formatted(size)) compressed bytes. Copy or download it again. No rows after \(last)"
        let isWhole = Array(CompressedText.content.utf8).hasPrefix(bytes[...])
        #expect(notes.hasLosses && notes.lines.count == 1)
        #expect(
            notes.lines == [start + " could be read; \(last) may be incomplete."]
                || isWhole && notes.lines == [start + " could be read."], "\(notes.lines)")
    }

    @Test(arguments: ["gz", "xz", "bz2"]) func `T1, E: rows before damaged data are written`(suffix: String) throws {
        var bytes = try CompressedText.encode(CompressedText.content, suffix)
        let middle = bytes.count * 2 / 3
        for place in middle..<middle + 64 { bytes[place] = ~bytes[place] }
        let (output, notes) = try run(folder.file("t.csv.\(suffix)", bytes: bytes))
        let found = lines(output)
        #expect(found.count > 10_000 && found.count < Self.expectedLines.count)
        // Bytes after the damage may be decoded before the decoder notices it. They can add columns and blank lines.
        #expect(zip(found, Self.expectedLines).prefix(10_000).allSatisfy { $0.hasPrefix($1) })
        let damage = try #require(notes.lines.last)
        #expect(notes.hasLosses && notes.lines.dropLast().allSatisfy { $0.contains("blank line") }, "\(notes.lines)")
        #expect(damage.hasPrefix("t.csv.\(suffix) is damaged near byte "), "\(notes.lines)")
        #expect(damage.contains("Copy or download it again. No rows after row "))
        #expect(damage.hasSuffix(" could be read, and rows before the damage may be wrong."))
    }

    @Test func `T1, E: a wrong checksum at the end is reported, and all rows are written`() throws {
        var bytes = try CompressedText.encode(CompressedText.content)
        bytes[bytes.count - 6] ^= 1
        let (output, notes) = try run(folder.file("t.csv.gz", bytes: bytes))
        #expect(output == Array(CompressedText.content.utf8) && notes.hasLosses && notes.lines.count == 1)
        #expect(
            notes.lines[0].hasSuffix(
                "Copy or download it again. No rows after row 60,000 could be read, and rows before the damage may be wrong."),
            "\(notes.lines)")
    }

    @Test(arguments: [true, false]) func `T1, E: rows within the spool limit are written`(cutsRow: Bool) throws {
        let limit = (CompressedText.header + CompressedText.rows(1...40_000)).utf8.count + (cutsRow ? 5 : 0)
        let path = try folder.file("t.csv.gz", bytes: CompressedText.encode(CompressedText.content))
        let (output, notes) = try run(path) { $0.files.spoolLimit = limit }
        let cut = "40001".utf8.prefix(cutsRow ? 5 : 0)
        let rest = cutsRow ? Array(cut) + Array(",,\n".utf8) : []
        #expect(output == Array((CompressedText.header + CompressedText.rows(1...40_000)).utf8) + rest)
        let last = cutsRow ? "row 40,001 could be read; row 40,001 may be incomplete." : "row 40,000 could be read."
        #expect(
            notes.lines == [
                "Reading t.csv.gz stopped at the spool limit of \(Self.formatted(limit)) bytes. Raise --spool-limit to read more. No rows after "
                    + last
            ])
    }

    @Test func `T1, E: queries return the rows before a premature end of the file`() throws {
        let path = try incompleteFile()
        let known = lines(try run(path).bytes).count - 1
        let note = "No rows after row \(Self.formatted(known)) could be read"
        func check(_ notes: OutputNotes, _ place: SourceLocation = #_sourceLocation) {
            #expect(notes.hasLosses && notes.lines.count == 1 && notes.lines[0].contains(note), "\(notes.lines)", sourceLocation: place)
        }
        let filtered = try run(path) { $0.filters = ["half = even"] }
        #expect(lines(filtered.bytes).count == known / 2 + 1)
        check(filtered.notes)
        let sorted = try run(path) {
            $0.sort = [SortRequest(ColumnReference("n"))]
            $0.sort[0].isDescending = true
        }
        #expect(lines(sorted.bytes).count == known + 1 && lines(sorted.bytes)[1].hasPrefix("\(known),"))
        check(sorted.notes)
        let first = try run(path) {
            $0.sort = [SortRequest(ColumnReference("n"))]
            $0.sort[0].isDescending = true
            $0.limit = 2
        }
        #expect(lines(first.bytes).elementsEqual(lines(sorted.bytes).prefix(3)))
        check(first.notes)
        let grouped = try run(path) {
            $0.groups = [GroupRequest(ColumnReference("half"))]
            $0.isCollapsed = true
        }
        #expect(lines(grouped.bytes).count == 3)
        check(grouped.notes)
        let statistics = try run(path, statistics: true)
        #expect(lines(statistics.bytes).count == 4 && lines(statistics.bytes)[1].hasPrefix("n,integer,\(known),"))
        check(statistics.notes)
        // The rows that are missing could have had column 9, but it is unknown, so a reference to it is an error.
        #expect(throws: RequestError.self) { try run(path) { $0.columns = [ColumnReference("#9")] } }
    }

    @Test func `T1, E: typed output contains the rows before a premature end of the file`() throws {
        let path = try incompleteFile()
        let known = lines(try run(path).bytes).count - 1
        for format in writableFormats {
            let (bytes, notes) = try run(path, .typed(format))
            let source = try FileOpener().open(path: folder.file("out.\(format.suffixes[0])", bytes: bytes))
            try source.readAll(threads: 2) { _ in true }
            #expect(source.snapshot().recordCount == known, "\(format.name)")
            #expect(notes.hasLosses && notes.lines.count == 1, "\(format.name) \(notes.lines)")
        }
    }

    @Test func `T1: there is no note if the row limit is reached before the premature end of the file`() throws {
        let (bytes, notes) = try run(incompleteFile()) { $0.limit = 5 }
        #expect(lines(bytes).elementsEqual(Self.expectedLines.prefix(6)) && notes.lines.isEmpty && !notes.hasLosses)
    }

    @Test(arguments: ["jsonl", "json"]) func `T1, E: JSON records before a premature end of the file are written`(kind: String) throws {
        let records = (1...60_000).map { "{\"n\":\($0),\"x\":\"row \(UInt64($0) &* 0x9E37_79B9_7F4A_7C15)\"}" }
        let text = kind == "jsonl" ? records.joined(separator: "\n") + "\n" : "[" + records.joined(separator: ",\n") + "]\n"
        let path = try incompleteFile("gz", text, name: "t.\(kind)")
        let (bytes, notes) = try run(path)
        let found = lines(bytes)
        #expect(found.count > 30_000 && found.count < 60_000)
        for row in [1, 100, 20_000, found.count - 2] {
            let text = "\(row),row \(UInt64(row) &* 0x9E37_79B9_7F4A_7C15)"
            #expect(found[row] == text || found[row] == text + ",")
        }
        #expect(notes.hasLosses && notes.lines.last?.hasPrefix("t.\(kind).gz ends early, after ") == true, "\(notes.lines)")
        let last = "row \(Self.formatted(found.count - 1))"
        #expect(notes.lines.last?.hasSuffix("No rows after \(last) could be read; \(last) may be incomplete.") == true)
    }

    @Test func `E: input that ends before its first row is an error`() throws {
        let bytes = try CompressedText.encode(CompressedText.content)
        // The bytes end after the header of the member.
        #expect(throws: DelimitedTextError.self) { try run(folder.file("a.csv.gz", bytes: Array(bytes[..<15]))) }
        // The limits leave only the column names, without a row.
        let path = try folder.file("b.csv.gz", bytes: CompressedText.encode(CompressedText.content))
        for size in [3, CompressedText.header.utf8.count] {
            #expect(throws: DelimitedTextError.self) {
                try run(path) {
                    $0.files.spoolLimit = size
                    $0.files.dialect.hasHeader = true
                }
            }
        }
    }

    @Test func `E: the screen shows the rows before a premature end, and a message says that they stay available`() throws {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: incompleteFile())))
        let pilot = try Pilot(bytes: bytes, name: "t.csv.gz")
        let known = lines(try run(incompleteFile()).bytes).count - 1
        #expect(pilot.state.grid.rows.count == known && pilot.state.document.isComplete)
        #expect(pilot.state.message?.isError == true)
        #expect(
            pilot.message
                == "t.csv.gz ends early, after \(Self.formatted(bytes.count)) compressed bytes. Copy or download it again. The rows read so far stay available."
        )
        pilot.press("R")
        #expect(pilot.state.message == .fileUnchanged("t.csv.gz"))
    }

    @Test func `E, T1: the title line, the file details and the message about an export say that rows are missing`() throws {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: incompleteFile())))
        let expected = try run(incompleteFile())
        let pilot = try Pilot(bytes: bytes, size: (120, 30), name: "t.csv.gz")
        let rows = Self.formatted(pilot.state.grid.rows.count)
        let reason = "t.csv.gz ends early, after \(Self.formatted(bytes.count)) compressed bytes."
        #expect(pilot.state.document.problems.first == expected.notes.lines[0] && expected.notes.lines[0].hasPrefix(reason))
        // Another message replaces the one about the end.
        pilot.press("s")
        #expect(pilot.line(0).contains("! \(reason)"), "\(pilot.line(0))")
        pilot.press("M-g")
        #expect(pilot.screen.contains("  \(reason)") && !pilot.screen.contains("None."), "\(pilot.screen)")
        pilot.press("Escape zs C-u")
        pilot.type("out.csv")
        pilot.press("Enter")
        #expect(pilot.message.hasPrefix("Exported \(rows) rows of an incomplete file to out.csv ("), "\(pilot.message)")
        #expect(pilot.message.hasSuffix(". \(expected.notes.lines[0])"), "\(pilot.message)")
        // A whole file with this name has no note.
        try Data(CompressedText.encode(CompressedText.content)).write(to: URL(fileURLWithPath: pilot.path))
        pilot.press("R")
        #expect(pilot.state.grid.rows.count == 60_000 && pilot.state.document.problems.isEmpty, "\(pilot.state.document.problems)")
    }
}
