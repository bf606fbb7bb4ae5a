import CCodecs
import DelimitedText
import Dispatch
import Locks

/// Decodes the independent parts of a compressed input on several threads: blocks of BGZF, frames of zstd and blocks of bzip2.
///
/// The decoder collects complete parts, decodes a batch of them in parallel, and returns their contents in order. A ``StreamDecoder``
/// decodes everything else:
/// - the first parts, up to 8 MiB of content, so that the first rows do not wait for a batch, and a core is free to draw the first screen.
///   For bzip2, these parts are batches of one part instead;
/// - parts larger than 8 MiB, and members whose end is unknown. After such a part of a bzip2 stream, the ``StreamDecoder`` decodes the rest
///   of the stream;
/// - damaged parts, again from their start. The error, and the bytes before the damage, are then the same for any number of threads. If the
///   content of a damaged zstd frame may exceed 8 MiB, the bytes near the damage may be missing.
///
/// Memory: usually, parts have at most 1 MiB of content, and a batch has about 4 MiB. Larger parts need at most 16 MiB for the content of
/// a batch, 8 MiB for its compressed bytes, and 8 MiB for the compressed bytes of the next part. For bzip2, each thread needs 4 MiB.
/// One thread at a time uses it.
final class ParallelDecoder: ByteDecoder, @unchecked Sendable {
    /// Limits for batches of parts, in bytes.
    struct Limits {
        /// The maximum size of a part in a batch. It applies to the compressed and to the decoded bytes.
        var maximumPartBytes = 8 << 20
        /// The number of bytes that are decoded one part at a time, before the first batch. At least one part is decoded in this way.
        var bytesBeforeBatches = 8 << 20
        /// The number of decoded bytes at which the first batch is full. It doubles with each batch, up to ``batchBytes``.
        var firstBatchBytes = 256 << 10
        /// The number of decoded bytes at which any later batch is full. A batch grows beyond this number until each thread has a part.
        var batchBytes = 4 << 20
        /// The maximum number of decoded bytes of a batch.
        var maximumBatchBytes = 16 << 20
        /// The number of parts at which a batch is full, even if the parts are small.
        var maximumParts = 256
    }

    private enum State {
        /// The stream decoder decodes a member and has not reached its end.
        case stream
        /// The stream decoder decodes a member again, because it could not be decoded as a part.
        case replay
        /// Parts are collected for a batch. The stream decoder is at the boundary between two members.
        case collecting
    }

    /// A part of the input: the range of its compressed bytes, and the range of its content in the output.
    private struct Part {
        /// The byte offset of the part in the compressed bytes of the batch.
        var start: Int
        var count: Int
        /// The byte offset of the content in the output.
        var output: Int
        /// The number of bytes reserved for the content. After decoding, it is the size of the content, or a negative number if decoding
        /// failed.
        var size: Int
        /// The state of the stream at the start of the part.
        var partStart: PartStart
        /// For bzip2, the bit after the end of the part, and the checksum of its block.
        var endBit: Int
        var checksum: UInt32
    }

    private let stream: StreamDecoder
    private let codec: Codec
    private let threads: Int
    private let limits: Limits
    private var scanner: PartScanner
    /// One decoder for each thread; `nil` before its first use, or if there was not enough memory to create it.
    private let decoders: UnsafeMutableBufferPointer<OpaquePointer?>

    private var state = State.stream
    /// True if parts may be collected after the current member. This is true from the start for bzip2. For other codecs, it becomes true
    /// after ``Limits/bytesBeforeBatches`` decoded bytes, unless ``hasUnreliableHeaders`` is true.
    private var mayCollect = false
    /// The number of bytes to decode with the stream decoder before the first batch.
    private var remainingBytesBeforeBatches: Int
    /// True after an undamaged part that was too large, or whose size differed from its header. No more parts are collected then, because
    /// other headers may also be wrong.
    private var hasUnreliableHeaders = false
    /// True if no more input is available now. The stream decoder then decodes the incomplete parts, so their rows can be shown.
    private var isPausing = false
    private var failure: DelimitedTextError?
    /// For bzip2, the combined checksum of the decoded blocks of the stream.
    private var checksum: UInt32 = 0

    /// Holds the compressed bytes that are not decoded yet, in the range `keptRange`.
    private var buffer = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    private var keptRange = 0..<0
    /// The parts of the batch; the first `partCount` are used.
    private let parts: UnsafeMutableBufferPointer<Part>
    private var partCount = 0
    /// The number of parts in the batch that may have content. Skippable frames of zstd are empty.
    private var contentCount = 0
    /// For the current batch, the number of compressed bytes and of bytes reserved for content.
    private var batchCount = 0
    private var batchCapacity = 0
    /// The number of decoded bytes at which the current batch is full.
    private var batchTarget: Int

    /// The contents of the parts in the range `readyParts`. The first `readyOffset` bytes of the first part are already returned.
    private var output = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    private var readyParts = 0..<0
    private var readyOffset = 0

    var name: String { stream.name }
    var problem: String? { stream.problem }
    var hasEnded: Bool { readyParts.isEmpty && stream.hasEnded }
    var supportsCheckpoints: Bool { stream.supportsCheckpoints }
    var recorder: CheckpointRecorder? {
        get { stream.recorder }
        set { stream.recorder = newValue }
    }
    var hasBufferedInput: Bool { state == .collecting && readyParts.isEmpty && !keptRange.isEmpty }

    /// Creates a decoder. Returns `nil` for a single thread, and for an input that does not start with a part.
    /// - Parameters:
    ///   - head: the first bytes of the input.
    ///   - name: the name of the input in messages.
    /// - Throws: as ``StreamDecoder/init(_:name:)``.
    init?(_ codec: Codec, name: String, head: [UInt8], threads: Int, limits: Limits = Limits()) throws(DelimitedTextError) {
        guard threads > 1, var scanner = PartScanner(codec, maximum: limits.maximumPartBytes),
            head.withUnsafeBufferPointer({ scanner.scan($0) }) != .other
        else { return nil }
        stream = try StreamDecoder(codec, name: name)
        scanner.reset()
        (self.codec, self.scanner, self.limits, batchTarget) = (codec, scanner, limits, limits.firstBatchBytes)
        remainingBytesBeforeBatches = limits.bytesBeforeBatches
        self.threads = min(threads, 16)
        decoders = .allocate(capacity: self.threads)
        decoders.initialize(repeating: nil)
        parts = .allocate(capacity: limits.maximumParts)
        // Blocks are collected from the start, because the stream decoder would decode the whole bzip2 stream without a stop.
        if codec == .bzip2 { (state, mayCollect) = (.collecting, true) }
    }

    deinit {
        for decoder in decoders { gv_decoder_free(decoder) }
        decoders.deallocate()
        parts.deallocate()
        buffer.deallocate()
        output.deallocate()
    }

    func requestFlush() { isPausing = true }

    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int {
        if let failure { throw failure }
        if !input.isEmpty { isPausing = false }
        var count = 0
        while count < output.count {
            let rest = UnsafeMutableBufferPointer(rebasing: output[count...])
            if !readyParts.isEmpty {
                count += moveContent(into: rest)
            } else if stream.hasEnded {
                (input, keptRange) = (UnsafeBufferPointer(start: nil, count: 0), 0..<0)
                return count
            } else if state == .collecting {
                if !collect(&input, isEnd: isEnd) { return count }
            } else {
                do throws(DelimitedTextError) {
                    let made = try decodeStream(&input, isEnd: isEnd, into: rest)
                    count += made
                    if made == 0, input.isEmpty, keptRange.isEmpty, state != .collecting, !stream.hasEnded { return count }
                } catch {
                    // The error is thrown later, after the bytes before it are returned.
                    failure = error
                    if count == 0 { throw error }
                    return count
                }
            }
        }
        return count
    }

    // MARK: Single members

    /// Decodes bytes with the stream decoder, at most up to the end of a member. Returns the number of decoded bytes.
    private func decodeStream(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int {
        let isBuffered = !keptRange.isEmpty
        let all = isBuffered ? UnsafeBufferPointer(rebasing: buffer[keptRange]) : input
        let isLast = isEnd && (!isBuffered || input.isEmpty)
        // If libzstd finds damage, it returns no content for the bytes of that call. It therefore gets one byte per call. Otherwise the
        // content before the damage would be lost.
        let offered = state == .replay && codec == .zstd ? UnsafeBufferPointer(rebasing: all.prefix(1)) : all
        var left = offered
        defer {
            let used = offered.count - left.count
            if isBuffered {
                keptRange = (keptRange.lowerBound + used)..<keptRange.upperBound
            } else {
                input = UnsafeBufferPointer(rebasing: input[used...])
            }
        }
        let count = try stream.decode(&left, isEnd: isLast && offered.count == all.count, into: output, stopsAfterMember: true)
        remainingBytesBeforeBatches = max(0, remainingBytesBeforeBatches - count)
        if count > 0, remainingBytesBeforeBatches == 0, !hasUnreliableHeaders { mayCollect = true }
        if stream.isBetweenMembers {
            // The part is not damaged, so the size in its header was wrong. Other headers may also be wrong.
            if state == .replay { (hasUnreliableHeaders, mayCollect, state) = (true, false, .stream) }
            if mayCollect { state = .collecting }
        }
        return count
    }

    // MARK: Batches

    /// Collects parts, and decodes them when the batch is full. Returns `false` if more input is needed.
    private func collect(_ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        while true {
            let bytes = UnsafeBufferPointer(rebasing: buffer[(keptRange.lowerBound + batchCount)..<keptRange.upperBound])
            switch scanner.scan(bytes) {
            case .part(let count, let capacity):
                let isOnly = partCount == 0
                if !isOnly, batchCount + count > limits.maximumPartBytes || batchCapacity + capacity > limits.maximumBatchBytes {
                    decodeBatch()
                    return true
                }
                let part = Part(
                    start: batchCount, count: count, output: batchCapacity, size: capacity, partStart: scanner.partStart,
                    endBit: scanner.endBit, checksum: scanner.checksum)
                parts.initializeElement(at: partCount, to: part)
                (partCount, batchCount, batchCapacity) = (partCount + 1, batchCount + count, batchCapacity + capacity)
                if capacity > 0 { contentCount += 1 }
                scanner.reset(at: scanner.nextPartStart)
                let isFull = contentCount >= threads && (batchCapacity >= batchTarget || batchCount >= batchTarget)
                if isFull || remainingBytesBeforeBatches > 0 || partCount == limits.maximumParts {
                    batchTarget = min(2 * batchTarget, limits.batchBytes)
                    decodeBatch()
                    return true
                }
            case .incomplete:
                if appendInput(&input) { continue }
                guard isEnd || isPausing && (partCount > 0 || !bytes.isEmpty) else { return false }
                passPart()
                return true
            case .other:
                passPart()
                return true
            }
        }
    }

    /// Decodes the collected batch. If it is empty, the next bytes go to the stream decoder.
    private func passPart() {
        if partCount > 0 {
            decodeBatch()
        } else {
            passMember(at: scanner.partStart)
            state = .stream
        }
    }

    /// Passes the bytes in ``buffer`` to the stream decoder, up to the end of a member.
    /// - Parameter partStart: the state of the stream at the start of these bytes.
    private func passMember(at partStart: PartStart) {
        scanner.reset()
        guard partStart.level > 0, let first = buffer[keptRange].first else { return }
        stream.start(within: partStart, first: first, checksum: checksum)
        if partStart.bit > 0 { keptRange = (keptRange.lowerBound + 1)..<keptRange.upperBound }
    }

    /// Appends bytes of the input to ``buffer``. Returns `false` if the input is empty.
    private func appendInput(_ input: inout UnsafeBufferPointer<UInt8>) -> Bool {
        guard !input.isEmpty else { return false }
        if keptRange.upperBound == buffer.count { makeRoom() }
        let count = min(input.count, buffer.count - keptRange.upperBound)
        if let target = buffer.baseAddress, let source = input.baseAddress {
            (target + keptRange.upperBound).update(from: source, count: count)
        }
        keptRange = keptRange.lowerBound..<(keptRange.upperBound + count)
        input = UnsafeBufferPointer(rebasing: input[count...])
        return true
    }

    /// Moves the kept bytes to the start of ``buffer``. If the bytes fill at least half of the buffer, a larger buffer replaces it, up to a
    /// maximum size.
    private func makeRoom() {
        // The maximum size holds a full batch, the incomplete part after it, and more input.
        let maximum = 2 * limits.maximumPartBytes + (256 << 10)
        var target = buffer
        if keptRange.count >= buffer.count / 2, buffer.count < maximum {
            target = .allocate(capacity: min(max(256 << 10, 2 * buffer.count), maximum))
        }
        if let source = buffer.baseAddress { target.baseAddress?.update(from: source + keptRange.lowerBound, count: keptRange.count) }
        if target.baseAddress != buffer.baseAddress { buffer.deallocate() }
        (buffer, keptRange) = (target, 0..<keptRange.count)
    }

    /// Decodes the parts of the batch. A part that fails, and the parts after it, remain in the buffer.
    private func decodeBatch() {
        if output.count < batchCapacity {
            output.deallocate()
            output = .allocate(capacity: max(batchCapacity, min(2 * batchCapacity, limits.batchBytes)))
        }
        decodeParts()
        var decoded = 0
        while decoded < partCount, parts[decoded].size >= 0 { decoded += 1 }
        let used = decoded < partCount ? parts[decoded].start : batchCount
        for part in parts[..<decoded] {
            stream.skip(part.count, content: part.size)
            remainingBytesBeforeBatches = max(0, remainingBytesBeforeBatches - part.size)
            if part.partStart.level == 0 { checksum = 0 }
            checksum = (checksum << 1 | checksum >> 31) ^ part.checksum
        }
        keptRange = (keptRange.lowerBound + used)..<keptRange.upperBound
        scanner.reset(at: scanner.partStart)
        if decoded < partCount {
            passMember(at: parts[decoded].partStart)
            let end = decoded + 1 < partCount ? parts[decoded + 1].output : batchCapacity
            // The content of this part may exceed the maximum. The parts after it are probably as large.
            let isLarge = end - parts[decoded].output == limits.maximumPartBytes
            if isLarge { (hasUnreliableHeaders, mayCollect) = (true, false) }
            state = isLarge ? .stream : .replay
        }
        (readyParts, readyOffset) = (0..<decoded, 0)
        (partCount, contentCount, batchCount, batchCapacity) = (0, 0, 0, 0)
    }

    /// Decodes all parts of the batch on several threads. Each thread repeatedly takes the next part, and writes its content and size.
    private func decodeParts() {
        let next = Atomic(0)
        nonisolated(unsafe) let (parts, decoders) = (parts, decoders)
        nonisolated(unsafe) let (bytes, contents) = (UnsafeBufferPointer(rebasing: buffer[keptRange]), output)
        let (count, codec) = (partCount, codec.raw)
        let work = { @Sendable (thread: Int) in
            if decoders[thread] == nil { decoders[thread] = gv_decoder_make(codec) }
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let part = parts[index]
                guard let decoder = decoders[thread], gv_decoder_reset(decoder) != 0 else {
                    parts[index].size = -1
                    continue
                }
                let (input, output) = (bytes.baseAddress.map { $0 + part.start }, contents.baseAddress.map { $0 + part.output })
                parts[index].size =
                    codec == GV_CODEC_BZIP2
                    ? gv_bzip2_decode_block(decoder, Int32(part.partStart.level), input, part.partStart.bit, part.endBit, output, part.size)
                    : gv_decoder_run_all(decoder, input, part.count, output, part.size)
            }
        }
        let threads = min(threads, count)
        if threads == 1 { work(0) } else { DispatchQueue.concurrentPerform(iterations: threads, execute: work) }
    }

    /// Moves decoded bytes of the parts in `readyParts` to `target`. Returns the number of bytes.
    private func moveContent(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let source = output.baseAddress, let start = target.baseAddress else {
            // All contents are empty.
            readyParts = 0..<0
            return 0
        }
        var count = 0
        while count < target.count, let part = readyParts.first.map({ parts[$0] }) {
            let copied = min(part.size - readyOffset, target.count - count)
            (start + count).update(from: source + part.output + readyOffset, count: copied)
            (count, readyOffset) = (count + copied, readyOffset + copied)
            if readyOffset == part.size { (readyParts, readyOffset) = (readyParts.dropFirst(), 0) }
        }
        return count
    }
}
