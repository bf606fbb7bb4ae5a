/// Temporary storage for a job whose data exceeds its memory: bytes by offset. Safe to use from any thread.
///
/// Formats implement it; sorting uses it.
public protocol ScratchFile: Sendable {
    /// Writes all of `bytes`.
    /// - Throws: when there is no room, or the medium fails; the job then throws the same error.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Fills `target` with bytes that were written.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws
}
