public import DelimitedText
import FieldValues
public import Tables

/// Lines of syslog: time, host, program and message, as in `/var/log/syslog` and in the output of `journalctl`. Messages with a version
/// (RFC 5424) also have an identifier and data. Messages that were sent over a network have a priority.
public struct SyslogFormat: TableFormat {
    /// The name used with `--format`: `syslog`.
    public var name: String { "syslog" }

    init() {}

    /// Opens an input whose lines have a time and a host. At least half of the lines must have a program, unless some messages have a
    /// version. If the format is requested, opens any input.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        var (entries, programs, hasVersions, hasPriorities) = (0, 0, false, false)
        func isMatch(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
            guard let entry = SyslogLayout.Entry(line) else { return false }
            entries += 1
            if !entry.program.isEmpty { programs += 1 }
            if !entry.priority.isEmpty { hasPriorities = true }
            if entry.hasVersion {
                hasVersions = true
                return true
            }
            let isLevel = entry.host.first == UInt8(ascii: "[") || LogText(line).level(at: entry.host.startIndex) != nil
            // After a time without the name of a month, other logs have a level or a message where syslog has a host.
            return !isLevel && (entry.hasMonth || !entry.program.isEmpty)
        }
        let isSyslog = try LogSample.matches(input, isDistinctive: true, isMatch) && (hasVersions || programs * 2 >= entries)
        guard isRequested || isSyslog else { return nil }
        return try LineSource(input.lines(), SyslogLayout(hasPriorities: hasPriorities, hasVersions: hasVersions))
    }
}

/// The layout of syslog. A line without a time has only a message.
struct SyslogLayout: LineLayout {
    /// True if some messages have a priority. There is then a column for it.
    let hasPriorities: Bool
    /// True if some messages have a version. There are then columns for their identifier and data.
    let hasVersions: Bool

    var titles: [String] {
        (hasPriorities ? ["priority"] : []) + ["time", "host", "program", "pid"] + (hasVersions ? ["id", "data"] : []) + ["message"]
    }
    var hasColumnNames: Bool { false }
    var headerLines: Int { 0 }
    var details: [(name: String, value: String)] { [("format", "syslog"), ("header", "none")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        // Without a column for the priority, a line with one is a message, so that no byte is lost.
        guard let entry = Entry(line), hasPriorities || entry.priority.isEmpty else {
            for _ in 1..<titles.count { fields.append(line[..<0]) }
            return fields.append(line[...])
        }
        if hasPriorities { fields.append(entry.priority) }
        for part in [entry.time, entry.host, entry.program, entry.pid] { fields.append(part) }
        if hasVersions { for part in [entry.identifier, entry.data] { fields.append(part) } }
        // Without such columns, the identifier and the data stay in the message.
        fields.append(entry.hasVersion && !hasVersions ? line[entry.identifierStart...] : entry.message)
    }

    /// The fields of a line.
    struct Entry {
        /// The number in a prefix such as `<34>`; empty without one.
        private(set) var priority: LineCursor.Part
        private(set) var time: LineCursor.Part
        private(set) var host: LineCursor.Part
        private(set) var program: LineCursor.Part
        private(set) var pid: LineCursor.Part
        /// The identifier names the kind of message. The structured data is in brackets. Both are empty in messages without a version.
        private(set) var identifier: LineCursor.Part
        private(set) var data: LineCursor.Part
        /// The byte offset at which the identifier starts.
        private(set) var identifierStart = 0
        /// True for a time that begins with the name of a month, such as `Nov 25 10:00:00`.
        private(set) var hasMonth = false
        /// True for a message with a version (RFC 5424).
        private(set) var hasVersion = false
        private(set) var message: LineCursor.Part

        private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

        init?(_ line: UnsafeBufferPointer<UInt8>) {
            var cursor = LineCursor(line)
            priority = line[..<0]
            if cursor.skip("<") {
                guard let number = cursor.readPart(before: ">"), !number.isEmpty, number.allSatisfy({ (48...57).contains($0) }) else {
                    return nil
                }
                priority = number
            }
            (program, pid, identifier, data) = (line[..<0], line[..<0], line[..<0], line[..<0])
            if !priority.isEmpty, cursor.rest.starts(with: "1 ".utf8) {
                _ = cursor.readBytes(2)
                hasVersion = true
                (time, host, message) = (program, program, program)
                guard readMessage(&cursor) else { return nil }
                return
            }
            let start = cursor.index
            if let end = Self.endOfJournalTime(cursor) {
                cursor = end
            } else if let first = cursor.rest.first, (48...57).contains(first) {
                // 2026-11-25T10:00:00.123456+00:00
                guard let word = cursor.readWord(), word.count >= 19, Self.hasByte(word, "-", at: 4), Self.hasByte(word, "T", at: 10),
                    Self.hasByte(word, ":", at: 13)
                else { return nil }
            } else {
                guard Self.skipTimeWithMonth(&cursor) else { return nil }
                hasMonth = true
            }
            time = line[start..<cursor.index]
            guard cursor.skip(" ") else { return nil }
            cursor.skipSpaces()
            guard let host = cursor.readWord(), host.last != UInt8(ascii: ":"), cursor.skip(" ") else { return nil }
            self.host = host
            message = cursor.rest
            // program[pid]: message
            guard let tag = cursor.readWord(), tag.last == UInt8(ascii: ":") else { return }
            program = tag.dropLast()
            if program.last == UInt8(ascii: "]"), let open = program.firstIndex(of: UInt8(ascii: "[")) {
                pid = program[(open + 1)..<(program.endIndex - 1)]
                program = program[..<open]
            }
            cursor.skipSpaces()
            message = cursor.rest
        }

        /// The position after a time as `journalctl` writes it: `Wed 2026-11-25 10:00:00 UTC` with `-o short-full`, and
        /// `1795600800.123456` with `-o short-unix`. `nil` for other text.
        private static func endOfJournalTime(_ start: LineCursor) -> LineCursor? {
            var cursor = start
            guard let first = cursor.readWord() else { return nil }
            if first.count == 17 {
                let isNumber = first.enumerated().allSatisfy { (48...57).contains($1) || $0 == 10 && $1 == UInt8(ascii: ".") }
                return isNumber && hasByte(first, ".", at: 10) ? cursor : nil
            }
            guard first.count == 3, cursor.skip(" "), let date = cursor.readWord(), date.count == 10, hasByte(date, "-", at: 4),
                hasByte(date, "-", at: 7), cursor.skip(" "), let time = cursor.readWord(), time.count >= 8, hasByte(time, ":", at: 2),
                hasByte(time, ":", at: 5), cursor.skip(" "), cursor.readWord() != nil
            else { return nil }
            return cursor
        }

        /// Moves past a time such as `Nov 25 10:00:00`. It may have a year, as in `Nov 25 2026 10:00:00`, and a fraction of a second.
        private static func skipTimeWithMonth(_ cursor: inout LineCursor) -> Bool {
            guard let date = cursor.readBytes(7), months.contains(String(decoding: date.prefix(3), as: UTF8.self)),
                hasByte(date, " ", at: 3), hasByte(date, " ", at: 6)
            else { return false }
            var next = cursor
            if let year = next.readWord(), year.count == 4, year.allSatisfy({ (48...57).contains($0) }), next.skip(" ") { cursor = next }
            guard let time = cursor.readWord(), time.count == 8 || time.count > 9 && hasByte(time, ".", at: 8) else { return false }
            return hasByte(time, ":", at: 2) && hasByte(time, ":", at: 5)
        }

        /// Reads the fields after the version of a message: `time host program pid id data message`. An unknown field is `-`.
        private mutating func readMessage(_ cursor: inout LineCursor) -> Bool {
            func next() -> LineCursor.Part? {
                guard let word = cursor.readWord(), cursor.skip(" ") || cursor.isAtEnd else { return nil }
                return word.elementsEqual("-".utf8) ? word.prefix(0) : word
            }
            guard let time = next(), let host = next(), let program = next(), let pid = next() else { return false }
            identifierStart = cursor.index
            guard let identifier = next(),
                time.isEmpty || time.count >= 19 && Self.hasByte(time, "T", at: 10) && Self.hasByte(time, ":", at: 13)
            else { return false }
            (self.time, self.host, self.program, self.pid, self.identifier) = (time, host, program, pid, identifier)
            let start = cursor.index
            if !cursor.skip("-") {
                guard cursor.rest.first == UInt8(ascii: "[") else { return false }
                while cursor.skip("[") { guard Self.skipElement(&cursor) else { return false } }
                data = cursor.line[start..<cursor.index]
            }
            guard cursor.skip(" ") || cursor.isAtEnd else { return false }
            message = cursor.rest
            // The byte order mark, which says that the message is UTF-8.
            if message.starts(with: [0xEF, 0xBB, 0xBF]) { message = message.dropFirst(3) }
            return true
        }

        /// Moves past the `]` that ends an element such as `[name key="a \" ]"]`. Returns `false` if the element has no end.
        private static func skipElement(_ cursor: inout LineCursor) -> Bool {
            while let byte = cursor.rest.first {
                _ = cursor.readBytes(1)
                if byte == UInt8(ascii: "]") { return true }
                if byte == UInt8(ascii: "\""), cursor.readPart(before: "\"") == nil { return false }
            }
            return false
        }

        private static func hasByte(_ text: LineCursor.Part, _ byte: Unicode.Scalar, at offset: Int) -> Bool {
            text[text.startIndex + offset] == UInt8(ascii: byte)
        }
    }
}
