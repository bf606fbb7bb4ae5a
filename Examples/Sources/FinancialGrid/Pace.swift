/// The interval between changes of prices, and the number of prices that change at a time.
struct Pace {
    /// The interval between updates.
    let interval: Duration
    private let rate: Int
    /// The number of updates that make up the rate.
    private let parts: Int
    private var turn = 0

    /// Creates a pace of `count` simultaneous changes after each `interval`.
    init(_ count: Int, every interval: Duration) {
        (rate, parts, self.interval) = (count, 1, interval)
    }

    /// Parses the number of changes a second, made in at most ten steps; `nil` if it is not in ``rates``.
    init?(_ argument: String) {
        guard let rate = Int(argument), Self.rates.contains(rate) else { return nil }
        (self.rate, parts) = (rate, min(rate, 10))
        interval = .seconds(1) / parts
    }

    /// The selectable rates, up to the maximum that a terminal can show, in changes per second.
    static let rates = 1...10_000

    /// The number of prices to change now. Over each second, the sum equals the rate exactly.
    mutating func next() -> Int {
        turn += 1
        return turn * rate / parts - (turn - 1) * rate / parts
    }
}
