import CByteScan
import Dispatch
import Locks

/// Copies input that cannot be read by offset (a pipe), or that is not UTF-8 (UTF-16), to an unnamed temporary file in the background.
///
/// The file takes as much disk space as the input. The system removes it when ``source`` is released, even if the process crashes.
///
/// Streams may be endless. Reading stops with an error if the first line exceeds its limit (``ScanSettings/firstLineBytes``), and before
/// the disk is full (``ScanSettings/reservedBytes``). The bytes read until then remain available.
final class Spool: BackgroundWriter {
    let source: ByteSource
    private let input: Int32
    /// True if the input is read by offset, from its start, so that its position stays.
    private let readsByOffset: Bool
    private let wake: (read: Int32, write: Int32)
    private let name: String
    private let settings: ScanSettings

    /// Takes ownership of `input`. ``start(first:encoding:onGrowth:)`` starts copying.
    init(input: Int32, name: String, settings: ScanSettings, readsByOffset: Bool = false) throws(DelimitedTextError) {
        guard let descriptor = Platform.makeUnnamedFile(), let wake = Platform.makePipe() else {
            let number = Platform.lastError
            Platform.closeDescriptor(input)
            throw DelimitedTextError(
                .cannotSpool,
                "Cannot create a temporary file for \(name): \(Platform.reason(number)). Set TMPDIR to a folder with more space.",
                path: name, errno: number)
        }
        self.input = input
        self.readsByOffset = readsByOffset
        self.wake = wake
        self.name = name
        self.settings = settings
        source = ByteSource(descriptor: descriptor, path: nil, count: 0, isFinished: false)
    }

    deinit {
        // The reader thread does not retain the spool. It polls the other end of this pipe, which becomes readable when this end is closed.
        Platform.closeDescriptor(wake.write)
    }

    /// Reads the first bytes, at most `maximum`. Blocks until a complete line has arrived, then adds the bytes available without blocking.
    func readFirst(maximum: Int) throws(DelimitedTextError) -> (bytes: [UInt8], isEnd: Bool) {
        var bytes: [UInt8] = []
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: 64 << 10)
        defer { block.deallocate() }
        while bytes.count < maximum {
            let hasLine = bytes.contains(0x0a) || bytes.contains(0x0d)
            if hasLine && !Platform.waitReadable(input, wakeDescriptor: wake.read, milliseconds: 2) { break }
            let room = min(64 << 10, maximum - bytes.count)
            let read =
                readsByOffset
                ? Platform.readFully(input, into: block, count: room, at: bytes.count) : Platform.readSome(input, into: block, count: room)
            guard let count = read else {
                let number = Platform.lastError
                throw DelimitedTextError(
                    .cannotRead, "Cannot read \(name): \(Platform.reason(number)).", path: name, errno: number)
            }
            if count == 0 { return (bytes, true) }
            bytes.append(contentsOf: UnsafeBufferPointer(start: block, count: count))
        }
        return (bytes, false)
    }

    /// Writes `first`, then copies the input until its end. Calls `onGrowth` after each write, on the reader thread.
    func start(
        first: [UInt8], isEnd: Bool, encoding: TextEncoding, onGrowth: @escaping @Sendable (_ byteCount: Int, _ isFinished: Bool) -> Void
    ) {
        let isDevice = Platform.status(of: input)?.isCharacterDevice ?? false
        var copier = SpoolCopier(
            input: input, wakeDescriptor: wake.read, encoding: encoding,
            output: SpoolWriter(
                source: source, name: name, settings: settings,
                firstLineBytes: isDevice ? settings.deviceFirstLineBytes : settings.firstLineBytes),
            offset: readsByOffset ? first.count : nil)
        // The first bytes are available when this function returns.
        guard first.withUnsafeBufferPointer({ copier.write($0, isEnd: isEnd) }) else {
            copier.close()
            onGrowth(source.count, true)
            return
        }
        DispatchQueue(label: "spool", qos: .userInitiated).async { [copier, source] in
            var copier = copier
            while copier.copyNext() { onGrowth(source.count, false) }
            copier.close()
            onGrowth(source.count, true)
        }
    }
}

/// The state of the reader thread.
private struct SpoolCopier: Sendable {
    let input: Int32
    let wakeDescriptor: Int32
    let encoding: TextEncoding
    var output: SpoolWriter
    /// The offset of the next bytes of an input that is read by offset; `nil` for others.
    var offset: Int?
    var pending = gv_utf16()

    func close() {
        Platform.closeDescriptor(input)
        Platform.closeDescriptor(wakeDescriptor)
    }

    /// Copies the next bytes. Returns `false` at the end.
    mutating func copyNext() -> Bool {
        let size = 256 << 10
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { block in
            guard Platform.waitReadable(input, wakeDescriptor: wakeDescriptor, milliseconds: -1) else {
                output.source.update { $0.isFinished = true }
                return false
            }
            let target = block.baseAddress!
            let read =
                offset.map { Platform.readFully(input, into: target, count: size, at: $0) }
                ?? Platform.readSome(input, into: target, count: size)
            guard let count = read else {
                let number = Platform.lastError
                output.fail(
                    .cannotRead, "Cannot read \(output.name): \(Platform.reason(number)). The rows read so far stay available.", number)
                return false
            }
            offset? += count
            return write(UnsafeBufferPointer(start: block.baseAddress, count: count), isEnd: count == 0)
        }
    }

    /// Writes bytes. Returns `false` at the end.
    mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        let start = output.written
        let hadUnpaired = pending.unpaired > 0
        guard encoding.isUTF16 ? transcode(bytes, isEnd: isEnd) : output.put(bytes) else { return false }
        output.source.update { state in
            state.count = output.written
            state.isFinished = isEnd
            state.unpaired.count = Int(pending.unpaired)
            if !hadUnpaired { state.unpaired.first = start }
        }
        return !isEnd
    }

    private mutating func transcode(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * (bytes.count / 2 + 2)) { target in
            let isBigEndian: Int32 = encoding == .utf16BigEndian ? 1 : 0
            let count = gv_utf16_to_utf8(&pending, bytes.baseAddress, bytes.count, isBigEndian, isEnd ? 1 : 0, target.baseAddress)
            return output.put(UnsafeBufferPointer(rebasing: target[..<count]))
        }
    }
}
