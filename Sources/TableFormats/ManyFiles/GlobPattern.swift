/// A pattern for one component of a path: `*`, `?`, `[…]` and `\` as in a shell.
struct GlobPattern: Sendable, Equatable {
    private enum Token: Equatable {
        case scalar(UInt32)
        case anyCharacter
        case anyCharacters
        case set([ClosedRange<UInt32>], isNegated: Bool)
    }

    private let tokens: [Token]

    /// True if the component is `**`, which matches any number of folders.
    let isDeep: Bool
    /// The only name that the pattern matches, with escapes resolved; `nil` if it may match several names.
    let literal: [UInt8]?

    /// Parses a pattern.
    /// - Parameter text: one component of a path, in UTF-8.
    init(_ text: some Collection<UInt8>) {
        isDeep = text.elementsEqual("**".utf8)
        let scalars = GlobScalars.decoded(text)
        var tokens: [Token] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            switch scalar {
            case "*": if tokens.last != .anyCharacters { tokens.append(.anyCharacters) }
            case "?": tokens.append(.anyCharacter)
            case "[":
                if let (set, end) = Self.set(scalars, from: index) {
                    tokens.append(set)
                    index = end
                } else {
                    tokens.append(.scalar(scalar))
                }
            case "\\" where index < scalars.count:
                tokens.append(.scalar(scalars[index]))
                index += 1
            default: tokens.append(.scalar(scalar))
            }
        }
        self.tokens = tokens
        var name: [UInt8]? = []
        for token in tokens {
            guard case .scalar(let scalar) = token else {
                name = nil
                break
            }
            GlobScalars.append(scalar, to: &name!)
        }
        literal = name
    }

    /// Reads the set after an opening bracket. If the first character is a closing bracket, it is an element of the set.
    private static func set(_ scalars: [UInt32], from start: Int) -> (set: Token, end: Int)? {
        var index = start
        var isNegated = false
        if index < scalars.count, scalars[index] == "!" || scalars[index] == "^" {
            isNegated = true
            index += 1
        }
        var ranges: [ClosedRange<UInt32>] = []
        let first = index
        while index < scalars.count {
            var low = scalars[index]
            if low == "]", index > first { return (.set(ranges, isNegated: isNegated), index + 1) }
            if low == "\\", index + 1 < scalars.count {
                index += 1
                low = scalars[index]
            }
            if index + 2 < scalars.count, scalars[index + 1] == "-", scalars[index + 2] != "]" {
                let high = scalars[index + 2]
                if low <= high { ranges.append(low...high) }
                index += 3
            } else {
                ranges.append(low...low)
                index += 1
            }
        }
        return nil
    }

    /// True if the pattern matches the whole name. A leading dot of the name matches only a leading dot of the pattern. O(name × pattern).
    func matches(_ name: some Collection<UInt8>) -> Bool {
        // Without wildcards, the bytes are compared, because an escape may divide the bytes of a character.
        if let literal { return name.elementsEqual(literal) }
        if name.first == UInt8(ascii: "."), tokens.first != .scalar(UInt32(UInt8(ascii: "."))) { return false }
        let scalars = GlobScalars.decoded(name)
        var (index, token) = (0, 0)
        // The position in the pattern and in the name after the last `*`. If the rest does not match, the `*` takes one more character.
        var retry: (index: Int, token: Int)?
        while index < scalars.count {
            if token < tokens.count, tokens[token] == .anyCharacters {
                token += 1
                retry = (index, token)
            } else if token < tokens.count, Self.matches(tokens[token], scalars[index]) {
                index += 1
                token += 1
            } else if let last = retry {
                retry = (last.index + 1, last.token)
                (index, token) = (last.index + 1, last.token)
            } else {
                return false
            }
        }
        while token < tokens.count, tokens[token] == .anyCharacters { token += 1 }
        return token == tokens.count
    }

    private static func matches(_ token: Token, _ scalar: UInt32) -> Bool {
        switch token {
        case .scalar(let expected): expected == scalar
        case .anyCharacter: true
        case .anyCharacters: false
        case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    // MARK: Paths

    /// The maximum number of patterns to which a pattern with braces expands.
    static let maximumAlternatives = 1_000

    /// True if a path contains wildcard characters.
    static func isPattern(_ path: String) -> Bool { path.utf8.contains { "*?[{".utf8.contains($0) } }

    /// Expands braces: `a{b,c}` becomes `ab` and `ac`.
    /// - Throws: ``FormatError`` for more than ``maximumAlternatives``.
    static func alternatives(_ pattern: String) throws -> [[UInt8]] {
        var waiting = [Array(pattern.utf8)]
        var done: [[UInt8]] = []
        while let next = waiting.popLast() {
            guard let brace = firstBrace(in: next) else {
                done.append(next)
                continue
            }
            for part in brace.parts.reversed() {
                waiting.append(Array(next[..<brace.range.lowerBound]) + Array(next[part]) + Array(next[brace.range.upperBound...]))
            }
            if waiting.count + done.count > maximumAlternatives {
                throw FormatError("The pattern has too many alternatives in braces. Use at most \(maximumAlternatives).")
            }
        }
        return done
    }

    /// The first pair of braces that contains a comma, and the ranges between its commas.
    private static func firstBrace(in pattern: [UInt8]) -> (range: Range<Int>, parts: [Range<Int>])? {
        // The braces that are not closed yet, each with its finished parts and the start of the current part. An outer pair is expanded
        // before an inner pair.
        var open: [(start: Int, parts: [Range<Int>], part: Int)] = []
        var best: (range: Range<Int>, parts: [Range<Int>])?
        var index = 0
        while index < pattern.count {
            switch pattern[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "{"): open.append((index, [], index + 1))
            case UInt8(ascii: ","):
                if let last = open.indices.last {
                    open[last].parts.append(open[last].part..<index)
                    open[last].part = index + 1
                }
            case UInt8(ascii: "}"):
                if let last = open.popLast(), !last.parts.isEmpty, best.map({ last.start < $0.range.lowerBound }) ?? true {
                    best = (last.start..<index + 1, last.parts + [last.part..<index])
                }
                if open.isEmpty, let best { return best }
            default: break
            }
            index += 1
        }
        return best
    }
}

/// The characters of a file name, which may be invalid UTF-8.
private enum GlobScalars {
    /// An invalid byte is represented by the sum of this number and the byte.
    static let invalid: UInt32 = 0x110000

    static func decoded(_ bytes: some Collection<UInt8>) -> [UInt32] {
        var scalars: [UInt32] = []
        scalars.reserveCapacity(bytes.count)
        // Most names are ASCII.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            for byte in bytes { scalars.append(UInt32(byte)) }
            return scalars
        }
        let bytes = Array(bytes)
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            let length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            let end = index + length
            if end <= bytes.count, let text = String(validating: bytes[index..<end], as: UTF8.self), let scalar = text.unicodeScalars.first
            {
                scalars.append(scalar.value)
                index = end
            } else {
                scalars.append(invalid + UInt32(lead))
                index += 1
            }
        }
        return scalars
    }

    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        if let scalar = Unicode.Scalar(scalar) {
            bytes.append(contentsOf: UTF8.encode(scalar)!)
        } else {
            bytes.append(UInt8(truncatingIfNeeded: scalar - invalid))
        }
    }
}

extension UInt32 {
    /// Compares a code point with an ASCII character.
    fileprivate static func == (scalar: UInt32, character: Unicode.Scalar) -> Bool { scalar == character.value }
    fileprivate static func != (scalar: UInt32, character: Unicode.Scalar) -> Bool { scalar != character.value }
    fileprivate static func ~= (character: Unicode.Scalar, scalar: UInt32) -> Bool { scalar == character.value }
}
