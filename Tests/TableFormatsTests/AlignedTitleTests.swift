import DelimitedText
import GridTestSupport
import TableFormats
import Tables
import Testing

/// Titles with blanks, titles without a blank between them, and trees in the aligned output of commands.
@Suite struct AlignedTitleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var titles: [String]
        /// The number of a row, and its fields.
        var row: Int
        var fields: [String]
        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "ss -tlnp",
            text: """
                State  Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
                LISTEN 0      4096   127.0.0.53%lo:53         0.0.0.0:*    users:(("systemd-resolve",pid=612,fd=14))
                LISTEN 0      128          0.0.0.0:22         0.0.0.0:*    users:(("sshd",pid=845,fd=3))
                LISTEN 0      511          0.0.0.0:80         0.0.0.0:*    users:(("nginx",pid=901,fd=6),("nginx",pid=900,fd=6))
                LISTEN 0      128             [::]:22            [::]:*

                """,
            titles: ["State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port", "Process"], row: 1,
            fields: ["LISTEN", "0", "128", "0.0.0.0:22", "0.0.0.0:*", "users:((\"sshd\",pid=845,fd=3))"]),
        Sample(
            name: "ss -tlnp with wide columns",
            text: """
                State           Recv-Q          Send-Q                   Local Address:Port                   Peer Address:PortProcess
                LISTEN          0               4096                     127.0.0.53%lo:53                          0.0.0.0:*    users:(("a",pid=6))
                LISTEN          0               128                            0.0.0.0:22                          0.0.0.0:*    users:(("b",pid=8))

                """,
            titles: ["State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port", "Process"], row: 1,
            fields: ["LISTEN", "0", "128", "0.0.0.0:22", "0.0.0.0:*", "users:((\"b\",pid=8))"]),
        Sample(
            name: "ss -tulnp",
            text: """
                Netid State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
                udp   UNCONN 0      0      127.0.0.53%lo:53        0.0.0.0:*    users:(("systemd-resolve",pid=612,fd=13))
                tcp   LISTEN 0      128          0.0.0.0:22        0.0.0.0:*

                """,
            titles: ["Netid", "State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port", "Process"], row: 1,
            fields: ["tcp", "LISTEN", "0", "128", "0.0.0.0:22", "0.0.0.0:*", ""]),
        Sample(
            name: "ss -tln with one socket",
            text: """
                State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
                LISTEN 0      128          0.0.0.0:2024      0.0.0.0:*

                """,
            titles: ["State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:PortProcess"], row: 0,
            fields: ["LISTEN", "0", "128", "0.0.0.0:2024", "0.0.0.0:*"]),
        Sample(
            name: "ss -xlp",
            text: """
                Netid State  Recv-Q Send-Q                  Local Address:Port  Peer Address:PortProcess
                u_str LISTEN 0      4096             /run/systemd/private 14527            * 0    users:(("systemd",pid=1,fd=20))
                u_str LISTEN 0      4096                 /run/dbus/socket 15731            * 0    users:(("dbus",pid=5,fd=3))

                """,
            titles: ["Netid", "State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port", "Process"], row: 1,
            fields: ["u_str", "LISTEN", "0", "4096", "/run/dbus/socket 15731", "* 0", "users:((\"dbus\",pid=5,fd=3))"]),
        Sample(
            name: "lsblk with a disk and a partition",
            text: """
                NAME   MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT
                sda      8:0    0  100G  0 disk
                └─sda1   8:1    0  100G  0 part /

                """,
            titles: ["NAME", "MAJ:MIN", "RM", "SIZE", "RO", "TYPE", "MOUNTPOINT"], row: 1,
            fields: ["└─sda1", "8:1", "0", "100G", "0", "part", "/"]),
        Sample(
            name: "lsblk with two disks",
            text: """
                NAME  MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS
                zram0 253:0    0    0B  0 disk
                vda   254:0    0  256G  0 disk /

                """,
            titles: ["NAME", "MAJ:MIN", "RM", "SIZE", "RO", "TYPE", "MOUNTPOINTS"], row: 0,
            fields: ["zram0", "253:0", "0", "0B", "0", "disk", ""]),
        Sample(
            name: "lsblk with a nested tree",
            text: """
                NAME                      MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS
                nvme0n1                   259:0    0 953.9G  0 disk
                ├─nvme0n1p1               259:1    0     1G  0 part /boot/efi
                └─nvme0n1p3               259:3    0 950.8G  0 part
                  └─ubuntu--vg-ubuntu--lv 253:0    0   100G  0 lvm  /

                """,
            titles: ["NAME", "MAJ:MIN", "RM", "SIZE", "RO", "TYPE", "MOUNTPOINTS"], row: 3,
            fields: ["  └─ubuntu--vg-ubuntu--lv", "253:0", "0", "100G", "0", "lvm", "/"]),
        Sample(
            name: "ps aux --forest",
            text: """
                USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
                root           1  0.0  0.1 167352 12988 ?        Ss   Nov25   0:07 /sbin/init
                root        2210  0.0  0.1  17180 10844 ?        Ss   08:01   0:00  \\_ sshd: ann [priv]
                ann         2290  0.0  0.0  17312  7992 ?        S    08:01   0:00  |   \\_ sshd: ann@pts/0
                ann         3353  166  3.0 21475325988 1221620 ? Sl   08:01   0:00  |       \\_ /opt/chrome --type=renderer
                ann         3001  0.0  0.0  11304  3480 pts/0    R+   08:07   0:00  \\_ ps aux --forest

                """,
            titles: ["USER", "PID", "%CPU", "%MEM", "VSZ", "RSS", "TTY", "STAT", "START", "TIME", "COMMAND"], row: 3,
            fields: [
                "ann", "3353", "166", "3.0", "21475325988", "1221620", "?", "Sl", "08:01", "0:00",
                " |       \\_ /opt/chrome --type=renderer",
            ]),
        Sample(
            name: "ps f",
            text: """
                    PID TTY      STAT   TIME COMMAND
                   2291 pts/0    Ss     0:00 -bash
                   3001 pts/0    R+     0:00  \\_ ps f
                   3002 pts/0    S+     0:00  \\_ less

                """, titles: ["PID", "TTY", "STAT", "TIME", "COMMAND"], row: 2, fields: ["3002", "pts/0", "S+", "0:00", " \\_ less"]),
        Sample(
            name: "findmnt",
            text: """
                TARGET                  SOURCE   FSTYPE OPTIONS
                /                       /dev/vda ext4   rw,relatime
                ├─/proc                 proc     proc   rw,relatime
                └─/sys                  sysfs    sysfs  rw,relatime
                  └─/sys/fs/cgroup      tmpfs    tmpfs  rw,relatime,mode=755

                """, titles: ["TARGET", "SOURCE", "FSTYPE", "OPTIONS"], row: 3,
            fields: ["  └─/sys/fs/cgroup", "tmpfs", "tmpfs", "rw,relatime,mode=755"]),
        Sample(
            name: "netstat -tuln without its first line",
            text: """
                Proto Recv-Q Send-Q Local Address           Foreign Address         State
                tcp        0      0 0.0.0.0:22              0.0.0.0:*               LISTEN
                udp        0      0 127.0.0.53:53           0.0.0.0:*

                """, titles: ["Proto", "Recv-Q", "Send-Q", "Local Address", "Foreign Address", "State"], row: 1,
            fields: ["udp", "0", "0", "127.0.0.53:53", "0.0.0.0:*", ""]),
    ]

    /// Expects that the fields of each row have the characters of its line, without blanks between fields.
    private func expectText(of lines: ArraySlice<String>, _ rows: [[String]]) {
        #expect(rows.count == lines.count)
        for (line, row) in zip(lines, rows) {
            #expect(row.joined().filter { $0 != " " } == line.filter { $0 != " " }, "\(row)")
        }
    }

    @Test(arguments: samples)
    func `17.3: column titles keep their blanks, and branches of a process tree keep their indentation`(_ sample: Sample) throws {
        let source = try folder.readTable(sample.text, "output")
        #expect(titles(source) == sample.titles && source.hasColumnNames && source.suggestions == [], "\(source.details)")
        let found = try rowTexts(source)
        #expect(found.dropFirst(sample.row).first == sample.fields)
        expectText(of: lines(of: sample.text).dropFirst(), found)
        let untitled = try folder.readTable(sample.text, "output", header: false)
        #expect(untitled.columnCount == sample.titles.count)
        try expectText(of: lines(of: sample.text)[...], rowTexts(untitled))
    }

    @Test(arguments: samples)
    func `17.3: rows beyond the sample have the same columns, and other lines lose no character`(_ sample: Sample) throws {
        let header = lines(of: sample.text)[0]
        let data = lines(of: sample.text).dropFirst()
        let all = (0..<20_000).map { data[1 + $0 % data.count] } + ["", "another line, which is not part of the table", "a   b    c  d"]
        let source = try folder.readTable(header + "\n" + all.joined(separator: "\n") + "\n", "output")
        #expect(titles(source) == sample.titles)
        let found = try rowTexts(source)
        expectText(of: all[...], found)
        #expect(found[19_000 / data.count * data.count + sample.row] == sample.fields)
    }

    @Test(arguments: [2, 200])
    func `17.4: the output of netstat opens as its first table, and the lines of its second table are reported`(sockets: Int) throws {
        let text = """
            Active Internet connections (servers and established)
            Proto Recv-Q Send-Q Local Address           Foreign Address         State
            tcp        0      0 0.0.0.0:2024            0.0.0.0:*               LISTEN
            tcp        0     36 10.0.0.5:22             192.168.178.21:49152    ESTABLISHED
            Active UNIX domain sockets (servers and established)
            Proto RefCnt Flags       Type       State         I-Node   Path

            """
        let socket = """
            unix  3      [ ]         STREAM     CONNECTED     5769
            unix  2      [ ACC ]     STREAM     LISTENING     15734    /run/user/1000/systemd/private

            """
        let all = text + String(repeating: socket, count: sockets / 2)
        let source = try folder.readTable(all, "output")
        #expect(titles(source) == ["Proto", "Recv-Q", "Send-Q", "Local Address", "Foreign Address", "State"] && source.suggestions == [])
        #expect(
            try rowTexts(source) == [
                ["tcp", "0", "0", "0.0.0.0:2024", "0.0.0.0:*", "LISTEN"],
                ["tcp", "0", "36", "10.0.0.5:22", "192.168.178.21:49152", "ESTABLISHED"],
            ])
        #expect(source.problems == ["\(sockets + 2) lines after the table are left out"])
        #expect(source.conversions.map(\.isLoss) == [true])
        #expect(source.details.contains { $0 == ("caption", "Active Internet connections (servers and established)") })
        // Without its first line, the first table ends at the same place. The second table is read after the first one is skipped.
        func skipping(_ lines: Int) throws -> any TableSource {
            let source = try FileOpener(dialect: DialectRequest(skipLines: lines)).open(path: folder.file("output", all))
            try source.readAll(threads: 1) { _ in true }
            return source
        }
        #expect(try rowTexts(skipping(1)) == rowTexts(source) && skipping(1).problems == source.problems)
        let second = try skipping(4)
        #expect(titles(second) == ["Proto", "RefCnt", "Flags", "Type", "State", "I-Node", "Path"] && second.problems == [])
        #expect(try rowTexts(second).last == ["unix", "2", "[ ACC ]", "STREAM", "LISTENING", "15734", "/run/user/1000/systemd/private"])
        #expect(try titles(FileOpener(format: "lines").open(path: folder.file("output", all))) == ["line"])
    }

    @Test func `17.4: the second table of netstat is found beyond the sample`() throws {
        let text = """
            Active Internet connections (w/o servers)
            Proto Recv-Q Send-Q Local Address           Foreign Address         State

            """
        let row = "tcp        0     36 10.0.0.5:22             192.168.178.21:49152    ESTABLISHED\n"
        let all = text + String(repeating: row, count: 5_000) + "Active UNIX domain sockets (w/o servers)\nProto RefCnt\nunix  2\n"
        let source = try folder.readTable(all, "output")
        #expect(try rowTexts(source).count == 5_000 && source.problems == ["3 lines after the table are left out"])
    }

    @Test func `17.4: a row that looks like a caption of netstat does not end the table`() throws {
        let rows = [
            "Inactive     12  (old)", "Inactive     13  (old)", "Active       14  (new)", "Active connections (15) (new)",
            "Inactive     16  (old)",
        ]
        let other = try folder.readTable("Status    Count  Note\n" + rows.joined(separator: "\n") + "\n", "output")
        #expect(other.snapshot().recordCount + (other.hasColumnNames ? 1 : 0) == 6 && other.problems == [])
        // A row beyond the sample.
        let text = """
            Active Internet connections (w/o servers)
            Proto Recv-Q Send-Q Local Address           Foreign Address         State

            """
        let row = "tcp        0     36 10.0.0.5:22             192.168.178.21:49152    ESTABLISHED\n"
        for line in ["Active     5     36 10.0.0.5:22             192.168.178.21:49152    (new)", "Active open connections (new)"] {
            let source = try folder.readTable(text + String(repeating: row, count: 2_000) + line + "\n" + row + line + "\n", "output")
            #expect(source.snapshot().recordCount == 2_003 && source.problems == [], "\(line)")
        }
    }

    @Test func `17.4: the repeated tables of netstat -c are read`() throws {
        let first = """
            Active Internet connections (w/o servers)
            Proto Recv-Q Send-Q Local Address           Foreign Address         State
            tcp        0     36 10.0.0.5:22             192.168.178.21:49152    ESTABLISHED
            tcp        0      0 10.0.0.5:22             192.168.178.20:51522    ESTABLISHED

            """
        let second =
            "Active UNIX domain sockets (w/o servers)\nProto RefCnt Flags       Type       State         I-Node   Path\n"
            + "unix  3      [ ]         STREAM     CONNECTED     5769\n"
        let source = try folder.readTable(String(repeating: first, count: 3), "output")
        #expect(source.snapshot().recordCount == 6 && source.problems == [])
        let both = try folder.readTable(String(repeating: first + second, count: 1_000), "output")
        #expect(both.snapshot().recordCount == 2_000 && both.problems == ["3,000 lines after the table are left out"])
        #expect(try Set(rowTexts(both).map { $0[0] }) == ["tcp"])
    }

    @Test func `17.3: ordinary text is not mistaken for two-word titles or for branches of a tree`()
        throws
    {
        let source = try folder.readTable(
            """
            Name     Qty   Unit  Note
            apple      3   box   |a| and `b`
            pear      12   bag   \\_ is no branch
            plum     100   bag     - new
            fig        7   box   |

            """, "t.txt")
        #expect(titles(source) == ["Name", "Qty", "Unit", "Note"])
        #expect(try rowTexts(source).map { $0[3] } == ["|a| and `b`", "\\_ is no branch", "- new", "|"])
        // A title without values below it is a column if it is not next to another title.
        let empty = try folder.readTable("Name     Qty   Unit  Note\napple      3         new\npear      12         old\n", "t.txt")
        #expect(titles(empty) == ["Name", "Qty", "Unit", "Note"])
    }

    @Test func `17.3: two-word titles are not detected in a line of many words, because that takes too many comparisons`() throws {
        // The second word of each title is above blanks.
        func titleCount(_ count: Int) throws -> Int {
            let title = "Local Port  "
            let rows = (1...3).map { row in String(repeating: "\(row)           ", count: count) }
            let lines = [String(repeating: title, count: count)] + rows
            let path = try folder.file("t.txt", lines.map { $0 + "\n" }.joined())
            return try FileOpener(format: "fixed-width").open(path: path).columnCount
        }
        #expect(try titleCount(20) == 20)
        #expect(try titleCount(150) == 299, "the last title has no blanks behind its values")
    }
}
