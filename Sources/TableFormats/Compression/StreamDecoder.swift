import CCodecs
import DelimitedText
import FieldValues

/// Decodes all members of a compressed input.
///
/// One thread at a time uses it.
final class StreamDecoder: ByteDecoder, @unchecked Sendable {
    private let codec: Codec
    private let fileName: String
    private let decoder: OpaquePointer
    private let memberStarts: [BytePattern]

    private enum State {
        case member
        /// After the end of a member.
        case betweenMembers
        case ended
    }

    private var state = State.member
    /// The first bytes of the next member, until they are complete and decoded.
    private var start: [UInt8] = []
    /// The number of compressed bytes consumed so far.
    private var position = 0
    /// An error to throw after the bytes before it are returned.
    private var failure: DelimitedTextError?
    private(set) var problem: String?

    var name: String { codec.name }
    var hasEnded: Bool { state == .ended }

    /// - Parameter name: the name of the input in messages.
    /// - Throws: an error if the library is missing or memory is short.
    init(_ codec: Codec, name: String) throws(DelimitedTextError) {
        do throws(FormatError) { try codec.load(for: name) } catch {
            throw DelimitedTextError(.cannotDecode, error.message, path: name)
        }
        guard let decoder = gv_decoder_make(codec.raw) else {
            throw DelimitedTextError(.cannotDecode, "Cannot open \(name): not enough memory to decode it.", path: name)
        }
        (self.codec, fileName, self.decoder, memberStarts) = (codec, name, decoder, codec.memberStarts)
    }

    deinit { gv_decoder_free(decoder) }

    /// True if the bytes used so far end with a member, or with zeros after one.
    var isBetweenMembers: Bool { state == .betweenMembers && start.isEmpty }

    /// Counts bytes of complete members that were decoded elsewhere. Call it only between members.
    func skip(_ count: Int) { position += count }

    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int {
        try decode(&input, isEnd: isEnd, into: output, stopsAfterMember: false)
    }

    /// Decodes some bytes, as ``decode(_:isEnd:into:)``.
    /// - Parameter stopsAfterMember: true to return at the end of a member, with bytes left in `input`.
    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>, stopsAfterMember: Bool
    ) throws(DelimitedTextError) -> Int {
        if let failure { throw failure }
        var count = 0
        while count < output.count {
            switch state {
            case .member:
                let status = run(&input, into: output, &count)
                if status == GV_DECODE_END {
                    state = codec.hasOneMember ? .ended : .betweenMembers
                    if stopsAfterMember { return count }
                } else if status != GV_DECODE_MORE {
                    return try fail(after: count, status)
                } else if count < output.count, input.isEmpty, start.isEmpty {
                    return isEnd ? try fail(after: count, status) : count
                }
            case .betweenMembers:
                if !findMember(&input, isEnd: isEnd) { return count }
                if state == .member, gv_decoder_reset(decoder) == 0 { return try fail(after: count, GV_DECODE_NO_MEMORY) }
            case .ended:
                input = UnsafeBufferPointer(start: nil, count: 0)
                return count
            }
        }
        return count
    }

    /// Runs the decoder, first on ``start``.
    private func run(
        _ input: inout UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> gv_decode_status {
        if !start.isEmpty {
            var used = 0
            let status = start.withUnsafeBufferPointer { run($0, &used, output, &count) }
            start.removeFirst(used)
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
            if start.isEmpty, byte == 0 { continue }
            start.append(byte)
            let matches = memberStarts.map { $0.matches(start) }
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
        if start.isEmpty { state = .ended } else { ignoreRest() }
        return true
    }

    /// Ignores the rest of the input, which is not a member.
    private func ignoreRest() {
        state = .ended
        problem = "the bytes after byte \(NumberText.count(position - start.count)) are not \(codec.name) data and were ignored"
    }

    /// Throws an error now, or in the next call if this call has decoded bytes.
    private func fail(after count: Int, _ status: gv_decode_status) throws(DelimitedTextError) -> Int {
        let place = NumberText.count(position)
        let message =
            switch status {
            case GV_DECODE_MORE: "\(fileName) ends early, after \(place) compressed bytes. Copy or download it again."
            case GV_DECODE_TOO_BIG where codec == .zstd:
                "\(fileName) needs a window of more than 128 MiB. Unpack it first: zstd -dc --long=31 FILE | gridview"
            case GV_DECODE_TOO_BIG:
                "\(fileName) needs more than 256 MiB of memory to decode. Unpack it first: xz -dc FILE | gridview"
            case GV_DECODE_NO_MEMORY: "Cannot decode \(fileName): not enough memory."
            default: "\(fileName) is damaged near byte \(place). Copy or download it again."
            }
        let error = DelimitedTextError(.cannotDecode, message, path: fileName, byteOffset: position)
        if count == 0 { throw error }
        failure = error
        return count
    }
}
