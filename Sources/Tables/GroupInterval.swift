public import FieldValues

/// A rule that groups values by interval: periods of the calendar, or ranges of numbers of equal width.
public enum GroupInterval: Hashable, Codable, Sendable {
    /// A period of the calendar.
    case period(Period)
    /// Half-open ranges of numbers. All ranges have this width, and one range starts at 0. The width is positive, and its fraction has no
    /// trailing zeros.
    case bins(ExactDecimal)

    /// A period of the proleptic Gregorian calendar. The cases are ordered from the longest to the shortest.
    public enum Period: String, Hashable, Codable, Sendable, CaseIterable {
        /// A calendar year.
        case year
        /// A calendar quarter: three months from January, April, July or October.
        case quarter
        /// A calendar month.
        case month
        /// A week from Monday to Sunday.
        case week
        /// A calendar day.
        case day
        /// An hour of a day.
        case hour
    }

    /// The group key of all fields that are not values of the column's kind, such as `n/a` among numbers.
    public static let otherKey = "(other)"

    /// Parses a period such as `month`, or a width such as `10` or `0.5` with at most 15 digits. `nil` for any other text.
    public init?(text: String) {
        if let period = Period(rawValue: text.lowercased()) {
            self = .period(period)
            return
        }
        let digits = text.utf8.filter { $0 != UInt8(ascii: ".") }
        let isPlain = digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard isPlain, !digits.isEmpty, digits.count <= 15, digits.count + 1 >= text.utf8.count, text.first != ".", text.last != ".",
            var mantissa = Int128(String(decoding: digits, as: UTF8.self)), mantissa > 0
        else { return nil }
        var scale = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.utf8.count ?? 0
        while scale > 0, mantissa % 10 == 0 { (mantissa, scale) = (mantissa / 10, scale - 1) }
        self = .bins(ExactDecimal(mantissa, digits: scale))
    }

    /// The text form, which ``init(text:)`` parses.
    public var text: String {
        switch self {
        case .period(let period): period.rawValue
        case .bins(let width): width.text
        }
    }

    /// True if values of a kind can be grouped by this interval. Times of day can be grouped only by hour, and strings by no interval.
    public func applies(to kind: ValueKind) -> Bool {
        switch (self, kind) {
        case (.period, .date), (.period, .dateTime), (.bins, .integer), (.bins, .decimal): true
        case (.period(let period), .time): period == .hour
        case (.period, _), (.bins, _): false
        }
    }

    /// The kind of the group keys for values of the given kind. For example, date-times grouped by month have dates as keys.
    public func kindOfKeys(of kind: ValueKind) -> ValueKind {
        switch self {
        case .bins: .decimal
        case .period(.hour): kind == .time ? .time : .dateTime
        case .period: .date
        }
    }

    /// A group key as data. The start of an hour gets a `Z` if the grouped times have a zone, because it is then in UTC.
    package func data(ofKey key: String, isUTC: Bool) -> String {
        isUTC && self == .period(.hour) && !key.isEmpty && key != Self.otherKey ? key + "Z" : key
    }

    /// The title of a group, such as `March 2024`, `2024 Q1`, `week 12 of 2024` or `10–20`.
    /// - Parameters:
    ///   - key: the start of the interval, such as `2024-03-01` or `10`. Other strings, such as ``otherKey``, are returned unchanged.
    ///   - notation: the notation and unit of numbers in the title.
    ///   - groupsThousands: true to group the thousands of numbers.
    public func title(ofKey key: String, in notation: DecimalStyle = .point, groupsThousands: Bool = false) -> String {
        switch self {
        case .bins(let width):
            guard let lower = FieldBytes.withBytes(of: key, { $0.exactDecimal() }), lower.digits <= width.digits,
                let scaled = ExactDecimal.scaled(lower.mantissa, by: width.digits - lower.digits)
            else { return key }
            let limits = [lower, ExactDecimal(scaled + width.mantissa, digits: width.digits)]
            // The limits of a range of sizes are not rounded. If one of them has no short form, both are numbers of bytes.
            let isSize = notation.unit.isSize
            let sizes = isSize ? limits.compactMap { NumberText.exactSize(of: $0, notation) } : []
            let texts =
                sizes.count == limits.count
                ? sizes
                : limits.map { number in
                    NumberText.textWithUnit(
                        of: number, isSize ? notation.withoutUnit : notation, maximumFractionDigits: ExactDecimal.maximumDigits,
                        groupsThousands: groupsThousands)
                }
            return texts.joined(separator: lower.mantissa < 0 ? " to " : "–")
        case .period(.hour): return key.hasSuffix(":00:00") ? String(key.dropLast(3)) : key
        case .period(let period):
            let parts = key.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count >= 3, let month = Int(parts[parts.count - 2]), (1...12).contains(month),
                let day = Int(parts[parts.count - 1]),
                let year = Int(parts.dropLast(2).joined(separator: "-"))
            else { return key }
            switch period {
            case .year: return String(year)
            case .quarter: return "\(year) Q\((month + 2) / 3)"
            case .month: return "\(Self.months[month - 1]) \(year)"
            case .week:
                // A week belongs to the year of its Thursday (ISO 8601).
                let thursday = CalendarDay(year: year, month: month, day: day).daysSinceEpoch + 3
                let weekYear = CalendarDay(daysSinceEpoch: thursday).year
                let first = CalendarDay(year: weekYear, month: 1, day: 1).daysSinceEpoch
                return "week \((thursday - first) / 7 + 1) of \(weekYear)"
            case .day, .hour: return key
            }
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
}
