public import FieldValues

/// What a sample of a column's fields says about it.
public struct ColumnProfile: Sendable, Hashable {
    /// The narrowest kind that the sampled fields can be read as; text when nothing else fits, or when all are blank.
    ///
    /// Of 100 fields and more, one in a hundred may be something else ("n/a" among numbers).
    /// Codes with leading zeros, like 00123, are text. A column holds flags only when its words are `true` and `false` in any case, or
    /// when it has both words of one pair (yes/no, y/n, t/f) and nothing else: a country may be called NO.
    public var kind: ValueKind
    /// Whether it holds flags in other words than `true` and `false`.
    public var hasFlagWords = false
    /// How its numbers are written; of a column of texts, those that are numbers.
    public var notation: NumberNotation
    /// The most digits after the decimal sign; 0 unless the column is numeric.
    public var maximumFractionDigits: Int
    /// Fields that were looked at; those that records do not have are not counted.
    public var sampled: Int
    /// How many of them are blank.
    public var empties: Int
    /// The longest different texts, the longest first; at most ``sampleTextCount``, each cut to 1,024 bytes. Then, of decimal numbers, the
    /// one with the most before its decimal sign, unless it is among those. A width can be fitted to them.
    public var sampleTexts: [String]

    /// The most texts that are kept of a column.
    public static let sampleTextCount = 8

    /// A column of which nothing is known, unless said otherwise.
    public init(
        kind: ValueKind = .text, notation: NumberNotation = .point, maximumFractionDigits: Int = 0, sampled: Int = 0, empties: Int = 0,
        sampleTexts: [String] = []
    ) {
        self.kind = kind
        self.notation = notation
        self.maximumFractionDigits = maximumFractionDigits
        self.sampled = sampled
        self.empties = empties
        self.sampleTexts = sampleTexts
    }
}
