import DelimitedText
import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Logs, and text without a table.
@Suite struct LogFormatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, as format: String? = nil) throws -> any TableSource {
        let source = try FileOpener(format: format).open(path: folder.file("t.log", text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    static let texts = [
        """
        # gridview

        gridview is a terminal data grid. It shows tables, and it filters, sorts and groups them.
        Note: the first line of a file is its header, unless numbers follow.
        See the manual for keys: press ? in the program.
        It reads pipes, files and devices.

        """,
        """
        Exception in thread "main" java.lang.NullPointerException: name is null
        \tat com.example.Main.parse(Main.java:12)
        \tat com.example.Main.run(Main.java:34)
        \tat com.example.Main.main(Main.java:5)

        """,
        """
        int main(int argc, char **argv) {
            for (int i = 0; i < argc; i++) {
                printf("%s\\n", argv[i]);
            }
            return 0;
        }

        """,
    ]

    @Test(arguments: texts) func `17.3: prose, stack traces and program code have one column named “line”`(text: String)
        throws
    {
        let source = try open(text)
        #expect(titles(source) == ["line"], "\(source.details)")
        #expect(
            try rowTexts(source).map { $0[0] } == text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
    }

    @Test func `17.3: tables are not read as lines`() throws {
        for text in [
            "a,b\n1,2\n3,4\n5,6\n", "x y z\n1 2 3\n4 5 6\n7 8 9\n",
            "root:x:0:0:root:/root:/bin/sh\nbin:x:1:1:bin:/bin:/bin/no\ndaemon:x:2:2::/:/bin/no\n",
            "time,ms\n10:00:00,250\n10:00:01,300\n10:00:02,310\n",
            "id|city|note\n1|Köln|a, b\n2|Bonn|c\n3|Rome|d\n",
        ] {
            #expect(try open(text) is DelimitedFile, "\(text)")
        }
        #expect(try titles(open("a,b\n1,2\n", as: "lines")) == ["line"])
    }

    @Test func `17.3: syslog has columns, and a line without the syslog form is one message`() throws {
        let source = try open(
            """
            Nov 25 10:00:01 web1 sshd[812]: Accepted publickey for ann from 10.0.0.5
            Nov  5 10:00:02 web1 kernel: [ 12.5] eth0: link up
            2026-11-25T10:00:03.123456+00:00 web1 CRON[9]: (root) CMD (run-parts)
            Nov 25 10:00:04 web1 last message repeated 2 times
                continued
            2026-11-25T10:00:05+00:00 web2 systemd[1]: Started x.

            """)
        #expect(titles(source) == ["time", "host", "program", "pid", "message"])
        #expect(
            try rowTexts(source) == [
                ["Nov 25 10:00:01", "web1", "sshd", "812", "Accepted publickey for ann from 10.0.0.5"],
                ["Nov  5 10:00:02", "web1", "kernel", "", "[ 12.5] eth0: link up"],
                ["2026-11-25T10:00:03.123456+00:00", "web1", "CRON", "9", "(root) CMD (run-parts)"],
                ["Nov 25 10:00:04", "web1", "", "", "last message repeated 2 times"], ["", "", "", "", "    continued"],
                ["2026-11-25T10:00:05+00:00", "web2", "systemd", "1", "Started x."],
            ])
    }

    @Test func `17.3: the priority of syslog messages is a column, even if only some lines have one`() throws {
        let source = try open(
            """
            <34>Oct 11 22:14:15 web1 su: failed
            Oct 11 22:14:16 web1 sshd[7]: Accepted
            <13>Feb  5 17:32:18 10.0.0.99 Use the BFG!
            <>Feb  5 17:32:19 web1 su: x

            """)
        #expect(titles(source) == ["priority", "time", "host", "program", "pid", "message"])
        #expect(
            try rowTexts(source) == [
                ["34", "Oct 11 22:14:15", "web1", "su", "", "failed"], ["", "Oct 11 22:14:16", "web1", "sshd", "7", "Accepted"],
                ["13", "Feb  5 17:32:18", "10.0.0.99", "", "", "Use the BFG!"],
                ["", "", "", "", "", "<>Feb  5 17:32:19 web1 su: x"],
            ])
    }

    @Test(arguments: ["Wed 2026-11-25 10:00:01 UTC", "Wed 2026-11-25 10:00:01.123456 UTC", "1795600801.123456"])
    func `17.3: the times of journalctl -o short-full and short-unix are dates in the columns of syslog`(time: String) throws {
        let source = try open(
            "\(time) web1 sshd[812]: Accepted key\n-- Boot 0123456789abcdef --\n\(time) web1 kernel: usb 1-1: new\n\(time) web1 CRON[9]: x\n"
        )
        #expect(titles(source) == ["time", "host", "program", "pid", "message"])
        #expect(
            try rowTexts(source) == [
                [time, "web1", "sshd", "812", "Accepted key"], ["", "", "", "", "-- Boot 0123456789abcdef --"],
                [time, "web1", "kernel", "", "usb 1-1: new"], [time, "web1", "CRON", "9", "x"],
            ])
        #expect(source.profiles(budgetMilliseconds: 0)[0].titled("time").kind == .dateTime)
    }

    @Test func `17.3: lines that begin with a weekday and a date are not syslog if most have no program`() throws {
        let time = "Wed 2024-01-31 10:00:00 UTC"
        let source = try open("\(time) job started\n\(time) job run: ok\n\(time) job step: ok\n\(time) job ended\n")
        #expect(titles(source) != ["time", "host", "program", "pid", "message"])
    }

    @Test func `17.3: if the first priority comes late, its whole line is a message`() throws {
        let source = try open(String(repeating: "Oct 11 22:14:15 web1 su: failed\n", count: 3_000) + "<34>Oct 11 22:14:16 web1 su: x\n")
        #expect(titles(source) == ["time", "host", "program", "pid", "message"])
        #expect(try rowTexts(source).last == ["", "", "", "", "<34>Oct 11 22:14:16 web1 su: x"])
    }

    @Test func `17.3: syslog messages with a version number have columns for their identifier and data`()
        throws
    {
        let source = try open(
            #"""
            <34>1 2003-10-11T22:14:15.003Z host app - ID47 - msg one
            <165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time
            <165>1 2003-10-11T22:14:15.003Z a.example.com evntslog - ID47 [x@32473 a="3" b="q\" ] x"][y@1 c="2"] with data
            <13>1 - - - - - -
            <13>1 2003-10-11T22:14:15Z h p 1 ID [z]
            -- another line --

            """#)
        #expect(titles(source) == ["priority", "time", "host", "program", "pid", "id", "data", "message"])
        #expect(
            try rowTexts(source) == [
                ["34", "2003-10-11T22:14:15.003Z", "host", "app", "", "ID47", "", "msg one"],
                ["165", "2003-08-24T05:14:15.000003-07:00", "192.0.2.1", "myproc", "8710", "", "", "%% It's time"],
                [
                    "165", "2003-10-11T22:14:15.003Z", "a.example.com", "evntslog", "", "ID47",
                    #"[x@32473 a="3" b="q\" ] x"][y@1 c="2"]"#, "with data",
                ],
                ["13", "", "", "", "", "", "", ""], ["13", "2003-10-11T22:14:15Z", "h", "p", "1", "ID", "[z]", ""],
                ["", "", "", "", "", "", "", "-- another line --"],
            ])
        // The program may be unknown.
        let line = "<13>1 2003-10-11T22:14:15Z h - - - - text\n"
        #expect(try titles(open(line + line)).count == 8)
        for text in ["<13>1 2003-10-11T22:14:15Z h p 1 ID [z\n", "<13>1 2003-10-11T22:14:15Z h p 1 ID z\n", "<13>1 text\n"] {
            #expect(try !titles(open(text + text)).contains("message"), "\(text)")
        }
    }

    @Test func `17.3: if the first message with a version number comes late, it keeps its identifier and data`()
        throws
    {
        let plain = "<13>1970-01-01T00:00:05+00:00 host prog[1]: boot\n"
        let late = "<13>1 2003-10-11T22:14:15Z h p 1 ID [z a=\"1\"] text\n"
        let source = try open(String(repeating: plain, count: 3_000) + late)
        #expect(titles(source) == ["priority", "time", "host", "program", "pid", "message"])
        try source.readAll(threads: 1) { _ in true }
        let rows = try rowTexts(source)
        #expect(rows.first == ["13", "1970-01-01T00:00:05+00:00", "host", "prog", "1", "boot"] && rows.count == 3_001)
        #expect(rows.last == ["13", "2003-10-11T22:14:15Z", "h", "p", "1", "ID [z a=\"1\"] text"])
    }

    @Test func `17.3: a log is recognized if most of its lines have its form, and no line is lost`() throws {
        let syslog = (1...3).map { "Nov 25 10:00:0\($0) web1 sshd[812]: Accepted \($0)\n" }
        #expect(try titles(open(syslog[0] + "-- Reboot --\n" + syslog[1] + syslog[2])).suffix(2) == ["pid", "message"])
        let access = (1...3).map { "::1 - - [11/Oct/2000:00:00:0\($0) +0000] \"GET / HTTP/1.1\" 404 -\n" }
        #expect(try titles(open(access[0] + access[1] + "an error\n" + access[2])).first == "host")
        let short = try open(syslog[0] + "-- Reboot --\n" + syslog[1])
        #expect(try rowTexts(short)[1] == ["", "", "", "", "-- Reboot --"])
        let crashed = try open("an error\n" + access.joined() + "another error\n")
        #expect(try rowTexts(crashed).map(\.last) == ["an error", "", "", "", "another error"])
        // A log in which only two of four lines have the form of syslog is not recognized.
        #expect(try !titles(open(syslog[0] + "-- Reboot --\n" + syslog[1] + "-- Reboot --\n")).contains("host"))
    }

    @Test func `17.3: access logs have columns, and the time is a date`() throws {
        let source = try open(
            """
            127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a?b=1,2 HTTP/1.0" 200 2326
            ::1 - - [11/Oct/2000:00:00:00 +0000] "GET / HTTP/1.1" 404 - "http://x/" "Mozilla/5.0 (X11; \\"y\\")" 0.1
            10.0.0.1 - - [11/Oct/2000:00:00:01 +0000] "-" 400 0 "-" "-"

            """)
        #expect(titles(source).prefix(9) == ["host", "ident", "user", "time", "method", "path", "protocol", "status", "bytes"])
        let found = try rowTexts(source)
        #expect(
            found[0] == ["127.0.0.1", "-", "frank", "2000-10-10T13:55:36-07:00", "GET", "/a?b=1,2", "HTTP/1.0", "200", "2326", "", "", ""])
        #expect(found[1].suffix(6) == ["HTTP/1.1", "404", "-", "http://x/", "Mozilla/5.0 (X11; \\\"y\\\")", "0.1"])
        #expect(found[2][4...8] == ["", "-", "", "400", "0"])
        #expect(source.profiles(budgetMilliseconds: 0)[3].kind == .dateTime)
    }

    @Test func `17.3: an access log with virtual hosts has a column for them, and no line is lost`() throws {
        let lines = [
            "example.com:443 10.0.0.1 - - [11/Oct/2000:00:00:01 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\"\n",
            "example.org:80 ::1 - ann [11/Oct/2000:00:00:02 +0000] \"GET /a HTTP/1.1\" 404 -\n",
            "10.0.0.1 - - [11/Oct/2000:00:00:03 +0000] \"GET /b HTTP/1.1\" 200 6\n",
        ]
        let source = try open(lines.joined())
        #expect(titles(source).prefix(5) == ["vhost", "host", "ident", "user", "time"] && titles(source).last == "other")
        let found = try rowTexts(source)
        #expect(found[0].prefix(5) == ["example.com:443", "10.0.0.1", "-", "-", "2000-10-11T00:00:01+00:00"])
        #expect(found[1].prefix(4) == ["example.org:80", "::1", "-", "ann"] && found[1][8] == "404")
        #expect(found[2].prefix(3) == ["", "10.0.0.1", "-"] && found[2][8] == "200" && found[2].count == 13)
        // A client with a port and a user with a name of two words are not a virtual host and its client.
        let clients = try open("10.0.0.1:80\(lines[2].dropFirst(8))10.0.0.1:80 - Ann Lee\(lines[2].dropFirst(12))\(lines[2])")
        #expect(titles(clients).first == "host")
        #expect(try rowTexts(clients)[1].last?.hasPrefix("10.0.0.1:80 - Ann Lee [") == true)
        // A first line with a virtual host after the sample is kept as it is.
        let late = try open(String(repeating: lines[2], count: 2_000) + lines[0])
        #expect(titles(late).first == "host")
        #expect(try rowTexts(late).last == Array(repeating: "", count: 11) + [String(lines[0].dropLast())])
    }

    @Test(arguments: ["Jan  5 2026 10:00:0%", "Jan 15 10:00:0%.123456", "Jan  5 2026 10:00:0%.5"])
    func `17.3: times of syslog may have a year and a fraction of a second`(time: String) throws {
        let times = (0..<3).map { time.replacing("%", with: "\($0)") }
        let source = try open(times.map { "\($0) web1 sshd[812]: Accepted\n" }.joined())
        #expect(titles(source) == ["time", "host", "program", "pid", "message"])
        #expect(try rowTexts(source) == times.map { [$0, "web1", "sshd", "812", "Accepted"] })
        #expect(source.profiles(budgetMilliseconds: 0)[0].kind == (time.contains("2026") ? .dateTime : .text))
    }

    @Test func `17.3: extended logs have the columns that their lines of field names list`() throws {
        let start = "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n"
        let fields = "#Fields: date time cs-method cs(User-Agent) sc-status time-taken\n"
        let iis = try open(
            start + fields + """
                2024-01-02 00:00:01 GET Mozilla/5.0+(Windows) 200 15
                2024-01-02 00:00:02 POST - 404 3
                #Date: 2024-01-02 00:10:00
                2024-01-02 00:10:01 GET "a b" 200 7
                2024-01-02 cut

                """)
        #expect(titles(iis) == ["date", "time", "cs-method", "cs(User-Agent)", "sc-status", "time-taken", "other"])
        #expect(
            try rowTexts(iis) == [
                ["2024-01-02", "00:00:01", "GET", "Mozilla/5.0+(Windows)", "200", "15", ""],
                ["2024-01-02", "00:00:02", "POST", "-", "404", "3", ""], ["", "", "", "", "", "", "#Date: 2024-01-02 00:10:00"],
                ["2024-01-02", "00:10:01", "GET", "a b", "200", "7", ""], ["", "", "", "", "", "", "2024-01-02 cut"],
            ])
        #expect(iis.profiles(budgetMilliseconds: 0).prefix(2).map(\.kind) == [.date, .time])
        // CloudFront separates the names by blanks and the values by tabs, Zeek all by tabs.
        let cloud = try open("#Version: 1.0\n#Fields: date sc-bytes cs-uri-stem\n2024-01-02\t10\t/a b\n2024-01-02\t\t/\n")
        #expect(try rowTexts(cloud) == [["2024-01-02", "10", "/a b", ""], ["2024-01-02", "", "/", ""]])
        let zeek = try open("#separator \\x09\n#fields\tts\tuid\n#types\ttime\tstring\n1706092924.5\tC1\n1706092925.5\tC2\n")
        #expect(try titles(zeek) == ["ts", "uid", "other"] && rowTexts(zeek)[1] == ["1706092925.5", "C2", ""])
        // Blank lines can be above the rows, and the first row can be incomplete.
        #expect(try rowTexts(open("#Version: 1.0\n\n#Fields: a b\n\n1 2\n")) == [["1", "2", ""]])
        #expect(try rowTexts(open("#separator \\x09\n#fields\tts\tuid\n1706092924.5\tC1")) == [["1706092924.5", "C1", ""]])
        // Ignored lines are not rows, and delimited text below comments is not an extended log.
        let ignoring = try FileOpener(dialect: DialectRequest(commentPrefix: Array("#".utf8))).open(
            path: folder.file("i.log", start + fields + "2024-01-02 00:00:01 GET x 200 15\n#Date: x\n2024-01-02 00:00:02 GET x 200 15\n"))
        try ignoring.readAll(threads: 1) { _ in true }
        #expect(titles(ignoring).last == "other" && ignoring.snapshot().recordCount == 2)
        #expect(try titles(open("#Fields: a b c\na,b,c\n1,2,3\n4,5,6\n")).contains("other") == false)
    }

    @Test(.timeLimit(.minutes(1))) func `17.3: an extended log with a line of many unclosed quotes is read quickly`() throws {
        let line = String(repeating: "\"a ", count: 700_000)
        let rows = try rowTexts(open("#Fields: a b\n1 \"2 2\"\n\(line)\n\"3 4\n"))
        #expect(rows.map { $0.map(\.utf8.count) } == [[1, 3, 0], [0, 0, line.utf8.count], [2, 1, 0]])
    }

    @Test func `17.3: logfmt has a column for each key`() throws {
        let source = try open(
            """
            ts=2026-11-25T10:00:00Z level=info msg="request served" ms=12
            ts=2026-11-25T10:00:01Z level=warn msg="a \\"b\\"" user=ann
            level=info ts=2026-11-25T10:00:02Z msg= done

            """)
        #expect(titles(source) == ["ts", "level", "msg", "ms", "user", "other"])
        #expect(
            try rowTexts(source) == [
                ["2026-11-25T10:00:00Z", "info", "request served", "12", "", ""],
                ["2026-11-25T10:00:01Z", "warn", "a \"b\"", "", "ann", ""],
                ["2026-11-25T10:00:02Z", "info", "", "", "", "done"],
            ])
    }

    @Test(arguments: ["syslog", "access-log", "logfmt", "log", "lines"])
    func `17.3: damaged logs never cause a crash, and no format loses rows`(format: String) throws {
        var random = SplitMix64(seed: 17)
        let letters = Array("Nov 25:[]<>=\"\\abT-/ 012|ü\u{1F}")
        let lines = (0..<500).map { _ in
            String((0..<Int.random(in: 1...60, using: &random)).map { _ in letters.randomElement(using: &random)! })
        }
        let source = try open(lines.joined(separator: "\n") + "\n", as: format)
        #expect(try rowTexts(source).count == 500)
    }
}
