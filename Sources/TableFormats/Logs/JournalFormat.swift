public import DelimitedText
import FieldValues
public import Tables

/// Entries of the systemd journal, as written by `journalctl -o export`. Fields that first appear in later entries become columns at the
/// right.
public struct JournalFormat: TableFormat {
    /// The name used with `--format`: `journal`.
    public var name: String { "journal" }

    init() {}

    /// The bytes at the start of every entry that `journalctl` writes.
    private static let start = Array("__CURSOR=".utf8)

    /// Opens an input that begins with an entry.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        let head = try input.firstBytes(JournalRewriter.maximumNameBytes + 1)
        guard head.starts(with: Self.start) || isRequested && Self.beginsWithField(head) else { return nil }
        // The journal must be read as bytes: it has text in UTF-8, and binary fields.
        let request = DelimitedFile.lineRequest(encoding: input.isEncodingGuessed ? .utf8 : input.dialect.encoding)
        let notes = JSONNotes(description: "entries", format: "journal export", hasTypedStrings: false)
        return try JSONSource(input, input.rewritten(by: JournalRewriter(notes), as: request), notes)
    }

    private static func beginsWithField(_ head: [UInt8]) -> Bool {
        guard let end = head.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == 10 }) else { return false }
        return JournalRewriter.isName(head[..<end])
    }
}

/// Writes the entries of a journal as JSON objects, one per line. At most 16 MiB of an entry are kept, which bounds the memory.
struct JournalRewriter: TextRewriter {
    /// The kind of bytes that the rewriter expects next.
    private enum State {
        /// A line: `FIELD=value`, the name of a binary field, or an empty line after an entry.
        case line
        /// The eight bytes with the length of a binary field.
        case length
        /// The value of a binary field, of which `remaining` bytes follow.
        case value(remaining: Int)
        /// The line end after the value of a binary field.
        case lineEnd
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// A field of an entry. A field can occur several times, and so has a list of values.
    private struct Field {
        /// The byte range of the name in ``entry``.
        var name: Range<Int>
        /// The indices of its first and last value in `values`.
        var first: Int
        var last: Int
    }

    private struct Value {
        /// The byte range of the value in ``entry``.
        var bytes: Range<Int>
        /// The index of the next value of the same field.
        var next: Int?
    }

    private let notes: JSONNotes
    private var state = State.line
    /// The beginning of a line, length or value whose end is in the next block.
    private var pendingBytes: [UInt8] = []
    /// True while the rest of a line or value that is too long is skipped.
    private var skipsLine = false
    /// The name of the binary field that is being read.
    private var name: [UInt8] = []
    /// The names and values of the current entry, one after another.
    private var entry: [UInt8] = []
    private var fields: [Field] = []
    private var values: [Value] = []
    /// The index of each field, keyed by the hash of its name. If two names have the same hash, the second one is keyed by the next free
    /// number.
    private var indices: [Int: Int] = [:]
    private var entryBytes = 0
    /// The first reason why the current entry is incomplete, such as `has a damaged field`. It completes a message that begins with the
    /// row.
    private var obstacle: String?
    private var entryCount = 0

    /// The maximum number of bytes of a field name. The journal has names of up to 64 bytes.
    static let maximumNameBytes = 256
    /// The maximum number of bytes of a binary field, which is also the limit of systemd. A larger length counts as damage.
    private static let maximumFieldBytes = 768 << 20
    /// The fields that contain a time in microseconds since 1970.
    private static let times: [[UInt8]] = [Array("__REALTIME_TIMESTAMP".utf8), Array("_SOURCE_REALTIME_TIMESTAMP".utf8)]

    init(_ notes: JSONNotes) { self.notes = notes }

    /// True if the text can be the name of a field.
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
        let json = JSONText()
        read(bytes[...], json)
        if isEnd { endInput(json) }
        output.append(contentsOf: UnsafeBufferPointer(start: json.start, count: json.count))
    }

    private mutating func endInput(_ json: JSONText) {
        switch state {
        case .line:
            if !pendingBytes.isEmpty, pendingBytes != [13] {
                endCollectedLine(json)
                noteObstacle("ends within a field")
            }
        case .lineEnd:
            if !skipsLine { endBinaryField() }
            noteObstacle("ends within a field")
        case .length, .value: noteObstacle("ends within a field")
        }
        endEntry(json)
    }

    private mutating func read(_ bytes: Bytes, _ json: JSONText) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .line:
                let end = rest.firstIndex(of: 10)
                let line = rest[..<(end ?? rest.endIndex)]
                if end != nil, pendingBytes.isEmpty, !skipsLine, hasRoom(for: line.count) {
                    endLine(line, json)
                } else {
                    collect(line)
                    if end != nil { endCollectedLine(json) }
                }
                guard let end else { return }
                rest = rest[(end + 1)...]
            case .length:
                let part = rest.prefix(8 - pendingBytes.count)
                pendingBytes.append(contentsOf: part)
                rest = rest.dropFirst(part.count)
                if pendingBytes.count == 8 { endLength(json) }
            case .value(let remaining):
                let part = rest.prefix(remaining)
                collect(part)
                rest = rest.dropFirst(part.count)
                state = part.count < remaining ? .value(remaining: remaining - part.count) : .lineEnd
            case .lineEnd:
                state = .line
                if rest.first == 10 {
                    rest = rest.dropFirst()
                    if !skipsLine { endBinaryField() }
                    skipsLine = false
                } else {
                    noteObstacle("has a damaged field")
                    skipsLine = true
                }
                pendingBytes = []
            }
        }
    }

    /// True if the entry has room for `count` more bytes. Blank lines and names always fit, so that the end of an entry is recognized.
    private func hasRoom(for count: Int) -> Bool { count <= max(Self.maximumNameBytes + 1, JSONRewriter.maximumBytes - entryBytes) }

    /// Appends bytes to ``pendingBytes`` if the entry does not exceed its size limit.
    private mutating func collect(_ bytes: Bytes) {
        guard !skipsLine else { return }
        if !hasRoom(for: pendingBytes.count + bytes.count) {
            noteObstacle("is larger than 16 MiB")
            skipsLine = true
            return pendingBytes = []
        }
        pendingBytes.append(contentsOf: bytes)
    }

    /// Handles a line whose beginning was in an earlier block.
    private mutating func endCollectedLine(_ json: JSONText) {
        let line = pendingBytes
        pendingBytes = []
        guard !skipsLine else { return skipsLine = false }
        line.withUnsafeBufferPointer { endLine($0[...], json) }
    }

    private mutating func endLine(_ line: Bytes, _ json: JSONText) {
        let line = line.last == 13 ? line.dropLast() : line
        if line.isEmpty {
            endEntry(json)
        } else if let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex {
            add(line[..<equals], line[(equals + 1)...])
        } else if Self.isName(line) {
            name = Array(line)
            state = .length
        } else {
            noteObstacle("has a damaged field")
        }
    }

    private mutating func endBinaryField() {
        let (name, value) = (name, pendingBytes)
        name.withUnsafeBufferPointer { name in value.withUnsafeBufferPointer { add(name[...], $0[...]) } }
    }

    private mutating func endLength(_ json: JSONText) {
        let bytes = pendingBytes
        pendingBytes = []
        let length = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if length <= UInt64(Self.maximumFieldBytes) {
            state = .value(remaining: Int(length))
        } else {
            // The preceding line was not the name of a binary field. The eight bytes are therefore not a length, but the start of the next
            // lines.
            noteObstacle("has a damaged field")
            state = .line
            bytes.withUnsafeBufferPointer { read($0[...], json) }
        }
    }

    private mutating func noteObstacle(_ obstacle: String) { if self.obstacle == nil { self.obstacle = obstacle } }

    private mutating func add(_ name: Bytes, _ value: Bytes) {
        if Self.times.contains(where: { $0.elementsEqual(name) }), let time = Self.time(value) {
            time.withUnsafeBufferPointer { store(name, $0[...]) }
        } else {
            store(name, value)
        }
    }

    private mutating func store(_ name: Bytes, _ value: Bytes) {
        // Each value counts 64 additional bytes for its place in `fields` and `values`. An entry with many empty fields is therefore
        // limited, too.
        let bytes = name.count + value.count + 64
        guard entryBytes + bytes <= JSONRewriter.maximumBytes else { return noteObstacle("is larger than 16 MiB") }
        entryBytes += bytes
        let (start, index) = (entry.count, values.count)
        entry.append(contentsOf: value)
        values.append(Value(bytes: start..<entry.count))
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: name)))
        var hash = hasher.finalize()
        while let field = indices[hash] {
            if entry[fields[field].name].elementsEqual(name) {
                values[fields[field].last].next = index
                fields[field].last = index
                return
            }
            hash &+= 1
        }
        indices[hash] = fields.count
        let end = entry.count
        entry.append(contentsOf: name)
        fields.append(Field(name: end..<entry.count, first: index, last: index))
    }

    /// Converts microseconds since 1970 to a time in UTC. Returns `nil` for other text, and for years before 1970 and after 9999.
    private static func time(_ value: Bytes) -> [UInt8]? {
        guard let number = Int64(String(decoding: value, as: UTF8.self)), (0..<253_402_300_800_000_000).contains(number) else { return nil }
        return Array((DateText.text(ofMicroseconds: number, kind: .dateTime, fractionDigits: 6) + "Z").utf8)
    }

    private mutating func endEntry(_ json: JSONText) {
        defer {
            entry.removeAll(keepingCapacity: true)
            fields.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
            indices.removeAll(keepingCapacity: true)
            (entryBytes, obstacle) = (0, nil)
        }
        guard !fields.isEmpty || obstacle != nil else { return }
        entryCount += 1
        if let obstacle { notes.addSkippedPhrase("row \(NumberText.count(entryCount)) \(obstacle)") }
        json.put("{")
        entry.withUnsafeBufferPointer { entry in
            for (index, field) in fields.enumerated() {
                if index > 0 { json.put(",") }
                json.putQuoted(UnsafeBufferPointer(rebasing: entry[field.name]))
                let isList = field.first != field.last
                json.put(isList ? ":[" : ":")
                var next: Int? = field.first
                while let value = next {
                    if value != field.first { json.put(",") }
                    json.putQuoted(UnsafeBufferPointer(rebasing: entry[values[value].bytes]))
                    next = values[value].next
                }
                if isList { json.put("]") }
            }
        }
        json.put("}\n")
    }
}
