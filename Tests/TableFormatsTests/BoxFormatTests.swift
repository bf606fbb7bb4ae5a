import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Tables exactly as database programs draw them.
@Suite struct BoxFormatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String) throws -> any TableSource {
        let source = try FileOpener().open(path: folder.file("t.txt", text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    private func detailValues(_ source: any TableSource, _ name: String) -> [String] {
        source.details.filter { $0.name == name }.map(\.value)
    }

    // MARK: psql

    static let borders = [
        """
        id name  
        -- -----
         1 Alice
         2 Bob
        (2 rows)

        """,
        """
         id | name  
        ----+-------
          1 | Alice
          2 | Bob
        (2 rows)

        """,
        """
        +----+-------+
        | id | name  |
        +----+-------+
        |  1 | Alice |
        |  2 | Bob   |
        +----+-------+
        (2 rows)

        """,
        """
         id │ name  
        ────┼───────
          1 │ Alice
          2 │ Bob
        (2 rows)

        """,
        """
        ┌────┬───────┐
        │ id │ name  │
        ├────┼───────┤
        │  1 │ Alice │
        │  2 │ Bob   │
        └────┴───────┘
        (2 rows)

        """,
    ]

    @Test(arguments: borders)
    func `17.3: psql tables are read with any border and line style, and the footer becomes a note`(text: String) throws {
        let source = try open(text)
        #expect(titles(source) == ["id", "name"], "\(text)")
        #expect(try rowTexts(source) == [["1", "Alice"], ["2", "Bob"]], "\(text)")
        #expect(detailValues(source, "format") == ["box table"] && detailValues(source, "note") == ["(2 rows)"], "\(source.details)")
        #expect(source.problems.isEmpty && source.conversions.isEmpty)
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.integer, .text])
    }

    @Test func `17.3: lines above and below a psql table become its titles and notes`() throws {
        let source = try open(
            """
                             Table "public.t"
             Column |  Type   | Collation | Nullable | Default 
            --------+---------+-----------+----------+---------
             id     | integer |           | not null | 
            Indexes:
                "t_pkey" PRIMARY KEY, btree (id)

            """)
        #expect(titles(source) == ["Column", "Type", "Collation", "Nullable", "Default"])
        #expect(try rowTexts(source) == [["id", "integer", "", "not null", ""]])
        #expect(detailValues(source, "caption") == ["Table \"public.t\""])
        #expect(detailValues(source, "note") == ["Indexes:", "\"t_pkey\" PRIMARY KEY, btree (id)"])
    }

    @Test func `17.3: a cell that psql draws on several lines is one cell`() throws {
        let ascii = try open(
            """
              a   |  b   
            ------+------
             x   +| one +
               y +| two
             z    | 
             ab   | C++
            (2 rows)

            """)
        #expect(try rowTexts(ascii) == [["x\n  y\nz", "one\ntwo"], ["ab", "C++"]])
        let unicode = try open(
            """
            ┌────┬───────┐
            │ id │ name  │
            ├────┼───────┤
            │  1 │ a    ↵│
            │    │ b     │
            │  2 │ Bob   │
            └────┴───────┘
            (2 rows)

            """)
        #expect(try rowTexts(unicode) == [["1", "a\nb"], ["2", "Bob"]])
    }

    static let oldStyle = """
         id |   note    | other
        ----+-----------+-------
          1 | one, \"two\" | x
            : three     : y
            :   four    
          2 | a         | b
          3 | wrapped   | c
            ; text      
        (3 rows)

        """

    @Test(arguments: [1, 2, 7, 30, 10_000]) func `17.3: continuation lines in the old style of psql are added to their cells`(
        block: Int
    )
        throws
    {
        let source = try open(Self.oldStyle)
        #expect(
            try rowTexts(source) == [
                ["1", "one, \"two\"\nthree\n  four", "x\ny"], ["2", "a", "b"], ["3", "wrappedtext", "c"],
            ])
        #expect(detailValues(source, "note") == ["(3 rows)"])
        let bytes = Array(Self.oldStyle.utf8)
        #expect(rewrittenText(bytes, block: block) == rewrittenText(bytes, block: 1 << 20))
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] = UInt8(ascii: ":")
            #expect(rewrittenText(damaged, block: block) == rewrittenText(damaged, block: 1 << 20), "\(position)")
        }
    }

    @Test(arguments: [1, 9, 64, 4_096])
    func `17.3: a continuation line can first occur after any number of rows, even at the start of a block`(block: Int) throws {
        let rows = (0..<400).map { " \($0 % 10) | t\n" }.joined()
        let bytes = Array(" n | t \n---+---\n\(rows)   : more\n 1 | u\n(401 rows)\n".utf8)
        let whole = try #require(rewrittenText(bytes, block: 1 << 20))
        #expect(String(decoding: whole, as: UTF8.self).hasSuffix("9,\"t\nmore\"\n1,u\n"))
        for shift in 0..<20 {
            // The continued line is at each possible position in a block.
            let shifted = Array(" n | t \n---+---\n\(rows.dropLast(8 * shift))   : more\n 1 | u\n".utf8)
            #expect(rewrittenText(shifted, block: block) == rewrittenText(shifted, block: 1 << 20))
        }
    }

    @Test func `17.3: a row that never ends is divided into several rows, without losing bytes`() throws {
        let lines = (0..<300).map { "   : line \($0)\n" }.joined()
        let bytes = Array(" n | t \n---+---\n 1 | t\n\(lines) 2 | end\n".utf8)
        for block in [7, 100, 1 << 20] {
            let text = String(decoding: try #require(rewrittenText(bytes, block: block, maximumRowBytes: 200)), as: UTF8.self)
            #expect((0..<300).allSatisfy { text.contains("line \($0)\n") || text.contains("line \($0)\"") } && text.hasSuffix("2,end\n"))
            let longest = text.split(separator: "\"\n").map(\.utf8.count).max() ?? 0
            #expect(longest < 500, "\(block)")
        }
    }

    @Test func `17.3: psql tables with one column, without rows and with wide characters are read`() throws {
        let one = try open(" count \n-------\n   100\n(1 row)\n\n")
        #expect(titles(one) == ["count"])
        #expect(try rowTexts(one) == [["100"]])
        let empty = try open("+----+------+\n| id | name |\n+----+------+\n+----+------+\n(0 rows)\n\n")
        #expect(titles(empty) == ["id", "name"])
        #expect(try rowTexts(empty).isEmpty && detailValues(empty, "note") == ["(0 rows)"])
        // A bar within a string is distinguished from a column separator by its position in terminal cells.
        let wide = try open("   a   | 名前 \n-------+------\n 日|本 | x|y\n 1     | 😀|z\n(2 rows)\n\n")
        #expect(titles(wide) == ["a", "名前"])
        #expect(try rowTexts(wide) == [["日|本", "x|y"], ["1", "😀|z"]])
    }

    @Test func `17.3: records of the expanded mode of psql are rows`() throws {
        for text in [
            """
            -[ RECORD 1 ]
            id   | 1
            name | Alice
            -[ RECORD 2 ]
            id   | 2
            name | x    +
                 | y|z

            """,
            """
            +-[ RECORD 1 ]-+
            | id   | 1     |
            | name | Alice |
            +-[ RECORD 2 ]-+
            | id   | 2     |
            | name | x    +|
            |      | y|z   |
            +------+-------+

            """,
            """
            ─[ RECORD 1 ]─
            id   │ 1
            name │ Alice
            ─[ RECORD 2 ]─
            id   │ 2
            name │ x    ↵
                 │ y|z

            """,
        ] {
            let source = try open(text)
            #expect(titles(source) == ["id", "name"], "\(text)")
            #expect(try rowTexts(source) == [["1", "Alice"], ["2", "x\ny|z"]], "\(text)")
        }
        let one = try open("+-[ RECORD 1 ]-+\n| id   | 1     |\n+------+-------+\n\n")
        #expect(titles(one) == ["id"])
        #expect(try rowTexts(one) == [["1"]])
    }

    @Test func `17.3: an expanded record has at most 10,000 fields`() throws {
        let source = try open("-[ RECORD 1 ]-\n" + (1...10_001).map { "c\($0) | \($0)\n" }.joined())
        // The next field begins another record, in a column without a name.
        let rows = try rowTexts(source)
        #expect(rows.count == 2 && rows[0][9_999] == "10000" && rows[1].last == "c10001: 10001")
    }

    // MARK: MySQL, SQLite, DuckDB

    @Test func `17.3: MySQL tables are read with line ends in cells, without a header, and as vertical records`()
        throws
    {
        let source = try open(
            """
            +----+-------+
            | id | name  |
            +----+-------+
            |  1 | Alice |
            |  2 | NULL  |
            |  3 | a
            b   |
            |  4 | a|b   |
            +----+-------+
            4 rows in set (0.00 sec)

            """)
        #expect(titles(source) == ["id", "name"])
        #expect(try rowTexts(source) == [["1", "Alice"], ["2", "NULL"], ["3", "a\nb"], ["4", "a|b"]])
        #expect(detailValues(source, "note") == ["4 rows in set (0.00 sec)"])
        let bare = try open("+---+-------+\n| 1 | Alice |\n| 2 | Bob   |\n+---+-------+\n")
        #expect(!bare.hasColumnNames && titles(bare) == ["A", "B"])
        #expect(try rowTexts(bare) == [["1", "Alice"], ["2", "Bob"]])
        let records = try open(
            """
            *************************** 1. row ***************************
              id: 1
            name: Alice: x
            *************************** 2. row ***************************
              id: 2
            name: a
            b
            2 rows in set (0.00 sec)

            """)
        #expect(titles(records) == ["id", "name"])
        #expect(try rowTexts(records) == [["1", "Alice: x"], ["2", "a\nb"]])
    }

    @Test func `17.3: the types in a DuckDB table are used, and omitted rows are reported`() throws {
        let source = try open(
            """
            ┌───────┬─────────┬───────────────┬────────────┐
            │  id   │  name   │     price     │    day     │
            │ int64 │ varchar │ decimal(10,2) │    date    │
            ├───────┼─────────┼───────────────┼────────────┤
            │     1 │ 007     │          1.50 │ 2024-01-31 │
            │     2 │ NULL    │          NULL │ 2024-02-01 │
            │     · │  ·      │            ·  │     ·      │
            │     · │  ·      │            ·  │     ·      │
            │     · │  ·      │            ·  │     ·      │
            │   100 │ 100     │          4.00 │ 2024-05-02 │
            ├───────┴─────────┴───────────────┴────────────┤
            │ 100 rows (3 shown)                 4 columns │
            └──────────────────────────────────────────────┘

            """)
        #expect(titles(source) == ["id", "name", "price", "day"])
        #expect(try rowTexts(source).map { $0[0] } == ["1", "2", "100"])
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.integer, .text, .decimal, .date])
        #expect(source.problems == ["only 3 of 100 rows were written to this table"])
        #expect(source.conversions == [TextConversion("t.txt: only 3 of 100 rows were written to this table.", isLoss: true)])
    }

    @Test func `17.3: the name above a table of the AWS CLI is its caption, and rows that Spark has left out are reported`() throws {
        let aws = try open(
            """
            -----------------------------------------
            |           DescribeInstances           |
            +---------------------+-----------------+
            |  InstanceId         |  State          |
            +---------------------+-----------------+
            |  i-0123456789       |  running        |
            |  i-abcdef0123       |  stopped        |
            +---------------------+-----------------+

            """)
        #expect(titles(aws) == ["InstanceId", "State"] && detailValues(aws, "caption") == ["DescribeInstances"])
        #expect(try rowTexts(aws) == [["i-0123456789", "running"], ["i-abcdef0123", "stopped"]] && aws.problems.isEmpty)
        let table = "+---+----+\n| id|name|\n+---+----+\n|  1| Ann|\n|  2| Bob|\n+---+----+\n"
        let spark = try open(table + "only showing top 2 rows\n\n")
        #expect(try rowTexts(spark) == [["1", "Ann"], ["2", "Bob"]])
        #expect(spark.problems == ["not all rows were written to this table"] && spark.conversions.allSatisfy(\.isLoss))
        #expect(try open(table).problems.isEmpty)
    }

    @Test func `T2, 17.3: values after the first rows decide the type of a column that is empty above them`() throws {
        let rows = (0..<4_000).map { "| \($0) | \($0 == 3_590 ? "2.5" : "") |\n" }
        let source = try open("| n | price |\n| - | - |\n" + rows.joined())
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.integer, .text])
        #expect(source.profiles(ofRareColumns: [1], from: 0) { true }.map(\.kind) == [.decimal])
    }

    @Test func `17.3: NULL is read as an empty field if DuckDB or polars declares the column as a type other than text`() throws {
        let source = try open(
            """
            ┌───────┬─────────┬──────────┬────────┬─────────┐
            │  id   │  name   │   huge   │  none  │ states  │
            │ int64 │ varchar │  int128  │ "null" │ int32[] │
            ├───────┼─────────┼──────────┼────────┼─────────┤
            │     1 │ NULL    │     NULL │ NULL   │ [NULL]  │
            │  NULL │ null    │       12 │ NULL   │ NULL    │
            └───────┴─────────┴──────────┴────────┴─────────┘

            """)
        #expect(titles(source) == ["id", "name", "huge", "none", "states"])
        #expect(try rowTexts(source) == [["1", "NULL", "", "", "[NULL]"], ["", "null", "12", "", ""]])
        #expect(source.profiles(budgetMilliseconds: 0).prefix(2).map(\.kind) == [.integer, .text])
        let polars = try open(
            """
            shape: (3, 2)
            ┌──────┬──────┐
            │ a    ┆ b    │
            │ ---  ┆ ---  │
            │ i64  ┆ str  │
            ╞══════╪══════╡
            │ null ┆ null │
            │ 1    ┆ x    │
            │ 2    ┆ y    │
            └──────┴──────┘

            """)
        #expect(try rowTexts(polars) == [["", "null"], ["1", "x"], ["2", "y"]])
        let only = try open("┌───────┐\n│   a   │\n│ int32 │\n├───────┤\n│  NULL │\n│     1 │\n└───────┘\n")
        #expect(try rowTexts(only) == [[""], ["1"]])
        // Without declared types, NULL may be text.
        let plain = try open("+------+\n| a    |\n+------+\n| NULL |\n| 1    |\n+------+\n")
        #expect(try rowTexts(plain) == [["NULL"], ["1"]])
    }

    @Test func `17.3: the names and types of a table with omitted columns are used, and the omission is reported`() throws {
        let polars = try open(
            """
            shape: (2, 1_012)
            ┌─────┬─────┬───┬──────┬──────┐
            │ c0  ┆ c1  ┆ … ┆ c10  ┆ c11  │
            │ --- ┆ --- ┆   ┆ ---  ┆ ---  │
            │ i64 ┆ str ┆   ┆ f64  ┆ date │
            ╞═════╪═════╪═══╪══════╪══════╡
            │ 0   ┆ 1   ┆ … ┆ 1.5  ┆ null │
            │ 1   ┆ 2   ┆ … ┆ null ┆ null │
            └─────┴─────┴───┴──────┴──────┘

            """)
        #expect(titles(polars) == ["c0", "c1", "…", "c10", "c11"])
        #expect(polars.profiles(budgetMilliseconds: 0).map(\.kind) == [.integer, .text, .text, .decimal, .date])
        #expect(try rowTexts(polars) == [["0", "1", "…", "1.5", ""], ["1", "2", "…", "", ""]])
        #expect(polars.problems == ["only 4 of 1,012 columns were written to this table"])
        #expect(polars.conversions.map(\.isLoss) == [true])
        for type in ["  …  ", "     "] {
            let duckDB = try open(
                """
                ┌───────┬─────────┬─────┬───────┐
                │  c0   │   c1    │  …  │  c59  │
                │ int32 │ varchar │\(type)│ int32 │
                ├───────┼─────────┼─────┼───────┤
                │     0 │ 1       │  …  │    59 │
                ├───────┴─────────┴─────┴───────┤
                │ 1 rows   60 columns (3 shown) │
                └───────────────────────────────┘

                """)
            #expect(titles(duckDB) == ["c0", "c1", "…", "c59"])
            #expect(duckDB.profiles(budgetMilliseconds: 0).map(\.kind) == [.integer, .text, .text, .integer])
            #expect(duckDB.problems == ["only 3 of 60 columns were written to this table"])
        }
    }

    @Test func `17.3: the footer and the remarks within the frame of a DuckDB table with one column are not rows`()
        throws
    {
        let shortened = try open(
            """
            ┌──────────────┐
            │      i       │
            │    int64     │
            ├──────────────┤
            │            0 │
            │            · │
            │           99 │
            ├──────────────┤
            │   100 rows   │
            │  (2 shown)   │
            └──────────────┘

            """)
        #expect(try rowTexts(shortened) == [["0"], ["99"]])
        #expect(shortened.problems == ["only 2 of 100 rows were written to this table"])
        let large = try open(
            """
            ┌────────────────┐
            │  count_star()  │
            │     int64      │
            ├────────────────┤
            │    10000000    │
            │ (10.00 million)│
            └────────────────┘

            """)
        #expect(titles(large) == ["count_star()"])
        #expect(try rowTexts(large) == [["10000000"]])
        let empty = try open("┌───────┐\n│   a   │\n│ int32 │\n├───────┤\n│ 0 rows │\n└───────┘\n")
        #expect(try rowTexts(empty).isEmpty && titles(empty) == ["a"])
    }

    @Test func `17.3: SQLite, polars, reStructuredText and Org tables are read`() throws {
        let box = try open(
            """
            ┌────┬───────┐
            │ id │ name  │
            ├────┼───────┤
            │ 1  │ a     │
            │    │ b     │
            ├────┼───────┤
            │ 2  │ c     │
            └────┴───────┘

            """)
        #expect(try rowTexts(box) == [["1", "a\nb"], ["2", "c"]])
        let column = try open("id  name   \n--  -------\n1   Alice  \n2   Bob B  \n")
        #expect(titles(column) == ["id", "name"])
        #expect(try rowTexts(column) == [["1", "Alice"], ["2", "Bob B"]])
        let polars = try open(
            """
            shape: (100, 2)
            ┌─────┬──────┐
            │ a   ┆ b    │
            │ --- ┆ ---  │
            │ i64 ┆ str  │
            ╞═════╪══════╡
            │ 1   ┆ x    │
            │ …   ┆ …    │
            │ 100 ┆ null │
            └─────┴──────┘

            """)
        #expect(titles(polars) == ["a", "b"])
        #expect(try rowTexts(polars) == [["1", "x"], ["100", "null"]])
        #expect(polars.problems == ["only 2 of 100 rows were written to this table"])
        let grid = try open(
            """
            +-----+--------+
            | A   | B      |
            +=====+========+
            | 1   | two    |
            |     | lines  |
            +-----+--------+
            | 2   | x      |
            +-----+--------+

            """)
        #expect(try rowTexts(grid) == [["1", "two\nlines"], ["2", "x"]])
        let simple = try open("=====  =====\nA      B\n=====  =====\n1      2\n3      4\n=====  =====\n")
        #expect(titles(simple) == ["A", "B"])
        #expect(try rowTexts(simple) == [["1", "2"], ["3", "4"]])
        let org = try open("| a | b |\n|---+---|\n| 1 | 2 |\n|---+---|\n| 3 | 4 |\n")
        #expect(titles(org) == ["a", "b"])
        #expect(try rowTexts(org) == [["1", "2"], ["3", "4"]])
    }

    @Test func `17.3: only the first table of a file is read, and the lines of further tables are counted`() throws {
        let table = " a | b \n---+---\n 1 | 2\n(1 row)\n\n"
        let source = try open(table + table)
        #expect(try rowTexts(source) == [["1", "2"]])
        #expect(source.problems == ["4 lines after the table are left out"])
        #expect(source.conversions.map(\.isLoss) == [true])
    }

    @Test func `17.3: other text is not read as a drawn table`() throws {
        for text in [
            "Title\n-----\nSome text here.\nMore.\n", "a,b\n-,-\n1,2\n", "a b c\n- - -\n1 2 3\n", "---\ntitle: x\n---\ntext\n", "-\n",
            "+\n", "|\n",
            "│\n", "+-+\n", "x\n-\n-\n",
        ] {
            let source = try open(text)
            #expect(!source.details.contains { $0.value == "box table" }, "\(text)")
        }
    }

    // MARK: Streams and damage

    @Test func `17.3: a pipe shows its first rows before its end, except the last one, which may be incomplete`() throws {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        try writer.write(contentsOf: Data(" id | name  \n----+-------\n  1 | Alice\n  2 | Bob\n  3 | Cy\n".utf8))
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        #expect(titles(source) == ["id", "name"] && source.isGrowing)
        #expect(source.snapshot().recordCount == 2)
        try writer.write(contentsOf: Data("(3 rows)\n\n".utf8))
        try writer.close()
        try source.readAll(threads: 1) { _ in true }
        #expect(try rowTexts(source) == [["1", "Alice"], ["2", "Bob"], ["3", "Cy"]])
        #expect(detailValues(source, "note") == ["(3 rows)"] && !source.isGrowing)
    }

    @Test func `17.3: a large drawn table is read in blocks`() throws {
        let count = 60_000
        let rows = (0..<count).map { " \(String($0).padded(to: 6)) | row number \($0)\n" }.joined()
        let source = try open("   id   |        text        \n--------+--------------------\n" + rows + "(\(count) rows)\n\n")
        #expect(source.snapshot().recordCount == count)
        #expect(try source.tail(atLeast: 1).records.last?.fields.map(\.text) == ["\(count - 1)", "row number \(count - 1)"])
    }

    @Test func `17.3: bytes of drawn tables that are not UTF-8 are unchanged`() throws {
        let bytes = Array("┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ ".utf8) + [0xFF] + Array(" │ x │\n└───┴───┘\n".utf8)
        let source = try FileOpener().open(path: folder.file("t.txt", bytes: bytes))
        try source.readAll(threads: 1) { _ in true }
        var found: [[UInt8]] = []
        try source.snapshot().scan(0..<1, columns: [0, 1]) { _, fields in
            found = fields.map { Array($0.bytes) }
            return true
        }
        #expect(found == [[0xFF], [0x78]])
    }

    // MARK: Formats of polars

    /// Tables of polars with the formats ASCII_FULL, ASCII_FULL_CONDENSED, ASCII_MARKDOWN, UTF8_NO_BORDERS and UTF8_FULL_CONDENSED.
    static let polarsFormats = [
        """
        shape: (9, 3)
        +------+---+------+
        | name | … | d    |
        | ---  |   | ---  |
        | str  |   | f64  |
        +=================+
        | a|b  | … | 1.5  |
        |------+---+------|
        | …    | … | …    |
        |------+---+------|
        | null | … | null |
        +------+---+------+

        """,
        """
        shape: (9, 3)
        +------+---+------+
        | name | … | d    |
        | ---  |   | ---  |
        | str  |   | f64  |
        +=================+
        | a|b  | … | 1.5  |
        | …    | … | …    |
        | null | … | null |
        +------+---+------+

        """,
        """
        shape: (9, 3)
        | name | … | d    |
        | ---  |   | ---  |
        | str  |   | f64  |
        |------|---|------|
        | a|b  | … | 1.5  |
        | …    | … | …    |
        | null | … | null |

        """,
        """
        shape: (9, 3)
         name ┆ … ┆ d    
         ---  ┆   ┆ ---  
         str  ┆   ┆ f64  
        ══════╪═══╪══════
         a|b  ┆ … ┆ 1.5  
        ╌╌╌╌╌╌┼╌╌╌┼╌╌╌╌╌╌
         …    ┆ … ┆ …    
        ╌╌╌╌╌╌┼╌╌╌┼╌╌╌╌╌╌
         null ┆ … ┆ null 

        """,
        """
        shape: (9, 3)
        ┌──────┬───┬──────┐
        │ name ┆ … ┆ d    │
        │ ---  ┆   ┆ ---  │
        │ str  ┆   ┆ f64  │
        ╞══════╪═══╪══════╡
        │ a|b  ┆ … ┆ 1.5  │
        │ …    ┆ … ┆ …    │
        │ null ┆ … ┆ null │
        └──────┴───┴──────┘

        """,
    ]

    @Test(arguments: polarsFormats) func `17.3: a table of polars in each format has its names and types, and reports omissions`(
        text: String
    ) throws {
        let source = try open(text)
        #expect(titles(source) == ["name", "…", "d"])
        #expect(try rowTexts(source) == [["a|b", "…", "1.5"], ["null", "…", ""]])
        let profiles = source.profiles(budgetMilliseconds: 0)
        #expect(profiles[0].kind == .text && profiles[2].kind == .decimal)
        #expect(
            source.problems == ["only 2 of 9 rows were written to this table", "only 2 of 3 columns were written to this table"])
    }

    @Test func `17.3: the delimiter row of a Markdown table without rows is not a rule of polars`() throws {
        #expect(try titles(open("A heading\n\n| a | b |\n|---|---|\n\ntext\n")) != ["a", "b"])
    }

    @Test func `17.3: a row whose values are dashes without blanks around them is not a rule`() throws {
        let source = try open("+----+----+\n| a  | b  |\n+----+----+\n|----|----|\n| 1  | 2  |\n+----+----+\n")
        #expect(try rowTexts(source) == [["----", "----"], ["1", "2"]])
    }

    // MARK: ClickHouse and Julia

    @Test(
        arguments: [
            "┌─id─┬─first-name─┬────x─┐\n│  1 │ a b        │  1.5 │\n│ 22 │ c│d        │ ᴺᵁᴸᴸ │\n└────┴────────────┴──────┘\n",
            "   ┌─id─┬─first-name─┬────x─┐\n1. │  1 │ a b        │  1.5 │\n2. │ 22 │ c│d        │ ᴺᵁᴸᴸ │\n   └─id─┴─first-name─┴────x─┘\n",
        ]) func `17.3: the names in the first rule of a table of ClickHouse are the titles`(table: String) throws
    {
        let source = try open(table + "\n2 rows in set. Elapsed: 0.002 sec. \n")
        #expect(titles(source) == ["id", "first-name", "x"])
        #expect(try rowTexts(source) == [["1", "a b", "1.5"], ["22", "c│d", "ᴺᵁᴸᴸ"]])
        #expect(source.problems.isEmpty)
    }

    @Test func `17.3: a table of ClickHouse may have one column, and lines after it are reported`() throws {
        let source = try open("┌─日本─┐\n│    1 │\n└──────┘\n┌─日本─┐\n│    2 │\n└──────┘\n")
        #expect(titles(source) == ["日本"])
        #expect(try rowTexts(source) == [["1"]])
        #expect(source.problems.count == 1)
    }

    @Test func `17.3: other text below a line that looks like the names of ClickHouse is not lost`() throws {
        let source = try open("┌─id─┬─n─┐\nother text\nmore, text\n")
        #expect(!(source is BoxSource))
        #expect(try rowTexts(source) == [["┌─id─┬─n─┐"], ["other text"], ["more, text"]])
    }

    @Test func `17.3: both lines of the header of a data frame of Julia are in the titles`() throws {
        let source = try open(
            "2×2 DataFrame\n Row │ id     name   \n     │ Int64  String \n─────┼───────────────\n   1 │     1  a b\n   2 │    22  c\n")
        #expect(titles(source) == ["Row", "id     name Int64  String"])
        #expect(try rowTexts(source) == [["1", "1  a b"], ["2", "22  c"]])
    }

    @Test func `17.3: a title above a table of psql that contains a vertical line is not part of the header`() throws {
        let source = try open("  Title │ of it\n a  │ b  \n────┼────\n  1 │ x\n(1 row)\n")
        #expect(titles(source) == ["a", "b"])
        #expect(detailValues(source, "caption") == ["Title │ of it"])
    }

    // MARK: .mode line

    @Test func `17.3: records of .mode line of SQLite have columns, and values keep their line ends`() throws {
        // In MySQL, this line starts a record.
        let header = "*************************** 1. row ***************************"
        let source = try open(
            """
                  id = 1
            longname = a
            b
            \(header)
            c = d

            e
                   n = 

                  id = 22
            longname = x = y
                   n = 2.5

            """)
        #expect(titles(source) == ["id", "longname", "n"])
        #expect(try rowTexts(source) == [["1", "a\nb\n\(header)\nc = d\n\ne", ""], ["22", "x = y", "2.5"]])
        #expect(source.problems.isEmpty)
    }

    @Test func `17.3: records of .mode line of several queries are rows, although no blank line is between the queries`() throws {
        let record = "      id = 1\nlongname = a\n"
        let source = try open(record + "\n      id = 2\nlongname = b\n      id = 3\nlongname = c\n   other = x\nlongname = d\n")
        #expect(try rowTexts(source).map { $0.prefix(2) } == [["1", "a"], ["2", "b"], ["3", "c"]])
        #expect(try rowTexts(source)[2].dropFirst(2) == ["other: x", "longname: d"], "no field replaces another field of its name")
    }

    @Test func `17.3: a record of .mode line with very many blank lines ends at the maximum size of a record`() throws {
        let records = "      id = 1\nlongname = a\n\n      id = 2\nlongname = b\n"
        let source = try open(records + String(repeating: "\n", count: 17 << 20) + "x\n")
        #expect(try rowTexts(source) == [["1", "a"], ["2", "b"]])
        #expect(source.problems == ["1 line after the table is left out"])
    }

    @Test func `17.3: settings with equals signs are not records of .mode line`() throws {
        for text in [
            "name = a\nport = 80\n", "  a = 1\n  b = 2\n", "    name = a\nlongname  = 80\n", "  a = 1\nlong = 2\ntext\n",
            "    a = 1\n    b = 2\n",
            // Names that are right-aligned by chance
            "  total = a + b\nresult2 = c\n", "     x = 1\n     y = 2\n x + y = 3\n", "   SSID = a\n  BSSID = b\n   freq = 2\n",
            "AUTOCOMMIT = on\n  COMP_KEY = x\n\nDBNAME = y\n", "  key = 1\nwidth = 2\n   id = 3\n\n# comment\n",
            "      x = 1\n    foo = 2\n\n      x = 3\n    foo = 4\n",
        ] {
            #expect(try !(open(text) is BoxSource), "\(text)")
        }
        #expect(try rowTexts(open("      id = 1\n    name = a\nlongname = b\n")) == [["1", "a", "b"]], "a single record")
    }

    // MARK: R

    @Test func `17.3: a tibble of R has its types, and rows and columns that R left out are reported`() throws {
        let source = try open(
            """
            # A tibble: 1,087 × 9
            # Groups:   sex [2]
               name     height  mass `home world`   `total amount` sex   born       ok   
               <chr>     <int> <dbl> <chr>                   <dbl> <fct> <date>     <lgl>
             1 Luke Sk…    172  77   Tatooine, in a            1   male  1990-01-02 TRUE 
             2 C-3PO        NA  75.5 NA                       12.5 none  NA         FALSE
            10 大 b          9  32   Naboo                  -123   none  1991-11-12 NA   
            # ℹ 1,084 more rows
            # ℹ 1 more variable: films <list>
            # ℹ Use `print(n = ...)` to see more rows

            """)
        #expect(titles(source) == ["", "name", "height", "mass", "home world", "total amount", "sex", "born", "ok"])
        #expect(
            try rowTexts(source) == [
                ["1", "Luke Sk…", "172", "77", "Tatooine, in a", "1", "male", "1990-01-02", "TRUE"],
                ["2", "C-3PO", "", "75.5", "NA", "12.5", "none", "", "FALSE"],
                ["10", "大 b", "9", "32", "Naboo", "-123", "none", "1991-11-12", ""],
            ])
        let kinds = source.profiles(budgetMilliseconds: 0).map(\.kind)
        #expect(kinds == [.integer, .text, .integer, .decimal, .text, .decimal, .text, .date, .flag])
        #expect(
            source.problems == ["only 3 of 1,087 rows were written to this table", "only 8 of 9 columns were written to this table"])
        let whole = try open("# A tibble: 1 x 2\n  a         b\n  <chr> <dbl>\n1 x y      -1\n")
        #expect(try rowTexts(whole) == [["1", "x y", "-1"]] && whole.problems.isEmpty)
        // Columns are missing, and other text follows.
        let part = try open("# A tibble: 1 × 3\n  a         b\n  <chr> <dbl>\n1 x        -1\n# ℹ 1 more variable: c <int>\n> quit()\n")
        #expect(try rowTexts(part) == [["1", "x", "-1"]])
        #expect(part.problems == ["only 2 of 3 columns were written to this table", "1 line after the table is left out"])
        // A line without types is not a tibble.
        #expect(try titles(open("# A tibble: 1 × 2\n  a   b\n  x   y\n1 x   1\n")) != ["", "a", "b"])
    }

    /// The rewritten text of an input that arrives in blocks of a given size; `nil` if the input has no table.
    private func rewrittenText(_ bytes: [UInt8], block: Int, maximumRowBytes: Int = 16 << 20) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { all in
            var lines: [UnsafeBufferPointer<UInt8>] = []
            for line in all.split(separator: 10, omittingEmptySubsequences: false) {
                lines.append(LineCollector.withoutTrailingCR(UnsafeBufferPointer(rebasing: line)))
            }
            if lines.last?.isEmpty == true { lines.removeLast() }
            var rewriter: any TextRewriter
            if let expanded = ExpandedRewriter(lines, makeNotes: { BoxNotes(caption: $0) }) {
                rewriter = expanded
            } else if let table = BoxTable(lines, isComplete: true) {
                rewriter = BoxRewriter(table, BoxNotes(caption: table.caption), maximumRowBytes: maximumRowBytes)
            } else {
                return nil
            }
            var text: [UInt8] = []
            for start in stride(from: 0, through: all.count, by: block) {
                let end = min(start + block, all.count)
                rewriter.rewrite(UnsafeBufferPointer(rebasing: all[start..<end]), isEnd: end == all.count, into: &text)
                if end == all.count { break }
            }
            return text
        }
    }

    @Test(arguments: borders.indices)
    func `17.3: damaged drawn tables never cause a crash, and blocks of any size give the same rows`(index: Int) {
        var random = SplitMix64(seed: UInt64(index))
        let bytes = Array(Self.borders[index].utf8)
        for position in bytes.indices {
            _ = rewrittenText(Array(bytes[..<position]), block: 7)
            for byte: UInt8 in [10, 32, UInt8(ascii: "|"), UInt8(ascii: "+"), .random(in: 0...255, using: &random)] {
                var damaged = bytes
                damaged[position] = byte
                #expect(rewrittenText(damaged, block: 3) == rewrittenText(damaged, block: 1 << 20), "\(position) \(byte)")
            }
        }
    }

    @Test func `17.3: drawn tables with long lines and thousands of vertical bars are read`() {
        let bars = String(repeating: "|", count: 200_000)
        let open = rewrittenText(Array(" a | b \n---+---\n \(bars)\n 1 | 2\n".utf8), block: 4_096)
        #expect(open.map { String(decoding: $0, as: UTF8.self).hasSuffix("\n1,2\n") } == true)
        let columns = 5_000
        let rule = "+" + String(repeating: "---+", count: columns) + "\n"
        let row = "|" + String(repeating: " x |", count: columns) + "\n"
        let short = "|" + String(repeating: " y |", count: columns - 10) + "\n"
        let wide = rewrittenText(Array((rule + row + rule + row + short + row + rule).utf8), block: 1_000)
        let lines = (wide ?? []).split(separator: 10)
        #expect(lines.count == 4 && lines.allSatisfy { $0.count { $0 == UInt8(ascii: ",") } == columns - 1 })
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
