import CCodecs
import DelimitedText

/// Decodes the content of a zip member, and checks its size and checksum. One thread at a time can use it.
final class ZipMemberDecoder: ByteDecoder, @unchecked Sendable {
    let name = "zip"
    let problem: String? = nil
    private let member: ZipMember
    private let archiveName: String
    /// The decoder; `nil` for a member that is not compressed.
    private let decoder: OpaquePointer?
    private var producedBytes = 0
    private var checksum = Checksum()
    /// True if no more bytes will be decoded.
    private var isDecoded = false
    /// Damage that was found after the last decoded bytes. The next call throws it.
    private var failure: ContentError?
    /// True if all bytes were decoded, and their size and checksum are correct.
    private(set) var hasEnded = false

    /// Codecs by the compression methods of zip archives.
    private static let codecs: [Int: Codec] = [8: .deflate, 12: .bzip2, 93: .zstd, 95: .xz]
    private static let methods: [Int: String] = [
        1: "Shrink", 6: "Implode", 9: "Deflate64", 14: "LZMA", 96: "JPEG", 97: "WavPack", 98: "PPMd",
    ]

    /// - Throws: ``FormatError`` if the member is encrypted, or compressed with an unknown method or a missing library.
    init(_ member: ZipMember, of archive: ZipArchive) throws(FormatError) {
        (self.member, archiveName) = (member, archive.file.name)
        let name = member.name.quotedForMessage
        guard !member.isEncrypted, member.method != 99 else {
            throw FormatError("Cannot read \(archiveName): its member \(name) is encrypted. Decrypt it first, for example with 7z x.")
        }
        guard member.method != 0 else {
            decoder = nil
            return
        }
        guard let codec = Self.codecs[member.method] else {
            let method = Self.methods[member.method] ?? "method \(member.method)"
            throw FormatError("Cannot read \(archiveName): its member \(name) is compressed with \(method). Pack it again with zip.")
        }
        try codec.load(for: archiveName)
        guard let newDecoder = gv_decoder_make(codec.raw) else {
            throw FormatError("Cannot open \(archiveName): not enough memory. Close other programs.")
        }
        decoder = newDecoder
    }

    deinit { if let decoder { gv_decoder_free(decoder) } }

    func decode(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(DelimitedTextError) -> Int {
        do throws(ContentError) { return try run(&input, isEnd: isEnd, into: output) } catch {
            throw DelimitedTextError(.damaged, FormatError.damageMessage(of: archiveName, error.reason), path: archiveName)
        }
    }

    /// Decodes some bytes like ``decode(_:isEnd:into:)``. Damage is an error only after the bytes before it have been returned.
    /// - Throws: ``ContentError`` if the content is damaged.
    func run(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(ContentError) -> Int {
        if let failure { throw failure }
        guard !hasEnded, let target = output.baseAddress else { return 0 }
        var count = 0
        while count < output.count, !isDecoded {
            let (producedCount, consumedCount) = step(&input, isEnd: isEnd, target + count, output.count - count)
            count += producedCount
            if producedCount == 0, consumedCount == 0 { break }
        }
        producedBytes += count
        checksum.add(target, count: count)
        let name = member.name.quotedForMessage
        if producedBytes > member.count {
            failure = ContentError("\(name) is longer than its declared size")
        } else if isDecoded, failure == nil {
            if producedBytes < member.count {
                failure = ContentError("\(name) is shorter than its declared size")
            } else if checksum.value != member.checksum {
                failure = ContentError("the checksum of \(name) does not match")
            } else {
                hasEnded = true
            }
        } else if count < output.count, isEnd, failure == nil {
            failure = ContentError("\(name) is incomplete")
        }
        if count == 0, let failure { throw failure }
        return count
    }

    /// Calls the decoder once. Returns the number of bytes written, and the number of bytes used.
    private func step(
        _ input: inout UnsafeBufferPointer<UInt8>, isEnd: Bool, _ target: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) -> (producedCount: Int, consumedCount: Int) {
        guard let decoder else {
            let count = min(capacity, input.count)
            if let start = input.baseAddress { target.update(from: start, count: count) }
            input = UnsafeBufferPointer(rebasing: input[count...])
            if isEnd, input.isEmpty || producedBytes + count >= member.count { isDecoded = true }
            return (count, count)
        }
        var next = input.baseAddress
        var output: UnsafeMutablePointer<UInt8>? = target
        var (left, room) = (input.count, capacity)
        let status = gv_decoder_run(decoder, &next, &left, &output, &room)
        let used = input.count - left
        input = UnsafeBufferPointer(rebasing: input[used...])
        let name = member.name.quotedForMessage
        switch status {
        case GV_DECODE_END: isDecoded = true
        case GV_DECODE_MORE: break
        case GV_DECODE_TOO_BIG: fail("\(name) needs more memory than allowed")
        case GV_DECODE_NEEDS_DICTIONARY: fail("\(name) was compressed with a dictionary")
        case GV_DECODE_NO_MEMORY: fail("there is not enough memory for \(name)")
        default: fail("\(name) cannot be decompressed")
        }
        return (capacity - room, used)
    }

    private func fail(_ reason: String) { (failure, isDecoded) = (ContentError(reason), true) }
}
