import DelimitedText
public import Tables

extension FileOpener {
    /// The name that a file, a folder or a pattern has before it is opened. The name of an existing file can contain wildcard characters.
    public static func name(ofPath path: String) -> String {
        (GlobPattern.isPattern(path) && Platform.status(ofPath: path) == nil ? FileSelection.pattern(path) : .folder(path)).name
    }

    /// Opens files as one table. Columns with the same title become one column. A path may be a folder or a pattern such as `logs/*.csv`.
    /// - Throws: a `TableError` if no file can be opened.
    public func open(paths: [String]) throws -> any TableSource {
        if paths.count == 1 { return try open(path: paths[0]) }
        return try openTable(.paths(paths), try FileSelection.paths(paths).find())
    }

    /// Opens a folder, or the files that match a pattern. Returns `nil` for the path of a file.
    ///
    /// The files that match a pattern are one table, without the files that ``MainFiles`` leaves out. The files of a folder are one table
    /// if they are similar. They are similar if a subfolder is named `key=value`, or if all tables have the same format and at least half
    /// of their columns in common. If they are not similar, the folder opens as a list of its files. Files that cannot be read are not
    /// compared.
    func openManyFiles(path: String) throws -> (any TableSource)? {
        let status = Platform.status(ofPath: path)
        if let status {
            guard status.kind == .folder else { return nil }
            let selection = FileSelection.folder(path)
            let found = try selection.find()
            return try openFolder(selection, found)
        }
        guard GlobPattern.isPattern(path) else { return nil }
        let selection = FileSelection.pattern(path)
        let found = try selection.find()
        if found.files.isEmpty {
            if let source = try openTables(path) { return source }
            throw FormatError(found.failures.first ?? "No file matches \(path.withoutControls). Check the pattern.")
        }
        return listsFiles ? FolderList(selection, found) : try openTable(selection, found)
    }

    /// Opens one table of each file that matches a pattern, such as `books/*.xlsx:Sheet2`. Returns `nil` if the text before the last colon
    /// matches no files.
    private func openTables(_ path: String) throws -> (any TableSource)? {
        guard let colon = path.lastIndex(of: ":") else { return nil }
        let selection = FileSelection.pattern(String(path[..<colon]))
        let found = try selection.find()
        guard !found.files.isEmpty else { return nil }
        var opener = self
        opener.table = String(path[path.index(after: colon)...])
        return try opener.openTable(selection, found)
    }

    private func openFolder(_ selection: FileSelection, _ found: FileFinder) throws -> any TableSource {
        if found.files.isEmpty && found.subfolders.isEmpty {
            let path = (selection.path ?? "").withoutControls
            throw FormatError(found.failures.first ?? "Cannot open \(path): the folder contains no files.")
        }
        if !listsFiles, let files = try filesOfOneTable(found) { return try openTable(selection, files) }
        return FolderList(selection, found)
    }

    /// The files of a folder that form one table; `nil` if the files are different tables.
    private func filesOfOneTable(_ found: FileFinder) throws -> FileFinder? {
        func kind(_ file: FileFinder.File) -> FileKind { FileKind(file.path) }
        var files = found.files.filter { kind($0).use == .table }
        if files.isEmpty { files = found.files.filter { kind($0).use == .text } }
        if files.isEmpty { files = found.files.filter { !kind($0).hasFormatSuffix } }
        guard let first = files.first, Set(files.map { kind($0).name }).count == 1 else { return nil }
        var result = found
        result.keep(files)
        // Files in folders with names such as `year=2024` are parts of one table.
        let isPartitioned = files.contains { file in file.path.split(separator: "/").dropLast().contains { FileFinder.isPartition($0) } }
        if isPartitioned || files.count == 1 { return found.subfolders.isEmpty || isPartitioned ? result : nil }
        let isTableKind = kind(first).use == .table
        var compared: [ColumnTitles] = []
        /// Adds the column titles of a file to `compared`. Returns `false` if the file cannot be part of the table.
        func addTitles(of file: FileFinder.File) -> Bool {
            // A damaged file does not decide if the files are similar. It is left out of the table later, with a message.
            guard let source = try? openFile(path: file.path) else { return isTableKind }
            // A file of another kind is a table only if its content looks like one.
            let titles = ColumnTitles(source)
            guard !(source is ContainerSource), isTableKind || titles.isTable else { return false }
            compared.append(titles)
            return true
        }
        for file in files.prefix(Self.maximumComparedFiles) where compared.count(where: { !$0.isEmpty }) < 2 {
            guard addTitles(of: file) else { return nil }
        }
        guard addTitles(of: files[files.count - 1]) else { return nil }
        // If all compared files are damaged, the folder opens as a table, and the messages of the table name the damaged files.
        guard let titles = compared.first(where: { !$0.isEmpty }) ?? compared.first else { return result }
        return compared.allSatisfy(titles.hasSimilarColumns(as:)) ? result : nil
    }

    /// The maximum number of files to open in search of two readable files.
    private static let maximumComparedFiles = 20

    private func openTable(_ selection: FileSelection, _ found: FileFinder) throws -> any TableSource {
        guard !found.files.isEmpty else {
            throw FormatError(found.failures.first ?? "\(selection.name.withoutControls) contains no files.")
        }
        let source = try ConcatSource(selection, found, by: self)
        // A single file opens as that file, unless its path has partition values, or files are left out, which only `ConcatSource` reports.
        let isComplete = found.failures.isEmpty && found.otherFilesPhrase == nil && found.subfolders.isEmpty
        if found.files.count == 1, source.fileFields.count == 0, isComplete { return try source.openFiles.source(0) }
        return source
    }

    /// True if a file that could not be opened is damaged: its first bytes are unreadable, or match a supported format. False if it is
    /// another kind of file.
    func isDamaged(_ path: String) -> Bool {
        guard let file = BinaryFile(path: path), let head = try? file.bytes(at: 0, count: 512) else { return true }
        return binaryFormats.contains { $0.matches(head) }
    }
}
