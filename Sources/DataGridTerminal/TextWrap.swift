import TerminalSurface

/// Wraps text to lines of a limited width.
public enum TextWrap {
    /// The lines of `text`, each at most `width` terminal cells wide. Lines end at line breaks, at spaces if possible, otherwise anywhere.
    /// Returns at most `limit` lines; the last line has the rest of the text.
    public static func lines(_ text: String, width: Int, limit: Int = .max) -> [String] {
        substrings(text, width: width, limit: limit).map(String.init)
    }

    /// The lines of ``lines(_:width:limit:)`` as substrings, which keep their positions in `text`.
    public static func substrings(_ text: String, width: Int, limit: Int = .max) -> [Substring] {
        guard width > 0 else { return [] }
        // Fast path: most cells are short ASCII text.
        if text.utf8.count <= width, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return [Substring(text)] }
        var result: [Substring] = []
        var rest = Substring(text)
        while true {
            if result.count + 1 >= limit {
                result.append(rest)
                return result
            }
            let (line, next) = split(rest, width: width)
            result.append(line)
            guard let next else { return result }
            rest = next
        }
    }

    /// Splits the first line from the text. The rest is `nil` if nothing follows the line.
    private static func split(_ text: Substring, width: Int) -> (Substring, Substring?) {
        var used = 0
        var index = text.startIndex
        var blank: Substring.Index?
        while index < text.endIndex {
            let character = text[index]
            if character.isNewline { return (text[..<index], text[text.index(after: index)...]) }
            let characterWidth = DisplayWidth.of(String(character))
            if used + characterWidth > width {
                if character == " " { blank = index }
                if let blank { return (text[..<blank], text[text.index(after: blank)...]) }
                // A character wider than the line has its own line.
                return index == text.startIndex ? (text[...index], rest(after: index, in: text)) : (text[..<index], text[index...])
            }
            if character == " " { blank = index }
            used += characterWidth
            index = text.index(after: index)
        }
        return (text, nil)
    }

    private static func rest(after index: Substring.Index, in text: Substring) -> Substring? {
        let next = text.index(after: index)
        return next < text.endIndex ? text[next...] : nil
    }
}
