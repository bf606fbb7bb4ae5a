/// A temporary file for a job whose data does not fit in memory. It is read and written at byte offsets, by any thread. The targets with
/// the file formats implement it, and sorting uses it.
public protocol ScratchFile: Sendable {
    /// Writes all of `bytes` at a byte offset.
    /// - Throws: an error if there is no space or the medium fails. The job rethrows it.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Fills all of `target` with bytes that were written at this offset.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws
    /// The total and the free bytes of the disk that contains the file; `nil` if unknown.
    var diskSpace: (total: Int, free: Int)? { get }
}

extension ScratchFile {
    /// Always `nil`: the free space is unknown, so no limit applies.
    public var diskSpace: (total: Int, free: Int)? { nil }
}
