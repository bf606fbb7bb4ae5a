extension AppState {
    /// Turns mouse events on or off. While they are off, the terminal selects text with the mouse.
    mutating func toggleMouse() -> [AppEffect] {
        isMouseOn.toggle()
        recordChange(of: "mouse", to: .boolean(isMouseOn))
        message = isMouseOn ? .mouseOn : .mouseOff(mouseKey: key(.mouse))
        return [.setMouse(isMouseOn)]
    }

    /// Shows or hides the key hints in the last line.
    mutating func toggleHints() -> [AppEffect] {
        showsHints.toggle()
        recordChange(of: "hints", to: .boolean(showsHints))
        if !showsHints { show(.hintsOff(hintsKey: key(.hints), saveKey: saveHint)) }
        resize(to: size)
        return []
    }

    /// Goes back to the sheet from which this one was opened or, without such a sheet, ends the program.
    ///
    /// While an export is running, the first press of the key only asks, because the export would be lost. The second press quits.
    mutating func askToQuit() -> [AppEffect] {
        if let originSheet { return goBack(to: originSheet) }
        guard sheets.contains(where: { $0.jobs.contains { $0.kind == .export } }) else { return quit() }
        return show(.exportStopsOnQuit(quitKey: key(.close), cancelKey: key(.escape)))
    }

    /// Ends the program at once. If the program was started to pick rows, the exit status is 1, because no rows were picked.
    mutating func quit() -> [AppEffect] {
        exitStatus = pick == nil ? 0 : 1
        return []
    }
}
