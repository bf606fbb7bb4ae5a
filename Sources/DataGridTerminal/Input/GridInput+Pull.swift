public import DataGrid

extension GridInput {
    /// The number of lines that one wheel notch or arrow key pulls.
    public static let pulledLines = 1

    /// Converts an action that moves beyond the top to a pull, if pulling is enabled (`GridState.pull`). A move back first reduces the
    /// pull. Other actions are returned unchanged.
    ///
    /// The caller must release the pull (`GridAction.releasePull`) after about a quarter of a second without a pull.
    public static func pullAction(for action: GridAction, in state: GridState) -> GridAction {
        guard let pull = state.pull else { return action }
        let isUncovered = pull.uncovered > 0
        switch action {
        case .scrollLines(let count) where count < 0 && state.isAtTop: return .pull(by: pulledLines)
        case .scrollLines(let count) where count > 0 && isUncovered: return .pull(by: -pulledLines)
        case .move(.up, extending: false) where state.isAtTop && (isUncovered || state.isCursorAtTop): return .pull(by: pulledLines)
        case .move(.down, extending: false) where isUncovered: return .pull(by: -pulledLines)
        default: return action
        }
    }
}
