/// A stock with the prices of one trading day.
struct Stock {
    enum Status: String {
        case trading = "Trading"
        case auction = "Auction"
        case halted = "Halted"
    }

    let name: String
    let open: Double
    private(set) var high: Double
    private(set) var low: Double
    private(set) var close: Double
    /// The last prices, at most ``historyLength``.
    private(set) var history: [Double]
    var status = Status.trading
    var isWatched = false

    static let historyLength = 6

    init(_ name: String, open: Double) {
        self.name = name
        (self.open, high, low, close, history) = (open, open, open, open, [open])
    }

    /// The change since the start of the day, as a fraction.
    var change: Double { close / open - 1 }

    mutating func trade(at price: Double) {
        close = price
        high = max(high, price)
        low = min(low, price)
        history = (history + [price]).suffix(Self.historyLength)
    }
}

/// A simulated stock exchange with random prices.
struct Exchange {
    private(set) var stocks: [Stock]
    private var state: UInt64 = 5

    /// Names and invented first prices, after one hour of trading.
    init() {
        stocks = [
            ("Adidas", 182.1), ("Airbus", 148.6), ("Allianz", 251.9), ("BASF", 47.3), ("Bayer", 29.5), ("BMW", 96.4), ("DHL", 39.8),
            ("E.ON", 12.6), ("Henkel", 74.2), ("Infineon", 34.7), ("Merck", 158.3), ("Porsche", 84.9), ("Puma", 43.1), ("RWE", 33.4),
            ("SAP", 114.2), ("Siemens", 172.5), ("Symrise", 103.7), ("Zalando", 23.9),
        ].map { Stock($0, open: $1) }
        for turn in 0..<stocks.count * 12 { trade(turn % stocks.count) }
        for (index, status) in [2: Stock.Status.auction, 4: .halted, 11: .auction] { stocks[index].status = status }
        for index in [0, 7, 14] { stocks[index].isWatched = true }
    }

    /// A random number in `0 ..< count`: the generator of D. Knuth's MMIX.
    private mutating func random(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }

    /// Changes the price of a stock by at most 0.9 %, in whole cents.
    mutating func trade(_ index: Int) {
        stocks[index].trade(at: (stocks[index].close * (1 + Double(random(19) - 9) / 1_000) * 100).rounded() / 100)
    }

    /// Trades a few random stocks, and sometimes starts or ends an auction.
    /// - Returns: The traded stocks, and the stock with another status.
    mutating func tick() -> (traded: Set<Int>, changed: Int?) {
        var traded: Set<Int> = []
        for _ in 0..<4 {
            let index = random(stocks.count)
            guard stocks[index].status == .trading else { continue }
            trade(index)
            traded.insert(index)
        }
        let index = random(stocks.count)
        guard random(4) == 0, stocks[index].status != .halted else { return (traded, nil) }
        stocks[index].status = stocks[index].status == .trading ? .auction : .trading
        return (traded, index)
    }

    mutating func toggleWatched(_ index: Int) { stocks[index].isWatched.toggle() }
}
