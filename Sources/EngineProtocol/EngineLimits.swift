/// Limits of the protocol. Both the program and the helper check them, because the other side may be faulty or hostile.
public enum EngineLimits {
    /// The protocol version. Program and helper are built together, so their versions must be equal.
    public static let version: UInt32 = 1
    /// The maximum number of bytes of a message, without its header.
    public static let maximumMessageBytes = 32 << 20
    /// The maximum size of a batch of rows in bytes. Each cell counts as ``cellOverheadBytes`` plus the bytes of its value.
    public static let maximumBatchBytes = 24 << 20
    /// The bytes that each cell needs in a message in addition to its value: for its offset, null bit and kind, rounded up.
    public static let cellOverheadBytes = 6
    /// The maximum of ``ExecuteRequest/byteLimit`` for a result that is sent as one batch.
    public static let maximumUnpagedResultBytes = 16 << 20
    /// The maximum number of bytes of a result that is sent as one batch, if the request sets no limit.
    public static let defaultMaximumUnpagedResultBytes = 16 << 20
    /// The maximum size of a value in a cell, in bytes. Longer values are cut.
    public static let maximumCellValueBytes = 16 << 20
    /// The maximum number of bytes of a statement.
    public static let maximumStatementBytes = 4 << 20
    /// The maximum number of parameters of a statement.
    public static let maximumParameters = 65_535
    /// The maximum number of columns of a result. PostgreSQL has at most 1,664, SQLite 2,000.
    public static let maximumColumns = 8_192
    /// The maximum number of options of a connection.
    public static let maximumOptions = 256
    /// The maximum number of bytes of a name, an option or an error message.
    public static let maximumTextBytes = 1 << 20
    /// The maximum number of notices that the program keeps for one statement.
    public static let maximumNotices = 100
    /// The maximum size of all notices of one statement, in bytes.
    public static let maximumNoticeBytes = 1 << 20
    /// The maximum number of requests that are queued in the helper.
    public static let maximumQueuedRequests = 16
}
