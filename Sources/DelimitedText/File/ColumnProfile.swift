public import FieldValues

/// What a sample of a column's fields says about it.
public struct ColumnProfile: Sendable, Hashable {
    /// The narrowest kind that the sampled fields can be read as; text when nothing else fits, or when all are blank.
    ///
    /// Of 100 fields and more, one in a hundred may be something else ("n/a" among numbers).
    /// Codes with leading zeros, like 00123, are text.
    public var kind: ValueKind
    /// The most digits after the decimal point; 0 unless the column is numeric.
    public var maximumFractionDigits: Int
    /// Fields that were looked at; those that records do not have are not counted.
    public var sampled: Int
    /// How many of them are blank.
    public var empties: Int
    /// The longest different texts, the longest first; at most ``sampleTextCount``, each cut to 1,024 bytes. A width can be fitted to them.
    public var sampleTexts: [String]

    /// The most texts that are kept of a column.
    public static let sampleTextCount = 8

    /// A column of which nothing is known, unless said otherwise.
    public init(
        kind: ValueKind = .text, maximumFractionDigits: Int = 0, sampled: Int = 0, empties: Int = 0, sampleTexts: [String] = []
    ) {
        self.kind = kind
        self.maximumFractionDigits = maximumFractionDigits
        self.sampled = sampled
        self.empties = empties
        self.sampleTexts = sampleTexts
    }
}

/// Collects what a ``ColumnProfile`` tells.
struct ColumnSampler {
    /// From narrow to wide.
    private static let kinds: [ValueKind] = [.integer, .decimal, .flag, .time, .date, .dateTime]

    private var sampled = 0
    private var empties = 0
    private var misfits = [Int](repeating: 0, count: ColumnSampler.kinds.count)
    private var fractionDigits = 0
    private var padded = 0
    private var lengths: (least: Int, most: Int) = (Int.max, 0)
    private var longest: [[UInt8]] = []

    mutating func add(_ field: FieldBytes) {
        if field.isMissing { return }
        sampled += 1
        if field.isBlank {
            empties += 1
            return
        }
        keep(field.bytes)
        lengths = (min(lengths.least, field.count), max(lengths.most, field.count))
        if Self.isPadded(field.bytes) { padded += 1 }
        let allowed = 1 + (sampled - empties) / 50
        for (index, kind) in Self.kinds.enumerated() where misfits[index] <= allowed {
            if !field.reads(as: kind) {
                misfits[index] += 1
            } else if kind == .decimal {
                fractionDigits = max(fractionDigits, Self.fractionDigits(field.bytes))
            }
        }
    }

    var profile: ColumnProfile {
        let full = sampled - empties
        let allowed = full >= 100 ? full / 100 : 0
        var kind = ValueKind.text
        if full > 0, let index = misfits.firstIndex(where: { $0 <= allowed }) { kind = Self.kinds[index] }
        // Codes: all of one length, or all with a zero in front.
        if kind == .integer, padded > 0, padded == full || lengths.least == lengths.most { kind = .text }
        return ColumnProfile(
            kind: kind, maximumFractionDigits: kind == .decimal ? fractionDigits : 0, sampled: sampled, empties: empties,
            sampleTexts: longest.map { String(decoding: $0, as: UTF8.self) })
    }

    private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = min(bytes.count, 1024)
        let isFull = longest.count == ColumnProfile.sampleTextCount
        if isFull, let last = longest.last, count <= last.count { return }
        let text = Array(bytes.prefix(count))
        if longest.contains(text) { return }
        if isFull { longest.removeLast() }
        let place = longest.firstIndex { $0.count < count } ?? longest.count
        longest.insert(text, at: place)
    }

    private static func isPadded(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count > 1 && bytes[0] == 0x30 && bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static func fractionDigits(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let point = bytes.firstIndex(of: 0x2e) else { return 0 }
        return bytes[(point + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }.count
    }
}
