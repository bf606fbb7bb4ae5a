import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

/// The output of common commands, which people pipe to the program.
@Suite struct CommandOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Opens a text in the detected format, or in the given one.
    private func open(_ text: String, _ name: String = "output", as format: String? = nil) throws -> any TableSource {
        let source = try FileOpener(format: format).open(path: folder.file(name, text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    /// Reads an input again after its first suggestion was accepted.
    private func acceptingSuggestion(_ source: any TableSource) throws -> any TableSource {
        let opener = FileOpener()
        let suggestion = try #require(source.suggestions.first)
        let reread = try #require(try opener.with(suggestion.applied(to: opener.settings))?.reopen(source))
        try reread.readAll(threads: 1) { _ in true }
        return reread
    }

    // MARK: Numbers before text

    struct NumberedSample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var titles: [String]
        var rows: [[String]]
        var testDescription: String { name }
    }

    static let numberedSamples = [
        NumberedSample(
            name: "uniq -c",
            text: "      3 the quick brown fox\n     12 jumps over\n      1 \n    107 a, b\n      2     indented text\n",
            titles: ["count", "line"],
            rows: [["3", "the quick brown fox"], ["12", "jumps over"], ["1", ""], ["107", "a, b"], ["2", "    indented text"]]),
        NumberedSample(
            name: "uniq -c with counts that are wider than their column",
            text: "12345678 often\n 123456 seldom\n     17 rare\n      1 once\n      2 twice\n", titles: ["count", "line"],
            rows: [["12345678", "often"], ["123456", "seldom"], ["17", "rare"], ["1", "once"], ["2", "twice"]]),
        NumberedSample(
            name: "uniq -c with large counts", text: " 123456 GET\n  23456 POST\n   1234 PUT\n", titles: ["count", "line"],
            rows: [["123456", "GET"], ["23456", "POST"], ["1234", "PUT"]]),
        NumberedSample(
            name: "cut -d, | uniq -c", text: "      1 a,3,x\n      2 b,4,y\n     13 c,5,z\n", titles: ["count", "line"],
            rows: [["1", "a,3,x"], ["2", "b,4,y"], ["13", "c,5,z"]]),
        NumberedSample(
            name: "uniq -c of BSD", text: "   3 apple pie\n  12 pear\n   1 plum\n   2 fig\n", titles: ["count", "line"],
            rows: [["3", "apple pie"], ["12", "pear"], ["1", "plum"], ["2", "fig"]]),
        NumberedSample(
            name: "wc", text: "   10    25   150 a.txt\n  200  1800 12000 my notes.md\n    0     0     0 empty\n  210  1825 12150 total\n",
            titles: ["lines", "words", "bytes", "file"],
            rows: [
                ["10", "25", "150", "a.txt"], ["200", "1800", "12000", "my notes.md"], ["0", "0", "0", "empty"],
                ["210", "1825", "12150", "total"],
            ]),
        NumberedSample(
            name: "wc -l", text: "   10 a.txt\n  200 b c.txt\n  210 total\n", titles: ["count", "file"],
            rows: [["10", "a.txt"], ["200", "b c.txt"], ["210", "total"]]),
        NumberedSample(
            name: "cat -n", text: "     1\timport os\n     2\t\n     3\tdef f(a, b):\n     4\t\treturn a\n", titles: ["number", "line"],
            rows: [["1", "import os"], ["2", ""], ["3", "def f(a, b):"], ["4", "\treturn a"]]),
        NumberedSample(
            name: "history", text: "  498  ls -la\n  499  cd /tmp\n  500  git log --oneline | head\n 1001  exit\n",
            titles: ["number", "line"],
            rows: [["498", "ls -la"], ["499", "cd /tmp"], ["500", "git log --oneline | head"], ["1001", "exit"]]),
        NumberedSample(
            name: "ps -eo pid=,comm=",
            text: "      1 systemd\n      2 kthreadd\n      3 kworker/R-rcu_gp\n     57 sshd\n 123456 tmux: server\n4194303 ps\n",
            titles: ["number", "line"],
            rows: [
                ["1", "systemd"], ["2", "kthreadd"], ["3", "kworker/R-rcu_gp"], ["57", "sshd"], ["123456", "tmux: server"],
                ["4194303", "ps"],
            ]),
        NumberedSample(
            name: "ps -o pid=,args= with numbers of five digits",
            text: " 2291 -bash\n 3001 vim a.txt\n 3002 sh -c make\n12345 ps -o pid=,args=\n", titles: ["number", "line"],
            rows: [["2291", "-bash"], ["3001", "vim a.txt"], ["3002", "sh -c make"], ["12345", "ps -o pid=,args="]]),
        NumberedSample(
            name: "uniq -c | sort -n", text: "      3 plum\n     12 pear\n     57 fig\n    107 apple\n", titles: ["count", "line"],
            rows: [["3", "plum"], ["12", "pear"], ["57", "fig"], ["107", "apple"]]),
        NumberedSample(name: "uniq -c, one line", text: "     12 GET /x\n", titles: ["count", "line"], rows: [["12", "GET /x"]]),
        NumberedSample(name: "uniq -c of BSD, one line", text: "   3 b\n", titles: ["count", "line"], rows: [["3", "b"]]),
        NumberedSample(
            name: "git log --oneline -1", text: "a1b2c3d fix: a thing\n", titles: ["commit", "subject"],
            rows: [["a1b2c3d", "fix: a thing"]]),
        NumberedSample(
            name: "git log --oneline",
            text: """
                63ac5484 servers: keep a given time limit of walks exact
                29ee71cd engine: send requests, answers with one loop
                9390ba02 (tag: v0.1, origin/main) tables: name a marker
                cf00532e2 csv: count blank lines

                """, titles: ["commit", "subject"],
            rows: [
                ["63ac5484", "servers: keep a given time limit of walks exact"],
                ["29ee71cd", "engine: send requests, answers with one loop"],
                ["9390ba02", "(tag: v0.1, origin/main) tables: name a marker"], ["cf00532e2", "csv: count blank lines"],
            ]),
    ]

    @Test(arguments: numberedSamples)
    func `17.3: leading numbers or commit hashes become columns, and the text after them keeps its indentation`(_ sample: NumberedSample)
        throws
    {
        let source = try open(sample.text)
        #expect(titles(source) == sample.titles && !source.hasColumnNames, "\(source.details)")
        #expect(try rowTexts(source) == sample.rows)
        #expect(source.suggestions == [] && source.problems == [])
        let windows = try open(sample.text.replacing("\n", with: "\r\n"))
        #expect(try rowTexts(windows) == sample.rows)
    }

    @Test func `17.3: the output of apt list has columns, and other lines are text in the last one`() throws {
        let packages = """
            adduser/noble,now 3.137ubuntu1 all [installed,automatic]
            zlib1g/noble-updates 1:1.3.dfsg-3.1ubuntu2.1 amd64 [upgradable from: 1:1.3.dfsg-3.1ubuntu2]
            0ad/noble 0.0.26-5 amd64

            """
        let rows = [
            ["adduser", "noble,now", "3.137ubuntu1", "all", "installed,automatic"],
            ["zlib1g", "noble-updates", "1:1.3.dfsg-3.1ubuntu2.1", "amd64", "upgradable from: 1:1.3.dfsg-3.1ubuntu2"],
            ["0ad", "noble", "0.0.26-5", "amd64", ""],
        ]
        for start in ["", "Listing...\n", "Auflistung… Fertig\n"] {
            let source = try open(start + packages)
            #expect(titles(source) == ["package", "suite", "version", "architecture", "state"] && !source.hasColumnNames)
            #expect(try rowTexts(source) == rows && source.suggestions == [] && source.problems == [])
        }
        let many = try open("Listing... Done\n" + String(repeating: packages, count: 20) + "N: There is 1 additional version.\n")
        #expect(try rowTexts(many).last == ["", "", "", "", "N: There is 1 additional version."] && rowTexts(many).count == 61)
        // Paths with numbers are not packages.
        #expect(try titles(open("src/a 1.5 x\nsrc/b 2.5 y\nsrc/c 3 z\n")).first != "package")
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
            let source = try open(text)
            #expect(titles(source) == ["||/", "Name", "Version", "Architecture", "Description"] && source.suggestions == [])
            #expect(
                try rowTexts(source) == [
                    ["ii", "adduser", "3.137ubuntu1", "all", "add and remove users and groups"],
                    ["rc", "old-package", "1.0", "amd64", "some thing removed"],
                ])
        }
    }

    @Test func `17.3: output of commands is also detected in a pipe`() throws {
        for sample in Self.numberedSamples {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data(sample.text.utf8))
            try pipe.fileHandleForWriting.close()
            let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
            try source.readAll(threads: 1) { _ in true }
            #expect(titles(source) == sample.titles, "\(sample.name)")
            #expect(try rowTexts(source) == sample.rows, "\(sample.name)")
        }
    }

    @Test func `17.3: numbered lines beyond the sample are read in the same way, and other lines become text`() throws {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = "\(number)"
            return String(repeating: " ", count: max(0, width - digits.count)) + digits
        }
        let counts = (0..<20_000).map { ($0 * 7919 % 400 + 1, "line \($0)\(String(repeating: ", x", count: $0 % 4))") }
        let uniq = try open(counts.map { padded($0.0, 7) + " " + $0.1 + "\n" }.joined() + "no count\n  12: x\n1234567 seven\n")
        #expect(titles(uniq) == ["count", "line"])
        var expected = counts.map { ["\($0.0)", $0.1] }
        expected += [["", "no count"], ["", "  12: x"], ["1234567", "seven"]]
        #expect(try rowTexts(uniq) == expected)
        #expect(uniq.profiles(budgetMilliseconds: 1_000).map(\.kind) == [.integer, .text])

        let files = (0..<20_000).map { ["\($0)", "\($0 * 3)", "\($0 * 20)", "dir/f\($0).txt"] }
        let wordCounts = try open(
            files.map { row in row.prefix(3).map { padded(Int($0)!, 7) }.joined(separator: " ") + " \(row[3])\n" }.joined())
        #expect(titles(wordCounts) == ["lines", "words", "bytes", "file"])
        #expect(try rowTexts(wordCounts) == files)

        let code = (1...20_000).map { ["\($0)", "\(String(repeating: "\t", count: $0 % 3))call(a\($0 % 5 == 0 ? ", b" : ""))"] }
        let numbered = try open(code.map { padded(Int($0[0])!, 6) + "\t" + $0[1] + "\n" }.joined())
        #expect(titles(numbered) == ["number", "line"])
        #expect(try rowTexts(numbered) == code)

        let commits = (0..<20_000).map { ["\(String(0xA000_0000 + $0 * 7919, radix: 16))", "area: change \($0)"] }
        let log = try open(commits.map { $0.joined(separator: " ") + "\n" }.joined() + "deadbee short hash\n* graph\n")
        #expect(titles(log) == ["commit", "subject"])
        #expect(try rowTexts(log) == commits + [["deadbee", "short hash"], ["", "* graph"]])

        let processes = (0..<20_000).map { ["\($0 < 5 ? $0 + 1 : $0 * 3)", "worker/\($0 % 7)"] }
        let ps = try open(processes.map { padded(Int($0[0])!, 7) + " " + $0[1] + "\n" }.joined())
        #expect(titles(ps) == ["number", "line"])
        #expect(try rowTexts(ps) == processes)

        let keys = (0..<20_000).map {
            ["\(String(0xA000_0000 + $0 * 7919, radix: 16))", ["ann", "bob", "cid"][$0 % 3], ["Bonn", "Rome"][$0 % 2], "\($0)"]
        }
        let table = try open(keys.map { $0.joined(separator: " ") + "\n" }.joined())
        #expect(try table.columnCount == 4 && !table.hasColumnNames && rowTexts(table) == keys, "\(titles(table))")
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `D1: lines with leading counts satisfy the table contract, and other lines lose no character`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let regular = (0..<1_100).map { "\($0 % 2 == 0 ? "     12" : "      7") text \($0)" }
        let odd = (0..<300).map { _ in
            String((0..<Int.random(in: 1...20, using: &random)).map { _ in "  123aé\t".randomElement(using: &random)! })
        }
        let source = try open((regular + odd).joined(separator: "\n") + "\n")
        #expect(titles(source) == ["count", "line"])
        let found = try rows(source)
        try #require(found.count == 1_400)
        for (line, fields) in zip(odd, found.suffix(300)) {
            #expect(fields.compactMap { $0 }.joined().filter { $0 != " " } == line.filter { $0 != " " }, "\(line)")
            #expect(fields[0]?.allSatisfy(\.isNumber) != false)
        }
        var conformance = TableConformance(source: source, rows: found, random: random)
        try conformance.check(source.snapshot())
    }

    static let otherTexts = [
        "It was the best of times, it was the worst of times,\nit was the age of wisdom,\nit was the age of foolishness,\n",
        "import os\n\ndef total(rows):\n    result = 0\n    for row in rows:\n        result += row[1]\n    return result\n",
        "1. Buy some milk\n2. Call the bank\n3. Write a letter\n10. Read the news\n",
        "  1. Buy some milk\n  2. Call the bank\n  3. Write a letter\n 10. Read the news\n",
        "1,apple\n2,pear\n3,plum\n", "     1\ta\tx\n     2\tb\ty\n     3\tc\tz\n",
        "1700000000 starting now\n1700000001 listening on port 80\n1700000005 stopped by user\n",
        "2026-11-25T10:00:00Z INFO started\n2026-11-25T10:00:01Z WARN slow query\n2026-11-25T10:00:02Z INFO done\n",
        "12 drummers drumming\n11 pipers piping\n10 lords a-leaping\n 9 ladies dancing\n 8 maids a-milking\n",
        "   1 Sing, O goddess, the anger of Achilles\n   2 son of Peleus, that brought\n   3 countless ills\n   4 upon the Achaeans\n",
        "defaced the wall of the house\ndecaded more than a year ago\neffaced by rain and by wind\n",
        "123456\tapple\n123457\tpear\n123460\tplum\n", "1234567\tapple\n1234568\tpear\n", "12345  apple\n12346  pear\n12349  plum\n",
        "1234567 first record\n2345678 second record\n3456789 third record\n",
        "00000a0 457f 464c 0102\n00000b0 0003 003e 0001\n00000c0 6d30 0000 0000\n",
        "00000000000a1139 T main\n00000000000a3dc8 d _DYNAMIC\n00000000000b2010 B total\n",
        "d41d8cd98f00b204e9800998ecf8427e  a.txt\n0cc175b9c0f1b6a831c399e269772661  b.txt\n92eb5ffee6ae2fec3ad71c777531578f  c.txt\n",
        " 253855 bin\n 966657 etc\n 254908 games\n1254909 include\n 263667 lib\n",
        "2265b1f5 alpha\n91b7584a beta\nd8f16adf gamma delta\ncd613e30 epsilon\n",
        "1027c4d1 414c343c alpha\n1e2feb89 7ed4d57b beta\nc2ce6f44 7311d8a3 gamma\n",
        "c4647159 8 alpha 3\nb2221a58 1824 beta 3\n442e3d43 2955 gamma 3\n9755d4c1 3871 zeta 3\n",
        "c2cd789a alpha Bonn 58\nf3c64af7 beta Rome 37\ned2f89d9 gamma Oslo 2\n6a8ac4ba eps Bern 71\n",
        "0804a000 T main\n0804a1f0 d _DYNAMIC\n0804b2e8 B total\n0804c2e8 t frame_dummy\n",
        "c2cd789a alpha   58  new\nf3c64af7 beta     7  old\ned2f89d9 gamma  102  new\n",
        "   10 CONTINUE\n   20 FORMAT (I5)\n   30 WRITE (6, 20)\n   40 STOP\n",
        "10 PRINT \"HELLO\"\n20 GOTO 10\n30 END\n", "Pancakes\n\n  2 eggs\n200 g flour\n  1 pinch of salt\n250 ml milk\n",
        "      PROGRAM HELLO\n      DO 10 I = 1, 10\n   10 CONTINUE\n   20 FORMAT (I5)\n      END\n",
        "   10    25   150 apples\n  200  1800  2000 pears\n    3     4     5 plums\n",
        "      1 ?        00:00:02 systemd\n      2 ?        00:00:00 kthreadd\n    123 pts/0    00:00:00 bash\n    124 pts/0    00:00:00 ps\n",
    ]

    @Test(arguments: otherTexts)
    func `17.3: prose, code, lists, logs, delimited text and other numbers are not lines with leading counts`(_ text: String) throws {
        let known: Set = ["count", "number", "commit", "lines", "subject"]
        #expect(try known.isDisjoint(with: titles(open(text))))
    }

    @Test func `17.3: leading counts are not split off in a CSV file or if another format is requested`()
        throws
    {
        let sample = Self.numberedSamples[0]
        #expect(try titles(open(sample.text, "t.csv")) != sample.titles)
        #expect(try titles(open(sample.text, as: "lines")) == ["line"])
        #expect(try open(sample.text, as: "delimited") is DelimitedFile)
        let aligned = try open("    10    25   150 a.txt\n   200  1800 12000 b.txt\n   210  1825 12150 total\n", as: "fixed-width")
        #expect(titles(aligned) == ["column 1", "column 2", "column 3", "column 4"])
        #expect(try rowTexts(aligned)[1] == ["200", "1800", "12000", "b.txt"])
    }

    // MARK: Tables

    @Test func `17.3: a title of two words stays one column above short values`() throws {
        let source = try open(
            """
            Filesystem      Size  Used Avail Use% Mounted on
            udev             12G     0   12G   0% /dev
            tmpfs           2.4G  1.1M  2.4G   1% /run
            /dev/vda        252G   16G   80G  17% /
            tmpfs            12G     0   12G   0% /tmp
            /dev/vdb        1.8T  1.2T  600G  67% /srv
            tmpfs           5.0M     0  5.0M   0% /mnt
            /dev/vdc        100G   50G   50G  50% /opt

            """)
        #expect(titles(source) == ["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted on"])
        #expect(try rowTexts(source)[4] == ["/dev/vdb", "1.8T", "1.2T", "600G", "67%", "/srv"])
        #expect(source.profiles(budgetMilliseconds: 1_000)[4].kind == .decimal, "percentages are numbers")
    }

    @Test func `17.3: the last title names the rest of a line, even if its words are aligned`() throws {
        let source = try open(
            """
                PID COMMAND COMMAND
                  1 init    /sbin/init   -a
                 12 bash    /bin/bash    -b
                123 vim     /usr/bin/vim -c
                124 vim     /usr/bin/vim -d
                125 bash    /bin/bash    -e

            """)
        #expect(titles(source) == ["PID", "COMMAND", "COMMAND"])
        #expect(
            try rowTexts(source).map { $0[2] } == [
                "/sbin/init   -a", "/bin/bash    -b", "/usr/bin/vim -c", "/usr/bin/vim -d", "/bin/bash    -e",
            ]
        )
        // Aligned text keeps its columns if it has no titles.
        let interrupts = try open(
            """
                       CPU0       CPU1
             24:          1          0  IO-APIC   5-edge      ACPI:Ged
             25:          0          1  IO-APIC   6-edge      ACPI:Ged
             26:          0         13  IO-APIC   4-edge      ttyS0

            """)
        #expect(try rowTexts(interrupts).last?.contains("13") == true)
    }

    @Test func `17.3: a left-aligned column after numbers is detected even in a table of few lines`()
        throws
    {
        let source = try open(
            """
            COMMAND   PID  TID TASKCMD       USER   FD TYPE        DEVICE SIZE/OFF   NODE NAME
            systemd     1                    root  cwd  DIR         254,1     4096      2 /
            systemd     1                    root  txt  REG         254,1    98304 135790 /usr/lib/systemd/systemd
            rsyslogd  612  640 in:imuxso   syslog   3u unix 0xffff8881234      0t0  18234 /run/log type=DGRAM
            nginx    1024                www-data   6u IPv4         20345      0t0    TCP *:http (LISTEN)

            """)
        #expect(titles(source) == ["COMMAND", "PID", "TID", "TASKCMD", "USER", "FD", "TYPE", "DEVICE", "SIZE/OFF", "NODE", "NAME"])
        #expect(
            try rowTexts(source).suffix(2) == [
                ["rsyslogd", "612", "640", "in:imuxso", "syslog", "3u", "unix", "0xffff8881234", "0t0", "18234", "/run/log type=DGRAM"],
                ["nginx", "1024", "", "", "www-data", "6u", "IPv4", "20345", "0t0", "TCP", "*:http (LISTEN)"],
            ])
    }

    @Test func `17.3: a list with a single entry is a table, even if its values contain commas`() throws {
        let source = try open(
            """
            CONTAINER ID   IMAGE         COMMAND                  CREATED       STATUS       PORTS                                       NAMES
            4c01db0b339c   postgres:16   "docker-entrypoint.s…"   2 hours ago   Up 2 hours   0.0.0.0:5432->5432/tcp, :::5432->5432/tcp   pg

            """)
        #expect(titles(source) == ["CONTAINER ID", "IMAGE", "COMMAND", "CREATED", "STATUS", "PORTS", "NAMES"])
        #expect(
            try rowTexts(source) == [
                [
                    "4c01db0b339c", "postgres:16", "\"docker-entrypoint.s…\"", "2 hours ago", "Up 2 hours",
                    "0.0.0.0:5432->5432/tcp, :::5432->5432/tcp", "pg",
                ]
            ])
        let pod = try open("NAME   READY   STATUS    RESTARTS      AGE\ndb-0   1/1     Running   1 (3d ago)    10d\n")
        #expect(titles(pod) == ["NAME", "READY", "STATUS", "RESTARTS", "AGE"])
        #expect(try rowTexts(pod) == [["db-0", "1/1", "Running", "1 (3d ago)", "10d"]])
        #expect(try open("x  y\n1  2\n") is DelimitedFile, "two lines with one wide gap prove nothing")
    }

    @Test func `17.3: the status marks of systemctl are a column, and the remarks below the list are rows`() throws {
        let text = """
              UNIT                     LOAD   ACTIVE SUB     DESCRIPTION
              dev-sda1.device          loaded active plugged QEMU_HARDDISK 1
              cron.service             loaded active running Regular background program processing daemon
            ● nginx.service            loaded failed failed  A high performance web server and a reverse proxy server
              ssh.service              loaded active running OpenBSD Secure Shell server
              systemd-journald.service loaded active running Journal Service

            LOAD   = Reflects whether the unit definition was properly loaded.
            5 loaded units listed. Pass --all to see loaded but inactive units, too.

            """
        let source = try open(text)
        #expect(titles(source) == ["", "UNIT", "LOAD", "ACTIVE", "SUB", "DESCRIPTION"])
        let found = try rowTexts(source)
        #expect(
            found[2] == ["●", "nginx.service", "loaded", "failed", "failed", "A high performance web server and a reverse proxy server"])
        #expect(found.count == 8 && found[4][1] == "systemd-journald.service")
        #expect(found[7].joined().filter { $0 != " " } == "5loadedunitslisted.Pass--alltoseeloadedbutinactiveunits,too.")
        let unmarked = try open(text.replacing("●", with: " "))
        #expect(titles(unmarked) == ["UNIT", "LOAD", "ACTIVE", "SUB", "DESCRIPTION"])
    }

    @Test func `17.3: comments and a first paragraph in capital letters are not titles`() throws {
        for sign in ["#", "//"] {
            let comment = "\(sign) DO NOT EDIT!\n\(sign) This file is generated.\n\(sign)\n\(sign) It has no settings.\n"
            #expect(try titles(open(comment + "\nname = value {\n  other = 1;\n}\n")) == ["line"], "\(sign)")
        }
        let list = "ID NAME\n12 an apple\n13 a pear\n"
        #expect(try titles(open(list + "\nremark\n")) == ["ID", "NAME"])
        #expect(try titles(open(list + "\n" + String(repeating: "the text below has more lines\nof prose\n", count: 10))) == ["line"])
    }

    @Test func `17.3: blank lines before titles are not records`() throws {
        let text =
            "NAME   READY   STATUS    RESTARTS      AGE\ndb-0   1/1     Running   1 (3d ago)    10d\ndb-1   1/1     Running   0             9d\n"
        for blanks in ["", "\n", "\n\n\n"] {
            let source = try open(blanks + text)
            #expect(titles(source) == ["NAME", "READY", "STATUS", "RESTARTS", "AGE"])
            #expect(try rowTexts(source).map { $0[0] } == ["db-0", "db-1"])
            #expect(try source.lineCount(beforeRecord: 0) == blanks.count + 1)
        }
    }

    @Test func `17.3: the output of mount is read as columns, even if directory names contain blanks`() throws {
        let text = """
            proc on /proc type proc (rw,relatime)
            devtmpfs on /dev type devtmpfs (rw,relatime,size=12334524k,nr_inodes=3083631,mode=755)
            //nas/my share on /mnt/my type disk type cifs (rw,relatime)
            overlay on / type overlay (rw)

            """
        let source = try open(text + String(repeating: text, count: 500) + "other text\n")
        #expect(titles(source) == ["device", "directory", "type", "options"])
        let found = try rowTexts(source)
        #expect(found[1] == ["devtmpfs", "/dev", "devtmpfs", "rw,relatime,size=12334524k,nr_inodes=3083631,mode=755"])
        #expect(found[2] == ["//nas/my share", "/mnt/my type disk", "cifs", "rw,relatime"])
        #expect(found.count == 2_005 && found[2_003][0] == "overlay" && found[2_004] == ["", "", "", "other text"])
        #expect(try titles(open("He sat on /the/ type of chair (old)\nShe was on a new type of diet (hard)\nIt was raining\n")) == ["line"])
        #expect(try titles(open(text, as: "lines")) == ["line"])
    }

    @Test func `17.3: the output of free and ss keeps its columns`() throws {
        let memory = try open(
            """
                           total        used        free      shared  buff/cache   available
            Mem:            23Gi       1.2Gi        21Gi       8.6Mi       1.6Gi        22Gi
            Swap:             0B          0B          0B

            """)
        #expect(titles(memory) == ["", "total", "used", "free", "shared", "buff/cache", "available"])
        #expect(try rowTexts(memory)[1] == ["Swap:", "0B", "0B", "0B", "", "", ""])
        let sockets = try open(
            """
            State  Recv-Q Send-Q Local Address:Port    Peer Address:Port Process
            ESTAB  0      0           10.0.0.5:22    192.168.178.20:51522
            ESTAB  0      36          10.0.0.5:22    192.168.178.21:49152
            ESTAB  0      0          127.0.0.1:5432       127.0.0.1:40113

            """)
        #expect(titles(sockets) == ["State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port Process"])
        #expect(try rowTexts(sockets)[1] == ["ESTAB", "0", "36", "10.0.0.5:22", "192.168.178.21:49152"])
        let log = try open(
            """
            2026-11-25T10:00:00.123456789Z Starting server on port 8080
            2026-11-25T10:00:01.223456789Z INFO  connected to db
            2026-11-25T10:00:02.323456789Z WARN  slow query: 1200 ms

            """)
        #expect(titles(log).first == "time")
        #expect(try rowTexts(log)[0].last == "Starting server on port 8080")
    }

    @Test(arguments: ["\t", "    "]) func `17.3: the output of du has no header, whether it is small or large`(
        gap: String
    ) throws {
        for count in [3, 200_000] {
            let files = (0..<count).map { [["4.0K", "1.5M", "234M"][$0 % 3], "/usr/lib/f\($0)"] }
            let source = try open(files.map { $0.joined(separator: gap) + "\n" }.joined())
            #expect(!source.hasColumnNames && source.suggestions == [], "\(titles(source))")
            #expect(try rowTexts(source) == files)
        }
        let single = try open("4.0K\t/usr/games\n")
        #expect(try !single.hasColumnNames && rowTexts(single) == [["4.0K", "/usr/games"]])
    }

    // MARK: Lines before the table

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
        let source = try open(sample.text)
        #expect(titles(source) == ["line"] && source.suggestions == [.linesBeforeTable(sample.count)], "\(source.details)")
        #expect(try rowTexts(source).map { $0[0] } == lines(of: sample.text), "no line is left out")
        let table = try acceptingSuggestion(source)
        #expect(titles(table) == sample.titles && table.hasColumnNames && table.suggestions == [])
        let found = try rowTexts(table)
        #expect(found.dropFirst(sample.row).first == sample.fields)
        #expect(found.count == lines(of: sample.text).count - sample.count - 1)
        #expect(try open(sample.text, as: "lines").suggestions == [], "the request is an answer")
    }

    @Test(arguments: [1, 3]) func `17.4: the first line of netstat is the caption of its table`(rows: Int) throws {
        let lines = [
            "tcp        0     36 10.0.0.5:22             192.168.178.21:49152    ESTABLISHED\n",
            "tcp        0      0 10.0.0.5:22             192.168.178.20:51522    ESTABLISHED\n",
            "tcp6       0      0 fe80::5054:ff:fe12:22   fe80::1:40113           CLOSE_WAIT\n",
        ]
        let source = try open(
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
        let source = try open(total + "\n" + files)
        #expect(source.columnCount == 9 && source.suggestions == [.linesBeforeTable(1)])
        #expect(try rowTexts(source)[0].joined(separator: " ").hasPrefix(total))
        #expect(try rowTexts(source)[3] == ["-rw-r--r--", "1", "ann", "staff", "120", "Sep", "22", "04:45", "my notes.txt"])
        let table = try acceptingSuggestion(source)
        #expect(try rowTexts(table).count == 5 && rowTexts(table)[3].last == "lib -> usr/lib")
        #expect(table.suggestions == [])
        #expect(try open(files).suggestions == [])
    }

    @Test func `17.4: gridview offers to skip lines only if there are lines before a table`() throws {
        for sample in TableDetectionTests.tables where sample.name != "ls -l" {
            #expect(try open(sample.text).suggestions == [], "\(sample.name)")
        }
        for text in Self.otherTexts { #expect(try open(text).suggestions == [], "\(text)") }
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
        let source = try open(text)
        #expect(source.suggestions == [] && source.columnCount == 4, "\(titles(source))")
        #expect(try rowTexts(source)[1] == ["beta", "unknown", "missing", "closed"])
    }

    // MARK: Another reading

    @Test func `17.4: any row of aligned text can become the header, and a header can become a row`() throws {
        func reread(_ source: any TableSource, record: Int) throws -> any TableSource {
            var settings = ReadingSettings()
            settings.skippedLines = try #require(try source.lineCount(beforeRecord: record))
            settings.header = "yes"
            return try #require(try FileOpener().with(settings)?.reopen(source))
        }
        let top = try #require(Self.precededSamples.first)
        let table = try reread(open(top.text), record: 6)
        #expect(titles(table) == top.titles)
        let prices = try open("Apple         3    1.50  New York\nCherries  10000 1234.75  Rome\nPears       100   12.50  Oslo\n")
        #expect(!prices.hasColumnNames && prices.columnCount == 4)
        let titled = try reread(prices, record: 0)
        #expect(titles(titled) == ["Apple", "3", "1.50", "New York"])
        #expect(try rowTexts(titled) == [["Cherries", "10000", "1234.75", "Rome"], ["Pears", "100", "12.50", "Oslo"]])
        let processes = try #require(TableDetectionTests.tables.first { $0.name == "ps aux" })
        let source = try open(processes.text)
        #expect(try (0..<3).map { try source.lineCount(beforeRecord: $0) } == [1, 2, 3], "the header is a line, too")
        let untitled = try folder.readTable(processes.text, "output", header: false)
        #expect(titles(untitled).first == "column 1" && untitled.columnCount == 11)
        #expect(try rowTexts(untitled)[0] == ["USER", "PID", "%CPU", "%MEM", "VSZ", "RSS", "TTY", "STAT", "START", "TIME", "COMMAND"])
        #expect(try rowTexts(untitled)[5].last == "ps aux")
        let log = try open("2026-11-25T10:00:00Z started\n2026-11-25T10:00:01Z running\n2026-11-25T10:00:02Z done\n")
        #expect(try log.lineCount(beforeRecord: 1) == nil, "a log has no header")
    }
}
