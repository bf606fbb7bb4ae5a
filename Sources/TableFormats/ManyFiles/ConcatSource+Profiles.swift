import DelimitedText
import FieldValues
import Tables

/// Profiles of columns, from samples of several files.
extension ConcatSource {
    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] {
        let deadline = Platform.monotonicMilliseconds() + max(0, budgetMilliseconds)
        var profiles = dataProfiles(from: 0, budgetMilliseconds: budgetMilliseconds)
        // The profiles of columns that are text only because two files write their numbers or dates differently.
        var conflicts: [Int: ColumnProfile] = [:]
        // Files in the middle and at the end are sampled, too, because their values may have other kinds.
        let count = openFiles.files.count
        if budgetMilliseconds > 0, let currentFile = knownFiles().currentFile, currentFile.file == 0, Self.opensQuickly(currentFile.source)
        {
            let kind = FileKind(openFiles.files[0].path)
            var sampled: [Int] = []
            for file in [count - 1, count / 2, count / 4, count * 3 / 4] where file > 0 && !sampled.contains(file) {
                sampled.append(file)
            }
            for (number, file) in sampled.enumerated() where kind.compression == nil && FileKind(openFiles.files[file].path) == kind {
                // The last file, which comes first in `sampled`, is sampled even after the deadline. The result therefore depends less on
                // the speed of the machine.
                if number > 0, Platform.monotonicMilliseconds() >= deadline { break }
                guard let source = try? openFiles.source(file, detectHeader: { self.hasHeader($0, file) }) else { continue }
                Self.merge(source.profiles(budgetMilliseconds: 0), knownMap(of: source), into: &profiles, &conflicts)
            }
        }
        // Files of other kinds often write the same values in another way: for example, only text files have numbers such as `(1,234.50)`.
        let known = knownFiles()
        if budgetMilliseconds > 0, let first = known.finished.firstIndex(where: { $0.map != nil }) ?? known.currentFile?.file {
            for file in firstFilesOfOtherKinds(than: first) {
                guard let source = try? openFiles.source(file, detectHeader: { self.hasHeader($0, file) }),
                    reason(toLeaveOut: source, file) == nil
                else { continue }
                Self.merge(source.profiles(budgetMilliseconds: 0), knownMap(of: source), into: &profiles, &conflicts)
            }
        }
        // The values of one file are text to filters and formulas. They are reported as values that are not written as in the other files.
        expect(profiles.enumerated().map { conflicts[$0] ?? $1 }, from: 0)
        return fileFields.profiles + profiles
    }

    /// True for text, and for typed files such as Parquet, which declare the kinds of their columns. False for other files, such as
    /// workbooks, which must be unpacked first.
    private static func opensQuickly(_ source: any TableSource) -> Bool {
        let table: any Table = source.snapshot()
        return source is any FileSource || table is any ColumnarTable
    }

    /// The maximum number of other kinds of files that are sampled when the table is opened.
    private static let maximumOtherKinds = 4

    /// For each other kind of files, the first file of that kind.
    private func firstFilesOfOtherKinds(than file: Int) -> [Int] {
        var kinds: Set = [FileKind(openFiles.files[file].path)]
        var found: [Int] = []
        for other in openFiles.files.indices where other > file && found.count < Self.maximumOtherKinds {
            if kinds.insert(FileKind(openFiles.files[other].path)).inserted { found.append(other) }
        }
        return found
    }

    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] {
        if first >= fileFields.count {
            let profiles = dataProfiles(from: first - fileFields.count, budgetMilliseconds: 0)
            expect(profiles, from: first - fileFields.count)
            return profiles
        }
        return fileFields.profiles.dropFirst(max(0, first)) + dataProfiles(from: 0, budgetMilliseconds: 0)
    }

    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        // The other formats, such as Parquet and workbooks, declare the types of fields or values.
        guard firstSource is any FileSource else { return [] }
        return snapshot().profiles(
            ofRareColumns: columns, from: record, notation: openFiles.opener.dialect.notation, while: shouldContinue
        ) { title(ofColumn: $0) }
    }

    /// The profiles of the columns except the file fields. Each comes from the first file found that has the column.
    private func dataProfiles(from first: Int, budgetMilliseconds: Int) -> [ColumnProfile] {
        let (finished, currentFile, count) = knownFiles()
        var profiles = [ColumnProfile](repeating: ColumnProfile(), count: max(0, count - first))
        var missing = Set(first..<max(first, count))
        func add(_ source: any TableSource, _ map: ColumnMap) {
            let columns = map.columns.filter { missing.contains(Int($0)) }
            guard !columns.isEmpty else { return }
            let fileProfiles = source.profiles(budgetMilliseconds: budgetMilliseconds)
            for (column, profile) in zip(map.columns, fileProfiles) where missing.contains(Int(column)) {
                profiles[Int(column) - first] = profile
            }
            missing.subtract(columns.map(Int.init))
        }
        // A request that does not start at the first column is about columns of the latest files, so the search begins with the latest
        // file.
        if first == 0 {
            for (file, finishedFile) in finished.enumerated() where !missing.isEmpty { addFile(file, finishedFile) }
            if let currentFile, let map = currentFile.map { add(currentFile.source, map) }
        } else {
            if let currentFile, let map = currentFile.map { add(currentFile.source, map) }
            for (file, finishedFile) in finished.enumerated().reversed() where !missing.isEmpty { addFile(file, finishedFile) }
        }
        func addFile(_ file: Int, _ finishedFile: ConcatFile) {
            guard let map = finishedFile.map, map.columns.contains(where: { missing.contains(Int($0)) }),
                let source = try? openFiles.source(file)
            else { return }
            add(source, map)
        }
        return profiles
    }

    /// Changes the profiles, so that they also cover the values of another file. Stores the previous profile of a column of numbers or
    /// dates that becomes text although the other file has numbers or dates, too.
    private static func merge(
        _ other: [ColumnProfile], _ map: ColumnMap, into profiles: inout [ColumnProfile], _ conflicts: inout [Int: ColumnProfile]
    ) {
        for (column, profile) in zip(map.columns.map(Int.init), other) where profiles.indices.contains(column) {
            let before = profiles[column]
            profiles[column] = before.merged(with: profile)
            let areAlike = before.kind.isNumber && profile.kind.isNumber || before.kind.isTemporal && profile.kind.isTemporal
            if areAlike, profiles[column].kind == .text { conflicts[column] = before }
        }
    }
}
