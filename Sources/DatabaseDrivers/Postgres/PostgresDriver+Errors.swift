import CDrivers
import EngineProtocol

extension PostgresDriver {
    /// The failure that a libpq result reports.
    func failure(_ result: OpaquePointer, _ control: RequestControl) -> DriverFailure {
        var message = serverMessage(result)
        if message.summary.isEmpty { message.summary = Self.trimmed(text(pq.PQresultErrorMessage(result))) }
        if message.code == "57014", control.reason != nil { return control.failure }
        if message.code == "57014", let limit = Self.milliseconds(statementTimeLimit), control.elapsed >= limit * 1_000 {
            message.summary = "statements may take at most \(statementTimeLimit) (statement_timeout)"
            message.hint = "For more time, set statement_timeout=0 in the connection URL"
        }
        // PostgreSQL reports this as an internal error and never translates the message. A size beyond 32 bits is a sign of damaged data.
        let sizePrefix = "invalid memory alloc request size "
        if message.code == "XX000", message.summary.hasPrefix(sizePrefix), UInt32(message.summary.dropFirst(sizePrefix.count)) != nil {
            message.kind = .tooLarge
            message.hint = "A value is too large to be converted to text. Search, filter and sort by other columns"
        }
        if message.code == "22P05", message.hint.isEmpty { message.hint = conversionHint(message.summary) }
        let isOpen = pq.PQstatus(connection) != Self.badConnection
        if !isOpen, message.code.isEmpty || message.kind == .other { message.kind = .connectionLost }
        if message.kind == .connectionLost, isOpen, severity(result) == "ERROR" {
            // The connection is still open: the server has lost its connection to another server, such as the server of a foreign table.
            message.kind = .other
            message.summary = "The server cannot reach another server: \(message.summary)"
            if message.hint.isEmpty { message.hint = "Reload when the other server can be reached" }
        }
        return DriverFailure(message)
    }

    /// The advice for text with a character that the encoding of the receiver, the program or the database, does not have.
    /// - Parameter summary: the message of the server, which names the encoding of the text first, also in other languages.
    private func conversionHint(_ summary: String) -> String {
        let encoding = storedEncoding
        let (sent, stored) = (summary.firstRange(of: "UTF8"), summary.firstRange(of: encoding))
        if !encoding.isEmpty, let sent, let stored, stored.lowerBound < sent.lowerBound {
            return "UTF-8 lacks a character of the table. With --sql, convert_to(column, '\(encoding)') fetches the bytes of a column"
        }
        return "The database cannot store this character. Remove it from the filter or the search"
    }

    /// The milliseconds of a setting such as `5min`; `nil` if it is 0 or not a time.
    static func milliseconds(_ setting: String) -> UInt64? {
        let units: [Substring: UInt64] = ["": 1, "ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000]
        let digits = setting.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt64(digits), number > 0, let unit = units[setting.dropFirst(digits.count)] else { return nil }
        let (milliseconds, isTooLong) = number.multipliedReportingOverflow(by: unit)
        return isTooLong ? nil : milliseconds
    }

    /// The severity of an error. It is never translated. After `FATAL` and `PANIC`, the server closes the connection.
    private func severity(_ result: OpaquePointer) -> String {
        text(pq.PQresultErrorField(result, Int32(Character("V").asciiValue ?? 0)))
    }

    /// The fields of an error or a notice.
    func serverMessage(_ result: OpaquePointer) -> ServerMessage {
        func field(_ code: Character) -> String {
            text(pq.PQresultErrorField(result, Int32(code.asciiValue ?? 0)))
        }
        let code = field("C")
        return ServerMessage(
            Self.kind(code), field("M"), code: code, detail: field("D"), hint: field("H"), position: UInt32(field("P")) ?? 0)
    }

    /// The kind of an error by its SQLSTATE (PostgreSQL documentation, appendix A).
    static func kind(_ code: String) -> ServerMessage.Kind {
        switch code {
        case "28P01", "28000": .wrongPassword
        case "3D000": .unknownDatabase
        case "42501": .permissionDenied
        case "25006": .readOnly
        case "57014": .cancelled
        case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04": .connectionLost
        case "42P01", "42703", "42883", "42704", "3F000", "42P02": .missingObject
        case "42601", "42000": .syntax
        case "55P03", "40P01": .locked
        case "0A000": .unsupported
        case "54000", "54001", "54011", "54023", "53200", "53100": .tooLarge
        // The connection is still open: the server has refused a message, such as one without the parameters of a statement.
        case "08P01": .other
        case _ where code.hasPrefix("08"): .connectionLost
        default: .other
        }
    }

    /// The failure of a connection that was open.
    func connectionLostFailure() -> DriverFailure {
        let message = Self.trimmed(text(pq.PQerrorMessage(connection)))
        return DriverFailure(.connectionLost, message.isEmpty ? "The server closed the connection" : message)
    }

    /// The failure of a connection that could not be opened. libpq reports only a message, which contains an SQLSTATE if the server
    /// answered.
    func connectFailure() -> DriverFailure {
        let full = Self.trimmed(text(pq.PQerrorMessage(connection)))
        // Omit two lines: the location in the server's source code does not help the user, and the advice to skip the certificate check is
        // dangerous.
        let omitted = ["LOCATION:", "Either provide the file"]
        let message = full.split(separator: "\n").filter { line in !omitted.contains { line.hasPrefix($0) } }.joined(separator: "\n")
        if let code = Self.sqlState(message) {
            var plain = message
            if let range = plain.firstRange(of: "  \(code): ") { plain = String(plain[range.upperBound...]) }
            let kind = Self.kind(code)
            return DriverFailure(kind, plain, code: code)
        }
        // The server has asked for a password, which libpq did not have.
        if pq.PQconnectionNeedsPassword(connection) != 0 { return DriverFailure(.passwordNeeded, message) }
        let kinds: [(ServerMessage.Kind, [String])] = [
            (.unknownHost, ["could not translate host name", "could not look up", "Name or service not known"]),
            (.encryptionFailed, ["server does not support SSL"]),
            (.certificateRefused, Self.certificateErrorTexts),
            (.connectionRefused, ["Connection refused", "No such file or directory"]),
            (.unreachable, ["No route to host", "Network is unreachable", "timed out", "timeout expired", "Host is down"]),
            (.permissionDenied, ["Permission denied"]),
            (.connectionLost, ["closed the connection", "could not receive", "could not send"]),
        ]
        for (kind, parts) in kinds where parts.contains(where: { message.contains($0) }) { return DriverFailure(kind, message) }
        return DriverFailure(.other, message.isEmpty ? "The connection failed" : message)
    }

    /// Texts in the messages of libpq about the certificate of a server, or about the files for checking that certificate. Messages about
    /// the user's own certificate contain none of these texts.
    private static let certificateErrorTexts = [
        "certificate verify failed", "root certificate", "server certificate", "name from server", "SSL certificate's",
        "certificate contains IP address",
    ]

    /// The SQLSTATE in a message such as `FATAL:  28P01: password authentication failed`. The word before it may be translated.
    private static func sqlState(_ message: String) -> String? {
        var rest = message[...]
        while let colon = rest.firstRange(of: ":  ") {
            let code = rest[colon.upperBound...].prefix(5)
            let after = rest[colon.upperBound...].dropFirst(5)
            if code.utf8.count == 5, code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }),
                after.hasPrefix(":")
            {
                return String(code)
            }
            rest = rest[colon.upperBound...]
        }
        return nil
    }

    static func trimmed(_ message: String) -> String {
        var message = message[...]
        while message.last?.isNewline == true { message.removeLast() }
        return String(message)
    }
}
