import GridTestSupport
import Foundation
import Testing

/// Help and usage errors. A usage error has status 2, one line on standard error with the remedy, and no standard output.
struct UsageTests {
    private let trades = ProgramUnderTest.file("Examples/data/trades.csv")

    private func expectUsageError(_ arguments: [String], _ message: String, _ place: SourceLocation = #_sourceLocation) throws {
        let outcome = try ProgramUnderTest.run(arguments)
        #expect(outcome.status == .code(2), "\(arguments)", sourceLocation: place)
        #expect(outcome.output.isEmpty, "\(arguments)", sourceLocation: place)
        let expected = "gridview: \(message) See gridview --help.\n"
        #expect(outcome.errorText == expected, "\(arguments)", sourceLocation: place)
    }

    @Test func `D3: --types accepts the notation of dates in parentheses`() throws {
        let message = "--types: Only date and datetime accept a notation in parentheses, as in date(dmy)."
        try expectUsageError(["--types", "id:integer(dmy)", trades], message)
        let rows = try ProgramUnderTest.run([
            "-o", "csv", "--limit", "1", "--columns", "id", "--no-grouping", "--types", "timestamp:datetime(epoch)", trades,
        ])
        #expect(rows.status == .code(0) && rows.outputText.hasPrefix("id\n"))
        let unknown = try ProgramUnderTest.run(["--types", "timestamp:date(x)", trades])
        #expect(unknown.status == .code(2))
        #expect(unknown.errorText.hasPrefix("gridview: --types: Unknown date notation “x”. Use iso, dmy, mdy, ymd, epoch or epoch-ms."))
    }

    // MARK: Help

    @Test(arguments: ["--help", "-h"]) func `F: --help describes every option in at most 80 columns`(_ option: String) throws {
        let outcome = try ProgramUnderTest.run(option)
        #expect(outcome.status == .code(0))
        #expect(outcome.errors.isEmpty)
        let text = outcome.outputText
        #expect(text.contains("USAGE: gridview [<options>] [<file> ...]\n"))
        let start = text.prefix { $0 != ";" }.split(separator: "\n").joined(separator: " ")
        for input in ["CSV", "JSON", "Parquet", "SQLite", "Excel", "logs", "servers"] { #expect(start.contains(input), "\(input)") }
        for name in Self.options { #expect(text.contains(name), "\(name)") }
        let longest = text.split(separator: "\n").map(\.count).max() ?? 0
        #expect((60...80).contains(longest), "a line of \(longest)")
        // No two options share a line, and each has a description.
        #expect(text.contains("  -d, --delimiter <c>     Field delimiter: a"))
        #expect(text.contains("Hidden") == false && text.contains("  --man "))
    }

    @Test(
        arguments: ["100000", "0", "-5", "1", "x", "", "2147483647", "9223372036854775807", "99999999999999999999"])
    func `D16: the help is readable with any value of COLUMNS and LINES`(_ size: String) throws {
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.environment["COLUMNS"] = size
        runner.environment["LINES"] = size
        for option in ["--help", "-h"] {
            let help = try runner.run([option])
            #expect(help.status == .code(0) && help.errors.isEmpty)
            #expect(help.outputText.contains("-d, --delimiter") && help.outputText.contains(" delimiter:"))
        }
        let mistyped = try runner.run(["--columnz"])
        #expect(mistyped.status == .code(2) && mistyped.errorText.hasPrefix("gridview: Unknown option --columnz."))
        let screen = try runner.run(["--print-screen", trades])
        #expect(screen.status == .code(0) && screen.outputText.split(separator: "\n", omittingEmptySubsequences: false).count == 41)
        let rows = try runner.run(["-o", "csv", "--limit", "1", "--columns", "id", trades])
        #expect(rows.status == .code(0) && rows.outputText.hasPrefix("id\n"))
    }

    private static let options = [
        "-d, --delimiter", "-t, --tab", "--quote", "--escape", "--encoding", "--header", "--skip-lines", "--comment", "--decimal",
        "--follow",
        "--reload",
        "--columns", "--hide", "--types",
        "--format", "--no-grouping", "--sort", "--filter", "--group", "--aggregate", "--collapsed", "--pivot", "--find",
        "--freeze-columns", "--freeze-rows",
        "--freeze-right",
        "--pick", "--multi", "--pick-column",
        "--select", "--view", "--recent-views/--no-recent-views", "--theme", "--color", "--keys", "--hints/--no-hints",
        "--mouse/--no-mouse", "--dates",
        "--clipboard", "--config", "--no-config", "--write-config", "-o, --output", "--compress", "--raw", "--csv-safe", "--limit",
        "--rows",
        "--print-screen",
        "--size", "--press",
        "--threads", "--completions", "--version", "-h, --help",
    ]

    @Test func `F: --version equals the version in the man page`() throws {
        let version = try ProgramUnderTest.run("--version").outputText
        // Builds without git have no commit.
        let parts = try #require(version.wholeMatch(of: /(gridview \d+\.\d+\.\d+)( \([0-9a-f]{7,40}(-dirty)?\))?\n/), "\(version)")
        #expect(try ProgramUnderTest.run("--man").outputText.contains("\"\(parts.1)\""))
    }

    @Test func `F: an error in a filter is shown at its position`() throws {
        let outcome = try ProgramUnderTest.run(["--filter", "price > 100 and symbl ~ '^A'", trades])
        #expect(outcome.status == .code(2) && outcome.output.isEmpty)
        #expect(
            outcome.errorText == """
                gridview: --filter: Unknown column “symbl”. Did you mean “symbol”?
                  price > 100 and symbl ~ '^A'
                                  ^^^^^

                """)
        let filters = ["--filter", "-id < -100003 and not (id in (100004))", "--filter=id < 100008"]
        let fine = try ProgramUnderTest.run(filters + ["--columns", "id", "-o", "csv", trades])
        #expect(fine.status == .code(0) && fine.errors.isEmpty && fine.outputText == "id\n100007\n")
    }

    @Test func `E: no control byte of a file or an argument reaches standard error`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("hostile.csv", "pr\u{1b}[2Jice,b\n1,2\n")
        for filter in ["pr\u{1b}[2Jicee > 1", "b\u{202e} > \u{9b}31m", "\u{7} > 1"] {
            let outcome = try ProgramUnderTest.run(["--filter", filter, file])
            #expect(outcome.status == .code(2))
            #expect(
                !outcome.errorText.unicodeScalars.contains {
                    $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202E}")
                })
        }
    }

    // MARK: Unknown options

    @Test(
        arguments: [
            ("--columnz", "--columns"), ("--no-mous", "--no-mouse"), ("--colour", "--color"), ("--delim", "--delimiter"),
            ("--colums=a", "--columns"),
            ("--versoin", "--version"), ("--freeze-column", "--freeze-columns"),
            // Options of other programs
            ("--head=5", "--limit"), ("--no-header", "--header no"), ("--where", "--filter"), ("--csv", "--output csv"),
        ])
    func `F: the error for a mistyped option suggests the most similar name`(_ typed: String, _ meant: String) throws {
        let name = typed.split(separator: "=")[0]
        try expectUsageError([typed, trades], "Unknown option \(name). Did you mean \(meant)?")
    }

    @Test(
        arguments: [
            "--xyz", "--print-selection",
            "--screenshot", "-z", "--x",
        ])
    func `F: an unknown option is an error`(_ option: String) throws {
        try expectUsageError([option, trades], "Unknown option \(option).")
        try expectUsageError([trades, option + "=1"], "Unknown option \(option).")
    }

    // MARK: Invalid values

    @Test func `D19: options that contradict --pick are an error, and so are options that need --pick without it`() throws {
        try expectUsageError(["--multi", trades], "--multi needs --pick.")
        try expectUsageError(["--pick-column", "id", trades], "--pick-column needs --pick.")
        for option in ["--limit=3", "--rows=1..2", "--stats", "--print-screen"] {
            let name = option.split(separator: "=")[0]
            try expectUsageError(
                ["--pick", option, trades], "\(name) and --pick cannot be combined: --pick prints the rows that you choose.")
        }
    }

    @Test func `F: the error for an invalid value lists the valid ones`() throws {
        try expectUsageError(
            ["--theme", "drk", trades], "--theme: Unknown value “drk”. Use auto, dark, light, contrast or plain. Did you mean “dark”?")
        try expectUsageError(["--color=blue", trades], "--color: Unknown value “blue”. Use auto, never, 16, 256 or true.")
        let unknown = try ProgramUnderTest.run("-o", "xml", trades)
        #expect(unknown.status == .code(2))
        let formats = "gridview: --output: Unknown format “xml”. Use text, csv, tsv, json, jsonl, markdown, html, sql"
        #expect(unknown.errorText.hasPrefix(formats) && unknown.errorText.contains("arrow"))
        let advice = "is a file name, not a format. To write a file: gridview"
        try expectUsageError(["-o", "a b.json", trades], "--output: “a b.json” \(advice) \(trades) -o json > 'a b.json'.")
        try expectUsageError(["-o", "x.csv.gz", trades], "--output: “x.csv.gz” \(advice) \(trades) -o csv --compress gzip > x.csv.gz.")
        // The advice does not suggest an existing file as the target of the output, because a shell may have expanded a pattern to it.
        let folder = try TemporaryFolder()
        let files = try ["x.csv", "y.csv", "z.csv"].map { try folder.file($0, "a,b\n1,2\n") }
        for inputs in [files[1...], files[1...1]] {
            let outcome = try ProgramUnderTest.run(["-o", files[0]] + inputs)
            #expect(outcome.status == .code(2) && outcome.errorText.contains("“\(files[0])” is a file name, not a format."))
            #expect(outcome.errorText.contains("in quotes: gridview '\(folder.path(of: "*.csv"))' -o csv."), "\(outcome.errorText)")
        }
        try expectUsageError(
            ["-o", "-", trades], "--output: Output goes to standard output without “-”. Name a format, as in --output csv.")
        let markdown = try ProgramUnderTest.run("-o", "md", trades)
        #expect(try markdown.status == .code(0) && markdown.outputText == ProgramUnderTest.run("-o", "markdown", trades).outputText)
        try expectUsageError(
            ["-o", "csv", "--compress", "zip", trades],
            "--compress: Unknown method “zip”. Use gzip, zstd, xz, bzip2 or lz4. Did you mean “gzip”?"
        )
        try expectUsageError(["--print-screen=png", trades], "--print-screen: Unknown format “png”. Use text, ansi or svg.")
        try expectUsageError(["--print-screen", "png", trades], "--print-screen: Unknown format “png”. Use text, ansi or svg.")
        try expectUsageError(["--completions", "tcsh"], "--completions: Unknown value “tcsh”. Use bash, zsh or fish.")
        try expectUsageError(
            ["--select=rws", trades], "--select: Unknown value “rws”. Use none, cell, cells, row or rows. Did you mean “rows”?")
        try expectUsageError(["--header", "maybe", trades], "--header: Unknown value “maybe”. Use auto, yes, no or two.")
        try expectUsageError(
            ["--sort", "price:dsc", trades],
            "--sort: Unknown order “dsc” for price. Use desc, asc, natural, text, number or date. Did you mean “desc”?")
        try expectUsageError(
            ["--types", "price:numbr", trades],
            "--types: Unknown value “numbr”. Use text, integer, number, decimal, decimal-point, decimal-comma, date, datetime, time or flag. Did you mean “number”?"
        )
        try expectUsageError(["--types", "price", trades], "--types: “price” has no “:”. Write it as in price:number.")
        try expectUsageError(
            ["--format", "price", trades],
            "--format: Unknown file format “price”. Use delimited, jsonl, json, journal, markdown, box, access-log, syslog, logfmt, log, fixed-width, lines, parquet, arrow, sqlite, xlsx, ods or zip. To set the number of decimals of a column, write column:digits, as in price:2."
        )
        try expectUsageError(["--format", "price:x", trades], "--format: The number of digits must be 0 to 12, not “x”.")
        let more = "median, p5, p10, p25, p75, p90, p95, p99, stddev, share"
        try expectUsageError(
            ["--group=sector", "--aggregate", "total(price)", trades],
            "--aggregate: Unknown aggregate “total”. Use count, sum, mean, min, max, distinct, first, last, \(more) or avg.")
        try expectUsageError(
            ["--group=sector:coun", trades],
            "--group: Unknown order “coun” for sector. Use desc, asc, count, year, quarter, month, week, day, hour, a width such as 10, natural, text, number, date or an aggregate, as in sector:sum(COLUMN). Did you mean “count”?"
        )
        try expectUsageError(
            ["--group=sector:summ(price):desc", trades],
            "--group: Unknown aggregate “summ”. Use count, sum, mean, min, max, distinct, first, last, \(more) or avg. Did you mean “sum”?")
        try expectUsageError(["--group=:count", trades], "--group: Missing column name in “:count” (expected COLUMN[:count][:desc]).")
        try expectUsageError(
            ["--group=sector", "--aggregate", "price", trades], "--aggregate: “price” is not an aggregate such as sum(column).")
        try expectUsageError(
            ["--encoding", "utf-9", trades],
            "--encoding: Unknown value “utf-9”. Use auto, utf-8, utf-16, utf-16be, latin-1 or windows-1252. Did you mean “utf-8”?")
        try expectUsageError(
            ["--encoding", "shift_jis", trades],
            "--encoding: Unknown value “shift_jis”. Use auto, utf-8, utf-16, utf-16be, latin-1 or windows-1252. Convert files in other encodings with iconv first."
        )
        try expectUsageError(
            ["-d", "ab", trades],
            "--delimiter: “ab” is not a single ASCII character. For a tab or a space, write the word tab or space.")
        try expectUsageError(
            ["--quote=ab", trades],
            "--quote: “ab” is not a single ASCII character. For a tab or a space, write the word tab or space.")
        try expectUsageError(
            ["--escape=\\", "--delimiter=none", trades],
            "Whole lines have no escape character. Choose either whole lines or an escape character.")
    }

    @Test func `D1, F: --follow and --reload need a screen`() throws {
        for option in ["--follow", "--reload"] {
            try expectUsageError([option, "-o", "csv", trades], "\(option) works on the screen only.")
        }
        let screen = try ProgramUnderTest.run(["--follow", "--print-screen", "--size", "80x24", trades])
        #expect(screen.status == .code(0) && screen.outputText.split(separator: "\n").first?.contains(" follow") == true)
    }

    @Test func `D23: --pivot needs a complete description, and cannot be combined with other groups`() throws {
        let pivot = ["--pivot", "sector by side", trades]
        for option in [["--group", "venue"], ["--aggregate", "sum(price)"]] {
            try expectUsageError(
                option + pivot, "--pivot and \(option[0]) cannot be combined: --pivot names its own columns and values.")
        }
        for option in ["--follow", "--reload"] { try expectUsageError([option] + pivot, "--pivot and \(option) cannot be combined.") }
        try expectUsageError(pivot + [trades], "--pivot reads one table. Name one file, or a pattern in quotes.")
        try expectUsageError(
            ["--pivot", "sector", trades],
            "--pivot: Missing “by” in “sector”. Write ROWS by COLUMN: VALUES, as in region by year: sum(amount).")
        let unknown = try ProgramUnderTest.run(["--pivot", "sektor by side", "-o", "csv", trades])
        #expect(unknown.status == .code(2) && unknown.output.isEmpty)
        #expect(unknown.errorText == "gridview: --pivot: Unknown column “sektor”. Did you mean “sector”?\n")
    }

    @Test func `D20: --view cannot be combined with options that the saved view would replace`() throws {
        let view = try TemporaryFolder()
        let path = try view.file("v.json", "{\"columns\": []}")
        let words = [
            ("--filter", "price > 1"), ("--sort", "price"), ("--columns", "price"), ("--group", "sector"), ("--hide", "price"),
            ("--types", "price:text"),
        ]
        for (option, value) in words {
            try expectUsageError(
                ["--view", path, option, value, "-o", "csv", trades],
                "--view and \(option) cannot be combined. Open the view, change it, and save it.")
        }
        let whole = try ProgramUnderTest.run(["--view", path, "-o", "csv", "--limit", "2", trades])
        #expect(whole.status == .code(0) && whole.outputText.split(separator: "\n").count == 3)
    }

    @Test func `F: an invalid number is an error`() throws {
        try expectUsageError(["--limit", "-1", trades], "--limit must be 0 or more.")
        try expectUsageError(["--limit", "few", trades], "--limit: “few” is not a whole number.")
        try expectUsageError([trades, "--limit"], "Missing value for '--limit <n>'.")
        try expectUsageError(["--threads=0", trades], "--threads must be 1 or more.")
        try expectUsageError(["--skip-lines", "-1", trades], "--skip-lines must be 0 or more.")
        for option in ["--freeze-columns", "--freeze-rows", "--freeze-right"] {
            try expectUsageError([option, "-1", trades], "\(option) must be 0 or more.")
            try expectUsageError([option + "=x", trades], "\(option): “x” is not a whole number.")
        }
        try expectUsageError(["--threads", "-2", trades], "--threads must be 1 or more.")
        try expectUsageError(["--format", "price:-1", trades], "--format: The number of digits must be 0 to 12, not “-1”.")
        try expectUsageError(["--limit", "99999999999999999999", trades], "--limit: “99999999999999999999” is too large.")
        try expectUsageError(["--rows", "5", trades], "--rows: “5” is not a valid range. Rows are counted from 1, as in 10..20.")
        try expectUsageError(["--rows", "5..2", trades], "--rows: “5..2” ends before it starts.")
        try expectUsageError(["--rows", "0..2", trades], "--rows: “0..2” is not a valid range. Rows are counted from 1, as in 10..20.")
        for size in ["40", "axb", "40x", "x40", "40x10x", "-4x10", "+4x10", "4 x10", "x"] {
            try expectUsageError(
                ["--print-screen", "--size=\(size)", trades], "--size: “\(size)” is not a size. Use columns and rows, such as 120x40.")
        }
        for size in ["0x10", "10x0", "2001x10", "100000x100000", "99999999999999999999x10"] {
            try expectUsageError(
                ["--print-screen", "--size", size, trades],
                "--size: “\(size)” is out of range. Columns and rows must be 1 to 2000.")
        }
    }

    @Test func `F: an unknown key name is an error that suggests a key`() throws {
        func expectError(_ keys: String, _ message: String) throws {
            try expectUsageError(["--print-screen", "--press", keys, trades], message)
        }
        try expectError("Down Dwn", "--press: Unknown key “Dwn”. Did you mean “Down”? Put text to type in double quotes: \"Dwn\".")
        try expectError(
            "Ctrl-Dowm", "--press: Unknown key “Ctrl-Dowm”. Did you mean “Ctrl-Down”? Put text to type in double quotes: \"Ctrl-Dowm\".")
        try expectError("/ price", "--press: Unknown key “price”. Put text to type in double quotes: \"price\".")
        try expectError("/ \"new york", "--press: Missing closing quote after \"new york.")
    }

    // MARK: Options that contradict each other

    @Test func `F: contradictory options are an error`() throws {
        try expectUsageError(["-t", "-d", ",", trades], "-t and --delimiter , cannot be combined.")
        for url in ["postgres://host/shop/trades", "sqlite:shop.db?table=trades"] {
            try expectUsageError(
                ["--table", "accounts", url], "--table and a table in the connection URL cannot be combined. Remove one of them.")
        }
        for (option, value) in [("--output", "csv"), ("--compress", "xz"), ("--limit", "3"), ("--rows", "1..3")] {
            try expectUsageError(
                [option, value, "--print-screen", trades],
                "\(option) and --print-screen cannot be combined: one writes rows, the other prints a screen.")
        }
        try expectUsageError(["--size", "80x24", trades], "--size needs --print-screen.")
        try expectUsageError(["--press", "Down", trades], "--press needs --print-screen.")
        try expectUsageError(["--collapsed", trades], "--collapsed needs --group.")
        try expectUsageError(
            ["-o", "arrow", "--compress", "xz", trades], "--compress applies to text formats only, not to --output arrow.")
        let picking = "--pick prints text only. Choose a format such as csv for --output, without --compress."
        try expectUsageError(["--pick", "-o", "arrow", trades], picking)
        try expectUsageError(["--pick", "--compress", "gzip", trades], picking)
        try expectUsageError(["--raw", trades], "--raw needs --output csv or --output tsv.")
        try expectUsageError(["--csv-safe", "-o", "json", trades], "--csv-safe needs --output csv or --output tsv.")
        try expectUsageError(
            ["--stats", "--group", "side", trades], "--group and --stats cannot be combined: --stats describes columns, not groups.")
        try expectUsageError(
            ["--stats", "--aggregate", "sum(price)", trades],
            "--aggregate and --stats cannot be combined. Use --stats for each column, or --aggregate and --group for each group.")
        // These two options agree.
        #expect(try ProgramUnderTest.run("-t", "-d", "tab", "-o", "csv", "--limit", "1", trades).status == .code(0))
    }

    @Test(
        arguments: [
            ("-price", "For descending order, use price:desc."), ("+price", "For ascending order, use price."),
            ("price desc", "For descending order, use price:desc."), ("Price  DESC", "For descending order, use Price:desc."),
            ("price asc", "For ascending order, use price."), ("-price:text", "For descending order, use price:text:desc."),
        ])
    func `F, D6: a sort key in the form of another program is an error that shows the correct form`(_ key: String, _ advice: String) throws
    {
        for arguments in [["--sort", key], ["--sort=\(key)"], ["--sort", "id,\(key)"]] {
            let outcome = try ProgramUnderTest.run(arguments + ["-o", "csv", trades])
            #expect(outcome.status == .code(2) && outcome.output.isEmpty, "\(arguments)")
            let name = key.replacing(":text", with: "")
            #expect(outcome.errorText == "gridview: --sort: Unknown column “\(name)”. \(advice)\n", "\(arguments)")
        }
    }

    @Test(
        arguments: [
            ("side", "count:desc", "count", "'side:count:desc'"), ("side", "sum(quantity)", "sum(quantity)", "'side:sum(quantity)'"),
            ("side", "avg(price):desc", "avg(price)", "'side:mean(price):desc'"),
            ("timestamp:month", "count", "count", "'timestamp:month:count'"), ("price:10:desc", "count", "count", "'price:10:count'"),
        ])
    func `F, D6: a sort key that is an aggregate is an error that shows how to sort the groups`(
        _ group: String, _ key: String, _ name: String, _ option: String
    ) throws {
        let outcome = try ProgramUnderTest.run("--group", "sector,\(group)", "--sort", key, "--collapsed", "-o", "csv", trades)
        #expect(outcome.status == .code(2) && outcome.output.isEmpty)
        #expect(outcome.errorText == "gridview: --sort: Unknown column “\(name)”. To sort the groups by it, use --group \(option).\n")
    }

    @Test func `F, D6: columns with the names -n and n desc can be sorted`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.csv", "n,-n,n desc\n1,3,2\n2,1,3\n3,2,1\n")
        for (key, first) in [("-n", "2,1,3"), ("n desc", "3,2,1"), ("-n:desc", "1,3,2"), ("n desc:desc", "2,1,3")] {
            let outcome = try ProgramUnderTest.run(["--sort", key, "--limit", "1", "-o", "csv", path])
            #expect(outcome.status == .code(0) && outcome.outputText == "n,-n,n desc\n\(first)\n", "\(key): \(outcome.errorText)")
        }
        let unknown = try ProgramUnderTest.run(["--sort", "-x", "-o", "csv", path])
        #expect(unknown.status == .code(2) && unknown.errorText.hasPrefix("gridview: --sort: Unknown column “-x”."))
    }

    // MARK: Files

    @Test func `E: contradictory delimiter, quote and comment prefix are usage errors`() throws {
        try expectUsageError(
            ["-d", ";", "--quote", ";", trades],
            "The delimiter and the quote are both “;”. Choose another quote, or none (--quote none).")
        try expectUsageError(
            ["-t", "--quote", "\t", trades], "The delimiter and the quote are both tab. Choose another quote, or none (--quote none).")
        try expectUsageError(
            ["-d", "#", "--comment", "#", trades],
            "The comment prefix starts with the delimiter “#”. Choose another prefix or delimiter.")
        try expectUsageError(["--comment=\"", trades], "The comment prefix starts with the quote “\"”. Choose another prefix or quote.")
        try expectUsageError(["--comment=\n", trades], "The comment prefix cannot contain a line ending.")
        for option in ["--delimiter", "--quote"] {
            try expectUsageError(
                [option, "\n", trades],
                "\(option): “\n” is not a single ASCII character. For a tab or a space, write the word tab or space.")
            #expect(try ProgramUnderTest.run([option, "\r", trades]).status == .code(2))
        }
    }

    @Test func `F: batch output accepts only one file`() throws {
        func expectError(_ arguments: [String], _ files: String, pattern: String? = nil) throws {
            let advice = pattern.map { ", or read the files as one table with a pattern in quotes: \($0)." } ?? "."
            let reason = "Cannot write \(files) together: without a screen, gridview writes one table."
            try expectUsageError(arguments, "\(reason) Run it once for each file\(advice)")
        }
        // A shell expands a pattern without quotes to several files.
        try expectError(["a.csv", "b.csv"], "“a.csv” and “b.csv”", pattern: "'*.csv'")
        try expectError(["a 1/x.csv.gz", "a 1/y.csv.gz", "a 1/zy.csv.gz"], "“a 1/x.csv.gz” and 2 other files", pattern: "'a 1/*.csv.gz'")
        try expectError(["./-x.csv", "./-y.csv"], "“./-x.csv” and “./-y.csv”", pattern: "'./*.csv'")
        try expectError(["--", "a.csv", "--help"], "“a.csv” and “--help”")
        try expectError(["a.csv", "b/c.csv"], "“a.csv” and “b/c.csv”")
        try expectError(["a.csv", "b.txt"], "“a.csv” and “b.txt”")
        try expectUsageError(["-", "-", "-o", "csv"], "Standard input (-) can be opened only once.")
    }

    @Test func `F: without a file or piped input, an error asks for a file or data`() throws {
        try expectUsageError([""], "The file name is empty.")
        let shell = ProcessRunner(executable: "sh")
        for input in ["</dev/null", "<&-"] {
            let outcome = try shell.run(["-c", "\"$0\" -o csv \(input)", ProgramUnderTest.path])
            #expect(outcome.status == .code(2), "\(input)")
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errorText
                    == "gridview: No input: name a file or pipe data in. See gridview --help.\n")
        }
    }

    @Test func `F: an argument after -- is a file`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("--print-screen", "a,b\n1,2\n")
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.directory = folder.path
        let outcome = try runner.run(["-o", "csv", "--", "--print-screen"])
        #expect(outcome.outputText == "a,b\n1,2\n")
    }
}
