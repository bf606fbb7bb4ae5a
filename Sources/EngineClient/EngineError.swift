public import EngineProtocol

/// The failure of a connection or a statement. Texts of a server are data: they can hold control characters.
public enum EngineError: Error, Equatable, Sendable {
    case connectionRefused(ServerMessage)
    case unknownHost(ServerMessage)
    case unreachable(ServerMessage)
    case wrongPassword(ServerMessage)
    /// The server asks for a password, and none was given. Ask the user, and connect again.
    case passwordNeeded(ServerMessage)
    case encryptionFailed(ServerMessage)
    case unknownDatabase(ServerMessage)
    /// The server closed the connection, or ended.
    case serverClosed(ServerMessage)
    case permissionDenied(ServerMessage)
    /// A write was refused, because all sessions are read-only.
    case readOnly(ServerMessage)
    /// The position is in ``ServerMessage/position``.
    case syntax(ServerMessage)
    case missingObject(ServerMessage)
    case libraryMissing(ServerMessage)
    case cannotOpen(ServerMessage)
    case damaged(ServerMessage)
    case locked(ServerMessage)
    case tooLarge(ServerMessage)
    case unsupported(ServerMessage)
    /// Any other error of the server.
    case failed(ServerMessage)
    /// The time limit was reached.
    case timedOut
    /// The caller has canceled the request. If ``EngineConnection/isOpen`` is false now, the helper had to be stopped.
    case cancelled
    /// The server canceled the statement by itself, or an administrator did.
    case cancelledByServer(ServerMessage)
    /// The helper ended, with this signal if it crashed or was stopped.
    case helperEnded(signal: Int32?)
    /// The helper cannot be started: its path, and the reason.
    case helperMissing(path: String, reason: String)
    /// The helper sent something that does not follow the protocol.
    case malformed(String)
    /// Another thread uses the connection.
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
            case .malformed: .malformed(message.primary)
            }
    }

    /// The message of the server or the library; `nil` if the failure has another source.
    public var serverMessage: ServerMessage? {
        switch self {
        case .connectionRefused(let message), .unknownHost(let message), .unreachable(let message), .wrongPassword(let message),
            .passwordNeeded(let message), .encryptionFailed(let message), .unknownDatabase(let message), .serverClosed(let message),
            .permissionDenied(let message), .readOnly(let message), .syntax(let message), .missingObject(let message),
            .libraryMissing(let message), .cannotOpen(let message), .damaged(let message), .locked(let message), .tooLarge(let message),
            .unsupported(let message), .failed(let message), .cancelledByServer(let message):
            message
        case .timedOut, .cancelled, .helperEnded, .helperMissing, .malformed, .busy, .notOpen, .requestTooLarge: nil
        }
    }

    /// The failure and its remedy, in one or more sentences. It can hold control characters of a server.
    public var sentence: String {
        switch self {
        case .connectionRefused(let message):
            "The server refused the connection: \(message.text). Check the host and the port, and that the server runs."
        case .unknownHost(let message): "The host is unknown: \(message.text). Check its name."
        case .unreachable(let message): "The server cannot be reached: \(message.text). Check the network and the host."
        case .wrongPassword(let message): "The server refused the user or the password: \(message.text)."
        case .passwordNeeded: "The server asks for a password. Put it into a password file, such as ~/.pgpass, or enter it."
        case .encryptionFailed(let message):
            "The connection cannot be encrypted: \(message.text). Add sslmode=prefer to the address to connect without encryption."
        case .unknownDatabase(let message): "The database does not exist: \(message.text)."
        case .serverClosed(let message): "The server closed the connection: \(message.text). Connect again."
        case .permissionDenied(let message): "Permission denied: \(message.text)."
        case .readOnly(let message): "Connections are read-only: \(message.text)."
        case .syntax(let message): "The server does not understand the statement: \(message.text)."
        case .missingObject(let message): "The statement uses an unknown name: \(message.text)."
        case .libraryMissing(let message): "\(message.text)."
        case .cannotOpen(let message): "The database cannot be opened: \(message.text)."
        case .damaged(let message): "The database is damaged: \(message.text)."
        case .locked(let message): "The database is locked: \(message.text). Try again later."
        case .tooLarge(let message): "A limit was exceeded: \(message.text)."
        case .unsupported(let message), .failed(let message): "\(message.text)."
        case .timedOut: "The time limit was reached. Try again, or raise the limit."
        case .cancelled: "Canceled."
        case .cancelledByServer(let message): "The server canceled the statement: \(message.text)."
        case .helperEnded(let signal):
            "The database helper ended unexpectedly\(signal.map { " with signal \($0)" } ?? ""). Connect again."
        case .helperMissing(let path, let reason): "Cannot start \(path): \(reason). Install gridview again."
        case .malformed(let part): "The database helper sent a wrong message (\(part)). Install gridview again."
        case .busy: "The connection is in use. Wait for the running statement."
        case .notOpen: "The connection is closed. Connect again."
        case .requestTooLarge: "The statement or a parameter is too long."
        }
    }
}

extension ServerMessage {
    /// The description with its details and hint, without a full stop at the end.
    var text: String {
        var parts = [primary, detail, hint].filter { !$0.isEmpty }
        for index in parts.indices {
            while let last = parts[index].last, last == "." || last.isNewline { parts[index].removeLast() }
        }
        return parts.isEmpty ? "unknown error" : parts.joined(separator: ". ")
    }
}
