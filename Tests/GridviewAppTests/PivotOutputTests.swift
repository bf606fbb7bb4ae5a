import DataGrid
import DataGridQuery
import DelimitedText
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Batch output of pivot tables.
@MainActor
@Suite struct PivotOutputTests {
    private static let sales = """
        region,year,amount,note
        North,2023,10.5,a
        South,2024,2,b
        North,2024,3,c
        ,2024,4,d
        North,2024,0.25,e
        South,,7,f

        """

    private func output(
        _ content: [UInt8], _ pivot: String, _ format: FileFormat = .text(.csv), name: String = "sales.csv",
        _ change: (inout LaunchOptions) -> Void = { _ in }
    ) throws -> (text: String, notes: OutputNotes, pivot: OutputNotes) {
        let folder = try TemporaryFolder()
        var options = LaunchOptions()
        options.pivot = try PivotText(text: pivot)
        change(&options)
        options.opener = options.files
        let pivoted = try PivotedInput(options.files.open(path: folder.file(name, bytes: content)), options: options)
        var rest = pivoted.options
        let (source, pivotNotes) = try pivoted.compute()
        let document = try Document.open(source, &rest)
        let (bytes, notes) = try BatchOutput.result(of: BatchRun(document, options: rest, format: format))
        return (String(decoding: bytes, as: UTF8.self), notes, pivotNotes)
    }

    private func text(
        _ pivot: String, _ format: OutputFormat = .csv, _ change: (inout LaunchOptions) -> Void = { _ in }
    ) throws -> String {
        let (text, notes, pivotNotes) = try output(Array(Self.sales.utf8), pivot, .text(format), change)
        #expect(notes.lines.isEmpty && pivotNotes.lines.isEmpty)
        return text
    }

    @Test func `D2, D23: a cancelled job ends the search for the types of the columns of a pivot table`() throws {
        // At most every second row is sampled, beginning with the second one.
        let rows = (0..<4_000).map { "\($0),\($0 == 1_000 ? "0.5" : "")\n" }.joined()
        let folder = try TemporaryFolder()
        let input = try FileOpener().open(path: folder.file("t.csv", "n,price\n" + rows))
        try input.readAll(threads: 1) { _ in true }
        let control = JobControl()
        let price = FieldID(rawValue: 1)
        #expect(try PivotedInput.ReadInput(input, LaunchOptions(), control).opened.rareTypes?.profiles[price]?.kind == .decimal)
        control.cancel()
        #expect(try PivotedInput.ReadInput(input, LaunchOptions(), control).opened.rareTypes == nil)
    }

    @Test func `D23: --pivot writes a row for each region and a column for each year`() throws {
        #expect(
            try text("region by year: sum(amount)") == """
                region,2023,2024,(empty)
                North,10.5,3.25,
                South,,2,7
                ,,4,

                """)
        #expect(
            try text("by year: count, max(amount)")
                == "2023 count,2023 max(amount),2024 count,2024 max(amount),(empty) count,(empty) max(amount)\n1,10.5,4,4,1,7\n")
        #expect(try text("region by year", .json).contains(#"{"region": "South", "2023": 0, "2024": 1, "(empty)": 1}"#))
        #expect(try text("region by year: sum(amount)", .json).contains(#""2023": null"#))
        #expect(try text("region by year", .markdown).contains("| North "))
    }

    @Test func `D23: means of times far from 1970 are exact in a pivot table`() throws {
        let content = "k,t\na,9999-12-31 23:59:59.999\na,9999-12-31 23:59:59.997\n"
        #expect(try output(Array(content.utf8), "by k: mean(t)").text == "a\n9999-12-31 23:59:59.998\n")
    }

    @Test func `D23: results of times with a zone and starts of hours have a Z in a pivot table`() throws {
        let content = "k,t\na,2024-01-01T00:30:00+02:00\na,2024-01-01T01:00:00Z\n"
        #expect(
            try output(Array(content.utf8), "t:hour by k: max(t)").text == """
                t:hour,a
                2023-12-31 22:00:00Z,2023-12-31 22:30:00Z
                2024-01-01 01:00:00Z,2024-01-01 01:00:00Z

                """)
    }

    @Test func `D23: filters, types and derived columns apply to the file, and all other options to the pivot table`() throws {
        let sorted = try text("region by year: sum(twice)") {
            $0.derivedColumns = ["twice = amount * 2"]
            $0.filters = ["amount > 1", "region is not empty"]
            $0.types = [(ColumnReference("year"), ColumnType(.text))]
            $0.sort = [try! SortRequest(text: "2024:desc")]
            $0.columns = [ColumnReference("2024"), ColumnReference("region")]
        }
        #expect(sorted == "2024,region\n6,North\n4,South\n")
        let limited = try text("region by year") {
            $0.limit = 1
            $0.hiddenColumns = [ColumnReference("2023")]
        }
        #expect(limited == "region,2024,(empty)\nNorth,2,0\n")
    }

    @Test func `D23: an invalid pivot table is a usage error that names the option`() throws {
        func error(_ pivot: String, _ change: (inout LaunchOptions) -> Void = { _ in }) -> RequestError? {
            #expect(throws: RequestError.self) { try output(Array(Self.sales.utf8), pivot, .text(.csv), change) }
        }
        #expect(error("regio by year")?.message == "--pivot: Unknown column “regio”. Did you mean “region”?")
        #expect(error("region by note: sum(note)")?.message == "--pivot: sum(note) needs a number column; note is text.")
        #expect(error("region by note: sum(note)")?.isUsageError == true)
        #expect(error("region by year") { $0.sort = [SortRequest(ColumnReference("amount"))] }?.message.contains("“amount”") == true)
    }

    @Test func `D23: without rows, every aggregate is valid, and the pivot table has only the row fields`() throws {
        let (text, notes, _) = try output(Array("region,year,amount\n".utf8), "region:month by year:10: sum(amount)")
        #expect(text == "region\n" && notes.lines.isEmpty)
        #expect(try self.text("region by year: sum(amount)") { $0.filters = ["amount > 1000"] } == "region\n")
    }

    @Test func `D23: a note reports values that the aggregates of a pivot table leave out, as a loss`() throws {
        let content = "g,y,n\na,1,5\na,1,4\nb,2,7\nb,1,4x\n"
        let (text, notes, _) = try output(Array(content.utf8), "g by y: sum(n)") {
            $0.types = [(ColumnReference("n"), ColumnType(.integer))]
        }
        #expect(text == "g,1,2\na,9,\nb,,7\n")
        let sentence = "sales.csv: aggregates leave out a value of “n” that is not a number: “4x” in row 4."
        #expect(notes.lines == [sentence] && notes.hasLosses, "\(notes.lines)")
        let counts = try output(Array(content.utf8), "g by y") { $0.types = [(ColumnReference("n"), ColumnType(.integer))] }
        #expect(counts.notes.lines.isEmpty && !counts.notes.hasLosses, "counts leave out no value")
    }

    @Test func `D23: values that are not valid UTF-8 get separate columns, and replaced bytes are reported as a loss`() throws {
        let content = Array("k,n\n".utf8) + [0x61, 0xFF] + Array(",1\n".utf8) + [0x61, 0xFE] + Array(",2\n".utf8)
        let (text, notes, _) = try output(content, "n by k: sum(n)") { $0.files.dialect.encoding = .utf8 }
        #expect(text == "n,a\u{FFFD},a\u{FFFD}\n1,,1\n2,2,\n" || text == "n,a\u{FFFD},a\u{FFFD}\n1,1,\n2,,2\n", "\(text)")
        #expect(notes.hasLosses)
        #expect(
            notes.lines == [
                "sales.csv: 2 values are not valid UTF-8. Invalid bytes were replaced with U+FFFD. Use --encoding to decode them."
            ])
    }

    @Test func `D23: nulls and empty text have different rows and columns`() throws {
        let lines = #"""
            {"k":null,"c":"x","n":1}
            {"k":"","c":"x","n":2}
            {"k":"a","c":null,"n":3}
            {"k":"a","c":"","n":4}
            {"k":"a","c":"x","n":5}

            """#
        let (text, _, _) = try output(Array(lines.utf8), "k by c: sum(n)", .text(.jsonl), name: "a.jsonl")
        #expect(
            text == """
                {"k": "a", "x": 5, "(empty)": 4, "(null)": 3}
                {"k": "", "x": 2, "(empty)": null, "(null)": null}
                {"k": null, "x": 1, "(empty)": null, "(null)": null}

                """)
    }

    @Test func `D23: sums and means of pivot tables are numbers in typed files`() throws {
        let format = try #require(writableFormats.first { $0.name == "parquet" })
        let folder = try TemporaryFolder()
        let (_, notes, _) = try output(Array(Self.sales.utf8), "region by year: sum(amount), mean(amount), count", .typed(format))
        #expect(notes.lines.isEmpty && !notes.hasLosses, "no numbers become text in \(folder.path)")
    }
}
