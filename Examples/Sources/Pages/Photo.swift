import DataGrid

/// A photo. Its picture is a sky over a ground.
struct Photo: Equatable {
    let number: Int
    let place: String
    /// The month, such as “March 2026”, which names its album.
    let month: String
    let day: Int
    let light: Light
    /// The rating, from 1 to 5.
    let stars: Int
    /// The size of the file in megabytes.
    let size: Double
    let ground: Color

    /// The time of day.
    enum Light: String, CaseIterable {
        case dawn, noon, dusk, night

        var sky: Color {
            switch self {
            case .dawn: Color(0xE8A0A0)
            case .noon: Color(0x6FB4E8)
            case .dusk: Color(0xD8742F)
            case .night: Color(0x1E2A52)
            }
        }
    }

    /// Creates a photo whose properties depend on its number.
    init(number: Int, month: String, day: Int) {
        (self.number, self.month, self.day) = (number, month, day)
        let place = Self.places[Self.draw(number, 1, below: Self.places.count)]
        (self.place, ground) = (place.name, Color(place.ground))
        light = Light.allCases[Self.draw(number, 2, below: Light.allCases.count)]
        stars = 1 + Self.draw(number, 3, below: 5)
        size = Double(12 + Self.draw(number, 4, below: 80)) / 10
    }

    var picture: Icon {
        Icon("▄▄", fallback: "[]", name: "picture", style: CellStyle(foreground: ground, background: light.sky))
    }

    var rating: Icon {
        Icon(String(repeating: "★", count: stars), fallback: String(repeating: "*", count: stars), name: "\(stars) stars")
    }

    private static let places: [(name: String, ground: UInt32)] = [
        ("Bergen", 0x2F5F7F), ("Faro", 0xC8A860), ("Zermatt", 0xE4ECF2), ("Black Forest", 0x2F5F3A), ("Kyoto", 0x6F8F4A),
        ("Lisbon", 0xB0603C), ("Reykjavík", 0x4A5058), ("Chamonix", 0xD8E4EE), ("Bornholm", 0x3F7F8F), ("Siena", 0x9A5B3C),
        ("Lake Como", 0x2F6F8F), ("Wadi Rum", 0xC07848),
    ]

    /// A random number that depends on the photo and the purpose (SplitMix64; Steele, Lea and Flood 2014).
    fileprivate static func draw(_ number: Int, _ purpose: UInt64, below bound: Int) -> Int {
        var bits = (UInt64(truncatingIfNeeded: number) &* 8 &+ purpose) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) % UInt64(bound))
    }
}

/// The photos of a camera, which are read in batches, the newest photos first.
struct CameraRoll {
    /// The number of photos that have not been read yet.
    private(set) var remaining: Int
    private var (number, month, day) = (0, 2026 * 12 + 10, 20)

    init(count: Int) { remaining = count }

    /// Reads the next photos, at most `count`.
    mutating func read(_ count: Int) -> [Photo] {
        (0..<min(count, remaining)).map { _ in
            number += 1
            remaining -= 1
            day -= Photo.draw(number, 5, below: 5)
            // No photos are taken on the last days of a month.
            if day < 1 { (month, day) = (month - 1, day + 28) }
            return Photo(number: number, month: "\(Self.months[month % 12]) \(month / 12)", day: day)
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
}
