import Tables
import DataGrid
import DataGridQuery
import DataGridTerminal

/// What the columns seem to hold that longer records have added.
struct LaterColumns: Sendable {
    /// The number of the first of them.
    let first: Int
    private(set) var profiles: [ColumnProfile]

    init(first: Int, profiles: [ColumnProfile]) { (self.first, self.profiles) = (first, profiles) }

    /// With those behind them.
    func appending(_ more: LaterColumns?) -> LaterColumns {
        LaterColumns(first: first, profiles: profiles + (more?.profiles ?? []))
    }
}

/// What a job has found, or news of a file, for the main thread to take.
struct Letter: Sendable {
    /// The sheet that it is about.
    var sheet: Int
    /// `nil` for news of the file, which no job brings.
    var kind: JobKind?
    /// Which run of the job wrote it; letters of former runs are thrown away.
    var generation: Int
    var content: Content

    enum Content: Sendable {
        /// Something that changes the state.
        case action(AppAction)
        /// The matches of a search, all of them.
        case matches(MatchIndex)
        /// A row of the grid that has been mapped, to be read as a whole.
        case record(RowID, any LazyRecord)
        /// What filters have left.
        case filtered(FilteredRows)
        /// The index has grown; only the newest report counts. With what is odd about the file, when that was looked for again.
        case grown(notes: [String]?, columns: LaterColumns?)
        /// The last records are there; they were asked for with the cursor at a place.
        case tail(TailRecords, from: GridCursor)
        /// What a derived field seems to hold.
        case derived(DerivedField, ColumnProfile)
        /// The file is open.
        case opened(OpenedInput)
        /// What the terminal gets to fill the clipboard, if anything; and what to say.
        case copied([UInt8]?, Message)
        /// This file was found changed.
        case fileChanged(any TableSource, FileChange)
        /// The end of the job; with a sentence when it failed.
        case ended(failure: String?)
    }
}

/// Where letters are left, for the session to open on the main thread. From any thread.
struct LetterBox: Sendable {
    private let mailbox: GridMailbox
    private let session: WeakSession

    @MainActor
    init(_ mailbox: GridMailbox, _ session: Session) { (self.mailbox, self.session) = (mailbox, WeakSession(session)) }

    func post(_ letter: Letter) { mailbox.post { [session] in session.session?.take(letter) } }
}

/// A job must not keep the session that waits for it.
@MainActor
private final class WeakSession {
    weak var session: Session?

    init(_ session: Session) { self.session = session }
}

/// Leaves the letters of one run of a job. From any thread.
struct JobLetters: Sendable {
    let box: LetterBox
    let sheet: Int
    let kind: JobKind
    let generation: Int

    func post(_ content: Letter.Content) { box.post(Letter(sheet: sheet, kind: kind, generation: generation, content: content)) }
}
