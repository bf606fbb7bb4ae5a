extension AppState {
    /// Turns the mouse on or off. While it is off, the terminal selects text itself.
    mutating func toggleMouse() -> [AppEffect] {
        isMouseOn.toggle()
        noteChange(of: "mouse", to: .boolean(isMouseOn))
        message = isMouseOn ? .mouseOn : .mouseOff(mouse: key(.mouse))
        return [.setMouse(isMouseOn)]
    }

    /// Shows or hides the hint line.
    mutating func toggleHints() -> [AppEffect] {
        showsHints.toggle()
        noteChange(of: "hints", to: .boolean(showsHints))
        if !showsHints { say(.hintsOff(hints: key(.hints), keep: keepHint)) }
        resize(to: size)
        return []
    }

    /// Ends the program. A picker fails, because nothing was picked.
    mutating func quit() -> [AppEffect] {
        exitStatus = pick == nil ? 0 : 1
        return []
    }
}
