/// A pattern for one component of a path: `*`, `?`, `[…]` and `\` as in a shell.
struct GlobPattern: Sendable, Equatable {
    private enum Token: Equatable {
        case scalar(UInt32)
        case one
        case many
        case set([ClosedRange<UInt32>], isNegated: Bool)
    }

    private let tokens: [Token]

    /// True if the component is `**`, which matches any number of folders.
    let isDeep: Bool
    /// The only name that the pattern matches, without escapes; `nil` if it may match several names.
    let literal: [UInt8]?

    /// - Parameter text: a component of a path in UTF-8.
    init(_ text: some Collection<UInt8>) {
        isDeep = text.elementsEqual("**".utf8)
        let scalars = GlobScalars.decoded(text)
        var tokens: [Token] = []
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            place += 1
            switch scalar {
            case "*": if tokens.last != .many { tokens.append(.many) }
            case "?": tokens.append(.one)
            case "[":
                if let (set, end) = Self.set(scalars, from: place) {
                    tokens.append(set)
                    place = end
                } else {
                    tokens.append(.scalar(scalar))
                }
            case "\\" where place < scalars.count:
                tokens.append(.scalar(scalars[place]))
                place += 1
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
        var place = start
        var isNegated = false
        if place < scalars.count, scalars[place] == "!" || scalars[place] == "^" {
            isNegated = true
            place += 1
        }
        var ranges: [ClosedRange<UInt32>] = []
        let first = place
        while place < scalars.count {
            var low = scalars[place]
            if low == "]", place > first { return (.set(ranges, isNegated: isNegated), place + 1) }
            if low == "\\", place + 1 < scalars.count {
                place += 1
                low = scalars[place]
            }
            if place + 2 < scalars.count, scalars[place + 1] == "-", scalars[place + 2] != "]" {
                let high = scalars[place + 2]
                if low <= high { ranges.append(low...high) }
                place += 3
            } else {
                ranges.append(low...low)
                place += 1
            }
        }
        return nil
    }

    /// True if the pattern matches the whole name. A leading dot of the name matches only a leading dot of the pattern. O(name × pattern).
    func matches(_ name: some Collection<UInt8>) -> Bool {
        // An escape may divide the bytes of a character, so a name without wildcards is compared by bytes.
        if let literal { return name.elementsEqual(literal) }
        if name.first == UInt8(ascii: "."), tokens.first != .scalar(UInt32(UInt8(ascii: "."))) { return false }
        let scalars = GlobScalars.decoded(name)
        var (place, token) = (0, 0)
        // Where to continue if the rest does not match: the last star then matches one more character.
        var retry: (place: Int, token: Int)?
        while place < scalars.count {
            if token < tokens.count, tokens[token] == .many {
                token += 1
                retry = (place, token)
            } else if token < tokens.count, Self.matches(tokens[token], scalars[place]) {
                place += 1
                token += 1
            } else if let last = retry {
                retry = (last.place + 1, last.token)
                (place, token) = (last.place + 1, last.token)
            } else {
                return false
            }
        }
        while token < tokens.count, tokens[token] == .many { token += 1 }
        return token == tokens.count
    }

    private static func matches(_ token: Token, _ scalar: UInt32) -> Bool {
        switch token {
        case .scalar(let wanted): wanted == scalar
        case .one: true
        case .many: false
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

    /// The first pair of braces that contains a comma, and the parts between its commas.
    private static func firstBrace(in pattern: [UInt8]) -> (range: Range<Int>, parts: [Range<Int>])? {
        // The open braces, with their finished parts and the start of the current part. An inner pair is expanded after the outer one.
        var open: [(start: Int, parts: [Range<Int>], part: Int)] = []
        var best: (range: Range<Int>, parts: [Range<Int>])?
        var place = 0
        while place < pattern.count {
            switch pattern[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "{"): open.append((place, [], place + 1))
            case UInt8(ascii: ","):
                if let last = open.indices.last {
                    open[last].parts.append(open[last].part..<place)
                    open[last].part = place + 1
                }
            case UInt8(ascii: "}"):
                if let last = open.popLast(), !last.parts.isEmpty, best.map({ last.start < $0.range.lowerBound }) ?? true {
                    best = (last.start..<place + 1, last.parts + [last.part..<place])
                }
                if open.isEmpty, let best { return best }
            default: break
            }
            place += 1
        }
        return best
    }
}

/// The characters of a file name, which need not be UTF-8.
private enum GlobScalars {
    /// The value that represents an invalid byte is this number plus the byte.
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
        var place = 0
        while place < bytes.count {
            let lead = bytes[place]
            let length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            let end = place + length
            if end <= bytes.count, let text = String(validating: bytes[place..<end], as: UTF8.self), let scalar = text.unicodeScalars.first
            {
                scalars.append(scalar.value)
                place = end
            } else {
                scalars.append(invalid + UInt32(lead))
                place += 1
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
