import CByteScan
import Dispatch
import Locks

/// Copies what cannot be read by offset (a pipe) or not as it is (UTF-16) to a temporary file without a name, in the background.
///
/// The file takes as much disk space as the input; it is gone when the last one who holds ``source`` is, whatever happens to the process.
///
/// Streams may have no end. Reading stops with an error where the first line does not end in time (``ScanSettings/firstLineBytes``), and before
/// the disk is full (``ScanSettings/reservedBytes``); what has come until then is there.
final class Spool: Sendable {
    let source: ByteSource
    /// What UTF-16 had of surrogates without partner: how many, and about where the first came out.
    var unpaired: (count: Int, first: Int) { found.withLock { $0 } }
    private let found = Mutex((count: 0, first: 0))
    private let input: Int32
    private let wake: (read: Int32, write: Int32)
    private let name: String
    private let limits: StreamLimits

    /// Takes over `input`. ``start(first:encoding:onGrowth:)`` begins to copy.
    init(input: Int32, name: String, settings: ScanSettings) throws(DelimitedTextError) {
        guard let descriptor = Platform.makeUnnamedFile(), let wake = Platform.makePipe() else {
            let number = Platform.lastError
            Platform.closeDescriptor(input)
            throw DelimitedTextError(
                .cannotSpool,
                "Cannot create a temporary file for \(name): \(Platform.reason(number)). Set TMPDIR to a folder with more space.",
                path: name, errno: number)
        }
        self.input = input
        self.wake = wake
        self.name = name
        limits = StreamLimits(settings, isDevice: Platform.status(of: input)?.isCharacterDevice ?? false)
        source = ByteSource(descriptor: descriptor, path: nil, count: 0, isFinished: false)
    }

    deinit {
        // The reader holds what it needs, not the spool itself; it sleeps on the other end of this, which is readable once it is closed.
        Platform.closeDescriptor(wake.write)
    }

    /// Reads what there is at first, at most `maximum` bytes: sleeps until there is a whole line, then takes what else has come.
    func readFirst(maximum: Int) throws(DelimitedTextError) -> (bytes: [UInt8], isEnd: Bool) {
        var bytes: [UInt8] = []
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: 64 << 10)
        defer { block.deallocate() }
        while bytes.count < maximum {
            let hasLine = bytes.contains(0x0a) || bytes.contains(0x0d)
            if hasLine && !Platform.waitReadable(input, interrupt: wake.read, milliseconds: 2) { break }
            guard let count = Platform.readSome(input, into: block, count: min(64 << 10, maximum - bytes.count)) else {
                let number = Platform.lastError
                throw DelimitedTextError(
                    .cannotRead, "Cannot read \(name): \(Platform.reason(number)).", path: name, errno: number)
            }
            if count == 0 { return (bytes, true) }
            bytes.append(contentsOf: UnsafeBufferPointer(start: block, count: count))
        }
        return (bytes, false)
    }

    /// Writes `first`, and then whatever comes, until the end; `onGrowth` is told after each piece, on the reader's thread.
    func start(
        first: [UInt8], isEnd: Bool, encoding: TextEncoding, onGrowth: @escaping @Sendable (_ byteCount: Int, _ isFinished: Bool) -> Void
    ) {
        var copier = SpoolCopier(source: source, input: input, interrupt: wake.read, name: name, encoding: encoding, limits: limits)
        // The first bytes are there when this returns.
        let goesOn = copier.write(first, isEnd: isEnd)
        note(copier.unpaired)
        if !goesOn {
            copier.close()
            onGrowth(source.count, true)
            return
        }
        let carried = copier
        DispatchQueue(label: "spool", qos: .userInitiated).async { [weak self, source] in
            var copier = carried
            while copier.step() {
                self?.note(copier.unpaired)
                onGrowth(source.count, false)
            }
            self?.note(copier.unpaired)
            copier.close()
            onGrowth(source.count, true)
        }
    }

    private func note(_ value: (count: Int, first: Int)) {
        found.withLock { $0 = value }
    }
}

/// Where reading a stream stops.
private struct StreamLimits: Sendable {
    /// The most bytes before the first line end.
    let firstLine: Int
    /// After how many bytes the room on the disk is asked for.
    let roomCheck: Int
    /// The room that is left, and the part of the disk that it is at most.
    let reserved: Int
    let reservedPart: Int

    init(_ settings: ScanSettings, isDevice: Bool) {
        firstLine = isDevice ? settings.deviceFirstLineBytes : settings.firstLineBytes
        roomCheck = settings.roomCheckBytes
        reserved = settings.reservedBytes
        reservedPart = settings.reservedPart
    }
}

/// The reader's side.
private struct SpoolCopier: Sendable {
    let source: ByteSource
    let input: Int32
    let interrupt: Int32
    let name: String
    let encoding: TextEncoding
    private let limits: StreamLimits
    private var pending = gv_utf16()
    private var written = 0
    private var hasLineEnd = false
    /// When the room on the disk is asked for next, in bytes written.
    private var nextRoomCheck: Int
    private(set) var unpaired = (count: 0, first: 0)

    init(source: ByteSource, input: Int32, interrupt: Int32, name: String, encoding: TextEncoding, limits: StreamLimits) {
        self.source = source
        self.input = input
        self.interrupt = interrupt
        self.name = name
        self.encoding = encoding
        self.limits = limits
        nextRoomCheck = limits.roomCheck
    }

    func close() {
        Platform.closeDescriptor(input)
        Platform.closeDescriptor(interrupt)
    }

    /// Copies what comes next; false when that was the end.
    mutating func step() -> Bool {
        let size = 256 << 10
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { block in
            guard Platform.waitReadable(input, interrupt: interrupt, milliseconds: -1) else {
                source.update { $0.isFinished = true }
                return false
            }
            guard let count = Platform.readSome(input, into: block.baseAddress!, count: size) else {
                let number = Platform.lastError
                fail(.cannotRead, "Cannot read \(name): \(Platform.reason(number)). The rows read so far stay available.", number)
                return false
            }
            return write(UnsafeBufferPointer(start: block.baseAddress, count: count), isEnd: count == 0)
        }
    }

    mutating func write(_ bytes: [UInt8], isEnd: Bool) -> Bool {
        bytes.withUnsafeBufferPointer { write($0, isEnd: isEnd) }
    }

    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        var isWritten = true
        if encoding.isUTF16 {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * (bytes.count / 2 + 2)) { target in
                let empty: UInt8 = 0
                let before = pending.unpaired
                let count = withUnsafePointer(to: empty) {
                    gv_utf16_to_utf8(
                        &pending, bytes.baseAddress ?? $0, bytes.count, encoding == .utf16BigEndian ? 1 : 0, isEnd ? 1 : 0,
                        target.baseAddress!)
                }
                if before == 0 && pending.unpaired > 0 { unpaired.first = written }
                unpaired.count = Int(pending.unpaired)
                isWritten = put(target.baseAddress!, count)
            }
        } else if let start = bytes.baseAddress {
            isWritten = put(start, bytes.count)
        }
        guard isWritten else { return false }
        source.update { state in
            state.count = written
            state.isFinished = isEnd
        }
        return !isEnd
    }

    private mutating func put(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard Platform.writeFully(source.descriptor, from: bytes, count: count, at: written) else {
            let number = Platform.lastError
            fail(
                .cannotSpool,
                "Cannot store \(name) in a temporary file: \(Platform.reason(number)). Set TMPDIR to a folder with more space.", number)
            return false
        }
        written += count
        return isWithinLimits(after: bytes, count)
    }

    /// Whether reading goes on after these bytes; otherwise it has failed.
    private mutating func isWithinLimits(after bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if !hasLineEnd {
            hasLineEnd = gv_find(bytes, count, 0x0a) < count || gv_find(bytes, count, 0x0d) < count
            if !hasLineEnd && written >= limits.firstLine {
                fail(
                    .endless,
                    "\(name) is not a table: its first line is longer than \(limits.firstLine >> 20) MiB. Reading stopped.",
                    0)
                return false
            }
        }
        guard written >= nextRoomCheck else { return true }
        nextRoomCheck = written + limits.roomCheck
        guard let room = Platform.room(of: source.descriptor) else { return true }
        let reserved = min(limits.reserved, room.total / limits.reservedPart)
        guard room.free < reserved else { return true }
        fail(
            .cannotSpool,
            "Reading \(name) stopped after \(written >> 20) MiB: less than \(reserved >> 20) MiB of the disk would remain free. Set TMPDIR to a folder with more space. The rows read so far stay available.",
            0)
        return false
    }

    private func fail(_ code: DelimitedTextError.Code, _ message: String, _ number: Int32) {
        let failure = DelimitedTextError(code, message, path: name, errno: number, byteOffset: written)
        source.update { state in
            state.count = written
            state.failure = failure
            state.isFinished = true
        }
    }
}
