import CCodecs

/// The state of a compressed stream at the start of a part, which is needed to decode the part.
struct PartStart: Equatable {
    /// For bzip2, the block size in the header of the stream, from 1 to 9, or 0 if the part begins with the header. 0 for other codecs.
    var level = 0
    /// For bzip2, the number of bits in the first byte that belong to the previous block. 0 for other codecs.
    var bit = 0
}

/// Finds the ends of independent parts of a compressed input without decoding them.
///
/// A part is a block of BGZF (a gzip member whose header has its size), a frame of zstd, or a block of bzip2. A block of bzip2 can end
/// within a byte, which then belongs to two parts. A scanner reads one part at a time, and reads each header once.
struct PartScanner {
    /// The result of a scan.
    enum Result: Equatable {
        /// A complete part. The next part starts `count` bytes later. The content has at most `capacity` bytes, unless it exceeds the
        /// limit.
        case part(count: Int, capacity: Int)
        /// The end of the part is not in the bytes. More bytes are needed.
        case incomplete
        /// The bytes are not a part, or the part is larger than the limits.
        case other
    }

    private enum Format { case bgzf, zstd, bzip2 }

    private let format: Format
    /// The maximum number of compressed bytes of a part.
    let maximumCompressedBytes: Int
    /// The maximum number of bytes of the content of a part.
    let maximumContentBytes: Int

    /// The state of the stream at the start of the current part.
    private(set) var partStart = PartStart()
    /// The state of the stream at the start of the next part. It is set when the end of the current part is found.
    private(set) var nextPartStart = PartStart()
    /// For bzip2, the bit after the end of the part, and the checksum of its block.
    private(set) var endBit = 0
    private(set) var checksum: UInt32 = 0

    /// For zstd, the offset of the next block header, or 0 before the frame header is read. For bzip2, the bit offset where the search for
    /// the end of the part continues, or 0 before the header is read.
    private var next = 0
    /// For zstd, the sum of the largest possible contents of the blocks read in this frame.
    private var capacity = 0
    /// For zstd, the largest possible content of a block, in bytes.
    private var blockBytes = 0
    /// For zstd, the content size in the frame header; `nil` if the header has no size.
    private var contentSize: Int?
    private var hasChecksum = false
    /// True if ``next`` is the end of the part.
    private var isAtEnd = false

    /// Creates a scanner for a codec. Returns `nil` if the codec has no independent parts, or if they are not decoded in parallel.
    /// - Parameter maximum: the maximum size of a part in bytes, both compressed and decoded.
    init?(_ codec: Codec, maximum: Int) {
        switch codec {
        case .gzip: format = .bgzf
        case .zstd: format = .zstd
        case .bzip2: format = .bzip2
        // LZ4: one thread must compute the checksum of the content, which takes about as long as decoding. xz: liblzma before 5.8.1 can
        // crash on damaged blocks if it uses several threads (CVE-2025-31115).
        case .zlib, .deflate, .xz, .lzma, .lz4, .brotli: return nil
        }
        (maximumCompressedBytes, maximumContentBytes) = (maximum, maximum)
    }

    /// Starts to scan a new part.
    mutating func reset(at partStart: PartStart = PartStart()) {
        (self.partStart, nextPartStart) = (partStart, PartStart())
        (next, capacity, blockBytes, contentSize, hasChecksum, isAtEnd) = (0, 0, 0, nil, false, false)
    }

    /// Looks for the end of the current part. After ``Result/incomplete``, call it again with the same bytes, followed by more bytes.
    /// - Parameter bytes: the bytes from the start of the part.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Result {
        switch format {
        case .bgzf: scanBlock(bytes)
        case .zstd: scanFrame(bytes)
        case .bzip2: scanBits(bytes)
        }
    }

    // MARK: BGZF

    /// A gzip member with the subfield `BC`, which has the size of the member minus 1 (SAM/BAM format specification, section 4.1).
    private func scanBlock(_ bytes: UnsafeBufferPointer<UInt8>) -> Result {
        guard bytes.count >= 12 else { return .incomplete }
        guard bytes.number(at: 0, bytes: 4) == 0x0408_8B1F else { return .other }
        let end = 12 + bytes.number(at: 10, bytes: 2)
        var field = 12
        while field + 4 <= end {
            guard bytes.count >= field + 4 else { return .incomplete }
            let size = bytes.number(at: field + 2, bytes: 2)
            guard bytes[field] == 0x42, bytes[field + 1] == 0x43, size == 2, field + 6 <= end else {
                field += 4 + size
                continue
            }
            guard bytes.count >= field + 6 else { return .incomplete }
            let count = bytes.number(at: field + 4, bytes: 2) + 1
            guard count >= end + 8, count <= maximumCompressedBytes else { return .other }
            guard bytes.count >= count else { return .incomplete }
            let content = bytes.number(at: count - 4, bytes: 4)
            return content <= min(maximumContentBytes, 1 << 16) ? .part(count: count, capacity: content) : .other
        }
        return .other
    }

    // MARK: zstd

    /// Scans a frame or a skippable frame (RFC 8878, section 3.1). Only the headers of blocks are read.
    private mutating func scanFrame(_ bytes: UnsafeBufferPointer<UInt8>) -> Result {
        if next == 0, let result = scanFrameHeader(bytes) { return result }
        while !isAtEnd {
            guard next <= maximumCompressedBytes else { return .other }
            guard bytes.count >= next + 3 else { return .incomplete }
            let header = bytes.number(at: next, bytes: 3)
            let size = header >> 3
            // A block is raw (0), one repeated byte (1) or compressed (2); 3 is reserved.
            let kind = header >> 1 & 3
            guard kind < 3, size <= blockBytes else { return .other }
            next += 3 + (kind == 1 ? 1 : size)
            if contentSize == nil { capacity += kind == 2 ? blockBytes : size }
            if header & 1 == 1 {
                isAtEnd = true
                next += hasChecksum ? 4 : 0
            }
        }
        guard next <= maximumCompressedBytes else { return .other }
        // `capacity` is the sum of the largest possible contents of the blocks. Small blocks contain much less, so a large sum does not
        // mean a large frame.
        return bytes.count >= next ? .part(count: next, capacity: min(capacity, maximumContentBytes)) : .incomplete
    }

    /// Reads the header of a frame, and sets ``next`` to its end. Returns `nil` if the header is complete and valid; otherwise, the result
    /// of the scan.
    private mutating func scanFrameHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Result? {
        guard bytes.count >= 5 else { return .incomplete }
        let magic = bytes.number(at: 0, bytes: 4)
        if magic & ~0xF == 0x184D_2A50 {
            guard bytes.count >= 8 else { return .incomplete }
            (next, isAtEnd) = (8 + bytes.number(at: 4, bytes: 4), true)
            return nil
        }
        let descriptor = Int(bytes[4])
        guard magic == 0xFD2F_B528, descriptor & 8 == 0 else { return .other }
        let isSingleSegment = descriptor & 0x20 != 0
        let sizeBytes = descriptor >> 6 > 0 ? 1 << (descriptor >> 6) : isSingleSegment ? 1 : 0
        // The dictionary identifier has 0, 1, 2 or 4 bytes.
        let sizeOffset = 5 + (isSingleSegment ? 0 : 1) + (1 << (descriptor & 3)) >> 1
        guard bytes.count >= sizeOffset + sizeBytes else { return .incomplete }
        if sizeBytes > 0 {
            let size = bytes.number(at: sizeOffset, bytes: sizeBytes)
            // A size of 2 bytes is stored minus 256. A size of 8 bytes may exceed `Int.max` and is then negative.
            contentSize = sizeBytes == 2 ? size + 256 : size
            guard size >= 0, size <= maximumContentBytes else { return .other }
            capacity = contentSize ?? 0
        }
        let window = isSingleSegment ? contentSize ?? 0 : (8 + Int(bytes[5] & 7)) << (7 + Int(bytes[5] >> 3))
        // `gv_decoder_run` has the same limit, and reports larger windows as errors.
        guard window <= 128 << 20 else { return .other }
        blockBytes = min(window, 128 << 10)
        hasChecksum = descriptor & 4 != 0
        next = sizeOffset + sizeBytes
        return nil
    }
}

// MARK: bzip2

extension PartScanner {
    /// Looks for the next block signature, at any bit. If the data of a block happens to contain the signature, the part cannot be decoded.
    private mutating func scanBits(_ bytes: UnsafeBufferPointer<UInt8>) -> Result {
        guard let start = bytes.baseAddress else { return .incomplete }
        // A part begins with a signature of 48 bits and a checksum of 32 bits. In the first part of a stream, a header of 4 bytes precedes
        // them.
        let block = partStart.level == 0 ? 32 : partStart.bit
        guard 8 * bytes.count >= block + 80 else { return .incomplete }
        var level = partStart.level
        if next == 0 {
            guard gv_bzip2_is_block(start, block) != 0 else { return .other }
            (checksum, next) = (gv_bzip2_checksum(start, block), block + 48)
        }
        if level == 0 {
            level = Int(bytes[3]) - 0x30
            guard bytes[0] == 0x42, bytes[1] == 0x5A, bytes[2] == 0x68, 1...9 ~= level else { return .other }
        }
        endBit = gv_bzip2_find_block(start, bytes.count, next)
        guard endBit >= 0 else {
            next = max(next, 8 * bytes.count - 47)
            return bytes.count <= maximumCompressedBytes ? .incomplete : .other
        }
        guard endBit <= 8 * maximumCompressedBytes else { return .other }
        nextPartStart = PartStart(level: level, bit: endBit % 8)
        // The run-length encoding makes the content at most 51 times as large as the block. Usually it is less than four times as large.
        return .part(count: endBit / 8, capacity: min(4 * 100_000 * level, maximumContentBytes))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Reads a little-endian number of at most 8 bytes.
    fileprivate func number(at offset: Int, bytes: Int) -> Int {
        var value = 0
        for index in (0..<bytes).reversed() { value = value << 8 | Int(self[offset + index]) }
        return value
    }
}
