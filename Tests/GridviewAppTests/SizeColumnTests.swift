import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Columns of sizes, such as the output of `du -h`.
@MainActor
@Suite struct SizeColumnTests {
    private static let files = "size,file,kind\n4.0K,a,x\n1.5G,b,y\n512,c,x\n12M,d,y\n1536K,e,x\n0,f,x\n1.1K,g,z\n,h,z\n"

    private func output(_ content: String, _ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
        String(decoding: try BatchOutput.bytes(Array(content.utf8), format, change), as: UTF8.self)
    }

    private func typedOutput(
        _ content: String, _ format: String = "arrow"
    ) throws -> (kinds: [ValueKind], column: [String?], notes: [String]) {
        let folder = try TemporaryFolder()
        let typed = try #require(writableFormats.first { $0.name == format })
        let options = LaunchOptions()
        let document = try Document(options.files.open(path: folder.file("in.csv", content)), options: options)
        let result = try BatchOutput.result(of: BatchRun(document, options: options, format: .typed(typed)))
        let source = try FileOpener().open(path: folder.file("x.\(format)", bytes: result.bytes))
        try source.readAll(threads: 1) { _ in true }
        let table: any Table = source.snapshot()
        var column: [String?] = []
        try table.scan(0..<table.recordCount, columns: [0]) { _, fields in
            column.append(fields[0].isMissing ? nil : String(decoding: fields[0].bytes, as: UTF8.self))
            return true
        }
        return (source.profiles(budgetMilliseconds: 100).map(\.kind), column, result.notes.lines)
    }

    @Test func `17.9: sizes sort and filter by value, and are shown and copied as written`() throws {
        let pilot = try Pilot(Self.files, size: (70, 16))
        let column = try #require(pilot.state.grid.columns.all.first { $0.title == "size" })
        #expect(column.kind == .decimal && column.notation.unit == .size(.lettersOrBytes))
        pilot.press("s")
        #expect(pilot.order == [6, 3, 7, 1, 5, 4, 2, 8])
        #expect(pilot.screen.contains("1.5G") && pilot.screen.contains("1536K"), "\(pilot.screen)")
        pilot.press("&")
        pilot.type("size >= 1.5M")
        pilot.press("Enter")
        #expect(pilot.order == [5, 4, 2], "\(pilot.message)")
        #expect(try output(Self.files, .csv) { $0.filters = ["size > 1G"] } == "size,file,kind\n1.5G,b,y\n")
    }

    @Test func `17.9: output of every format has sizes as written in the file`() throws {
        #expect(try output(Self.files, .csv) == Self.files)
        let json = try output(Self.files, .jsonl) { $0.sort = [try! SortRequest(text: "size:desc")] }
        #expect(json.split(separator: "\n").first == #"{"size": "1.5G", "file": "b", "kind": "y"}"#)
        #expect(json.contains(#""size": "512""#) && json.contains(#""size": null"#))
        for format in ["arrow", "parquet", "sqlite"] {
            let file = try typedOutput(Self.files, format)
            #expect(
                file.kinds[0] == .text && file.column.map { $0 ?? "" } == ["4.0K", "1.5G", "512", "12M", "1536K", "0", "1.1K", ""],
                "\(format)")
            #expect(file.notes == [])
        }
    }

    @Test func `17.9: sums of groups are readable sizes, and exact numbers of bytes in CSV`() throws {
        func group(_ options: inout LaunchOptions) {
            options.groups = [GroupRequest(ColumnReference("kind"))]
            options.aggregates = ["sum(size)", "max(size)", "mean(size)"].map { try! AggregateOption(text: $0) }
            options.isCollapsed = true
        }
        let csv = try output(Self.files, .csv, group)
        #expect(
            csv.hasPrefix("kind,count,sum(size),max(size),mean(size)\nx,4,1577472,1572864,394368\ny,2,1623195648,1610612736,811597824\n"))
        #expect(csv.contains("\nz,2,1126.4,1126.4,1126.4\n"), "\(csv)")
        let markdown = try output(Self.files, .markdown, group)
        #expect(markdown.contains("| x | 4 | 1.5M | 1.5M | 385.1"), "\(markdown)")
        #expect(markdown.contains("| y | 2 | 1.51G | 1.5G | 774M |") && markdown.contains("| z | 2 | 1.1K | 1.1K | 1.1K |"), "\(markdown)")
        let column = try #require(try Pilot(Self.files).state.grid.columns.all.first)
        #expect(Arrangement.defaultAggregate(of: column)?.function == .sum)
    }

    @Test func `17.9: statistics of sizes are readable, with the exact sum`() throws {
        let pilot = try Pilot(Self.files.replacing("1.1K", with: "2.0K"), size: (180, 40))
        pilot.press("I")
        #expect(pilot.screen.contains("1.51G (1,624,775,168)"), "\(pilot.screen)")
        #expect(pilot.screen.contains("1.5G") && !pilot.screen.contains("1.5G ("), "\(pilot.screen)")
        let bins = try output(Self.files, .markdown) {
            $0.groups = [try! GroupRequest(text: "size:1048576")]
            $0.isCollapsed = true
        }
        #expect(bins.contains("| 0B–1M |") && bins.contains("| 12M–13M |"), "\(bins)")
    }

    @Test func `17.9: the list of ranges of sizes offers powers of two, and accepts sizes`() throws {
        let pilot = try Pilot(Self.files, size: (70, 24))
        pilot.press("zp")
        let panel = try #require(pilot.state.overlay as? ListPanel)
        #expect(panel.rows.map(\.text) == ["8M", "16M", "32M", "64M", "128M", "256M", "512M", "1G", "2G"])
        #expect(panel.matches[panel.selected].text == "128M" && panel.matches[panel.selected].detail == "13 ranges")
        pilot.press("Enter")
        #expect(pilot.state.query.requested.groupIntervals.values.map(\.text) == ["134217728"])
        pilot.press("zp")
        pilot.type("1m")
        pilot.press("Enter")
        #expect(pilot.state.query.requested.groupIntervals.values.map(\.text) == ["1048576"])
        #expect(pilot.state.grid.outline.tree?.sections.map(\.title).contains("12M–13M") == true)
    }

    @Test func `17.9: the axis of a histogram of similar sizes has distinct labels`() throws {
        let pilot = try Pilot("size,file\n" + (500..<540).map { "1.\($0)G,a\n" }.joined(), size: (120, 40))
        pilot.press("I")
        let picture = try #require(pilot.place(of: "Histogram"))
        let labels = pilot.line(picture.y + 10).split(separator: " ")
        #expect(labels.count > 2 && Set(labels).count == labels.count && labels.allSatisfy { $0.hasSuffix("G") }, "\(labels)")
    }

    @Test(
        arguments: ["1.5G", "1.5Gi", "x", "2e3"])
    func `17.9: sizes far from the sample are compared by value in filters, and are text in typed files`(last: String) throws {
        var random = SplitMix64(seed: 9)
        let units = ["K", "M", "G"]
        var sizes = (0..<200_000).map { _ in "\(random.next() % 1000).\(random.next() % 10)\(units[Int(random.next() % 3)])" }
        sizes.append(last)
        let content = "size,file\n" + sizes.map { "\($0),/usr/lib/a\n" }.joined()
        #expect(try output(content, .csv) == content)
        let file = try typedOutput(content)
        #expect(file.kinds[0] == .text && file.column == sizes && file.notes == [])
        let filtered = try output(content, .csv) { $0.filters = ["size < 3K and size > 1.9K"] }
        #expect(filtered.contains("\n\(last),") == (last == "2e3"))
    }

    @Test func `17.9: a size in the last row of a large file of numbers is text`() throws {
        let rows = (0..<200_000).map { "\($0),x\n" }.joined() + "5K,x\n"
        let file = try typedOutput("n,s\n" + rows)
        #expect(file.kinds[0] == .text && file.column.last == "5K")
        #expect(try output("n,s\n" + rows, .jsonl).hasSuffix("{\"n\": \"5K\", \"s\": \"x\"}\n"))
    }
}
