/// Characters that are equal ignoring case, by simple case folding, as in gridview's filters.
///
/// Servers fold case by their locale. To fold case as gridview does, statements replace the case variants of the letters that they search
/// for.
enum CaseVariants {
    /// The case-folded string, and the character replacements that other strings need before they are compared with it.
    static func folded(_ text: String) -> (text: String, pairs: [(from: Unicode.Scalar, to: Unicode.Scalar)]) {
        var folded = String.UnicodeScalarView()
        var pairs: [(from: Unicode.Scalar, to: Unicode.Scalar)] = []
        var known: Set<Unicode.Scalar> = []
        for scalar in text.unicodeScalars {
            let foldedScalar = fold(scalar)
            folded.append(foldedScalar)
            if known.insert(foldedScalar).inserted { pairs += (variants[foldedScalar] ?? []).map { ($0, foldedScalar) } }
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

    /// All case variants of an ASCII letter, for a bracket expression.
    static func all(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let folded = fold(scalar)
        return [folded] + (variants[folded] ?? [])
    }
}
