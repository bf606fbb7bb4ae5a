public import EngineProtocol

/// The failure of a connection or a statement. Messages of a server are untrusted: they can contain control characters.
public enum EngineError: Error, Equatable, Sendable {
    /// No server accepts connections at this address.
    case connectionRefused(ServerMessage)
    /// The name of the host has no address.
    case unknownHost(ServerMessage)
    /// The host did not answer, or the network is down.
    case unreachable(ServerMessage)
    /// The server refused the name of the user or the password.
    case wrongPassword(ServerMessage)
    /// The server requires a password that was not given. Ask the user, then connect again.
    case passwordNeeded(ServerMessage)
    /// The server does not support encryption, but the connection requires it.
    case encryptionFailed(ServerMessage)
    /// The server's certificate was not accepted, or the certificate file for checking it cannot be used.
    case certificateRefused(ServerMessage)
    /// The server has no database of this name.
    case unknownDatabase(ServerMessage)
    /// The server closed the connection or ended.
    case serverClosed(ServerMessage)
    /// The user lacks a right that the statement needs.
    case permissionDenied(ServerMessage)
    /// A write was refused, because all sessions are read-only.
    case readOnly(ServerMessage)
    /// A syntax error, at ``ServerMessage/position``.
    case syntax(ServerMessage)
    /// A table, column, function or type does not exist.
    case missingObject(ServerMessage)
    /// The library of the database, or an ADBC driver, is not installed or cannot be loaded.
    case libraryMissing(ServerMessage)
    /// A file cannot be opened.
    case cannotOpen(ServerMessage)
    /// A file is damaged, or is not a database.
    case damaged(ServerMessage)
    /// Another program has locked the file or the object.
    case locked(ServerMessage)
    /// A value or a result is longer than a limit, or exceeds the memory.
    case tooLarge(ServerMessage)
    /// The driver or the server does not support the request.
    case unsupported(ServerMessage)
    /// Any other error of the server.
    case failed(ServerMessage)
    /// The time limit was reached.
    case timedOut
    /// The caller cancelled the request. If ``EngineConnection/isOpen`` is now false, the helper had to be killed.
    case cancelled
    /// The server or an administrator cancelled the statement.
    case cancelledByServer(ServerMessage)
    /// The helper has ended; `signal` is the signal that killed it, `nil` if it exited by itself.
    case helperEnded(signal: Int32?)
    /// The helper cannot be started. `path` is the path of its program.
    case helperMissing(path: String, reason: String)
    /// The helper has sent a message that violates the protocol. The value names the invalid part.
    case malformed(String)
    /// Another thread is using the connection.
    case busy
    /// The connection was not opened, or was closed.
    case notOpen
    /// A statement or a parameter is longer than the protocol allows.
    case requestTooLarge

    init(_ message: ServerMessage) {
        self =
            switch message.kind {
            case .other, .notConnected: .failed(message)
            case .connectionRefused: .connectionRefused(message)
            case .unknownHost: .unknownHost(message)
            case .unreachable: .unreachable(message)
            case .wrongPassword: .wrongPassword(message)
            case .passwordNeeded: .passwordNeeded(message)
            case .encryptionFailed: .encryptionFailed(message)
            case .certificateRefused: .certificateRefused(message)
            case .unknownDatabase: .unknownDatabase(message)
            case .connectionLost: .serverClosed(message)
            case .cancelled: .cancelledByServer(message)
            case .timedOut: .timedOut
            case .permissionDenied: .permissionDenied(message)
            case .readOnly: .readOnly(message)
            case .syntax: .syntax(message)
            case .missingObject: .missingObject(message)
            case .libraryMissing: .libraryMissing(message)
            case .unsupported: .unsupported(message)
            case .tooLarge: .tooLarge(message)
            case .cannotOpen: .cannotOpen(message)
            case .damaged: .damaged(message)
            case .locked: .locked(message)
            case .malformed: .malformed(message.summary)
            }
    }

    /// The message of the server or library; `nil` if neither caused the failure.
    public var serverMessage: ServerMessage? {
        switch self {
        case .connectionRefused(let message), .unknownHost(let message), .unreachable(let message), .wrongPassword(let message),
            .passwordNeeded(let message), .encryptionFailed(let message), .certificateRefused(let message),
            .unknownDatabase(let message), .serverClosed(let message), .permissionDenied(let message), .readOnly(let message),
            .syntax(let message), .missingObject(let message), .libraryMissing(let message), .cannotOpen(let message),
            .damaged(let message), .locked(let message), .tooLarge(let message), .unsupported(let message), .failed(let message),
            .cancelledByServer(let message):
            message
        case .timedOut, .cancelled, .helperEnded, .helperMissing, .malformed, .busy, .notOpen, .requestTooLarge: nil
        }
    }

    /// The failure and what the user can do about it, in one or more sentences. It can contain control characters from a server.
    public var message: String {
        switch self {
        case .connectionRefused(let message):
            "Cannot connect. Check the host and the port, and that the server is running. Details: \(message.text)"
        case .unknownHost(let message): "Cannot find the host. Check its name. Details: \(message.text)"
        case .unreachable(let message): "Cannot reach the server. Check the host and the network. Details: \(message.text)"
        case .wrongPassword(let message), .unknownDatabase(let message): "Cannot connect: \(message.text)"
        case .passwordNeeded: "The server requires a password. Put it into the file ~/.pgpass, or set PGPASSWORD."
        case .encryptionFailed(let message):
            "Cannot encrypt the connection. To allow an unencrypted connection, add sslmode=prefer to the connection URL. "
                + "Details: \(message.text)"
        // Give no advice to weaken the check of the certificate, because the server may be an impostor.
        case .certificateRefused(let message):
            "The server's certificate was not accepted. Check the host name, or set sslrootcert to the certificate file of the authority that issued it. "
                + "Details: \(message.text)"
        case .serverClosed(let message): "The connection was lost. Connect again. Details: \(message.text)"
        case .permissionDenied(let message): "Access denied: \(message.text)"
        case .readOnly(let message): "Writing is not allowed: \(message.text)"
        case .syntax(let message), .missingObject(let message): "Cannot run the statement: \(message.text)"
        case .cannotOpen(let message): "Cannot open the database: \(message.text)"
        case .damaged(let message): "Cannot read the database: \(message.text)"
        case .locked(let message): "Another program is using the data. Try again later. Details: \(message.text)"
        case .tooLarge(let message): "A limit was exceeded: \(message.text)"
        case .libraryMissing(let message), .unsupported(let message), .failed(let message):
            message.text.prefix(1).uppercased() + message.text.dropFirst()
        case .timedOut: "The time limit was reached. Try again, or raise the limit."
        case .cancelled: "Cancelled."
        case .cancelledByServer(let message): "Stopped by the server: \(message.text)"
        case .helperEnded(let signal):
            "The database helper ended unexpectedly\(signal.map { " with signal \($0)" } ?? ""). Connect again."
        case .helperMissing(let path, let reason): "Cannot start \(path): \(reason).\(path.hasPrefix("/") ? " Reinstall gridview." : "")"
        case .malformed(let part): "The database helper sent an invalid message (\(part)). Reinstall gridview."
        case .busy: "The connection is busy. Wait for the running statement to finish."
        case .notOpen: "The connection is closed. Connect again."
        case .requestTooLarge: "The statement or a parameter is too long. Shorten it."
        }
    }
}

extension ServerMessage {
    /// The summary, details and hint of the message, as sentences.
    var text: String {
        var parts = [summary, detail, hint].filter { !$0.isEmpty }
        for index in parts.indices {
            while let last = parts[index].last, last == "." || last.isNewline { parts[index].removeLast() }
        }
        if parts.isEmpty { parts = ["unknown error"] }
        return parts.map { $0.hasSuffix("?") || $0.hasSuffix("!") ? $0 : $0 + "." }.joined(separator: " ")
    }
}
