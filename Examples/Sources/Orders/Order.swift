/// An order of several pieces of one item.
struct Order {
    let number: Int
    let item: String
    /// The date, such as `2026-03-01`.
    let day: String
    let count: Int
    /// The amount in cents.
    let price: Int
    let remark: String

    var amount: Int { count * price }
}

/// A customer with all orders.
struct Customer {
    let name: String
    let city: String
    var orders: [Order]
}

/// A sales region with its customers.
struct Region {
    let name: String
    var customers: [Customer]
}

extension Region {
    /// Generates sample data that is always the same.
    static let samples: [Region] = {
        let names = [
            ("North", [("Aalto Bikes", "Oulu"), ("Bergvei", "Tromsø"), ("Cykelhuset", "Umeå")]),
            ("Middle", [("Drahtesel", "Kassel"), ("Eiger Sport", "Bern"), ("Fietsplaats", "Ede"), ("Gravelwerk", "Brno")]),
            ("South", [("Helivelo", "Volos"), ("Il Giro", "Lucca"), ("Jornada", "Cádiz")]),
        ]
        let items = [("Tyre", 2_990), ("Chain", 3_450), ("Saddle", 6_900), ("Lamp", 4_590), ("Helmet", 8_950), ("Bell", 790)]
        let remarks = [
            "", "", "", "as last time", "together with the other order", "", "a gift",
        ]
        var number = 4_100
        return names.map { region, customers in
            Region(
                name: region,
                customers: customers.map { name, city in
                    let orders = (0..<3 + name.count % 5).map { _ in
                        number += 1
                        let item = items[number * 7 % items.count]
                        let month = 1 + number / 9 % 6
                        return Order(
                            number: number, item: item.0, day: "2026-0\(month)-\(10 + number * 3 % 18)", count: 1 + number * 5 % 12,
                            price: item.1, remark: remarks[number % remarks.count])
                    }
                    return Customer(name: name, city: city, orders: orders)
                })
        }
    }()
}
