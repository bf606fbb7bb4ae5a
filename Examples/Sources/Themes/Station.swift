/// An imaginary power station.
struct Station {
    let name: String
    /// The index in ``regions``, and the index among the stations there.
    let region: Int, index: Int
    /// Wind, water, sun or gas.
    let source: Int
    /// The date of commissioning, in microseconds since 1970.
    let openingTime: Int64
    /// Output and capacity, in megawatts.
    var output: Double
    let capacity: Double
    /// The output of the last hours.
    let history: [Double]
    let isManned: Bool
    /// The price of a megawatt hour.
    let price: Double
    let isClosed: Bool

    var load: Double { output / capacity }

    static let regions = [
        (name: "Highlands", stations: ["Aonach", "Ben Eich", "Corrie", "Dubh Loch", "Eilean", "Fearn", "Glen Ury"]),
        (name: "Coast", stations: ["Ardmore", "Bay Head", "Cliffe", "Dunes", "East Mole", "Fairpoint"]),
        (name: "Plain", stations: ["Applewood", "Broad Ley", "Cowslip", "Dry Ford", "Elm Cross"]),
    ]

    /// The stations of all regions.
    static let all = regions.enumerated().flatMap { region, group in
        group.stations.enumerated().map { Station($1, region, $0, number: region * 7 + $0) }
    }

    /// Creates a station whose values are computed from its indexes.
    private init(_ name: String, _ region: Int, _ index: Int, number: Int) {
        (self.name, self.region, self.index) = (name, region, index)
        source = number * 3 % 4
        openingTime = Int64(86_400_000_000) * Int64(4_000 + number * number * 389 % 15_000)
        capacity = Double(120 + number * 271 % 900)
        isClosed = number % 6 == 3
        isManned = number % 3 != 0
        price = isClosed ? 0 : 20 + Double(number * 1_237 % 900) / 10
        history = (0..<10).map { hour in Double((hour * (number + 2) * 7 + number * 5) % 23) }
        output = isClosed ? 0 : capacity * Double(30 + number * 37 % 68) / 100
    }
}
