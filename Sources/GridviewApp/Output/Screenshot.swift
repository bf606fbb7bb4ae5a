import DataGridSources
public import TerminalSurface

/// Draws the screen that a sequence of keys leads to, without a terminal.
@MainActor
public enum Screenshot {
    /// The format of the drawn screen: plain characters, characters with color sequences, or an image.
    public enum Format: String, Sendable, CaseIterable {
        case text, ansi, svg
    }

    /// The screen after `keys` were handled, every job has finished, and all visible rows have arrived from a server. Does not wait
    /// for more rows after some could not be fetched.
    /// - Parameter additionalSheets: more sheets, to the right of the document's sheet.
    public static func draw(
        _ document: Document, options: LaunchOptions, additionalSheets: [SheetInput] = [], size: TerminalSize, keys: [KeyPress]
    ) throws -> CellBuffer {
        let backend = RecordingBackend(size: size)
        backend.keepsOnlyLastFrame = true
        let session = try Session(document, options: options, backend: backend, runner: .inline)
        try session.add(additionalSheets)
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
        // If rows of one page cannot be fetched, rows of other pages may be requested again and again.
        while session.awaitsVisibleRows, !session.document.source.hasFailedReads {
            Platform.sleep(milliseconds: 1)
            session.turn()
        }
    }
}
