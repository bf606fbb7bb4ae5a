import FieldValues

/// Counts the fields of a sample that can be sizes, such as `1.5G`, and determines if they are.
struct SizeSample: Sendable {
    /// The title of the column as evidence for or against sizes.
    var title = SizeTitle.none
    /// The numbers of fields that are sizes with a decimal point, and with a decimal comma.
    private(set) var (pointCount, commaCount) = (0, 0)
    /// True if a size with a decimal comma has fraction digits.
    private(set) var hasCommaFraction = false
    /// True if a space separates the unit from the number in the first field.
    private(set) var isSpaced = false
    private var count = 0
    /// The number of fields for each form of unit: binary, such as `Ki` or `KiB`; with a `B`, such as `KB`; or a single letter, such as
    /// `K`.
    private var (binaryCount, byteCount, letterCount) = (0, 0, 0)
    /// True if a field has a letter, an `i` and a `B`.
    private var hasBinaryBytes = false
    /// The number of fields with the unit `B`, except `0B`, and the number of these fields that have a point or a comma.
    private var (plainCount, separatorCount) = (0, 0)
    /// True if a field is `0B`.
    private var hasZeroBytes = false
    /// For each power of 1024 in the fields, the bit with its number.
    private var powerBits = 0
    private var numbers = LetterNumbers()

    /// Properties of the numbers before letters.
    private struct LetterNumbers {
        var count = 0
        /// The number of numbers with a fraction.
        var fractionCount = 0
        /// The number of numbers below 10 with the fraction `.0`, such as `4.0K`. Counts in thousands are usually written without it.
        var zeroFractionCount = 0
        /// The number of numbers with leading zeros, such as `01M`.
        var paddedCount = 0
        /// The number of numbers that `du -h` never writes: it writes one fraction digit below 10, and none from 10 to 1023.
        var otherFormCount = 0
        /// True if a number is between 1001 and 1023. With a factor of 1000, it would have the next letter.
        var hasBinaryNumber = false

        mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
            let digits = text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
            let whole = digits.prefix { $0 &- 0x30 < 10 }
            let fractionDigits = digits.count == whole.count ? 0 : digits.count - whole.count - 1
            let value = whole.reduce(0) { min(10_000, $0 * 10 + Int($1 &- 0x30)) }
            count += 1
            if fractionDigits > 0 { fractionCount += 1 }
            if whole.count > 1, whole.first == 0x30 { paddedCount += 1 }
            if 1..<10 ~= value ? fractionDigits != 1 : fractionDigits > 0 || value > 1023 { otherFormCount += 1 }
            if value < 10, fractionDigits == 1, digits.last == 0x30 { zeroFractionCount += 1 }
            if 1001...1023 ~= value { hasBinaryNumber = true }
        }
    }

    /// True for a whole number from 0 to 1023 in plain digits.
    static func isSmall(_ field: FieldBytes) -> Bool { field.count <= 4 && field.integer().map { 0..<1024 ~= $0 } == true }

    mutating func add(_ field: FieldBytes, _ size: WrittenSize) {
        let unit = NumberUnit.size(size.isBinary ? .binaryBytes : .bytes)
        let forms = [DecimalStyle.point, .comma].map { NumberForm(field, $0.with(unit)) }
        guard forms.contains(where: { $0 != .none }) else { return }
        if count == 0 { isSpaced = size.isSpaced }
        count += 1
        if forms[0] != .none { pointCount += 1 }
        if forms[1] != .none {
            commaCount += 1
            if size.number.contains(DecimalStyle.comma.decimalSeparator) { hasCommaFraction = true }
        }
        if size.power > 0 {
            powerBits |= 1 << size.power
            numbers.add(size.number)
            if size.isBinary, size.hasByteSign { hasBinaryBytes = true }
            if size.isBinary { binaryCount += 1 } else if size.hasByteSign { byteCount += 1 } else { letterCount += 1 }
        } else if size.isZero {
            hasZeroBytes = true
        } else {
            plainCount += 1
            if size.hasSeparator { separatorCount += 1 }
        }
    }

    private var isBinary: Bool { binaryCount > byteCount + letterCount }

    /// The number of sizes whose notation differs from that of most sizes. They do not count as numbers.
    var misfitCount: Int { min(binaryCount, byteCount + letterCount) }

    private func hasPower(_ power: Int) -> Bool { powerBits & 1 << power != 0 }

    /// The notation of the sizes; `nil` if the fields are probably something else, such as the names of classes.
    /// - Parameters:
    ///   - smallNumberCount: the number of plain numbers that can be numbers of bytes.
    ///   - otherCount: the number of all other plain numbers.
    func form(smallNumberCount: Int, otherCount: Int, allowedMisfits: Int) -> SizeForm? {
        guard misfitCount <= allowedMisfits, count >= otherCount, count * 4 >= count + smallNumberCount + otherCount,
            numbers.paddedCount <= allowedMisfits, !hasPower(6) || hasPower(5)
        else { return nil }
        // The units `KB` and `KiB` are rarely used for anything but sizes.
        if max(binaryCount, byteCount) * 2 > binaryCount + byteCount + letterCount {
            guard count + smallNumberCount + otherCount > 1 else { return nil }
            return !isBinary ? .bytes : hasBinaryBytes ? .binaryBytes : .binaryLetters
        }
        // Single letters have other meanings, too. Sizes with T usually occur next to sizes with G.
        let hasSizeTitle = title == .size
        guard hasPower(1) || hasPower(2) || hasPower(3) || hasPower(4), !hasPower(5) || hasPower(4),
            !hasPower(4) || hasPower(3) || hasSizeTitle && numbers.fractionCount > 0
        else { return nil }
        // In columns with M for millions and T for trillions, `B` means billions. Columns of sizes have G instead.
        guard separatorCount == 0, plainCount == 0 || hasPower(3) || hasSizeTitle && hasPower(1) else { return nil }
        guard areSizes(hasSmall: smallNumberCount > 0 || hasZeroBytes, allowedMisfits: allowedMisfits) else { return nil }
        return plainCount > 0 || hasPower(3) ? .lettersOrBytes : .letters
    }

    /// True if there is sufficient evidence that numbers with single letters are sizes. Lengths of races in K, amounts in millions, and the
    /// sizes of clothes have the same letters.
    /// - Parameter hasSmall: true if the column has numbers of bytes below 1024.
    private func areSizes(hasSmall: Bool, allowedMisfits: Int) -> Bool {
        let hasManyLetters = powerBits.nonzeroBitCount > 1
        // The form in which `du`, `df`, `ls`, `sort` and `numfmt` write sizes: `4.0K`, `12K`, `1.5G`.
        let isProgramForm = numbers.otherFormCount <= allowedMisfits
        let hasFraction = numbers.fractionCount > 0
        switch title {
        case .count: return false
        case .size:
            // Single letters count as units of sizes only with small numbers or fractions, because sizes of shoes and clothes have letters,
            // too: `7M`, `7.5M`.
            return hasManyLetters || isProgramForm && (hasSmall || hasFraction || numbers.hasBinaryNumber)
                || hasFraction && (numbers.fractionCount == numbers.count || hasPower(3) || hasPower(4))
        case .none, .other:
            guard isProgramForm, hasFraction else { return false }
            let hasBinaryForm = numbers.zeroFractionCount > 0 || numbers.hasBinaryNumber
            // Grams and kilograms have G and K, but not M.
            let isSequence = hasManyLetters && (!hasPower(1) || hasPower(2) || !hasPower(3))
            if title == .other {
                return (isSequence || hasSmall || hasBinaryForm && hasManyLetters) && (hasBinaryForm || isSequence && hasPower(3))
            }
            return isSequence || hasSmall || hasManyLetters && hasBinaryForm || numbers.zeroFractionCount > 1
        }
    }
}

/// The title of a column as evidence for or against sizes.
enum SizeTitle: Sendable {
    /// No title.
    case none
    /// A title such as `Size`, `Used` and `Mem`.
    case size
    /// A title of numbers that are often shortened with letters but are not sizes, such as `population` and `price`.
    case count
    /// A title that is not about sizes.
    case other

    init(_ title: String) {
        let words = ColumnTitle(title).words
        func contains(_ list: Set<String>) -> Bool {
            words.contains { word in list.contains(word) || word.hasSuffix("s") && list.contains(String(word.dropLast())) }
        }
        if title.allSatisfy(\.isWhitespace) {
            self = .none
        } else if contains(Self.countWords) {
            self = .count
        } else {
            self = contains(Self.sizeWords) || words.contains { $0.count > 4 && $0.hasSuffix("size") } ? .size : .other
        }
    }

    /// Titles of sizes in the output of programs, including those of `df` in other languages, without accents.
    private static let sizeWords: Set = [
        "size", "byte", "use", "used", "usage", "avail", "available", "free", "mem", "memory", "ram", "rss", "vsz", "vsize", "virt", "res",
        "shr", "disk", "storage", "space", "swap", "buff", "buffer", "cache", "cached", "alloc", "refer", "capacity", "fsused", "fsavail",
        "grosse", "benutzt", "verf", "verfugbar", "speicher", "taille", "utilise", "dispo", "tamano", "usado", "disp", "dimensione",
    ]

    /// Words in titles of numbers that are not sizes. Words such as `download` are not in the list, because they occur in `download size`.
    private static let countWords: Set = [
        "population", "people", "inhabitant", "salary", "salaries", "wage", "income", "earning", "revenue", "turnover", "sale", "profit",
        "price", "cost", "fee", "budget", "amount", "funding", "valuation", "cap", "wealth", "debt", "view", "viewer", "follower",
        "subscriber", "like", "star", "vote", "visitor", "visit", "distance", "race", "weight", "mass", "dose", "temperature", "temp",
        "concentration", "molarity", "width", "age", "shoe", "cloth", "clothing",
        "postcode", "zip", "parameter", "param",
    ]
}
