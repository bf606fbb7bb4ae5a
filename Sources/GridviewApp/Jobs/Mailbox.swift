import Locks
import Tables
import DataGrid
import DataGridQuery

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

/// Where jobs leave what they have found, for the main thread to take. Reports on progress replace the one before.
final class Mailbox: Sendable {
    /// A letter from a job.
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

    private let letters = Mutex<[Letter]>([])
    /// Ends the main thread's wait.
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Leaves a letter. From any thread.
    func post(_ letter: Letter) {
        letters.withLock { letters in
            if case .grown(let notes, let columns) = letter.content, let last = letters.last, last.generation == letter.generation,
                last.sheet == letter.sheet,
                case .grown(let notesBefore, let columnsBefore) = last.content
            {
                letters[letters.count - 1].content = .grown(
                    notes: notes ?? notesBefore, columns: columnsBefore?.appending(columns) ?? columns)
            } else {
                letters.append(letter)
            }
        }
        wake()
    }

    /// Takes all letters, in the order they came.
    func drain() -> [Letter] {
        letters.withLock { letters in
            defer { letters.removeAll(keepingCapacity: true) }
            return letters
        }
    }
}

/// Leaves the letters of one run of a job in the mailbox. From any thread.
struct JobLetters: Sendable {
    let mailbox: Mailbox
    let sheet: Int
    let kind: JobKind
    let generation: Int

    func post(_ content: Mailbox.Letter.Content) {
        mailbox.post(Mailbox.Letter(sheet: sheet, kind: kind, generation: generation, content: content))
    }
}
