import Tables

/// Writes a zip archive to a sequential output. Members of unknown size are compressed, and their sizes follow their content.
///
/// Only sizes and offsets of 4 GiB or more are in 64-bit fields (APPNOTE 4.5.3), because some programs do not read these fields. Memory:
/// the encoder, and about 100 bytes for each member.
final class ZipWriter {
    private let output: FileOutput
    private let limit: Int
    /// The number of written bytes.
    private var offset = 0
    private var directory: [UInt8] = []
    private var memberCount = 0
    private var member = Member()
    /// The encoder of the current member.
    private var encoder: StreamEncoder?

    private struct Member {
        var name: [UInt8] = []
        /// The offset of the local header in the archive.
        var headerOffset = 0
        var uncompressedCount = 0
        /// The offset of the compressed content in the archive.
        var contentOffset = 0
        var checksum = Checksum()
    }

    /// The maximum size and offset in a 32-bit field.
    static let maximumSize = 0xFFFF_FFFF

    /// - Parameters:
    ///   - output: receives the bytes of the archive.
    ///   - limit: the least size or offset that is stored in a 64-bit field; smaller in tests.
    init(to output: @escaping FileOutput, limit: Int = ZipWriter.maximumSize) {
        (self.output, self.limit) = (output, limit)
    }

    /// Adds a small member without compression.
    func add(_ name: String, _ content: String) throws {
        let bytes = Array(content.utf8)
        member = Member(name: Array(name.utf8), headerOffset: offset, uncompressedCount: bytes.count)
        bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { member.checksum.add(start, count: $0.count) } }
        try put(localHeader(isCompressed: false))
        try put(bytes)
        describeMember(compressedCount: bytes.count, isCompressed: false)
    }

    /// Starts a compressed member.
    /// - Throws: ``FormatError`` if zlib is missing.
    func begin(_ name: String) throws {
        encoder = try StreamEncoder(.deflate)
        member = Member(name: Array(name.utf8), headerOffset: offset)
        try put(localHeader(isCompressed: true))
        member.contentOffset = offset
    }

    /// Adds bytes to the member.
    func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws {
        member.checksum.add(bytes, count: count)
        member.uncompressedCount += count
        try encoder?.encode(UnsafeRawBufferPointer(start: bytes, count: count), to: put)
    }

    func end() throws {
        try encoder?.finish(to: put)
        encoder = nil
        let compressedCount = offset - member.contentOffset
        // A reader that does not use the directory, such as that of Java, expects 64-bit sizes only if the sizes need them.
        let width = max(member.uncompressedCount, compressedCount) > limit ? 8 : 4
        var descriptor: [UInt8] = [0x50, 0x4B, 7, 8]
        descriptor.append(Int(member.checksum.value), bytes: 4)
        descriptor.append(compressedCount, bytes: width)
        descriptor.append(member.uncompressedCount, bytes: width)
        try put(descriptor)
        describeMember(compressedCount: compressedCount, isCompressed: true)
    }

    /// Writes the directory of all members, which ends the archive.
    func finish() throws {
        let start = offset
        try put(directory)
        let size = offset - start
        var end: [UInt8] = []
        if start >= limit || size >= limit || memberCount >= 0xFFFF {
            let record = offset
            end += [0x50, 0x4B, 6, 6]
            end.append(44, bytes: 8)
            end += [45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            for number in [memberCount, memberCount, size, start] { end.append(number, bytes: 8) }
            end += [0x50, 0x4B, 6, 7, 0, 0, 0, 0]
            end.append(record, bytes: 8)
            end.append(1, bytes: 4)
        }
        end += [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        for _ in 0..<2 { end.append(min(memberCount, 0xFFFF), bytes: 2) }
        end.append(limitedTo32Bits(size), bytes: 4)
        end.append(limitedTo32Bits(start), bytes: 4)
        end += [0, 0]
        try put(end)
    }

    // MARK: Bytes

    private func put(_ bytes: UnsafeRawBufferPointer) throws {
        guard !bytes.isEmpty else { return }
        try output(bytes)
        offset += bytes.count
    }

    private func put(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try put($0) } }

    // MARK: Headers

    private func limitedTo32Bits(_ number: Int) -> Int { number >= limit ? Self.maximumSize : number }

    /// The flags, the method and the date. The date is always the earliest one that zip can store. Therefore equal tables give equal files.
    private static func attributes(isCompressed: Bool) -> [UInt8] { [isCompressed ? 8 : 0, 0, isCompressed ? 8 : 0, 0, 0, 0, 0x21, 0] }

    private func localHeader(isCompressed: Bool) -> [UInt8] {
        var header: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0] + Self.attributes(isCompressed: isCompressed)
        header.append(isCompressed ? 0 : Int(member.checksum.value), bytes: 4)
        for _ in 0..<2 { header.append(isCompressed ? 0 : member.uncompressedCount, bytes: 4) }
        header.append(member.name.count, bytes: 2)
        return header + [0, 0] + member.name
    }

    private func describeMember(compressedCount: Int, isCompressed: Bool) {
        var extra: [UInt8] = []
        for number in [member.uncompressedCount, compressedCount, member.headerOffset] where number >= limit {
            extra.append(number, bytes: 8)
        }
        let version: UInt8 = extra.isEmpty ? 20 : 45
        directory += [0x50, 0x4B, 1, 2, version, 0, version, 0] + Self.attributes(isCompressed: isCompressed)
        directory.append(Int(member.checksum.value), bytes: 4)
        directory.append(limitedTo32Bits(compressedCount), bytes: 4)
        directory.append(limitedTo32Bits(member.uncompressedCount), bytes: 4)
        directory.append(member.name.count, bytes: 2)
        directory.append(extra.isEmpty ? 0 : extra.count + 4, bytes: 2)
        directory += [UInt8](repeating: 0, count: 10)
        directory.append(limitedTo32Bits(member.headerOffset), bytes: 4)
        directory += member.name
        if !extra.isEmpty {
            directory.append(1, bytes: 2)
            directory.append(extra.count, bytes: 2)
            directory += extra
        }
        memberCount += 1
    }
}

extension [UInt8] {
    /// Appends a number with its lowest byte first.
    fileprivate mutating func append(_ number: Int, bytes count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}
