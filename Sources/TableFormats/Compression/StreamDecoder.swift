import CCodecs
import DelimitedText
import FieldValues

/// Decodes all members of a compressed input. One thread at a time can use it.
final class StreamDecoder: ByteDecoder, @unchecked Sendable {
    private let codec: Codec
    private let fileName: String
    private let decoder: OpaquePointer
    private let memberSignatures: [BytePattern]

    private enum State {
        case member
        /// After the end of a member.
        case betweenMembers
        case ended
    }

    private var state = State.member
    /// The first bytes of the next member. These bytes are collected until the member is recognized, and then decoded.
    private var nextMemberStart: [UInt8] = []
    /// The number of compressed bytes that have been read.
    private var position = 0
    /// An error to throw in the next call, after the bytes decoded before it are returned.
    private var failure: DelimitedTextError?
    private(set) var problem: String?
    /// The number of decoded bytes. Checkpoints record it.
    private var outputCount = 0
    /// True if the last error is a lack of memory.
    private(set) var isShortOfMemory = false

    var supportsCheckpoints: Bool { codec == .gzip && gv_boundaries_are_available() != 0 }
    /// Records checkpoints, at which decoding can start later; `nil` to record none. Only zlib can stop between blocks. With ISA-L, all
    /// checkpoints are starts of members.
    var recorder: CheckpointRecorder? {
        get { checkpoints }
        set {
            checkpoints = supportsCheckpoints ? newValue : nil
            seekBlockBoundary(from: outputCount)
        }
    }
    private var checkpoints: CheckpointRecorder?

    var name: String { codec.name }
    var hasEnded: Bool { state == .ended }

    /// Creates a decoder.
    /// - Parameters:
    ///   - name: the name of the input in messages.
    ///   - prefersZlib: true to decode gzip with zlib, which can stop between blocks; false to prefer ISA-L.
    /// - Throws: an error if the library is missing or memory is short.
    init(_ codec: Codec, name: String, prefersZlib: Bool = false) throws(DelimitedTextError) {
        do throws(FormatError) { try codec.load(for: name) } catch {
            throw DelimitedTextError(.cannotDecode, error.message, path: name)
        }
        let stopsAtBlockBoundaries = codec == .gzip && (prefersZlib || gv_gzip_uses_zlib() != 0) && gv_boundaries_are_available() != 0
        guard let decoder = stopsAtBlockBoundaries ? gv_decoder_make_with_boundaries() : gv_decoder_make(codec.raw) else {
            throw DelimitedTextError(.cannotDecode, "Cannot open \(name): not enough memory to decode it.", path: name)
        }
        (self.codec, fileName, self.decoder, memberSignatures) = (codec, name, decoder, codec.memberSignatures)
    }

    /// Creates a decoder of gzip that starts at a checkpoint.
    /// - Parameters:
    ///   - first: the byte before `Checkpoint.inputOffset`.
    ///   - name: the name of the input in messages.
    /// - Throws: an error with the code `DelimitedTextError.Code.changed` if the checkpoint is not valid, and other errors if the library
    ///   is missing or memory is short.
    convenience init(at checkpoint: Checkpoint, first: UInt8, name: String) throws(DelimitedTextError) {
        try self.init(.gzip, name: name, prefersZlib: true)
        position = checkpoint.inputOffset
        guard let state = checkpoint.state else { return }
        let capacity = Int(GV_WINDOW_BYTES)
        let isStarted = withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { window in
            let count = state.window.isEmpty ? 0 : state.window.withUnsafeBytes { Codec.deflate.decode($0, into: window) }
            guard let count else { return false }
            let start = window.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return gv_decoder_start_within(decoder, Int32(state.bits), first, state.checksum, start, count) != 0
        }
        guard isStarted else { throw Self.changedFileError(name, at: checkpoint.inputOffset) }
    }

    /// The error for bytes that do not match the checkpoints, because the file has changed.
    static func changedFileError(_ name: String, at position: Int) -> DelimitedTextError {
        DelimitedTextError(
            .changed, "\(name) has changed near byte \(NumberText.count(position)) since it was first read. Open it again.", path: name,
            byteOffset: position)
    }

    deinit { gv_decoder_free(decoder) }

    /// True if the bytes read so far end at the end of a member, or with zeros after it. Such an input is complete.
    var isBetweenMembers: Bool { state == .betweenMembers && nextMemberStart.isEmpty }

    /// Counts the bytes of a complete member, or of a bzip2 block, that another decoder has decoded. Call it only between members.
    /// - Parameters:
    ///   - count: the number of compressed bytes.
    ///   - content: the number of decoded bytes.
    func skip(_ count: Int, content: Int) {
        addCheckpoint(atMemberStart: outputCount)
        (position, outputCount) = (position + count, outputCount + content)
    }

    /// Continues within a member of bzip2 after blocks that other decoders have decoded.
    /// - Parameters:
    ///   - partStart: the state of the stream at the start of the next block, or at the end of the member.
    ///   - first: the first byte of that block. Some of its bits may belong to the previous block.
    ///   - checksum: the combined checksum of the skipped blocks.
    func start(within partStart: PartStart, first: UInt8, checksum: UInt32) {
        if gv_bzip2_start_within(decoder, Int32(partStart.level), checksum, Int32(partStart.bit), first) == 0 {
            failure = error(GV_DECODE_NO_MEMORY)
        }
        if partStart.bit > 0 { position += 1 }
        state = .member
    }

    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int {
        try decode(&input, isEnd: isEnd, into: output, stopsAfterMember: false)
    }

    /// Decodes bytes like ``decode(_:isEnd:into:)``, with the choice to stop at the end of a member.
    /// - Parameter stopsAfterMember: true to return at the end of a member, with bytes left in `input`.
    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>, stopsAfterMember: Bool
    ) throws(DelimitedTextError) -> Int {
        if let failure { throw failure }
        var count = 0
        defer { outputCount += count }
        while count < output.count {
            switch state {
            case .member:
                let status = run(&input, into: output, &count)
                if status == GV_DECODE_BOUNDARY {
                    recordBlockBoundary(at: outputCount + count)
                } else if status == GV_DECODE_END {
                    state = codec.allowsOneMember ? .ended : .betweenMembers
                    if stopsAfterMember { return count }
                } else if status != GV_DECODE_MORE {
                    return try fail(after: count, status)
                } else if count < output.count, input.isEmpty, nextMemberStart.isEmpty {
                    return isEnd ? try fail(after: count, status) : count
                }
            case .betweenMembers:
                if !findMember(&input, isEnd: isEnd) { return count }
                if state == .member {
                    addCheckpoint(atMemberStart: outputCount + count)
                    if gv_decoder_reset(decoder) == 0 { return try fail(after: count, GV_DECODE_NO_MEMORY) }
                }
            case .ended:
                input = UnsafeBufferPointer(start: nil, count: 0)
                return count
            }
        }
        return count
    }

    /// Runs the decoder on the collected bytes in ``nextMemberStart``, and then on the input.
    private func run(
        _ input: inout UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> gv_decode_status {
        if !nextMemberStart.isEmpty {
            var used = 0
            let status = nextMemberStart.withUnsafeBufferPointer { run($0, &used, output, &count) }
            nextMemberStart.removeFirst(used)
            return status
        }
        var used = 0
        let status = run(input, &used, output, &count)
        position += used
        input = UnsafeBufferPointer(rebasing: input[used...])
        return status
    }

    private func run(
        _ input: UnsafeBufferPointer<UInt8>, _ used: inout Int, _ output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> gv_decode_status {
        var next = input.baseAddress
        var left = input.count
        var target = output.baseAddress.map { $0 + count }
        var room = output.count - count
        let status = gv_decoder_run(decoder, &next, &left, &target, &room)
        used = input.count - left
        count = output.count - room
        return status
    }

    /// Looks for the start of the next member, and skips zeros before it. Returns `false` if more input is needed.
    private func findMember(_ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool) -> Bool {
        var used = 0
        defer { input = UnsafeBufferPointer(rebasing: input[used...]) }
        for byte in input {
            used += 1
            position += 1
            if nextMemberStart.isEmpty, byte == 0 { continue }
            nextMemberStart.append(byte)
            let matches = memberSignatures.map { $0.matches(nextMemberStart) }
            if matches.contains(.entirely) {
                state = .member
                return true
            }
            if !matches.contains(.partly) {
                ignoreRest()
                return true
            }
        }
        guard isEnd else { return false }
        if nextMemberStart.isEmpty { state = .ended } else { ignoreRest() }
        return true
    }

    /// Ignores the rest of the input, because it is not a member.
    private func ignoreRest() {
        state = .ended
        problem = "the bytes after byte \(NumberText.count(position - nextMemberStart.count)) are not \(codec.name) data and were ignored"
    }

    /// Throws the error for a status, unless this call has already decoded bytes. In that case, returns the bytes, and the next call throws
    /// the error.
    private func fail(after count: Int, _ status: gv_decode_status) throws(DelimitedTextError) -> Int {
        let error = error(status)
        if count == 0 { throw error }
        failure = error
        return count
    }

    private func error(_ status: gv_decode_status) -> DelimitedTextError {
        isShortOfMemory = status == GV_DECODE_NO_MEMORY
        let offset = NumberText.count(position)
        let message =
            switch status {
            case GV_DECODE_MORE: "\(fileName) ends early, after \(offset) compressed bytes. Copy or download it again."
            case GV_DECODE_TOO_BIG where codec == .zstd:
                "\(fileName) needs a window of more than 128 MiB. Unpack it first: zstd -dc --long=31 FILE | gridview"
            case GV_DECODE_TOO_BIG:
                "\(fileName) needs more than 256 MiB of memory to decode. Unpack it first: xz -dc FILE | gridview"
            case GV_DECODE_NEEDS_DICTIONARY:
                "\(fileName) was compressed with a dictionary. Unpack it first: zstd -dc -D DICTIONARY FILE | gridview"
            case GV_DECODE_NO_MEMORY: "Cannot decode \(fileName): not enough memory."
            default: "\(fileName) is damaged near byte \(offset). Copy or download it again."
            }
        // The message says “near”, because codecs without a checksum for each block notice damage late.
        let isDamaged = ![GV_DECODE_MORE, GV_DECODE_TOO_BIG, GV_DECODE_NEEDS_DICTIONARY, GV_DECODE_NO_MEMORY].contains(status)
        return DelimitedTextError(isDamaged ? .damaged : .cannotDecode, message, path: fileName, byteOffset: position)
    }
}

// MARK: Checkpoints

extension StreamDecoder {
    /// The checksum of the decoded bytes of the current member.
    var checksum: UInt32 { gv_decoder_checksum(decoder) }

    /// Makes the decoder stop at the first boundary between blocks where a checkpoint is due.
    private func seekBlockBoundary(from output: Int) {
        gv_decoder_seek_boundary(decoder, checkpoints.map { UInt64(max(1, $0.distance(from: output))) } ?? .max)
    }

    /// Adds a checkpoint at a boundary between blocks.
    private func recordBlockBoundary(at output: Int) {
        var bits: Int32 = 0
        let window = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(GV_WINDOW_BYTES)) { window in
            let count = gv_decoder_boundary(decoder, &bits, window.baseAddress)
            return Self.compressed(UnsafeBufferPointer(rebasing: window[..<count]))
        }
        // `position` is exact: `nextMemberStart` contains only bytes of a member's header, and there are no boundaries in a header.
        if let window {
            checkpoints?.add(
                Checkpoint(
                    outputOffset: output, inputOffset: position,
                    state: Checkpoint.State(bits: Int(bits), checksum: checksum, window: window)))
        }
        seekBlockBoundary(from: output)
    }

    /// Adds a checkpoint at the start of a member, if enough bytes have been decoded since the last one.
    private func addCheckpoint(atMemberStart output: Int) {
        guard let distance = checkpoints?.distance(from: output), distance == 0 else { return }
        checkpoints?.add(Checkpoint(outputOffset: output, inputOffset: position - nextMemberStart.count))
        seekBlockBoundary(from: output)
    }

    /// Compresses bytes with deflate; `nil` if memory is short.
    private static func compressed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard !bytes.isEmpty else { return [] }
        guard let encoder = gv_encoder_make(GV_CODEC_DEFLATE) else { return nil }
        defer { gv_encoder_free(encoder) }
        // Bytes that cannot be compressed become slightly longer.
        let capacity = bytes.count + bytes.count / 64 + 64
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var (next, left, target, room) = (bytes.baseAddress, bytes.count, buffer.baseAddress, capacity)
            let isComplete = gv_encoder_run(encoder, &next, &left, &target, &room, 1) == 1
            count = isComplete ? capacity - room : 0
        }
        return result.isEmpty ? nil : result
    }
}
