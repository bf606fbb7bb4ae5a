import Tables

/// A pattern of `like`, as in SQL: `%` stands for any text, `_` for one character.
struct LikePattern {
    private enum Token: Equatable {
        case text(String)
        case character
        case anything
    }

    private var tokens: [Token] = []

    /// Parses a pattern.
    /// - Parameter escape: a character that makes the next character literal, such as `%`.
    /// - Returns: `nil` if the pattern ends with an escape character.
    init?(_ pattern: String, escape: Unicode.Scalar? = nil) {
        var text = String.UnicodeScalarView()
        func endText(_ tokens: inout [Token]) {
            if !text.isEmpty { tokens.append(.text(String(text))) }
            text = String.UnicodeScalarView()
        }
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                text.append(scalar)
                isEscaped = false
            case escape: isEscaped = true
            case "_":
                endText(&tokens)
                tokens.append(.character)
            case "%":
                endText(&tokens)
                if tokens.last != .anything { tokens.append(.anything) }
            default: text.append(scalar)
            }
        }
        if isEscaped { return nil }
        endText(&tokens)
    }

    /// A function and its argument that are equivalent to the pattern: the simplest string test if possible, else a regular expression.
    /// - Parameter comparesStrings: true if `=` compares the values of the column as strings.
    func equivalentTest(comparesStrings: Bool, ignoresCase: Bool) -> (function: Formula.Function, text: String) {
        let (function, text): (Formula.Function, String)
        switch tokens {
        case [] where comparesStrings || ignoresCase: (function, text) = (.equal, "")
        case [.anything]: (function, text) = (.contains, "")
        default:
            let texts = tokens.compactMap { token -> String? in if case .text(let text) = token { text } else { nil } }
            let (isOpenAtStart, isOpenAtEnd) = (tokens.first == .anything, tokens.last == .anything)
            if texts.count != 1 || tokens.count != 1 + (isOpenAtStart ? 1 : 0) + (isOpenAtEnd ? 1 : 0) {
                (function, text) = (.matches, regularExpression)
            } else if isOpenAtStart || isOpenAtEnd {
                (function, text) = (isOpenAtStart && isOpenAtEnd ? .contains : isOpenAtStart ? .endsWith : .startsWith, texts[0])
            } else {
                (function, text) = comparesStrings || ignoresCase ? (.equal, texts[0]) : (.matches, regularExpression)
            }
        }
        return (ignoresCase ? function.ignoringCase ?? function : function, text)
    }

    /// A regular expression that is equivalent to the pattern. A dot cannot be used for `_` and `%`, because it does not match line
    /// endings.
    private var regularExpression: String {
        let (isOpenAtStart, isOpenAtEnd) = (tokens.first == .anything, tokens.last == .anything)
        let inner = tokens.dropFirst(isOpenAtStart ? 1 : 0).dropLast(isOpenAtEnd ? 1 : 0).map { token in
            switch token {
            case .text(let text): Self.quoted(text)
            case .character: #"[\s\S]"#
            case .anything: #"[\s\S]*"#
            }
        }
        return (isOpenAtStart ? "" : "^") + inner.joined() + (isOpenAtEnd ? "" : "$")
    }

    private static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if #"\.+*?()|[]{}^$"#.unicodeScalars.contains(scalar) { quoted.append("\\") }
            quoted.append(scalar)
        }
        return String(quoted)
    }
}
