import Locks
package import Tables

/// The bytes of a file that is not text, read by offset. Any thread can use it.
///
/// The file is never memory-mapped, because truncating a mapped file would crash the process.
package final class BinaryFile: Sendable {
    /// The last path component, or the name of the input.
    package let name: String
    /// The path of the file; `nil` for a pipe.
    package let path: String?
    /// The number of bytes.
    package let count: Int
    private let source: ByteSource
    /// The writer of the temporary file; `nil` if the file itself is read.
    private let writer: (any BackgroundWriter)?
    /// The status of the file when it was opened; `nil` for a pipe.
    let fileStatus: Platform.FileStatus?

    /// True if the bytes come from a temporary copy, such as the copy of a pipe, instead of the file at ``path``.
    package var isCopy: Bool { path == nil || writer != nil }

    /// A number that no other input of this process has.
    package var serial: Int { source.serial }

    /// The size and the time of the last change of a file.
    package struct Stamp: Equatable, Sendable {
        /// The number of bytes.
        package let size: Int
        private let device: UInt64
        private let inode: UInt64
        private let modified: Platform.Time

        /// Returns `nil` if the file does not exist.
        package init?(ofPath path: String) {
            guard let status = Platform.status(ofPath: path) else { return nil }
            (size, device, inode, modified) = (status.size, status.device, status.inode, status.modified)
        }
    }

    /// True if a path leads to a file, a folder or a device.
    package static func exists(_ path: String) -> Bool { Platform.status(ofPath: path) != nil }

    /// Opens a regular file. Returns `nil` if the path is not one, so that text formats report the error or read the pipe.
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
        while !bytes.isFinished { bytes = input.source.wait(moreThan: bytes.count, interruptions: bytes.interruptions) }
        if let failure = bytes.failure { throw failure }
        (name, path, count, source, writer) = (input.name, input.path, bytes.count, input.source, input.spool)
        fileStatus = input.fileStatus.withLock { $0 }
    }

    /// A part of the file as a separate input, such as a member of an archive.
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

    /// Up to `count` bytes at `offset`, fewer only at the end of the file.
    /// - Throws: `DelimitedTextError` if the file cannot be read.
    package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset < self.count else { return [] }
        return try source.bytes(at: offset, count: min(count, self.count - offset))
    }

    /// Compares the open file with the file at its path. Two system calls.
    package func checkForChange() -> FileChange {
        guard let path, let fileStatus else { return .unchanged }
        return fileStatus.change(ofFileAt: path)
    }
}
