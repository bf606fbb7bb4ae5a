public import DelimitedText
import FieldValues
public import Tables

/// Logs of web servers in the common or the combined format of Apache and nginx, or in the extended format of the W3C.
public struct AccessLogFormat: TableFormat {
    /// The name used with `--format`: `access-log`.
    public var name: String { "access-log" }

    init() {}

    /// Opens an input whose lines have a host, a time in brackets, a quoted request and a status, or which begins with the names of its
    /// fields after `#Fields:`.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        if let layout = try ExtendedLogLayout(input) { return try LineSource(input.lines(), layout) }
        var hasVirtualHosts = false
        func isMatch(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
            guard let entry = AccessLogLayout.Entry(line) else { return false }
            if !entry.virtualHost.isEmpty { hasVirtualHosts = true }
            return true
        }
        guard try LogSample.matches(input, isDistinctive: true, isMatch) || isRequested else { return nil }
        return try LineSource(input.lines(), AccessLogLayout(hasVirtualHosts: hasVirtualHosts))
    }
}

/// The layout of an access log. A line that does not have this form is stored in the last column as it is.
struct AccessLogLayout: LineLayout {
    /// True if lines begin with the name and the port of a virtual host, as in `example.com:443`. There is then a column for them.
    let hasVirtualHosts: Bool

    var titles: [String] {
        (hasVirtualHosts ? ["vhost"] : []) + [
            "host", "ident", "user", "time", "method", "path", "protocol", "status", "bytes", "referer", "agent", "other",
        ]
    }
    var hasColumnNames: Bool { false }
    var headerLines: Int { 0 }
    var details: [(name: String, value: String)] { [("format", "access log"), ("header", "none")] }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        guard let entry = Entry(line), hasVirtualHosts || entry.virtualHost.isEmpty else {
            for _ in 0..<(hasVirtualHosts ? 12 : 11) { fields.append(line[..<0]) }
            return fields.append(line[...])
        }
        if hasVirtualHosts { fields.append(entry.virtualHost) }
        for part in entry.client { fields.append(part) }
        if let time = Self.isoTime(entry.time) { fields.append(copying: time) } else { fields.append(entry.time) }
        for part in entry.request + entry.result { fields.append(part) }
        fields.append(trimming: entry.rest)
    }

    /// The fields of a line, in three groups.
    struct Entry {
        /// The name and the port of the virtual host; empty if the line does not begin with them.
        private(set) var virtualHost: LineCursor.Part
        /// The host, the identity and the user.
        private(set) var client: [LineCursor.Part] = []
        private(set) var time: LineCursor.Part
        /// The method, the path and the protocol.
        private(set) var request: [LineCursor.Part]
        /// The status, the size, the referer and the agent.
        private(set) var result: [LineCursor.Part] = []
        private(set) var rest: LineCursor.Part

        init?(_ line: UnsafeBufferPointer<UInt8>) {
            var cursor = LineCursor(line)
            virtualHost = line[..<0]
            for _ in 0..<3 {
                guard let word = cursor.readWord(), cursor.skip(" ") else { return nil }
                client.append(word)
            }
            // The second word is a client. In `10.0.0.1:8080 - Ann Lee`, it is an unknown identity, and the name has two words.
            if cursor.rest.first != UInt8(ascii: "["), AccessLogLayout.isVirtualHost(client[0]), !client[1].elementsEqual("-".utf8),
                let user = cursor.readWord(), cursor.skip(" ")
            {
                virtualHost = client.removeFirst()
                client.append(user)
            }
            guard cursor.skip("["), let time = cursor.readPart(before: "]"), time.count >= 20, cursor.skip(" "), cursor.skip("\""),
                let text = cursor.readPart(before: "\""), cursor.skip(" ")
            else { return nil }
            self.time = time
            let empty = line[..<0]
            request = [empty, text, empty]
            if let space = text.firstIndex(of: 32), let last = text.lastIndex(of: 32), space < last {
                request = [text[..<space], text[(space + 1)..<last], text[(last + 1)...]]
            }
            guard let status = cursor.readWord(), status.allSatisfy({ (48...57).contains($0) }), cursor.skip(" "),
                let size = cursor.readWord()
            else { return nil }
            result = [status, size, empty, empty]
            for column in 2...3 {
                var next = cursor
                guard next.skip(" "), next.skip("\""), let part = next.readPart(before: "\"") else { break }
                result[column] = part
                cursor = next
            }
            rest = cursor.rest
        }
    }

    /// True for a name and a port, as in `example.com:443`. An IPv6 address has several colons.
    private static func isVirtualHost(_ word: LineCursor.Part) -> Bool {
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon > word.startIndex else { return false }
        let port = word[(colon + 1)...]
        return !port.isEmpty && port.allSatisfy { (48...57).contains($0) }
    }

    private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

    /// Converts a time such as `10/Oct/2000:13:55:36 -0700` to ISO 8601. Returns `nil` for other text.
    private static func isoTime(_ time: LineCursor.Part) -> [UInt8]? {
        let text = Array(time)
        let digits = [0, 1, 7, 8, 9, 10, 12, 13, 15, 16, 18, 19, 22, 23, 24, 25]
        guard text.count == 26, digits.allSatisfy({ (48...57).contains(text[$0]) }), text[2] == UInt8(ascii: "/"),
            text[6] == UInt8(ascii: "/"),
            text[11] == UInt8(ascii: ":"), text[20] == 32, text[21] == UInt8(ascii: "+") || text[21] == UInt8(ascii: "-"),
            let month = (0..<12).first(where: { months[3 * $0..<3 * $0 + 3].elementsEqual(text[3..<6]) })
        else { return nil }
        let number = UInt8(month + 1)
        var iso = text[7..<11] + [UInt8(ascii: "-"), 48 + number / 10, 48 + number % 10, UInt8(ascii: "-")] + text[0..<2]
        iso += [UInt8(ascii: "T")] + text[12..<20] + text[21..<24] + [UInt8(ascii: ":")] + text[24..<26]
        return Array(iso)
    }
}
