/// The kind of an instrument.
enum InstrumentType: String {
    case index = "Index"
    case commodity = "Commodity"
    case currency = "Currency"
    case bond = "Bond"

    /// The number of decimals of its prices.
    var digits: Int {
        switch self {
        case .index, .commodity: 2
        case .bond: 3
        case .currency: 5
        }
    }
}

/// A tradable instrument.
struct Instrument: Identifiable {
    let id: String
    let type: InstrumentType
    var name: String
    /// The number of units owned.
    var amount: Int
    var bid: Double
    var ask: Double
    var high: Double
    var low: Double
    /// The first bid of the day.
    let opening: Double
    /// Seconds since midnight.
    var updateTime: Int

    var kind: String { type.rawValue }
    var spread: Double { ask - bid }
    /// The time of the last update: `09:00:01`.
    var clock: String {
        [updateTime / 3600 % 24, updateTime / 60 % 60, updateTime % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
    var netChange: Double { bid - opening }
    /// The change since the start of the day, in percent.
    var change: Double { netChange / opening * 100 }

    /// Sets bid and ask.
    mutating func setPrices(bid: Double, ask: Double, at time: Int) {
        (self.bid, self.ask) = (bid, ask)
        high = max(high, bid)
        low = min(low, bid)
        updateTime = time
    }
}

/// A simulated market with random prices.
struct Market {
    private(set) var instruments: [Instrument]
    private var random: any RandomNumberGenerator
    private(set) var time = 9 * 3600

    private static let names: [(InstrumentType, [String])] = [
        (.index, ["FTSE 100", "Nikkei 225", "Dow Jones", "DAX", "CAC 40", "Hang Seng", "S&P 500", "Euro Stoxx 50"]),
        (.commodity, ["Gold", "Silver", "Copper", "Brent crude", "Natural gas", "Wheat", "Coffee", "Sugar"]),
        (.currency, ["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "EUR/GBP"]),
        (.bond, ["Bund", "Gilt", "T-Note"]),
    ]

    init(random: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
        self.random = random
        let names = Self.names.flatMap { type, names in names.map { (type, $0) } }
        instruments = names.enumerated().map { index, entry in
            let (type, name) = entry
            let number = index * index * 37 % 997
            let price = type == .currency ? 0.5 + Double(number) / 1_000 : 10 + Double(number)
            return Instrument(
                id: name, type: type, name: name, amount: index * 7919 % 400, bid: price, ask: price * 1.002, high: price, low: price,
                opening: price, updateTime: 9 * 3600)
        }
    }

    /// Moves bid and ask of one instrument, each by up to a fifth. The ask stays above the bid, by a quarter at most. A price far from its
    /// opening value moves back.
    /// - Returns: the instrument as it is now.
    mutating func movePrices() -> Instrument {
        let index = Int.random(in: 0..<instruments.count, using: &random)
        let scale = (0..<instruments[index].type.digits).reduce(1.0) { scale, _ in scale * 10 }
        let old = instruments[index]
        func moved(_ price: Double) -> Double {
            var factor = Double.random(in: 0.8...1.2, using: &random)
            let change = price / old.opening - 1
            if abs(change) > 0.5, (factor > 1) == (change > 0) { factor = 2 - factor }
            return price * factor
        }
        func rounded(_ price: Double) -> Double { (price * scale).rounded() / scale }
        let bid = max(0.01, rounded(moved(old.bid)))
        let ask = max(rounded(min(moved(old.ask), bid * 1.25)), rounded(bid + 1 / scale))
        instruments[index].setPrices(bid: bid, ask: ask, at: time)
        return instruments[index]
    }

    /// Advances the time by one second.
    mutating func tick() { time += 1 }
}
