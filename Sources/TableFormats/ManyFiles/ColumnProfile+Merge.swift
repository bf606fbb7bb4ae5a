import FieldValues
import Tables

extension ColumnProfile {
    /// The profile of a column with values in two files. If one of the two kinds includes the other one, the profile has the more general
    /// kind; otherwise, it is text.
    func merged(with other: ColumnProfile) -> ColumnProfile {
        if other.sampledCount == other.emptyCount { return self }
        if sampledCount == emptyCount { return other }
        if let sizes = readAsSizes(of: other) { return sizes.merged(with: other) }
        if let sizes = other.readAsSizes(of: self) { return merged(with: sizes) }
        var profile = self
        let kinds: Set<ValueKind> = [kind, other.kind]
        if kind == other.kind {
            profile.kind = kind
        } else if kinds == [.integer, .decimal] {
            profile.kind = .decimal
        } else if kinds == [.date, .dateTime] {
            profile.kind = .dateTime
        } else {
            profile.kind = .text
        }
        if profile.kind.isNumber, notation.withoutUnit != other.notation.withoutUnit {
            // Whole numbers do not show the notation, because they have no decimal separator. The notation of the other file is then used.
            if kind == .integer { profile.notation = other.notation } else if other.kind != .integer { profile.kind = .text }
        }
        let (unit, otherUnit) = (notation.unit, other.notation.unit)
        if unit.isCurrency, otherUnit.isCurrency {
            profile.notation.unit = unit
            if !unit.hasSameSymbol(as: otherUnit) { profile.kind = .text }
        } else if let form = unit.sizeForm, let otherForm = otherUnit.sizeForm {
            if let form = form.united(with: otherForm) {
                profile.notation.unit = .size(form, isSpaced: unit.isSpaced)
            } else {
                profile.kind = .text
            }
        } else if !unit.hasSameSymbol(as: otherUnit) {
            // Plain numbers can be merged with sizes, a currency and the signs of accounting, but not with a percent sign.
            let units = [unit, otherUnit]
            let size = units.first(where: \.isSize)
            if size != nil, !units.contains(.none) { profile.kind = .text }
            profile.notation.unit = size ?? units.first(where: \.isCurrency) ?? units.first { $0 == .accounting } ?? .none
        }
        if profile.kind.isTemporal, dateNotation != other.dateNotation {
            if hasAmbiguousDates { profile.dateNotation = other.dateNotation } else if !other.hasAmbiguousDates { profile.kind = .text }
        }
        profile.hasAmbiguousDates = hasAmbiguousDates && other.hasAmbiguousDates
        profile.hasIdentifiers = hasIdentifiers && other.hasIdentifiers
        profile.hasFlagWords = hasFlagWords || other.hasFlagWords
        profile.maximumFractionDigits = max(maximumFractionDigits, other.maximumFractionDigits)
        profile.sampledCount += other.sampledCount
        profile.emptyCount += other.emptyCount
        var texts = sampleTexts + other.sampleTexts.filter { !sampleTexts.contains($0) }
        texts.sort { $0.utf8.count > $1.utf8.count }
        profile.sampleTexts = Array(texts.prefix(Self.sampleTextCount))
        return profile
    }

    /// The profile of a text column as a column of sizes, if the column of another file has sizes and its notation reads all samples. `nil`
    /// for other columns. A few sizes alone do not prove a column of sizes.
    private func readAsSizes(of other: ColumnProfile) -> ColumnProfile? {
        guard kind == .text, other.kind.isNumber, other.notation.unit.isSize, hasNumbers(in: other.notation) else { return nil }
        var profile = self
        (profile.kind, profile.notation) = (.decimal, other.notation)
        return profile
    }

    /// True if all sample texts are numbers in a notation.
    func hasNumbers(in notation: DecimalStyle) -> Bool {
        !sampleTexts.isEmpty && sampleTexts.allSatisfy { FieldBytes.withBytes(of: $0) { $0.parses(as: .decimal, notation) } }
    }
}
