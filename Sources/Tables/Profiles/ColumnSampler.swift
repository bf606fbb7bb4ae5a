package import FieldValues

/// Collects a sample of one column and infers its ``ColumnProfile``.
///
/// A table may have millions of columns, most of them empty. An empty column takes only 24 bytes.
package struct ColumnSampler: Sendable {
    /// The number of sampled fields that are not missing.
    private var sampledCount: Int32 = 0
    /// The number of sampled fields that are blank.
    private var emptyCount: Int32 = 0
    /// True if the sample has a null that is shown as the word `null`.
    private var hasNulls = false
    /// The sample of the nonempty fields: empty until the first such field is added, then a single element. An array keeps empty columns
    /// small.
    private var values: [ValueSample] = []
    private static let noValues = ValueSample()

    package init() {}

    /// Adds a field to the sample.
    /// - Parameter isString: true if the file declares the field as a string. It is then neither a number nor a flag.
    package mutating func add(_ field: FieldBytes, isString: Bool = false) {
        if field.isMissing { return }
        sampledCount += 1
        if field.isBlank {
            emptyCount += 1
            return
        }
        if values.isEmpty { values = [ValueSample()] }
        values[0].add(field, isShort: sampledCount <= Self.shortSampleCount, isString: isString)
    }

    /// Adds a null that is shown as the word `null`. It does not influence the kind, but the column must be wide enough for the word.
    package mutating func addNull() { hasNulls = true }

    /// Adds a field without counting it in the sample. It can still be the longest text, or show that the column has no flags or integers.
    package mutating func addUnsampled(_ field: FieldBytes) {
        // A field of blanks may be the longest string, so it is added, too.
        guard field.count > 0 else { return }
        if values.isEmpty { values = [ValueSample()] }
        values[0].addUnsampled(field)
    }

    /// Adds the least and the greatest number of a part of the column, because one of them may be the longest number.
    package mutating func add(_ bounds: ColumnBounds) {
        guard case .integers(let range, scale: 0) = bounds.values else { return }
        for number in [range.lowerBound, range.upperBound] {
            var text = String(number)
            text.withUTF8 { addUnsampled(FieldBytes(start: $0.baseAddress, count: $0.count)) }
        }
    }

    private var needsTitle: Bool { !values.isEmpty && values[0].needsTitle }

    /// The number of records sampled in very wide tables.
    private static let shortSampleCount = 20
    /// The word that is shown for a null.
    private static let null = "null"

    /// The profiles of all columns. Columns with ambiguous numbers, such as `1,234`, get decimal commas if all unambiguous columns have
    /// decimal commas and the file is not separated by commas. Otherwise, they get decimal points.
    /// - Parameters:
    ///   - requestedNotation: the notation of all numbers; `nil` to detect it for each column.
    ///   - title: the title of the column of a sampler, or an empty string. It helps to recognize sizes.
    package static func profiles(
        _ samplers: [ColumnSampler], delimiter: UInt8 = 0, notation requestedNotation: DecimalStyle? = nil, title: (_ index: Int) -> String
    ) -> [ColumnProfile] {
        var samplers = samplers
        for index in samplers.indices where samplers[index].needsTitle { samplers[index].values[0].setTitle(title(index)) }
        let certainNotations = Set(samplers.lazy.compactMap { $0.values.isEmpty ? nil : $0.values[0].certainNumberNotation })
        let isComma =
            certainNotations.contains(.comma) && !certainNotations.contains(.point) && delimiter != DecimalStyle.comma.decimalSeparator
        let notation = isComma ? DecimalStyle.comma : .point
        let orders = Set(samplers.lazy.compactMap { $0.values.isEmpty ? nil : $0.values[0].certainDateOrder })
        let order = orders == [.monthFirst] ? DateNotation.monthFirst : .dayFirst
        return samplers.map { sampler in
            let values = sampler.values.isEmpty ? noValues : sampler.values[0]
            var profile = values.profile(requestedNotation: requestedNotation, defaultNotation: notation, defaultDateOrder: order)
            (profile.sampledCount, profile.emptyCount) = (Int(sampler.sampledCount), Int(sampler.emptyCount))
            if sampler.hasNulls, (profile.sampleTexts.first?.utf8.count ?? 0) < null.utf8.count {
                profile.sampleTexts = [null] + profile.sampleTexts.prefix(ColumnProfile.sampleTextCount - 1)
            }
            return profile
        }
    }
}

/// The sample of the nonempty fields of a column.
private struct ValueSample: Sendable {
    private var identifiers = IdentifierSample()
    private var dates = DateSample()
    private var flags = FlagSample()
    /// The fields, parsed as numbers with a decimal point.
    private var pointSample = NumberSample(.point)
    /// The fields, parsed as numbers with a decimal comma.
    private var commaSample = NumberSample(.comma)
    private var units = UnitSample()
    /// The fields that can be sizes: empty until the first such field is added, then a single element.
    private var sizes: [SizeSample] = []
    /// The number of whole numbers from 0 to 1023, which can be numbers of bytes in a column of sizes.
    private var smallNumberCount = 0
    /// The number of nonempty fields in the sample.
    private var filledCount = 0
    /// The number of fields that have at least two digits and start with 0.
    private var paddedCount = 0
    /// The number of fields that stand for a missing value, such as `n/a`.
    private var placeholderCount = 0
    /// The number of strings that are not placeholders.
    private var stringCount = 0
    private var lengths: (minimum: Int, maximum: Int) = (Int.max, 0)
    private var longestTexts: [[UInt8]] = []

    /// Adds a field that is not empty.
    /// - Parameter isShort: true if the sample of the column is still small, counting empty fields, too.
    mutating func add(_ field: FieldBytes, isShort: Bool, isString: Bool) {
        filledCount += 1
        updateLongestTexts(field.bytes)
        if Self.isPlaceholder(field) {
            placeholderCount += 1
            flags.add(field)
            return
        }
        if isString { stringCount += 1 }
        lengths = (min(lengths.minimum, field.count), max(lengths.maximum, field.count))
        flags.add(field)
        if Self.isPadded(field.bytes) { paddedCount += 1 }
        let plain = NumberForm(field, .point)
        if plain == .whole, SizeSample.isSmall(field) { smallNumberCount += 1 }
        if plain == .none, let size = WrittenSize(field.trimmed) {
            if sizes.isEmpty { sizes = [SizeSample()] }
            sizes[0].add(field, size)
        }
        // A plain number has no unit.
        let unit = plain == .whole ? .none : units.add(field)
        let number = unit.acceptsAmounts ? NumberForm(field, .point.with(unit)) : plain
        pointSample.add(field, number)
        if number == .whole { identifiers.add(field) } else if plain == .decimal { identifiers.add(decimal: field) }
        // Both notations give the same result for a number without a point and a comma.
        let isNeutral = !field.bytes.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        commaSample.add(field, isNeutral ? number : NumberForm(field, .comma.with(unit)))
        // Most columns have no dates. In the small samples of very wide tables, the second misfit rules out dates.
        dates.add(field, allowed: isShort ? 1 : Self.maximumMisfits)
    }

    /// Adds a field without counting it in the sample. The field may consist of blanks.
    mutating func addUnsampled(_ field: FieldBytes) {
        if !field.isBlank {
            flags.add(field)
            dates.addOrder(of: field, allowed: allowedMisfits)
            pointSample.addFraction(of: field, units.amounts)
            commaSample.addFraction(of: field, units.amounts)
        }
        if field.count > longestTexts.first?.count ?? 0 { updateLongestTexts(field.bytes) }
    }

    /// The number of nonempty fields that decide about numbers and dates. Placeholders are not counted, unless there are too many.
    private var valueCount: Int { hasFewPlaceholders ? filledCount - placeholderCount : filledCount }

    /// True if at most a third of the nonempty fields are placeholders.
    private var hasFewPlaceholders: Bool { placeholderCount * 3 <= filledCount }

    /// The number of fields that may be something other than dates. If there are many placeholders, each of them counts as such a field.
    private var allowedDateMisfits: Int { hasFewPlaceholders ? allowedMisfits : allowedMisfits - placeholderCount }

    /// The number of fields that may have another kind: 1.5 %. This accepts a column in which 1 % have another kind, even if the sample has
    /// slightly more.
    private var allowedMisfits: Int { filledCount >= 100 ? filledCount * 3 / 200 : 0 }
    /// The maximum number of fields that are not dates. After more such fields, dates are no longer counted. ``allowedMisfits`` is lower in
    /// every sample.
    private static let maximumMisfits = 32

    /// The notation that is certain, because it reads more of the fields as numbers than the other notation. `nil` if both notations read
    /// equally many fields, or if no field has a decimal separator. Grouped digits alone prove nothing: 192.168.178.101 would be a valid
    /// number.
    private var certainNotation: DecimalStyle? {
        let (pointCount, commaCount) = (numberCount(.point), numberCount(.comma))
        if pointCount > commaCount { return .point }
        let hasFraction = commaSample.fractionDigits > 0 || sizeForm != nil && sizes[0].hasCommaFraction
        return commaCount > pointCount && hasFraction ? .comma : nil
    }

    /// True if the title of the column can decide if the fields are sizes.
    var needsTitle: Bool { !sizes.isEmpty }

    /// Sets the title of a column that ``needsTitle``.
    mutating func setTitle(_ title: String) { sizes[0].title = SizeTitle(title) }

    /// The notation of the sizes if the column is a column of sizes; otherwise `nil`.
    private var sizeForm: SizeForm? {
        guard let sample = sizes.first, !units.hasUnits else { return nil }
        let plainCount = max(pointSample.numberCount, commaSample.numberCount)
        return sample.form(smallNumberCount: smallNumberCount, otherCount: plainCount - smallNumberCount, allowedMisfits: allowedMisfits)
    }

    /// The number of fields that are numbers in a notation, including the sizes of a column of sizes.
    private func numberCount(_ notation: DecimalStyle) -> Int {
        let isPoint = notation == .point
        let sizeCount = sizeForm == nil ? 0 : (isPoint ? sizes[0].pointCount : sizes[0].commaCount) - sizes[0].misfitCount
        return (isPoint ? pointSample : commaSample).numberCount + sizeCount
    }

    /// The ``certainNotation`` if the column is a column of numbers; otherwise `nil`.
    var certainNumberNotation: DecimalStyle? { numberKind(nil) == nil ? nil : certainNotation }

    /// The order of day and month that some dates prove; otherwise `nil`.
    var certainDateOrder: DateNotation? {
        guard filledCount > 0, let kind = dates.kind(allowing: allowedDateMisfits),
            let notation = dates.notation(kind, allowing: allowedDateMisfits)
        else { return nil }
        return notation == .iso ? nil : notation
    }

    /// The kind of number that the fields are in `notation`, or in ``certainNotation`` if `notation` is `nil`. The result is `nil` if the
    /// fields are not numbers.
    private func numberKind(_ notation: DecimalStyle?) -> ValueKind? {
        guard filledCount > 0, let notation = notation ?? certainNotation else { return nil }
        let sample = notation == .point ? pointSample : commaSample
        guard valueCount > 0, valueCount - numberCount(notation) <= allowedMisfits else { return nil }
        // The values of sizes such as `1.1K` have fractions.
        if sizeForm != nil { return .decimal }
        // A single number with a fraction makes the column decimal.
        return sample.fractionDigits == 0 && valueCount - sample.wholeNumberCount <= allowedMisfits ? .integer : .decimal
    }

    /// The profile of the column. The caller sets the counts of its fields.
    /// - Parameters:
    ///   - requestedNotation: the notation of all columns; `nil` to detect it.
    ///   - defaultNotation: the notation of numbers to use if the fields are valid in both notations.
    ///   - defaultDateOrder: the order of day and month to use if the dates are valid in both orders.
    func profile(requestedNotation: DecimalStyle?, defaultNotation: DecimalStyle, defaultDateOrder: DateNotation) -> ColumnProfile {
        let notation = (requestedNotation ?? certainNotation ?? defaultNotation).withoutUnit
        let hasStrings = stringCount > allowedMisfits
        var kind = hasStrings ? .text : numberKind(notation) ?? .text
        if kind == .text, filledCount > 0, !hasStrings, flags.areFlags(allowing: allowedMisfits) { kind = .flag }
        if kind == .text, filledCount > 0, let found = dates.kind(allowing: allowedDateMisfits) { kind = found }
        // A column with both amounts of money and several percentages is text. A column is also text if all values are in parentheses,
        // because they may be labels.
        let numberCount = (notation == .point ? pointSample : commaSample).numberCount
        if kind.isNumber, units.percentagesBesideCurrency > allowedMisfits || units.hasOnlyAccountingNumbers(numberCount: numberCount) {
            kind = .text
        }
        let isPlainInteger = kind == .integer
        // Codes: all fields have the same length, or all have a leading zero.
        if kind == .integer, paddedCount > 0, paddedCount == valueCount || lengths.minimum == lengths.maximum { kind = .text }
        var texts = longestTexts
        let widestNumber = (notation == .point ? pointSample : commaSample).widestNumber
        if kind == .decimal, !widestNumber.isEmpty, !texts.contains(widestNumber) { texts.append(widestNumber) }
        let sizeForm = kind.isNumber ? self.sizeForm : nil
        let unit = sizeForm.map { .size($0, isSpaced: sizes[0].isSpaced) } ?? units.unit(numberCount: numberCount)
        var profile = ColumnProfile(
            kind: kind, notation: notation.with(kind == .text && unit == .accounting ? .none : unit),
            maximumFractionDigits: kind == .decimal && sizeForm == nil
                ? (notation == .point ? pointSample : commaSample).fractionDigits : 0,
            sampleTexts: texts.map { String(decoding: $0, as: UTF8.self) })
        if isPlainInteger, let notation = identifiers.dateNotation(of: valueCount) {
            (profile.dateNotation, profile.areProbablyDates) = (notation, identifiers.areProbablyDates)
        } else if kind == .decimal, identifiers.areEpochs(of: valueCount) {
            profile.dateNotation = .epochSeconds
        } else {
            let found = kind == .text ? Self.dateNotation(of: longestTexts) : dates.notation(kind, allowing: allowedDateMisfits)
            (profile.dateNotation, profile.hasAmbiguousDates) = (found ?? defaultDateOrder, found == nil)
        }
        profile.hasIdentifiers = kind == .integer && identifiers.areIdentifiers
        profile.hasFlagWords = kind == .flag && !flags.areTrueOrFalse(allowing: allowedMisfits)
        return profile
    }

    /// The notation in which most of the strings of a text column can be read as dates.
    private static func dateNotation(of texts: [[UInt8]]) -> DateNotation {
        guard texts.contains(where: { ($0.first ?? 0) &- 0x30 < 10 }) else { return .iso }
        func count(_ notation: DateNotation) -> Int {
            texts.count { text in
                text.withUnsafeBufferPointer {
                    FieldBytes(start: $0.baseAddress, count: $0.count).temporal(.dateTime, notation) != nil
                }
            }
        }
        let counts = [DateNotation.iso, .dayFirst, .monthFirst].map { (notation: $0, count: count($0)) }
        return counts.reduce(counts[0]) { $1.count > $0.count ? $1 : $0 }.notation
    }

    private mutating func updateLongestTexts(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = min(bytes.count, 1024)
        let isFull = longestTexts.count == ColumnProfile.sampleTextCount
        if isFull, let last = longestTexts.last, count <= last.count { return }
        let text = UnsafeBufferPointer(rebasing: bytes.prefix(count))
        if longestTexts.contains(where: { $0.count == count && $0.elementsEqual(text) }) { return }
        if isFull { longestTexts.removeLast() }
        let index = longestTexts.firstIndex { $0.count < count } ?? longestTexts.count
        longestTexts.insert(Array(text), at: index)
    }

    /// True for a common sign for a missing value, such as `n/a`, for an error of a spreadsheet, such as `#DIV/0!`, and for a title of a
    /// row of totals, such as `Total`. All of them occur in columns of numbers or dates.
    private static func isPlaceholder(_ field: FieldBytes) -> Bool {
        guard field.count <= 8 else { return false }
        return placeholderSigns.contains(field.trimmed.reduce(0) { $0 << 8 | UInt64($1 &- 0x41 < 26 ? $1 | 0x20 : $1) })
    }

    /// All placeholders in lower case, packed into integers. The lowest bits contain the last byte.
    private static let placeholderSigns = Set(
        [
            "n/a", "na", "#n/a", "n.a.", "<na>", "null", "nil", "none", "nan", "nat", "\\n", "tbd", "-", "--", "–", "—", ".", "?",
            "#div/0!", "#value!", "#num!", "#ref!", "#name?", "#null!", "total", "totals", "sum", "summe", "gesamt", "subtotal", "somme",
            "suma", "totale", "summa",
        ].map { sign in sign.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })

    private static func isPadded(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count > 1 && bytes[0] == 0x30 && bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}

/// Counts the fields of a sample whose words can be flags.
private struct FlagSample {
    private var fieldCount = 0
    /// The number of fields that are `true` or `false`, ignoring case.
    private var trueOrFalseCount = 0
    /// For each of the ``pairs``, the number of fields equal to its first word.
    private var yesCounts = SIMD4<Int32>()
    /// For each of the ``pairs``, the number of fields equal to its second word.
    private var noCounts = SIMD4<Int32>()

    /// The first letters and the lengths of the words yes/no, y/n and t/f.
    private static let pairs: [(yes: UInt8, no: UInt8, yesLength: Int, noLength: Int)] = [
        (UInt8(ascii: "y"), UInt8(ascii: "n"), 3, 2), (UInt8(ascii: "y"), UInt8(ascii: "n"), 1, 1),
        (UInt8(ascii: "t"), UInt8(ascii: "f"), 1, 1),
    ]

    mutating func add(_ field: FieldBytes) {
        fieldCount += 1
        guard let value = field.flag() else { return }
        let word = field.trimmed
        if word.count == (value ? 4 : 5) {
            trueOrFalseCount += 1
            return
        }
        let letter = word[0] | 0x20
        for (index, pair) in Self.pairs.enumerated() {
            if value, letter == pair.yes, word.count == pair.yesLength { yesCounts[index] += 1 }
            if !value, letter == pair.no, word.count == pair.noLength { noCounts[index] += 1 }
        }
    }

    func areTrueOrFalse(allowing misfits: Int) -> Bool { fieldCount > 0 && fieldCount - trueOrFalseCount <= misfits }

    func areFlags(allowing misfits: Int) -> Bool {
        areTrueOrFalse(allowing: misfits)
            || Self.pairs.indices.contains { yesCounts[$0] > 0 && noCounts[$0] > 0 && Int(yesCounts[$0] + noCounts[$0]) == fieldCount }
    }
}

/// Determines the common unit of a sample of fields.
private struct UnitSample {
    /// The currency of the first amount of money, or `none`. An amount in another currency does not count as a number.
    private(set) var currency = NumberUnit.none
    /// The number of negative numbers in parentheses or with a minus sign at the end, without a currency.
    private var accountingCount = 0
    /// The unit of the first percentage: `%` with or without a space, or `none`.
    private var percent = NumberUnit.none
    /// The number of fields that are percentages.
    private var percentCount = 0

    /// Adds a field that is not a whole number.
    /// - Returns: the unit of the field; `none` if it is a plain number, has another currency, or is not a number.
    mutating func add(_ field: FieldBytes) -> NumberUnit {
        guard let unit = NumberUnit(of: field) else {
            // A negative amount such as `(5.00)`, without a symbol, gets the currency of the other amounts.
            guard NumberUnit.isAccounting(field) else { return .none }
            accountingCount += 1
            return amounts
        }
        if unit.isPercent {
            if percent == .none { percent = unit }
            percentCount += 1
            return unit
        }
        if currency == .none { currency = unit }
        return unit.hasSameSymbol(as: currency) ? currency : .none
    }

    /// The unit with which amounts of the column can be read; `none` if no field is an amount.
    var amounts: NumberUnit { currency != .none ? currency : accountingCount > 0 ? .accounting : .none }

    /// True if some fields have a currency, a percent sign or the signs of accounting.
    var hasUnits: Bool { amounts != .none || percentCount > 0 }

    /// True if all numbers are negative and have the signs of accounting.
    func hasOnlyAccountingNumbers(numberCount: Int) -> Bool { amounts == .accounting && accountingCount >= numberCount }

    /// The number of percentages if the column also has amounts of money, otherwise 0.
    var percentagesBesideCurrency: Int { currency == .none ? 0 : percentCount }

    /// The unit of the whole column: a currency, the signs of accounting, a percent sign if all numbers are percentages, or `none`.
    func unit(numberCount: Int) -> NumberUnit {
        if hasPercentagesWithNoteMarks(numberCount: numberCount) { return percent }
        return amounts != .none ? amounts : percentCount > 0 && percentCount == numberCount ? percent : .none
    }

    /// True for percentages with a few marks that refer to notes, such as `(2)`. A mark has no percent sign, unlike a negative percentage.
    private func hasPercentagesWithNoteMarks(numberCount: Int) -> Bool {
        amounts == .accounting && percentCount >= 2 * accountingCount && percentCount + accountingCount == numberCount
    }
}

/// How a field can be read in one notation of numbers.
enum NumberForm {
    case none, whole, decimal

    init(_ field: FieldBytes, _ notation: DecimalStyle) {
        self = field.integer(notation) != nil ? .whole : field.decimal(notation) != nil ? .decimal : .none
    }
}

/// Counts the numbers in a sample of fields, read in one notation.
private struct NumberSample {
    /// The number of fields that are whole numbers.
    var wholeNumberCount = 0
    /// The number of fields that are numbers.
    var numberCount = 0
    /// The maximum number of fraction digits.
    var fractionDigits = 0
    /// The number with the longest integer part. If digits are grouped and decimal separators aligned, it can be wider than a number with
    /// more digits.
    private(set) var widestNumber: [UInt8] = []
    /// The length of the integer part of ``widestNumber``.
    private var widestIntegerPart = 0
    let notation: DecimalStyle

    init(_ notation: DecimalStyle) { self.notation = notation }

    mutating func add(_ field: FieldBytes, _ form: NumberForm) {
        guard form != .none else { return }
        var whole = field.count
        if form == .whole {
            wholeNumberCount += 1
        } else if let sign = field.bytes.firstIndex(of: notation.decimalSeparator) {
            addFraction(after: sign, of: field)
            whole = sign
        }
        numberCount += 1
        if whole > widestIntegerPart, field.count <= 1024 { (widestIntegerPart, widestNumber) = (whole, Array(field.bytes)) }
    }

    /// Increases the number of fraction digits if this field has more, without counting the field.
    /// - Parameter unit: the currency of the fields.
    mutating func addFraction(of field: FieldBytes, _ unit: NumberUnit) {
        guard let sign = field.bytes.firstIndex(of: notation.decimalSeparator), NumberForm(field, notation.with(unit)) == .decimal else {
            return
        }
        addFraction(after: sign, of: field)
    }

    private mutating func addFraction(after sign: Int, of field: FieldBytes) {
        fractionDigits = max(fractionDigits, field.bytes[(sign + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }.count)
    }
}
