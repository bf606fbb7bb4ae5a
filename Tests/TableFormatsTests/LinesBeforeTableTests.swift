import FieldValues
import GridTestSupport
import TableFormats
import Tables
import Testing

/// Lines before the table in the output of commands, and other choices of the header.
@Suite struct LinesBeforeTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Reads an input again after its first suggestion was accepted.
    private func acceptingSuggestion(_ source: any TableSource) throws -> any TableSource {
        let opener = FileOpener()
        let suggestion = try #require(source.suggestions.first)
        let reread = try #require(try opener.with(suggestion.applied(to: opener.settings))?.reopen(source))
        try reread.readAll(threads: 1) { _ in true }
        return reread
    }

    @Test func `17.3: the legend before the titles of dpkg -l is skipped`() throws {
        let text = """
            Desired=Unknown/Install/Remove/Purge/Hold
            | Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend
            |/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)
            ||/ Name                  Version              Architecture Description
            +++-=====================-====================-============-===============================
            ii  adduser               3.137ubuntu1         all          add and remove users and groups
            rc  old-package           1.0                  amd64        some thing removed

            """
        for text in [text, text.replacing("\n", with: "\r\n")] {
            let source = try folder.readOutput(text)
            #expect(titles(source) == ["||/", "Name", "Version", "Architecture", "Description"] && source.suggestions == [])
            #expect(
                try rowTexts(source) == [
                    ["ii", "adduser", "3.137ubuntu1", "all", "add and remove users and groups"],
                    ["rc", "old-package", "1.0", "amd64", "some thing removed"],
                ])
        }
    }

    struct PrecededSample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var count: Int
        var titles: [String]
        /// The row with the number ``row`` after the lines before the table are skipped.
        var fields: [String]
        var row = 1
        var testDescription: String { name }
    }

    static let precededSamples = [
        PrecededSample(
            name: "top -bn1",
            text: """
                top - 08:22:35 up 6 min,  1 user,  load average: 2.82, 1.41, 0.57
                Tasks:  90 total,   3 running,  87 sleeping,   0 stopped,   0 zombie
                %Cpu(s):  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
                MiB Mem :  24105.6 total,  21681.0 free,   1087.4 used,   1636.7 buff/cache
                MiB Swap:      0.0 total,      0.0 free,      0.0 used.  23018.2 avail Mem

                    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
                   3633 root      20   0  747436 639240 121508 R  93.8   2.6   0:40.88 swiftc
                   8882 ann       20   0   21.4g 192440 100344 R  87.5   0.8  10:04.86 Web Content
                      1 root      20   0   49432  18532   6404 S   0.0   0.1   0:02.48 systemd
                      5 root       0 -20       0      0      0 I   0.0   0.0   0:00.00 kworker/0:0H-events
                     17 root      rt   0       0      0      0 S   0.0   0.0   0:00.13 migration/0

                """, count: 6, titles: ["PID", "USER", "PR", "NI", "VIRT", "RES", "SHR", "S", "%CPU", "%MEM", "TIME+", "COMMAND"],
            fields: ["8882", "ann", "20", "0", "21.4g", "192440", "100344", "R", "87.5", "0.8", "10:04.86", "Web Content"]),
        PrecededSample(
            name: "top -bcn1",
            text: """
                top - 08:22:35 up 6 min,  1 user,  load average: 2.82, 1.41, 0.57
                MiB Swap:      0.0 total,      0.0 free,      0.0 used.  23018.2 avail Mem

                    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
                   3633 root      20   0  747436 639240 121508 R  93.8   2.6   0:40.88 /opt/swiftc -frontend -c a.swift
                      1 root      20   0   49432  18532   6404 S   0.0   0.1   0:02.48 /sbin/init splash
                      2 root      20   0       0      0      0 S   0.0   0.0   0:00.00 [kthreadd]

                """, count: 3, titles: ["PID", "USER", "PR", "NI", "VIRT", "RES", "SHR", "S", "%CPU", "%MEM", "TIME+", "COMMAND"],
            fields: [
                "3633", "root", "20", "0", "747436", "639240", "121508", "R", "93.8", "2.6", "0:40.88", "/opt/swiftc -frontend -c a.swift",
            ],
            row: 0),
        PrecededSample(
            name: "vmstat with wide numbers and a repeated header",
            text: """
                procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
                 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
                 4  0      0 22175892 249336 1426776    0    0  2318  2777  412  635 55  6 39  1  0
                 0  1  12345 1175892 249336 1426776    1    0 13232 10748 1624 2366  4  6 90  0  0
                procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
                 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
                 5  0      0 22175892 249336 1426776    0    0  3232   748  624  366 94  6  0  0  0

                """, count: 1,
            titles: ["r", "b", "swpd", "free", "buff", "cache", "si", "so", "bi", "bo", "in", "cs", "us", "sy", "id", "wa", "st"],
            fields: [
                "0", "1", "12345", "1175892", "249336", "1426776", "1", "0", "13232", "10748", "1624", "2366", "4", "6", "90", "0", "0",
            ]),
        PrecededSample(
            name: "vmstat with one row",
            text: """
                procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
                 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
                 1  0      0 123456  24933 142677    0    0    18    77  412  635 55  6 39  1  0

                """, count: 1,
            titles: ["r", "b", "swpd", "free", "buff", "cache", "si", "so", "bi", "bo", "in", "cs", "us", "sy", "id", "wa", "st"],
            fields: ["1", "0", "0", "123456", "24933", "142677", "0", "0", "18", "77", "412", "635", "55", "6", "39", "1", "0"], row: 0),
        PrecededSample(
            name: "w",
            text: """
                 10:00:00 up 3 days,  2:00,  2 users,  load average: 0.00, 0.01, 0.05
                USER     TTY      FROM             LOGIN@   IDLE   JCPU   WHAT
                ann      pts/0    192.168.1.5      09:00    1.00s  0.05s  w
                bob      tty1     -                08:00    2:00m  0.10s  -bash

                """, count: 1, titles: ["USER", "TTY", "FROM", "LOGIN@", "IDLE", "JCPU", "WHAT"],
            fields: ["bob", "tty1", "-", "08:00", "2:00m", "0.10s", "-bash"]),
        PrecededSample(
            name: "a report", text: "Sales report\nName        Sales   Share\nAnn            10   12.5%\nBob           200   80.0%\n",
            count: 1,
            titles: ["Name", "Sales", "Share"], fields: ["Bob", "200", "80.0%"]),
    ]

    @Test(arguments: precededSamples)
    func `17.4: lines before an aligned table are shown, and gridview offers to skip them`(_ sample: PrecededSample) throws {
        let source = try folder.readOutput(sample.text)
        #expect(titles(source) == ["line"] && source.suggestions == [.linesBeforeTable(sample.count)], "\(source.details)")
        #expect(try rowTexts(source).map { $0[0] } == lines(of: sample.text), "no line is left out")
        let table = try acceptingSuggestion(source)
        #expect(titles(table) == sample.titles && table.hasColumnNames && table.suggestions == [])
        let found = try rowTexts(table)
        #expect(found.dropFirst(sample.row).first == sample.fields)
        #expect(found.count == lines(of: sample.text).count - sample.count - 1)
        #expect(try folder.readOutput(sample.text, as: "lines").suggestions == [], "the request is an answer")
    }

    @Test(arguments: [1, 3]) func `17.4: the first line of netstat is the caption of its table`(rows: Int) throws {
        let lines = [
            "tcp        0     36 10.0.0.5:22             192.168.178.21:49152    ESTABLISHED\n",
            "tcp        0      0 10.0.0.5:22             192.168.178.20:51522    ESTABLISHED\n",
            "tcp6       0      0 fe80::5054:ff:fe12:22   fe80::1:40113           CLOSE_WAIT\n",
        ]
        let source = try folder.readOutput(
            "Active Internet connections (w/o servers)\n"
                + "Proto Recv-Q Send-Q Local Address           Foreign Address         State\n" + lines.prefix(rows).joined())
        #expect(titles(source) == ["Proto", "Recv-Q", "Send-Q", "Local Address", "Foreign Address", "State"])
        #expect(try rowTexts(source)[0] == ["tcp", "0", "36", "10.0.0.5:22", "192.168.178.21:49152", "ESTABLISHED"])
        #expect(try rowTexts(source).count == rows && source.suggestions == [] && source.problems == [])
    }

    @Test(arguments: ["total 80", "total 36K", "total 1.5M"])
    func `17.4: the first line of ls -l is a row, and gridview offers to skip it`(total: String) throws {
        let files = """
            drwxr-xr-x   2 root root  36864 Nov 29 08:18 bin
            drwxr-xr-x   2 root root   4096 May  9  2025 games
            -rw-r--r--   1 ann  staff   120 Sep 22 04:45 my notes.txt
            lrwxrwxrwx   1 root root      7 May 20  2026 lib -> usr/lib
            -rw-r--r-- 107 root root   4096 Nov 29 08:18 share

            """
        let source = try folder.readOutput(total + "\n" + files)
        #expect(source.columnCount == 9 && source.suggestions == [.linesBeforeTable(1)])
        #expect(try rowTexts(source)[0].joined(separator: " ").hasPrefix(total))
        #expect(try rowTexts(source)[3] == ["-rw-r--r--", "1", "ann", "staff", "120", "Sep", "22", "04:45", "my notes.txt"])
        let table = try acceptingSuggestion(source)
        #expect(try rowTexts(table).count == 5 && rowTexts(table)[3].last == "lib -> usr/lib")
        #expect(table.suggestions == [])
        #expect(try folder.readOutput(files).suggestions == [])
        // Most words of these lines are numbers, so the first line could be one of several titles.
        let full = try folder.readOutput(
            total + "\n" + """
                drwxr-xr-x 2 root root  4096 2026-05-09 07:29:29.000000000 +0000 PackageKit
                -rw-r--r-- 1 root root   833 2023-02-10 19:54:13.000000000 +0000 appstream.conf
                -rw-r--r-- 1 root root 20480 2023-02-10 19:54:13.000000000 +0000 apt

                """)
        #expect(full.columnCount == 9 && full.suggestions == [.linesBeforeTable(1)], "\(titles(full))")
    }

    @Test func `17.4: gridview offers to skip lines only if there are lines before a table`() throws {
        for sample in TableDetectionTests.tables where sample.name != "ls -l" {
            #expect(try folder.readOutput(sample.text).suggestions == [], "\(sample.name)")
        }
        for text in NumberedLineTests.otherTexts { #expect(try folder.readOutput(text).suggestions == [], "\(text)") }
    }

    @Test func `17.4: a row without numbers near the start of a table is not its header`() throws {
        let text = """
            alpha           10      2.50  open
            beta       unknown   missing  closed
            gamma          300     14.25  open
            delta           42      7.75  waiting
            epsilon          7      3.10  open
            zeta            81      9.99  closed

            """
        let source = try folder.readOutput(text)
        #expect(source.suggestions == [] && source.columnCount == 4, "\(titles(source))")
        #expect(try rowTexts(source)[1] == ["beta", "unknown", "missing", "closed"])
    }

    @Test func `17.4: any row of aligned text can become the header, and a header can become a row`() throws {
        func reread(_ source: any TableSource, record: Int) throws -> any TableSource {
            var settings = ReadingSettings()
            settings.skippedLines = try #require(try source.lineCount(beforeRecord: record))
            settings.header = "yes"
            return try #require(try FileOpener().with(settings)?.reopen(source))
        }
        let top = try #require(Self.precededSamples.first)
        let table = try reread(folder.readOutput(top.text), record: 6)
        #expect(titles(table) == top.titles)
        let prices = try folder.readOutput(
            "Apple         3    1.50  New York\nCherries  10000 1234.75  Rome\nPears       100   12.50  Oslo\n")
        #expect(!prices.hasColumnNames && prices.columnCount == 4)
        let titled = try reread(prices, record: 0)
        #expect(titles(titled) == ["Apple", "3", "1.50", "New York"])
        #expect(try rowTexts(titled) == [["Cherries", "10000", "1234.75", "Rome"], ["Pears", "100", "12.50", "Oslo"]])
        let processes = try #require(TableDetectionTests.tables.first { $0.name == "ps aux" })
        let source = try folder.readOutput(processes.text)
        #expect(try (0..<3).map { try source.lineCount(beforeRecord: $0) } == [1, 2, 3], "the header is a line, too")
        let untitled = try folder.readTable(processes.text, "output", header: false)
        #expect(titles(untitled).first == "column 1" && untitled.columnCount == 11)
        #expect(try rowTexts(untitled)[0] == ["USER", "PID", "%CPU", "%MEM", "VSZ", "RSS", "TTY", "STAT", "START", "TIME", "COMMAND"])
        #expect(try rowTexts(untitled)[5].last == "ps aux")
        let log = try folder.readOutput("2026-11-25T10:00:00Z started\n2026-11-25T10:00:01Z running\n2026-11-25T10:00:02Z done\n")
        #expect(try log.lineCount(beforeRecord: 1) == nil, "a log has no header")
    }
}
