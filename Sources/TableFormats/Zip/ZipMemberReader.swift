import DelimitedText
import FieldValues

/// Reads the content of a member of a zip archive, from its start to its end. One thread at a time can use it.
///
/// Memory: 64 KiB and the memory of the decoder, for members of any size.
final class ZipMemberReader: @unchecked Sendable {
    private let decoder: ZipMemberDecoder
    private let file: BinaryFile
    private let input: UnsafeMutablePointer<UInt8>
    private static let inputCapacity = 64 << 10
    /// The range of the bytes in `input` that are not decoded yet.
    private var pendingRange = 0..<0
    /// The range of the bytes in the file that are not read yet.
    private var unreadRange: Range<Int>

    /// - Throws: ``FormatError`` if the member is encrypted, damaged, or compressed with an unknown method or a missing library.
    init(_ member: ZipMember, of archive: ZipArchive) throws {
        decoder = try ZipMemberDecoder(member, of: archive)
        file = archive.file
        unreadRange = try archive.contentRange(of: member)
        input = .allocate(capacity: Self.inputCapacity)
    }

    deinit { input.deallocate() }

    /// True if all bytes were read.
    var isAtEnd: Bool { decoder.hasEnded }

    /// Decodes up to `capacity` bytes. Returns 0 only at the end, after size and checksum were checked.
    /// - Throws: ``ContentError`` if the content is damaged or cannot be read.
    func read(into target: UnsafeMutablePointer<UInt8>, capacity: Int) throws(ContentError) -> Int {
        guard capacity > 0 else { return 0 }
        while !decoder.hasEnded {
            if pendingRange.isEmpty, !unreadRange.isEmpty {
                let count = min(Self.inputCapacity, unreadRange.count)
                do { try file.read(into: input, count: count, at: unreadRange.lowerBound) } catch {
                    throw ContentError("the file cannot be read at byte \(NumberText.count(unreadRange.lowerBound))")
                }
                unreadRange = (unreadRange.lowerBound + count)..<unreadRange.upperBound
                pendingRange = 0..<count
            }
            var bytes = UnsafeBufferPointer(start: UnsafePointer(input) + pendingRange.lowerBound, count: pendingRange.count)
            let count = try decoder.run(
                &bytes, isEnd: unreadRange.isEmpty, into: UnsafeMutableBufferPointer(start: target, count: capacity))
            pendingRange = (pendingRange.upperBound - bytes.count)..<pendingRange.upperBound
            if count > 0 { return count }
        }
        return 0
    }
}
