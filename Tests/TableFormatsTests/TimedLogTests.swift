import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Logs of many programs, whose lines begin with a time.
@Suite struct TimedLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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
        Sample(
            name: "Redis",
            text: """
                1:C 12 Sep 2024 08:15:01.123 # Warning: no config file specified
                1:M 12 Sep 2024 08:15:01.127 * Server initialized
                1:M 12 Sep 2024 08:15:01.128 - Accepted 10.0.0.1:5555
                1:signal-handler (1726131000) Received SIGTERM scheduling shutdown...
                21:C 12 Sep 2024 09:15:02.040 . DB saved: 5 keys

                """,
            titles: ["time", "level", "source", "message"],
            first: ["12 Sep 2024 08:15:01.123", "#", "1:C", "Warning: no config file specified"],
            last: ["12 Sep 2024 09:15:02.040", ".", "21:C", "DB saved: 5 keys"]),
    ]

    @Test(arguments: samples) func `17.3: logs that begin with a time have the columns time, level and message`(_ sample: Sample)
        throws
    {
        let source = try folder.readTable(sample.text)
        #expect(titles(source) == sample.titles, "\(source.details)")
        let found = try rowTexts(source)
        let texts = lines(of: sample.text)
        try #require(found.count == texts.count && !found.isEmpty)
        #expect(found[0] == sample.first)
        #expect(found[found.count - 1] == sample.last)
        // Lines of another form, such as stack traces, have only a message.
        for (line, fields) in zip(texts, found) where line.first.map({ $0.isWhitespace || $0.isLetter }) == true && fields[0].isEmpty {
            #expect(fields.last == line && fields.dropLast().allSatisfy(\.isEmpty))
        }
        #expect(source.details.contains { $0 == ("format", "log") })
    }

    @Test func `17.3: the time of a log is a date`() throws {
        for sample in Self.samples where ["Python, padded level", "Spring Boot", "nginx", "Rust tracing"].contains(sample.name) {
            #expect(try folder.readTable(sample.text).profiles(budgetMilliseconds: 0)[0].kind == .dateTime, "\(sample.name)")
        }
    }

    @Test func `17.3: a later line of another form keeps all of its bytes`() throws {
        let regular = (0..<6_000).map { "2024-05-01 12:00:00,\(100 + $0 % 900) INFO     app.net: request \($0), 250 ms" }
        let odd = [
            "2024-05-01 12:00:00,100 INFO     no source here", "2024-05-01 12:00:00,100 no level: a, b", "\tat c.e.Db.open(Db.java:12)",
            "INFO x",
            "2024-05-01 12:00:00,100", "2024-05-01", "[", "x\u{1F}y, \"z", "2024-05-01 12:00:00,100 ERROR", "2024-05-01 12:00:00,100,5",
        ]
        let source = try folder.readTable((regular + odd + [regular[0]]).joined(separator: "\n") + "\n")
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

    @Test(arguments: 0..<36) func `17.3: no byte of a log is lost, apart from separators`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Repeated lines of SQL Server are aligned, like a table.
        let samples = Self.samples.filter { $0.name != "SQL Server" }
        let sample = samples[Int(seed) % samples.count]
        var changed: [String] = []
        let pieces = ["[", "]", "] ", ": ", " - ", "INFO", " ", "x", "12:00:00", "ü", "\t", "|", "\u{1F}", "\"", ","]
        for _ in 0..<40 {
            for line in lines(of: sample.text) {
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
        let intact = (0..<800).flatMap { _ in lines(of: sample.text) }
        let source = try folder.readTable((intact + changed).joined(separator: "\n") + "\n")
        #expect(titles(source) == sample.titles)
        let found = try rowTexts(source)
        try #require(found.count == intact.count + changed.count)
        // The separators of some programs, and the escape sequences of colors.
        let separators = " \t[]()<>-|:" + (["Ruby": ",", "Celery": "/"][sample.name] ?? "")
        var known: [String: [UInt8]] = [:]
        func letters(_ text: String) -> [UInt8] {
            if let letters = known[text] { return letters }
            let letters = text.replacing(/\u{1B}\[[0-9;]*m/, with: "").utf8.filter { !separators.utf8.contains($0) }.sorted()
            known[text] = letters
            return letters
        }
        for (line, fields) in zip(intact + changed, found) where letters(fields.joined()) != letters(line) {
            Issue.record("\(line) → \(fields)")
        }
        var conformance = TableConformance(
            source: source, rows: try rows(source).map { $0.allSatisfy { $0 == nil } ? [] : $0 }, random: random)
        try conformance.check(source.snapshot(), steps: 4)
    }

    @Test func `17.3: a log is read from a pipe, and in other formats on request`() throws {
        let text = Self.samples[1].text
        #expect(try FileOpener(format: "delimited").open(path: folder.file("a.log", text)) is DelimitedFile)
        #expect(try titles(FileOpener(format: "lines").open(path: folder.file("a.log", text))) == ["line"])
        #expect(try folder.readTable(text, "a.csv") is DelimitedFile, "the suffix of delimited text")
        #expect(try titles(FileOpener(format: "log").open(path: folder.file("b.log", "no time\nat all\n"))) == ["time", "message"])
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "pipe")
        try source.readAll(threads: 1) { _ in true }
        #expect(titles(source) == Self.samples[1].titles)
    }

    @Test func `17.3: a log that grows keeps its columns`() throws {
        let path = try folder.file("g.log", Self.samples[0].text)
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 1) { _ in true }
        try readAppended("[2024-05-01T12:00:04Z INFO  app] end\n", to: path, source)
        #expect(try rowTexts(source).last == ["2024-05-01T12:00:04Z", "INFO", "app", "end"])
        let tail = try source.tail(atLeast: 1)
        #expect(tail.records.last?.fields.map(\.text) == ["2024-05-01T12:00:04Z", "INFO", "app", "end"])
    }
}
