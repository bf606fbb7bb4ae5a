public import FieldValues

/// The properties of a column, inferred from a sample of its fields.
public struct ColumnProfile: Sendable, Hashable {
    /// The narrowest kind that all sampled fields match. It is text if no other kind matches, or if all fields are empty.
    ///
    /// In samples of 100 fields or more, about 1 % of the fields may have another kind. In a column of numbers or dates, up to a third of
    /// the fields may be placeholders for missing values, such as `n/a`. Codes with leading zeros, such as 00123, are text. A column holds
    /// flags only if its words are `true` and `false`, ignoring case, or both words of one pair (yes/no, y/n, t/f). One word of a pair is
    /// not sufficient, because NO may be the code of a country.
    public var kind: ValueKind
    /// True if the flags are words other than `true` and `false`, such as `yes` and `no`.
    public var hasFlagWords = false
    /// True if the integers look like identifiers, such as phone numbers, numbers with check digits, dates, or long numbers of one length
    /// that rarely repeat.
    public var hasIdentifiers = false
    /// The notation of the numbers. In a text column, it is used for the fields that are numbers.
    public var notation: DecimalStyle
    /// The notation of the dates. In a column of numbers that are all plausible dates in a notation, such as 20260131, this property is
    /// that notation.
    public var dateNotation = DateNotation.iso
    /// True if each date can be read with the day first or with the month first. ``dateNotation`` then follows the other columns.
    public var hasAmbiguousDates = false
    /// True if the column has at least twenty integers, and they all look like dates `yyyymmdd` of more than one month.
    var areProbablyDates = false
    /// The greatest number of digits after the decimal separator; 0 if the column is not numeric.
    public var maximumFractionDigits: Int
    /// The number of sampled fields that are not missing.
    public var sampledCount: Int
    /// The number of empty fields.
    public var emptyCount: Int
    /// The longest distinct strings, longest first: at most ``sampleTextCount``, each cut to 1,024 bytes. For decimal numbers, the number
    /// with the longest integer part is appended if it is not included already. Column widths are fitted to these strings.
    public var sampleTexts: [String]

    /// The maximum number of sample strings of a column.
    public static let sampleTextCount = 8

    /// True if the title of the column or its numbers suggest identifiers rather than amounts. Identifiers are shown as written, without
    /// thousands separators.
    public func isIdentifier(titled title: String) -> Bool {
        let title = ColumnTitle(title)
        return title.isIdentifier || (hasIdentifiers && !title.isAmount)
    }

    /// Returns this profile, refined by the title of the column. Numbers such as `20260131` become dates if the title names dates, such as
    /// `date`. Plausible times since 1970, in seconds or milliseconds, become times if the title is like `time`, `epoch` or `timestamp`. A
    /// column with many plausible dates `yyyymmdd` needs no such title.
    public func titled(_ title: String) -> ColumnProfile {
        guard kind == .integer && dateNotation != .iso || kind == .decimal && dateNotation == .epochSeconds else { return self }
        let words = ColumnTitle(title)
        var profile = self
        if dateNotation == .digits {
            guard words.isDate || (areProbablyDates && !words.isIdentifier && !words.isAmount) else { return self }
            profile.kind = .date
        } else {
            guard words.isTime || words.isDate else { return self }
            profile.kind = .dateTime
        }
        return profile
    }

    /// Creates a profile. With the default values, it describes a column with unknown content.
    public init(
        kind: ValueKind = .text, notation: DecimalStyle = .point, maximumFractionDigits: Int = 0, sampledCount: Int = 0,
        emptyCount: Int = 0,
        sampleTexts: [String] = []
    ) {
        self.kind = kind
        self.notation = notation
        self.maximumFractionDigits = maximumFractionDigits
        self.sampledCount = sampledCount
        self.emptyCount = emptyCount
        self.sampleTexts = sampleTexts
    }
}
