/// The severity of a log line.
enum Level: Int, CaseIterable {
    case debug, info, warning, error

    var name: String { ["DEBUG", "INFO", "WARN", "ERROR"][rawValue] }
}

/// A line of a log.
struct LogLine: Equatable {
    /// The line number, from 0.
    let number: Int
    /// Seconds since midnight.
    let time: Int
    let level: Level
    /// The component that wrote the line.
    let component: String
    let message: String

    /// The time of writing: `09:00:01`.
    var clock: String {
        [time / 3600 % 24, time / 60 % 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// A growing log of an imaginary server. Each line is computed from its number when it is read, so that, like a file on disk, the log takes
/// no memory.
struct Log {
    /// The number of lines.
    private(set) var count: Int
    let seed: UInt64

    init(count: Int, seed: UInt64 = 1) {
        self.count = count
        self.seed = seed
    }

    /// Appends one to three lines.
    mutating func grow() { count += 1 + draw(count, 0, below: 3) }

    /// The last lines before line `number` that have at least this level. There are at most `limit` of them.
    /// - Returns: The lines in ascending order, and the first line number examined.
    func lines(before number: Int, from level: Level, limit: Int) -> (lines: [LogLine], first: Int) {
        var found: [LogLine] = []
        var first = number
        while first > 0, found.count < limit {
            first -= 1
            let line = self[first]
            if line.level.rawValue >= level.rawValue { found.append(line) }
        }
        return (found.reversed(), first)
    }

    /// The first lines from line `number` onward that have at least this level. There are at most `limit` of them.
    /// - Returns: The lines, and the number after the last line examined.
    func lines(from number: Int, from level: Level, limit: Int) -> (lines: [LogLine], end: Int) {
        var found: [LogLine] = []
        var end = number
        while end < count, found.count < limit {
            let line = self[end]
            if line.level.rawValue >= level.rawValue { found.append(line) }
            end += 1
        }
        return (found, end)
    }

    subscript(line: Int) -> LogLine {
        // The minimum of two draws makes severe levels rarer.
        let kind = Self.kinds[min(draw(line, 1, below: Self.kinds.count), draw(line, 2, below: Self.kinds.count))]
        let message = kind.message.split(separator: "#", omittingEmptySubsequences: false).joined(
            separator: "\(draw(line, 3, below: 9_000))")
        return LogLine(number: line, time: 6 * 3600 + line / 3, level: kind.level, component: kind.component, message: message)
    }

    /// The messages; `#` is a number. A terminal of 60 columns shows them completely.
    private static let kinds: [(level: Level, component: String, message: String)] = [
        (.debug, "cache", "look-up of order # was a hit"), (.debug, "http", "client # keeps its connection"),
        (.info, "http", "GET /orders/# 200"), (.info, "db", "# rows of orders were read"), (.info, "auth", "session # begins"),
        (.debug, "db", "pool lent # connections so far"), (.info, "http", "POST /orders 201, order #"),
        (.warning, "db", "slow query: # ms, by customer"), (.warning, "http", "client # waits: rate limit"),
        (.warning, "auth", "third wrong password, account #"),
        (.error, "http", "GET /orders/# 503: timeout"),
        (.error, "db", "connection lost, retry order #"),
    ]

    /// A random number that depends on the line and the purpose (SplitMix64; Steele, Lea and Flood 2014).
    private func draw(_ line: Int, _ purpose: Int, below bound: Int) -> Int {
        var bits = seed &+ UInt64(line * 4 + purpose) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) % UInt64(bound))
    }
}
