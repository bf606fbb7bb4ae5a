extension AppState {
    /// Turns the mouse on or off. While it is off, the terminal selects text itself.
    mutating func toggleMouse() -> [AppEffect] {
        isMouseOn.toggle()
        message = isMouseOn ? .mouseOn : .mouseOff(mouse: key(.mouse))
        return [.setMouse(isMouseOn)]
    }
}
