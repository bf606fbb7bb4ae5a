import DataGridSources

/// The members of the current sheet.
extension Session {
    var sheet: OpenSheet { sheets[state.sheet.id]! }
    var document: Document { sheet.document }
    var jobs: JobBoard { sheet.jobs }
    var filtered: FilteredRows? { sheet.filtered }
    var matches: MatchIndex? { sheet.matches }
    var lastFollowed: ContinuousClock.Instant {
        get { sheet.lastFollowed }
        set { sheet.lastFollowed = newValue }
    }
    var isRecordEndWanted: Bool {
        get { sheet.isRecordEndWanted }
        set { sheet.isRecordEndWanted = newValue }
    }
}
