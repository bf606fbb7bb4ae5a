import DelimitedText
import FieldValues
import GridTestSupport
import TableFormats
import Tables
import Testing

/// The columns of output that common commands align below titles.
@Suite struct CommandColumnTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `17.3: a title of two words stays one column above short values`() throws {
        let source = try folder.readOutput(
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
        let source = try folder.readOutput(
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
        let interrupts = try folder.readOutput(
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
        let source = try folder.readOutput(
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
        let source = try folder.readOutput(
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
        let pod = try folder.readOutput("NAME   READY   STATUS    RESTARTS      AGE\ndb-0   1/1     Running   1 (3d ago)    10d\n")
        #expect(titles(pod) == ["NAME", "READY", "STATUS", "RESTARTS", "AGE"])
        #expect(try rowTexts(pod) == [["db-0", "1/1", "Running", "1 (3d ago)", "10d"]])
        #expect(try folder.readOutput("x  y\n1  2\n") is DelimitedFile, "two lines with one wide gap prove nothing")
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
        let source = try folder.readOutput(text)
        #expect(titles(source) == ["", "UNIT", "LOAD", "ACTIVE", "SUB", "DESCRIPTION"])
        let found = try rowTexts(source)
        #expect(
            found[2] == ["●", "nginx.service", "loaded", "failed", "failed", "A high performance web server and a reverse proxy server"])
        #expect(found.count == 8 && found[4][1] == "systemd-journald.service")
        #expect(found[7].joined().filter { $0 != " " } == "5loadedunitslisted.Pass--alltoseeloadedbutinactiveunits,too.")
        let unmarked = try folder.readOutput(text.replacing("●", with: " "))
        #expect(titles(unmarked) == ["UNIT", "LOAD", "ACTIVE", "SUB", "DESCRIPTION"])
    }

    @Test func `17.3: comments and a first paragraph in capital letters are not titles`() throws {
        for sign in ["#", "//"] {
            let comment = "\(sign) DO NOT EDIT!\n\(sign) This file is generated.\n\(sign)\n\(sign) It has no settings.\n"
            #expect(try titles(folder.readOutput(comment + "\nname = value {\n  other = 1;\n}\n")) == ["line"], "\(sign)")
        }
        let list = "ID NAME\n12 an apple\n13 a pear\n"
        #expect(try titles(folder.readOutput(list + "\nremark\n")) == ["ID", "NAME"])
        #expect(
            try titles(folder.readOutput(list + "\n" + String(repeating: "the text below has more lines\nof prose\n", count: 10))) == [
                "line"
            ])
    }

    @Test func `17.3: blank lines before titles are not records`() throws {
        let text =
            "NAME   READY   STATUS    RESTARTS      AGE\ndb-0   1/1     Running   1 (3d ago)    10d\ndb-1   1/1     Running   0             9d\n"
        for blanks in ["", "\n", "\n\n\n"] {
            let source = try folder.readOutput(blanks + text)
            #expect(titles(source) == ["NAME", "READY", "STATUS", "RESTARTS", "AGE"])
            #expect(try rowTexts(source).map { $0[0] } == ["db-0", "db-1"])
            #expect(try source.lineCount(beforeRecord: 0) == blanks.count + 1)
        }
    }

    @Test func `17.3: the output of free and ss keeps its columns`() throws {
        let memory = try folder.readOutput(
            """
                           total        used        free      shared  buff/cache   available
            Mem:            23Gi       1.2Gi        21Gi       8.6Mi       1.6Gi        22Gi
            Swap:             0B          0B          0B

            """)
        #expect(titles(memory) == ["", "total", "used", "free", "shared", "buff/cache", "available"])
        #expect(try rowTexts(memory)[1] == ["Swap:", "0B", "0B", "0B", "", "", ""])
        let sockets = try folder.readOutput(
            """
            State  Recv-Q Send-Q Local Address:Port    Peer Address:Port Process
            ESTAB  0      0           10.0.0.5:22    192.168.178.20:51522
            ESTAB  0      36          10.0.0.5:22    192.168.178.21:49152
            ESTAB  0      0          127.0.0.1:5432       127.0.0.1:40113

            """)
        #expect(titles(sockets) == ["State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port Process"])
        #expect(try rowTexts(sockets)[1] == ["ESTAB", "0", "36", "10.0.0.5:22", "192.168.178.21:49152"])
        let log = try folder.readOutput(
            """
            2026-11-25T10:00:00.123456789Z Starting server on port 8080
            2026-11-25T10:00:01.223456789Z INFO  connected to db
            2026-11-25T10:00:02.323456789Z WARN  slow query: 1200 ms

            """)
        #expect(titles(log).first == "time")
        #expect(try rowTexts(log)[0].last == "Starting server on port 8080")
    }
}
