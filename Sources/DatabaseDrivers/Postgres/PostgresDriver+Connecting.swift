import CDrivers
import EngineProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension PostgresDriver {
    /// The options with a special meaning for this driver; all other options are passed to libpq.
    enum Option {
        /// The schemas in which names without a schema are looked up. Without this option, the schemas of the role or the server apply.
        static let searchPath = "search_path"
        /// The server's time limit for each statement, in milliseconds. Without this option, the limit of the role or the server applies.
        static let statementTimeout = "statement_timeout"
        /// The options that a user cannot set, because the driver sets them itself or because they would change the protocol.
        static let refusedOptions: Set<String> = ["client_encoding", "replication"]
    }

    func connect(_ request: ConnectRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) -> ServerInfo {
        close()
        self.sink = sink
        var options: [(String, String)] = []
        var (searchPath, statementTimeout): (String?, String?)
        for option in request.options {
            guard !option.name.utf8.contains(0), !option.value.utf8.contains(0) else {
                throw DriverFailure(.malformed, "A connection option contains a NUL character")
            }
            switch option.name {
            case Option.searchPath: searchPath = option.value
            case Option.statementTimeout: statementTimeout = option.value
            case let name where Option.refusedOptions.contains(name):
                throw DriverFailure(.unsupported, "The connection option “\(name)” is not supported", hint: "Remove it")
            default: options.append((option.name, option.value))
            }
        }
        if !options.contains(where: { $0.0 == "application_name" }) { options.append(("application_name", "gridview")) }
        options.append(("client_encoding", "UTF8"))
        try start(options)
        let defaults = networkDefaults(options)
        if !defaults.isEmpty {
            close()
            try start(options + defaults)
        }
        try finishConnecting(control)
        let product = try configure(control, searchPath: searchPath, statementTimeout: statementTimeout)
        return serverInfo(product)
    }

    private func start(_ options: [(String, String)]) throws(DriverFailure) {
        var names: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.0)) } + [nil]
        var values: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer {
            for name in names { free(UnsafeMutablePointer(mutating: name)) }
            for value in values {
                guard let value else { continue }
                // Overwrite the values before their memory is freed, because they can be passwords.
                memset(UnsafeMutablePointer(mutating: value), 0, strlen(value))
                free(UnsafeMutablePointer(mutating: value))
            }
        }
        connection = pq.PQconnectStartParams(&names, &values, 0)
        guard connection != nil else { throw DriverFailure(.other, "The library libpq is out of memory") }
        // Include the SQLSTATE in messages, because their text can be in any language.
        _ = pq.PQsetErrorVerbosity(connection, 2)
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = pq.PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context, let result else { return }
                Unmanaged<PostgresDriver>.fromOpaque(context).takeUnretainedValue().receiveNotice(result)
            }, context)
        if pq.PQstatus(connection) == Self.badConnection { throw connectFailure() }
    }

    /// The status of a failed or closed connection (`CONNECTION_BAD`).
    static let badConnection: Int32 = 1

    private func receiveNotice(_ result: OpaquePointer) {
        var message = serverMessage(result)
        if message.summary.isEmpty { message.summary = text(pq.PQresultErrorMessage(result)) }
        message.kind = .other
        sink?.sendNotice(message)
    }

    /// The options that the driver sets for a connection to another computer, unless the user or a service file sets them.
    private func networkDefaults(_ options: [(String, String)]) -> [(String, String)] {
        let values = connectionOptions()
        let hosts = (values["hostaddr"] ?? "").isEmpty ? values["host"] ?? "" : values["hostaddr"] ?? ""
        guard hosts.split(separator: ",").contains(where: { !isLocalHost(String($0)) }) else { return [] }
        var defaults = Self.connectionLossDefaults.filter { values[$0.name]?.isEmpty == true }.map { ($0.name, $0.value) }
        // Require encryption. Otherwise, libpq would connect without encryption if the server does not offer it.
        if values["sslmode"] == "prefer", !options.contains(where: { $0.0 == "sslmode" }) { defaults.append(("sslmode", "require")) }
        return defaults
    }

    /// Options that make libpq report a lost connection after a minute without an answer from the network. They are added if libpq knows
    /// them. By default, systems wait for 15 minutes, or for two hours if nothing is sent.
    ///
    /// `tcp_user_timeout` is in milliseconds, `keepalives_count` is a count, and the other options are in seconds.
    private static let connectionLossDefaults: [(name: String, value: String)] = [
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"), ("tcp_user_timeout", "60000"),
    ]

    /// The options that libpq uses, including options from service files, environment variables and defaults.
    private func connectionOptions() -> [String: String] {
        guard let list = pq.PQconninfo(connection) else { return [:] }
        defer { pq.PQconninfoFree(list) }
        var values: [String: String] = [:]
        var entry = list
        while let keyword = entry.pointee.keyword {
            values[String(cString: keyword)] = text(entry.pointee.value)
            entry += 1
        }
        return values
    }

    private func finishConnecting(_ control: RequestControl) throws(DriverFailure) {
        var state = Polling.writing
        while state != .ready {
            if control.reason != nil { throw control.failure }
            let socket = pq.PQsocket(connection)
            guard socket >= 0, state != .failed else { throw connectFailure() }
            let events = interruptPipe.wait(socket, Int32(state == .reading ? POLLIN : POLLOUT), milliseconds: sink?.sendDueRows() ?? 1_000)
            if events != 0 { state = Polling(rawValue: pq.PQconnectPoll(connection)) ?? .failed }
        }
        _ = pq.PQsetErrorVerbosity(connection, 1)
        _ = pq.PQsetnonblocking(connection, 1)
        canceler = pq.PQgetCancel(connection)
    }

    /// Makes the session read-only, and its text format independent of the server's settings. One round trip.
    /// - Returns: the product.
    private func configure(_ control: RequestControl, searchPath: String?, statementTimeout: String?) throws(DriverFailure) -> String {
        var settings = [
            ("default_transaction_read_only", "on"), ("datestyle", "ISO"), ("intervalstyle", "iso_8601"),
            ("extra_float_digits", "3"), ("bytea_output", "hex"), ("standard_conforming_strings", "on"),
            // Otherwise, the names of types would be quoted, and gridview would not recognize them.
            ("quote_all_identifiers", "off"),
            // Make the server end a statement whose client has disappeared (PostgreSQL 14 and later).
            ("client_connection_check_interval", "2s"),
            // Begin every scan with the first block, because rows without a key are read by offset.
            ("synchronize_seqscans", "off"),
        ]
        // Such a database stores bytes of any encoding. With the client encoding UTF-8, one value that is not UTF-8 would make the table
        // unreadable.
        if storedEncoding == Self.noEncoding { settings.append(("client_encoding", Self.noEncoding)) }
        if let searchPath { settings.append((Option.searchPath, searchPath)) }
        if let statementTimeout { settings.append((Option.statementTimeout, statementTimeout)) }
        var settingRows = settings.indices.map { "($\($0 * 2 + 1), $\($0 * 2 + 2))" }.joined(separator: ", ")
        if searchPath == nil {
            // Keep the schemas of the role or the server. But search `pg_catalog` first and temporary objects last, so that no other object
            // hides a system object.
            let schemas = "nullif(pg_catalog.current_setting('search_path', true), '')"
            settingRows += ", ('search_path', coalesce('pg_catalog, ' || \(schemas) || ', pg_temp', 'pg_catalog, pg_temp'))"
        }
        // Skip settings that the server does not know, so that older servers accept the statement.
        let statement =
            "select s.name, pg_catalog.set_config(s.name, s.value, false) from (values \(settingRows)) as s (name, value) "
            + "where pg_catalog.current_setting(s.name, true) is not null union all select 'version', pg_catalog.version() "
            + "union all select 'citus', pg_catalog.current_setting('citus.shard_count', true) "
            + "union all select 'limit', pg_catalog.current_setting('statement_timeout', true)"
        let parameters = settings.flatMap { [Parameter($0.0, .named("text")), Parameter($0.1, .named("text"))] }
        do throws(DriverFailure) {
            let found = try fetchRows(control) {
                withParameters(parameters) { pq.PQsendQueryParams(connection, statement, $0, $1, $2, nil, nil, 0) }
            }
            guard found.contains(["default_transaction_read_only", "on"]) else {
                throw DriverFailure(.unsupported, "The server does not support read-only sessions")
            }
            func value(_ name: String) -> String? { found.first { $0.first == name }?.last ?? nil }
            statementTimeLimit = value("limit") ?? ""
            return Self.product(version: value("version") ?? "", hasCitus: value("citus") != nil)
        } catch {
            if control.reason != nil { throw control.failure }
            throw DriverFailure(
                ServerMessage(
                    error.message.kind, "The session cannot be set up: \(error.message.summary)", code: error.message.code,
                    detail: error.message.detail, hint: error.message.hint))
        }
    }

    /// The encoding in which the database stores text.
    var storedEncoding: String { text(pq.PQparameterStatus(connection, "server_encoding")) }

    /// The encoding of a database whose texts are bytes of any encoding.
    private static let noEncoding = "SQL_ASCII"

    /// The product of a server with the protocol of PostgreSQL.
    /// - Parameters:
    ///   - version: the result of the function `version`.
    ///   - hasCitus: true if the server has the settings of Citus.
    static func product(version: String, hasCitus: Bool) -> String {
        if version.contains("CockroachDB") { return "CockroachDB" }
        // The returned name starts with PostgreSQL, because these servers report a version of PostgreSQL.
        for (sign, name) in [("-YB-", "YugabyteDB"), ("Redshift", "Redshift"), ("Greenplum", "Greenplum")] where version.contains(sign) {
            return "PostgreSQL (\(name))"
        }
        return hasCitus ? "PostgreSQL (Citus)" : "PostgreSQL"
    }

    private func serverInfo(_ product: String) -> ServerInfo {
        func parameter(_ name: String) -> String? { pq.PQparameterStatus(connection, name).map { String(cString: $0) } }
        var info = ServerInfo(product: product, version: parameter("server_version") ?? "")
        if let version = parameter("crdb_version") { (info.product, info.version) = ("CockroachDB", version) }
        typealias Property = ServerInfo.Property
        info.properties[Property.timeZone] = parameter("TimeZone")
        info.properties[Property.user] = text(pq.PQuser(connection))
        info.properties[Property.database] = text(pq.PQdb(connection))
        info.properties[Property.host] = text(pq.PQhost(connection))
        info.properties[Property.storedEncoding] = storedEncoding
        if storedEncoding == Self.noEncoding {
            info.properties[Property.warning] =
                "The database has no encoding (SQL_ASCII), so its functions count the bytes of a text instead of its characters"
        }
        info.properties[Property.process] = String(pq.PQbackendPID(connection))
        let isEncrypted = pq.PQsslInUse(connection) != 0
        if isEncrypted || !text(pq.PQhost(connection)).hasPrefix("/") {
            info.properties[Property.encryption] = isEncrypted ? text(pq.PQsslAttribute(connection, "protocol")) : ""
        }
        if isEncrypted { info.properties[Property.encryptionMode] = connectionOptions()["sslmode"] }
        return info
    }
}
