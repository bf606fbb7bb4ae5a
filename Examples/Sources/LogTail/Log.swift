/// How much a line matters.
enum Level: Int, CaseIterable {
    case debug, info, warning, error

    var name: String { ["DEBUG", "INFO", "WARN", "ERROR"][rawValue] }
}

/// A line of a log.
struct LogLine: Equatable {
    /// Which line of the log, from 0.
    let number: Int
    /// Seconds since midnight.
    let time: Int
    let level: Level
    /// The part of the program that says it.
    let part: String
    let message: String

    /// When it was written: `09:00:01`.
    var clock: String {
        [time / 3600 % 24, time / 60 % 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// A log that grows, of a server that does not exist. Each line is made up from its number when it is read: like a file on a disk, it
/// takes no memory.
struct Log {
    /// How many lines there are.
    private(set) var count: Int
    let seed: UInt64

    init(count: Int, seed: UInt64 = 1) {
        self.count = count
        self.seed = seed
    }

    /// Something happens: one to three lines more.
    mutating func grow() { count += 1 + draw(count, 0, below: 3) }

    /// The last lines before the one of this number that matter as much as `level`, no more than `limit`.
    /// - Returns: the lines in their order, and the first number that was looked at.
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

    /// The first lines that matter as much as `level`, beginning at a number, no more than `limit`.
    /// - Returns: the lines, and the number behind the last one that was looked at.
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
        // The lesser of two draws: the worse it is, the rarer.
        let kind = Self.kinds[min(draw(line, 1, below: Self.kinds.count), draw(line, 2, below: Self.kinds.count))]
        let message = kind.message.split(separator: "#", omittingEmptySubsequences: false).joined(
            separator: "\(draw(line, 3, below: 9_000))")
        return LogLine(number: line, time: 6 * 3600 + line / 3, level: kind.level, part: kind.part, message: message)
    }

    /// The messages; `#` is a number.
    private static let kinds: [(level: Level, part: String, message: String)] = [
        (.debug, "cache", "look-up of order # was a hit"), (.debug, "http", "connection of client # is kept open"),
        (.info, "http", "GET /orders/# 200"), (.info, "db", "# rows of orders were read"), (.info, "auth", "session # begins"),
        (.debug, "db", "pool: # connections were lent so far"), (.info, "http", "POST /orders 201: this is order #"),
        (.warning, "db", "a query of # ms is slow: orders by customer"), (.warning, "http", "client # has to wait: too many requests"),
        (.warning, "auth", "third wrong password for account #"),
        (.error, "http", "GET /orders/# 503: the database did not answer in time"),
        (.error, "db", "connection lost, order # will be tried again"),
    ]

    /// A number that depends on the line and on what it is for (SplitMix64; Steele, Lea and Flood 2014).
    private func draw(_ line: Int, _ purpose: Int, below bound: Int) -> Int {
        var bits = seed &+ UInt64(line * 4 + purpose) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) % UInt64(bound))
    }
}
