public import EngineProtocol

/// A database or table to connect to, parsed from a connection URL or from `name=value` options:
///
/// ```
/// postgres://user:password@host:port/database/schema.table?sslmode=verify-full
/// service=NAME                      host=… dbname=… user=… table=schema.table
/// sqlite:FILE?table=NAME            adbc:DRIVER?uri=…&table=schema.table
/// ```
///
/// It can contain a password, but its ``description`` cannot. Show, log and save only the description.
public struct ConnectionTarget: Equatable, Sendable {
    /// The name of the driver: `postgresql`, `sqlite` or `adbc`.
    public var driver: String
    /// The options of the driver. Any of them can be a secret.
    public var options: [ConnectRequest.Option]
    /// The path of a table, such as its schema and its name; empty if the URL does not name a table.
    public var table: [String]
    /// A number that distinguishes databases whose printed URLs would otherwise be equal: 1 for the database that was opened first, 2 for
    /// the second. Only printed URLs contain the number, as the option ``databaseNumberOption``. Drivers do not receive it.
    package var databaseNumber = 1

    /// An invalid connection URL. The message never repeats the URL, because it can contain a password.
    public struct ParseError: Error, Equatable, Sendable {
        /// The mistake and its correction, for the user.
        public let message: String

        init(_ message: String) { self.message = message }
    }

    /// Creates a target.
    public init(driver: String, options: [ConnectRequest.Option], table: [String] = []) {
        (self.driver, self.options, self.table) = (driver, options, table)
    }

    /// The name of the option with the ``databaseNumber``; a printed URL without it means the number 1.
    static let databaseNumberOption = "gridview.connection"

    /// The maximum number of bytes of a connection URL.
    private static let byteLimit = 65_536

    /// True if the text has the form of a connection URL or of `name=value` options. Other texts are file names.
    public static func isConnectionURL(_ text: String) -> Bool {
        if ["postgres://", "postgresql://", "sqlite:", "adbc:"].contains(where: { text.hasPrefix($0) }) { return true }
        guard let sign = text.firstIndex(of: "=") else { return false }
        return ["service", "host", "hostaddr", "port", "dbname", "user"].contains(String(text[..<sign].prefix { $0 != " " }))
            && text[..<sign].drop { $0 != " " }.allSatisfy { $0 == " " }
    }

    /// Parses a connection URL or `name=value` options.
    /// - Throws: ``ParseError``.
    public init(parsing text: String) throws(ParseError) {
        guard text.utf8.count <= Self.byteLimit else { throw ParseError("The connection URL is too long.") }
        guard !text.utf8.contains(0) else { throw ParseError("The connection URL contains a NUL character.") }
        if let rest = text.removing("postgres://") ?? text.removing("postgresql://") {
            try self.init(postgresURL: rest)
        } else if let rest = text.removing("sqlite:") {
            try self.init(sqlite: rest)
        } else if let rest = text.removing("adbc:") {
            try self.init(adbc: rest)
        } else if Self.isConnectionURL(text) {
            try self.init(keywords: text)
        } else {
            throw ParseError("Start a connection URL with postgres://, sqlite: or adbc:, or write service=NAME.")
        }
        databaseNumber = self[Self.databaseNumberOption].flatMap { Int($0) } ?? 1
        options.removeAll { $0.name == Self.databaseNumberOption }
        guard options.count < EngineLimits.maximumOptions else { throw ParseError("The connection URL has too many options.") }
    }

    /// The last value of the option `name`; `nil` if the option is not set.
    public subscript(name: String) -> String? { options.last { $0.name == name }?.value }

    /// The request that opens a connection.
    func request(password: String?) -> ConnectRequest {
        var options = options
        if let password {
            options.removeAll { $0.name == "password" }
            options.append(.init("password", password))
        }
        let seconds = self["connect_timeout"].flatMap { UInt32($0) } ?? 0
        let timeLimitMilliseconds = seconds > 0 ? min(seconds, 3_600) * 1_000 : EngineConnection.connectMilliseconds
        return ConnectRequest(driver: driver, options: options, timeLimitMilliseconds: timeLimitMilliseconds)
    }
}

// MARK: PostgreSQL

extension ConnectionTarget {
    private init(postgresURL rest: String) throws(ParseError) {
        var rest = rest[...]
        var options: [ConnectRequest.Option] = []
        var table: [String] = []
        if let questionMark = rest.firstIndex(of: "?") {
            for (name, value) in try Self.queryItems(rest[rest.index(after: questionMark)...]) {
                switch name {
                case "table": table = try Self.tablePath(value)
                // `ssl=true` is an option of JDBC URLs.
                case "ssl" where value == "true": options.append(.init("sslmode", "require"))
                default: options.append(.init(name, value))
                }
            }
            rest = rest[..<questionMark]
        }
        var path: Substring = ""
        if let slash = rest.firstIndex(of: "/") { (rest, path) = (rest[..<slash], rest[rest.index(after: slash)...]) }
        var address: [ConnectRequest.Option] = []
        // Split at the last at sign: a password can contain an at sign, but a host cannot.
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if !parts[0].isEmpty { address.append(.init("user", try Self.decoded(parts[0]))) }
            if parts.count == 2 { address.append(.init("password", try Self.decoded(parts[1]))) }
            rest = rest[rest.index(after: at)...]
        }
        if !rest.isEmpty {
            var hosts: [String] = []
            var ports: [String] = []
            for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
                let (host, port) = try Self.hostAndPort(part)
                hosts.append(try Self.decoded(host))
                ports.append(port)
            }
            if hosts.contains(where: { !$0.isEmpty }) { address.append(.init("host", hosts.joined(separator: ","))) }
            if ports.contains(where: { !$0.isEmpty }) { address.append(.init("port", ports.joined(separator: ","))) }
        }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        if let name = names.first, !name.isEmpty { address.append(.init("dbname", try Self.decoded(name))) }
        if names.count > 1, !names[1].isEmpty {
            guard names.count == 2 || names.count == 3 && names[2].isEmpty else {
                throw ParseError("Write a PostgreSQL URL as postgres://user@host/database/schema.table.")
            }
            table = try Self.tablePath(try Self.decoded(names[1]))
        }
        self.init(driver: "postgresql", options: Self.requiringEncryption(address + options), table: table)
    }

    private static func hostAndPort(_ text: Substring) throws(ParseError) -> (Substring, String) {
        var host = text
        var port: Substring = ""
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw ParseError("The IPv6 address in the connection URL has no closing bracket.")
            }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else {
                throw ParseError("Only a port can follow the IPv6 address in the connection URL, as in [::1]:5432.")
            }
            port = rest.dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        guard port.isEmpty || UInt16(port).map({ $0 > 0 }) == true else {
            let isNumber = port.utf8.allSatisfy { (0x30...0x39).contains($0) }
            throw ParseError(
                "The port \(isNumber ? "must be from 1 to 65535" : "is not a number"). In a password, write @ as %40, / as %2F and : as %3A."
            )
        }
        return (host, String(port))
    }

    /// Parses `name=value` options as libpq does: values with spaces are quoted, and `\` escapes the next character.
    private init(keywords text: String) throws(ParseError) {
        var options: [ConnectRequest.Option] = []
        var table: [String] = []
        var bytes = Array(text.utf8)[...]
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        func skipSpaces() { while let byte = bytes.first, space.contains(byte) { bytes.removeFirst() } }
        while true {
            skipSpaces()
            if bytes.isEmpty { break }
            var name: [UInt8] = []
            while let byte = bytes.first, byte != 0x3D, !space.contains(byte) { name.append(bytes.removeFirst()) }
            skipSpaces()
            guard bytes.first == 0x3D, !name.isEmpty else { throw ParseError("Write a connection option as name=value.") }
            bytes.removeFirst()
            skipSpaces()
            let isQuoted = bytes.first == 0x27
            if isQuoted { bytes.removeFirst() }
            var value: [UInt8] = []
            var isClosed = !isQuoted
            while let byte = bytes.first {
                if isQuoted ? byte == 0x27 : space.contains(byte) {
                    if isQuoted { bytes.removeFirst() }
                    isClosed = true
                    break
                }
                bytes.removeFirst()
                if byte == 0x5C, !bytes.isEmpty { value.append(bytes.removeFirst()) } else { value.append(byte) }
            }
            guard isClosed else { throw ParseError("A connection option has no closing quote.") }
            let (key, content) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            if key == "table" { table = try Self.tablePath(content) } else { options.append(.init(key, content)) }
        }
        self.init(driver: "postgresql", options: Self.requiringEncryption(options), table: table)
    }

    /// Requires encryption if a host is another computer and `sslmode` is not set. The helper checks the hosts of service files.
    private static func requiringEncryption(_ options: [ConnectRequest.Option]) -> [ConnectRequest.Option] {
        let hosts = options.filter { $0.name == "host" || $0.name == "hostaddr" }.flatMap { $0.value.split(separator: ",") }
        guard !options.contains(where: { $0.name == "sslmode" || $0.name == "service" }),
            hosts.contains(where: { !isLocalHost(String($0)) })
        else { return options }
        return options + [.init("sslmode", "require")]
    }

    /// Splits `schema.table` into names. Quoted names can contain dots: `"a.b".c`.
    package static func tablePath(_ text: String) throws(ParseError) -> [String] {
        var names: [String] = []
        var name = ""
        var isQuoted = false
        var wasQuoted = false
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\"" where isQuoted && rest.first == "\"":
                name.append("\"")
                rest.removeFirst()
            case "\"" where isQuoted || name.isEmpty:
                isQuoted.toggle()
                wasQuoted = true
            case "." where !isQuoted:
                names.append(name)
                (name, wasQuoted) = ("", false)
            default: name.append(character)
            }
        }
        names.append(name)
        guard !isQuoted, names.count <= 3, names.allSatisfy({ !$0.isEmpty }), !wasQuoted || !name.isEmpty else {
            throw ParseError("Write the name of a table as table or schema.table. Names that contain dots need double quotes.")
        }
        return names
    }
}

// MARK: Other drivers

extension ConnectionTarget {
    /// Parses a file name, optionally followed by a question mark and options. If no known option follows, the question mark belongs to
    /// the file name.
    private init(sqlite text: String) throws(ParseError) {
        var path = text
        var options: [ConnectRequest.Option] = []
        var table: [String] = []
        let names = ["table", "immutable", Self.databaseNumberOption]
        if let questionMark = text.lastIndex(of: "?"),
            names.contains(where: { text[text.index(after: questionMark)...].hasPrefix($0 + "=") })
        {
            path = String(text[..<questionMark])
            for (name, value) in try Self.queryItems(text[text.index(after: questionMark)...]) {
                switch name {
                // SQLite table names can contain any character, and there are no schemas.
                case "table": table = [value]
                default: options.append(.init(name, value))
                }
            }
        }
        // In `sqlite:///path`, two of the three slashes are URL syntax.
        if path.hasPrefix("///") { path.removeFirst(2) }
        guard !path.isEmpty else { throw ParseError("Write an SQLite URL as sqlite:FILE.") }
        self.init(driver: "sqlite", options: [.init("path", path)] + options, table: table)
    }

    private init(adbc text: String) throws(ParseError) {
        var name = text[...]
        var options: [ConnectRequest.Option] = []
        var table: [String] = []
        if let questionMark = text.firstIndex(of: "?") {
            name = text[..<questionMark]
            for (key, value) in try Self.queryItems(text[text.index(after: questionMark)...]) {
                if key == "table" { table = try Self.tablePath(value) } else { options.append(.init(key, value)) }
            }
        }
        guard !name.isEmpty else { throw ParseError("Write an ADBC URL as adbc:DRIVER?uri=….") }
        self.init(driver: "adbc", options: [.init("driver", String(name))] + options, table: table)
    }

    private static func queryItems(_ text: Substring) throws(ParseError) -> [(String, String)] {
        var items: [(String, String)] = []
        for part in text.split(separator: "&") {
            guard let sign = part.firstIndex(of: "=") else { throw ParseError("Write an option in a connection URL as name=value.") }
            let name = try decoded(part[..<sign])
            guard !name.isEmpty else { throw ParseError("Write an option in a connection URL as name=value.") }
            items.append((name, try decoded(part[part.index(after: sign)...])))
        }
        return items
    }

    private static func decoded(_ text: Substring) throws(ParseError) -> String {
        if let decoded = PercentEncoding.decoded(text) { return decoded }
        throw ParseError("Invalid escape in the connection URL: two hexadecimal digits must follow %. Write % as %25.")
    }
}

extension String {
    fileprivate func removing(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
