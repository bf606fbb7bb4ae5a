import DataGrid
import DataGridQuery
import DelimitedText
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Batch output of groups and their aggregates: D8, D21.
@MainActor
@Suite struct GroupedOutputTests {
    @Test func `D8: text output shows groups`() throws {
        let text = try BatchOutput.text(BatchOutput.trades, .text) {
            $0.groups = [GroupRequest(ColumnReference("sector"))]
            $0.columns = BatchOutput.columns("id", "side", "price")
        }
        #expect(text.contains("▾ sector: Energy  2 rows  price mean 7.25\n"))
        #expect(text.contains("▾ sector: Health  1 row  price mean 99.00\n"))
        let closed = try BatchOutput.text(BatchOutput.trades, .text) {
            $0.groups = [GroupRequest(ColumnReference("sector"))]
            $0.isCollapsed = true
        }
        #expect(closed.split(separator: "\n").count == 5 && !closed.contains("BUY"))
    }

    @Test func `D8: group headers in text output show first and last cells in their format, without padding`() throws {
        let content = "k,n,p\na,1234.5,5%\nb,7,\na,0.125,6%\nb,2,7%\n"
        let text = try BatchOutput.text(content, .text) {
            $0.groups = [GroupRequest(ColumnReference("k"))]
            $0.aggregates = [
                AggregateOption(.first, ColumnReference("n")), AggregateOption(.last, ColumnReference("n")),
                AggregateOption(.first, ColumnReference("p")),
            ]
        }
        #expect(text.contains("▾ k: a  2 rows  n first 1,234.5  n last 0.125  p first 5%\n"), "\(text)")
        #expect(text.contains("▾ k: b  2 rows  n first 7  n last 2  p first (empty)\n"), "\(text)")
        // After a sort, the first cell is that of the first row in the new order.
        let sorted = try BatchOutput.text(content, .csv) {
            $0.groups = [GroupRequest(ColumnReference("k"))]
            $0.sort = [SortRequest(ColumnReference("n"))]
            $0.aggregates = [AggregateOption(.first, ColumnReference("n")), AggregateOption(.last, ColumnReference("p"))]
            $0.isCollapsed = true
        }
        #expect(sorted == "k,count,first(n),last(p)\na,2,0.125,5%\nb,2,2,\n")
    }

    @Test func `18.9: sums over many files include amounts in parentheses, or the output reports a loss`() throws {
        func sums(_ folder: TemporaryFolder, _ pattern: String, grouped: Bool = true) throws -> (text: String, notes: OutputNotes) {
            var options = LaunchOptions()
            options.columns = BatchOutput.columns("k", "amount")
            if grouped {
                (options.groups, options.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
                options.aggregates = [AggregateOption(.sum, ColumnReference("amount"))]
            }
            let document = try Document(FileOpener().open(path: folder.path(of: pattern)), options: options)
            let result = try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.csv)))
            return (String(decoding: result.bytes, as: UTF8.self), result.notes)
        }
        let mixed = try TemporaryFolder()
        let typed = try BatchOutput.bytes(Array("k,amount\na,10.5\na,2\n".utf8), .typed(ArrowOutputFormat()))
        _ = try mixed.file("1.arrow", bytes: typed)
        _ = try mixed.file("2.csv", "k,amount\na,\"(1,234.50)\"\na,3\n")
        let (text, notes) = try sums(mixed, "*")
        #expect(text == "k,count,sum(amount)\na,4,-1219\n" && notes.lines.isEmpty && !notes.hasLosses, "\(text) \(notes.lines)")
        // Only some of the files are sampled when the table is opened.
        let many = try TemporaryFolder()
        for number in 10..<30 { _ = try many.file("\(number).csv", "k,amount\na,\(number == 11 ? "(5.00)" : "-5")\na,3\n") }
        let late = try sums(many, "*.csv")
        #expect(late.notes.hasLosses && late.notes.lines.count == 2 && late.notes.lines[0].contains("“amount” in 11.csv."), "\(late.notes)")
        #expect(try !sums(many, "*.csv", grouped: false).notes.hasLosses)
    }

    @Test func `18.9: output reports a loss if a filter or a formula cannot read values of a file as numbers`() throws {
        let folder = try TemporaryFolder()
        for number in 10..<30 { _ = try folder.file("\(number).csv", "k,amount\na,\(number == 11 ? "(5.00)" : "-5")\na,3\n") }
        func notes(_ change: (inout LaunchOptions) -> Void) throws -> OutputNotes {
            var options = LaunchOptions()
            change(&options)
            let document = try Document(FileOpener().open(path: folder.path(of: "*.csv")), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.csv))).notes
        }
        func expectLoss(_ hasLoss: Bool, noteCount: Int = 1, line: Int = #line, _ change: (inout LaunchOptions) -> Void) throws {
            let notes = try notes(change)
            #expect(notes.hasLosses == hasLoss && notes.lines.count == noteCount, "line \(line): \(notes.lines)")
            #expect(notes.lines.allSatisfy { $0.contains("“amount” in 11.csv.") }, "line \(line): \(notes.lines)")
        }
        try expectLoss(true) { $0.filters = ["amount < 0"] }
        try expectLoss(true) { $0.filters = ["amount * 2 < 0"] }
        try expectLoss(false, noteCount: 0) { $0.filters = ["k = 'a'"] }
        try expectLoss(false) { $0.sort = [SortRequest(ColumnReference("amount"))] }
        // A column that the user reads as text has no values of another form.
        try expectLoss(false, noteCount: 0) {
            $0.types = [(ColumnReference("amount"), ColumnType(.text))]
            $0.filters = ["amount = '(5.00)'"]
        }
        // A derived field stands for the fields that its formula uses, also through other derived fields.
        let derived = ["t = amount * 1", "u = t + 1", "v = concat(k, 'x')"]
        try expectLoss(true) { $0.derivedColumns = derived }
        try expectLoss(true) { ($0.derivedColumns, $0.columns) = (derived, BatchOutput.columns("k", "u")) }
        try expectLoss(false, noteCount: 0) { ($0.derivedColumns, $0.columns) = (derived, BatchOutput.columns("amount", "v")) }
        try expectLoss(true) { ($0.derivedColumns, $0.columns, $0.filters) = (derived, BatchOutput.columns("k"), ["u < 0"]) }
        try expectLoss(false) {
            ($0.derivedColumns, $0.columns, $0.sort) = (derived, BatchOutput.columns("k"), [SortRequest(ColumnReference("u"))])
        }
        let aggregated = try notes {
            ($0.derivedColumns, $0.columns) = (derived, BatchOutput.columns("k"))
            ($0.groups, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], true)
            $0.aggregates = [AggregateOption(.sum, ColumnReference("t"))]
        }
        #expect(aggregated.hasLosses && aggregated.lines.count == 2 && aggregated.lines[0].contains("“amount” in 11.csv."))
        #expect(aggregated.lines.last?.contains("“amount” that is not a number: “(5.00)” in row 3.") == true, "\(aggregated.lines)")
    }

    /// Two group levels, one of them numeric. One group has an empty key, another has no numbers.
    private static let sales = """
        region,year,amount,rate,on
        North,2024,9223372036854775807,0.1,2024-01-02
        North,2024,9223372036854775807,0.2,2024-01-04
        North,2023,7,,2023-05-06
        South,2024,-1,2.50,2024-02-02
        ,2024,12,1,2024-03-01

        """

    @Test func `D8, D15: collapsed output has one record per innermost group`() throws {
        func collapsed(_ format: OutputFormat, _ groups: [String], _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
            try BatchOutput.text(Self.sales, format) { options in
                options.groups = groups.map { GroupRequest(ColumnReference($0)) }
                options.aggregates = [
                    AggregateOption(.sum, ColumnReference("amount")), AggregateOption(.count, nil),
                    AggregateOption(.mean, ColumnReference("rate")), AggregateOption(.max, ColumnReference("on")),
                    AggregateOption(.first, ColumnReference("rate")),
                ]
                options.isCollapsed = true
                change(&options)
            }
        }
        let records = """
            region,year,count,sum(amount),mean(rate),max(on),first(rate)
            North,2023,1,7,,2023-05-06,
            North,2024,2,18446744073709551614,0.15,2024-01-04,0.1
            South,2024,1,-1,2.5,2024-02-02,2.50
            ,2024,1,12,1,2024-03-01,1

            """
        #expect(try collapsed(.csv, ["region", "year"]) == records)
        #expect(try collapsed(.tsv, ["region", "year"]) == records.replacing(",", with: "\t"))
        #expect(
            try collapsed(.json, ["year"]) == """
                [
                  {"year": 2023, "count": 1, "sum(amount)": 7, "mean(rate)": null, "max(on)": "2023-05-06", "first(rate)": null},
                  {"year": 2024, "count": 4, "sum(amount)": 18446744073709551625, "mean(rate)": 0.95, "max(on)": "2024-03-01", "first(rate)": 0.1}
                ]

                """)
        #expect(
            try collapsed(.jsonl, ["region"]) { $0.aggregates = [AggregateOption(.count, nil)] } == """
                {"region": "North", "count": 3}
                {"region": "South", "count": 1}
                {"region": "", "count": 1}

                """)
        let lines = records.split(separator: "\n").map(String.init)
        func limited(_ change: (inout LaunchOptions) -> Void) throws -> [String] {
            try collapsed(.csv, ["region", "year"], change).split(separator: "\n").map(String.init)
        }
        #expect(try limited { $0.limit = 2 } == Array(lines[...2]))
        #expect(try limited { $0.rows = 1..<3 } == [lines[0]] + lines[2...3])
        #expect(try limited { $0.rows = 9..<20 } == [lines[0]])
        #expect(try limited { $0.filters = ["amount = -1"] } == [lines[0], lines[3]])
    }

    @Test(arguments: [#""""#, "null", #"" ""#])
    func `D8: the key of a group of empty and missing values is null if the file has nulls`(first: String) throws {
        let rows = "{\"g\": \(first), \"n\": 1}\n{\"g\": \"\", \"n\": 2}\n{\"g\": null, \"n\": 3}\n{\"g\": \"a\", \"n\": 4}\n"
        let bytes = try BatchOutput.bytes(Array(rows.utf8), .text(.jsonl), name: "in.jsonl") { options in
            options.groups = [GroupRequest(ColumnReference("g"))]
            options.aggregates = [AggregateOption(.sum, ColumnReference("n"))]
            options.isCollapsed = true
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == "{\"g\": \"a\", \"count\": 1, \"sum(n)\": 4}\n{\"g\": null, \"count\": 3, \"sum(n)\": 6}\n")
    }

    @Test func `D8, D21: collapsed groups have medians, percentiles, deviations and shares as plain numbers`() throws {
        let aggregates = try ["median(n)", "p90(n)", "stddev(n)", "share(n)", "median(on)"].map { try AggregateOption(text: $0) }
        func collapsed(_ format: OutputFormat) throws -> String {
            try BatchOutput.text("kind,n,on\na,1,2024-01-01\na,2,2024-01-02\nb,9,2024-02-01\n", format) { options in
                options.groups = [GroupRequest(ColumnReference("kind"))]
                options.aggregates = aggregates
                options.isCollapsed = true
            }
        }
        #expect(
            try collapsed(.csv) == """
                kind,count,median(n),p90(n),stddev(n),share(n),median(on)
                a,2,1.5,1.9,0.7071067811865476,0.25,2024-01-01
                b,1,9,9,,0.75,2024-02-01

                """)
        #expect(try collapsed(.markdown).contains("| a | 2 | 1.50 | 1.90 | 0.71 | 25.0% |"))
    }

    @Test func `D8, D21: aggregates of times far from 1970 are exact, in records and in group headers`() throws {
        let aggregates = try ["min(t)", "max(t)", "mean(t)", "median(t)"].map { try AggregateOption(text: $0) }
        func text(_ format: OutputFormat, isCollapsed: Bool) throws -> String {
            try BatchOutput.text("k,t\na,9999-12-31 23:59:59.999\na,9999-12-31 23:59:59.997\n", format) { options in
                options.groups = [GroupRequest(ColumnReference("k"))]
                options.aggregates = aggregates
                options.isCollapsed = isCollapsed
            }
        }
        let day = "9999-12-31 23:59:59"
        #expect(
            try text(.csv, isCollapsed: true)
                == "k,count,min(t),max(t),mean(t),median(t)\na,2,\(day).997,\(day).999,\(day).998,\(day).998\n")
        let header = "t min \(day).997  t max \(day).999  t mean \(day).998  t median \(day).998"
        #expect(try text(.text, isCollapsed: false).contains(header))
    }

    @Test func `D8, D9: results of times with a zone are in UTC and have a Z in data output`() throws {
        let content = "k,t\na,2024-01-01T00:30:00+02:00\na,2024-01-01T01:00:00Z\nb,\n"
        func collapsed(_ group: String, _ aggregates: String...) throws -> String {
            let (group, aggregates) = (try GroupRequest(text: group), try aggregates.map { try AggregateOption(text: $0) })
            return try BatchOutput.text(content, .csv) { options in
                (options.groups, options.aggregates, options.isCollapsed) = ([group], aggregates, true)
            }
        }
        let (first, last) = ("2023-12-31 22:30:00Z", "2024-01-01 01:00:00Z")
        #expect(
            try collapsed("k", "min(t)", "max(t)", "mean(t)")
                == "k,count,min(t),max(t),mean(t)\na,2,\(first),\(last),2023-12-31 23:45:00Z\nb,1,,,\n")
        #expect(try collapsed("t:hour", "max(t)") == "t:hour,count,max(t)\n2023-12-31 22:00:00Z,1,\(first)\n\(last),1,\(last)\n,1,\n")
        let statistics = try BatchOutput.bytes(Array(content.utf8), .text(.jsonl), statistics: true)
        let line = try #require(String(decoding: statistics, as: UTF8.self).split(separator: "\n").last)
        #expect(line.contains("\"min\": \"\(first)\"") && line.contains("\"max\": \"\(last)\""), "\(line)")
        #expect(line.contains("\"median\": \"2023-12-31 23:45:00Z\"") && line.contains("\"mean\": \"2023-12-31 23:45:00Z\""), "\(line)")
    }

    @Test func `D8, D9: results have a Z even if the first time of the column follows many empty fields`() throws {
        let content = "k,t\n" + String(repeating: "a,\n", count: 5_000) + "a,2024-01-01T00:30:00+02:00\n"
        let aggregates = [try AggregateOption(text: "max(t)")]
        let groups = try BatchOutput.text(content, .csv) {
            ($0.groups, $0.aggregates, $0.isCollapsed) = ([GroupRequest(ColumnReference("k"))], aggregates, true)
        }
        #expect(groups == "k,count,max(t)\na,5001,2023-12-31 22:30:00Z\n")
        let statistics = String(decoding: try BatchOutput.bytes(Array(content.utf8), .text(.csv), statistics: true), as: UTF8.self)
        #expect(statistics.contains(",2023-12-31 22:30:00Z,"), "\(statistics)")
    }

    @Test func `D10: in Markdown output, the header row of a group contains its aggregates`() throws {
        let text = try BatchOutput.text("kind,n\na|b,1\na|b,2\nc,\n", .markdown) {
            $0.groups = [GroupRequest(ColumnReference("kind"))]
            $0.aggregates = try! ["sum(n)", "max(n)"].map { try AggregateOption(text: $0) }
        }
        #expect(
            text == """
                | kind | n |
                |---|---:|
                | **kind: a\\|b** 2 rows, n sum 3, n max 2 | |
                | a\\|b | 1 |
                | a\\|b | 2 |
                | **kind: c** 1 row | |
                | c |  |

                """)
    }

    @Test func `D8, D21: groups by periods and bins have titles in text output and their start values in data formats`() throws {
        func collapsed(_ format: OutputFormat, _ group: String) throws -> String {
            let request = try GroupRequest(text: group)
            return try BatchOutput.text(Self.sales, format) { options in
                options.groups = [request]
                options.aggregates = [AggregateOption(.max, ColumnReference("year"))]
                options.isCollapsed = true
            }
        }
        #expect(
            try collapsed(.csv, "on:month:desc") == """
                on:month,count,max(year)
                2024-03-01,1,2024
                2024-02-01,1,2024
                2024-01-01,2,2024
                2023-05-01,1,2023

                """)
        #expect(try collapsed(.text, "on:month").contains("▸ May 2023"))
        #expect(try collapsed(.markdown, "on:quarter").contains("| 2024 Q1 | 4 |"))
        #expect(
            try collapsed(.json, "rate:0.5") == """
                [
                  {"rate:0.5": 0, "count": 2, "max(year)": 2024},
                  {"rate:0.5": 1, "count": 1, "max(year)": 2024},
                  {"rate:0.5": 2.5, "count": 1, "max(year)": 2024},
                  {"rate:0.5": null, "count": 1, "max(year)": 2023}
                ]

                """)
        let error = #expect(throws: RequestError.self) { _ = try collapsed(.csv, "year:month") }
        #expect(error?.message.contains("Cannot group “year” by month. Dates take year, quarter,") == true)
    }

    @Test(
        arguments: [
            ("note:month", "To read it as dates, append :date, as in note:month:date."),
            ("note:10:desc", "To read it as numbers, append :number, as in note:10:number."),
        ])
    func `D8: grouping a text column by a period or a range is refused unless its text is read as dates or numbers`(
        group: String, advice: String
    ) throws {
        func collapsed(_ group: String) throws -> String {
            try BatchOutput.text("note,n\nx,1\n2024-01-02,2\n", .csv) {
                ($0.groups, $0.isCollapsed) = ([try! GroupRequest(text: group)], true)
            }
        }
        let error = #expect(throws: RequestError.self) { _ = try collapsed(group) }
        let interval = group.contains("month") ? "month" : "10"
        #expect(error?.message == "--group: Cannot group “note” by \(interval): it is text. \(advice)" && error?.isUsageError == true)
        #expect(try collapsed("note:month:date").contains("2024-01-01,1,2"))
    }

    @Test(
        arguments: [
            ("min(text)", "min(text) needs numbers, dates, times or flags; text is text."),
            ("max(text)", "max(text) needs numbers, dates, times or flags; text is text."),
            ("share(text)", "share(text) needs a number column; text is text."),
            ("stddev(on)", "stddev(on) needs a number column; on is of type date."),
            ("share(on)", "share(on) needs a number column; on is of type date."),
            ("sum(on)", "sum(on) needs a number column; on is of type date."),
            ("median(ok)", "median(ok) needs a number column; ok is of type flag."),
        ])
    func `D8: an aggregate that does not fit the values of a column is refused with a message`(aggregate: String, reason: String) throws {
        let content = "text,on,ok,n\na,2024-01-02,true,1\nb,2024-01-03,false,2\n"
        let error = #expect(throws: RequestError.self) {
            _ = try BatchOutput.text(content, .csv) {
                ($0.groups, $0.aggregates) = ([try! GroupRequest(text: "n")], [try! AggregateOption(text: aggregate)])
            }
        }
        #expect(error?.message == "--aggregate: \(reason)" && error?.isUsageError == true)
    }

    @Test func `D8: a column without values has no type, so that every aggregate and interval of it is valid`() throws {
        func collapsed(_ content: String, _ group: String, _ aggregate: String) throws -> String {
            try BatchOutput.text(content, .csv) {
                ($0.groups, $0.isCollapsed) = ([try! GroupRequest(text: group)], true)
                $0.aggregates = [try! AggregateOption(text: aggregate)]
            }
        }
        #expect(try collapsed("g,v\n", "g", "sum(v)") == "g,count,sum(v)\n")
        #expect(try collapsed("g,v\n", "g:month", "median(v)") == "g:month,count,median(v)\n")
        #expect(try collapsed("g,v\na,\nb,\n", "g", "max(v)") == "g,count,max(v)\na,1,\nb,1,\n")
        #expect(throws: RequestError.self) { _ = try collapsed("g,v\na,x\n", "g", "sum(v)") }
    }
}
