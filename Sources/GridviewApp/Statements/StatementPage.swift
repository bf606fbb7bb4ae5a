import DataGridTerminal
import Tables
import TerminalSurface

/// The SQL statements that a server runs for a view.
public struct ShownStatements: Equatable, Sendable {
    var statements: [ViewStatement]
    /// The state of the request for the plans of the statements.
    var plans = Plans.requested

    /// The state of a request for query plans.
    enum Plans: Equatable, Sendable {
        case requested, known
        case failed(String)
    }
}

extension Page {
    /// The page with the SQL statements that a server runs for the view, and their plans.
    static let statements = Page("SQL of this view", copyableText: ("the first statement", firstStatement)) { statementLines($0) }

    @MainActor private static func firstStatement(_ state: AppState) -> String {
        state.sheet.statements?.statements.first.map { $0.text + ";\n" } ?? ""
    }

    @MainActor private static func statementLines(_ state: AppState) -> [Line] {
        guard let shown = state.sheet.statements else { return [] }
        func lines(_ text: String) -> [Line] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { .text("  " + DisplayWidth.printable(String($0))) }
        }
        return shown.statements.enumerated().flatMap { index, statement -> [Line] in
            let plan: [Line] =
                switch shown.plans {
                case .requested: [.text("  Asking the server …")]
                case .failed(let reason): index == 0 ? [.text("  " + reason)] : []
                case .known: statement.plan.isEmpty ? [.text("  None.")] : statement.plan.flatMap(lines)
                }
            let heading: [Line] = plan.isEmpty ? [] : [.text(""), .chapter("Plan: \(statement.title.lowercased())")]
            return [.chapter(statement.title)] + lines(statement.text) + heading + plan + [.text("")]
        }
    }
}
