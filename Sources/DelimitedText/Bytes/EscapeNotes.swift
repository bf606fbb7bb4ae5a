import FieldValues
import Locks

/// Escapes in text without quotes that stay as written, unclear line endings, and ignored text. The thread that rewrites the text adds
/// them; other threads read them.
package final class EscapeNotes: Sendable {
    private struct State {
        var unclearCount = 0
        /// The first escape that stays as written.
        var firstUnclear: [UInt8] = []
        var hasMixedLineEnds = false
        var hasTextAfterEnd = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds an escape that MySQL and PostgreSQL read differently.
    func addUnclear(_ text: [UInt8]) {
        state.withLock { state in
            if state.unclearCount == 0 { state.firstUnclear = text }
            state.unclearCount += 1
        }
    }

    /// Adds lines with different endings. MySQL can write line feeds and carriage returns of values without an escape.
    func addMixedLineEnds() { state.withLock { $0.hasMixedLineEnds = true } }

    /// Adds text after the line that ends the rows.
    func addTextAfterEnd() { state.withLock { $0.hasTextAfterEnd = true } }

    /// The problems found so far, one phrase each.
    package var problems: [String] {
        let state = state.withLock { $0 }
        var phrases: [String] = []
        if state.unclearCount > 0 {
            let isOnly = state.unclearCount == 1
            phrases.append(
                "\(isOnly ? "1 escape stays" : "\(NumberText.count(state.unclearCount)) escapes stay") as written, because MySQL and PostgreSQL "
                    + "read \(isOnly ? "it" : "them") differently (\(isOnly ? "" : "first: ")\(String(decoding: state.firstUnclear, as: UTF8.self)))"
            )
        }
        if state.hasMixedLineEnds {
            phrases.append("some lines end with LF and others with CR LF, so values with such characters may be wrong")
        }
        if state.hasTextAfterEnd { phrases.append("text after the line that ends the rows of PostgreSQL is not read") }
        return phrases
    }
}
