import CByteScan
import Dispatch
import Locks

/// Copies an input to an unnamed temporary file in the background: a pipe, which cannot be read by offset; text in UTF-16, which is
/// transcoded; or compressed bytes, which are decoded.
///
/// The file takes as much disk space as the decoded input. The system removes it when ``source`` is released, even if the process crashes.
///
/// Streams may be endless. Reading stops with an error before the disk is full (``ScanSettings/reservedBytes``), and if the first line
/// exceeds its limit (``ScanSettings/maximumFirstLineBytes``) without being a JSON array. The bytes read until then remain available.
final class Spool: BackgroundWriter {
    let source: ByteSource
    private let input: Int32
    /// The byte range of the input to copy. It is read by offset, so the read position of the descriptor does not change. `nil` to read
    /// from the current position to the end.
    private let range: Range<Int>?
    private let wake: (read: Int32, write: Int32)
    private let name: String
    private let settings: ScanSettings
    /// The object that copies the input, until copying starts; `nil` afterwards.
    private let waitingCopier = Mutex<SpoolCopier?>(nil)

    /// Creates a spool that owns `input`. ``start(_:encoding:isOnDemand:onGrowth:)`` starts copying.
    init(input: Int32, name: String, settings: ScanSettings, range: Range<Int>? = nil) throws(DelimitedTextError) {
        guard let descriptor = Platform.makeUnnamedFile(), let wake = Platform.makePipe() else {
            let number = Platform.lastError
            Platform.closeDescriptor(input)
            throw .cannotSpoolError(name, number)
        }
        self.input = input
        self.range = range
        self.wake = wake
        self.name = name
        self.settings = settings
        source = ByteSource(descriptor: descriptor, path: nil, count: 0, isFinished: false)
    }

    deinit {
        // The reader thread does not retain the spool. It waits for the pipe `wake`, and closing this end tells it to stop.
        Platform.closeDescriptor(wake.write)
        waitingCopier.withLock { $0 }?.close()
    }

    /// The first bytes of an input, which were read to recognize its format, and the reader of the remaining bytes.
    struct Head: Sendable {
        var bytes: [UInt8]
        var isEnd: Bool
        var rest: SpoolInput
    }

    /// Reads the first bytes, at most `maximum`. Blocks until a complete line or a complete element of a JSON array has arrived. Then adds
    /// the bytes that are available without blocking.
    /// - Parameters:
    ///   - decoder: the decoder of the bytes, if it is known.
    ///   - decoding: recognizes compressed bytes; `nil` to read them as they are.
    ///   - recorder: collects checkpoints of compressed bytes; `nil` to collect none.
    func readHead(
        maximum: Int, decoder: (any ByteDecoder)? = nil, decoding: (any InputDecoding)? = nil, recorder: CheckpointRecorder? = nil
    ) throws(DelimitedTextError) -> Head {
        var reader = SpoolInput(descriptor: input, wakeDescriptor: wake.read, name: name, range: range, decoder: decoder)
        var bytes: [UInt8] = []
        var decoding = decoder == nil ? decoding : nil
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
        defer { block.deallocate() }
        while bytes.count < maximum {
            let hasRecord = bytes.contains(0x0a) || bytes.contains(0x0d) || JSONArrayStart.hasElement(bytes)
            if hasRecord, !reader.isReady, !Platform.waitUntilReadable(input, wakeDescriptor: wake.read, milliseconds: 2) { break }
            var count = 0
            do throws(DelimitedTextError) {
                count = try reader.read(into: UnsafeMutableBufferPointer(rebasing: block[..<min(block.count, maximum - bytes.count)])) ?? 0
            } catch {
                if bytes.isEmpty { throw error }
                reader.fail(error)
                break
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: block[..<count]))
            if let candidate = decoding {
                switch candidate.recognize(bytes, isEnd: count == 0) {
                case .undecided: continue
                case .notCompressed: decoding = nil
                case .compressed:
                    decoding = nil
                    let decoder = try candidate.makeDecoder(head: bytes, name: name, findsCheckpoints: recorder != nil)
                    decoder.recorder = recorder
                    reader.decode(by: decoder, first: bytes)
                    bytes = []
                    continue
                }
            }
            if count == 0 { return Head(bytes: bytes, isEnd: true, rest: reader) }
        }
        return Head(bytes: bytes, isEnd: false, rest: reader)
    }

    /// Writes the first bytes, and copies the rest of the input on a thread.
    /// - Parameters:
    ///   - onGrowth: called after each write, on that thread.
    ///   - isOnDemand: true to copy the rest only when a thread waits for it. `onGrowth` is then not called.
    func start(
        _ head: Head, encoding: TextEncoding, isOnDemand: Bool = false,
        onGrowth: @escaping @Sendable (_ byteCount: Int, _ isFinished: Bool) -> Void
    ) {
        let isDevice = Platform.status(of: input)?.isCharacterDevice ?? false
        var copier = SpoolCopier(
            input: head.rest, encoding: encoding,
            output: SpoolWriter(
                source: source, name: name, settings: settings,
                maximumFirstLineBytes: isDevice ? settings.maximumDeviceFirstLineBytes : settings.maximumFirstLineBytes))
        // Write the first bytes before this function returns, so that they are available.
        guard head.bytes.withUnsafeBufferPointer({ copier.write($0, isEnd: head.isEnd) }) else {
            copier.close()
            onGrowth(source.count, true)
            return
        }
        if isOnDemand {
            waitingCopier.withLock { $0 = copier }
            source.startOnDemand { [weak self] in
                let copier = self?.waitingCopier.withLock { waitingCopier in
                    defer { waitingCopier = nil }
                    return waitingCopier
                }
                copier?.copyRest { _, _ in }
            }
        } else {
            copier.copyRest(onGrowth)
        }
    }
}

/// The data that the reader thread works with.
private struct SpoolCopier: Sendable {
    var input: SpoolInput
    let encoding: TextEncoding
    var output: SpoolWriter
    var pending = gv_utf16()

    init(input: SpoolInput, encoding: TextEncoding, output: SpoolWriter) {
        (self.input, self.encoding, self.output) = (input, encoding, output)
    }

    func close() {
        Platform.closeDescriptor(input.descriptor)
        Platform.closeDescriptor(input.wakeDescriptor)
    }

    /// Copies the rest of the input on another thread.
    func copyRest(_ onGrowth: @escaping @Sendable (_ byteCount: Int, _ isFinished: Bool) -> Void) {
        DispatchQueue(label: "spool", qos: .userInitiated).async { [self] in
            var copier = self
            while copier.copyNext() { onGrowth(output.source.count, false) }
            copier.close()
            onGrowth(output.source.count, true)
        }
    }

    /// Copies the next bytes of the input. Returns `false` at the end or after a failure.
    mutating func copyNext() -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 << 10) { block in
            do throws(DelimitedTextError) {
                guard let count = try input.read(into: block) else {
                    _ = output.source.updateByWriter { $0.isFinished = true }
                    return false
                }
                return write(UnsafeBufferPointer(rebasing: block[..<count]), isEnd: count == 0)
            } catch {
                output.fail(error.code, error.message, error.errno)
                return false
            }
        }
    }

    /// Writes bytes to the temporary file. Returns `false` at the end or after a failure.
    mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        let start = output.writtenBytes
        let hadUnpaired = pending.unpaired > 0
        guard encoding.isUTF16 ? transcode(bytes, isEnd: isEnd) : output.put(bytes) else { return false }
        let isNeeded = output.source.updateByWriter { state in
            state.count = output.writtenBytes
            state.isFinished = isEnd
            state.compressedCount = input.compressedCount
            state.problem = input.decoder?.problem
            state.unpaired.count = Int(pending.unpaired)
            if !hadUnpaired { state.unpaired.first = start + pending.first }
            if isEnd, !encoding.isUTF16, let recorder = input.decoder?.recorder { state.checkpoints = recorder.checkpoints }
        }
        return isNeeded && !isEnd
    }

    private mutating func transcode(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * (bytes.count / 2 + 2)) { target in
            let isBigEndian: Int32 = encoding == .utf16BigEndian ? 1 : 0
            let count = gv_utf16_to_utf8(&pending, bytes.baseAddress, bytes.count, isBigEndian, isEnd ? 1 : 0, target.baseAddress)
            return output.put(UnsafeBufferPointer(rebasing: target[..<count]))
        }
    }
}
