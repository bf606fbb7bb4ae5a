/// Characters that are equal ignoring case, by simple case folding, as in gridview's filters.
///
/// Servers fold case by their locale. To fold case as gridview does, statements replace the case variants of the letters that they search
/// for.
enum CaseVariants {
    /// The case-folded string, and the character replacements that other strings need before they are compared with it. Leaves out the
    /// characters that `encoding` lacks, unless the string contains them.
    static func folded(
        _ text: String, _ encoding: StoredEncoding
    ) -> (text: String, pairs: [(from: Unicode.Scalar, to: Unicode.Scalar)]) {
        var folded = String.UnicodeScalarView()
        var pairs: [(from: Unicode.Scalar, to: Unicode.Scalar)] = []
        var known: Set<Unicode.Scalar> = []
        for scalar in text.unicodeScalars {
            let all = all(of: scalar, encoding)
            folded.append(all[0])
            if known.insert(all[0]).inserted { pairs += all.dropFirst().map { ($0, all[0]) } }
        }
        return (String(folded), pairs)
    }

    /// For each folded scalar, the other scalars that fold to it, in ascending order.
    private static let variants: [Unicode.Scalar: [Unicode.Scalar]] = {
        var variants: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        // Only the first two planes of Unicode contain letters with case.
        for value in UInt32(0)..<0x2_0000 {
            guard let scalar = Unicode.Scalar(value), value < 0x80 || scalar.properties.isCased else { continue }
            let folded = fold(scalar)
            if folded != scalar { variants[folded, default: []].append(scalar) }
        }
        return variants
    }()

    /// Folds a scalar. Scalars with the same uppercase form fold to the same scalar, except the dotless i.
    static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.value == 0x131 { return scalar }
        let upper = singleScalar(scalar.properties.uppercaseMapping) ?? scalar
        return singleScalar(upper.properties.lowercaseMapping) ?? upper
    }

    private static func singleScalar(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }

    /// The case variants of a scalar that an encoding has, including the scalar itself. The first one replaces the others; it is the folded
    /// scalar, if the encoding has it.
    static func all(of scalar: Unicode.Scalar, _ encoding: StoredEncoding) -> [Unicode.Scalar] {
        let folded = fold(scalar)
        // An encoding that has a rare variant is unlikely to have the common forms: WIN1252 has the micro sign, but no Greek letters.
        guard encoding.hasVariant(scalar, of: folded) else { return [scalar] }
        return ([folded] + (variants[folded] ?? [])).filter { encoding.hasVariant($0, of: folded) }
    }
}
