/// The members of the current sheet.
extension Session {
    var sheet: OpenSheet { sheets[state.sheet.id]! }
    var document: Document { sheet.document }
    var jobs: JobRegistry { sheet.jobs }
}
