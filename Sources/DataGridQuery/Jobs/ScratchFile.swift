/// Where a job puts what does not fit in memory: bytes by offset, gone when the file is. Safe to use from any thread.
public protocol ScratchFile: Sendable {
    /// Writes all of `bytes`.
    /// - Throws: when there is no room, or the medium fails; the job then throws the same.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Fills `target` with bytes that were written.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws
}
