import EngineProtocol
import Foundation
import GridTestSupport
import Testing

@testable import DatabaseDrivers

@Suite("Protocol of the helper")
struct ProtocolTests {
    /// At least one message of each kind. Every optional part is present in one of them.
    static let requests: [EngineRequest] = [
        .hello(version: 7),
        .connect(ConnectRequest(driver: "postgresql", options: [.init("host", "é"), .init("password", "")], timeLimitMilliseconds: 5)),
        .execute(
            ExecuteRequest(
                "select $1", [Parameter("x", .named("text")), Parameter(nil), Parameter(bytes: [0, 255], .oid(17))], rowLimit: .max,
                byteLimit: 3, cellLimit: 4, delivery: .stream, timeLimitMilliseconds: 6)),
        .describe(DescribeRequest("select 1", types: [.inferred, .oid(1), .named("é")], timeLimitMilliseconds: 1)), .cancel(9), .close,
    ]

    static let answers: [EngineAnswer] = [
        .hello(version: 7), .connected(ServerInfo(product: "P", version: "1", properties: ["a": "é"])),
        .columns(
            [
                ResultColumn(name: "a\u{1B}", type: .init(name: "text", oid: 25, modifier: 5), origin: .numbers(table: 1, column: -1)),
                ResultColumn(name: "", type: .init(name: ""), origin: .names(schema: "main", table: "t", column: "c")),
            ], parameters: [.init(name: "bigint", oid: 20)]), .done(Completion(rowCount: .max, isTruncated: true, microseconds: 1)),
        .notice(ServerMessage(.other, "notice")),
        .failed(ServerMessage(.syntax, "p", code: "42601", detail: "d", hint: "h", position: 3)),
        .progress(Progress(rows: 1, microseconds: 2)),
    ]

    @Test(
        arguments: [
            ("PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc", "PostgreSQL"),
            ("CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27, go1.19.10)", "CockroachDB"),
            ("PostgreSQL 11.2-YB-2.18.3.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 15.0.3", "PostgreSQL (YugabyteDB)"),
            ("PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.61678", "PostgreSQL (Redshift)"),
            ("PostgreSQL 12.12 (Greenplum Database 7.0.0 build commit:0a7a3566) on x86_64", "PostgreSQL (Greenplum)"),
        ])
    func `H1: servers that use the PostgreSQL protocol are recognized by the version that they report`(version: String, product: String) {
        #expect(PostgresDriver.product(version: version, hasCitus: false) == product)
    }

    /// Sends messages through a socket and reads them back.
    private func transferred(_ write: (inout MessageWriter) throws -> Void, count: Int) throws -> [(UInt8, UInt32, MessageBuffer)] {
        let (one, two) = try #require(EnginePlatform.socketPair())
        defer {
            close(one)
            close(two)
        }
        var writer = MessageWriter(descriptor: one)
        try write(&writer)
        try writer.flush()
        var reader = MessageReader(descriptor: two)
        var messages: [(UInt8, UInt32, MessageBuffer)] = []
        for _ in 0..<count {
            let message = try reader.next()
            messages.append((message.kind, message.request, message.payload))
        }
        return messages
    }

    private func batch(_ generator: inout SplitMix64, kinds: Bool = false) -> RowBatchWriter {
        let columns = Int.random(in: 1...4, using: &generator)
        var writer = RowBatchWriter(columnCount: columns, cellLimit: 12, hasKinds: kinds)
        for _ in 0..<Int.random(in: 0...9, using: &generator) {
            for _ in 0..<columns {
                if Bool.random(using: &generator) {
                    writer.appendNull()
                } else {
                    let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
                    bytes.withUnsafeBytes { writer.append($0, kinds ? .blob : .text) }
                }
            }
            writer.endRow()
        }
        return writer
    }

    @Test func `H1: every message decodes to the message that was encoded`() throws {
        let requests = try transferred(
            { writer in for (index, request) in Self.requests.enumerated() { try writer.send(request, UInt32(index)) } }, count: 6)
        for (index, message) in requests.enumerated() {
            #expect(message.1 == UInt32(index))
            #expect(try EngineRequest(kind: message.0, message.2.bytes) == Self.requests[index])
        }
        let answers = try transferred({ writer in for answer in Self.answers { try writer.queue(answer, 3) } }, count: Self.answers.count)
        for (index, message) in answers.enumerated() {
            #expect("\(try EngineAnswer(kind: message.0, message.2))" == "\(Self.answers[index])")
        }
    }

    @Test func `H1: a batch contains the cells, nulls, kinds and cut lengths that were written`() throws {
        var generator = SplitMix64(seed: 19_21)
        for _ in 0..<300 {
            let columns = Int.random(in: 1...20, using: &generator)
            let limit = Int.random(in: 1...40, using: &generator)
            var writer = RowBatchWriter(columnCount: columns, cellLimit: limit, hasKinds: true)
            var rows: [[(value: [UInt8]?, kind: RowBatch.CellKind)]] = []
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                rows.append(
                    (0..<columns).map { _ in
                        let kind = RowBatch.CellKind(rawValue: UInt8.random(in: 0...3, using: &generator))!
                        let isNull = Int.random(in: 0..<4, using: &generator) == 0
                        return (
                            isNull
                                ? nil
                                : (0..<Int.random(in: 0...60, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) },
                            kind
                        )
                    })
                for cell in rows.last! {
                    if let value = cell.value { value.withUnsafeBytes { writer.append($0, cell.kind) } } else { writer.appendNull() }
                }
                writer.endRow()
            }
            let batch = try writer.batch()
            #expect(batch.rowCount == rows.count && batch.columnCount == columns)
            for (row, cells) in rows.enumerated() {
                for (column, cell) in cells.enumerated() {
                    guard let value = cell.value else {
                        #expect(
                            batch.isNull(row: row, column: column) && batch.bytes(row: row, column: column) == nil
                                && batch.fullLength(row: row, column: column) == nil)
                        continue
                    }
                    let found = try #require(batch.bytes(row: row, column: column))
                    #expect(batch.kind(row: row, column: column) == cell.kind && value.starts(with: found))
                    if value.count <= limit {
                        #expect(found == value && batch.fullLength(row: row, column: column) == nil)
                    } else {
                        #expect(batch.fullLength(row: row, column: column) == UInt64(value.count))
                        #expect(
                            found.count <= limit && found.count >= min(limit, limit - 3) && (cell.kind != .blob || found.count == limit))
                        if cell.kind != .blob, found.count < limit { #expect(value[found.count] & 0xC0 != 0x80) }
                    }
                }
            }
        }
    }

    @Test func `H1: damaged messages are refused or decoded, and never trap`() throws {
        var generator = SplitMix64(seed: 19_22)
        var messages: [(kind: UInt8, bytes: [UInt8], isRequest: Bool)] = []
        for message in try transferred({ writer in for request in Self.requests { try writer.send(request, 0) } }, count: 6) {
            messages.append((message.0, Array(message.2.bytes), true))
        }
        for message in try transferred({ writer in for answer in Self.answers { try writer.queue(answer, 3) } }, count: Self.answers.count)
        {
            messages.append((message.0, Array(message.2.bytes), false))
        }
        for index in 0..<6 {
            var rows = batch(&generator, kinds: index % 2 == 0)
            for message in try transferred({ try $0.queue(&rows, 1) }, count: 1) {
                messages.append((message.0, Array(message.2.bytes), false))
            }
        }
        var refused = 0
        var read = 0
        func attempt(_ kind: UInt8, _ bytes: [UInt8], _ isRequest: Bool) {
            do {
                if isRequest {
                    _ = try bytes.withUnsafeBytes { try EngineRequest(kind: kind, $0) }
                } else {
                    guard let buffer = MessageBuffer(copying: bytes) else { return }
                    let answer = try EngineAnswer(kind: kind, buffer)
                    if case .rows(let rows) = answer, rows.columnCount > 0 {
                        // Every cell of an accepted batch can be read.
                        for row in 0..<min(rows.rowCount, 50) {
                            for column in 0..<rows.columnCount {
                                _ = (
                                    rows.bytes(row: row, column: column), rows.text(row: row, column: column),
                                    rows.kind(row: row, column: column), rows.fullLength(row: row, column: column)
                                )
                            }
                        }
                    }
                }
                read += 1
            } catch { refused += 1 }
        }
        for message in messages {
            for length in 0..<message.bytes.count { attempt(message.kind, Array(message.bytes[..<length]), message.isRequest) }
            for _ in 0..<2_000 {
                var bytes = message.bytes
                for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<5, using: &generator) {
                    case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                    case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator)!
                    case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...8, using: &generator)))
                    case 3:
                        bytes.insert(
                            contentsOf: (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                                UInt8.random(in: 0...255, using: &generator)
                            }, at: index)
                    default: for place in index..<min(bytes.count, index + 4) { bytes[place] = 0xFF }
                    }
                }
                attempt(
                    Int.random(in: 0..<20, using: &generator) == 0 ? UInt8.random(in: 0...255, using: &generator) : message.kind, bytes,
                    message.isRequest)
            }
        }
        // Random bytes as messages of each kind must not trap.
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in UInt8.random(in: 0...3, using: &generator) }
            attempt(UInt8.random(in: 0...8, using: &generator), bytes, true)
            attempt(UInt8.random(in: 60...75, using: &generator), bytes, false)
        }
        #expect(refused > 10_000 && read > 100)
    }

    @Test func `H1: message headers with an invalid length or kind end the connection before memory is allocated`() throws {
        let (one, two) = try #require(EnginePlatform.socketPair())
        defer {
            close(one)
            close(two)
        }
        let bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 64, 0, 0, 0, 1, 0, 0, 0]
        _ = bytes.withUnsafeBytes { EnginePlatform.send(one, $0) }
        var reader = MessageReader(descriptor: two)
        do throws(any Error) {
            _ = try reader.next()
            Issue.record("a length of 4 GiB was accepted")
        } catch { #expect(error as? ChannelFailure == .malformed("length")) }
    }

    @Test func `H1: the helper ends when the program sends garbage or a wrong greeting, or closes the socket`() throws {
        func ends(_ send: (Int32) throws -> Void) throws -> Bool {
            let (one, two) = try #require(EnginePlatform.socketPair())
            let service = EngineService(descriptor: two)
            let finished = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                #expect(service.run())
                close(two)
                finished.signal()
            }
            try send(one)
            defer { close(one) }
            return finished.wait(timeout: .now() + 5) == .success
        }
        func raw(_ descriptor: Int32, _ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { EnginePlatform.send(descriptor, $0) } }
        #expect(try ends { raw($0, Array("GET / HTTP/1.1\r\n\r\n".utf8)) })
        #expect(try ends { raw($0, Array(repeating: 0xFF, count: 100)) })
        #expect(try ends { shutdown($0, Int32(SHUT_WR)) })
        #expect(try ends { raw($0, [0, 0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0]) })
        #expect(
            try ends { descriptor in
                var writer = MessageWriter(descriptor: descriptor)
                try writer.send(.hello(version: 99), 1)
            })
        #expect(
            try ends { descriptor in
                var writer = MessageWriter(descriptor: descriptor)
                try writer.send(.execute(ExecuteRequest("select 1")), 1)
            })
        // The helper ends if it receives more requests than it queues.
        #expect(
            try ends { descriptor in
                var writer = MessageWriter(descriptor: descriptor)
                for number in 0..<2_000 {
                    try? writer.send(.execute(ExecuteRequest(String(repeating: "x", count: 10_000))), UInt32(number))
                }
            })
    }

    @Test func `H1: requests without a connection, unknown drivers and a second greeting get an error`() throws {
        let (one, two) = try #require(EnginePlatform.socketPair())
        defer { close(one) }
        let service = EngineService(descriptor: two)
        Thread.detachNewThread {
            _ = service.run()
            close(two)
        }
        var writer = MessageWriter(descriptor: one)
        var reader = MessageReader(descriptor: one)
        func next() throws -> EngineAnswer {
            let message = try reader.next()
            return try EngineAnswer(kind: message.kind, message.payload)
        }
        try writer.send(.hello(version: EngineLimits.version), 1)
        if case .hello(let version) = try next() { #expect(version == EngineLimits.version) } else { Issue.record("no greeting") }
        try writer.send(.execute(ExecuteRequest("select 1")), 2)
        if case .failed(let message) = try next() { #expect(message.kind == .notConnected) } else { Issue.record("no error") }
        try writer.send(.connect(ConnectRequest(driver: "oracle", options: [])), 3)
        if case .failed(let message) = try next() { #expect(message.kind == .unsupported) } else { Issue.record("no error") }
        try writer.send(.cancel(77), 4)
        try writer.send(.hello(version: EngineLimits.version), 5)
        if case .failed(let message) = try next() { #expect(message.kind == .malformed) } else { Issue.record("no error") }
    }
}
