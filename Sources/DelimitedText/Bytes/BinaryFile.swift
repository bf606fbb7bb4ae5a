import Locks
package import Tables

/// The bytes of a file that is not text, read by offset. Any thread can use it.
///
/// The file is never memory-mapped, because truncating a mapped file would crash the process.
package final class BinaryFile: Sendable {
    /// The last component of the path; for a pipe, the name of the input.
    package let name: String
    /// The path of the file; `nil` for a pipe.
    package let path: String?
    /// The number of bytes.
    package let count: Int
    private let source: ByteSource
    /// Writes the temporary file that is read; `nil` if the user's file is read directly.
    private let writer: (any BackgroundWriter)?
    /// The status of the file when it was opened; `nil` for a pipe. Later statuses are compared with it to find changes.
    let fileStatus: Platform.FileStatus?

    /// True if the bytes come from a temporary file, such as the copy of a pipe, instead of the file at ``path``.
    package var isCopy: Bool { path == nil || writer != nil }

    /// A number that identifies this input among all inputs of the process.
    package var serial: Int { source.serial }

    /// The size of a file and the time of its last change. Two equal fingerprints mean that the file has probably not changed.
    package struct Fingerprint: Equatable, Sendable {
        /// The size of the file in bytes.
        package let size: Int
        private let device: UInt64
        private let inode: UInt64
        private let modified: Platform.Time

        /// Reads the fingerprint of the file at `path`. Returns `nil` if the file does not exist.
        package init?(ofPath path: String) {
            guard let status = Platform.status(ofPath: path) else { return nil }
            (size, device, inode, modified) = (status.size, status.device, status.inode, status.modified)
        }
    }

    /// True if a path leads to a file, a folder or a device.
    package static func exists(_ path: String) -> Bool { Platform.status(ofPath: path) != nil }

    /// Opens a regular file. Returns `nil` for other paths, such as a missing file or a pipe. The caller then opens the path as text, which
    /// reports the error or reads the pipe.
    package init?(path: String) {
        guard let status = Platform.status(ofPath: path), status.isRegular, let descriptor = Platform.openForReading(path) else {
            return nil
        }
        (self.path, fileStatus, writer) = (path, Platform.status(of: descriptor), nil)
        name = path.split(separator: "/").last.map(String.init) ?? path
        count = fileStatus?.size ?? status.size
        source = ByteSource(descriptor: descriptor, path: path, count: count, isFinished: true)
    }

    /// The bytes of an input, such as the temporary copy of a pipe. Waits until all bytes have arrived.
    /// - Throws: the `DelimitedTextError` that ended the input early.
    package init(waitingFor input: DelimitedFile) throws(DelimitedTextError) {
        var bytes = input.source.current
        while !bytes.isFinished { bytes = input.source.waitForBytes(moreThan: bytes.count, interruptions: bytes.interruptions) }
        if let failure = bytes.failure { throw failure }
        (name, path, count, source, writer) = (input.name, input.path, bytes.count, input.source, input.spool)
        fileStatus = input.fileStatus.withLock { $0 }
    }

    /// Opens a range of the file as a separate input, such as a member of an archive.
    func opening(
        ofPart range: Range<Int>, decoder: (any ByteDecoder)?, name: String, request: DialectRequest, settings: ScanSettings
    ) throws(DelimitedTextError) -> FileOpening {
        let range = range.clamped(to: 0..<count)
        return try FileOpening(
            part: range, of: source, decoder: decoder, name: name, path: path, status: fileStatus, request: request, settings: settings)
    }

    /// Reads exactly `count` bytes at `offset`.
    /// - Throws: `DelimitedTextError` if the file is shorter or cannot be read.
    package func read(into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws {
        try source.read(into: target, count: count, at: offset)
    }

    /// Up to `count` bytes at `offset`. Fewer bytes mean that the file ends there.
    /// - Throws: `DelimitedTextError` if the file cannot be read.
    package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset < self.count else { return [] }
        return try source.bytes(at: offset, count: min(count, self.count - offset))
    }

    /// Checks whether the file at the path is still the open file, with the same content. Takes two system calls.
    package func checkForChange() -> FileChange {
        guard let path, let fileStatus else { return .unchanged }
        return fileStatus.change(ofFileAt: path)
    }
}
