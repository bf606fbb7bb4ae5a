import DelimitedText
import FieldValues

/// A member of a zip archive, as described by the directory of the archive.
struct ZipMember: Sendable {
    /// The name with its folders, separated by slashes.
    var name: String
    /// The compression method, such as 0 (stored) or 8 (deflate).
    var method: Int
    var isEncrypted: Bool
    var compressedCount: Int
    /// The number of bytes of the content.
    var count: Int
    /// The CRC-32 of the content.
    var checksum: UInt32
    /// The offset of the local header in the file.
    var headerOffset: Int

    /// True for a folder.
    var isFolder: Bool { name.hasSuffix("/") }
    /// True for a file that macOS adds to archives to store the attributes of another file or of a folder.
    var isSystemFile: Bool { name.hasPrefix("__MACOSX/") || name == ".DS_Store" || name.hasSuffix("/.DS_Store") }
    /// The last component of the name.
    var lastComponent: String { name.split(separator: "/").last.map(String.init) ?? name }
}

/// The directory of a zip archive (PKWARE, “.ZIP File Format Specification”, APPNOTE 6.3.10).
///
/// Every number of the directory is checked when the archive is opened: each member lies within the file, and no two members overlap.
struct ZipArchive: Sendable {
    let file: BinaryFile
    /// The members in the order of the directory.
    let members: [ZipMember]

    /// The maximum size of the directory. A member takes at least 46 bytes.
    static let maximumDirectoryBytes = 64 << 20
    /// The first bytes of a member's local header, and the first bytes of an archive without members.
    private static let localMagic: [UInt8] = [0x50, 0x4B, 3, 4]
    private static let endMagic: [UInt8] = [0x50, 0x4B, 5, 6]

    /// True if these are the first bytes of an archive.
    static func isArchive(_ head: [UInt8]) -> Bool { head.starts(with: localMagic) || head.starts(with: endMagic) }

    /// Reads the directory.
    /// - Throws: ``FormatError`` if the directory is missing, damaged or too large; `DelimitedTextError` if the file cannot be read.
    init(_ file: BinaryFile) throws {
        self.file = file
        do throws(ContentError) { members = try Self.readMembers(file) } catch {
            guard try Self.isArchive(file.bytes(at: 0, count: 4)) else {
                throw FormatError(
                    "\(file.name) is not a zip archive; xlsx and ods files are zip archives, too. Remove --format to detect the format."
                )
            }
            throw error.isDamage ? .damaged(file.name, error.reason) : FormatError("Cannot read \(file.name): \(error.reason).")
        }
    }

    /// The member with this name; `nil` for an unknown name.
    func member(named name: String) -> ZipMember? { members.first { $0.name == name } }

    /// The byte range of a member's content in the file.
    /// - Throws: ``FormatError`` if its header is damaged; `DelimitedTextError` if the file cannot be read.
    func contentRange(of member: ZipMember) throws -> Range<Int> {
        let name = member.name.quotedForMessage
        let header = try file.bytes(at: member.headerOffset, count: 30)
        guard header.count == 30, header.starts(with: Self.localMagic) else {
            throw FormatError.damaged(file.name, "the header of \(name) is missing")
        }
        let start = member.headerOffset + 30 + header.number(at: 26, bytes: 2) + header.number(at: 28, bytes: 2)
        guard start <= file.count - member.compressedCount else {
            throw FormatError.damaged(file.name, "\(name) is outside the file")
        }
        guard member.method != 0 || member.count == member.compressedCount else {
            throw FormatError.damaged(file.name, "the sizes of \(name) do not match")
        }
        return start..<start + member.compressedCount
    }

    /// The content of the member `mimetype`, which names the kind of an OpenDocument file; empty without such a member. The member must not
    /// be compressed, but a file that was unpacked and packed again often breaks this rule.
    var mediaType: String {
        guard let member = member(named: "mimetype"), member.count <= 200, let reader = try? ZipMemberReader(member, of: self)
        else { return "" }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 200) { bytes in
            let count = (try? reader.read(into: bytes.baseAddress!, capacity: 200)) ?? 0
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    // MARK: Directory

    /// The position and size of the directory.
    private struct Directory {
        var offset: Int
        var byteCount: Int
        var memberCount: Int
        /// The number of bytes before the archive, such as a program that unpacks it. Offsets in the directory do not count these bytes.
        var prefix: Int
    }

    private static func readMembers(_ file: BinaryFile) throws(ContentError) -> [ZipMember] {
        let directory = try findDirectory(file)
        let bytes = try read(file, at: directory.offset, count: directory.byteCount)
        var members: [ZipMember] = []
        var position = 0
        while position < bytes.count, members.count < directory.memberCount {
            let (member, next) = try readMember(bytes, at: position, directory)
            members.append(member)
            position = next
        }
        guard members.count == directory.memberCount else { throw ContentError("its ZIP directory is incomplete") }
        try checkOverlaps(members, before: directory.offset)
        return members
    }

    private static func read(_ file: BinaryFile, at offset: Int, count: Int) throws(ContentError) -> [UInt8] {
        guard let bytes = try? file.bytes(at: offset, count: count), bytes.count == count else {
            throw ContentError("its ZIP directory cannot be read")
        }
        return bytes
    }

    private static func findDirectory(_ file: BinaryFile) throws(ContentError) -> Directory {
        // A comment of at most 65,535 bytes follows the 22 bytes of the end record.
        let tailCount = min(file.count, 22 + 65_535)
        let tailStart = file.count - tailCount
        let tail = try read(file, at: tailStart, count: tailCount)
        var position = tailCount - 22
        while position >= 0 {
            if tail[position] == 0x50, tail[position...].starts(with: endMagic),
                position + 22 + tail.number(at: position + 20, bytes: 2) <= tailCount
            {
                break
            }
            position -= 1
        }
        guard position >= 0 else { throw ContentError("its ZIP directory is missing") }
        let end = tailStart + position
        var directory = Directory(
            offset: tail.number(at: position + 16, bytes: 4), byteCount: tail.number(at: position + 12, bytes: 4),
            memberCount: tail.number(at: position + 10, bytes: 2), prefix: 0)
        var directoryEnd = end
        if position >= 20, tail[(position - 20)...].starts(with: [0x50, 0x4B, 6, 7]) {
            (directory, directoryEnd) = try largeDirectory(file, locatedBy: tail, position - 20, end: end - 20)
        } else if tail.number(at: position + 4, bytes: 2) != 0 || tail.number(at: position + 6, bytes: 2) != 0 {
            throw ContentError("it is one part of a split ZIP archive, so join its parts first", isDamage: false)
        }
        guard directory.byteCount <= maximumDirectoryBytes else {
            throw ContentError("its ZIP directory is larger than \(maximumDirectoryBytes >> 20) MiB", isDamage: false)
        }
        // The directory ends where the end record starts, so the difference is the number of bytes before the archive.
        let prefix = directoryEnd - directory.byteCount - directory.offset
        guard directory.offset >= 0, directory.byteCount >= 0, directory.memberCount >= 0, prefix >= 0,
            directory.memberCount <= directory.byteCount / 46
        else { throw ContentError("its ZIP directory is outside the file") }
        directory.prefix = prefix
        directory.offset += prefix
        return directory
    }

    /// The directory of an archive with 64-bit sizes.
    /// - Parameters:
    ///   - tail: the last bytes of the file, with the locator at `position`.
    ///   - end: the offset of the locator in the file.
    private static func largeDirectory(
        _ file: BinaryFile, locatedBy tail: [UInt8], _ position: Int, end: Int
    ) throws(ContentError) -> (Directory, end: Int) {
        // The record normally ends at the locator. The offset in the locator is tried second, because it is too low if bytes precede the
        // archive.
        for offset in [end - 56, tail.number(at: position + 8, bytes: 8)] where offset >= 0 && offset <= end - 56 {
            let record = try read(file, at: offset, count: 56)
            guard record.starts(with: [0x50, 0x4B, 6, 6]) else { continue }
            let (start, count) = (record.number(at: 48, bytes: 8), record.number(at: 40, bytes: 8))
            guard start >= 0, start <= offset, count >= 0, count <= offset else { break }
            return (Directory(offset: start, byteCount: count, memberCount: record.number(at: 32, bytes: 8), prefix: 0), offset)
        }
        throw ContentError("its 64-bit ZIP directory is missing")
    }

    private static func readMember(
        _ bytes: [UInt8], at position: Int, _ directory: Directory
    ) throws(ContentError) -> (ZipMember, next: Int) {
        guard position + 46 <= bytes.count, bytes[position...].starts(with: [0x50, 0x4B, 1, 2]) else {
            throw ContentError("its ZIP directory is incomplete")
        }
        let nameCount = bytes.number(at: position + 28, bytes: 2)
        let extraCount = bytes.number(at: position + 30, bytes: 2)
        let next = position + 46 + nameCount + extraCount + bytes.number(at: position + 32, bytes: 2)
        guard next <= bytes.count else { throw ContentError("its ZIP directory is incomplete") }
        let flags = bytes.number(at: position + 8, bytes: 2)
        let nameEnd = position + 46 + nameCount
        var member = ZipMember(
            name: ZipName.text(bytes[(position + 46)..<nameEnd], isUTF8: flags & 0x800 != 0),
            method: bytes.number(at: position + 10, bytes: 2), isEncrypted: flags & 0x2041 != 0,
            compressedCount: bytes.number(at: position + 20, bytes: 4), count: bytes.number(at: position + 24, bytes: 4),
            checksum: UInt32(truncatingIfNeeded: bytes.number(at: position + 16, bytes: 4)),
            headerOffset: bytes.number(at: position + 42, bytes: 4))
        readExtra(bytes[nameEnd..<nameEnd + extraCount], into: &member)
        let (offset, overflows) = member.headerOffset.addingReportingOverflow(directory.prefix)
        guard !overflows, offset >= 0, offset <= directory.offset - 30, member.count >= 0, member.compressedCount >= 0,
            member.compressedCount <= directory.offset - offset - 30
        else { throw ContentError("the member \(member.name.quotedForMessage) is outside the file") }
        member.headerOffset = offset
        return (member, next)
    }

    /// Reads 64-bit sizes from the extra fields of a member.
    private static func readExtra(_ bytes: ArraySlice<UInt8>, into member: inout ZipMember) {
        var position = bytes.startIndex
        while position + 4 <= bytes.endIndex {
            let (kind, count) = (bytes.number(at: position, bytes: 2), bytes.number(at: position + 2, bytes: 2))
            let end = position + 4 + count
            guard end <= bytes.endIndex else { return }
            if kind == 1 {
                // Only sizes and offsets that do not fit in 32 bits are present, in this order.
                var field = position + 4
                for path in [\ZipMember.count, \.compressedCount, \.headerOffset] where member[keyPath: path] == 0xFFFF_FFFF {
                    guard field + 8 <= end else { return }
                    member[keyPath: path] = bytes.number(at: field, bytes: 8)
                    field += 8
                }
            }
            position = end
        }
    }

    /// Refuses archives whose members share bytes, because an archive of a few MB could then have petabytes of content.
    private static func checkOverlaps(_ members: [ZipMember], before end: Int) throws(ContentError) {
        let order = members.indices.sorted { members[$0].headerOffset < members[$1].headerOffset }
        for (index, number) in order.enumerated() {
            let member = members[number]
            let limit = index + 1 < order.count ? members[order[index + 1]].headerOffset : end
            guard member.headerOffset + 30 + member.compressedCount <= limit else {
                throw ContentError("the member \(member.name.quotedForMessage) overlaps another one")
            }
        }
    }
}

/// A problem of a file's content, as a clause for a longer message.
struct ContentError: Error, Hashable {
    /// A clause about the problem without a full stop, such as `its ZIP directory is incomplete`.
    var reason: String
    /// True for damaged content, false for valid content that is not supported.
    var isDamage: Bool
    /// A sentence about the remedy. If `nil`, the message advises to write the file again with the program that created it.
    var advice: String?

    init(_ reason: String, isDamage: Bool = true, advice: String? = nil) {
        (self.reason, self.isDamage, self.advice) = (reason, isDamage, advice)
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// An unsigned little-endian number of at most eight bytes; negative if it exceeds `Int.max`. The bytes must exist.
    func number(at position: Int, bytes count: Int) -> Int {
        var number: UInt64 = 0
        for index in (0..<count).reversed() { number = number << 8 | UInt64(self[position + index]) }
        return Int(truncatingIfNeeded: number)
    }
}

extension String {
    /// The text in quotes, cut to 100 characters and without control characters.
    var quotedForMessage: String {
        let shown = String(UnicodeScalarView(unicodeScalars.prefix(100))).withoutControls
        return "“\(shown)\(unicodeScalars.count > 100 ? "…" : "")”"
    }
}
