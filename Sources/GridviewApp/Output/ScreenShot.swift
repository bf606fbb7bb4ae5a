public import TerminalSurface

/// Draws the screen as it is after some keys, without a terminal.
@MainActor
public enum ScreenShot {
    /// How a screen is written: bare characters, characters with colour sequences, or a picture.
    public enum Format: String, Sendable, CaseIterable {
        case text, ansi, svg
    }

    /// The screen after `keys`, with every job done.
    /// - Parameter further: sheets behind that of the document.
    public static func draw(
        _ document: Document, options: LaunchOptions, further: [SheetInput] = [], size: TerminalSize, keys: [KeyPress]
    ) throws -> CellBuffer {
        let backend = RecordingBackend(size: size)
        backend.keepsOnlyLastFrame = true
        let session = try Session(document, options: options, backend: backend, runner: .inline)
        try session.add(further)
        try session.start()
        session.turn()
        for press in keys {
            backend.events.append(.key(press))
            session.turn()
            if session.state.exitStatus != nil { break }
        }
        return backend.screen
    }
}
