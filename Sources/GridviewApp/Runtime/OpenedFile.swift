import DelimitedText

/// A file with everything that opening it has read, for the main thread to show without reading more.
struct OpenedFile: Sendable {
    let file: DelimitedFile
    let profiles: [ColumnProfile]
    /// What is odd about its first block.
    let notes: [String]
    /// What a file that is open already has got, when that is all that has changed.
    var growth: FileGrowth?

    init(_ file: DelimitedFile) {
        self.file = file
        profiles = file.profiles(budgetMilliseconds: 4)
        notes = DiagnosticText.sentences(about: file)
    }

    /// Opens a path that is open already.
    ///
    /// Columns that only later rows have are found again: the file is read to its end then.
    /// - Parameters:
    ///   - former: the file as it is open.
    ///   - isWhole: whether all of it is indexed.
    ///   - isWanted: asked while the file is read; `false` leaves the rest of its columns for later.
    init(
        path: String, options: LaunchOptions, former: DelimitedFile, isWhole: Bool, isWanted: @escaping @Sendable () -> Bool
    ) throws(DelimitedTextError) {
        let file = try DelimitedFile(path: path, request: options.dialect)
        self.init(file)
        // Of a file that was small, more may be found out now.
        if isWhole, case .grown = former.checkForChange(), file.dialect == former.dialect, file.header == former.header,
            file.columnCount <= former.columnCount
        {
            growth = former.growth()
        }
        if file.columnCount < former.columnCount {
            try file.buildIndex(threads: options.threads, cache: options.indexCache) { _ in isWanted() }
        }
    }
}
