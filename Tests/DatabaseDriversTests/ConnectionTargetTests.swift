import EngineProtocol
import GridTestSupport
import Testing

@testable import EngineClient

@Suite("Connection URLs")
struct ConnectionTargetTests {
    private func options(_ target: ConnectionTarget) -> [String] { target.options.map { "\($0.name)=\($0.value)" } }

    @Test func `H1: connection URLs are split into options and a table name`() throws {
        let cases: [(String, String, [String], [String])] = [
            (
                "postgres://ann:s%40c:ret@db.example.com:5433/shop/public.trade?sslmode=verify-full", "postgresql",
                ["user=ann", "password=s@c:ret", "host=db.example.com", "port=5433", "dbname=shop", "sslmode=verify-full"],
                ["public", "trade"]
            ),
            ("postgresql://localhost/shop", "postgresql", ["host=localhost", "dbname=shop"], []),
            ("postgres://", "postgresql", [], []), ("postgres:///shop", "postgresql", ["dbname=shop"], []),
            ("postgres://db/shop", "postgresql", ["host=db", "dbname=shop", "sslmode=require"], []),
            ("postgres://127.0.0.1/shop", "postgresql", ["host=127.0.0.1", "dbname=shop"], []),
            ("postgres://127.evil.com/x", "postgresql", ["host=127.evil.com", "dbname=x", "sslmode=require"], []),
            ("postgres://db/shop?sslmode=disable", "postgresql", ["host=db", "dbname=shop", "sslmode=disable"], []),
            ("postgres://a:1,b:2/shop", "postgresql", ["host=a,b", "port=1,2", "dbname=shop", "sslmode=require"], []),
            ("postgres://[::1]:5432/shop/t", "postgresql", ["host=::1", "port=5432", "dbname=shop"], ["t"]),
            ("postgres://%2Fvar%2Frun:5432/shop", "postgresql", ["host=/var/run", "port=5432", "dbname=shop"], []),
            ("postgres://u:p@ss@h/d", "postgresql", ["user=u", "password=p@ss", "host=h", "dbname=d", "sslmode=require"], []),
            ("postgres://h/d/%22a.b%22.%22c%22%22d%22", "postgresql", ["host=h", "dbname=d", "sslmode=require"], ["a.b", "c\"d"]),
            ("postgres:///d?host=/tmp&ssl=true&table=s.t", "postgresql", ["dbname=d", "host=/tmp", "sslmode=require"], ["s", "t"]),
            ("postgres:///d?table=%22a%2Eb%22.c", "postgresql", ["dbname=d"], ["a.b", "c"]),
            ("service=shop", "postgresql", ["service=shop"], []),
            ("service=shop table=s.t", "postgresql", ["service=shop"], ["s", "t"]),
            (
                "host = 'my host' password='it\\'s \\\\ x' dbname=d", "postgresql",
                ["host=my host", "password=it's \\ x", "dbname=d", "sslmode=require"], []
            ),
            ("sqlite:a b.db", "sqlite", ["path=a b.db"], []), ("sqlite:///tmp/x.db", "sqlite", ["path=/tmp/x.db"], []),
            ("sqlite:/tmp/x?y.db", "sqlite", ["path=/tmp/x?y.db"], []),
            ("sqlite:x.db?table=a.b&immutable=1", "sqlite", ["path=x.db", "immutable=1"], ["a.b"]),
            (
                "adbc:flightsql?uri=grpc://u:p@host:32010&password=x&table=a.b.c", "adbc",
                ["driver=flightsql", "uri=grpc://u:p@host:32010", "password=x"], ["a", "b", "c"]
            ),
        ]
        for (text, driver, expected, table) in cases {
            #expect(ConnectionTarget.isConnectionURL(text))
            let target = try ConnectionTarget(parsing: text)
            #expect(target.driver == driver && options(target) == expected && target.table == table, "\(text)")
        }
        for name in ["trade.csv", "a=b.csv", "postgres", "C:\\x", "https://x/y.csv", "=x", ""] {
            #expect(!ConnectionTarget.isConnectionURL(name))
        }
    }

    @Test func `H1: the error for an invalid connection URL does not repeat the URL`() throws {
        for text in [
            "postgres://u:hunter2@h:port/d", "postgres://hunter2@h/d/t/x/y", "postgres://h/d/a.b.c.d?x=hunter2", "postgres://h/d?hunter2",
            "postgres://[::1/d?hunter2=1", "postgres://u:hunter2%@h/d", "postgres://u:hunter2%zz@h", "postgres://h/%00hunter2", "sqlite:",
            "adbc:?hunter2=x", "host=a password='hunter2", "host=a hunter2", "hunter2", "postgres://h/d/a..hunter2",
            "postgres://h:hunter2/d",
            "postgres://h/d/%22hunter2", "postgres://u:hunter2/x@h/d",
        ] {
            do throws(any Error) {
                _ = try ConnectionTarget(parsing: text)
                Issue.record("\(text) was accepted")
            } catch {
                let sentence = try #require(error as? ConnectionTarget.ParseError).message
                #expect(!sentence.contains("hunter2") && sentence.hasSuffix("."))
            }
        }
    }

    @Test(arguments: ["99999", "0", "123456789012345678901234567890"])
    func `19.1: a port outside the valid range is refused with that range`(port: String) throws {
        let error = #expect(throws: ConnectionTarget.ParseError.self) { try ConnectionTarget(parsing: "postgres://h:\(port)/d") }
        #expect(error?.message == "The port must be from 1 to 65535. In a password, write @ as %40, / as %2F and : as %3A.")
        let word = #expect(throws: ConnectionTarget.ParseError.self) { try ConnectionTarget(parsing: "postgres://h:x\(port)/d") }
        #expect(word?.message.hasPrefix("The port is not a number.") == true)
    }

    @Test func `H1: the printed connection URL contains no secret and opens the same table`() throws {
        let cases = [
            (
                "postgres://ann:hunter2@db:5433/shop/public.trade?sslmode=verify-full&sslpassword=hunter2&options=hunter2",
                "postgres://ann@db:5433/shop/public.trade?sslmode=verify-full"
            ),
            ("postgres://ann:hunter2@db/shop", "postgres://ann@db/shop"), ("postgres://db/a%20b/%22x.y%22", "postgres://db/a%20b/\"x.y\""),
            ("host=db user=ann password=hunter2 dbname=shop table=t", "postgres://ann@db/shop/t"),
            ("service=shop password=hunter2 table=s.t", "service=shop table=s.t"),
            ("sqlite:/a b.db?table=x&key=hunter2", "sqlite:/a b.db?table=x"),
            (
                "adbc:snowflake?uri=snowflake://u:hunter2@acc.example/db?token=hunter2&password=hunter2&table=a.b",
                "adbc:snowflake?uri=snowflake://acc.example&table=a.b"
            ),
            ("adbc:x?uri=hunter2", "adbc:x"), ("postgres://[::1]:1,h:2/d", "postgres://[::1]:1,h:2/d"),
        ]
        for (text, expected) in cases {
            let target = try ConnectionTarget(parsing: text)
            #expect(target.description == expected)
            var dumped = ""
            dump(target, to: &dumped)
            for shown in ["\(target)", String(reflecting: target), "\(["x": target])", dumped, "\(Optional(target) as Any)"] {
                #expect(!shown.contains("hunter2"))
            }
            var second = target
            second.databaseNumber = 2
            let reread = try ConnectionTarget(parsing: second.description)
            #expect(reread.databaseNumber == 2 && reread.table == target.table && !options(reread).contains { $0.contains("gridview") })
            let again = try ConnectionTarget(parsing: target.description)
            #expect(again.description == expected && again.table == target.table && again.driver == target.driver)
            if target.driver == "postgresql" {
                for name in ["host", "port", "user", "dbname", "sslmode", "service"] { #expect(again[name] == target[name]) }
            }
        }
    }

    @Test func `H1: random connection URLs never trap and never show a password`() {
        var generator = SplitMix64(seed: 19_33)
        let parts = [
            "postgres://", "sqlite:", "adbc:", "host=", "u", ":", "hunter2", "@", "[", "]", "/", "?", "&", "=", "%", "%2", "%41", "é", "'",
            "\\", " ", ".", "\"", ",",
        ]
        for _ in 0..<20_000 {
            let text =
                parts.prefix(4).randomElement(using: &generator)!
                + (0..<Int.random(in: 0...12, using: &generator)).map { _ in parts.randomElement(using: &generator)! }.joined()
            guard let target = try? ConnectionTarget(parsing: text) else { continue }
            if let password = target["password"], password.contains("hunter2"), text.components(of: "hunter2") == 1 {
                #expect(!target.description.contains("hunter2"), "\(text)")
            }
            _ = try? ConnectionTarget(parsing: target.description)
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
