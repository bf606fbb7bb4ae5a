/// Splits XML into tags and text, block by block. One thread at a time can use it.
///
/// Supports the parts of XML that spreadsheets use: elements, attributes, text, CDATA, character references, comments and processing
/// instructions, in UTF-8. Document types are refused, so that no entity can be expanded. Names are compared without their prefixes.
///
/// The memory is one block, or the longest tag, which is limited. Text of any length is passed in pieces.
///
/// Exclusive access to the stored properties is not checked at run time, because the checks took 40% of the time to read a sheet. The
/// checks are unnecessary: no closure is called while a property changes.
final class XMLScanner: @unchecked Sendable {
    enum Token {
        /// A start tag. An end token follows later, even if the element is empty.
        case start
        /// An end tag.
        case end
        /// A piece of text.
        case text
        /// The end of the document.
        case finish
    }

    /// The maximum size of a tag with its attributes.
    static let maximumTagBytes = 4 << 20
    /// The maximum depth of nested elements.
    static let maximumDepth = 256
    private static let blockBytes = 128 << 10
    /// The maximum number of bytes of a character reference such as `&#x10FFFF;`.
    private static let maximumReferenceBytes = 16

    /// The number of open elements.
    @exclusivity(unchecked) private(set) var depth = 0
    /// The name of the current start or end tag, without its prefix. It is valid until the next token.
    @exclusivity(unchecked) private(set) var name = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The current piece of text. It is valid until the next token.
    @exclusivity(unchecked) private(set) var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// True if ``text`` may have character references or carriage returns, which ``appendText(to:)`` replaces.
    @exclusivity(unchecked) private var hasReferences = false
    /// The bytes of the attributes in the current start tag.
    @exclusivity(unchecked) private var attributeBytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    private let reader: ZipMemberReader
    @exclusivity(unchecked) private var bytes: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var capacity: Int
    /// The offset of the next byte in memory.
    @exclusivity(unchecked) private var position = 0
    /// The offset after the last byte in memory.
    @exclusivity(unchecked) private var limit = 0
    @exclusivity(unchecked) private var isAtEnd = false
    @exclusivity(unchecked) private var isInEmptyElement = false
    @exclusivity(unchecked) private var isInCharacterData = false
    @exclusivity(unchecked) private var hasRoot = false

    /// - Throws: ``ContentError`` if the content is UTF-16, damaged, or cannot be read.
    init(_ reader: ZipMemberReader) throws(ContentError) {
        self.reader = reader
        capacity = Self.blockBytes
        bytes = .allocate(capacity: capacity)
        while limit < 4, try fill() {}
        if limit >= 2 {
            let (first, second) = (bytes[0], bytes[1])
            guard (first, second) != (0xFF, 0xFE), (first, second) != (0xFE, 0xFF), first != 0, second != 0 else {
                throw ContentError("its XML is UTF-16, which is not supported")
            }
            if limit >= 3, (first, second, bytes[2]) == (0xEF, 0xBB, 0xBF) { position = 3 }
        }
    }

    deinit { bytes.deallocate() }

    // MARK: Tokens

    /// Reads the next token.
    /// - Throws: ``ContentError`` if the content is damaged, or is not XML that spreadsheets use.
    func next() throws(ContentError) -> Token {
        if isInEmptyElement {
            isInEmptyElement = false
            depth -= 1
            return .end
        }
        while true {
            if position == limit {
                if try fill() { continue }
                guard depth == 0, hasRoot else { throw ContentError("its XML is incomplete") }
                return .finish
            }
            if isInCharacterData {
                if try readCharacterData() { return .text }
            } else if bytes[position] != UInt8(ascii: "<") {
                if try readText() { return .text }
            } else if let token = try readMarkup() {
                return token
            }
        }
    }

    /// The number of bytes of the document read so far.
    @exclusivity(unchecked) private(set) var byteCount = 0

    /// True if the name of the current tag is `word`.
    @inline(__always)
    func isNamed(_ word: StaticString) -> Bool { name.equals(word) }

    /// Skips the element of the current start tag, with its end tag.
    func skipElement() throws(ContentError) {
        let outside = depth - 1
        while depth > outside { if try next() == .finish { return } }
    }

    /// Appends the current piece of text, with its character references replaced.
    func appendText(to output: inout [UInt8]) {
        if hasReferences { Self.appendReplaced(text, to: &output) } else { output.append(contentsOf: text) }
    }

    /// The attributes of the current start tag.
    var attributes: Attributes { Attributes(attributeBytes) }

    /// The value of an attribute of the current start tag, as text; `nil` if it is missing.
    func attribute(_ name: StaticString) -> String? {
        var attributes = attributes
        while attributes.next() { if attributes.name.equals(name) { return Self.string(attributes.value) } }
        return nil
    }

    /// A string with its character references replaced.
    static func string(_ value: UnsafeBufferPointer<UInt8>) -> String {
        var output: [UInt8] = []
        appendReplaced(value, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Iterates over the attributes of a tag, in order. The names have no prefixes. Namespace declarations are left out.
    struct Attributes {
        private(set) var name = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        private(set) var value = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        /// True if the name has the prefix `calcext`. LibreOffice writes copies of standard attributes with this prefix.
        private(set) var isExtension = false
        private var offset: UnsafePointer<UInt8>?
        private let end: UnsafePointer<UInt8>?

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            offset = bytes.baseAddress
            end = bytes.baseAddress.map { $0 + bytes.count }
        }

        /// Advances to the next attribute. Returns `false` at the end.
        @inline(__always)
        mutating func next() -> Bool {
            guard var offset, let end else { return false }
            while true {
                while offset < end, offset.pointee <= 32 { offset += 1 }
                var start = offset
                let nameStart = offset
                var colon: UnsafePointer<UInt8>?
                while offset < end, offset.pointee != UInt8(ascii: "="), offset.pointee > 32 {
                    if offset.pointee == UInt8(ascii: ":") { colon = offset }
                    offset += 1
                }
                if let colon { start = colon + 1 }
                name = UnsafeBufferPointer(start: start, count: offset - start)
                while offset < end, offset.pointee <= 32 || offset.pointee == UInt8(ascii: "=") { offset += 1 }
                guard offset < end else { break }
                let quote = offset.pointee
                guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { break }
                offset += 1
                let valueStart = offset
                while offset < end, offset.pointee != quote { offset += 1 }
                value = UnsafeBufferPointer(start: valueStart, count: offset - valueStart)
                if offset < end { offset += 1 }
                self.offset = offset
                guard let colon else {
                    isExtension = false
                    return true
                }
                let prefix = UnsafeBufferPointer(start: nameStart, count: colon - nameStart)
                if prefix.equals("xmlns") { continue }
                isExtension = prefix.equals("calcext")
                return true
            }
            self.offset = end
            return false
        }
    }

    // MARK: Bytes

    /// Reads more bytes. The bytes from `position` onward are kept and moved to the start of the memory. Returns `false` at the end of the
    /// document.
    private func fill() throws(ContentError) -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            bytes.update(from: bytes + position, count: limit - position)
            limit -= position
            position = 0
        }
        if limit == capacity {
            guard capacity < Self.maximumTagBytes else {
                throw ContentError("its XML has a tag larger than \(Self.maximumTagBytes >> 20) MiB")
            }
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity)
            larger.update(from: bytes, count: limit)
            bytes.deallocate()
            (bytes, capacity) = (larger, 2 * capacity)
        }
        let count = try reader.read(into: bytes + limit, capacity: capacity - limit)
        limit += count
        byteCount += count
        isAtEnd = count == 0
        return count > 0
    }

    /// Reads text up to the next tag or the end of the bytes in memory. Returns `false` if more bytes are needed.
    private func readText() throws(ContentError) -> Bool {
        var offset = position
        var lastAmpersand: Int?
        var needsReplacement = false
        scan: while offset < limit {
            switch bytes[offset] {
            case UInt8(ascii: "<"): break scan
            case UInt8(ascii: "&"): (lastAmpersand, needsReplacement) = (offset, true)
            case 13: needsReplacement = true
            default: break
            }
            offset &+= 1
        }
        var count = offset - position
        // A character reference at the end of the bytes may be incomplete, so it is passed with the next text.
        if offset == limit, !isAtEnd, let lastAmpersand, limit - lastAmpersand < Self.maximumReferenceBytes {
            count = lastAmpersand - position
            if count == 0 {
                if try fill() { return false }
                count = limit - position
            }
        }
        text = UnsafeBufferPointer(start: bytes + position, count: count)
        hasReferences = needsReplacement
        position += count
        return true
    }

    /// Reads the text of a CDATA section up to its end or the end of the bytes in memory. Returns `false` if there is no text, or if more
    /// bytes are needed.
    private func readCharacterData() throws(ContentError) -> Bool {
        hasReferences = false
        var offset = position
        while offset < limit {
            if bytes[offset] == UInt8(ascii: "]") {
                if offset + 2 >= limit {
                    if offset > position { break }
                    if try fill() { return false }
                    throw ContentError("its XML is incomplete")
                }
                if bytes[offset + 1] == UInt8(ascii: "]"), bytes[offset + 2] == UInt8(ascii: ">") {
                    isInCharacterData = false
                    text = UnsafeBufferPointer(start: bytes + position, count: offset - position)
                    position = offset + 3
                    return text.count > 0
                }
            }
            offset += 1
        }
        text = UnsafeBufferPointer(start: bytes + position, count: offset - position)
        position = offset
        return true
    }

    // MARK: Markup

    /// Reads a tag. Returns `nil` for markup that is skipped.
    private func readMarkup() throws(ContentError) -> Token? {
        while limit - position < 9, try fill() {}
        guard limit - position >= 3 else { throw ContentError("its XML is incomplete") }
        switch bytes[position + 1] {
        case UInt8(ascii: "/"): return try readEndTag()
        case UInt8(ascii: "!"):
            let rest = UnsafeBufferPointer(start: bytes + position + 2, count: limit - position - 2)
            if rest.starts(with: "--".utf8) {
                position += 4
                try skip(to: UInt8(ascii: "-"), UInt8(ascii: "-"))
            } else if rest.starts(with: "[CDATA[".utf8) {
                position += 9
                isInCharacterData = true
            } else {
                throw ContentError("its XML has a document type declaration (DOCTYPE), which spreadsheets do not use")
            }
            return nil
        case UInt8(ascii: "?"):
            let start = position
            position += 2
            try skipInstruction(isDeclaration: start <= 3 && depth == 0)
            return nil
        default: return try readStartTag()
        }
    }

    private func readStartTag() throws(ContentError) -> Token {
        // The offsets are relative to `position`, because reading more bytes moves the bytes in memory.
        var end = 1
        var quote: UInt8 = 0
        var colon = 0
        var nameEnd = 0
        while true {
            while position + end < limit {
                let byte = bytes[position + end]
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == UInt8(ascii: ">") {
                    return try finishStartTag(end, nameEnd: nameEnd == 0 ? end : nameEnd, colon: colon)
                } else if nameEnd == 0 {
                    if byte <= 32 { nameEnd = end } else if byte == UInt8(ascii: ":") { colon = end }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                }
                end &+= 1
            }
            guard try fill() else { throw ContentError("its XML is incomplete") }
        }
    }

    private func finishStartTag(_ end: Int, nameEnd: Int, colon: Int) throws(ContentError) -> Token {
        let start = bytes + position
        let isEmpty = start[end - 1] == UInt8(ascii: "/")
        let nameStart = colon + 1
        let nameStop = isEmpty && nameEnd == end ? end - 1 : nameEnd
        guard nameStart < nameStop else { throw ContentError("its XML has a tag without a name") }
        name = UnsafeBufferPointer(start: start + nameStart, count: nameStop - nameStart)
        let attributeCount = max(0, end - (isEmpty ? 1 : 0) - nameStop)
        attributeBytes = UnsafeBufferPointer(start: start + nameStop, count: attributeCount)
        position += end + 1
        guard depth < Self.maximumDepth else { throw ContentError("its XML is nested more than \(Self.maximumDepth) levels deep") }
        guard depth > 0 || !hasRoot else { throw ContentError("its XML has a second root element") }
        hasRoot = true
        depth += 1
        isInEmptyElement = isEmpty
        return .start
    }

    private func readEndTag() throws(ContentError) -> Token {
        var end = 2
        var start = 2
        while true {
            while position + end < limit {
                let byte = bytes[position + end]
                if byte == UInt8(ascii: ">") {
                    var stop = end
                    while stop > start, bytes[position + stop - 1] <= 32 { stop -= 1 }
                    name = UnsafeBufferPointer(start: bytes + position + start, count: stop - start)
                    position += end + 1
                    guard depth > 0 else { throw ContentError("its XML has an end tag without a start tag") }
                    depth -= 1
                    return .end
                }
                end &+= 1
                if byte == UInt8(ascii: ":") { start = end }
            }
            guard try fill() else { throw ContentError("its XML is incomplete") }
        }
    }

    /// Skips a comment up to the two given bytes followed by `>`.
    private func skip(to first: UInt8, _ second: UInt8) throws(ContentError) {
        while true {
            var offset = position
            while offset + 2 < limit {
                if bytes[offset] == first, bytes[offset + 1] == second, bytes[offset + 2] == UInt8(ascii: ">") {
                    position = offset + 3
                    return
                }
                offset += 1
            }
            position = offset
            guard try fill() else { throw ContentError("its XML is incomplete") }
        }
    }

    /// Skips a processing instruction. Checks the encoding in the declaration of the document.
    private func skipInstruction(isDeclaration: Bool) throws(ContentError) {
        if isDeclaration {
            while limit - position < 256, try fill() {}
            let head = UnsafeBufferPointer(start: bytes + position, count: min(256, limit - position)).dropFirst(3)
            let end = head.firstIndex(of: UInt8(ascii: ">")) ?? head.endIndex
            var attributes = Attributes(UnsafeBufferPointer(rebasing: head[..<end]))
            while attributes.next() {
                guard attributes.name.equals("encoding") else { continue }
                let encoding = Self.string(attributes.value).uppercased()
                guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(encoding) else {
                    throw ContentError("its XML is \(encoding.quotedForMessage), which is not supported")
                }
            }
        }
        while true {
            while position < limit {
                position += 1
                guard bytes[position - 1] == UInt8(ascii: "?") else { continue }
                if position == limit, try !fill() { break }
                if bytes[position] == UInt8(ascii: ">") {
                    position += 1
                    return
                }
            }
            guard try fill() else { throw ContentError("its XML is incomplete") }
        }
    }

    // MARK: Character references

    /// Appends text with its character references replaced, and with line feeds as line ends. An unknown reference is not changed.
    static func appendReplaced(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            if byte == UInt8(ascii: "&"), let (scalar, end) = characterReference(text, at: offset) {
                output.append(contentsOf: String(scalar).utf8)
                offset = end
            } else {
                output.append(byte == 13 ? 10 : byte)
                offset += 1
                if byte == 13, offset < text.count, text[offset] == 10 { offset += 1 }
            }
        }
    }

    /// The character of the reference at an offset, and the offset after it; `nil` if there is no known reference.
    private static func characterReference(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> (UnicodeScalar, end: Int)? {
        let last = min(text.count, offset + maximumReferenceBytes)
        guard let semicolon = text[offset..<last].firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let body = UnsafeBufferPointer(rebasing: text[(offset + 1)..<semicolon])
        let scalar: UnicodeScalar?
        if body.first == UInt8(ascii: "#") {
            let isHexadecimal = body.count > 1 && body[1] | 0x20 == UInt8(ascii: "x")
            let digits = String(decoding: body.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
            scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).map { UnicodeScalar($0 == 0 ? 0xFFFD : $0) ?? "\u{FFFD}" }
        } else {
            let names: [(StaticString, UnicodeScalar)] = [("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'")]
            scalar = names.first { body.equals($0.0) }?.1
        }
        return scalar.map { ($0, semicolon + 1) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// True if the bytes equal `word`.
    @inline(__always)
    func equals(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount, let start = baseAddress else { return count == 0 && word.utf8CodeUnitCount == 0 }
        let expected = word.utf8Start
        for index in 0..<count where start[index] != expected[index] { return false }
        return true
    }

    /// An unsigned decimal number; `nil` if the bytes are not a number, or if it is too large.
    var number: Int? {
        guard count > 0, count <= 18 else { return nil }
        var number = 0
        for byte in self {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }
}
