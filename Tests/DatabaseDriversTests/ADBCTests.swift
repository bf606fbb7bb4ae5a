import CDrivers
import EngineClient
import EngineProtocol
import Foundation
import GridTestSupport
import Testing

@testable import DatabaseDrivers

@Suite("ADBC drivers through the helper", .serialized)
struct ADBCTests {
    /// Opens DuckDB. Its library needs Python's symbols, so Python's library is preloaded in the helper. No interpreter starts.
    private func openDuckDB(_ options: String = "") throws -> EngineConnection {
        let driver = try #require(DuckDBDriver.installed)
        setenv("LD_PRELOAD", driver.python, 1)
        defer { unsetenv("LD_PRELOAD") }
        return try open("adbc:\(driver.library)?entrypoint=duckdb_adbc_init\(options)")
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"), arguments: [nil, "true"])
    func `H1: DuckDB downloads no extensions, unless the user allows it`(value: String?) throws {
        let connection = try openDuckDB(value.map { "&autoinstall_known_extensions=\($0)" } ?? "")
        defer { connection.close() }
        let setting = try connection.query(ExecuteRequest("select current_setting('autoinstall_known_extensions')::varchar")).rows
        #expect(setting.text(row: 0, column: 0) == value ?? "false")
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `H1: values read from DuckDB equal the text that DuckDB itself prints`() throws {
        let connection = try openDuckDB()
        defer { connection.close() }
        #expect(connection.serverInfo?.properties[ServerInfo.Property.driver] == DuckDBDriver.installed?.library)
        // Each value is selected next to the text that the engine prints for it.
        let values = [
            "true", "(-128)::tinyint", "(-32768)::smallint", "(-2147483648)::integer", "(-9223372036854775808)::bigint", "255::utinyint",
            "65535::usmallint",
            "4294967295::uinteger", "18446744073709551615::ubigint", "0.1::double + 0.2", "1.5::float", "'é\"x'", "''",
            "'a text of more than twelve bytes'",
            "date '2026-02-28'", "date '0001-01-01'", "date '1969-12-31'", "date '2000-02-29'", "time '23:59:59.123456'",
            "timestamp '2026-01-02 03:04:05.000001'",
            "timestamp '1969-12-31 23:59:59.5'", "timestamp '1900-03-01 00:00:00'", "(-123.45)::decimal(9,2)",
            "(-0.00000001)::decimal(18,8)",
            "12345678901234567890.123456789::decimal(38,9)", "0::decimal(5,0)", "5::decimal(38,0)", "'abc'::enum_t",
            "uuid '00112233-4455-6677-8899-aabbccddeeff'",
        ]
        _ = try connection.query(ExecuteRequest("create type enum_t as enum ('xyz', 'abc')"))
        let list = values.flatMap { ["\($0)", "(\($0))::varchar"] }.joined(separator: ", ")
        let result = try connection.query(ExecuteRequest("select \(list)"))
        for (index, value) in values.enumerated() {
            #expect(result.rows.text(row: 0, column: index * 2) == result.rows.text(row: 0, column: index * 2 + 1), "\(value)")
        }
        let nulls = try connection.query(
            ExecuteRequest(
                """
                select null, null::integer, null::varchar, null::decimal(9,2), null::integer[], null::struct(a integer),
                    '\\xAA\\x00'::blob
                """
            ))
        for column in 0..<6 { #expect(nulls.rows.isNull(row: 0, column: column)) }
        #expect(nulls.rows.bytes(row: 0, column: 6) == [0xAA, 0] && nulls.rows.kind(row: 0, column: 6) == .blob)
        let nested = try connection.query(
            ExecuteRequest(
                "select [1, null, 3], {'a': 1, 'b c': ['x\"', null]}, map {'k': 1.5}, [date '2026-01-01'], []::integer[], array_value(1, 2)"
            ))
        let expected = ["[1,null,3]", "{\"a\":1,\"b c\":[\"x\\\"\",null]}", "{\"k\":1.5}", "[\"2026-01-01\"]", "[]", "[1,2]"]
        #expect((0..<6).map { nested.rows.text(row: 0, column: $0) } == expected)
        let times = try connection.query(
            ExecuteRequest(
                """
                select timestamptz '2026-01-02 03:04:05+00', interval '14 months 3 days 1.5 seconds', timestamp_s '2026-01-02 03:04:05',
                    timestamp_ns '2026-01-02 03:04:05.123456789', 'nan'::double, '-infinity'::float, 1e300
                """
            ))
        #expect(
            (0..<7).map { times.rows.text(row: 0, column: $0) } == [
                "2026-01-02 03:04:05+00", "P14M3DPT1.5S".replacingOccurrences(of: "DPT", with: "DT"), "2026-01-02 03:04:05",
                "2026-01-02 03:04:05.123456789", "NaN", "-Infinity", "1e+300",
            ])
        #expect(times.columns.map(\.type.name)[0].hasPrefix("timestamp("))
    }

    @Test(
        .enabled(if: DuckDBDriver.installed != nil, "DuckDB for Python is not installed"))
    func `H1: DuckDB applies parameters and limits, streams results, reports errors, and can be cancelled`() throws {
        let connection = try openDuckDB()
        defer { connection.close() }
        let result = try connection.query(
            ExecuteRequest(
                "select ? + 1, ? || 'b', ? * 2, ? is null",
                [Parameter("41", .named("bigint")), Parameter("é"), Parameter("0.25", .named("double")), Parameter(nil, .named("bigint"))]))
        #expect((0..<4).map { result.rows.text(row: 0, column: $0) } == ["42", "éb", "0.5", "true"])
        let cut = try connection.query(ExecuteRequest("select repeat('x', 5000) from range(100000)", rowLimit: 10, cellLimit: 100))
        #expect(cut.completion.isTruncated && cut.rows.rowCount == 10 && cut.rows.fullLength(row: 9, column: 0) == 5_000)
        let process = try #require(connection.helperProcess)
        var rows = 0
        let before = memory(process, "VmRSS") ?? 0
        let end = try connection.stream(
            ExecuteRequest("select i, 'name ' || i from range(1000000) t(i)"),
            onColumns: { #expect($0.map(\.type.name) == ["int64", "utf8"]) },
            onRows: {
                rows += $0.rowCount; return true
            })
        #expect(rows == 1_000_000 && end.completion.rowCount == 1_000_000)
        #expect((memory(process, "VmRSS") ?? 0) - before < 200_000)
        let endless = "select count(*) from range(10000000) a, range(10000000) b where (a.range * b.range) % 1000003 = 17"
        let start = Date()
        #expect(throws: EngineError.cancelled) { try connection.query(ExecuteRequest(endless)) { Date().timeIntervalSince(start) > 0.3 } }
        #expect(Date().timeIntervalSince(start) < 2.2)
        if connection.isOpen {
            let second = Date()
            #expect(throws: EngineError.timedOut) { try connection.query(ExecuteRequest(endless, timeLimitMilliseconds: 300)) }
            #expect(Date().timeIntervalSince(second) < 1.5)
        }
        #expect(connection.isOpen)
        if case .syntax? = engineError({ _ = try connection.query(ExecuteRequest("selec 1")) }) {} else { Issue.record("syntax") }
        if case .missingObject? = engineError({ _ = try connection.query(ExecuteRequest("select * from nothing")) }) {
        } else {
            Issue.record("a missing table")
        }
        #expect(try connection.query(ExecuteRequest("select 5")).rows.text(row: 0, column: 0) == "5")
        let description = engineError { _ = try connection.describe(DescribeRequest("select 1 as a")) }
        if case nil = description {} else if case .unsupported? = description {} else { Issue.record("\(String(describing: description))") }
    }

    @Test func `H1: a driver manifest is loaded only from a trusted folder`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
        func find(_ name: String) -> Result<ADBCManifest, DriverFailure> {
            Result { () throws(DriverFailure) in
                try ADBCManifest(driver: name) { $0 == "ADBC_DRIVER_PATH" ? "relative:\(folder.path)" : nil }
            }
        }
        func kind(_ name: String) -> ServerMessage.Kind? {
            if case .failure(let error) = find(name) { return error.message.kind }
            return nil
        }
        let library = try folder.file("lib.so", "no library")
        let manifest = try folder.file(
            "one.toml",
            """
            manifest_version = 1 # comment
            name = "One"
            [Driver]
            entrypoint = 'OneInit'
            [Driver.shared]
            linux_amd64 = "\(library)"
            linux_arm64 = "\(library)"
            macos_amd64 = "\(library)"
            macos_arm64 = "\(library)"
            """)
        let found = try find("one").get()
        #expect(found.library == library && found.entryPoint == "OneInit")
        _ = try folder.file("two.toml", "[Driver]\nshared = \"\(library)\"\n")
        #expect(try find("two").get().library == library && find("two").get().entryPoint == nil)
        #expect(try find(manifest).get().library == library)
        #expect(try find(library).get().library == library)
        for name in ["three", "../one", "", ".one", "a b", "/no/such.so", folder.path] { #expect(kind(name) == .libraryMissing, "\(name)") }
        for text in [
            "", "[Driver]\nshared = \"relative.so\"", "[Driver]\nshared = \"unclosed", "[Driver.shared]\nother = \"/x\"",
            String(repeating: "#", count: 100_000),
        ] {
            _ = try folder.file("bad.toml", text)
            #expect(kind("bad") == .libraryMissing, "\(text.prefix(40))")
        }
        _ = try folder.file("new.toml", "manifest_version = 2\n[Driver]\nshared = \"\(library)\"")
        #expect(kind("new") == .unsupported)
        chmod(manifest, 0o666)
        #expect(kind("one") == .permissionDenied)
        chmod(manifest, 0o600)
        chmod(library, 0o602)
        #expect(kind("one") == .permissionDenied && kind(library) == .permissionDenied)
        chmod(library, 0o600)
        #expect(kind("one") == nil)
        chmod(folder.path, 0o777)
        #expect(kind("one") == .permissionDenied)
        chmod(folder.path, 0o700)
        // The first file is not a library, and the second one is a library but not a driver.
        if case .libraryMissing? = engineError({ _ = try open("adbc:\(library)") }) {} else { Issue.record("a text file was loaded") }
        let other = try #require(
            ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"].first { FileManager.default.fileExists(atPath: $0) })
        if case .unsupported? = engineError({ _ = try open("adbc:\(other)") }) {} else { Issue.record("a library without a driver") }
    }

    @Test func `19.2: text with the JSON extension type is read as JSON, and damaged metadata is ignored`() {
        func typeName(_ pairs: [(String, String)], format: String = "u", count: Int32? = nil, length: Int32? = nil) -> String? {
            func bytes(_ number: Int32) -> [CChar] { withUnsafeBytes(of: number) { $0.map { CChar(bitPattern: $0) } } }
            var metadata = bytes(count ?? Int32(pairs.count))
            for text in pairs.flatMap({ [$0, $1] }) {
                metadata += bytes(length ?? Int32(text.utf8.count)) + text.utf8.map { CChar(bitPattern: $0) }
            }
            return metadata.withUnsafeBufferPointer { metadata in
                format.withCString { format in
                    var schema = gv_arrow_schema()
                    (schema.format, schema.metadata) = (format, metadata.baseAddress)
                    schema.release = { _ in }
                    return (try? ADBCType(&schema))?.typeName
                }
            }
        }
        let json = [("a", ""), ("ARROW:extension:name", "arrow.json")]
        #expect(typeName(json) == "json" && typeName(json, format: "vu") == "json" && typeName(json, format: "l") == "int64")
        #expect(typeName([("ARROW:extension:name", "arrow.uuid")]) == "utf8" && typeName([]) == "utf8")
        #expect(typeName(json, count: -1) == "utf8" && typeName(json, count: 1) == "utf8")
        #expect(typeName(json, length: -1) == "utf8" && typeName(json, length: .max) == "utf8")
    }

    @Test func `H1: a result with too many columns is refused, and the error gives their number`() {
        "+s".withCString { format in
            var schema = gv_arrow_schema()
            (schema.format, schema.child_count) = (format, 8_193)
            schema.release = { _ in }
            let error = #expect(throws: DriverFailure.self) { try ADBCType(&schema) }
            #expect(error?.message.kind == .tooLarge)
            #expect(error?.message.summary == "The result has 8193 columns, and the maximum is 8192")
        }
    }

    @Test func `H1: batches that violate the Arrow format are refused`() throws {
        // The code for parameters creates the row: a structure of an integer, a string and a null string.
        func changedRow(_ change: (UnsafeMutablePointer<gv_arrow_array>, UnsafeMutablePointer<gv_arrow_schema>) -> Void) -> [String?]? {
            var array = gv_arrow_array()
            var schema = gv_arrow_schema()
            let bytes = Array("héllo".utf8)
            let made = bytes.withUnsafeBufferPointer { buffer in
                var values = [gv_arrow_value(), gv_arrow_value(), gv_arrow_value()]
                (values[0].type, values[0].integer) = (CChar(UInt8(ascii: "l")), -7)
                (values[1].type, values[1].bytes, values[1].count) = (CChar(UInt8(ascii: "u")), buffer.baseAddress, buffer.count)
                (values[2].type, values[2].is_null) = (CChar(UInt8(ascii: "u")), 1)
                return gv_arrow_make_row(values, 3, &array, &schema)
            }
            #expect(made == 1)
            // Restore all fields before the release.
            let (keptArray, keptSchema) = (array, schema)
            let keptArrays = (0..<3).map { array.children[$0]!.pointee }
            let keptSchemas = (0..<3).map { schema.children[$0]!.pointee }
            let keptBuffers = (0..<3).map { column in (0..<3).map { array.children[column]!.pointee.buffers[$0] } }
            change(&array, &schema)
            var cells: [String?]?
            if let type = try? ADBCType(&schema), array.children != nil, array.child_count == 3 {
                var columns: [ADBCColumn] = []
                for (index, child) in type.children.enumerated() {
                    if let column = try? ADBCColumn(child, array.children[index]) { columns.append(column) }
                }
                if columns.count == 3, columns.allSatisfy({ $0.length >= 1 }) {
                    var writer = RowBatchWriter(columnCount: 3, cellLimit: 100, hasKinds: true)
                    for column in columns { column.append(0, to: &writer) }
                    writer.endRow()
                    cells = (try? writer.batch()).map { batch in (0..<3).map { batch.text(row: 0, column: $0) } }
                }
            }
            (array, schema) = (keptArray, keptSchema)
            for index in 0..<3 {
                array.children[index]!.pointee = keptArrays[index]
                schema.children[index]!.pointee = keptSchemas[index]
                for buffer in 0..<3 { array.children[index]!.pointee.buffers[buffer] = keptBuffers[index][buffer] }
            }
            array.release?(&array)
            schema.release?(&schema)
            return cells
        }
        #expect(changedRow { _, _ in } == ["-7", "héllo", nil])
        let text = { (array: UnsafeMutablePointer<gv_arrow_array>) in array.pointee.children[1]! }
        #expect(changedRow { array, _ in text(array).pointee.length = -1 } == nil)
        #expect(changedRow { array, _ in text(array).pointee.length = .max } == nil)
        #expect(changedRow { array, _ in text(array).pointee.offset = .max } == nil)
        #expect(changedRow { array, _ in text(array).pointee.length = 0 } == nil)
        #expect(changedRow { array, _ in text(array).pointee.buffer_count = 2 } == nil)
        #expect(changedRow { array, _ in text(array).pointee.buffer_count = .max } == nil)
        #expect(changedRow { array, _ in text(array).pointee.child_count = 1 } == nil)
        #expect(
            changedRow { array, _ in
                text(array).pointee.release = nil; _ = array
            } == nil)
        #expect(changedRow { array, _ in array.pointee.children[0]!.pointee.buffers[1] = nil } == nil)
        #expect(
            changedRow { array, _ in
                let offsets = UnsafeMutableRawPointer(mutating: text(array).pointee.buffers[1]!).assumingMemoryBound(to: Int32.self)
                offsets[0] = 5
                offsets[1] = 1
            } == nil)
        #expect(
            changedRow { array, _ in
                UnsafeMutableRawPointer(mutating: text(array).pointee.buffers[1]!).assumingMemoryBound(to: Int32.self)[0] = -1
            } == nil)
        let formats = [
            "", "q", "w:", "w:-1", "w:99999999999999999999", "d:", "d:0,0", "d:9,2,7", "d:99,1", "ts", "tsx:", "+l", "+m", "+w:-1", "+w:x",
            "+ud:0", "+r",
        ]
        for format in formats {
            let result: [String?]? = format.withCString { text in
                changedRow { _, schema in schema.pointee.children[1]!.pointee.format = text }
            }
            #expect(result == nil, "\(format)")
        }
        #expect(changedRow { _, schema in schema.pointee.children[1]!.pointee.child_count = 1 << 40 } == nil)
        #expect(changedRow { _, schema in schema.pointee.children[1]!.pointee.format = nil } == nil)
        #expect(changedRow { _, schema in schema.pointee.child_count = -1 } == nil)
    }

    @Test func `H1: dates, times and decimals are printed as text`() {
        #expect(
            [0, -1, 59, 60, 11_016, -719_528, -719_529, 2_932_896].map { ADBCText.date(days: $0) } == [
                "1970-01-01", "1969-12-31", "1970-03-01", "1970-03-02", "2000-02-29", "0000-01-01", "-0001-12-31", "9999-12-31",
            ])
        for value in [Int64.min, .max, 0, -1] {
            for ticksPerSecond in [Int64(1), 1_000, 1_000_000, 1_000_000_000] {
                _ = (
                    ADBCText.timestamp(value, ticksPerSecond: ticksPerSecond), ADBCText.time(value, ticksPerSecond: ticksPerSecond),
                    ADBCText.duration(value, ticksPerSecond: ticksPerSecond)
                )
            }
        }
        #expect(ADBCText.timestamp(-1, ticksPerSecond: 1_000) == "1969-12-31 23:59:59.999")
        #expect(
            ADBCText.duration(-1_500, ticksPerSecond: 1_000) == "PT-1.5S"
                && ADBCText.duration(.min, ticksPerSecond: 1).hasPrefix("PT-9223372036854775808"))
        #expect(
            [0x0000, 0x3C00, 0xC000, 0x7C00, 0x0001, 0x3555].map { ADBCText.float(fromHalf: $0) } == [
                0, 1, -2, .infinity, 0x1p-24, 0.33325195,
            ])
        var generator = SplitMix64(seed: 19_64)
        for _ in 0..<2_000 {
            let value = Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...60, using: &generator)
            let scale = Int.random(in: 0...20, using: &generator)
            for width in [8, 16, 32] {
                let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> Int64(min(63, $0 * 8))) }
                let text = bytes.withUnsafeBytes { ADBCText.decimal($0, scale: scale) }
                let digits = text.filter(\.isNumber)
                #expect(text.hasPrefix("-") == (value < 0) && UInt64(digits) == value.magnitude)
                #expect(scale == 0 ? !text.contains(".") : text.split(separator: ".").last?.count == scale)
            }
        }
        #expect(ADBCText.quoted("a\"\\\n\u{1F}é") == "\"a\\\"\\\\\\u000a\\u001fé\"")
    }

    @Test func `H1: secrets in the connection URL are removed from driver messages`() {
        let options: [ConnectRequest.Option] = [
            .init("driver", "flight"), .init("uri", "grpc://ann:hunter2@host:1/x"), .init("adbc.snowflake.sql.auth_token", "abc"),
            .init("db.password", ""),
            .init("catalog", "shop"),
        ]
        let text = "flight cannot open grpc://ann:hunter2@host:1/x shop with abc (password=hunter2)"
        #expect(ADBCDriver.redacted(text, options) == "flight cannot open grpc://ann:…@host:1/x shop with … (password=…)")
        let request = ConnectRequest(driver: "adbc", options: options)
        var dumped = ""
        dump(EngineRequest.connect(request), to: &dumped)
        for shown in ["\(request)", String(reflecting: EngineRequest.connect(request)), dumped] { #expect(!shown.contains("hunter2")) }
    }
}
