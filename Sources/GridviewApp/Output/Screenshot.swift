public import TerminalSurface

/// Draws the screen that a sequence of keys leads to, without a terminal.
@MainActor
public enum Screenshot {
    /// The format of the drawn screen: plain characters, characters with color sequences, or an image.
    public enum Format: String, Sendable, CaseIterable {
        case text, ansi, svg
    }

    /// The screen after `keys` were handled and every job has finished.
    /// - Parameter additional: more sheets, to the right of the document's sheet.
    public static func draw(
        _ document: Document, options: LaunchOptions, additional: [SheetInput] = [], size: TerminalSize, keys: [KeyPress]
    ) throws -> CellBuffer {
        let backend = RecordingBackend(size: size)
        backend.keepsOnlyLastFrame = true
        let session = try Session(document, options: options, backend: backend, runner: .inline)
        try session.add(additional)
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
