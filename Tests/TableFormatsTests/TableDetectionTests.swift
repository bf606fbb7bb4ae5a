import FieldValues
import GridTestSupport
import Tables
import Testing

/// Tables that resemble logs, lists or prose.
@Suite struct TableDetectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct TableSample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var columns: Int
        /// The fields of the last line.
        var last: [String]
        /// The titles; empty if the test does not check them.
        var titles: [String] = []
        var testDescription: String { name }
    }

    static let tables: [TableSample] = [
        TableSample(
            name: "a date, a time and numbers", text: "2024-05-01 12:00 3.5 7\n2024-05-01 12:10 3.6 8\n2024-05-01 12:20 3.7 9\n",
            columns: 4,
            last: ["2024-05-01", "12:20", "3.7", "9"]),
        TableSample(
            name: "a header, dates and numbers",
            text: "date time temp hum\n2024-05-01 12:00:00 3.5 70\n2024-05-01 12:10:00 3.6 71\n2024-05-01 12:20:00 3.7 72\n", columns: 4,
            last: ["2024-05-01", "12:20:00", "3.7", "72"]),
        TableSample(
            name: "times and numbers", text: "12:00:00 3.5 7\n12:10:00 3.6 8\n12:20:00 3.7 9\n", columns: 3, last: ["12:20:00", "3.7", "9"]),
        TableSample(
            name: "a time, a level and numbers",
            text: "2024-05-01T12:00:00 INFO 3.5 7\n2024-05-01T12:10:00 WARN 3.6 8\n2024-05-01T12:20:00 INFO 3 9\n",
            columns: 4, last: ["2024-05-01T12:20:00", "INFO", "3", "9"]),
        TableSample(
            name: "CSV with times and levels",
            text: "2024-05-01 12:00:00,INFO,started\n2024-05-01 12:10:00,WARN,slow\n2024-05-01 12:20:00,INFO,done\n", columns: 3,
            last: ["2024-05-01 12:20:00", "INFO", "done"]),
        TableSample(
            name: "CSV with a header and times", text: "time,level,text\n2024-05-01 12:00:00,INFO,a b c\n2024-05-02 12:00:00,WARN,d e f\n",
            columns: 3, last: ["2024-05-02 12:00:00", "WARN", "d e f"]),
        TableSample(
            name: "CSV with milliseconds", text: "2024-05-01 12:00:00,123\n2024-05-01 12:00:01,456\n2024-05-01 12:00:02,789\n", columns: 2,
            last: ["2024-05-01 12:00:02", "789"]),
        TableSample(
            name: "CSV with a place in the first column", text: "2024-05-01 12:00 Bonn,3.5,7\n2024-05-01 12:10 Rome,3.6,8\n", columns: 3,
            last: ["2024-05-01 12:10 Rome", "3.6", "8"]),
        TableSample(
            name: "tabs and levels", text: "2024-05-01 12:00:00\tINFO\ta b\t1\n2024-05-01 12:10:00\tWARN\tc d\t2\n", columns: 4,
            last: ["2024-05-01 12:10:00", "WARN", "c d", "2"]),
        TableSample(
            name: "bars and levels", text: "2024-05-01 12:00:00|INFO|App|started it\n2024-05-01 12:10:00|WARN|App|slow one\n", columns: 4,
            last: ["2024-05-01 12:10:00", "WARN", "App", "slow one"]),
        TableSample(
            name: "load balancer with quotes",
            text: """
                2024-05-01T12:00:00.1Z my-elb 10.0.0.1:2817 10.0.0.2:80 0.000073 200 29 "GET http://x/ HTTP/1.1" "curl/7.38.0"
                2024-05-01T12:00:01.1Z my-elb 10.0.0.1:2818 10.0.0.2:80 0.000086 200 57 "GET http://x/a HTTP/1.1" "Mozilla/5.0 (X11) Gecko"
                2024-05-01T12:00:02.1Z my-elb 10.0.0.1:2819 10.0.0.2:80 0.001069 404 57 "-" "a b"

                """,
            columns: 9, last: ["2024-05-01T12:00:02.1Z", "my-elb", "10.0.0.1:2819", "10.0.0.2:80", "0.001069", "404", "57", "-", "a b"]),
        TableSample(
            name: "W3C extended log",
            text: """
                #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query sc-status
                2024-05-01 12:00:00 10.0.0.1 GET / - 200
                2024-05-01 12:00:01 10.0.0.1 GET /a x=1 404
                2024-05-01 12:00:01 10.0.0.1 GET /b - 200
                2024-05-01 12:00:01 10.0.0.1 GET /c - 200
                2024-05-01 12:00:01 10.0.0.1 GET /d - 200
                2024-05-01 12:00:01 10.0.0.1 GET /e - 200
                2024-05-01 12:00:01 10.0.0.1 GET /f - 200
                2024-05-01 12:00:01 10.0.0.1 GET /g - 200
                2024-05-01 12:00:01 10.0.0.1 GET /h - 200
                2024-05-01 12:00:01 10.0.0.1 GET /i - 200
                2024-05-01 12:00:02 10.0.0.1 POST /b - 200

                """,
            columns: 7, last: ["2024-05-01", "12:00:02", "10.0.0.1", "POST", "/b", "-", "200"]),
        TableSample(
            name: "dates, numbers and gaps",
            text: "2024-05-01 12:00 3.5 7\n2024-05-01 12:10 3.6\n2024-05-01 12:20 3.7 9\n2024-05-01 12:30 1\n2024-05-01 12:40 3.7 9\n",
            columns: 4, last: ["2024-05-01", "12:40", "3.7", "9"]),
        TableSample(
            name: "aws s3 ls",
            text: """
                2024-05-01 12:00:00       1234 report.csv
                2024-05-01 12:00:01   10000000 my photo.jpg
                2024-05-02 09:30:00         12 a b c.txt
                2024-05-03 09:30:00        999 x.txt
                2024-05-03 09:30:01         99 z.txt
                2024-05-03 09:30:02      99999 notes.txt

                """,
            columns: 4, last: ["2024-05-03", "09:30:02", "99999", "notes.txt"]),
        TableSample(
            name: "sar",
            text: """
                12:00:01 AM     CPU     %user     %nice   %system     %idle
                12:10:01 AM     all      0.50      0.00      0.30     99.20
                12:20:01 AM     all     10.55      0.00      1.30     88.15
                12:30:01 AM     all      0.70      0.00      0.40     98.90

                """,
            columns: 6, last: ["12:30:01 AM", "all", "0.70", "0.00", "0.40", "98.90"]),
        TableSample(
            name: "ps aux",
            text: """
                USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
                root         1  0.4  0.0  47124 15180 ?        S<Ll Nov25   3:22 /sbin/init splash
                root         2  0.0  0.0      0     0 ?        S    Nov25   0:00 [kthreadd]
                ann      10142  0.0  0.1  12345  4242 pts/0    Ss   Nov25   0:07 -bash
                root     99999  0.0  0.0      0     0 ?        I<   Nov25   0:00 [kworker/R-rcu_gp]
                bob      10143 12.5  1.1 912345 84242 pts/1    R+   08:07   0:00 ps aux

                """,
            columns: 11, last: ["bob", "10143", "12.5", "1.1", "912345", "84242", "pts/1", "R+", "08:07", "0:00", "ps aux"]),
        TableSample(
            name: "ps aux with many words and a wide number",
            text: """
                USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
                root         1  0.4  0.0  44620 12988 ?        S<Ll Nov25   5:54 /init --addr 0.0.0.0:2024 --max-size 32768 --block
                root         2  0.0  0.0      0     0 ?        S    Nov25   0:00 [kthreadd]
                root         3  0.0  0.0      0     0 ?        S    Nov25   0:00 [pool_workqueue_release]
                root         4  0.0  0.0      0     0 ?        I<   Nov25   0:00 [kworker/R-rcu_gp]
                root         5  0.0  0.0      0     0 ?        I<   Nov25   0:00 [kworker/R-sync_wq]
                root         6  0.0  0.0      0     0 ?        I<   Nov25   0:00 [kworker/R-kvfree_rcu_reclaim]
                root         7  0.0  0.0      0     0 ?        I<   Nov25   0:00 [kworker/R-slub_flushwq]
                ann      10142  0.0  0.1 11234567 424288 pts/0 Ssl  Nov25   0:07 node  server.js --port 80
                root     99999  0.0  0.0      0     0 ?        I<   Nov25   0:00 [kworker/R-rcu_gp]
                bob      10143 12.5  1.1 912345 84242 pts/1    R+   08:07   0:00 ps aux

                """,
            columns: 11, last: ["bob", "10143", "12.5", "1.1", "912345", "84242", "pts/1", "R+", "08:07", "0:00", "ps aux"],
            titles: ["USER", "PID", "%CPU", "%MEM", "VSZ", "RSS", "TTY", "STAT", "START", "TIME", "COMMAND"]),
        TableSample(
            name: "df -h",
            text: """
                Filesystem               Size  Used Avail Use% Mounted on
                devtmpfs                  12G     0   12G   0% /dev
                tmpfs                     24G  2.1M   24G   1% /dev/shm
                /dev/vda                 252G   25G   70G  27% /
                tmpfs                     12G     0   12G   0% /sys/fs/cgroup
                tmpfs                    5.0M     0  5.0M   0% /run/lock

                """,
            columns: 6, last: ["tmpfs", "5.0M", "0", "5.0M", "0%", "/run/lock"]),
        TableSample(
            name: "ls -l",
            text: """
                total 36
                drwxr-xr-x  2 root root  4096 May  9  2025 backups
                drwxr-xr-x 12 root root  4096 Sep 22 04:45 cache
                drwxr-xr-x 22 root root 14096 Nov 26 01:30 lib
                drwxrwsr-x  2 root staff 4096 May  9  2025 local
                drwxr-xr-x  6 root root  4096 May 20  2026 log
                drwxrwxrwt  2 root root  4096 Nov 26 08:07 tmp

                """,
            columns: 8, last: []),
        TableSample(
            name: "ss -tln",
            text: """
                State  Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
                LISTEN 0      128          0.0.0.0:2024       0.0.0.0:*
                LISTEN 0      164        127.0.0.1:51521      0.0.0.0:*
                LISTEN 0      244        127.0.0.1:5432       0.0.0.0:*

                """,
            columns: 4, last: []),
        TableSample(
            name: "mounts",
            text: """
                proc /proc proc rw,relatime 0 0
                sysfs /sys sysfs rw,relatime 0 0
                tmpfs /dev/shm tmpfs rw,relatime,size=24684084k 0 0
                /dev/vda / ext4 rw,relatime,discard,resv_strict,resuid=65534,resgid=65534 0 0

                """,
            columns: 6, last: ["/dev/vda", "/", "ext4", "rw,relatime,discard,resv_strict,resuid=65534,resgid=65534", "0", "0"]),
        TableSample(
            name: "kubectl get pods",
            text: """
                NAME                     READY   STATUS    RESTARTS   AGE
                web-6d4cf56db6-abcde     1/1     Running   0          5d
                db-0                     1/1     Running   2          12d
                job-x                    0/1     Pending   0          3m

                """,
            columns: 5, last: ["job-x", "0/1", "Pending", "0", "3m"]),
        TableSample(
            name: "sha256sum",
            text: (0..<3).map { String(repeating: "\($0)abcdef", count: 8) + "  file\($0).txt\n" }.joined(), columns: 2,
            last: [String(repeating: "2abcdef", count: 8), "file2.txt"]),
        TableSample(name: "words and numbers", text: "name city qty\nann Bonn 3\nbob Rome 4\n", columns: 3, last: ["bob", "Rome", "4"]),
        TableSample(name: "a header and one row of numbers", text: "x y z\n1 2 3\n", columns: 3, last: ["1", "2", "3"]),
        TableSample(
            name: "many rows of three words", text: String(repeating: "ann Bonn red\nbob Rome blue\n", count: 8), columns: 3,
            last: ["bob", "Rome", "blue"]),
    ]

    @Test(arguments: tables) func `17.3: tables that resemble logs or prose are read as tables`(
        _ sample: TableSample
    ) throws {
        let source = try folder.readTable(sample.text, "t.txt")
        #expect(!source.details.contains { $0 == ("format", "log") || $0 == ("format", "lines of text") })
        #expect(source.columnCount >= sample.columns, "\(titles(source)) \(source.details)")
        let last = try #require(rowTexts(source).last)
        if !sample.last.isEmpty { #expect(last.filter { !$0.isEmpty } == sample.last) }
        if !sample.titles.isEmpty { #expect(titles(source) == sample.titles) }
    }

    @Test func `17.3: a printed data frame has a header in which the index has no title`() throws {
        let pandas = try folder.readTable(
            """
                  name  qty  price
            0    apple    3   1.50
            1   banana   12  10.25
            ..     ...  ...    ...
            98  cherry    7   0.10
            99    date  100   9.99

            [100 rows x 3 columns]

            """, "t.txt")
        #expect(titles(pandas) == ["", "name", "qty", "price"])
        let found = try rowTexts(pandas)
        #expect(found[1] == ["1", "banana", "12", "10.25"] && found[2] == ["..", "...", "...", "..."])
        #expect(found.last == ["[100 rows x 3 columns]", "", "", ""])
        let r = try folder.readTable(
            """
                               mpg cyl  disp
            Mazda RX4         21.0   6 160.0
            Mazda RX4 Wag     21.0   6 160.0
            Datsun 710        22.8   4 108.0
            Hornet 4 Drive    21.4   6 258.0
            Hornet Sportabout 18.7   8 360.0
            Valiant           18.1   6 225.0

            """, "t.txt")
        #expect(titles(r) == ["", "mpg", "cyl", "disp"])
        #expect(try rowTexts(r).last == ["Valiant", "18.1", "6", "225.0"])
        let noHeader = try folder.readTable("     b   3\n     c   4\nx    d   5\n", "t.txt")
        #expect(!noHeader.hasColumnNames)
    }

    @Test(
        arguments: [
            "        name  age\n0        Bob    5\n1  Ann Marie    6\n2        Joe    7\n",
            "        name  age    city\n0        Bob    5  London\n1  Ann Marie    6   Paris\n",
            "        name  age\n0        Bob    5\n1  Ann Marie    6\n",
        ]) func `17.3: in a short data frame, right-aligned names with blanks are one column`(text: String) throws
    {
        let source = try folder.readTable(text, "t.txt")
        #expect(titles(source).prefix(3) == ["", "name", "age"] && source.columnCount == (text.contains("city") ? 4 : 3))
        #expect(try rowTexts(source)[1].prefix(3) == ["1", "Ann Marie", "6"])
    }

    @Test func `17.3: a table of checksums has no header`() throws {
        let sample = try #require(Self.tables.first { $0.name == "sha256sum" })
        let source = try folder.readTable(sample.text, "t")
        #expect(try !source.hasColumnNames && rows(source).count == 3)
    }
}
