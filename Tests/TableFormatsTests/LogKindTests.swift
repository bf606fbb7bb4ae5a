import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Text that no delimiter divides: logs of many programs, lists and prose; and tables that look similar.
@Suite struct LogKindTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ text: String, _ name: String = "t.log", header: Bool? = nil) throws -> any TableSource {
        let source = try FileOpener(dialect: DialectRequest(hasHeader: header)).open(path: folder.file(name, text))
        try source.readAll(threads: 1) { _ in true }
        return source
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    // MARK: - Logs

    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var titles: [String]
        /// The fields of the first line.
        var first: [String]
        /// The fields of the last line.
        var last: [String]
        var testDescription: String { name }
    }

    static let samples: [Sample] = [
        Sample(
            name: "env_logger",
            text: """
                [2024-05-01T12:00:00Z INFO  app::net] listening on 0.0.0.0:8080
                [2024-05-01T12:00:01Z WARN  app::net::tls] certificate expires in 3 days, renew it
                [2024-05-01T12:00:02Z DEBUG app] cache: [a] b
                [2024-05-01T12:00:03Z ERROR app::db] cannot connect: connection refused (os error 111)

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01T12:00:00Z", "INFO", "app::net", "listening on 0.0.0.0:8080"],
            last: ["2024-05-01T12:00:03Z", "ERROR", "app::db", "cannot connect: connection refused (os error 111)"]),
        Sample(
            name: "Python, padded level",
            text: """
                2024-05-01 12:00:00,123 INFO     app.net: request, 250 ms
                2024-05-01 12:00:01,250 WARNING  app.db: slow query: select a, b
                2024-05-01 12:00:02,300 ERROR    app.net: failed
                Traceback (most recent call last):
                  File "app.py", line 3, in <module>
                    main()
                ValueError: a, b
                2024-05-01 12:00:02,301 INFO     app.net: done

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01 12:00:00,123", "INFO", "app.net", "request, 250 ms"],
            last: ["2024-05-01 12:00:02,301", "INFO", "app.net", "done"]),
        Sample(
            name: "Python, dashes",
            text: """
                2024-05-01 12:00:00,123 - root - INFO - service started
                2024-05-01 12:00:01,250 - app.db - WARNING - slow request, 250 ms - a
                2024-05-01 12:00:02,300 - root - INFO - done

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01 12:00:00,123", "INFO", "root", "service started"],
            last: ["2024-05-01 12:00:02,300", "INFO", "root", "done"]),
        Sample(
            name: "Spring Boot",
            text: """
                2024-05-01T12:00:00.123+02:00  INFO 12345 --- [main] c.e.App                  : Starting App v1 using Java 21
                2024-05-01T12:00:01.456+02:00  WARN 12345 --- [nio-8080-exec-1] o.s.w.s.PageNotFound     : No mapping for GET /a : b
                2024-05-01T12:00:01.789+02:00 ERROR 12345 --- [main] c.e.Db                   : failed

                java.lang.IllegalStateException: no connection
                \tat c.e.Db.open(Db.java:12)
                \tat c.e.App.main(App.java:5)
                2024-05-01T12:00:02.000+02:00  INFO 12345 --- [main] c.e.App                  : Started App in 1.2 seconds

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01T12:00:00.123+02:00", "INFO", "12345 --- [main] c.e.App", "Starting App v1 using Java 21"],
            last: ["2024-05-01T12:00:02.000+02:00", "INFO", "12345 --- [main] c.e.App", "Started App in 1.2 seconds"]),
        Sample(
            name: "PostgreSQL",
            text: """
                2024-05-01 12:00:00.123 CEST [1234] LOG:  starting PostgreSQL 15.6 (Debian 15.6-0+deb12u1) on x86_64
                2024-05-01 12:00:00.124 CEST [1234] LOG:  listening on IPv4 address "127.0.0.1", port 5432
                2024-05-01 12:00:05.001 CEST [1301] ERROR:  syntax error at or near "selec" at character 1
                2024-05-01 12:00:05.001 CEST [1301] STATEMENT:  selec 1
                \tfrom t;
                2024-05-01 12:00:06.500 CEST [1240] FATAL:  terminating connection due to administrator command

                """,
            titles: ["time", "level", "source", "message"],
            first: [
                "2024-05-01 12:00:00.123 CEST", "LOG", "1234", "starting PostgreSQL 15.6 (Debian 15.6-0+deb12u1) on x86_64",
            ],
            last: ["2024-05-01 12:00:06.500 CEST", "FATAL", "1240", "terminating connection due to administrator command"]),
        Sample(
            name: "nginx",
            text: """
                2024/05/01 12:00:00 [error] 123#123: *4 open() "/var/www/a" failed (2: No such file or directory), client: 10.0.0.1
                2024/05/01 12:00:01 [notice] 1#1: using the "epoll" event method
                2024/05/01 12:00:02 [warn] 123#123: *9 an upstream response is buffered

                """,
            titles: ["time", "level", "source", "message"],
            first: [
                "2024/05/01 12:00:00", "error", "123#123",
                "*4 open() \"/var/www/a\" failed (2: No such file or directory), client: 10.0.0.1",
            ],
            last: ["2024/05/01 12:00:02", "warn", "123#123", "*9 an upstream response is buffered"]),
        Sample(
            name: "dmesg",
            text: """
                [    0.000000] Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0)
                [    0.000000] Command line: BOOT_IMAGE=/boot/vmlinuz-6.1.0-18-amd64 root=UUID=1 ro quiet
                [    0.004000] BIOS-provided physical RAM map:
                [   12.345678] usb 1-1: new high-speed USB device number 2 using xhci_hcd
                [  100.000001]  indented, a, b

                """,
            titles: ["time", "message"],
            first: [
                "0.000000", "Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0)",
            ],
            last: ["100.000001", " indented, a, b"]),
        Sample(
            name: "dmesg -T",
            text: """
                [Wed May  1 12:00:00 2024] Linux version 6.1.0-18-amd64
                [Wed May  1 12:00:00 2024] Command line: BOOT_IMAGE=/boot/vmlinuz-6.1.0-18-amd64 root=UUID=1 ro quiet
                [Wed May 15 12:00:03 2024] EXT4-fs (sda1): mounted filesystem with ordered data mode. Quota mode: none.

                """,
            titles: ["time", "message"], first: ["Wed May  1 12:00:00 2024", "Linux version 6.1.0-18-amd64"],
            last: [
                "Wed May 15 12:00:03 2024", "EXT4-fs (sda1): mounted filesystem with ordered data mode. Quota mode: none.",
            ]),
        Sample(
            name: "Rust tracing",
            text: """
                2024-05-01T12:00:00.123456Z  INFO app::net: listening addr=0.0.0.0:8080
                2024-05-01T12:00:00.223456Z DEBUG app::net::http: parsed 3 headers
                2024-05-01T12:00:01.123456Z  WARN app::db: slow query elapsed=1.2s
                2024-05-01T12:00:02.123456Z ERROR app: stopped

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01T12:00:00.123456Z", "INFO", "app::net", "listening addr=0.0.0.0:8080"],
            last: ["2024-05-01T12:00:02.123456Z", "ERROR", "app", "stopped"]),
        Sample(
            name: "Rust tracing with colors",
            text: """
                \u{1B}[2m2024-05-01T12:00:00.123456Z\u{1B}[0m \u{1B}[32m INFO\u{1B}[0m listening on 8080
                \u{1B}[2m2024-05-01T12:00:01.123456Z\u{1B}[0m \u{1B}[33m WARN\u{1B}[0m slow query took a while

                """,
            titles: ["time", "level", "message"], first: ["2024-05-01T12:00:00.123456Z", "INFO", "listening on 8080"],
            last: ["2024-05-01T12:00:01.123456Z", "WARN", "slow query took a while"]),
        Sample(
            name: "log4j",
            text: """
                2024-05-01 12:00:00,123 INFO  [main] com.example.App (App.java:12) - Starting
                2024-05-01 12:00:00,456 DEBUG [pool-1 thread-2] com.example.net.Client (Client.java:88) - GET / - 200
                2024-05-01 12:00:01,000 ERROR [main] com.example.App (App.java:99) - Failed

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01 12:00:00,123", "INFO", "[main] com.example.App (App.java:12)", "Starting"],
            last: ["2024-05-01 12:00:01,000", "ERROR", "[main] com.example.App (App.java:99)", "Failed"]),
        Sample(
            name: "logback",
            text: """
                12:00:00.123 [main] INFO  com.example.App -- Starting the server
                12:00:00.456 [worker-1] DEBUG com.example.net.Client -- GET / -- 200
                12:00:01.000 [main] ERROR com.example.App -- Failed

                """,
            titles: ["time", "level", "context", "source", "message"],
            first: ["12:00:00.123", "INFO", "main", "com.example.App", "Starting the server"],
            last: ["12:00:01.000", "ERROR", "main", "com.example.App", "Failed"]),
        Sample(
            name: "zap",
            text: """
                2024-05-01T12:00:00.000Z\tINFO\tapp/main.go:12\tserver started\t{"port": 8080}
                2024-05-01T12:00:01.000Z\tWARN\tnet/http.go:88\tslow request
                2024-05-01T12:00:02.000Z\tERROR\tapp/main.go:40\tfailed\t{"error": "a, b"}

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01T12:00:00.000Z", "INFO", "app/main.go:12", "server started\t{\"port\": 8080}"],
            last: ["2024-05-01T12:00:02.000Z", "ERROR", "app/main.go:40", "failed\t{\"error\": \"a, b\"}"]),
        Sample(
            name: "loguru",
            text: """
                2024-05-01 12:00:00.123 | INFO     | __main__:<module>:12 - Hello
                2024-05-01 12:00:00.456 | WARNING  | app.net:fetch:88 - slow | retry
                2024-05-01 12:00:01.789 | SUCCESS  | app.net:fetch:90 - done

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01 12:00:00.123", "INFO", "__main__:<module>:12", "Hello"],
            last: ["2024-05-01 12:00:01.789", "SUCCESS", "app.net:fetch:90", "done"]),
        Sample(
            name: "klog",
            text: """
                I0501 12:00:00.123456       1 server.go:12] Starting the controller
                W0501 12:00:01.123456       1 reflector.go:424] watch closed: [a] b
                E0501 12:00:02.123456     999 controller.go:7] sync failed

                """,
            titles: ["time", "level", "source", "message"],
            first: ["0501 12:00:00.123456", "I", "1 server.go:12", "Starting the controller"],
            last: ["0501 12:00:02.123456", "E", "999 controller.go:7", "sync failed"]),
        Sample(
            name: "Elasticsearch",
            text: """
                [2024-05-01T12:00:00,123][INFO ][o.e.n.Node               ] [node-1] version[8.13.0], pid[1]
                [2024-05-01T12:00:01,456][WARN ][o.e.c.r.a.DiskThreshold  ] [node-1] high disk watermark exceeded
                [2024-05-01T12:00:02,789][DEBUG][o.e.a.s.Action           ] [node-1] ok

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01T12:00:00,123", "INFO", "o.e.n.Node", "[node-1] version[8.13.0], pid[1]"],
            last: ["2024-05-01T12:00:02,789", "DEBUG", "o.e.a.s.Action", "[node-1] ok"]),
        Sample(
            name: "Kafka",
            text: """
                [2024-05-01 12:00:00,123] INFO Registered kafka:type=kafka.Log4jController MBean (kafka.utils.Log4jController)
                [2024-05-01 12:00:01,123] WARN starting, with a delay (kafka.server.KafkaServer)
                [2024-05-01 12:00:02,123] INFO shut down (kafka.server.KafkaServer)

                """,
            titles: ["time", "level", "message"],
            first: [
                "2024-05-01 12:00:00,123", "INFO", "Registered kafka:type=kafka.Log4jController MBean (kafka.utils.Log4jController)",
            ],
            last: ["2024-05-01 12:00:02,123", "INFO", "shut down (kafka.server.KafkaServer)"]),
        Sample(
            name: "Spark",
            text: """
                24/05/01 12:00:00 INFO SparkContext: Running Spark version 3.5.1
                24/05/01 12:00:01 WARN Utils: Service 'SparkUI' could not bind on port 4040, attempting port 4041.
                24/05/01 12:00:02 INFO BlockManager: Removed

                """,
            titles: ["time", "level", "source", "message"],
            first: ["24/05/01 12:00:00", "INFO", "SparkContext", "Running Spark version 3.5.1"],
            last: ["24/05/01 12:00:02", "INFO", "BlockManager", "Removed"]),
        Sample(
            name: "Apache error log",
            text: """
                [Wed Oct 11 14:32:52.123456 2023] [core:error] [pid 35708:tid 4328636416] [client 72.15.99.187] File does not exist: /favicon.ico
                [Wed Oct 11 14:33:00.000001 2023] [mpm_event:notice] [pid 1:tid 2] AH00489: Apache/2.4.57 configured

                """,
            titles: ["time", "level", "context", "source", "message"],
            first: [
                "Wed Oct 11 14:32:52.123456 2023", "error", "core", "pid 35708:tid 4328636416",
                "[client 72.15.99.187] File does not exist: /favicon.ico",
            ],
            last: [
                "Wed Oct 11 14:33:00.000001 2023", "notice", "mpm_event", "pid 1:tid 2", "AH00489: Apache/2.4.57 configured",
            ]),
        Sample(
            name: "MySQL",
            text: """
                2024-05-01T12:00:00.123456Z 0 [Note] [MY-010051] [Server] mysqld: ready for connections.
                2024-05-01T12:00:01.123456Z 8 [Warning] [MY-013360] [Server] Plugin sha256_password is deprecated
                2024-05-01T12:00:02.123456Z 0 [ERROR] [MY-010119] [Server] Aborting

                """,
            titles: ["time", "level", "context", "source", "message"],
            first: ["2024-05-01T12:00:00.123456Z", "Note", "0", "MY-010051", "[Server] mysqld: ready for connections."],
            last: ["2024-05-01T12:00:02.123456Z", "ERROR", "0", "MY-010119", "[Server] Aborting"]),
        Sample(
            name: "Serilog",
            text: """
                [12:00:00 INF] Now listening on: http://localhost:5000
                [12:00:01 WRN] The cache is cold, and requests are slow
                [12:00:02 ERR] Failed [a]

                """,
            titles: ["time", "level", "message"], first: ["12:00:00", "INF", "Now listening on: http://localhost:5000"],
            last: ["12:00:02", "ERR", "Failed [a]"]),
        Sample(
            name: "Tomcat",
            text: """
                01-May-2024 12:00:00.123 INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [1234] milliseconds
                01-May-2024 12:00:01.000 SEVERE [http-nio-8080-exec-1] org.apache.catalina.core.StandardWrapperValve.invoke Failed

                """,
            titles: ["time", "level", "source", "message"],
            first: [
                "01-May-2024 12:00:00.123", "INFO", "main",
                "org.apache.catalina.startup.Catalina.start Server startup in [1234] milliseconds",
            ],
            last: [
                "01-May-2024 12:00:01.000", "SEVERE", "http-nio-8080-exec-1",
                "org.apache.catalina.core.StandardWrapperValve.invoke Failed",
            ]),
        Sample(
            name: "Gunicorn",
            text: """
                [2024-05-01 12:00:00 +0000] [1234] [INFO] Starting gunicorn 21.2.0
                [2024-05-01 12:00:01 +0000] [1235] [WARNING] Worker with pid 12 was terminated

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01 12:00:00 +0000", "INFO", "1234", "Starting gunicorn 21.2.0"],
            last: ["2024-05-01 12:00:01 +0000", "WARNING", "1235", "Worker with pid 12 was terminated"]),
        Sample(
            name: "Airflow",
            text: """
                [2024-05-01, 12:00:00 UTC] {taskinstance.py:1157} INFO - Dependencies all met
                [2024-05-01, 12:00:01 UTC] {taskinstance.py:1159} WARNING - x, y

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01, 12:00:00 UTC", "INFO", "{taskinstance.py:1157}", "Dependencies all met"],
            last: ["2024-05-01, 12:00:01 UTC", "WARNING", "{taskinstance.py:1159}", "x, y"]),
        Sample(
            name: "SQL Server",
            text: """
                2024-05-01 12:00:00.12 Server      Microsoft SQL Server 2019 (RTM) - 15.0
                2024-05-01 12:00:00.13 Server      UTC adjustment: 2:00
                2024-05-01 12:00:01.12 spid7s      Starting up database 'master'.

                """,
            titles: ["time", "message"],
            first: ["2024-05-01 12:00:00.12", "Server      Microsoft SQL Server 2019 (RTM) - 15.0"],
            last: ["2024-05-01 12:00:01.12", "spid7s      Starting up database 'master'."]),
        Sample(
            name: "Celery",
            text: """
                [2024-05-01 12:00:00,123: INFO/MainProcess] Connected to redis://localhost:6379/0
                [2024-05-01 12:00:01,123: WARNING/ForkPoolWorker-1] slow, a bit

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01 12:00:00,123", "INFO", "MainProcess", "Connected to redis://localhost:6379/0"],
            last: ["2024-05-01 12:00:01,123", "WARNING", "ForkPoolWorker-1", "slow, a bit"]),
        Sample(
            name: "Ruby",
            text: """
                I, [2024-05-01T12:00:00.123456 #1234]  INFO -- : Started GET "/" for 127.0.0.1
                E, [2024-05-01T12:00:01.123456 #1234] ERROR -- web: Failed, twice

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01T12:00:00.123456", "I", "#1234", " INFO -- : Started GET \"/\" for 127.0.0.1"],
            last: ["2024-05-01T12:00:01.123456", "E", "#1234", "ERROR -- web: Failed, twice"]),
        Sample(
            name: "Android",
            text: """
                05-01 12:00:00.123  1234  5678 I ActivityManager: Start proc 99:com.example
                05-01 12:00:01.123  1234  5678 W System.err: java.io.IOException: no route
                05-01 12:00:02.123 12345 15678 E zygote: failed

                """,
            titles: ["time", "level", "context", "source", "message"],
            first: ["05-01 12:00:00.123", "I", "1234  5678", "ActivityManager", "Start proc 99:com.example"],
            last: ["05-01 12:00:02.123", "E", "12345 15678", "zygote", "failed"]),
        Sample(
            name: "PHP",
            text: """
                [01-May-2024 12:00:00 UTC] PHP Warning:  Undefined variable $a in /var/www/a.php on line 3
                [01-May-2024 12:00:01 Europe/Berlin] PHP Notice:  x, y
                [01-May-2024 12:00:02 UTC] PHP Fatal error:  Uncaught Error: z

                """,
            titles: ["time", "level", "source", "message"],
            first: ["01-May-2024 12:00:00 UTC", "Warning", "PHP", "Undefined variable $a in /var/www/a.php on line 3"],
            last: ["01-May-2024 12:00:02 UTC", "error", "PHP Fatal", "Uncaught Error: z"]),
        Sample(
            name: "Winston",
            text: """
                2024-05-01T12:00:00.000Z [info]: listening on 3000
                2024-05-01T12:00:01.000Z [warn]: slow, a bit

                """,
            titles: ["time", "level", "message"], first: ["2024-05-01T12:00:00.000Z", "info", "listening on 3000"],
            last: ["2024-05-01T12:00:01.000Z", "warn", "slow, a bit"]),
        Sample(
            name: "Laravel",
            text: """
                [2024-05-01 12:00:00] local.ERROR: Undefined variable $a {"exception":"[object]"}
                [stacktrace]
                [2024-05-01 12:00:01] local.INFO: done

                """,
            titles: ["time", "message"],
            first: ["2024-05-01 12:00:00", "local.ERROR: Undefined variable $a {\"exception\":\"[object]\"}"],
            last: ["2024-05-01 12:00:01", "local.INFO: done"]),
        Sample(
            name: "dpkg",
            text: """
                2024-05-01 12:00:00 startup archives unpack
                2024-05-01 12:00:00 upgrade libsystemd0:amd64 252.36-1~deb12u1 252.38-1~deb12u1
                2024-05-01 12:00:01 status half-configured libsystemd0:amd64 252.36-1~deb12u1

                """,
            titles: ["time", "message"], first: ["2024-05-01 12:00:00", "startup archives unpack"],
            last: ["2024-05-01 12:00:01", "status half-configured libsystemd0:amd64 252.36-1~deb12u1"]),
        Sample(
            name: "ts",
            text: """
                May 01 12:00:00 starting the build
                May 01 12:00:01 [1/2] compiling: a.c
                May 01 12:00:02 done

                """,
            titles: ["time", "message"], first: ["May 01 12:00:00", "starting the build"], last: ["May 01 12:00:02", "done"]),
        Sample(
            name: "PostgreSQL with users",
            text: """
                2024-05-01 12:00:00 UTC [1234]: [1-1] user=ann,db=shop LOG:  duration: 12.5 ms
                2024-05-01 12:00:01 UTC [1234]: [2-1] user=ann,db=shop ERROR:  relation "t" does not exist

                """,
            titles: ["time", "level", "source", "message"],
            first: ["2024-05-01 12:00:00 UTC", "LOG", "[1234]: [1-1] user=ann,db=shop", "duration: 12.5 ms"],
            last: ["2024-05-01 12:00:01 UTC", "ERROR", "[1234]: [2-1] user=ann,db=shop", "relation \"t\" does not exist"]),
        Sample(
            name: "Go",
            text: """
                2024/05/01 12:00:00 listening on :8080
                2024/05/01 12:00:01 http: TLS handshake error from 10.0.0.1:5000: EOF
                2024/05/01 12:00:02 done

                """,
            titles: ["time", "message"], first: ["2024/05/01 12:00:00", "listening on :8080"], last: ["2024/05/01 12:00:02", "done"]),
        Sample(
            name: "times of a container",
            text: """
                2024-05-01T12:00:00.123456789Z starting the server now
                2024-05-01T12:00:00.223456789Z   indented text
                2024-05-01T12:00:01.123456789Z ready

                """,
            titles: ["time", "message"], first: ["2024-05-01T12:00:00.123456789Z", "starting the server now"],
            last: ["2024-05-01T12:00:01.123456789Z", "ready"]),
    ]

    @Test("17.A3: logs that begin with a time have the columns time, level and message", arguments: samples) func log(_ sample: Sample)
        throws
    {
        let source = try open(sample.text)
        #expect(titles(source) == sample.titles, "\(source.facts)")
        let found = try rowTexts(source)
        let lines = lines(sample.text)
        try #require(found.count == lines.count && !found.isEmpty)
        #expect(found[0] == sample.first)
        #expect(found[found.count - 1] == sample.last)
        // Lines of another form, such as stack traces, have only a message.
        for (line, fields) in zip(lines, found) where line.first.map({ $0.isWhitespace || $0.isLetter }) == true && fields[0].isEmpty {
            #expect(fields.last == line && fields.dropLast().allSatisfy(\.isEmpty))
        }
        #expect(source.facts.contains { $0 == ("format", "log") })
    }

    @Test("17.A3: the time of a log is a date") func timeKind() throws {
        for sample in Self.samples where ["Python, padded level", "Spring Boot", "nginx", "Rust tracing"].contains(sample.name) {
            #expect(try open(sample.text).profiles(budgetMilliseconds: 0)[0].kind == .dateTime, "\(sample.name)")
        }
    }

    @Test("17.A3: a later line that does not fit keeps all its bytes") func laterLines() throws {
        let regular = (0..<6_000).map { "2024-05-01 12:00:00,\(100 + $0 % 900) INFO     app.net: request \($0), 250 ms" }
        let odd = [
            "2024-05-01 12:00:00,100 INFO     no source here", "2024-05-01 12:00:00,100 no level: a, b", "\tat c.e.Db.open(Db.java:12)",
            "INFO x",
            "2024-05-01 12:00:00,100", "2024-05-01", "[", "x\u{1F}y, \"z", "2024-05-01 12:00:00,100 ERROR", "2024-05-01 12:00:00,100,5",
        ]
        let source = try open((regular + odd + [regular[0]]).joined(separator: "\n") + "\n")
        #expect(source.snapshot().isComplete && source.byteCount > 300_000)
        let found = try rowTexts(source)
        try #require(found.count == regular.count + odd.count + 1)
        #expect(found[5_999] == ["2024-05-01 12:00:00,\(100 + 5_999 % 900)", "INFO", "app.net", "request 5999, 250 ms"])
        #expect(
            Array(found[6_000...]) == [
                ["2024-05-01 12:00:00,100", "INFO", "", "no source here"], ["2024-05-01 12:00:00,100", "", "", "no level: a, b"],
                ["", "", "", "\tat c.e.Db.open(Db.java:12)"], ["", "", "", "INFO x"], ["2024-05-01 12:00:00,100", "", "", ""],
                ["", "", "", "2024-05-01"], ["", "", "", "["], ["", "", "", "x\u{1F}y, \"z"], ["2024-05-01 12:00:00,100", "ERROR", "", ""],
                ["", "", "", "2024-05-01 12:00:00,100,5"], found[0],
            ])
    }

    @Test("17.A3: no byte of a log is lost, apart from separators", arguments: 0..<35) func allBytes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Repeated lines of SQL Server are aligned, like a table.
        let samples = Self.samples.filter { $0.name != "SQL Server" }
        let sample = samples[Int(seed) % samples.count]
        var changed: [String] = []
        let pieces = ["[", "]", "] ", ": ", " - ", "INFO", " ", "x", "12:00:00", "ü", "\t", "|", "\u{1F}", "\"", ","]
        for _ in 0..<40 {
            for line in lines(sample.text) {
                var letters = Array(line)
                for _ in 0..<Int.random(in: 1...4, using: &random) where !letters.isEmpty {
                    let index = letters.indices.randomElement(using: &random)!
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: letters.remove(at: index)
                    case 1: letters.insert(contentsOf: pieces.randomElement(using: &random)!, at: index)
                    default: letters.removeSubrange(index...)
                    }
                }
                changed.append(String(letters))
            }
        }
        let intact = (0..<800).flatMap { _ in lines(sample.text) }
        let source = try open((intact + changed).joined(separator: "\n") + "\n")
        #expect(titles(source) == sample.titles)
        let found = try rowTexts(source)
        try #require(found.count == intact.count + changed.count)
        // The separators of some programs, and the escape sequences of colors.
        let separators = " \t[]()<>-|:" + (["Ruby": ",", "Celery": "/"][sample.name] ?? "")
        func letters(_ text: String) -> [UInt8] {
            text.replacing(/\u{1B}\[[0-9;]*m/, with: "").utf8.filter { !separators.utf8.contains($0) }.sorted()
        }
        for (line, fields) in zip(intact + changed, found) where letters(fields.joined()) != letters(line) {
            Issue.record("\(line) → \(fields)")
        }
        var conformance = TableConformance(
            source: source, rows: try rows(source).map { $0.allSatisfy { $0 == nil } ? [] : $0 }, random: random)
        try conformance.check(source.snapshot(), steps: 4)
    }

    // MARK: - Lists

    static let lists = [
        "https://a.org/x?y=1\nhttps://b.org/z\nhttp://c.org/\n", "a, b.txt\nc.txt\nd.txt\ne.txt\nf.txt\n", "x\ny:1\nz\n",
        "CHANGELOG.md\nCONTRIBUTING.md\nLICENSE\nMakefile\nPackage.swift\nREADME.md\nSources\n",
        "  main\n* wt-logs\n  feature/one\n  remotes/origin/main\n", "apple\nbanana\ncherry\n",
        "My Song.mp3\nOther Song.mp3\nThird One.mp3\n",
        "name\nAlice\nBob\n", "3\n1\n2\n", "it's\nthe\nlist\n", "/usr/bin/awk\n/usr/bin/sed\n", "one\n",
        "2024-05-01\n2024-05-02\n", "10.0.0.1\nexample.org\n10.0.0.2\n", "Köln\nZürich\n", "a\r\nb\r\n",
    ]

    @Test("17.A3: a list has no header, and its column is named line", arguments: lists) func list(text: String) throws {
        for name in ["t.txt", "list", "words.txt.old"] {
            let source = try open(text, name)
            #expect(titles(source) == ["line"] && !source.hasColumnNames, "\(name): \(source.facts)")
            #expect(try rowTexts(source).map { $0[0] } == lines(text.replacing("\r\n", with: "\n")))
        }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
        try source.readAll(threads: 1) { _ in true }
        #expect(titles(source) == ["line"])
        #expect(try rowTexts(source).count == lines(text.replacing("\r\n", with: "\n")).count)
    }

    @Test("17.A3: a column with a header keeps it") func listsWithHeaders() throws {
        #expect(try titles(open("name\nAlice\nBob\n", "t.csv")) == ["name"])
        #expect(try titles(open("name\nAlice\nBob\n", "T.TSV")) == ["name"])
        #expect(try titles(open("n\n10\n9\n1e3\nabc\n", "t")) == ["n"], "a text above numbers")
        #expect(try titles(open("day\n2024-05-01\n2024-05-02\n", "t")) == ["day"], "a text above dates")
        #expect(try titles(open("\"name\"\n\"Alice\"\n", "t")) == ["name"], "quotes")
        #expect(try open("name\nAlice\nBob\n", "t", header: true).title(ofColumn: 0) == "name")
        #expect(try rowTexts(open("name\nAlice\nBob\n", "t", header: true)) == [["Alice"], ["Bob"]])
        #expect(try rowTexts(open("name\nAlice\nBob\n", "t", header: false)) == [["name"], ["Alice"], ["Bob"]])
        #expect(try rowTexts(open("name\nAlice\nBob\n", "t.csv", header: false)) == [["name"], ["Alice"], ["Bob"]])
        #expect(try open("", "t").columnCount == 0)
        let compressed = try folder.file("t.csv.gz", "name\nAlice\nBob\n")
        #expect(try titles(FileOpener().open(path: compressed)) == ["name"], "the suffix before that of a compression")
    }

    @Test("17.A3: a list with later delimiters stays one column") func longList() throws {
        let words = (0..<60_000).map { "word\($0)" } + ["a, b", "\"c\", d", "e;f|g", "x y z"]
        let source = try open(words.joined(separator: "\n") + "\n", "words.txt")
        #expect(titles(source) == ["line"])
        #expect(try rowTexts(source).map { $0[0] } == words)
    }

    // MARK: - Prose

    static let proses = [
        "the quick brown fox\njumps over the lazy\n", "roses are red\nviolets are blue\nsugar is sweet\n",
        "one two\nthree four\nfive six\n",
        "Alice went home\nBob stayed here\nnobody knew why\n", "Hello world\n", "We met at noon\nNobody came with us\nThat was the end\n",
        "1. buy some milk\n2. call the bank\n3. write a letter\n", "It rained.  We left.\nThe sun.  All good.\nNo fun.  The end.\n",
        "TODO: fix the build\nTODO: write the tests\nTODO: ask for reviews\n",
    ]

    @Test("17.A3: lines with equally many words are not a table", arguments: proses) func prose(text: String) throws {
        let source = try open(text, "t.txt")
        #expect(titles(source) == ["line"], "\(source.facts)")
        #expect(try rowTexts(source).map { $0[0] } == lines(text))
    }

    // MARK: - Tables

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

    @Test("17.A3: tables that resemble logs and prose stay tables", arguments: tables) func table(_ sample: TableSample) throws {
        let source = try open(sample.text, "t.txt")
        #expect(!source.facts.contains { $0 == ("format", "log") || $0 == ("format", "lines of text") })
        #expect(source.columnCount >= sample.columns, "\(titles(source)) \(source.facts)")
        let last = try #require(rowTexts(source).last)
        if !sample.last.isEmpty { #expect(last.filter { !$0.isEmpty } == sample.last) }
        if !sample.titles.isEmpty { #expect(titles(source) == sample.titles) }
    }

    @Test("17.A3: a printed data frame has a header without a title for its index") func frames() throws {
        let pandas = try open(
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
        let r = try open(
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
        let noHeader = try open("     b   3\n     c   4\nx    d   5\n", "t.txt")
        #expect(!noHeader.hasColumnNames)
    }

    @Test("17.A3: a table of checksums has no header") func checksums() throws {
        let sample = try #require(Self.tables.first { $0.name == "sha256sum" })
        let source = try open(sample.text, "t")
        #expect(try !source.hasColumnNames && rows(source).count == 3)
    }

    @Test("17.A3: a log is read from a pipe, and in other formats on request") func requests() throws {
        let text = Self.samples[1].text
        #expect(try FileOpener(format: "delimited").open(path: folder.file("a.log", text)) is DelimitedFile)
        #expect(try titles(FileOpener(format: "lines").open(path: folder.file("a.log", text))) == ["line"])
        #expect(try open(text, "a.csv") is DelimitedFile, "the suffix of delimited text")
        #expect(try titles(FileOpener(format: "log").open(path: folder.file("b.log", "no time\nat all\n"))) == ["time", "message"])
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        try source.readAll(threads: 1) { _ in true }
        #expect(titles(source) == Self.samples[1].titles)
    }

    @Test("17.A3: a log that grows keeps its columns") func growth() throws {
        let path = try folder.file("g.log", Self.samples[0].text)
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 1) { _ in true }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("[2024-05-01T12:00:04Z INFO  app] end\n".utf8))
        try handle.close()
        let accept = try #require(source.growth(asOf: try FileOpener().open(path: path)))
        accept()
        try source.readAll(threads: 1) { _ in true }
        #expect(try rowTexts(source).last == ["2024-05-01T12:00:04Z", "INFO", "app", "end"])
        let tail = try source.tail(atLeast: 1)
        #expect(tail.records.last?.fields.map(\.text) == ["2024-05-01T12:00:04Z", "INFO", "app", "end"])
    }
}
