public import DataGrid

extension GridInput {
    /// Lines that a notch of the wheel, or an arrow key, pulls out of the strip at the top.
    public static let pulledLines = 1

    /// What an action does that goes beyond the top, where pulling is on (`GridState.pull`): it pulls; and back again, what is pulled out
    /// goes in first. Anything else stays what it is.
    ///
    /// Who performs a pull lets go (`GridAction.releasePull`) when none has come for about a quarter of a second.
    public static func pulling(_ action: GridAction, in state: GridState) -> GridAction {
        guard let pull = state.pull else { return action }
        let isOut = pull.uncovered > 0
        switch action {
        case .scrollLines(let count) where count < 0 && state.isAtTop: return .pull(by: pulledLines)
        case .scrollLines(let count) where count > 0 && isOut: return .pull(by: -pulledLines)
        case .move(.up, extending: false) where state.isAtTop && (isOut || state.isCursorAtTop): return .pull(by: pulledLines)
        case .move(.down, extending: false) where isOut: return .pull(by: -pulledLines)
        default: return action
        }
    }
}
