import Locks
public import Tables

/// An unnamed temporary file, accessible only to this user. The system removes the file when this object is released, even if the process
/// crashes. Any thread can read and write by offset.
public final class TemporaryFile: ScratchFile {
    private let descriptor: Int32
    /// The path of the file; `nil` for a file without a name.
    package let path: String?
    private let hasName: Atomic<Bool>

    /// Creates an empty file in the folder `TMPDIR`, or in `/tmp`.
    /// - Throws: ``DelimitedTextError`` with the code ``DelimitedTextError/Code/cannotSpool``, like ``write(_:at:)``.
    public init() throws(DelimitedTextError) {
        guard let descriptor = Platform.makeUnnamedFile() else { throw Self.failure("make", Platform.lastError) }
        (self.descriptor, path) = (descriptor, nil)
        hasName = Atomic(false)
    }

    private init(descriptor: Int32, path: String) {
        (self.descriptor, self.path) = (descriptor, path)
        hasName = Atomic(true)
    }

    deinit {
        removeName()
        Platform.closeDescriptor(descriptor)
    }

    /// Creates an empty file with a random name, for a library that opens files by path. The name is removed when this object is released.
    package static func withName() throws(DelimitedTextError) -> TemporaryFile {
        guard let (descriptor, path) = Platform.makeNamedFile(in: Platform.temporaryFolder) else {
            throw failure("make", Platform.lastError)
        }
        return TemporaryFile(descriptor: descriptor, path: path)
    }

    /// Removes the name of the file once a library has opened it, so that the system removes the file even if the process crashes. Does
    /// nothing on macOS, where SQLite stops using a file without a name.
    package func removeNameWhileOpen() {
        if Platform.canRemoveOpenDatabases { removeName() }
    }

    private func removeName() {
        guard let path, hasName.exchange(false, ordering: .relaxed) else { return }
        Platform.removeFile(path)
    }

    /// The size of the file in bytes; `nil` if unknown.
    package var byteCount: Int? { Platform.status(of: descriptor)?.size }

    /// Writes all of `bytes` at `offset`, and extends the file if necessary.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DelimitedTextError) {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard Platform.writeFully(descriptor, from: start, count: bytes.count, at: offset) else {
            throw Self.failure("write to", Platform.lastError)
        }
    }

    /// Fills `target` with the bytes at `offset`.
    /// - Throws: ``DelimitedTextError`` if the bytes cannot be read or were never written.
    public func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws(DelimitedTextError) {
        guard let start = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let count = Platform.readFully(descriptor, into: start, count: target.count, at: offset)
        guard count == target.count else {
            let reason = count == nil ? Platform.errorDescription(Platform.lastError) : "the file is too short"
            throw DelimitedTextError(.cannotRead, "Cannot read back a temporary file: \(reason).", byteOffset: offset)
        }
    }

    /// The size and the free space of the disk that contains the file, in bytes; `nil` if unknown.
    public var diskSpace: (total: Int, free: Int)? { Platform.diskSpace(of: descriptor) }

    private static func failure(_ verb: String, _ number: Int32) -> DelimitedTextError {
        DelimitedTextError(
            .cannotSpool,
            "Cannot \(verb) a temporary file: \(Platform.errorDescription(number)). Set TMPDIR to a writable folder with enough space, or raise --memory.",
            errno: number)
    }
}
