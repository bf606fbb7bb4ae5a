import CCodecs
import DelimitedText

/// Decodes the content of a member of a zip archive, from its start to its end. One thread at a time can use it.
///
/// Takes 64 KiB and the memory of the decoder, whatever the size of the member.
final class ZipMemberReader: @unchecked Sendable {
    private let member: ZipMember
    private let file: BinaryFile
    /// The decoder; `nil` for a stored member.
    private let decoder: OpaquePointer?
    private let input: UnsafeMutablePointer<UInt8>
    private static let inputCapacity = 64 << 10
    /// The undecoded bytes in `input`.
    private var pending = 0..<0
    /// The range of the file that was not read yet.
    private var unread: Range<Int>
    private var produced = 0
    private var checksum = Checksum()
    /// True if no other bytes will be decoded.
    private var isDecoded = false
    /// The damage found after the last decoded bytes.
    private var failure: ContentError?
    /// True if all bytes were decoded and are correct.
    private(set) var isAtEnd = false

    /// Codecs by the compression methods of zip archives.
    private static let codecs: [Int: Codec] = [8: .deflate, 12: .bzip2, 93: .zstd, 95: .xz]
    private static let methods: [Int: String] = [
        1: "Shrink", 6: "Implode", 9: "Deflate64", 14: "LZMA", 96: "JPEG", 97: "WavPack", 98: "PPMd",
    ]

    /// Prepares a member for reading.
    /// - Throws: ``FormatError`` if the member is encrypted, damaged, or compressed with an unknown method or a missing library.
    init(_ member: ZipMember, of archive: ZipArchive) throws {
        (self.member, file) = (member, archive.file)
        let archiveName = archive.file.name
        let name = member.name.quotedForMessage
        guard !member.isEncrypted, member.method != 99 else {
            throw FormatError("Cannot read \(archiveName): its member \(name) is encrypted. Decrypt it first, for example with 7z x.")
        }
        let header = try archive.file.bytes(at: member.headerOffset, count: 30)
        guard header.count == 30, header.starts(with: [0x50, 0x4B, 3, 4]) else {
            throw FormatError("\(archiveName) is damaged: the header of \(name) is missing. Copy or download it again.")
        }
        let start = member.headerOffset + 30 + header.number(at: 26, bytes: 2) + header.number(at: 28, bytes: 2)
        guard start <= archive.file.count - member.compressedCount else {
            throw FormatError("\(archiveName) is damaged: \(name) is outside the file. Copy or download it again.")
        }
        unread = start..<start + member.compressedCount
        if member.method == 0 {
            guard member.count == member.compressedCount else {
                throw FormatError("\(archiveName) is damaged: the sizes of \(name) differ. Copy or download it again.")
            }
            decoder = nil
        } else {
            guard let codec = Self.codecs[member.method] else {
                let method = Self.methods[member.method] ?? "method \(member.method)"
                throw FormatError(
                    "Cannot read \(archiveName): its member \(name) is compressed with \(method). Pack it again with zip.")
            }
            try codec.load(for: archiveName)
            guard let made = gv_decoder_make(codec.raw) else {
                throw FormatError("Cannot open \(archiveName): the memory is not sufficient. Close other programs.")
            }
            decoder = made
        }
        input = .allocate(capacity: Self.inputCapacity)
    }

    deinit {
        if let decoder { gv_decoder_free(decoder) }
        input.deallocate()
    }

    /// Decodes up to `capacity` bytes. Returns 0 only at the end, after size and checksum were checked. Damage is reported after the bytes
    /// before it.
    /// - Throws: ``ContentError`` if the content is damaged or cannot be read.
    func read(into target: UnsafeMutablePointer<UInt8>, capacity: Int) throws(ContentError) -> Int {
        if let failure { throw failure }
        guard !isAtEnd, capacity > 0 else { return 0 }
        var count = 0
        while count == 0, !isDecoded {
            if let decoder { count = try decode(decoder, target, capacity) } else { count = try copy(target, capacity) }
        }
        produced += count
        checksum.add(target, count: count)
        if produced > member.count {
            failure = ContentError("\(name) is longer than the archive says")
        } else if isDecoded, failure == nil {
            if produced < member.count {
                failure = ContentError("\(name) is shorter than the archive says")
            } else if checksum.value != member.checksum {
                failure = ContentError("the checksum of \(name) does not match")
            } else {
                isAtEnd = true
            }
        }
        if count == 0, let failure { throw failure }
        return count
    }

    private var name: String { member.name.quotedForMessage }

    private func copy(_ target: UnsafeMutablePointer<UInt8>, _ capacity: Int) throws(ContentError) -> Int {
        let count = min(capacity, unread.count)
        try fill(target, count)
        isDecoded = unread.isEmpty
        return count
    }

    private func decode(
        _ decoder: OpaquePointer, _ target: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) throws(ContentError) -> Int {
        if pending.isEmpty, !unread.isEmpty {
            let count = min(Self.inputCapacity, unread.count)
            try fill(input, count)
            pending = 0..<count
        }
        var next: UnsafePointer<UInt8>? = UnsafePointer(input) + pending.lowerBound
        var output: UnsafeMutablePointer<UInt8>? = target
        var (inputCount, room) = (pending.count, capacity)
        let status = gv_decoder_run(decoder, &next, &inputCount, &output, &room)
        let (used, made) = (pending.count - inputCount, capacity - room)
        pending = (pending.upperBound - inputCount)..<pending.upperBound
        switch status {
        case GV_DECODE_END: isDecoded = true
        case GV_DECODE_MORE:
            let isStuck = made == 0 && (used == 0 || pending.isEmpty && unread.isEmpty)
            if isStuck { fail("\(name) is incomplete") }
        case GV_DECODE_TOO_BIG: fail("\(name) needs more memory than allowed")
        case GV_DECODE_NO_MEMORY: fail("the memory is not sufficient for \(name)")
        default: fail("\(name) cannot be decompressed")
        }
        return made
    }

    private func fail(_ reason: String) { (failure, isDecoded) = (ContentError(reason), true) }

    /// Reads the next bytes of the file.
    private func fill(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) throws(ContentError) {
        do { try file.read(into: target, count: count, at: unread.lowerBound) } catch {
            throw ContentError("\(name) cannot be read from the file")
        }
        unread = (unread.lowerBound + count)..<unread.upperBound
    }
}
