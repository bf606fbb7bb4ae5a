/// Recognizes a row of units below the row of column names.
enum UnitsRow {
    private static let maximumUnitBytes = 24

    /// True if the second record consists of units, and the third record has numbers below them.
    static func isSecondRecord(of records: [[ArraySlice<UInt8>]]) -> Bool {
        guard records.count > 3, records[0].count > 1, records[1].count == records[0].count else { return false }
        let values = records[2]
        var numbers = 0
        for (column, field) in records[1].enumerated() {
            let unit = HeaderSniffer.trimmingBlanksAndQuotes(field)
            if unit.isEmpty || column == 0 && labels.contains(String(decoding: unit, as: UTF8.self).lowercased()) { continue }
            guard isUnit(unit) else { return false }
            if column < values.count, HeaderSniffer.isValue(HeaderSniffer.trimmingBlanksAndQuotes(values[column])) { numbers += 1 }
        }
        return numbers > 0
    }

    private static func isUnit(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last, text.count <= maximumUnitBytes else { return false }
        let isBracketed =
            first == UInt8(ascii: "(") && last == UInt8(ascii: ")") || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
        if isBracketed { return text.count > 2 && !text.contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } }
        let unit = String(decoding: text, as: UTF8.self)
        if units.contains(unit) || unitWords.contains(unit.lowercased()) { return true }
        return isProduct(unit)
    }

    /// True for a product of units that are joined by `/`, `·`, `*` or blanks and may have exponents, such as `m/s²`, `kg m^-3` or
    /// `km per hour`.
    private static func isProduct(_ text: String) -> Bool {
        let factors = text.split(whereSeparator: { "/·⋅*.() ".contains($0) })
        guard factors.count > 1 || factors.first?.last.map({ exponents.contains($0) }) == true else { return false }
        var count = 0
        for factor in factors {
            if factor == "1" || factor.lowercased() == "per" { continue }
            var unit = factor
            while let last = unit.last, exponents.contains(last), unit.count > 1 { unit.removeLast() }
            guard units.contains(String(unit)) || unitWords.contains(unit.lowercased()) else { return false }
            count += 1
        }
        return count > 0
    }

    private static let exponents: Set<Character> = ["²", "³", "⁴", "⁻", "¹", "^", "-", "−", "1", "2", "3", "4"]

    /// Words in the first column that indicate a row of units.
    private static let labels: Set<String> = ["unit", "units", "einheit", "einheiten", "unité", "unités", "unidad", "unidades", "unità"]

    /// Symbols of units, and patterns of dates and times, in exactly this case.
    private static let units: Set<String> = [
        "mg", "g", "kg", "t", "µg", "μg", "ug", "ng", "lb", "lbs", "oz", "nm", "µm", "μm", "um", "mm", "cm", "dm", "m", "km", "in", "ft",
        "yd", "mi", "m2", "m²", "km²", "ha", "m3", "m³", "ml", "mL", "cl", "l", "L", "hl", "gal", "ns", "µs", "μs", "us", "ms", "s", "sec",
        "min", "h", "hr", "hrs", "d", "wk", "mo", "yr", "a", "Hz", "kHz", "MHz", "GHz", "rpm", "V", "kV", "mV", "A", "mA", "µA", "Ah",
        "mAh", "W", "kW", "MW", "GW", "Wh", "kWh", "MWh", "GWh", "VA", "kVA", "Ω", "kΩ", "F", "µF", "nF", "pF", "H", "T", "mT", "Wb", "J",
        "kJ", "MJ", "cal", "kcal", "eV", "keV", "MeV", "GeV", "Pa", "hPa", "kPa", "MPa", "bar", "mbar", "psi", "atm", "K", "°C", "°F", "C",
        "°", "deg", "rad", "sr", "N", "kN", "Nm", "m/s", "km/h", "kph", "mph", "kn", "lx", "lm", "cd", "dB", "dBm", "Bq", "Sv", "mSv",
        "µSv", "Gy", "%", "‰", "ppm", "ppb", "mol", "mmol", "µmol", "M", "mM", "pH", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB",
        "TiB", "bit", "Mbit", "Gbit", "bps", "kbps", "Mbps", "Gbps", "px", "fps", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "CAD",
        "AUD", "SEK", "NOK", "DKK", "PLN", "CZK", "$", "€", "£", "¥", "-", "–", "hh:mm", "hh:mm:ss", "HH:MM", "HH:MM:SS", "HH:mm",
        "HH:mm:ss", "mm:ss", "yyyy-mm-dd", "YYYY-MM-DD", "yyyy-MM-dd", "dd.mm.yyyy", "DD.MM.YYYY", "dd.MM.yyyy", "dd/mm/yyyy",
        "DD/MM/YYYY", "mm/dd/yyyy", "MM/DD/YYYY", "yyyymmdd", "YYYYMMDD", "yyyy", "YYYY",
    ]

    /// Words for units, in any case.
    private static let unitWords: Set<String> = [
        "gram", "grams", "kilogram", "kilograms", "tonne", "tonnes", "ton", "tons", "pound", "pounds", "ounce", "ounces", "meter", "meters",
        "metre", "metres", "millimeter", "millimeters", "centimeter", "centimeters", "kilometer", "kilometers", "kilometre", "kilometres",
        "inch", "inches", "foot", "feet", "yard", "yards", "mile", "miles", "liter", "liters", "litre", "litres", "gallon", "gallons",
        "millisecond", "milliseconds", "second", "seconds", "secs", "minute", "minutes", "mins", "hour", "hours", "day", "days", "week",
        "weeks", "month", "months", "year", "years", "hertz", "volt", "volts", "ampere", "amperes", "amp", "amps", "watt", "watts",
        "kilowatt", "kilowatts", "ohm", "ohms", "joule", "joules", "newton", "newtons", "pascal", "pascals", "kelvin", "celsius",
        "fahrenheit", "degree", "degrees", "radian", "radians", "percent", "mole", "moles", "byte", "bytes", "bits", "dollar", "dollars",
        "euro", "euros", "pcs", "pc", "pce", "piece", "pieces", "pct", "count", "number", "stk", "stück", "st", "ea", "each", "units",
        "sekunden", "minuten", "stunden", "tage", "prozent", "gramm", "kilogramm", "knots", "persons",
    ]
}
