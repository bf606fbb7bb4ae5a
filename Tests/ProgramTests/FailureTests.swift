import GridTestSupport
import Foundation
import Testing

/// Files that cannot be opened, read or written: status 1, and one line with the file name and the description of the system error.
struct FailureTests {
    private let trades = ProgramUnderTest.file("Examples/data/trades.csv")

    private func expectFailure(
        _ arguments: [String], _ message: String, status: Int32 = 1, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try ProgramUnderTest.run(arguments)
        #expect(outcome.status == .code(status), "\(arguments)", sourceLocation: place)
        #expect(outcome.output.isEmpty, "\(arguments)", sourceLocation: place)
        #expect(outcome.errorText == "gridview: \(message)\n", "\(arguments)", sourceLocation: place)
    }

    private func shell(_ script: String, _ file: String) throws -> ProcessRunner.Outcome {
        try ProcessRunner(executable: "sh").run(["-c", script, ProgramUnderTest.path, file])
    }

    // MARK: Opening

    @Test func `E: a file that is not in the requested format is refused with a message`() throws {
        let outcome = try ProgramUnderTest.run("--format", "markdown", "-o", "csv", trades)
        #expect(outcome.status == .code(1) && outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("gridview: ") && outcome.errorText.hasSuffix(".\n"))
        #expect(!outcome.errorText.contains("FormatError"))
    }

    @Test func `E: the error for a file that cannot be opened names the file and the reason`() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path(of: "missing.csv")
        try expectFailure([missing], "Cannot open \(missing): no such file or directory.")
        try expectFailure(["-o", "csv", missing], "Cannot open \(missing): no such file or directory.")
        try expectFailure(["--print-screen", missing], "Cannot open \(missing): no such file or directory.")
        try expectFailure([folder.path], "Cannot open \(folder.path): the folder contains no files.")
        let loop = folder.path(of: "loop.csv")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop.csv")
        try expectFailure([loop], "Cannot open \(loop): too many levels of symbolic links.")
        let inside = try folder.file("table.csv", "a\n1\n") + "/inside"
        try expectFailure([inside], "Cannot open \(inside): not a directory.")
    }

    @Test func `E, D22: if some of several files cannot be opened, the others open, and the status is 1`() throws {
        let folder = try TemporaryFolder()
        let (first, last) = (folder.path(of: "first.csv"), folder.path(of: "last.csv"))
        let reasons = [first, last].map { "gridview: Cannot open \($0): no such file or directory.\n" }
        let some = try ProgramUnderTest.run("--print-screen", first, trades, last)
        #expect(some.status == .code(1) && some.outputText.contains("VSTA") && !some.outputText.contains("last.csv"))
        #expect(some.errorText == reasons.joined())
        let unsupported = try folder.file("x.avro", bytes: Array("Obj\u{1}".utf8) + [0, 0, 0, 0])
        let second = try ProgramUnderTest.run("--print-screen", unsupported, trades)
        #expect(second.status == .code(1) && second.outputText.contains("VSTA"))
        #expect(second.errorText.hasPrefix("gridview: x.avro is an Avro file."), "\(second.errorText)")
        let damaged = try ProgramUnderTest.run("--print-screen", first, unsupported, unsupported)
        #expect(damaged.status == .code(1) && damaged.output.isEmpty)
        #expect(damaged.errorText == reasons[0] + second.errorText + second.errorText, "\(damaged.errorText)")
        let none = try ProgramUnderTest.run("--print-screen", first, last)
        #expect(none.status == .code(1) && none.output.isEmpty && none.errorText == reasons.joined())
        let picking = try ProgramUnderTest.run("--pick", first, trades)
        #expect(picking.status == .code(1) && picking.errorText == reasons[0], "status 1 means that no row was picked")
    }

    @Test func `17.5: the error for an unsupported format names the file and the command that converts it`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("x.avro", bytes: Array("Obj\u{1}".utf8) + [0, 0, 0, 0])
        for options in [[], ["-o", "csv"], ["--print-screen"]] {
            try expectFailure(
                options + [file], "x.avro is an Avro file. Convert it first: duckdb -csv -c \"from read_avro('\(file)')\" | gridview")
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func `E: the error for a file without read permission names the file and the reason`() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.file("secret.csv", "a\n1\n")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret)
        try expectFailure([secret], "Cannot open \(secret): permission denied.")
    }

    @Test func `F: the error for an unknown column suggests the most similar name`() throws {
        for option in ["--columns", "--hide", "--group", "--sort"] {
            try expectFailure([option, "pric", trades], "\(option): Unknown column “pric”. Did you mean “price”?", status: 2)
        }
        try expectFailure(["--columns", "id..pric", trades], "--columns: Unknown column “pric”. Did you mean “price”?", status: 2)
        try expectFailure(["--types", "pric:number", trades], "--types: Unknown column “pric”. Did you mean “price”?", status: 2)
        try expectFailure(
            ["--group=sector", "--aggregate", "sum(pric)", trades], "--aggregate: Unknown column “pric”. Did you mean “price”?", status: 2)
        try expectFailure(["--group", "sector:sum(pric)", trades], "--group: Unknown column “pric”. Did you mean “price”?", status: 2)
        try expectFailure(["--format", "pric:2", trades], "--format: Unknown column “pric”. Did you mean “price”?", status: 2)
        try expectFailure(["--sort", "prcie", trades], "--sort: Unknown column “prcie”. Did you mean “price”?", status: 2)
        try expectFailure(["--sort", "pric : desc", trades], "--sort: Unknown column “pric”. Did you mean “price”?", status: 2)
        try expectFailure(["--columns", "#99", trades], "--columns: No column #99: the last is #13.", status: 2)
        try expectFailure(["--columns", "id", "--hide", "id", trades], "No columns to show: all are hidden.", status: 2)
    }

    @Test func `F: a name shared by several columns is an error that lists their numbers`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("names.csv", "name,id,name\na,1,x\nb,2,y\n")
        for option in ["--columns", "--hide", "--group", "--sort"] {
            try expectFailure([option, "name", path], "\(option): Ambiguous column “name”. Write #1 or #3.", status: 2)
        }
    }

    @Test func `F: --types of a computed column is an error that says what determines its type`() throws {
        for name in ["total", "TOTAL"] {
            try expectFailure(
                ["--derive", "Total = price * quantity", "--types", "\(name):text", trades],
                "--types: Column “Total” is computed, and its formula determines its type. Set the types of the columns that it uses.",
                status: 2)
        }
    }

    @Test func `F: a column that --columns lists twice is an error`() throws {
        for (columns, name) in [("price,price", "price"), ("price,side,PRICE", "price"), ("#1,id", "id"), ("id..side,side", "side")] {
            try expectFailure(
                ["--columns", columns, trades], "--columns: Column “\(name)” is listed twice. Remove one of them.", status: 2)
        }
    }

    @Test func `F: a column that --sort lists twice is an error`() throws {
        for keys in ["price,price", "price:desc,side,price", "price:text,#8:number"] {
            try expectFailure(["--sort", keys, trades], "--sort: Column “price” is listed twice. Remove one of them.", status: 2)
        }
    }

    @Test func `F: an aggregate that --aggregate lists twice is an error`() throws {
        for aggregates in ["sum(price),sum(price)", "mean(price),count,sum(price),sum(#8)"] {
            try expectFailure(
                ["--group", "side", "--aggregate", aggregates, trades],
                "--aggregate: sum(\(aggregates.hasSuffix("#8)") ? "#8" : "price")) is listed twice. Remove one of them.", status: 2)
        }
    }

    @Test func `F: a column that --group lists twice is an error, but a computed column can be the second level`() throws {
        for (groups, name) in [("side,side", "side"), ("timestamp:year,timestamp:month", "timestamp"), ("side,#6:count", "side")] {
            try expectFailure(
                ["--group", groups, trades],
                "--group: Column “\(name)” is listed twice. For a second level, compute a column with --derive.", status: 2)
        }
        let outcome = try ProgramUnderTest.run(
            "--derive", "year = year(timestamp)", "--group", "year,timestamp:quarter", "--aggregate", "count", "--collapsed", "-o", "csv",
            trades)
        #expect(outcome.outputText.hasPrefix("year,timestamp:quarter,count\n2026,2026-01-01,") && outcome.status == .code(0))
    }

    @Test func `F: an unknown order or an aggregate of a text column is an error`() throws {
        let orders = "Use desc, asc, count, year, quarter, month, week, day, hour, a width such as 10, natural, text, number, date"
        try expectFailure(
            ["--sort", "price:foo", trades], "--sort: Unknown order “foo” for price. Use desc, asc, natural, text, number or date.",
            status: 2)
        try expectFailure(
            ["--group", "side:sum", trades],
            "--group: Unknown order “sum” for side. \(orders) or an aggregate, as in side:sum(COLUMN).", status: 2)
        try expectFailure(
            ["--group", "timestamp:mnth", trades],
            "--group: Unknown order “mnth” for timestamp. \(orders) or an aggregate, as in timestamp:sum(COLUMN). Did you mean “month”?",
            status: 2)
        try expectFailure(
            ["--group", "sector", "--aggregate", "sum(side)", trades],
            "--aggregate: sum(side) needs a number column; side is text.", status: 2)
        try expectFailure(
            ["--group", "side:sum(company)", trades], "--group: sum(company) needs a number column; company is text.", status: 2)
    }

    @Test func `F: --aggregate without --group is an error`() throws {
        let message = "--aggregate needs --group. For the sum and mean of each column, use --stats."
        try expectFailure(["--aggregate", "sum(price)", trades], message, status: 2)
    }

    // MARK: Writing

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "the system has no device that is always full"),
        arguments: [
            "-o text", "-o csv", "-o tsv", "-o json", "-o jsonl", "-o markdown", "--print-screen", "--print-screen=svg",
            "--print-screen=ansi", "--help", "--version", "--man", "--completions bash",
        ])
    func `E: a full disk is reported with every kind of output`(_ options: String) throws {
        let outcome = try shell("exec \"$0\" \(options) \"$1\" >/dev/full", trades)
        #expect(outcome.status == .code(1))
        #expect(outcome.errorText == "gridview: Cannot write to standard output: no space left on device.\n")
    }

    @Test func `D6: a sort that runs out of disk space reports it and leaves no temporary file`() throws {
        let folder = try TemporaryFolder()
        let sort = "\"$0\" -o csv --sort price --memory 0 \"$1\""
        let hint = "Set TMPDIR to a writable folder with enough space, or raise --memory.\n"
        let withoutFolder = try shell("TMPDIR='\(folder.path)/none' exec \(sort)", trades)
        #expect(withoutFolder.status == .code(1) && withoutFolder.output.isEmpty)
        #expect(withoutFolder.errorText == "gridview: Cannot make a temporary file: no such file or directory. " + hint)
        let full = try shell("ulimit -f 0; TMPDIR='\(folder.path)' exec \(sort)", trades)
        #expect(full.status == .code(1) && full.output.isEmpty)
        #expect(full.errorText == "gridview: Cannot write to a temporary file: file too large. " + hint)
        let enough = try shell("TMPDIR='\(folder.path)' exec \(sort)", trades)
        let inMemory = try shell("exec \"$0\" -o csv --sort price \"$1\"", trades)
        #expect(enough.status == .code(0) && enough.output == inMemory.output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `D10: an export that runs out of disk space reports it, keeps an existing file and leaves no other file`() throws {
        let folder = try TemporaryFolder()
        let old = try folder.file("old.csv", "old")
        for (name, keys, left) in [("new.csv", "Enter", "No file was created."), ("old.csv", "Enter Enter", "The file is unchanged.")] {
            let script =
                "ulimit -f 1; exec \"$0\" --print-screen --press 'zs C-u \"\(folder.path(of: name))\" \(keys)' --size 200x20 \"$1\""
            let outcome = try shell(script, trades)
            #expect(outcome.status == .code(0))
            let message = "Cannot write \(name): file too large. Free some space, or choose another folder. \(left)"
            #expect(outcome.outputText.contains(message), "\(outcome.outputText)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["old.csv"])
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
    }

    @Test func `D10, D15: the number of cells made safe for spreadsheets is reported`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.csv", "name,n\n=1+1,-1\nx,2\n@a,3\n")
        let outcome = try ProgramUnderTest.run("-o", "csv", "--csv-safe", "--header", "yes", file)
        #expect(outcome.status == .code(0) && outcome.outputText == "name,n\n'=1+1,-1\nx,2\n'@a,3\n")
        #expect(outcome.errorText == "gridview: a.csv: 2 cells that begin like a formula were written with a leading apostrophe.\n")
    }

    @Test(
        arguments: [
            "-o text", "-o csv", "-o json", "-o jsonl", "-o markdown", "--group sector -o text", "--sort price -o csv",
            "--print-screen=svg", "--man",
        ])
    func `D15: a reader that closes the pipe early is not an error`(_ options: String) throws {
        let outcome = try ProcessRunner(executable: ProgramUnderTest.path)
            .run(options.split(separator: " ").map(String.init) + [trades], closingOutputAfter: 1)
        #expect(outcome.status == .code(0))
        #expect(outcome.errors.isEmpty)
        let piped = try shell("{ \"$0\" \(options) \"$1\"; echo $? >&2; } | head -n 1", trades)
        #expect(piped.errorText == "0\n")
        #expect(piped.outputText.split(separator: "\n").count == 1)
    }

    // MARK: Streams closed by the caller

    @Test func `E: a closed output stream is reported, and the input file is unchanged`() throws {
        let folder = try TemporaryFolder()
        let table = try folder.file("table.csv", "a,b\n1,2\n")
        let closedOutput = try shell("exec \"$0\" -o csv \"$1\" >&-", table)
        #expect(closedOutput.status == .code(1))
        #expect(closedOutput.errorText == "gridview: Cannot write to standard output: bad file descriptor.\n")
        let closedErrors = try shell("exec \"$0\" -o xml \"$1\" 2>&-", table)
        #expect(closedErrors.status == .code(2))
        #expect(closedErrors.output.isEmpty)
        let closedInput = try shell("exec \"$0\" -o csv - <&-", table)
        #expect(closedInput.status == .code(1))
        #expect(closedInput.errorText == "gridview: Cannot read standard input: bad file descriptor.\n")
        let all = try shell("exec \"$0\" -o csv \"$1\" <&- >&- 2>&-", table)
        #expect(all.status == .code(1))
        #expect(try String(contentsOfFile: table, encoding: .utf8) == "a,b\n1,2\n")
    }

    // MARK: Malformed input that is not an error

    @Test func `E: an empty input is a table without rows`() throws {
        let folder = try TemporaryFolder()
        let empty = try folder.file("empty.csv", "")
        for (format, text) in [("text", ""), ("csv", ""), ("tsv", ""), ("json", "[]\n"), ("jsonl", ""), ("markdown", "")] {
            let outcome = try ProgramUnderTest.run("-o", format, empty)
            #expect(outcome.status == .code(0))
            #expect(outcome.outputText == text, "\(format)")
            #expect(outcome.errorText == "gridview: \(empty) is empty.\n")
            #expect(try ProgramUnderTest.run("-o", format).outputText == text, "\(format), piped in")
        }
        #expect(try ProgramUnderTest.run("-o", "csv", "/dev/null").errorText == "gridview: /dev/null is empty.\n")
        let piped = try ProgramUnderTest.run("-")
        #expect(piped.status == .code(0) && piped.errorText == "gridview: standard input is empty.\n")
        #expect(try ProgramUnderTest.run("--print-screen", empty).outputText.contains("empty.csv"))
    }

    @Test func `18.9: output reports the files of a folder that are left out, but the list of files does not`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("x.csv", "a,b\n1,2\n")
        _ = try folder.file("notes.txt", "hello\n")
        let list = try ProgramUnderTest.run("--list", "-o", "csv", folder.path)
        #expect(list.status == .code(0) && list.errorText.isEmpty, "\(list.errorText)")
        let rows = try ProgramUnderTest.run("-o", "csv", folder.path)
        #expect(rows.status == .code(1) && rows.outputText == "a,b\n1,2\n")
        #expect(rows.errorText.hasSuffix(": 1 file with another suffix is left out.\n"), "\(rows.errorText)")
    }

    @Test func `T1, E: if a file is incomplete, its first rows are written, one line reports it, and the status is 1`() throws {
        let folder = try TemporaryFolder()
        let rows = (1...60_000).map { "\($0),row \(UInt64($0) &* 0x9E37_79B9_7F4A_7C15)\n" }
        let all = try ProgramUnderTest.run("-o", "csv", "--compress", "gzip", folder.file("t.csv", "n,text\n" + rows.joined())).output
        let bytes = Array(all[..<(all.count * 2 / 3)])
        let file = try folder.file("t.csv.gz", bytes: bytes)
        let runner = ProcessRunner(executable: ProgramUnderTest.path)
        for (name, path, input) in [("t.csv.gz", file, []), ("standard input", "-", bytes)] {
            let outcome = try runner.run(["-o", "csv", path], input: input)
            let lines = outcome.outputText.filledLines
            #expect(lines.count > 30_000 && zip(lines.dropFirst(), rows.prefix(lines.count - 2)).allSatisfy { $0 == $1.dropLast() })
            #expect(outcome.status == .code(1) && outcome.errorText.hasPrefix("gridview: \(name) ends early, after "))
            #expect(outcome.errorText.contains(" No rows after row ") && outcome.errorText.count { $0 == "\n" } == 1)
        }
        let limited = try runner.run(["-o", "csv", "--limit", "2", file])
        #expect(limited.status == .code(0) && limited.outputText == "n,text\n" + rows[0] + rows[1] && limited.errorText.isEmpty)
        // A file without a row has no output.
        try expectFailure(
            ["-o", "csv", folder.file("short.csv.gz", bytes: Array(all[..<15]))],
            "short.csv.gz ends early, after 15 compressed bytes. Copy or download it again.")
    }

    @Test func `T1, E: if an Arrow file is incomplete, its first rows are written, a line reports it, and the status is 1`() throws {
        let folder = try TemporaryFolder()
        // The file has two record batches, of which the second one is cut off.
        let rows = (1...70_000).map { "\($0)\n" }
        let whole = try ProgramUnderTest.run("-o", "arrow", folder.file("t.csv", "n\n" + rows.joined())).output
        let path = try folder.file("t.arrow", bytes: Array(whole[..<(whole.count - 4_000)]))
        let outcome = try ProgramUnderTest.run("-o", "csv", path)
        #expect(outcome.status == .code(1) && outcome.outputText == "n\n" + rows[..<65_536].joined())
        #expect(outcome.errorText.hasPrefix("gridview: t.arrow is incomplete or damaged after byte "), "\(outcome.errorText)")
        #expect(outcome.errorText.hasSuffix(". Copy or download it again. No rows after row 65,536 could be read.\n"))
        let limited = try ProgramUnderTest.run("-o", "csv", "--limit", "2", path)
        #expect(limited.status == .code(0) && limited.outputText == "n\n1\n2\n" && limited.errorText.isEmpty)
        let short = try ProgramUnderTest.run("-o", "csv", folder.file("short.arrow", bytes: Array(whole[..<(whole.count / 2)])))
        #expect(short.status == .code(1) && short.output.isEmpty, "no record batch is complete")
        #expect(short.errorText.hasPrefix("gridview: short.arrow is incomplete or damaged after byte "), "\(short.errorText)")
    }

    @Test func `T1, E: bytes after compressed data are reported in output, and the status is 1`() throws {
        let folder = try TemporaryFolder()
        let packed = try ProgramUnderTest.run("-o", "csv", "--compress", "gzip", folder.file("t.csv", "a,b\n1,2\n")).output
        let path = try folder.file("t.csv.gz", bytes: packed + Array("garbage".utf8) + packed)
        let outcome = try ProgramUnderTest.run("-o", "csv", path)
        #expect(outcome.status == .code(1) && outcome.outputText == "a,b\n1,2\n")
        let expected = "gridview: t.csv.gz: the bytes after byte \(packed.count) are not gzip data and were ignored.\n"
        #expect(outcome.errorText == expected, "\(outcome.errorText)")
    }

    @Test func `18.9, E: a damaged file at the start of a folder is left out with a message, and the status is 1`() throws {
        let folder = try TemporaryFolder()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: ProgramUnderTest.file("Examples/data/samples/trades.parquet")))
        _ = try folder.file("1.parquet", bytes: Array(bytes.prefix(100)))
        for number in 2...4 { _ = try folder.file("\(number).parquet", bytes: Array(bytes)) }
        let outcome = try ProgramUnderTest.run("-o", "csv", folder.path)
        #expect(outcome.status == .code(1) && outcome.outputText.split(separator: "\n").count == 181)
        #expect(outcome.errorText.hasPrefix("gridview: 1.parquet is left out. It is damaged"), "\(outcome.errorText)")
    }

    @Test func `T1: output reports an unclosed quote, with exit status 0 because nothing is left out`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("t.csv", "a,b\n1,x\n2,\"y\n3,z\n")
        for options in [["-o", "csv"], ["-o", "json"], ["--stats"], ["-o", "arrow"], ["-o", "csv", "--sort", "a"]] {
            let outcome = try ProgramUnderTest.run(options + [file])
            #expect(outcome.status == .code(0) && !outcome.output.isEmpty, "\(options)")
            let expected = "gridview: t.csv: 1 unclosed quote (line 3). Use --quote none to read quotes as text.\n"
            #expect(outcome.errorText == expected, "\(options)")
        }
        let plain = try ProgramUnderTest.run(["-o", "csv", "--quote", "none", file])
        #expect(plain.status == .code(0) && plain.errorText.isEmpty && plain.outputText.split(separator: "\n").count == 4)
    }

    @Test(arguments: ["jsonl", "markdown", "xlsx"])
    func `E: bytes that output cannot keep are reported wherever they are in a file or pipe`(format: String) throws {
        let folder = try TemporaryFolder()
        let rows = Array(("a,b\n1,é\n" + String(repeating: "2,x\n", count: 66_000)).utf8)
        let bytes = rows + Array("9,caf".utf8) + [0xe9, 0x0a]
        let file = try folder.file("t.csv", bytes: bytes)
        for options in [[file], [file, "--threads", "1", "--filter", "a = 9"], ["--encoding", "utf-8"]] {
            let outcome = try ProcessRunner(executable: ProgramUnderTest.path).run(
                ["-o", format] + options, input: options.contains(file) ? [] : bytes)
            #expect(outcome.status == .code(1) && !outcome.output.isEmpty, "\(options)")
            #expect(outcome.errorText.contains("1 field is not valid UTF-8 (the first in row 66002)"), "\(options): \(outcome.errorText)")
        }
    }

    @Test func `E: an input with only a header is a table without rows`() throws {
        #expect(try ProgramUnderTest.run("-o", "csv", "--header=yes", input: "a,b\n").outputText == "a,b\n")
        #expect(try ProgramUnderTest.run("-o", "jsonl", "--header=yes", input: "a,b\n").outputText == "")
    }

    @Test func `E: a binary file is refused unless its format is given, and invalid bytes are reported`() throws {
        let folder = try TemporaryFolder()
        var seed: UInt64 = 7
        let bytes = (0..<50_000).map { _ -> UInt8 in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 33)
        }
        let file = try folder.file("noise.bin", bytes: bytes)
        let refused = try ProgramUnderTest.run("-o", "csv", file)
        #expect(refused.status == .code(1) && refused.output.isEmpty)
        #expect(
            refused.errorText == "gridview: noise.bin is binary data, not a table. Use --format delimited to show it as text.\n")
        for options in [["-o", "text"], ["-o", "json"], ["--print-screen"]] {
            let outcome = try ProgramUnderTest.run(options + ["--format", "delimited", file])
            // JSON cannot hold bytes that are not valid text, so their loss is reported.
            let hasLosses = options.contains("json")
            #expect(outcome.status == .code(hasLosses ? 1 : 0), "\(options)")
            #expect(outcome.errorText.contains("replaced with U+FFFD") == options.contains("-o"), "\(options): \(outcome.errorText)")
            #expect(!outcome.output.isEmpty)
            // No control characters reach the terminal.
            #expect(!outcome.output.contains { $0 < 32 && $0 != 10 || $0 == 127 }, "\(options)")
            #expect(String(validating: outcome.output, as: UTF8.self) != nil, "\(options)")
        }
    }

    @Test func `E: reading stops for a device without line breaks, and its temporary file is deleted`() throws {
        let folder = try TemporaryFolder()
        var runner = ProcessRunner(executable: ProgramUnderTest.path)
        runner.environment["TMPDIR"] = folder.path
        let refused = try runner.run(["-o", "csv", "/dev/zero"])
        #expect(refused.status == .code(1) && refused.errorText.hasPrefix("gridview: zero is binary data, not a table."))
        for options in [["-o", "csv"], ["--stats"]] {
            let outcome = try runner.run(options + ["--format", "delimited", "/dev/zero"])
            #expect(outcome.status == .code(1) && outcome.output.isEmpty)
            #expect(
                outcome.errorText
                    == "gridview: zero is not a table: its first line is longer than 64 MiB. Reading stopped.\n")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
