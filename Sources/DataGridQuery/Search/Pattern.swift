import CPattern

/// A regular expression on the bytes of fields. Matching takes time linear in the length of the field.
///
/// Uses the syntax of RE2 (R. Cox, "Regular Expression Matching in the Wild", 2010): Perl syntax without back-references and look-around.
/// `.` and classes match whole UTF-8 characters; nothing matches ill-formed bytes. `^` and `$` match at the ends of the field, or of lines
/// after `(?m)`.
public final class Pattern: Sendable {
    /// An error in a regular expression.
    public struct SyntaxError: Error, Hashable, Sendable {
        /// A phrase that describes the error, without a full stop.
        public let message: String
        /// The part of the expression that is invalid; empty if unknown.
        public let fault: String
    }

    /// The expression as written.
    public let text: String
    /// True if letter case is ignored.
    public let ignoresCase: Bool
    private nonisolated(unsafe) let compiled: OpaquePointer

    /// Compiles a regular expression.
    /// - Throws: ``SyntaxError`` if the expression is invalid or too large.
    public init(_ text: String, ignoresCase: Bool = false) throws(SyntaxError) {
        self.text = text
        self.ignoresCase = ignoresCase
        var message = [CChar](repeating: 0, count: 256)
        var fault = [CChar](repeating: 0, count: 256)
        var source = text
        let pattern = source.withUTF8 {
            gv_pattern_make($0.baseAddress, $0.count, ignoresCase ? 1 : 0, &message, message.count, &fault, fault.count)
        }
        guard let pattern else { throw SyntaxError(message: Pattern.string(message), fault: Pattern.string(fault)) }
        compiled = pattern
    }

    deinit { gv_pattern_free(compiled) }

    /// True if the expression matches anywhere in `bytes`.
    /// - Complexity: O(`bytes.count`). Several threads can call it at once.
    public func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        gv_pattern_matches(compiled, bytes.baseAddress, bytes.count) != 0
    }

    /// The leftmost match that starts at or after `start`, as byte offsets. It can be empty.
    /// - Complexity: O(`bytes.count` − `start`).
    public func firstMatch(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Range<Int>? {
        var (begin, end) = (0, 0)
        guard start >= 0, gv_pattern_find(compiled, bytes.baseAddress, bytes.count, start, &begin, &end) != 0 else { return nil }
        return begin..<end
    }

    private static func string(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
