/// The interval between changes of prices, and the number of prices that change at a time.
struct Pace {
    /// The interval between updates.
    let interval: Duration
    private let rate: Int
    /// The number of updates in which `rate` prices change.
    private let updateCount: Int
    private var turn = 0

    /// Creates a pace of `count` simultaneous changes after each `interval`.
    init(_ count: Int, every interval: Duration) {
        (rate, updateCount, self.interval) = (count, 1, interval)
    }

    /// Parses the number of changes a second, made in at most ten updates; `nil` if it is not in ``rates``.
    init?(_ argument: String) {
        guard let rate = Int(argument), Self.rates.contains(rate) else { return nil }
        (self.rate, updateCount) = (rate, min(rate, 10))
        interval = .seconds(1) / updateCount
    }

    /// The selectable rates, up to the maximum that a terminal can show, in changes per second.
    static let rates = 1...10_000

    /// The number of prices to change in the next update. The numbers of each second add up to the rate exactly.
    mutating func next() -> Int {
        turn += 1
        return turn * rate / updateCount - (turn - 1) * rate / updateCount
    }
}
