public import DataGridTerminal

/// The keys and the mouse of the program, for documents outside of it.
public enum KeyHelp {
    /// The chapters of the help, with the standard keys.
    public static var chapters: [KeyHelpChapter] { HelpText.chapters(.standard) }
}
