import DelimitedText
import GridTestSupport
import TableFormats
import Tables
import Testing

/// Aligned output whose columns are recognized by their titles, by their numbers, or by names with colons.
@Suite struct CommandTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var titles: [String]
        var rows: [[String]]
        var testDescription: String { name }
    }

    static let titledSamples = [
        Sample(
            name: "ps -eo pid,comm",
            text: """
                    PID COMMAND
                      1 systemd
                      2 kworker/0:0H-events
                   2291 tmux: server
                   2305 Web Content
                 123456 [kworker] a  b, c

                """,
            titles: ["PID", "COMMAND"],
            rows: [
                ["1", "systemd"], ["2", "kworker/0:0H-events"], ["2291", "tmux: server"], ["2305", "Web Content"],
                ["123456", "[kworker] a  b, c"],
            ]),
        Sample(
            name: "ps -o pid,cmd with tabs and commas",
            text: "    PID CMD\n   2291 -bash\n   3001 awk -F, {print $1,$2}\n   3002 printf a\\t,\tb\n", titles: ["PID", "CMD"],
            rows: [["2291", "-bash"], ["3001", "awk -F, {print $1,$2}"], ["3002", "printf a\\t,\tb"]]),
        Sample(
            name: "ps -eo pid,lstart,cmd",
            text: """
                    PID                  STARTED CMD
                      1 Sun Nov 29 15:40:31 2026 /sbin/init --addr 0.0.0.0:2024 --size 32768 --port  80
                      2 Sun Nov 29 15:40:31 2026 [kthreadd]
                   2291 Mon Nov 30 08:01:02 2026 sshd: ann [priv]

                """,
            titles: ["PID", "STARTED", "CMD"],
            rows: [
                ["1", "Sun Nov 29 15:40:31 2026", "/sbin/init --addr 0.0.0.0:2024 --size 32768 --port  80"],
                ["2", "Sun Nov 29 15:40:31 2026", "[kthreadd]"], ["2291", "Mon Nov 30 08:01:02 2026", "sshd: ann [priv]"],
            ]),
        Sample(
            name: "ps -eo pid,args,lstart",
            text: """
                    PID COMMAND                                      STARTED
                      1 /sbin/init --addr 0.0.0.0:2 Sun Nov 29 15:40:31 2026
                      2 [kthreadd]                  Sun Nov 29 15:40:31 2026
                   2291 sshd: ann [priv]            Mon Nov 30 08:01:02 2026

                """,
            titles: ["PID", "COMMAND", "STARTED"],
            rows: [
                ["1", "/sbin/init --addr 0.0.0.0:2", "Sun Nov 29 15:40:31 2026"],
                ["2", "[kthreadd]", "Sun Nov 29 15:40:31 2026"], ["2291", "sshd: ann [priv]", "Mon Nov 30 08:01:02 2026"],
            ]),
        Sample(
            name: "ps -eo pid,pcpu,pmem,rss,vsz,comm with wide numbers",
            text: """
                    PID %CPU %MEM   RSS    VSZ COMMAND
                   3961 60.3  4.4 1087672 1284572 swift-frontend
                   7984  0.1  1.0 254296 356804 postgres
                      2  0.0  0.0     0      0 kthreadd

                """,
            titles: ["PID", "%CPU", "%MEM", "RSS", "VSZ", "COMMAND"],
            rows: [
                ["3961", "60.3", "4.4", "1087672", "1284572", "swift-frontend"], ["7984", "0.1", "1.0", "254296", "356804", "postgres"],
                ["2", "0.0", "0.0", "0", "0", "kthreadd"],
            ]),
        Sample(
            name: "docker stats",
            text: """
                CONTAINER ID   NAME      CPU %     MEM USAGE / LIMIT     MEM %     NET I/O           PIDS
                3f4e5d6c7b8a   web       0.15%     12.5MiB / 15.5GiB     0.08%     1.2kB / 0B        5
                9a8b7c6d5e4f   db        1.02%     54.3MiB / 15.5GiB     0.34%     10.1MB / 2.05MB   12

                """,
            titles: ["CONTAINER ID", "NAME", "CPU %", "MEM USAGE / LIMIT", "MEM %", "NET I/O", "PIDS"],
            rows: [
                ["3f4e5d6c7b8a", "web", "0.15%", "12.5MiB / 15.5GiB", "0.08%", "1.2kB / 0B", "5"],
                ["9a8b7c6d5e4f", "db", "1.02%", "54.3MiB / 15.5GiB", "0.34%", "10.1MB / 2.05MB", "12"],
            ]),
        Sample(
            name: "titles that begin with a slash",
            text: """
                USER     TOTAL   /HOME   /VAR
                alice    12      5       7
                bob      30      10      20

                """,
            titles: ["USER", "TOTAL", "/HOME", "/VAR"], rows: [["alice", "12", "5", "7"], ["bob", "30", "10", "20"]]),
        Sample(
            name: "a data frame of pandas with times",
            text: """
                   id      name             v                       when     ok
                0   1       Ann  1.500000e+00 2024-01-02 03:04:05.000000   True
                1   2  Bob, Jr.           NaN 2024-02-29 00:00:00.000000  False
                2   3   Zoë "Z" -2.000000e-07 2024-12-31 23:59:59.123456   None

                """,
            titles: ["", "id", "name", "v", "when", "ok"],
            rows: [
                ["0", "1", "Ann", "1.500000e+00", "2024-01-02 03:04:05.000000", "True"],
                ["1", "2", "Bob, Jr.", "NaN", "2024-02-29 00:00:00.000000", "False"],
                ["2", "3", "Zoë \"Z\"", "-2.000000e-07", "2024-12-31 23:59:59.123456", "None"],
            ]),
        Sample(
            name: "a data frame of pandas without its index, which begins with times",
            text: """
                               when  v
                2024-01-02 03:04:05  1
                2024-01-03 04:04:05 -2
                2024-01-03 04:04:05 22

                """,
            titles: ["when", "v"],
            rows: [["2024-01-02 03:04:05", "1"], ["2024-01-03 04:04:05", "-2"], ["2024-01-03 04:04:05", "22"]]),
        Sample(
            name: "ps -el",
            text: """
                F S   UID     PID    PPID  C PRI  NI ADDR SZ WCHAN  TTY          TIME CMD
                4 S     0       1       0  0  70 -10 - 11744 -      ?        00:00:02 systemd
                1 I     0       4       2  0  60 -20 -     0 rescue ?        00:00:00 kworker/R-rcu_gp
                0 R  1000    3001    2291  0  80   0 -  2345 -      pts/0    00:00:00 ps

                """,
            titles: ["F", "S", "UID", "PID", "PPID", "C", "PRI", "NI", "ADDR", "SZ", "WCHAN", "TTY", "TIME", "CMD"],
            rows: [
                ["4", "S", "0", "1", "0", "0", "70", "-10", "-", "11744", "-", "?", "00:00:02", "systemd"],
                ["1", "I", "0", "4", "2", "0", "60", "-20", "-", "0", "rescue", "?", "00:00:00", "kworker/R-rcu_gp"],
                ["0", "R", "1000", "3001", "2291", "0", "80", "0", "-", "2345", "-", "pts/0", "00:00:00", "ps"],
            ]),
    ]

    @Test(arguments: titledSamples) func `17.3: each title names one column, even if its values contain blanks`(
        _ sample: Sample
    ) throws {
        let source = try folder.readTable(sample.text, "output")
        #expect(titles(source) == sample.titles && source.hasColumnNames, "\(source.details)")
        #expect(try rowTexts(source) == sample.rows)
        #expect(source.suggestions == [] && source.problems == [])
        let windows = try folder.readTable(sample.text.replacing("\n", with: "\r\n"), "output")
        #expect(try titles(windows) == sample.titles && rowTexts(windows) == sample.rows)
        let untitled = try folder.readTable(sample.text, "output", header: false)
        #expect(untitled.columnCount == sample.titles.count)
    }

    @Test(arguments: titledSamples) func `17.3: rows beyond the sample are divided into the same columns`(
        _ sample: Sample
    ) throws {
        let lines = lines(of: sample.text)
        let data = lines.dropFirst()
        let all = [lines[0]] + (0..<5_000).map { data[1 + $0 % data.count] }
        let source = try folder.readTable(all.joined(separator: "\n") + "\n", "output")
        #expect(titles(source) == sample.titles)
        #expect(try rowTexts(source) == (0..<5_000).map { sample.rows[$0 % data.count] })
    }

    static let untitledSamples = [
        Sample(
            name: "/proc/diskstats",
            text: """
                   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
                 254       0 vda 48123 2 3001244 9120 1 0 8 0 0 5312 9120 0 0 0 0 0 0
                 254      16 vdb 8 2 44 120 1 0 8 0 0 12 120 0 0 0 0 0 0

                """,
            titles: (1...20).map { "column \($0)" },
            rows: [
                ["7", "0", "loop0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0"],
                [
                    "254", "0", "vda", "48123", "2", "3001244", "9120", "1", "0", "8", "0", "0", "5312", "9120", "0", "0", "0", "0", "0",
                    "0",
                ],
                ["254", "16", "vdb", "8", "2", "44", "120", "1", "0", "8", "0", "0", "12", "120", "0", "0", "0", "0", "0", "0"],
            ]),
        Sample(
            name: "lscpu",
            text: """
                Architecture:             x86_64
                  CPU op-mode(s):         32-bit, 64-bit
                  Address sizes:          46 bits physical, 48 bits virtual
                CPU(s):                   8
                  Model name:             Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz
                    Flags:                fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse
                Vulnerabilities:
                  Mmio stale data:        Vulnerable: Clear CPU buffers attempted, no microcode; SMT Host state unknown; and more words here
                  Spec store bypass:      Mitigation; Speculative Store Bypass disabled via prctl and seccomp, and some other words to be wide
                  Spectre v1:             Mitigation; usercopy/swapgs barriers and __user pointer sanitization
                  Srbds:                  Not affected
                  Tsx async abort:        Not affected
                  Retbleed:               Not affected
                  L1tf:                   Not affected
                  Mds:                    Not affected
                  Meltdown:               Not affected
                Caches (sum of all):      3
                  L1d:                    192 KiB (4 instances)
                  L1i:                    128 KiB (4 instances)
                  L2:                     5 MiB (4 instances)

                """,
            titles: ["name", "value"],
            rows: [
                ["Architecture", "x86_64"], ["CPU op-mode(s)", "32-bit, 64-bit"], ["Address sizes", "46 bits physical, 48 bits virtual"],
                ["CPU(s)", "8"], ["Model name", "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz"],
                ["Flags", "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse"],
                ["Vulnerabilities", ""],
                [
                    "Mmio stale data",
                    "Vulnerable: Clear CPU buffers attempted, no microcode; SMT Host state unknown; and more words here",
                ],
                [
                    "Spec store bypass",
                    "Mitigation; Speculative Store Bypass disabled via prctl and seccomp, and some other words to be wide",
                ],
                ["Spectre v1", "Mitigation; usercopy/swapgs barriers and __user pointer sanitization"], ["Srbds", "Not affected"],
                ["Tsx async abort", "Not affected"], ["Retbleed", "Not affected"], ["L1tf", "Not affected"], ["Mds", "Not affected"],
                ["Meltdown", "Not affected"], ["Caches (sum of all)", "3"], ["L1d", "192 KiB (4 instances)"],
                ["L1i", "128 KiB (4 instances)"], ["L2", "5 MiB (4 instances)"],
            ]),
        Sample(
            name: "/proc/meminfo",
            text: "MemTotal:       24683652 kB\nMemFree:        19266788 kB\nBuffers:          234104 kB\nHugePages_Total:       0\n",
            titles: ["name", "value"],
            rows: [["MemTotal", "24683652 kB"], ["MemFree", "19266788 kB"], ["Buffers", "234104 kB"], ["HugePages_Total", "0"]]),
        Sample(
            name: "/proc/cpuinfo",
            text: "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n",
            titles: ["name", "value"],
            rows: [
                ["processor", "0"], ["vendor_id", "AuthenticAMD"], ["cpu family", "25"], ["model", "17"], ["model name", "AMD EPYC"],
            ]),
        Sample(
            name: "file, two lines", text: "/etc/passwd: ASCII text\n/bin/ls:     ELF 64-bit LSB pie executable, x86-64\n",
            titles: ["name", "value"],
            rows: [["/etc/passwd", "ASCII text"], ["/bin/ls", "ELF 64-bit LSB pie executable, x86-64"]]),
        Sample(
            name: "file, half of the names as long as the longest",
            text: "countries.csv: CSV text\nemployees.csv: CSV text\nlog.csv:       ASCII text, with BOM\nx.csv:         data\n",
            titles: ["name", "value"],
            rows: [
                ["countries.csv", "CSV text"], ["employees.csv", "CSV text"], ["log.csv", "ASCII text, with BOM"],
                ["x.csv", "data"],
            ]),
        Sample(
            name: "file, one line", text: "/etc/passwd: ASCII text\n", titles: ["name", "value"], rows: [["/etc/passwd", "ASCII text"]]),
        Sample(
            name: "who", text: "ann      pts/0        2024-05-15 10:00 (192.168.1.5)\nbob      tty1         2024-05-15 09:00\n",
            titles: (1...4).map { "column \($0)" },
            rows: [["ann", "pts/0", "2024-05-15", "10:00 (192.168.1.5)"], ["bob", "tty1", "2024-05-15", "09:00"]]),
        Sample(
            name: "a short list of ls -l",
            text: """
                -rw-r--r-- 1 ann ann   5 May 10 10:00 a.txt
                -rw-r--r-- 1 ann ann 512 May 11 10:00 b.txt
                -rw-r--r-- 1 ann ann   7 May 12 10:00 c d.txt

                """, titles: (1...9).map { "column \($0)" },
            rows: [
                ["-rw-r--r--", "1", "ann", "ann", "5", "May", "10", "10:00", "a.txt"],
                ["-rw-r--r--", "1", "ann", "ann", "512", "May", "11", "10:00", "b.txt"],
                ["-rw-r--r--", "1", "ann", "ann", "7", "May", "12", "10:00", "c d.txt"],
            ]),
        Sample(
            name: "ls -l of two files",
            text: "-rwxr-xr-x 1 root root   49 Nov 29 15:40 /etc/hosts\n-rw-r--r-- 1 root root 1221 May 20  2026 /etc/passwd\n",
            titles: (1...9).map { "column \($0)" },
            rows: [
                ["-rwxr-xr-x", "1", "root", "root", "49", "Nov", "29", "15:40", "/etc/hosts"],
                ["-rw-r--r--", "1", "root", "root", "1221", "May", "20", "2026", "/etc/passwd"],
            ]),
        Sample(
            name: "the log of Squid",
            text: """
                1286536308.779    180 192.168.0.224 TCP_MISS/200 411 GET http://a.example/minitri.flg - DIRECT/10.1.2.90 text/plain
                1286536309.586     21 192.168.0.68 TCP_HIT/200 507 POST http://b.example/x? ann NONE/- text/html

                """,
            titles: ["time", "elapsed", "client", "result", "bytes", "method", "url", "user", "peer", "type"],
            rows: [
                [
                    "1286536308.779", "180", "192.168.0.224", "TCP_MISS/200", "411", "GET", "http://a.example/minitri.flg", "-",
                    "DIRECT/10.1.2.90", "text/plain",
                ],
                [
                    "1286536309.586", "21", "192.168.0.68", "TCP_HIT/200", "507", "POST", "http://b.example/x?", "ann", "NONE/-",
                    "text/html",
                ],
            ]),
        Sample(name: "numbers in one line", text: "1 2 3\n", titles: ["A", "B", "C"], rows: [["1", "2", "3"]]),
    ]

    @Test(arguments: untitledSamples)
    func `17.3: a number in every line is a separate column, and so is a name if its values are aligned`(_ sample: Sample) throws {
        let source = try folder.readTable(sample.text, "output")
        #expect(titles(source) == sample.titles && !source.hasColumnNames, "\(source.details)")
        #expect(try rowTexts(source) == sample.rows)
        #expect(source.suggestions == [] && source.problems == [])
    }

    @Test(arguments: titledSamples + untitledSamples.prefix(1))
    func `17.3: blanks at the end of a line do not change the columns`(_ sample: Sample) throws {
        for number in 0..<2 {
            var lines = lines(of: sample.text)
            lines[number] += "  "
            let source = try folder.readTable(lines.joined(separator: "\n") + "\n", "output")
            #expect(titles(source) == sample.titles, "\(source.details)")
            #expect(try rowTexts(source) == sample.rows)
        }
    }

    @Test func `17.3: the blank line below the titles of /proc/partitions is not a row`() throws {
        let source = try folder.readTable(
            "major minor  #blocks  name\n\n 254        0  268435456 vda\n   7        0       4096 loop0\n", "output")
        #expect(titles(source) == ["major", "minor", "#blocks", "name"])
        #expect(try rowTexts(source) == [["254", "0", "268435456", "vda"], ["7", "0", "4096", "loop0"]])
    }

    @Test func `17.3: tables of sockets such as /proc/net/tcp have their titles, and no value is lost`() throws {
        let tcp = try folder.readTable(
            """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode      
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 1 00ff 100 0 0 10 0   
               1: 0A00020F:0016 0202000A:E5F2 01 00000024:00000000 01:00000015 00000000     0        0 345 4 00fe 21 4 25 10 -1  

            """, "output")
        let joined = [
            "sl", "local_address", "rem_address", "st", "tx_queue:rx_queue", "tr:tm->when", "retrnsmt", "uid", "timeout", "inode",
        ]
        #expect(titles(tcp) == joined + ["other"])
        #expect(
            try rowTexts(tcp) == [
                [
                    "0:", "0100007F:1F90", "00000000:0000", "0A", "00000000:00000000", "00:00000000", "00000000", "0", "0", "12345",
                    "1 00ff 100 0 0 10 0",
                ],
                [
                    "1:", "0A00020F:0016", "0202000A:E5F2", "01", "00000024:00000000", "01:00000015", "00000000", "0", "0", "345",
                    "4 00fe 21 4 25 10 -1",
                ],
            ])
        let udp = try folder.readTable(
            """
               sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
              411: 00000000:0044 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 20 2 00fd 0

            """, "output")
        #expect(titles(udp) == joined + ["ref", "pointer", "drops"])
        #expect(try rowTexts(udp)[0].suffix(4) == ["20", "2", "00fd", "0"])
    }

    @Test func `17.3: the wide total in the first line of ls -l does not merge columns`() throws {
        let source = try folder.readTable(
            """
            total 242744
            drwxr-xr-x  2 root root  36864 Nov 29 15:42 bin
            drwxr-xr-x 13 root root   4096 Nov 29 15:40 lib
            -rw-r--r--  1 root root     28 Feb 17  2023 notes.txt

            """, "output")
        #expect(source.suggestions == [.linesBeforeTable(1)])
        let found = try rowTexts(source)
        #expect(found[0][0] == "total 242744" && found[0].dropFirst().allSatisfy(\.isEmpty))
        #expect(found[2].prefix(5) == ["drwxr-xr-x", "13", "root", "root", "4096"])
    }

    @Test func `17.3: a few names with blanks at the same position are not split into columns`() throws {
        let names = [".", "..", ".h", "a b", "file with spaces.txt", "x"]
        let text = names.map { "-rw-r--r-- 2 root root \($0.count > 2 ? "4096" : "   0") Nov 29 19:11 \($0)\n" }.joined()
        #expect(try rowTexts(folder.readTable(text, "output")).map(\.last) == names)
    }

    @Test func `17.3: a remark below a table may cross its columns`() throws {
        let source = try folder.readTable(
            """
            ann      pts/0        192.168.1.5      Wed May 15 10:00   still logged in
            bob      tty1                          Tue May 14 09:00 - 17:00  (08:00)
            reboot   system boot  6.1.0-18-amd64   Mon May 13 08:00   still running

            wtmp begins Mon May 13 08:00:00 2024

            """, "output")
        let found = try rowTexts(source)
        #expect(found[0].prefix(2) == ["ann", "pts/0"] && found[1].prefix(2) == ["bob", "tty1"])
        #expect(found[4].joined(separator: " ").hasPrefix("wtmp begins Mon May 13 08:00:00 2024"))
    }

    @Test func `17.4: gridview offers to skip titles that are not above their columns`() throws {
        let devices =
            "    lo: 184832 1082    0    0    0     0          0         0 1848324    1082    0    0    0     0       0          0\n"
        let text =
            "Inter-|   Receive                                                |  Transmit\n"
            + " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n"
            + devices + devices.replacing("    lo:", with: "  eth0:")
        let source = try folder.readTable(text, "output")
        #expect(titles(source) == ["line"] && source.suggestions == [.linesBeforeTable(2)])
        let opener = FileOpener(dialect: DialectRequest(skipLines: 2))
        let table = try opener.open(path: folder.file("output", text))
        try table.readAll(threads: 1) { _ in true }
        #expect(table.columnCount == 17)
        #expect(try rowTexts(table)[1].prefix(3) == ["eth0:", "184832", "1082"])
    }

    @Test func `17.3: a single row below one-word titles has the columns of the titles`() throws {
        let source = try folder.readTable("major minor  #blocks  name\n\n 254        0  268435456 vda\n", "output")
        #expect(titles(source) == ["major", "minor", "#blocks", "name"])
        #expect(try rowTexts(source).last == ["254", "0", "268435456", "vda"])
    }

    @Test(
        arguments: [
            "-rw-r--r-- 1 ann ann 5 May  1 10:00 a.txt\n", "total 4\n-rw-r--r-- 1 ann ann 5 May  1 10:00 a b c\n",
            "? (192.168.1.1) at aa:bb:cc:dd:ee:ff [ether] on eth0\n? (192.168.1.7) at <incomplete> on eth0\n", "to do: wash the car\n",
        ])
    func `17.3: aligned words or an address do not split a few lines at single characters`(text: String) throws {
        let source = try folder.readTable(text, "output")
        #expect(try titles(source) == ["line"] && rowTexts(source).map { $0[0] } == lines(of: text))
    }

    static let otherTexts = [
        "the    cat sat\n    on a mat\n   and ran\n", "Buy list\n 3 apples\n12 pears\n", "name: Ann\nage: 12\ncity: Bonn\n",
        "From: ann@a.org\nTo: bob@b.org\nSubject: Lunch\n", "TODO: fix the build\nNOTE: it is slow\nDONE: ask for reviews\n",
        "services:\n  web:\n    image:   nginx\n    ports:   80\n", "Q:  Who is there?\nA:  Nobody.\nQ:  Who else?\n",
        "He said:  we go home now\nand so they went\nShe said:  not yet\n",
    ]

    @Test(arguments: otherTexts)
    func `17.3: prose, mail headers and nested settings are not read as names with aligned values`(_ text: String) throws {
        #expect(try titles(folder.readTable(text, "t.txt")).first != "name")
    }

    @Test func `17.3: rows of an aligned table keep their columns if each starts with a name and a colon`() throws {
        let source = try folder.readTable(
            "lo:        22661     233    0\neth0:    1234567    9876   12\nwlan10:        5       1    0\n", "t.txt")
        #expect(source.columnCount == 4, "\(titles(source))")
    }
}
