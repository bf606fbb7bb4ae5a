import FieldValues

extension FilterExpression {
    /// Bytes that at least one field of each matching record contains. Records without these bytes need not be parsed. Empty if no such
    /// bytes are known.
    var requiredBytes: RequiredBytes {
        switch self {
        case .all(let parts): parts.map(\.requiredBytes).max { $0.count < $1.count } ?? RequiredBytes()
        case .any(let parts): parts.count == 1 ? parts[0].requiredBytes : RequiredBytes()
        case .compareTexts(.column, .equal, .literal(let text)), .compareTexts(.literal(let text), .equal, .column):
            RequiredBytes(text, ignoresCase: false)
        case .textIsOneOf(_, let texts): texts.count == 1 ? RequiredBytes(texts[0], ignoresCase: false) : RequiredBytes()
        case .test(_, _, let text, let ignoresCase): RequiredBytes(text, ignoresCase: ignoresCase)
        case .anyFieldContains(let text):
            RequiredBytes(text, ignoresCase: !text.unicodeScalars.contains { $0.properties.isUppercase })
        case .matches(_, let pattern): pattern.pattern.requiredBytes
        case .not, .compare, .isOneOf, .compareTexts, .isEmpty, .isNull, .computed: RequiredBytes()
        }
    }
}

extension RequiredBytes {
    /// Creates the bytes that a field must contain to match a string. If case is ignored, only a part of the string is required: the
    /// longest run of characters that are ASCII in both cases. These are all ASCII characters except k and s.
    fileprivate init(_ text: String, ignoresCase: Bool) {
        let bytes = Array(text.utf8)
        self = RequiredBytes(bytes, ignoresCase: ignoresCase)
            .longestRun { !ignoresCase || bytes[$0] < 0x80 && ![0x6B, 0x73].contains(bytes[$0] | 0x20) }
    }
}
