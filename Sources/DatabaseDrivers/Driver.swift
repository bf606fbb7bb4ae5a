import EngineProtocol

/// A connection to a server or a file through one library. Each helper process has one driver.
///
/// All methods except ``interrupt()`` are called on the worker thread.
protocol Driver: AnyObject {
    /// Opens the connection.
    func connect(_ request: ConnectRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure) -> ServerInfo

    /// Runs a statement and passes its columns and rows to the sink.
    func execute(_ request: ExecuteRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure)

    /// Passes the columns and parameters of a statement to the sink, without running it.
    func describe(_ request: DescribeRequest, _ sink: ResultSink, _ control: RequestControl) throws(DriverFailure)

    /// Makes the running request end soon. The reader's thread calls this method after ``RequestControl/stop(_:)``, while one of the
    /// methods above runs. An implementation must not wait for the server.
    func interrupt()

    /// Closes the connection.
    func close()
}

/// The failure of a request.
struct DriverFailure: Error {
    /// The message for the program.
    let message: ServerMessage

    init(_ message: ServerMessage) { self.message = message }

    init(_ kind: ServerMessage.Kind, _ summary: String, code: String = "", hint: String = "") {
        message = ServerMessage(kind, summary, code: code, hint: hint)
    }
}
