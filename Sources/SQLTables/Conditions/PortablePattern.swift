/// A regular expression in the syntax that RE2, PostgreSQL and Java share.
///
/// RE2 and PostgreSQL differ in classes such as `\w`, in `.` and line ends, and in case. The pattern is rewritten with explicit classes.
/// It is used only to test for a match, so greediness and captures do not matter.
struct PortablePattern {
    private enum Token {
        case text(String)
        /// The anchor for the end of the text.
        case end
    }

    private var tokens: [Token] = []

    /// The rewritten pattern. `end` is the engine's anchor for the end of the text.
    func text(end: String) -> String {
        tokens.reduce(into: "") { text, token in
            switch token {
            case .text(let literal): text += literal
            case .end: text += end
            }
        }
    }

    /// Rewrites a pattern.
    /// - Parameter encoding: the characters that the rewritten pattern can have.
    /// - Throws: ``UnsupportedError`` with the element of the pattern that engines read differently.
    init(_ pattern: String, ignoresCase: Bool, _ encoding: StoredEncoding) throws(UnsupportedError) {
        var parser = Parser(rest: Array(pattern.unicodeScalars)[...], ignoresCase: ignoresCase, encoding: encoding)
        try parser.parseAlternatives()
        guard parser.rest.isEmpty else { throw Parser.unsupportedError(")") }
        tokens = parser.tokens
    }

    private struct Parser {
        var rest: ArraySlice<Unicode.Scalar>
        let ignoresCase: Bool
        let encoding: StoredEncoding
        var tokens: [Token] = []
        var depth = 0

        static func unsupportedError(_ part: String) -> UnsupportedError {
            UnsupportedError("The server may read “\(part)” in this regular expression differently.")
        }

        mutating func put(_ text: String) { tokens.append(.text(text)) }

        /// Adds a negated class of characters. Without an encoding, the server would match each byte of a longer character by itself, so
        /// the sequences of UTF-8 are alternatives.
        /// - Parameter negated: the text between the brackets, which starts with `^` and excludes only ASCII characters.
        private mutating func putOtherCharacter(_ negated: String) {
            guard encoding == .bytes else { return put("[\(negated)]") }
            let long = #"[\u00C2-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F4][\u0080-\u00BF]{3}"#
            put("(?:[\(negated)\\u0080-\\u00FF]|\(long))")
        }

        mutating func parseAlternatives() throws(UnsupportedError) {
            try parseSequence()
            while rest.first == "|" {
                rest.removeFirst()
                put("|")
                try parseSequence()
            }
        }

        private mutating func parseSequence() throws(UnsupportedError) {
            var count = 0
            while let next = rest.first, next != "|", next != ")" {
                rest.removeFirst()
                count += 1
                let isRepeatable = try parseAtom(next)
                try parseRepetition(isAllowed: isRepeatable)
            }
            // Write an empty group, because PostgreSQL rejects some empty alternatives.
            if count == 0 { put("(?:)") }
        }

        /// Parses one element of a pattern that a repetition can follow. Returns false for an anchor, which cannot be repeated.
        private mutating func parseAtom(_ first: Unicode.Scalar) throws(UnsupportedError) -> Bool {
            switch first {
            case "^":
                put("^")
                return false
            case "$":
                tokens.append(.end)
                return false
            case ".": putOtherCharacter("^\n")
            case "(":
                if rest.starts(with: "?:".unicodeScalars) {
                    rest.removeFirst(2)
                } else if rest.first == "?" || rest.first == "*" {
                    throw Self.unsupportedError("(?")
                }
                depth += 1
                guard depth <= 50 else { throw Self.unsupportedError("((((…") }
                put("(?:")
                try parseAlternatives()
                guard rest.popFirst() == ")" else { throw Self.unsupportedError("(") }
                put(")")
                depth -= 1
            case "[": try parseBracket()
            case "\\": try parseEscape()
            case "*", "+", "?", "{", "]", "}": throw Self.unsupportedError(String(first))
            default: try parseLiteral(first)
            }
            return true
        }

        private mutating func parseRepetition(isAllowed: Bool) throws(UnsupportedError) {
            guard let next = rest.first, "*+?{".unicodeScalars.contains(next) else { return }
            guard isAllowed else { throw Self.unsupportedError(String(next)) }
            rest.removeFirst()
            if next == "{" {
                var inner = ""
                while let digit = rest.popFirst(), digit != "}" { inner.unicodeScalars.append(digit) }
                let bounds = inner.split(separator: ",", omittingEmptySubsequences: false)
                let numbers = bounds.map { Int($0) }
                guard (1...2).contains(bounds.count), let low = numbers[0], (0...255).contains(low), inner.utf8.count <= 7,
                    bounds.count == 1 || bounds[1].isEmpty || numbers[1].map({ (low...255).contains($0) }) ?? false
                else { throw Self.unsupportedError("{\(inner)}") }
                put("{\(inner)}")
            } else {
                put(String(next))
            }
            // Ignore the mark of a lazy repetition, because lazy repetitions match the same strings.
            if rest.first == "?" { rest.removeFirst() }
            if let more = rest.first, "*+?{".unicodeScalars.contains(more) { throw Self.unsupportedError(String(more)) }
        }

        private mutating func parseLiteral(_ scalar: Unicode.Scalar) throws(UnsupportedError) {
            if ignoresCase {
                let all = CaseVariants.all(of: scalar, encoding)
                if all.count > 1 || all[0] != scalar {
                    if encoding == .bytes, all.contains(where: { !$0.isASCII }) {
                        // A bracket expression would match single bytes of these characters.
                        return put("(?:" + all.map { String($0) }.joined(separator: "|") + ")")
                    }
                    put("[" + String(String.UnicodeScalarView(all)) + "]")
                    return
                }
            }
            // A repetition applies to the whole character, not to its last byte.
            if encoding == .bytes, !scalar.isASCII { return put("(?:\(scalar))") }
            put((#"\.+*?()|[]{}^$-#&~"#.unicodeScalars.contains(scalar) ? "\\" : "") + String(scalar))
        }

        private mutating func parseEscape() throws(UnsupportedError) {
            guard let next = rest.popFirst() else { throw Self.unsupportedError("\\") }
            switch next {
            case "d": put("[0-9]")
            // Ignoring case, RE2 counts the long s and the Kelvin sign as word characters.
            case "w": put(ignoresCase && encoding == .unicode ? "[0-9A-Za-z_\u{17F}\u{212A}]" : "[0-9A-Za-z_]")
            case "s": put("[\t\n\u{C}\r ]")
            case "t": put("\t")
            case "n": put("\n")
            case "r": put("\r")
            case _ where next.isASCII && !next.properties.isAlphabetic && !("0"..."9").contains(next): try parseLiteral(next)
            default: throw Self.unsupportedError("\\\(next)")
            }
        }

        private mutating func parseBracket() throws(UnsupportedError) {
            var inner = String.UnicodeScalarView()
            if rest.first == "^" {
                rest.removeFirst()
                inner.append("^")
            }
            var isFirst = true
            var ranges: [ClosedRange<UInt32>] = []
            func readMember(_ rest: inout ArraySlice<Unicode.Scalar>) throws(UnsupportedError) -> Unicode.Scalar {
                guard let next = rest.popFirst() else { throw Self.unsupportedError("[") }
                if next == "[" { throw Self.unsupportedError("[[") }
                guard next == "\\" else { return next }
                guard let escaped = rest.popFirst(), escaped.isASCII else { throw Self.unsupportedError("\\") }
                switch escaped {
                case "t": return "\t"
                case "n": return "\n"
                case "r": return "\r"
                case _ where escaped.properties.isAlphabetic || ("0"..."9").contains(escaped): throw Self.unsupportedError("[\\\(escaped)]")
                default: return escaped
                }
            }
            while let next = rest.first, next != "]" || isFirst {
                isFirst = false
                if next == "\\", let kind = rest.dropFirst().first, "dws".unicodeScalars.contains(kind) {
                    rest.removeFirst(2)
                    ranges += kind == "d" ? [48...57] : kind == "w" ? [48...57, 65...90, 95...95, 97...122] : [9...10, 12...13, 32...32]
                    continue
                }
                let low = try readMember(&rest)
                if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                    rest.removeFirst()
                    let high = try readMember(&rest)
                    guard low.value <= high.value else { throw Self.unsupportedError("[\(low)-\(high)]") }
                    ranges.append(low.value...high.value)
                } else {
                    ranges.append(low.value...low.value)
                }
            }
            guard rest.popFirst() == "]", !ranges.isEmpty else { throw Self.unsupportedError("[") }
            if encoding == .bytes, let other = ranges.first(where: { $0.upperBound > 0x7F }).flatMap({ Unicode.Scalar($0.upperBound) }) {
                throw UnsupportedError("The database has no encoding, so “\(other)” cannot be in brackets in a regular expression.")
            }
            if ignoresCase {
                guard ranges.reduce(0, { $0 + $1.count }) <= 256 else { throw Self.unsupportedError("[…] ignoring case") }
                ranges = ranges.flatMap { $0 }.compactMap { Unicode.Scalar($0) }
                    .flatMap { CaseVariants.all(of: $0, encoding) }.filter { encoding != .bytes || $0.isASCII }.map { $0.value...$0.value }
            }
            for range in ranges {
                guard let low = Unicode.Scalar(range.lowerBound), let high = Unicode.Scalar(range.upperBound) else { continue }
                let ends: [Unicode.Scalar] = low == high ? [low] : [low, high]
                for (index, scalar) in ends.enumerated() {
                    if index == 1 { inner.append("-") }
                    if scalar.isASCII, !scalar.properties.isAlphabetic, scalar.value > 0x20, !("0"..."9").contains(scalar) {
                        inner.append("\\")
                    }
                    inner.append(scalar)
                }
            }
            if inner.first == "^" { putOtherCharacter(String(inner)) } else { put("[" + String(inner) + "]") }
        }
    }
}
