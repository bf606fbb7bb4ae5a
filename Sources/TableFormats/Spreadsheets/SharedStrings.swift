import DelimitedText

/// The shared strings of an Excel workbook. A string is read when the first cell refers to it or to a later string.
///
/// Each string is stored as a field of comma-separated text. At most 64 MiB and 4 million strings are in memory. The remaining strings are
/// in a temporary file.
final class SharedStrings: @unchecked Sendable {
    private static let maximumStringsInMemory = 4 << 20
    private let memoryBytes: Int

    /// Reads the strings that have not been read yet; `nil` if the workbook has no shared strings, or if all are read.
    @exclusivity(unchecked) private var scanner: XMLScanner?
    /// The strings in memory. The first byte of a string is 1 if it looks like a number.
    @exclusivity(unchecked) private var bytes: [UInt8] = []
    @exclusivity(unchecked) private var ends: [UInt32] = []
    /// The strings that did not fit in memory.
    private var spool: SpooledStrings?
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var text: [UInt8] = []

    /// - Parameters:
    ///   - reader: the content of `sharedStrings.xml`; `nil` for a workbook without shared strings.
    ///   - memoryBytes: the maximum number of bytes in memory.
    init(_ reader: ZipMemberReader?, memoryBytes: Int = 64 << 20) throws(ContentError) {
        self.memoryBytes = memoryBytes
        scanner = try reader.map { reader throws(ContentError) in try XMLScanner(reader) }
    }

    /// Appends the string at an index, as a field of comma-separated text. Returns its kind.
    func append(_ number: Int, to output: inout [UInt8]) throws(ContentError) -> CellKind {
        while number >= count {
            guard let scanner, try readNext(scanner) else { throw ContentError("a cell refers to a shared string that does not exist") }
        }
        if number < ends.count {
            let start = number == 0 ? 0 : Int(ends[number - 1])
            bytes.withUnsafeBufferPointer { output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[(start + 1)..<Int(ends[number])])) }
            return bytes[start] == 1 ? .numberText : .other
        }
        guard let spool else { throw ContentError("a cell refers to a shared string that does not exist") }
        return try spool.append(number - ends.count, to: &output) ? .numberText : .other
    }

    /// Reads the next string. Returns `false` at the end.
    private func readNext(_ scanner: XMLScanner) throws(ContentError) -> Bool {
        while true {
            switch try scanner.next() {
            case .start where scanner.isNamed("si"):
                text.removeAll(keepingCapacity: true)
                try Self.readText(scanner, into: &text)
                try storeText()
                return true
            case .start, .end, .text: continue
            case .finish:
                self.scanner = nil
                return false
            }
        }
    }

    /// Reads the text of an `si` or `is` element: a string, or the joined strings of runs, without their pronunciation.
    static func readText(_ scanner: XMLScanner, into output: inout [UInt8]) throws(ContentError) {
        let depth = scanner.depth
        var isInText = false
        let start = output.count
        while scanner.depth >= depth {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("t") { isInText = true } else if !scanner.isNamed("r") { try scanner.skipElement() }
            case .end: isInText = false
            case .text:
                guard isInText else { continue }
                scanner.appendText(to: &output)
                guard output.count - start <= SheetRowWriter.maximumCellBytes else {
                    throw ContentError("a shared string is larger than \(SheetRowWriter.maximumCellBytes >> 20) MiB")
                }
            case .finish: return
            }
        }
        EscapedCharacters.replace(in: &output, from: start)
    }

    private func storeText() throws(ContentError) {
        let isNumber = text.withUnsafeBufferPointer { looksLikeNumber($0) }
        count += 1
        if spool == nil, bytes.count + 2 * text.count + 3 <= memoryBytes, ends.count < Self.maximumStringsInMemory {
            bytes.append(isNumber ? 1 : 0)
            text.withUnsafeBufferPointer { bytes.appendField($0) }
            ends.append(UInt32(bytes.count))
            return
        }
        if spool == nil { spool = try SpooledStrings() }
        guard let spool else { return }
        try text.withUnsafeBufferPointer { text throws(ContentError) in try spool.add(text, isNumber: isNumber) }
    }
}

/// Strings in a temporary file.
private final class SpooledStrings {
    private static let maximumBytes = 8 << 30
    private static let bufferBytes = 256 << 10

    private var texts: SpooledBytes
    /// The end offset of each string, in eight bytes.
    private var ends: SpooledBytes

    init() throws(ContentError) { (texts, ends) = (try SpooledBytes(), try SpooledBytes()) }

    func add(_ text: UnsafeBufferPointer<UInt8>, isNumber: Bool) throws(ContentError) {
        guard texts.count + ends.count < Self.maximumBytes else {
            throw ContentError("its shared strings are larger than \(Self.maximumBytes >> 30) GiB")
        }
        var field: [UInt8] = [isNumber ? 1 : 0]
        field.appendField(text)
        try texts.append(field)
        try ends.append(withUnsafeBytes(of: UInt64(texts.count).littleEndian) { Array($0) })
    }

    /// Appends a string. Returns `true` if it looks like a number.
    func append(_ number: Int, to output: inout [UInt8]) throws(ContentError) -> Bool {
        let start = number == 0 ? 0 : try endOffset(ofString: number - 1)
        let end = try endOffset(ofString: number)
        guard start < end else { throw ContentError("a temporary file was damaged") }
        let offset = output.count
        try texts.read(start..<end, into: &output)
        return output.remove(at: offset) == 1
    }

    private func endOffset(ofString number: Int) throws(ContentError) -> Int {
        var bytes: [UInt8] = []
        try ends.read(number * 8..<number * 8 + 8, into: &bytes)
        return bytes.number(at: 0, bytes: 8)
    }
}

/// Bytes in a temporary file, with buffers for writing at the end and for reading at any offset.
private struct SpooledBytes {
    private static let bufferBytes = 256 << 10
    private let file: TemporaryFile
    /// The bytes that are not written yet.
    private var tail: [UInt8] = []
    private var writtenBytes = 0
    /// Bytes of the file, from the offset `windowStart`, that were read last.
    private var window: [UInt8] = []
    private var windowStart = 0

    init() throws(ContentError) {
        do { file = try TemporaryFile() } catch { throw Self.failure }
    }

    var count: Int { writtenBytes + tail.count }

    mutating func append(_ bytes: [UInt8]) throws(ContentError) {
        tail.append(contentsOf: bytes)
        guard tail.count >= Self.bufferBytes else { return }
        do { try tail.withUnsafeBytes { try file.write($0, at: writtenBytes) } } catch { throw Self.failure }
        writtenBytes += tail.count
        tail.removeAll(keepingCapacity: true)
    }

    /// Appends the bytes of a range to `output`. The range must exist.
    mutating func read(_ range: Range<Int>, into output: inout [UInt8]) throws(ContentError) {
        var offset = range.lowerBound
        while offset < min(range.upperBound, writtenBytes) {
            if offset < windowStart || offset >= windowStart + window.count {
                windowStart = offset / 4_096 * 4_096
                let count = min(Self.bufferBytes, writtenBytes - windowStart)
                var bytes = [UInt8](repeating: 0, count: count)
                do { try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: windowStart) } } catch { throw Self.failure }
                window = bytes
            }
            let end = min(range.upperBound, windowStart + window.count)
            output.append(contentsOf: window[(offset - windowStart)..<(end - windowStart)])
            offset = end
        }
        if offset < range.upperBound { output.append(contentsOf: tail[(offset - writtenBytes)..<(range.upperBound - writtenBytes)]) }
    }

    private static let failure = ContentError(
        "its shared strings cannot be stored in a temporary file", isDamage: false,
        advice: "Set TMPDIR to a writable folder with enough space.")
}

/// Characters that Excel writes as escapes, such as `_x000D_` for a carriage return.
enum EscapedCharacters {
    /// Replaces the escapes in the bytes from `start`.
    static func replace(in bytes: inout [UInt8], from start: Int) {
        guard bytes.count - start >= 7 else { return }
        var offset = start
        while offset + 7 <= bytes.count {
            if bytes[offset] == UInt8(ascii: "_"), bytes[offset + 1] == UInt8(ascii: "x") { break }
            offset += 1
        }
        guard offset + 7 <= bytes.count else { return }
        var output: [UInt8] = []
        let text = Array(bytes[offset...])
        offset = 0
        while offset < text.count {
            if text[offset] == UInt8(ascii: "_"), offset + 7 <= text.count, text[offset + 1] == UInt8(ascii: "x"),
                text[offset + 6] == UInt8(ascii: "_"),
                let code = UInt32(String(decoding: text[(offset + 2)..<(offset + 6)], as: UTF8.self), radix: 16), code > 0,
                let scalar = UnicodeScalar(code)
            {
                output.append(contentsOf: String(scalar).utf8)
                offset += 7
            } else {
                output.append(text[offset])
                offset += 1
            }
        }
        bytes.replaceSubrange((bytes.count - text.count)..., with: output)
    }
}
