package import FieldValues

/// A type that the input or the user declares for a field. The text of the field alone does not show this type.
package enum DeclaredType: Sendable {
    /// Floating-point numbers. The column keeps this type, even if a decimal type could represent all of its numbers. Any other value makes
    /// the column text, even if the value could be read as a number.
    case double, float
    /// Numbers that each have their own type, see `NumberStorage.eachValue`.
    case mixedNumbers
    /// Results of computations, see `NumberStorage.computed`. They are doubles, unless digits would be lost.
    case computed
    /// Results of arithmetic with doubles, see `NumberStorage.computedDouble`. They are written as doubles, even if their text has more
    /// digits than a double.
    case computedDouble
    /// Results of computations with integers, see `NumberStorage.computedInteger`. They are integers if all of them are whole and fit in 64
    /// bits.
    case computedInteger
    /// Bytes. Tables print them as text or as hexadecimal digits.
    case binary
    /// Text that is declared as JSON.
    case json
    /// Numbers, because the user has chosen this kind. They are written as numbers even if leading zeros or plus signs are lost.
    case number
}

/// The reason why the numbers of a column are text in a typed file.
package enum TextReason: CaseIterable, Sendable {
    /// Some values of the column are not numbers of its kind.
    case otherValues
    /// Leading zeros would be lost.
    case leadingZeros
    /// Plus signs would be lost, such as those of telephone numbers.
    case plusSigns
    /// Digits would be lost.
    case lostDigits
    /// The format has no exact type for all of the numbers.
    case inexactFormat
    /// The format is text without NaN and infinity, such as JSON.
    case nonFinite
}

/// Determines the column types of a written file from the kinds of the fields and all of their values.
///
/// | kind | type |
/// | --- | --- |
/// | integer | `integer`, or `wideDecimal` if a value needs more than 64 bits; as for decimals if a value has a fraction |
/// | decimal | the narrowest of `decimal`, `wideDecimal` and `double` that represents all values exactly; `double` or `float` if declared |
/// | decimal, computed from integers | `integer` if all values are integers of 64 bits, otherwise as for other decimals |
/// | date | `date`; as for times if a value has a time of day |
/// | dateTime, time | the type of the same name, with nine digits if six are not sufficient; times with a zone are in UTC |
/// | flag | `flag` |
/// | text | `text`, or `binary` if a value is not UTF-8 |
///
/// For a format without an exact type for decimal numbers, `decimal` has at most 15 digits, or 18 digits without a fraction. `double`
/// replaces `wideDecimal` if each number is the same after it is converted to a `Double` and printed again, and `text` if not.
///
/// A nested column is written with its nested type if all values fit the type. Otherwise, the columns in which the table shows the parts of
/// its values are written.
///
/// Dates and times can be integers in the input, such as seconds since 1970. They stay integers if one of them is not a date or time, and
/// in formats that store times as text.
///
/// A text column is JSON if it is declared as JSON, or if all of its values are arrays and objects, without tokens such as `NaN`, which
/// only some programs accept. A column is text if its kind cannot represent one of its values, such as a number with leading zeros or a
/// plus sign. A column of numbers or flags is also text if it contains a JSON string that counts as text. The result does not depend on the
/// order of the rows.
package struct WrittenTypes: Sendable {
    /// Properties of the values seen in a column. They decide the type of the column.
    private struct Findings {
        /// The first value that cannot be written as the kind of the column, because it does not parse or because its leading zeros or its
        /// plus sign would be lost.
        var misfit: Misfit?
        var hasMisfit: Bool { misfit != nil }
        var hasInvalidText = false
        var hasMissing = false
        /// True if a field is empty or blank.
        var hasBlank = false
        /// True if an integer does not fit in 64 bits.
        var isWide = false
        /// The largest magnitude of the integers of 64 bits in a column of integers.
        var largestInteger: UInt64 = 0
        /// True if a column of integers has a number that is not an integer.
        var hasOtherNumber = false
        /// The largest number of digits after the decimal point.
        var scale = 0
        /// The largest magnitude of the numbers, multiplied by 10^scale; at most 10^38.
        var largestMagnitude: Int128 = 0
        /// True if a number cannot be represented exactly by a 128-bit integer and a scale.
        var hasInexactNumber = false
        /// True if some number is not the same after it is converted to `Double` and printed again.
        var hasLongNumber = false
        /// True if a number has neither a point nor an exponent. Found only for ``DeclaredType/mixedNumbers``.
        var hasWholeNumber = false
        /// True if a number has a point or an exponent. Found only for ``DeclaredType/mixedNumbers``.
        var hasFloatingNumber = false
        /// True if a column whose kind is not a number has a value that the input stores as a number.
        var hasStoredNumber = false
        /// True if 15 decimal digits are sufficient for all values. A `Double` then keeps them, too.
        var isShort: Bool { !hasInexactNumber && largestMagnitude < 1_000_000_000_000_000 && scale <= 15 }
        /// True if a format without exact decimal numbers cannot store the numbers as `decimal`.
        var isLong: Bool { scale > 18 || largestMagnitude >= ExactDecimal.power(scale == 0 ? 18 : 15) }
        var hasZone = false
        var hasNoZone = false
        var hasNanoseconds = false
        /// True if a column of dates has a date with a time of day.
        var hasTimeOfDay = false
        /// True if a time is too far from 1970 to be stored as nanoseconds in 64 bits.
        var isFarTime = false
        /// True if a date or time that is written as a number is not a whole number of 64 bits.
        var hasNonIntegerTime = false
        /// True if a value is an array or an object in strict JSON.
        var hasJSON = false
        /// True if a value is neither an array nor an object in strict JSON.
        var hasPlainText = false
    }

    /// A value that makes a column text.
    private struct Misfit {
        var reason: TextReason
        /// The position of the row in the output.
        var position: Int
    }

    private let fields: [Field]
    private let declared: [DeclaredType?]
    /// The columns that are not declared as JSON. They are written as JSON if all of their values are arrays and objects.
    private let undeclaredColumns: [Int]
    private let hasExactDecimals: Bool
    /// For each column, true if a single JSON string that counts as text makes the whole column text.
    private let stringsAreMisfits: [Bool]
    /// True to write dates and times that are integers in the input as integers.
    private let keepsNumericTimes: Bool
    /// For each column of JSON, true if the kind of the column is not a number. Such a column can still have values that JSON stores as
    /// numbers.
    private let mayHaveStoredNumbers: [Bool]
    private var findings: [Findings]
    private let nested: [NestedField]
    private var nestedFindings: [NestedFindings]

    /// Properties of the values seen in a nested column.
    private struct NestedFindings {
        /// True if a value does not fit the declared type.
        var hasMisfit = false
        var hasMissing = false
    }

    /// The least magnitude that a decimal of 38 digits cannot represent.
    private static let limit = ExactDecimal.power(38)

    /// Creates types before any values are added.
    ///
    /// Sizes such as `900K` are written as text, because the letters stand for powers of 1024 in some columns and of 1000 in others.
    /// - Parameters:
    ///   - declared: the types that the input or the user declares, one for each field; empty for none.
    ///   - nested: the nested columns that some of the fields show.
    ///   - typedStrings: the fields of JSON whose strings always count as text, even if they look like numbers.
    ///   - hasExactDecimals: as in the format, see ``WritableFormat/hasExactDecimals``.
    ///   - keepsNumericTimes: true to write dates and times that are integers in the input as integers, for formats that store times as
    ///     text.
    package init(
        _ fields: [Field], declared: [DeclaredType?] = [], nested: [NestedField] = [], typedStrings: Set<FieldID> = [],
        hasExactDecimals: Bool = true, keepsNumericTimes: Bool = false
    ) {
        self.fields = fields.map { field in
            guard field.kind.isNumber, field.notation.unit.isSize else { return field }
            var text = field
            text.kind = .text
            return text
        }
        self.nested = nested
        (self.hasExactDecimals, self.keepsNumericTimes) = (hasExactDecimals, keepsNumericTimes)
        nestedFindings = Array(repeating: NestedFindings(), count: nested.count)
        let declared = declared.isEmpty ? Array(repeating: nil, count: fields.count) : declared
        self.declared = declared
        undeclaredColumns = fields.indices.filter { declared[$0] != .json }
        stringsAreMisfits = fields.map { ($0.kind.isNumber || $0.kind == .flag) && typedStrings.contains($0.id) }
        mayHaveStoredNumbers = fields.map { !$0.kind.isNumber && typedStrings.contains($0.id) }
        findings = Array(repeating: Findings(), count: fields.count)
    }

    /// A copy without values, for other rows of the same columns.
    package var withoutValues: WrittenTypes {
        var types = self
        for index in findings.indices { types.findings[index] = Findings() }
        for index in nestedFindings.indices { types.nestedFindings[index] = NestedFindings() }
        return types
    }

    /// Adds the values of a row.
    ///
    /// The row has the fields of the columns, then the values of the nested columns in binary form. A longer row also has one more field
    /// for each column that is not declared as JSON: its value as JSON text. This additional field is missing for strings, and in tables
    /// other than JSON also for all plain values.
    /// - Parameter position: the position of the row in the output. The misfit with the lowest position is the reason why a column is text.
    package mutating func add(_ row: UnsafeBufferPointer<FieldBytes>, position: Int = 0) {
        for index in findings.indices { Self.add(row[index], fields[index], declared[index], position, &findings[index]) }
        let width = findings.count + nested.count
        guard row.count >= width else { return }
        for (index, value) in row[findings.count..<width].enumerated() {
            if value.isMissing { nestedFindings[index].hasMissing = true }
            if !nestedFindings[index].hasMisfit, !nested[index].accepts(value) { nestedFindings[index].hasMisfit = true }
        }
        guard row.count == width + undeclaredColumns.count else { return }
        for (index, nested) in zip(undeclaredColumns, row[width...]) where !row[index].isMissing {
            if nested.isMissing, stringsAreMisfits[index], !findings[index].hasMisfit, Self.isText(row[index], fields[index]) {
                findings[index].misfit = Misfit(reason: .otherValues, position: position)
            }
            if mayHaveStoredNumbers[index], !findings[index].hasStoredNumber, nested.isJSONNumber { findings[index].hasStoredNumber = true }
            guard !findings[index].hasPlainText else { continue }
            let isPart = nested.bytes.first.map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } ?? false
            let isJSON = isPart && JSONPart.isStrictJSON(nested)
            if isJSON { findings[index].hasJSON = true } else { findings[index].hasPlainText = true }
        }
    }

    /// True if a JSON string makes a column of numbers text. The strings `NaN` and `inf` do not, because JSON has no numbers for these
    /// values.
    private static func isText(_ string: FieldBytes, _ format: Field) -> Bool {
        !string.isBlank && string.decimal(format.notation)?.isFinite != false
    }

    private static func add(
        _ field: FieldBytes, _ format: Field, _ declared: DeclaredType?, _ position: Int, _ findings: inout Findings
    ) {
        if field.isMissing {
            findings.hasMissing = true
            return
        }
        if !format.kind.isNumber, !findings.hasStoredNumber {
            switch declared {
            case .double, .float: findings.hasStoredNumber = isFloatingPoint(field)
            // SQLite converts text that looks like a number, except in columns without a type.
            case .mixedNumbers: findings.hasStoredNumber = field.isJSONNumber
            case .computed, .computedDouble, .computedInteger, .binary, .json, .number, nil: break
            }
        }
        if format.kind.isTemporal, format.dateNotation.isNumber, !findings.hasNonIntegerTime, !field.isBlank {
            findings.hasNonIntegerTime = field.integer(format.notation) == nil || lostCharacters(of: field, format) != nil
        }
        if format.kind != .text, field.isBlank {
            findings.hasBlank = true
            return
        }
        if format.kind == .text || findings.hasMisfit {
            if !findings.hasInvalidText, !field.isUTF8 { findings.hasInvalidText = true }
            return
        }
        let fits =
            switch format.kind {
            case .text: true
            case .integer: addInteger(field, format, declared, &findings)
            case .decimal: addDecimal(field, format, declared, &findings)
            case .date, .dateTime, .time: addDateTime(field, format, &findings)
            case .flag: field.flag() != nil
            }
        let loss = format.kind.isNumber && declared != .number ? lostCharacters(of: field, format) : nil
        if !fits || loss != nil {
            let isLong = format.kind == .integer && field.parses(as: .integer, format.notation)
            let reason = loss ?? (isLong ? .lostDigits : .otherValues)
            findings.misfit = Misfit(reason: reason, position: position)
            if !field.isUTF8 { findings.hasInvalidText = true }
        }
    }

    /// The reason for text if a number type would lose leading zeros or a plus sign; otherwise `nil`.
    private static func lostCharacters(of field: FieldBytes, _ format: Field) -> TextReason? {
        field.hasLeadingZeros(format.notation) ? .leadingZeros : field.hasPlusSign(format.notation) ? .plusSigns : nil
    }

    private static func addInteger(_ field: FieldBytes, _ format: Field, _ declared: DeclaredType?, _ findings: inout Findings) -> Bool {
        if let integer = field.integer(format.notation) {
            if integer.magnitude > findings.largestInteger { findings.largestInteger = integer.magnitude }
            return true
        }
        // A percentage can be read as a number in every notation, but it does not fit in a column of integers.
        guard let double = field.decimal(format.notation), field.trimmed.last != UInt8(ascii: "%") else { return false }
        if double.isFinite, let exact = field.exactDecimal(format.notation), exact.digits == 0,
            exact.mantissa.magnitude < limit.magnitude
        {
            findings.isWide = true
            findings.hasLongNumber = true
            widen(&findings, exact.mantissa, 0)
            return true
        }
        // A longer integer would lose digits.
        guard !field.parses(as: .integer, format.notation) else { return false }
        findings.hasOtherNumber = true
        return addDecimal(field, format, declared, &findings)
    }

    private static func addDecimal(_ field: FieldBytes, _ format: Field, _ declared: DeclaredType?, _ findings: inout Findings) -> Bool {
        switch declared {
        case .double, .float: guard isFloatingPoint(field) else { return false }
        case .mixedNumbers: if isWhole(field) { findings.hasWholeNumber = true } else { findings.hasFloatingNumber = true }
        case .computed, .computedDouble, .computedInteger, .binary, .json, .number, nil: break
        }
        // Decimal numbers of 15 digits keep all digits when they are converted to a `Double`.
        if let (mantissa, digits) = FixedPoint.read(field, format.notation) {
            widen(&findings, Int128(mantissa), digits)
            if mantissa.magnitude >= 1_000_000_000_000_000 { checkLength(of: field, format, &findings) }
            return true
        }
        guard let double = field.decimal(format.notation) else { return false }
        if double.isFinite, let exact = field.exactDecimal(format.notation) {
            widen(&findings, exact.mantissa, exact.digits)
        } else {
            findings.hasInexactNumber = true
        }
        checkLength(of: field, format, &findings)
        return true
    }

    /// True if a floating-point number can have this text. Inputs print infinity and NaN as words.
    private static func isFloatingPoint(_ field: FieldBytes) -> Bool { field.isJSONNumber || field.decimal()?.isFinite == false }

    private static func isWhole(_ field: FieldBytes) -> Bool {
        field.bytes.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
    }

    private static func checkLength(of field: FieldBytes, _ format: Field, _ findings: inout Findings) {
        guard !findings.hasLongNumber, let double = field.decimal(format.notation) else { return }
        findings.hasLongNumber = !field.isExactly(double, format.notation)
    }

    /// Increases the scale and the largest magnitude in `findings`, so that they cover one more number.
    private static func widen(_ findings: inout Findings, _ mantissa: Int128, _ digits: Int) {
        if digits > findings.scale {
            findings.largestMagnitude = min(limit, ExactDecimal.scaled(findings.largestMagnitude, by: digits - findings.scale) ?? limit)
            findings.scale = digits
        }
        let magnitude = mantissa.magnitude >= limit.magnitude ? limit : Int128(mantissa.magnitude)
        let scaled = ExactDecimal.scaled(magnitude, by: findings.scale - digits) ?? limit
        findings.largestMagnitude = max(findings.largestMagnitude, min(limit, scaled))
    }

    private static func addDateTime(_ field: FieldBytes, _ format: Field, _ findings: inout Findings) -> Bool {
        guard let moment = field.exactDateTime(format.kind, format.dateNotation) ?? withTimeOfDay(field, format, &findings) else {
            return false
        }
        if moment.hasZone { findings.hasZone = true } else { findings.hasNoZone = true }
        if moment.nanoseconds != 0 { findings.hasNanoseconds = true }
        if moment.microseconds.magnitude > UInt64(Int64.max) / 1_000 - 1 { findings.isFarTime = true }
        // Dates can contain names of months with non-ASCII letters, which have not been checked as UTF-8.
        return field.bytes.allSatisfy { $0 < 0x80 } || field.isUTF8
    }

    /// A field with a date and a time of day, although it is in a column of dates; `nil` for other fields. Dates written as numbers do not
    /// count.
    private static func withTimeOfDay(_ field: FieldBytes, _ format: Field, _ findings: inout Findings) -> ExactDateTime? {
        guard format.kind == .date, !format.dateNotation.isNumber, let moment = field.exactDateTime(.dateTime, format.dateNotation) else {
            return nil
        }
        findings.hasTimeOfDay = true
        return moment
    }

    /// Adds the findings of another value of this type, which has seen other rows of the same columns.
    package mutating func merge(_ other: WrittenTypes) {
        for (index, more) in other.findings.enumerated() {
            var one = findings[index]
            if let misfit = more.misfit, misfit.position < one.misfit?.position ?? .max { one.misfit = misfit }
            one.hasInvalidText = one.hasInvalidText || more.hasInvalidText
            one.hasMissing = one.hasMissing || more.hasMissing
            one.hasBlank = one.hasBlank || more.hasBlank
            one.isWide = one.isWide || more.isWide
            one.largestInteger = max(one.largestInteger, more.largestInteger)
            one.hasOtherNumber = one.hasOtherNumber || more.hasOtherNumber
            Self.widen(&one, more.largestMagnitude, more.scale)
            one.hasInexactNumber = one.hasInexactNumber || more.hasInexactNumber
            one.hasLongNumber = one.hasLongNumber || more.hasLongNumber
            one.hasWholeNumber = one.hasWholeNumber || more.hasWholeNumber
            one.hasFloatingNumber = one.hasFloatingNumber || more.hasFloatingNumber
            one.hasStoredNumber = one.hasStoredNumber || more.hasStoredNumber
            one.hasZone = one.hasZone || more.hasZone
            one.hasNoZone = one.hasNoZone || more.hasNoZone
            one.hasNanoseconds = one.hasNanoseconds || more.hasNanoseconds
            one.hasTimeOfDay = one.hasTimeOfDay || more.hasTimeOfDay
            one.isFarTime = one.isFarTime || more.isFarTime
            one.hasNonIntegerTime = one.hasNonIntegerTime || more.hasNonIntegerTime
            one.hasJSON = one.hasJSON || more.hasJSON
            one.hasPlainText = one.hasPlainText || more.hasPlainText
            findings[index] = one
        }
        for (index, more) in other.nestedFindings.enumerated() {
            nestedFindings[index].hasMisfit = nestedFindings[index].hasMisfit || more.hasMisfit
            nestedFindings[index].hasMissing = nestedFindings[index].hasMissing || more.hasMissing
        }
    }

    /// The nested columns to write; `nil` for a column with a value that does not fit its type.
    package var nestedColumns: [WrittenColumn?] {
        zip(nested, nestedFindings).map { field, one in
            guard !one.hasMisfit else { return nil }
            return WrittenColumn(name: field.name, type: .nested(field.type), hasNulls: field.isOptional || one.hasMissing)
        }
    }

    /// The number of columns.
    package var columnCount: Int { fields.count }

    /// The columns to write, with their types.
    package var columns: [WrittenColumn] {
        zip(fields.indices, fields).map { index, field in
            let one = findings[index]
            let type = type(index)
            let isText = type == .text || type == .binary
            return WrittenColumn(
                name: field.name, type: type, hasNulls: one.hasMissing || one.hasBlank && !isText,
                isJSON: type == .text && (declared[index] == .json || one.hasJSON && !one.hasPlainText))
        }
    }

    /// For each column that is written as text although its kind is a number or the input has numbers in it: the reason for the text. `nil`
    /// for other columns.
    package var textReasons: [TextReason?] {
        fields.indices.map { index in
            guard fields[index].kind.isNumber || findings[index].hasStoredNumber else { return nil }
            switch type(index) {
            case .text, .binary:
                if let misfit = findings[index].misfit { return misfit.reason }
                guard fields[index].kind.isNumber else { return .otherValues }
                return exactType(index, numberFindings(index)) == nil ? .lostDigits : .inexactFormat
            default: return nil
            }
        }
    }

    private func type(_ index: Int) -> WrittenType {
        let one = numberFindings(index)
        let text = one.hasInvalidText ? WrittenType.binary : .text
        let isNumericTime = fields[index].kind.isTemporal && fields[index].dateNotation.isNumber && !one.hasNonIntegerTime
        if isNumericTime, one.hasMisfit || keepsNumericTimes { return .integer }
        if one.hasMisfit { return text }
        let digits = one.hasNanoseconds ? 9 : 6
        switch fields[index].kind {
        case .text: return text
        case .integer where !one.hasOtherNumber: return one.isWide && !hasExactDecimals ? text : exactType(index, one) ?? text
        case .integer, .decimal:
            if declared[index] == .computedDouble { return .double }
            if !one.hasLongNumber {
                switch declared[index] {
                case .double, .computed, .computedDouble: return .double
                case .float: return .float
                // Prices such as 12.5 and 12 stay decimal numbers, although SQLite stores 12 as an integer.
                case .mixedNumbers:
                    let hasWholeNumber = one.hasWholeNumber || fields[index].kind == .integer
                    if one.hasFloatingNumber, !hasWholeNumber || !one.isShort { return .double }
                case .computedInteger, .binary, .json, .number, nil: break
                }
            }
            if declared[index] == .computedInteger, one.scale == 0, !one.hasInexactNumber, one.largestMagnitude <= Int64.max {
                return .integer
            }
            if let exact = exactType(index, one), hasExactDecimals || !one.isLong { return exact }
            return one.hasLongNumber ? text : .double
        case .flag: return .flag
        case .date where !one.hasTimeOfDay: return .date
        case .time: return .time(digits: digits)
        case .date, .dateTime:
            // Times with and without a zone have no common type, and times in nanoseconds cover only the years 1677 to 2262.
            if one.hasZone && one.hasNoZone || one.hasNanoseconds && one.isFarTime { return text }
            return .dateTime(digits: digits, isUTC: one.hasZone)
        }
    }

    /// The findings of a column. If a column of integers has other numbers, its integers count as decimal numbers.
    private func numberFindings(_ index: Int) -> Findings {
        var one = findings[index]
        guard fields[index].kind == .integer, one.hasOtherNumber else { return one }
        Self.widen(&one, Int128(one.largestInteger), 0)
        // A `Double` keeps all digits of shorter integers. Longer ones are not examined one by one.
        if one.largestInteger >= 1_000_000_000_000_000 { one.hasLongNumber = true }
        return one
    }

    /// The narrowest type that represents all numbers of a column exactly; `nil` without such a type. The column must have no misfits.
    private func exactType(_ index: Int, _ one: Findings) -> WrittenType? {
        if fields[index].kind == .integer, !one.hasOtherNumber { return one.isWide ? .wideDecimal(scale: 0) : .integer }
        guard !one.hasInexactNumber, one.largestMagnitude < Self.limit else { return nil }
        return one.scale <= 18 && one.largestMagnitude < ExactDecimal.power(18)
            ? .decimal(scale: one.scale) : .wideDecimal(scale: one.scale)
    }
}
