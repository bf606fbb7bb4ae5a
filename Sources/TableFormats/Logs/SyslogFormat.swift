public import DelimitedText
import FieldValues
public import Tables

/// Lines of syslog: time, host, program and message, as in `/var/log/syslog` and in the output of `journalctl`.
public struct SyslogFormat: TableFormat {
    /// `syslog`.
    public var name: String { "syslog" }

    init() {}

    /// Opens an input whose lines have a time and a host, and mostly a program.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        var (entries, programs) = (0, 0)
        func isMatch(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
            guard let entry = SyslogLayout.Entry(line) else { return false }
            // After a time in ISO 8601, other logs have a level or a message where syslog has a host.
            let hasMonth = entry.time.first.map { $0 > 57 } == true
            entries += 1
            if !entry.program.isEmpty { programs += 1 }
            let isLevel = entry.host.first == UInt8(ascii: "[") || LogText(line).level(at: entry.host.startIndex) != nil
            return !isLevel && (hasMonth || !entry.program.isEmpty)
        }
        guard try isRequested || LogSample.matches(input, isMatch) && programs * 2 >= entries else { return nil }
        return try LineSource(input.lines(), SyslogLayout())
    }
}

/// The layout of syslog. A line without a time has only a message.
struct SyslogLayout: LineLayout {
    var titles: [String] { ["time", "host", "program", "pid", "message"] }
    var hasColumnNames: Bool { false }
    var headerLines: Int { 0 }
    var facts: [(name: String, value: String)] { [("format", "syslog"), ("header", "none")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        guard let entry = Entry(line) else {
            for _ in 0..<4 { fields.append(line[..<0]) }
            return fields.append(line[...])
        }
        for part in [entry.time, entry.host, entry.program, entry.pid, entry.message] { fields.append(part) }
    }

    /// The parts of a line.
    struct Entry {
        private(set) var time: LineCursor.Part
        private(set) var host: LineCursor.Part
        private(set) var program: LineCursor.Part
        private(set) var pid: LineCursor.Part
        private(set) var message: LineCursor.Part

        private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

        init?(_ line: UnsafeBufferPointer<UInt8>) {
            var cursor = LineCursor(line)
            // The priority, which precedes messages sent over a network.
            if cursor.skip("<"), cursor.part(before: ">") == nil { return nil }
            let start = cursor.index
            if let first = cursor.rest.first, (48...57).contains(first) {
                // 2026-11-25T10:00:00.123456+00:00
                guard let word = cursor.word(), word.count >= 19, Self.has(word, "-", at: 4), Self.has(word, "T", at: 10),
                    Self.has(word, ":", at: 13)
                else { return nil }
            } else {
                // Nov 25 10:00:00
                guard let text = cursor.bytes(15), Self.months.contains(String(decoding: text.prefix(3), as: UTF8.self)),
                    Self.has(text, " ", at: 3), Self.has(text, " ", at: 6), Self.has(text, ":", at: 9), Self.has(text, ":", at: 12)
                else { return nil }
            }
            time = line[start..<cursor.index]
            guard cursor.skip(" ") else { return nil }
            cursor.skipSpaces()
            guard let host = cursor.word(), host.last != UInt8(ascii: ":"), cursor.skip(" ") else { return nil }
            self.host = host
            (program, pid) = (line[..<0], line[..<0])
            message = cursor.rest
            // program[pid]: message
            guard let tag = cursor.word(), tag.last == UInt8(ascii: ":") else { return }
            program = tag.dropLast()
            if program.last == UInt8(ascii: "]"), let open = program.firstIndex(of: UInt8(ascii: "[")) {
                pid = program[(open + 1)..<(program.endIndex - 1)]
                program = program[..<open]
            }
            cursor.skipSpaces()
            message = cursor.rest
        }

        private static func has(_ text: LineCursor.Part, _ byte: Unicode.Scalar, at offset: Int) -> Bool {
            text[text.startIndex + offset] == UInt8(ascii: byte)
        }
    }
}
