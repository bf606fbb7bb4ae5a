public import TerminalSurface

/// Draws the screen that a sequence of keys leads to, without a terminal.
@MainActor
public enum Screenshot {
    /// The format of the drawn screen: plain characters, characters with color sequences, or an image.
    public enum Format: String, Sendable, CaseIterable {
        case text, ansi, svg
    }

    /// The screen after `keys` were handled, every job has finished, and all visible rows have arrived from a server.
    /// - Parameter additional: more sheets, to the right of the document's sheet.
    public static func draw(
        _ document: Document, options: LaunchOptions, additional: [SheetInput] = [], size: TerminalSize, keys: [KeyPress]
    ) throws -> CellBuffer {
        let backend = RecordingBackend(size: size)
        backend.keepsOnlyLastFrame = true
        let session = try Session(document, options: options, backend: backend, runner: .inline)
        try session.add(additional)
        try session.start()
        turn(session)
        for press in keys {
            backend.events.append(.key(press))
            turn(session)
            if session.state.exitStatus != nil { break }
        }
        return backend.screen
    }

    private static func turn(_ session: Session) {
        session.turn()
        while session.awaitsVisibleRows {
            Platform.sleep(milliseconds: 1)
            session.turn()
        }
    }
}
