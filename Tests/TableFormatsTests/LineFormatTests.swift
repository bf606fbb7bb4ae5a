import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Detection of line formats, and reading of lines that do not fit them.
@Suite struct LineFormatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, as format: String? = nil) throws -> any TableSource {
        let source = try FileOpener(format: format).open(path: folder.file("t.txt", text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    @Test func `D1: a Markdown table is detected by its delimiter row`() throws {
        let source = try open("\n| name | n |\r\n| :-- | --: |\r\n| a\\|b | 1 |\r\nc | 2\r\n| d | 3 | more |\r\n\r\n| <br> | \\\\ |\r\n")
        #expect(titles(source) == ["name", "n"])
        #expect(try rows(source) == [["a|b", "1"], ["c", "2"], ["d", "3 | more"], [nil, nil], ["\n", "\\"]])
        #expect(try open("| a | b |\n| c | d |\n") is DelimitedFile, "there is no rule")
        #expect(try open("| a | b |\n| --- |\n") is DelimitedFile, "the rule has another number of cells")
        // The outer bars are optional.
        for (text, format) in [("a | b\n--|--\n1 | 2\n", nil), ("a|b\n:-|-:\n1|2", nil), ("a|b\n-|-\n1|2\n", "markdown")]
            as [(String, String?)]
        {
            let source = try open(text, as: format)
            #expect(try titles(source) == ["a", "b"] && rows(source) == [["1", "2"]], "\(text)")
        }
        for text in ["a|b\n-|-\n1|2\n", "a|b\n--|x\n1|2\n", "a|b|c\n--|--\n1|2|3\n"] { #expect(try open(text) is DelimitedFile, "\(text)") }
    }

    @Test(arguments: ["", "\n(5 rows)\n"])
    func `D1: a bar next to an empty cell of a Markdown table without outer bars is not an outer bar`(below: String) throws {
        let text = "a|b|c\n--|--|--\n|x|2\n |x| \n||3\n|1|x\\|y|\n| 1 | 2 | 3 |\n"
        let source = try open(text + below)
        let found = try rows(source).map { $0.map { $0 ?? "" } }
        #expect(found == [["", "x", "2"], ["", "x", ""], ["", "", "3"], ["1", "x|y", ""], ["1", "2", "3"]])
        // With outer bars, a short row lacks its last cells.
        #expect(try rows(open("|a|b|\n|--|--|\n|x\n" + below)).map { $0[0] } == ["x"])
    }

    @Test(arguments: [nil, "markdown"])
    func `17.3: a Markdown document opens as its first table, and its other lines are counted`(format: String?) throws {
        let table = "| a | b |\n|---|:-:|\n| 1 | x\\|y |\n| 2 |\n"
        let source = try open("# Title\n\n" + table + "\nmore\n", as: format)
        #expect(titles(source) == ["a", "b"])
        #expect(try rows(source) == [["1", "x|y"], ["2", nil]])
        #expect(source.problems == ["1 line after the table is left out"])
        #expect(source.conversions.map(\.isLoss) == [true])
        #expect(source.details.contains { $0 == ("format", "Markdown table") } && source.details.contains { $0 == ("caption", "Title") })
        let several = try open("Some text.\r\nMore text.\r\n\r\n" + table + "\r\n## Next\n\n| c |\n|---|\n| 3 |\n", as: format)
        #expect(try rows(several).count == 2)
        #expect(several.problems == ["2 lines before the table are left out", "4 lines after the table are left out"])
        let first = try open(table + "\n| c |\n|---|\n| 3 |\n", as: format)
        #expect(try rows(first).count == 2 && first.problems == ["3 lines after the table are left out"])
        #expect(try open("# Title\n\n" + table, as: format).conversions.isEmpty)
    }

    @Test func `17.3: a Markdown table is detected only if it has a row and at most a short text precedes it`() throws {
        let table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        for text in [
            String(repeating: "Some words.\n", count: 30) + table, "Some words.\n\n| a | b |\n|---|---|\n", "```\n" + table + "```\n",
            "Title\n---\n\nSome words.\n",
        ] {
            #expect(try !open(text).details.contains { $0.value == "Markdown table" }, "\(text)")
        }
        #expect(try open(String(repeating: "Some words.\n", count: 30) + table, as: "markdown").columnCount == 2)
    }

    @Test(arguments: [false, true]) func `D1: the length of the first line is limited if a delimited format is requested`(isPipe: Bool)
        throws
    {
        func open(_ text: String, _ change: (inout FileOpener) -> Void) throws -> any TableSource {
            var opener = FileOpener()
            opener.maximumHeaderBytes = 1 << 19
            opener.maximumRequestedHeaderBytes = 1 << 20
            change(&opener)
            guard isPipe else { return try opener.open(path: folder.file("pipe", text)) }
            let pipe = Pipe()
            let writer = pipe.fileHandleForWriting
            Thread.detachNewThread {
                try? writer.write(contentsOf: Data(text.utf8))
                try? writer.close()
            }
            return try opener.open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        }
        let requests: [(text: String, change: (inout FileOpener) -> Void)] = [
            ("\0\0", { $0.format = FileOpener.delimited }), ("x;", { $0.dialect.delimiter = UInt8(ascii: ";") }),
        ]
        let message = "pipe is not a table: its first line is longer than 1 MiB. Use --format lines to read it as text."
        for (text, request) in requests {
            #expect(throws: FormatError(message)) { try open(String(repeating: text, count: 3 << 18), request) }
            let quoted = #expect(throws: FormatError.self) { try open("a;\"b\n" + String(repeating: "1;x\n", count: 3 << 17), request) }
            #expect(quoted?.message.contains("first record is longer than 1 MiB, so a quote is probably not closed.") == true)
            let header = "a;b;" + String(repeating: "x", count: 3 << 18) + ";y\n"
            let source = try open(header + "1;2;3;4\n") { opener in
                request(&opener)
                opener.dialect.hasHeader = true
            }
            #expect(titles(source).last == "y")
        }
        let lines = try open(String(repeating: "\0", count: 3 << 19)) { $0.format = "lines" }
        try lines.readAll(threads: 1) { _ in true }
        #expect(lines.snapshot().recordCount == 1 && titles(lines) == ["line"])
    }

    @Test func `D1: samples contain only the beginning of long lines`() throws {
        let limit = LineTable<PlainLinesLayout>.maximumLineBytes
        let text = "first\n" + String(repeating: "x", count: 3 * limit) + "\n\nlast\n"
        let lines = try DelimitedFile(path: folder.file("long.txt", text)).lines()
        try lines.buildIndex(threads: 1) { _ in true }
        for (maximumBytes, expected) in [(nil, 3 * limit), (limit, limit)] {
            let table = LineTable(lines.snapshot(), PlainLinesLayout(), maximumBytes: maximumBytes)
            var counts: [Int] = []
            try table.scan(0..<table.recordCount, columns: [0]) { _, fields in
                counts.append(fields[0].count)
                return true
            }
            #expect(counts == [5, expected, 0, 4])
        }
        // As a whole, the line is not a number.
        let number = "1" + String(repeating: " ", count: 2 * limit) + "x\n"
        let source = try FileOpener(format: "lines").open(path: folder.file("number.txt", number + "2\n"))
        try source.readAll(threads: 1) { _ in true }
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.integer])
    }

    @Test(
        arguments: [
            "NAME  STATUS          CITY\nann   Up 2 hours (x)  rome\nbob   Up 3 hours      oslo\ncid   Exited (0) 3d   oslo\n",
            """
            NAME                     READY   STATUS             RESTARTS        AGE
            api-7d9f8b6c5-abcde      1/1     Running            0               3d4h
            web-5f6d7c8b9-xyz12      0/1     CrashLoopBackOff   12 (2m ago)     47m
            db-0                     1/1     Running            1 (3d ago)      10d

            """,
            """
            CONTAINER ID   IMAGE          CREATED        STATUS                  PORTS                    NAMES
            4c01db0b339c   postgres:16    2 hours ago    Up 2 hours (healthy)    0.0.0.0:5432->5432/tcp   pg
            d7886598dbe2   nginx:1.25     3 days ago     Exited (0) 3 days ago                            web…

            """,
        ])
    func `D1: values with blanks keep their columns below the titles, and no character is lost`(text: String) throws {
        let lines = text.split(separator: "\n").map(String.init)
        // The expected fields are the parts between runs of blanks. Only the last line may have an empty field.
        let parts = lines.map { $0.replacing(#/ {2,}/#, with: "\t").split(separator: "\t").map(String.init) }
        let source = try open(text)
        #expect(titles(source) == parts[0])
        for (row, expected) in zip(try rows(source), parts.dropFirst()) {
            #expect(row.compactMap { $0 }.filter { !$0.isEmpty } == expected)
        }
        #expect(try rows(source).count == lines.count - 1)
    }

    @Test func `D1: all nonblank characters of any line are kept in the fields below the titles`() throws {
        let table = ["NAME  STATUS          CITY", "ann   Up 2 hours (x)  rome", "bob   Up 3 hours      oslo"].map { ArraySlice($0.utf8) }
        let layout = try #require(FixedWidthLayout(valuesUnderTitles: table, isRequested: false))
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let line = String((0..<Int.random(in: 0..<60, using: &random)).map { _ in "  aé(…".randomElement(using: &random)! })
            let fields = layout.texts(Array(line.utf8))
            #expect(fields.count == 3 && fields.joined().filter { $0 != 32 } == line.utf8.filter { $0 != 32 }, "\(line)")
        }
    }

    @Test func `D1: the header is detected even if a number is too wide for its column`() throws {
        let source = try open(
            """
            USER       PID %CPU    VSZ   RSS TTY      STAT COMMAND
            root         1  0.3  49680 16416 ?        SLl  /sbin/init splash
            root         2  0.0      0     0 ?        S    [kthreadd]
            root       812  0.0  15420  9216 ?        Ss   sshd: /usr/sbin/sshd -D
            root      1100  0.0  10000  4321 pts/0    S+   bash -c true
            root      3353  166 21475325988 1221620 ? Sl   /opt/chrome --type=renderer
            root      1300  0.0   1234   432 ?        S    tail -f x.log

            """)
        #expect(titles(source) == ["USER", "PID", "%CPU", "VSZ", "RSS", "TTY", "STAT", "COMMAND"])
        #expect(
            try rows(source)[4] == ["root", "3353", "166", "21475325988", "1221620", "?", "Sl", "/opt/chrome --type=renderer"])
    }

    @Test func `D1: fixed-width text is detected by aligned blanks`() throws {
        let source = try open("NAME        QTY   PRICE  CITY\nApple         3    1.50  New York\nCherries  10000 1234.75  Rome\n")
        #expect(titles(source) == ["NAME", "QTY", "PRICE", "CITY"])
        #expect(try rows(source) == [["Apple", "3", "1.50", "New York"], ["Cherries", "10000", "1234.75", "Rome"]])
        // The columns have numbers, which one blank separates in the first line.
        let df = """
            Filesystem      Size  Used Avail Use% Mounted on
            udev             12G     0   12G   0% /dev
            tmpfs           2.4G  1.1M  2.4G   1% /run
            /dev/vda        252G   16G   80G  17% /
            tmpfs            12G     0   12G   0% /dev/shm
            tmpfs           5.0M     0  5.0M   0% /run/lock
            /dev/sdb1       1.8T  1.2T  600G  67% /mnt/my disk

            """
        let disks = try open(df)
        #expect(titles(disks) == ["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted on"])
        #expect(try rows(disks)[3] == ["tmpfs", "12G", "0", "12G", "0%", "/dev/shm"])
        let ruled = try open("a    b\n---  ---\nx    y\nz    \n")
        #expect(titles(ruled) == ["a", "b"])
        #expect(try rows(ruled) == [["x", "y"], ["z", ""]])
        for text in ["a,b  c\n1,2  3\n4,5  6\n", "x  y\n1  2\n", "a\tb  c\n1\t2  3\n4\t5  6\n"] {
            #expect(try open(text) is DelimitedFile, "\(text)")
        }
        #expect(try titles(open("one two\nthree four\nfive six\n")) == ["line"], "words without alignment")
    }

    @Test func `D1: columns of wide characters or combining marks may be aligned by terminal cells or by characters`() throws {
        // `column -t` aligns by cells.
        let people = try open(
            """
            name      age  city
            日本太郎  30   東京
            Bob       5    Oslo
            田中      7    大阪市
            Ann       12   Rome

            """)
        #expect(titles(people) == ["name", "age", "city"])
        #expect(
            try rows(people) == [["日本太郎", "30", "東京"], ["Bob", "5", "Oslo"], ["田中", "7", "大阪市"], ["Ann", "12", "Rome"]])
        for title in ["名前", "name"] {
            let counts = try open("\(title)   n\n一二   1\nab     22\n👍efg  3\n")
            #expect(titles(counts) == [title, "n"])
            #expect(try rows(counts) == [["一二", "1"], ["ab", "22"], ["👍efg", "3"]])
        }
        // Combining marks fill no cell.
        let name = "a\u{301}b\u{301}c\u{301} d"
        let marks = try open("name    age  city\n\(name)   30   Roma\nAnn Bo  5    Oslo\nEve     12   Bonn\nIda     7    Rome\n")
        #expect(titles(marks) == ["name", "age", "city"])
        #expect(try rows(marks).prefix(2) == [[name, "30", "Roma"], ["Ann Bo", "5", "Oslo"]])
        // pandas aligns by characters.
        let frame = try open("  name    v          d\n0   日本  1.5 2024-01-01\n1  a b  NaN 2024-02-03\n2    c -3.0 2024-03-04\n")
        #expect(try rows(frame)[0] == ["0", "日本", "1.5", "2024-01-01"])
    }

    @Test func `D1: a requested format takes precedence over the detected one`() throws {
        #expect(try open("a  b\nc  d\ne  f\n", as: "delimited") is DelimitedFile)
        #expect(try open("a b\nc d\ne f\n", as: "fixed-width").columnCount == 2)
        #expect(throws: FormatError("t.txt is not a table in the format markdown. Remove --format to detect the format.")) {
            try open("a,b\n", as: "markdown")
        }
        let names = FileOpener.formatNames.joined(separator: ", ")
        #expect(throws: FormatError("Unknown format “excel”. Use \(names).")) {
            try open("a,b\n", as: "excel")
        }
        let path = try folder.file("d.txt", "a  b\n1  2\n3  4\n")
        #expect(try FileOpener(dialect: DialectRequest(delimiter: 32)).open(path: path) is DelimitedFile)
    }

    @Test(arguments: 0..<20) func `T1: a word that crosses the gap between two columns is never cut, and no byte is lost`(seed: UInt64)
        throws
    {
        var random = SplitMix64(seed: seed)
        let letters = Array("ab ü1\u{1F}日 ")
        let regular = (0..<800).map { _ in "abc   12    x y  end" }
        let odd = (0..<300).map { _ in
            String((0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random)! })
        }
        let source = try open((regular + odd).joined(separator: "\n") + "\n")
        #expect(source.columnCount >= 3 && !source.hasColumnNames)
        let found = try rows(source)
        #expect(found.count == 1_100)
        for (line, fields) in zip(regular + odd, found) {
            let texts = fields.compactMap { $0 }
            #expect(texts.joined().filter { $0 != " " } == line.filter { $0 != " " })
            // Each word of a field is a word of the line.
            let words = Set(line.split(separator: " "))
            for text in texts { for word in text.split(separator: " ") { #expect(words.contains(word), "\(line) → \(texts)") } }
        }
    }

    @Test func `D1: the last rows are available before the rest is counted`() throws {
        let text = "| n | t |\n|---|---|\n" + (1...60_000).map { "| \($0) | row number \($0) |\n" }.joined()
        let source = try FileOpener().open(path: folder.file("t.md", text))
        #expect(!source.snapshot().isComplete)
        let tail = try source.tail(atLeast: 20)
        #expect(tail.records.last?.fields.map(\.text) == ["60000", "row number 60000"])
        try source.snapshot().scan(tail.records[tail.records.count - 1], columns: [1, 0]) { fields in
            #expect(fields.map { String(decoding: $0.bytes, as: UTF8.self) } == ["row number 60000", "60000"])
        }
        try source.readAll(threads: 2) { _ in true }
        #expect(source.snapshot().recordCount == 60_000)
    }

    @Test func `D1: lines appended to a file are read in the same way`() throws {
        let path = try folder.file("t.md", "| n |\n|---|\n| 1 |\n")
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 1) { _ in true }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("| 2 |\n".utf8))
        try handle.close()
        let accept = source.growthUpdate(from: try FileOpener().open(path: path))
        #expect(accept != nil)
        accept?()
        try source.readAll(threads: 1) { _ in true }
        #expect(try rows(source) == [["1"], ["2"]])
    }

    @Test(arguments: [true, false]) func `E: Markdown and fixed-width text are read from a pipe`(
        isMarkdown: Bool
    ) throws {
        let pipe = Pipe()
        let text = isMarkdown ? "| a | b |\n|---|---|\n| 1 | 2 |\n" : "a    b\n1    2\n3    4\n"
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        try source.readAll(threads: 1) { _ in true }
        #expect(titles(source) == ["a", "b"])
        #expect(try rows(source).first == ["1", "2"])
    }
}
