import GridTestSupport
import Foundation
import Testing

/// Tests of `--output` and of the options that set the view to write.
struct OutputTests {
    private let table = #"""
        id,name,amount,on,note
        1,Ada,10.50,2026-03-01,"a, b"
        2,Bo,9,2026-01-31,"say ""hi"""
        3,Cy,,2025-12-24,"two
        lines"
        4,Di,100,2026-02-15,a|b
        5,,-2.25,2026-03-02,

        """#

    private func written(_ options: String..., input: String? = nil, _ place: SourceLocation = #_sourceLocation) throws -> String {
        let outcome = try ProgramUnderTest.run(options, input: input ?? table)
        #expect(outcome.status == .code(0), "\(options)", sourceLocation: place)
        #expect(outcome.errorText == "", "\(options)", sourceLocation: place)
        return outcome.outputText
    }

    private func written(input: String, _ options: [String]) throws -> String {
        let outcome = try ProgramUnderTest.run(options, input: input)
        #expect(outcome.status == .code(0), "\(options): \(outcome.errorText)")
        return outcome.outputText
    }

    @Test func `D15: a note on standard error names renamed columns, and the status stays 0`() throws {
        let outcome = try ProgramUnderTest.run(["-o", "jsonl", "--header", "yes"], input: "a,a,\n1,2,3\n")
        #expect(outcome.status == .code(0) && outcome.outputText == "{\"a\": 1, \"a_2\": 2, \"#3\": 3}\n")
        let note = ": columns with an empty or repeated name are renamed: “a” to “a_2”, “” to “#3”.\n"
        #expect(outcome.errorText.hasSuffix(note) && outcome.errorText.split(separator: "\n").count == 1, "\(outcome.errorText)")
    }

    private func column(_ name: String, _ options: String...) throws -> [String] {
        let text = try written("-o", "tsv", "--columns", name, options: options)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map(String.init)
    }

    private func written(_ first: String..., options: [String]) throws -> String {
        let outcome = try ProgramUnderTest.run(first + options, input: table)
        #expect(outcome.status == .code(0), "\(options): \(outcome.errorText)")
        return outcome.outputText
    }

    @Test func `18.11: “is null” finds the nulls of JSON and SQLite, and the empty fields of text`() throws {
        let json = #"{"id":1,"b":"x"} {"id":2,"b":""} {"id":3,"b":null} {"id":4} {"id":5,"b":" "}"#.replacing(" {", with: "\n{")
        func ids(_ input: String, _ options: String...) throws -> [String] {
            try written(input: input, options + ["-o", "csv", "--columns", "id"]).split(separator: "\n").dropFirst().map(String.init)
        }
        #expect(try ids(json, "--filter", "b is null") == ["3", "4"])
        #expect(try ids(json, "--filter", "b is not null") == ["1", "2", "5"])
        #expect(try ids(json, "--filter", "b is empty") == ["2", "3", "4", "5"])
        #expect(try ids(json, "--derive", "c = b is null", "--filter", "c") == ["3", "4"])
        let folder = try TemporaryFolder()
        let database = folder.path(of: "nulls.sqlite")
        let copy = try ProgramUnderTest.run(["-o", "sqlite", "--columns", "id,b"], input: json)
        try Data(copy.output).write(to: URL(filePath: database))
        for (filter, expected) in [("b is null", ["3", "4"]), ("b is empty", ["2", "3", "4", "5"])] {
            let outcome = try ProgramUnderTest.run([database, "--filter", filter, "-o", "csv", "--columns", "id"])
            #expect(outcome.outputText.split(separator: "\n").dropFirst().map(String.init) == expected, "\(filter)")
        }
        // The third row is short, so its field is missing, which counts as null in CSV.
        #expect(try ids("id,b\n1,x\n2,\n3\n", "--filter", "b is null") == ["2", "3"])
        #expect(try ids("id,b\n1,x\n2,\n3\n", "--filter", "b is missing") == ["3"])
    }

    @Test func `18.10: seconds since 1970 stay numbers in SQLite output`() throws {
        let folder = try TemporaryFolder()
        let database = folder.path(of: "times.sqlite")
        let copy = try ProgramUnderTest.run(["-o", "sqlite"], input: "timestamp,n\n1700000000,1\n1700100000,2\n")
        #expect(copy.status == .code(0) && copy.errorText.isEmpty, "\(copy.errorText)")
        try Data(copy.output).write(to: URL(filePath: database))
        let outcome = try ProgramUnderTest.run([database, "-o", "jsonl", "--limit", "1"])
        #expect(outcome.outputText == "{\"timestamp\": 1700000000, \"n\": 1}\n")
    }

    // MARK: Formats

    @Test func `D15: CSV output equals the input`() throws {
        for options in [["-o", "csv"], ["-ocsv"], ["--output", "csv"], ["--output=csv"]] {
            #expect(try ProgramUnderTest.run(options, input: table).outputText == table, "\(options)")
            #expect(try ProgramUnderTest.run(options + ["-"], input: table).outputText == table, "\(options)")
        }
    }

    @Test(
        arguments: [
            ("--types", "id : text , amount: number", "id:text,amount:number"), ("--format", "amount : 1", "amount:1"),
            ("--sort", "amount : desc , id", "amount:desc,id"), ("--group", "note : count : desc", "note:count:desc"),
            ("--group", "note : sum( amount ) : desc", "note:sum(amount):desc"), ("--columns", "id , name .. on", "id,name..on"),
            ("--hide", "id , on", "id,on"), ("--rows", "2 .. 4", "2..4"),
        ])
    func `F: spaces around the separators of an option are ignored`(_ option: String, _ spaced: String, _ plain: String) throws {
        #expect(try written("-o", "text", option, spaced) == written("-o", "text", option, plain))
    }

    @Test func `D15: every output format has the same rows`() throws {
        #expect(
            try written("-o", "tsv", "--rows", "1..2")
                == "id\tname\tamount\ton\tnote\n1\tAda\t10.50\t2026-03-01\ta, b\n2\tBo\t9\t2026-01-31\t\"say \"\"hi\"\"\"\n")
        #expect(
            try written("-o", "jsonl", "--rows", "2..3", "--columns", "id,amount,note")
                == #"{"id": 2, "amount": 9, "note": "say \"hi\""}"# + "\n" + #"{"id": 3, "amount": null, "note": "two\nlines"}"# + "\n")
        #expect(try written("-o", "json", "--limit=1", "--columns=id,on") == "[\n  {\"id\": 1, \"on\": \"2026-03-01\"}\n]\n")
        #expect(
            try written("-o", "markdown", "--columns", "id,note", "--rows", "3..4")
                == "| id | note |\n|---:|---|\n| 3 | two<br>lines |\n| 4 | a\\|b |\n")
        #expect(
            try written("-o", "text", "--columns", "name,amount,note", "--rows=1..3") == """
                name  amount  note
                ────  ──────  ─────────
                Ada    10.50  a, b
                Bo      9     say "hi"
                Cy            two⏎lines

                """)
    }

    @Test func `D15: the default output format without a terminal is text`() throws {
        #expect(try written() == written("--output", "text"))
        #expect(try written("--limit", "2") == written("--output", "text", "--limit", "2"))
    }

    @Test func `D15: groups, statistics, filters and sorts report JSON strings that they read as numbers`() throws {
        let table = (0..<300).map { "{\"n\":\($0 % 100),\"m\":1}\n" }.joined() + "{\"n\":\"77\",\"m\":1}\n"
        let cases: [(options: [String], hasNote: Bool, status: Int32)] = [
            (["-o", "jsonl"], false, 0), (["-o", "csv", "--sort", "m"], false, 0), (["-o", "csv", "--stats", "--columns", "m"], false, 0),
            (["-o", "csv", "--sort", "n"], true, 0), (["-o", "csv", "--filter", "n > 50"], true, 0),
            (["-o", "jsonl", "--group", "n"], true, 0),
            (["-o", "csv", "--filter", "n > 50", "--group", "m", "--aggregate", "sum(m)", "--collapsed"], true, 0),
            (["-o", "csv", "--filter", "n > 50", "--stats", "--columns", "m"], true, 0),
            (["-o", "csv", "--group", "n", "--collapsed"], true, 1), (["-o", "text", "--group", "n"], true, 1),
            (["-o", "csv", "--group", "m", "--aggregate", "sum(n)", "--collapsed"], true, 1), (["-o", "csv", "--stats"], true, 1),
        ]
        for (options, hasNote, status) in cases {
            let outcome = try ProgramUnderTest.run(options, input: table)
            #expect(outcome.status == .code(status), "\(options)")
            let note = "a number equals a string with the same digits in “n” (row 301).\n"
            #expect(hasNote ? outcome.errorText.hasSuffix(note) : outcome.errorText.isEmpty, "\(options): \(outcome.errorText)")
        }
    }

    @Test func `D15: Python reads the JSON output`() throws {
        let file = ProgramUnderTest.file("Examples/data/messy.csv")
        let check = "import json,sys; rows=json.load(sys.stdin); print(len(rows), len({tuple(row) for row in rows}))"
        let json = try ProgramUnderTest.run("-o", "json", file).outputText
        let lines = try ProgramUnderTest.run("-o", "jsonl", file).outputText.split(separator: "\n").count
        let python = try ProcessRunner(executable: "python3").run(["-c", check], input: Array(json.utf8))
        #expect(python.outputText == "\(lines) 1\n", "\(python.errorText)")
    }

    @Test func `18.10: typed and compressed output can be read again`() throws {
        let csv = try written("-o", "csv", "--sort", "id:desc")
        for options in [["--compress", "gzip"], ["--compress", "zstd"], ["--compress=xz"], ["--compress=bzip2"], ["--compress", "lz4"]] {
            let file = try ProgramUnderTest.run(["-o", "csv", "--sort", "id:desc"] + options, input: table)
            #expect(file.status == .code(0) && file.errorText == "" && file.output != Array(csv.utf8), "\(options)")
            let again = try ProcessRunner(executable: ProgramUnderTest.path).run(["-o", "csv"], input: file.output)
            #expect(again.outputText == csv, "\(options) \(again.errorText)")
        }
        let arrow = try ProgramUnderTest.run("-o", "arrow", "--columns", "on,amount,id", input: table)
        let again = try ProcessRunner(executable: ProgramUnderTest.path).run(["-o", "csv"], input: arrow.output)
        #expect(
            again.outputText
                == "on,amount,id\n2026-03-01,10.50,1\n2026-01-31,9.00,2\n2025-12-24,,3\n2026-02-15,100.00,4\n2026-03-02,-2.25,5\n")
    }

    // MARK: Rows

    @Test func `D15: --rows and --limit select rows`() throws {
        #expect(try column("id") == ["1", "2", "3", "4", "5"])
        #expect(try column("id", "--limit", "2") == ["1", "2"])
        #expect(try column("id", "--limit=0") == [])
        #expect(try column("id", "--limit", "99") == ["1", "2", "3", "4", "5"])
        #expect(try column("id", "--rows", "2..4") == ["2", "3", "4"])
        #expect(try column("id", "--rows=4..") == ["4", "5"])
        #expect(try column("id", "--rows=..2") == ["1", "2"])
        #expect(try column("id", "--rows=5..5") == ["5"])
        #expect(try column("id", "--rows=6..") == [])
        #expect(try column("id", "--rows=600..700") == [])
        #expect(try column("id", "--rows=2..9", "--limit", "2") == ["2", "3"])
        #expect(try column("id", "--rows=2..3", "--limit", "9") == ["2", "3"])
        #expect(try column("id", "--rows=2..\(Int.max)", "--limit", "\(Int.max)") == ["2", "3", "4", "5"])
        #expect(try column("id", "--sort=id:desc", "--rows=2..3") == ["4", "3"])
    }

    // MARK: Columns

    @Test func `D15: columns are selected by name, number and range`() throws {
        func titles(_ options: String...) throws -> String {
            String(try written("-o", "csv", "--limit", "1", options: options).split(separator: "\n")[0])
        }
        #expect(try titles("--columns", "name") == "name")
        #expect(try titles("--columns", "note,id") == "note,id")
        #expect(try titles("--columns=#2,#1") == "name,id")
        #expect(try titles("--columns", "name..on") == "name,amount,on")
        #expect(try titles("--columns", "#4..#2") == "on,amount,name")
        #expect(try titles("--columns", "note,id..amount") == "note,id,name,amount")
        #expect(try titles("--columns", "on,amount,id..on") == "on,amount,id,name")
        #expect(try titles("--columns", "NAME") == "name")
        #expect(try titles("--hide", "name..on") == "id,note")
        #expect(try titles("--hide", "#1", "--columns", "id,name") == "name")
        #expect(try written("-o", "csv", "--columns", "\"a,b\"", input: "\"a,b\",c\n1,2\n") == "\"a,b\"\n1\n")
    }

    // MARK: Order

    @Test func `D6: --sort uses the type of the column or the requested order`() throws {
        #expect(try column("id", "--sort", "amount") == ["5", "2", "1", "4", "3"])
        #expect(try column("id", "--sort=amount:desc") == ["4", "1", "2", "5", "3"])
        #expect(try column("id", "--sort", "on:desc") == ["5", "1", "4", "2", "3"])
        #expect(try column("id", "--sort", "name:desc,id") == ["4", "3", "2", "1", "5"])
        let codes = "code,group\nx10,b\nx9,a\nx1,b\n7,a\n"
        #expect(try written("-o", "csv", "--columns=code", "--sort", "code", input: codes) == "code\n7\nx1\nx9\nx10\n")
        #expect(try written("-o", "csv", "--columns=code", "--sort", "group,code:desc", input: codes) == "code\nx9\n7\nx10\nx1\n")
        // As text, 10 comes before 9, so text uses natural order here.
        let mixed = "v\n10\n9\n1e3\nabc\n"
        #expect(try written("-o", "csv", "--sort", "v:number:desc", "--types", "v:text", input: mixed) == "v\n1e3\n10\n9\nabc\n")
        #expect(try written("-o", "csv", "--sort", "v:desc:number", "--types", "v:text", input: mixed) == "v\n1e3\n10\n9\nabc\n")
        // A column name may contain a colon.
        #expect(try written("-o", "csv", "--sort", "a:b:desc", input: "a:b\n1\n3\n2\n") == "a:b\n3\n2\n1\n")
    }

    @Test func `D6, D7, D8: numbers with decimal commas are sorted, filtered and grouped by value`() throws {
        let prices = "n;p\n1;9,5\n2;1.234,25\n3;12,5\n"
        func order(_ options: String...) throws -> String {
            let text = try written(input: prices, ["-o", "tsv", "--columns", "n"] + options)
            return text.split(separator: "\n").dropFirst().joined(separator: " ")
        }
        #expect(try order("--sort", "p:desc") == "2 3 1")
        #expect(try order("--sort", "p:number") == "1 3 2")
        #expect(try order("--sort", "p:number", "--types", "p:text") == "1 3 2")
        #expect(try order("--sort", "p:natural") == "2 1 3")
        #expect(try order("--filter", "p > 12.25") == "2 3")
        #expect(try order("--filter", "p = 9.5", "--types", "p:number") == "1")
        #expect(try order("--filter", "p > 0", "--types", "p:decimal-point") == "")
        let open = "n,p\n1,\"1,500\"\n2,\"9,250\"\n"
        #expect(try written(input: open, ["-o", "jsonl", "--limit", "1"]) == "{\"n\": 1, \"p\": \"1,500\"}\n")
        #expect(try written(input: open, ["-o", "jsonl", "--limit", "1", "--types", "p:decimal-comma"]) == "{\"n\": 1, \"p\": 1.500}\n")
        #expect(
            try written(input: prices, ["-o", "text", "--group", "n", "--collapsed", "--aggregate", "sum(p)", "--limit", "2"])
                .contains(" 1.234,25\n"))
    }

    @Test func `D15: --types and --format do not change the data`() throws {
        #expect(try written("-o", "text", "--columns", "amount", "--format", "amount:0", "--limit=1").hasSuffix(" 11\n"))
        #expect(try written("-o", "text", "--columns", "amount", "--format", "amount:4", "--limit=1").hasSuffix("\n10.5000\n"))
        #expect(try column("amount", "--format", "amount:0") == ["10.50", "9", "\"\"", "100", "-2.25"])
        #expect(try written("-o", "jsonl", "--columns", "id", "--limit", "1", "--types", "id:text") == "{\"id\": \"1\"}\n")
    }

    // MARK: Groups

    @Test func `D8: groups are written with their aggregates`() throws {
        let sales = "region,item,amount\nN,x,1\nS,x,2\nN,y,3\nS,y,5\nN,x,4\n"
        #expect(
            try written("--group", "region", "--aggregate", "sum(amount),max(amount)", input: sales) == """
                region  item  amount
                ──────  ────  ──────
                ▾ region: N  3 rows  amount sum 8  amount max 4
                N       x          1
                N       y          3
                N       x          4
                ▾ region: S  2 rows  amount sum 7  amount max 5
                S       x          2
                S       y          5

                """)
        let collapsed = try written("--group=region", "--aggregate=sum(amount)", "--collapsed", input: sales)
        #expect(
            collapsed == """
                region  rows  amount sum
                ──────  ────  ──────────
                ▸ N        3           8
                ▸ S        2           7

                """)
        #expect(
            try written(
                "-o", "markdown", "--group=region:count,item:sum(amount):desc", "--aggregate=first(item),last(amount)", "--collapsed",
                input: sales) == """
                    | region › item | rows | item first | amount last | amount sum |
                    |---|---:|---|---:|---:|
                    | S | 2 | x | 5 | 7 |
                    | › y | 1 | y | 5 | 5 |
                    | › x | 1 | x | 2 | 2 |
                    | N | 3 | x | 4 | 8 |
                    | › x | 2 | x | 4 | 5 |
                    | › y | 1 | y | 3 | 3 |

                    """, "D8: groups ordered by row count and by aggregate")
        #expect(
            try written("-o", "csv", "--group", "region,item", input: sales) == "region,item,amount\nN,x,1\nN,x,4\nN,y,3\nS,x,2\nS,y,5\n")
    }

    // MARK: Input options

    @Test func `D1: the delimiter is detected, or set by an option`() throws {
        #expect(try written("-o", "csv", input: "a;b\n1;2\n3;4\n") == "a,b\n1,2\n3,4\n")
        for options in [["-t"], ["--tab"], ["-d", "tab"], ["--delimiter=tab"], ["-dtab"]] {
            #expect(try ProgramUnderTest.run(options + ["-ocsv"], input: "a b\tc\n1 2\t3\n").outputText == "a b,c\n1 2,3\n", "\(options)")
        }
        for options in [["-d", ";"], ["-d;"], ["--delimiter", ";"], ["--delimiter=;"]] {
            let outcome = try ProgramUnderTest.run(options + ["-ocsv"], input: "a,b;c\n1,2;3\n")
            #expect(outcome.outputText == "\"a,b\",c\n\"1,2\",3\n", "\(options)")
        }
        #expect(try written("-o", "csv", "-d", "-", input: "a-b\n1-2\n") == "a,b\n1,2\n")
        #expect(try written("-o", "csv", "-d", "space", input: "a b\n1 2\n") == "a,b\n1,2\n")
    }

    @Test func `D1: quote, header, skipped lines, comments and encoding can be set by options`() throws {
        #expect(try written("-o", "csv", "--quote", "'", input: "a,b\n'1,5',2\n") == "a,b\n\"1,5\",2\n")
        #expect(try written("-o", "csv", "--quote=none", input: "a,b\n\"1,2\n") == "a,b\n\"\"\"1\",2\n")
        #expect(try written("-o", "csv", "--header", "no", "--rows=1..1", input: "a,b\n1,2\n") == "A,B\na,b\n")
        #expect(try written("-o", "csv", "--header=yes", input: "1,2\n3,4\n") == "1,2\n3,4\n")
        #expect(try written("-o", "csv", "--skip-lines", "2", input: "made\nby hand\na,b\n1,2\n") == "a,b\n1,2\n")
        #expect(try written("-o", "csv", "--header", "two", input: "a,b\nkm,s\n1,2\n") == "a km,b s\n1,2\n")
        #expect(try written("-o", "csv", "--decimal", "comma", input: "a;b\n1.234;x\n") == "a,b\n1.234,x\n", "values stay")
        #expect(try written("-o", "csv", "--comment", "#", input: "# made by hand\na,b\n# yes\n1,2\n") == "a,b\n1,2\n")
        #expect(try written("-o", "csv", "--comment=--", input: "-- made by hand\na,b\n1,2\n") == "a,b\n1,2\n")
        let escaped = "a,b\n1,\"say \\\"hi\\\", \\\\ok\"\nC:\\x,2\n"
        for option in [["--escape", "\\"], ["--escape=\\"]] {
            #expect(try written(input: escaped, ["-o", "csv"] + option) == "a,b\n1,\"say \"\"hi\"\", \\ok\"\nC:\\x,2\n", "\(option)")
        }
        let unquoted = "a\tb\n1\ttwo\\nlines\n\\N\t5\" \\\\N\n"
        #expect(
            try written("-o", "jsonl", "--quote=none", "--escape=\\", input: unquoted)
                == "{\"a\": 1, \"b\": \"two\\nlines\"}\n{\"a\": null, \"b\": \"5\\\" \\\\N\"}\n")
        let folder = try TemporaryFolder()
        let latin = try folder.file("latin.csv", bytes: Array("a,b\ncaf".utf8) + [0xE9] + Array(",1\n".utf8))
        for encoding in ["latin-1", "windows-1252", "auto"] {
            let outcome = try ProgramUnderTest.run("-o", "jsonl", "--encoding", encoding, latin)
            #expect(outcome.outputText == "{\"a\": \"café\", \"b\": 1}\n", "\(encoding)")
        }
    }

    #if os(Linux)
        @Test func `18.1: text files load no library of another format`() throws {
            let folder = try TemporaryFolder()
            let script = "LD_DEBUG=files \"$0\" -o csv \"$1\" 2>&1 >/dev/null"
            func libraries(_ file: String) throws -> String {
                try ProcessRunner(executable: "sh").run(["-c", script, ProgramUnderTest.path, file]).outputText
            }
            let text = try libraries(folder.file("table.csv", "a,b\n1,2\n"))
            #expect(text.contains("libc.so") && !text.contains("libsqlite3") && !text.contains("libz"))
            // This file has the header of a database, so the library is loaded and reports the error.
            let database = try folder.file("data.db", bytes: Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 100))
            #expect(try libraries(database).contains("libsqlite3"))
        }
    #endif
}
