/// A temporary file for a job whose data does not fit in memory. Any thread can read and write it, at byte offsets.
public protocol ScratchFile: Sendable {
    /// Writes all of `bytes` at a byte offset.
    /// - Throws: an error if there is no space or the medium fails. The job rethrows it.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Fills all of `target` with bytes that were written at this offset.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws
    /// The total and the free bytes of the file system that contains the file; `nil` if unknown.
    var diskSpace: (total: Int, free: Int)? { get }
}

extension ScratchFile {
    /// Always `nil`: the free space is unknown.
    public var diskSpace: (total: Int, free: Int)? { nil }
}
