import DataGrid
import DataGridQuery
import Tables

extension Session {
    /// Shows the SQL statements of the view at once, and starts a job that adds their plans.
    func startFindingStatements() {
        let (input, row) = (document.input, state.grid.currentRow?.rawValue)
        do {
            let statements = try input.statements(ofViewWithRow: row, withPlans: false) { false }
            guard !statements.isEmpty else { return send(.show(.noStatements)) }
            send(.statementsFound(ShownStatements(statements: statements)))
            startJob(.lookUp, "asking for the plan", .rows(1)) { control, outbox in
                let found = Result { try input.statements(ofViewWithRow: row, withPlans: true) { control.isCancelled } }
                switch found {
                case .success(let statements): outbox.send(.statementsFound(ShownStatements(statements: statements, plans: .known)))
                case .failure(let error):
                    try control.checkCancellation()
                    let reason = JobFailure.sentence(about: error, "asking for the plan")
                    outbox.send(.statementsFound(ShownStatements(statements: statements, plans: .failed(reason))))
                }
            }
        } catch {
            send(.show(.jobFailed(JobFailure.sentence(about: error, "compiling the query"))))
        }
    }
}

extension AppState {
    /// Opens the page with SQL statements, or updates it with plans. Plans that arrive after the page was closed are ignored.
    mutating func show(_ statements: ShownStatements) -> [AppEffect] {
        let isOpen = (overlay as? Page)?.title == Page.statements.title
        guard isOpen || statements.plans == .requested else { return [] }
        sheet.statements = statements
        return isOpen ? [] : open(Page.statements)
    }
}
