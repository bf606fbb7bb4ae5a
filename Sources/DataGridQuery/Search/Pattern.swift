import CPattern

/// A regular expression over the bytes of fields, which costs time linear in their length, whatever the expression.
///
/// The syntax is that of RE2 (R. Cox, "Regular Expression Matching in the Wild", 2010): Perl's, without back references and look-around.
/// `.` and classes stand for whole characters of UTF-8; bytes that are no UTF-8 are matched by nothing. `^` and `$` are the ends of the
/// field, unless `(?m)` says lines.
public final class Pattern: Sendable {
    /// Why a text is no expression.
    public struct Mistake: Error, Hashable, Sendable {
        /// What is wrong, as a phrase without a full stop.
        public let message: String
        /// The part of the text that is; empty when it cannot be told.
        public let fault: String
    }

    /// The expression as written.
    public let text: String
    /// Whether letters match whatever their case.
    public let ignoresCase: Bool
    private nonisolated(unsafe) let compiled: OpaquePointer

    /// Compiles `text`.
    /// - Throws: ``Mistake`` when it is no expression, or one that would be too large.
    public init(_ text: String, ignoresCase: Bool = false) throws(Mistake) {
        self.text = text
        self.ignoresCase = ignoresCase
        var message = [CChar](repeating: 0, count: 256)
        var fault = [CChar](repeating: 0, count: 256)
        var source = text
        let pattern = source.withUTF8 {
            gv_pattern_make($0.baseAddress, $0.count, ignoresCase ? 1 : 0, &message, message.count, &fault, fault.count)
        }
        guard let pattern else { throw Mistake(message: Pattern.string(message), fault: Pattern.string(fault)) }
        compiled = pattern
    }

    deinit { gv_pattern_free(compiled) }

    /// Whether the expression matches anywhere in `bytes`.
    /// - Complexity: O(`bytes.count`). Safe to call from several threads at once.
    public func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        gv_pattern_matches(compiled, bytes.baseAddress, bytes.count) != 0
    }

    /// The leftmost match that begins at `start` or after it, as offsets in `bytes`; it can be empty.
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
