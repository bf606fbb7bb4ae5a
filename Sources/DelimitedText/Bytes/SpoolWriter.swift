import CByteScan
import FieldValues

/// Appends bytes to the temporary file of a source. If a limit is exceeded, it ends the source with an error.
struct SpoolWriter: Sendable {
    let source: ByteSource
    let name: String
    let settings: ScanSettings
    /// The maximum size in bytes of the first line. An input that begins with a JSON array has no such limit.
    let maximumFirstLineBytes: Int
    private(set) var writtenBytes = 0
    /// The number of written bytes at which the free disk space is checked again.
    private var nextSpaceCheck: Int
    /// True if the input needs no more checks of its first line: a line has ended, or the bytes begin with a JSON array, whose elements
    /// need no line endings.
    private var isFirstLineChecked = false

    init(source: ByteSource, name: String, settings: ScanSettings, maximumFirstLineBytes: Int) {
        (self.source, self.name, self.settings, self.maximumFirstLineBytes) = (source, name, settings, maximumFirstLineBytes)
        nextSpaceCheck = settings.spaceCheckBytes
    }

    /// Appends bytes to the file. On failure, or if a limit is exceeded, ends the source with an error and returns `false`.
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
        let count = min(bytes.count, max(0, (settings.spoolLimit ?? .max) - writtenBytes))
        guard Platform.writeFully(source.descriptor, from: start, count: count, at: writtenBytes) else {
            let error = Self.cannotStoreError(name, Platform.lastError, at: writtenBytes)
            fail(error.code, error.message, error.errno)
            return false
        }
        writtenBytes += count
        guard count == bytes.count else {
            fail(
                .cannotSpool,
                "Reading \(name) stopped at the spool limit of \(NumberText.count(settings.spoolLimit ?? 0)) bytes. "
                    + "Raise --spool-limit to read more.",
                0)
            return false
        }
        return isWithinLimits(after: start, count)
    }

    /// Checks the limits after these bytes. If one is exceeded, ends the source with an error and returns `false`.
    private mutating func isWithinLimits(after bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if !isFirstLineChecked {
            isFirstLineChecked = gv_find(bytes, count, 0x0a) < count || gv_find(bytes, count, 0x0d) < count
            if !isFirstLineChecked && writtenBytes >= maximumFirstLineBytes { isFirstLineChecked = beginsWithArray }
            if !isFirstLineChecked && writtenBytes >= maximumFirstLineBytes {
                fail(
                    .endless,
                    "\(name) is not a table: its first line is longer than \(maximumFirstLineBytes >> 20) MiB. Reading stopped.",
                    0)
                return false
            }
        }
        guard writtenBytes >= nextSpaceCheck else { return true }
        nextSpaceCheck = writtenBytes + settings.spaceCheckBytes
        guard let reserved = settings.unmetReserve(on: source.descriptor) else { return true }
        fail(
            .cannotSpool,
            "Reading \(name) stopped after \(writtenBytes >> 20) MiB: less than \(reserved >> 20) MiB of the disk would remain free. "
                + "Set TMPDIR to a folder with more space.",
            0)
        return false
    }

    private var beginsWithArray: Bool {
        guard let bytes = try? source.bytes(at: 0, count: min(writtenBytes, JSONArrayStart.maximumBytes)) else { return false }
        return JSONArrayStart.hasElement(bytes)
    }

    /// Ends the source with an error.
    func fail(_ code: DelimitedTextError.Code, _ message: String, _ number: Int32) {
        let failure = DelimitedTextError(code, message, path: name, errno: number, byteOffset: writtenBytes)
        _ = source.updateByWriter { state in
            state.count = writtenBytes
            state.failure = failure
            state.isFinished = true
        }
    }

    /// The error for bytes that cannot be written to a temporary file.
    static func cannotStoreError(_ name: String, _ number: Int32, at offset: Int) -> DelimitedTextError {
        DelimitedTextError(
            .cannotSpool,
            "Cannot store \(name) in a temporary file: \(Platform.errorDescription(number)). Set TMPDIR to a writable folder with enough space.",
            path: name, errno: number, byteOffset: offset)
    }
}

extension ScanSettings {
    /// Returns `nil` if enough disk space remains free after writing `count` more bytes. Otherwise, returns the number of bytes that must
    /// remain free.
    func unmetReserve(on descriptor: Int32, afterWriting count: Int = 0) -> Int? {
        guard let space = Platform.diskSpace(of: descriptor) else { return nil }
        let reserved = min(reservedBytes, space.total / reservedDivisor)
        return space.free - count < reserved ? reserved : nil
    }
}
