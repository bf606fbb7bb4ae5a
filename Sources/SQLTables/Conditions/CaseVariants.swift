/// The characters that are equal ignoring case, by simple case folding, as in filters of this program.
///
/// Servers fold case by their locale. A table of the few letters that a text needs makes them fold as this program does.
enum CaseVariants {
    /// The folded text, and what must be replaced in other texts before they are compared with it.
    static func folded(_ text: String) -> (text: String, pairs: [(from: Unicode.Scalar, to: Unicode.Scalar)]) {
        var folded = String.UnicodeScalarView()
        var pairs: [(from: Unicode.Scalar, to: Unicode.Scalar)] = []
        var known: Set<Unicode.Scalar> = []
        for scalar in text.unicodeScalars {
            let own = fold(scalar)
            folded.append(own)
            if known.insert(own).inserted { pairs += (variants[own] ?? []).map { ($0, own) } }
        }
        return (String(folded), pairs)
    }

    /// The scalars that fold to a scalar, other than itself, in ascending order.
    private static let variants: [Unicode.Scalar: [Unicode.Scalar]] = {
        var variants: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        // No letter with case is beyond this plane.
        for value in UInt32(0)..<0x2_0000 {
            guard let scalar = Unicode.Scalar(value), value < 0x80 || scalar.properties.isCased else { continue }
            let folded = fold(scalar)
            if folded != scalar { variants[folded, default: []].append(scalar) }
        }
        return variants
    }()

    /// Scalars with the same upper case are equal. The dotless i is another letter than i.
    static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.value == 0x131 { return scalar }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return single(upper.properties.lowercaseMapping) ?? upper
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }

    /// All variants of an ASCII letter, for a bracket expression.
    static func all(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let folded = fold(scalar)
        return [folded] + (variants[folded] ?? [])
    }
}
