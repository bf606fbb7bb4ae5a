/// Something that is traded.
struct Instrument: Identifiable {
    let id: String
    var name: String
    /// How many are owned.
    var amount: Int
    var bid: Double
    var ask: Double
    var high: Double
    var low: Double
    /// What the bid was in the morning.
    let opening: Double
    /// Seconds since midnight.
    var updated: Int

    var spread: Double { ask - bid }
    /// When it was updated: `09:00:01`.
    var clock: String {
        [updated / 3600 % 24, updated / 60 % 60, updated % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
    var change: Double { (bid - opening) / opening * 100 }

    /// Takes a new price.
    mutating func take(bid price: Double, at time: Int) {
        bid = price
        ask = price * 1.002
        high = max(high, price)
        low = min(low, price)
        updated = time
    }
}

/// A market that makes its prices up.
struct Market {
    private(set) var instruments: [Instrument]
    private var random: any RandomNumberGenerator
    private(set) var time = 9 * 3600

    init(random: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
        let names = [
            "FTSE 100", "Nikkei 225", "Dow Jones", "DAX", "CAC 40", "Hang Seng", "S&P 500", "Euro Stoxx 50", "Gold", "Silver", "Copper",
            "Brent crude",
            "Natural gas", "Wheat", "Coffee", "Sugar", "EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "EUR/GBP", "Bund", "Gilt",
            "T-Note",
        ]
        self.random = random
        instruments = names.enumerated().map { index, name in
            let price = 10 + Double(index * index * 37 % 997)
            return Instrument(
                id: name, name: name, amount: index * 7919 % 400, bid: price, ask: price * 1.002, high: price, low: price, opening: price,
                updated: 9 * 3600)
        }
    }

    /// Moves the price of one instrument by up to a fifth.
    /// - Returns: the instrument as it is now.
    mutating func move() -> Instrument {
        let index = Int.random(in: 0..<instruments.count, using: &random)
        let bid = (instruments[index].bid * Double.random(in: 0.8...1.2, using: &random) * 100).rounded() / 100
        instruments[index].take(bid: max(0.01, bid), at: time)
        return instruments[index]
    }

    /// A second passes.
    mutating func tick() { time += 1 }
}
