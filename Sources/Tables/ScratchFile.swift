/// A temporary file, read and written at byte offsets, for a job whose data does not fit in memory. Any thread can use it.
///
/// Formats implement it; sorting uses it.
public protocol ScratchFile: Sendable {
    /// Writes all of `bytes`.
    /// - Throws: an error if there is no space or the medium fails. The job rethrows it.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Fills `target` with bytes written earlier.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws
    /// The size of the file system of the file and its free space in bytes; `nil` if unknown.
    var diskSpace: (total: Int, free: Int)? { get }
}

extension ScratchFile {
    /// Always `nil`.
    public var diskSpace: (total: Int, free: Int)? { nil }
}
