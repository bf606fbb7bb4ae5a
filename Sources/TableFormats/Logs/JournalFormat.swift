public import DelimitedText
import FieldValues
public import Tables

/// Entries of the systemd journal, as written by `journalctl -o export`. Fields that appear late become columns at the right.
public struct JournalFormat: TableFormat {
    /// `journal`.
    public var name: String { "journal" }

    init() {}

    /// The start of every entry that `journalctl` writes.
    private static let start = Array("__CURSOR=".utf8)

    /// Opens an input that begins with an entry.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        let head = try input.firstBytes(JournalRewriter.maximumNameBytes + 1)
        guard head.starts(with: Self.start) || isRequested && Self.beginsWithField(head) else { return nil }
        // The journal has text in UTF-8 and binary fields.
        let request = DialectRequest(
            delimiter: DelimitedFile.lineDelimiter, quote: .some(nil), hasHeader: false,
            encoding: input.isEncodingGuessed ? .utf8 : input.dialect.encoding)
        let notes = JSONNotes(choice: "entries", format: "journal export")
        return try JSONSource(input, input.rewritten(by: JournalRewriter(notes), as: request), notes)
    }

    private static func beginsWithField(_ head: [UInt8]) -> Bool {
        guard let end = head.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == 10 }) else { return false }
        return JournalRewriter.isName(head[..<end])
    }
}

/// Writes the entries of a journal as JSON objects, one per line. Memory is bounded: at most 16 MiB of an entry are kept.
struct JournalRewriter: TextRewriter {
    /// The position in an entry.
    private enum Place {
        /// A line: `FIELD=value`, the name of a binary field, or an empty line after an entry.
        case line
        /// The eight bytes with the length of a binary field.
        case length
        /// The value of a binary field, of which `left` bytes follow.
        case value(left: Int)
        /// The line end after a binary field.
        case lineEnd
    }

    private let notes: JSONNotes
    private var place = Place.line
    /// The line, length or value that is being read.
    private var text: [UInt8] = []
    /// True in the rest of a line that is not a field.
    private var skipsLine = false
    /// The name of the binary field that is being read.
    private var name: [UInt8] = []
    /// The fields of the entry. A field can have several values.
    private var fields: [(name: [UInt8], values: [[UInt8]])] = []
    /// The index of each name in ``fields``.
    private var places: [[UInt8]: Int] = [:]
    private var entryBytes = 0
    /// The reason why the entry is not read completely.
    private var obstacle: String?
    private var entryCount = 0

    /// The maximum number of bytes of a field name. The journal has names of up to 64 bytes.
    static let maximumNameBytes = 256
    /// The maximum number of bytes of a binary field; the journal has the same limit. A larger length counts as damage.
    private static let maximumFieldBytes = 768 << 20
    /// The fields with a time in microseconds since 1970.
    private static let times: [[UInt8]] = [Array("__REALTIME_TIMESTAMP".utf8), Array("_SOURCE_REALTIME_TIMESTAMP".utf8)]

    init(_ notes: JSONNotes) { self.notes = notes }

    /// True for the name of a field.
    static func isName(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.count <= maximumNameBytes
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        read(bytes[...], &output)
        guard isEnd else { return }
        switch place {
        case .line:
            if !text.isEmpty, text != [13] {
                endLine(&output)
                fail("ends within a field")
            }
        case .lineEnd:
            if !skipsLine { add(name, text) }
            fail("ends within a field")
        case .length, .value: fail("ends within a field")
        }
        endEntry(&output)
    }

    private mutating func read(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ output: inout [UInt8]) {
        var rest = bytes
        while !rest.isEmpty {
            switch place {
            case .line:
                let end = rest.firstIndex(of: 10)
                collect(rest[..<(end ?? rest.endIndex)])
                guard let end else { return }
                rest = rest[(end + 1)...]
                endLine(&output)
            case .length:
                let part = rest.prefix(8 - text.count)
                text.append(contentsOf: part)
                rest = rest.dropFirst(part.count)
                if text.count == 8 { endLength(&output) }
            case .value(let left):
                let part = rest.prefix(left)
                collect(part)
                rest = rest.dropFirst(part.count)
                place = part.count < left ? .value(left: left - part.count) : .lineEnd
            case .lineEnd:
                let value = text
                text = []
                place = .line
                if rest.first == 10 {
                    rest = rest.dropFirst()
                    if !skipsLine { add(name, value) }
                    skipsLine = false
                } else {
                    fail("has a damaged field")
                    skipsLine = true
                }
            }
        }
    }

    /// Appends bytes to the text, if the entry has room for them.
    private mutating func collect(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        guard !skipsLine else { return }
        // A blank line and a name always fit, so the end of the entry is still recognized.
        if text.count + bytes.count > max(Self.maximumNameBytes + 1, JSONRewriter.maximumBytes - entryBytes) {
            fail("is larger than 16 MiB")
            skipsLine = true
            return text = []
        }
        text.append(contentsOf: bytes)
    }

    private mutating func endLine(_ output: inout [UInt8]) {
        var line = text
        text = []
        guard !skipsLine else { return skipsLine = false }
        if line.last == 13 { line.removeLast() }
        if line.isEmpty {
            endEntry(&output)
        } else if let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > 0 {
            add(Array(line[..<equals]), Array(line[(equals + 1)...]))
        } else if Self.isName(line) {
            name = line
            place = .length
        } else {
            fail("has a damaged field")
        }
    }

    private mutating func endLength(_ output: inout [UInt8]) {
        let bytes = text
        text = []
        let length = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if length <= UInt64(Self.maximumFieldBytes) {
            place = .value(left: Int(length))
        } else {
            // The line was damage, not a field name, and the bytes belong to the next lines.
            fail("has a damaged field")
            place = .line
            bytes.withUnsafeBufferPointer { read($0[...], &output) }
        }
    }

    private mutating func fail(_ obstacle: String) { if self.obstacle == nil { self.obstacle = obstacle } }

    private mutating func add(_ name: [UInt8], _ value: [UInt8]) {
        let value = Self.times.contains(name) ? Self.time(value) ?? value : value
        // An empty field needs memory too.
        let bytes = name.count + value.count + 64
        guard entryBytes + bytes <= JSONRewriter.maximumBytes else { return fail("is larger than 16 MiB") }
        entryBytes += bytes
        if let index = places[name] {
            fields[index].values.append(value)
        } else {
            places[name] = fields.count
            fields.append((name, [value]))
        }
    }

    /// Converts microseconds since 1970 to a time in UTC. Returns `nil` for other text, and for years before 1970 and after 9999.
    private static func time(_ value: [UInt8]) -> [UInt8]? {
        guard let number = Int64(String(decoding: value, as: UTF8.self)), (0..<253_402_300_800_000_000).contains(number) else { return nil }
        return Array((DateText.text(ofMicroseconds: number, kind: .dateTime, fractionDigits: 6) + "Z").utf8)
    }

    private mutating func endEntry(_ output: inout [UInt8]) {
        defer {
            fields.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
            (entryBytes, obstacle) = (0, nil)
        }
        guard !fields.isEmpty || obstacle != nil else { return }
        entryCount += 1
        if let obstacle { notes.addSkipped("row \(NumberText.count(entryCount)) \(obstacle)") }
        let json = JSONText()
        json.put("{")
        for (index, field) in fields.enumerated() {
            if index > 0 { json.put(",") }
            field.name.withUnsafeBufferPointer { json.putQuoted($0) }
            json.put(field.values.count > 1 ? ":[" : ":")
            for (index, value) in field.values.enumerated() {
                if index > 0 { json.put(",") }
                value.withUnsafeBufferPointer { json.putQuoted($0) }
            }
            if field.values.count > 1 { json.put("]") }
        }
        json.put("}\n")
        output.append(contentsOf: UnsafeBufferPointer(start: json.start, count: json.count))
    }
}
