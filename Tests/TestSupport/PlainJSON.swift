/// JSON written by simple code: a reference for fast code.
public enum PlainJSON {
    /// A string with quotes and escapes.
    public static func string(_ text: String) -> String { "\"" + escapingControls(escapingQuotes(text)) + "\"" }

    /// Text with escapes for quotes and backslashes only.
    public static func escapingQuotes(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    /// Text with escapes for control characters only, as within a string whose other escapes are written already.
    public static func escapingControls(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n".unicodeScalars
            case "\r": result += "\\r".unicodeScalars
            case "\t": result += "\\t".unicodeScalars
            case _ where isControl(scalar):
                let digits = String(scalar.value, radix: 16)
                result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Text with a space for each control character.
    public static func blankingControls(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    /// True if a string needs an escape for the scalar: a control character, or one that changes the direction of text.
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
    }

    /// True if the text is a number according to RFC 8259.
    public static func isNumber(_ text: String) -> Bool {
        var rest = Array(text.unicodeScalars)[...]
        func skipDigits() -> Int {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.count
        }
        if rest.first == "-" { rest = rest.dropFirst() }
        let startsWithZero = rest.first == "0"
        let count = skipDigits()
        if count == 0 || startsWithZero && count > 1 { return false }
        if rest.first == "." {
            rest = rest.dropFirst()
            if skipDigits() == 0 { return false }
        }
        if rest.first == "e" || rest.first == "E" {
            rest = rest.dropFirst()
            if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
            if skipDigits() == 0 { return false }
        }
        return rest.isEmpty
    }
}

extension SplitMix64 {
    /// Bytes that are difficult to write as JSON: control characters, quotes, backslashes, text of several scripts, ill-formed UTF-8, and
    /// surrogates. One of eight texts is longer than `length` bytes, and most others are short.
    public mutating func difficultText(length: Int = 1_024) -> [UInt8] {
        let isLong = Int.random(in: 0..<8, using: &self) == 0
        let count = isLong ? length + Int.random(in: 0..<length, using: &self) : Int.random(in: 0..<24, using: &self)
        var text: [UInt8] = []
        // Some texts have hardly any special characters.
        let rarity = [1, 2, 16, 64][Int.random(in: 0..<4, using: &self)]
        while text.count < count {
            guard Int.random(in: 0..<rarity, using: &self) == 0 else {
                text.append(UInt8.random(in: 0x20..<0x7F, using: &self))
                continue
            }
            switch Int.random(in: 0..<4, using: &self) {
            case 0: text.append(UInt8.random(in: 0...255, using: &self))
            case 1: text.append(UInt8.random(in: 0..<0x20, using: &self))
            default: text += Self.difficultParts[Int.random(in: 0..<Self.difficultParts.count, using: &self)]
            }
        }
        return text
    }

    private static let difficultParts: [[UInt8]] =
        [
            "\"", "\\", "\\\"", "\\u0041", "\r\n", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "\u{61B}", "\u{61C}", "\u{200D}", "\u{200E}",
            "\u{200F}", "\u{2010}", "\u{2028}", "\u{202A}", "\u{202E}", "\u{202F}", "\u{2065}", "\u{2066}", "\u{2069}", "\u{206A}",
            "\u{FEFF}", "é", "e\u{301}", "日本語", "Ελληνικά", "👩‍🚀", "\u{10FFFF}",
        ].map { Array($0.utf8) } + [
            // Ill-formed: surrogates, overlong and too large sequences, sequences without their end, continuations without a start.
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF], [0xC3], [0xE2], [0xE2, 0x80], [0xF0, 0x9F],
            [0xF0, 0x9F, 0x98], [0x80], [0xBF],
        ]
}
