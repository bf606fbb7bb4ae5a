import FieldValues
import Tables

/// A list of the files of a folder or a pattern, one row for each file. The path of a row opens the file.
final class FolderList: CompleteSource {
    let name: String
    let path: String?
    let details: [(name: String, value: String)]
    let problems: [String]
    let conversions: [TextConversion]
    private let selection: FileSelection
    private let files: [FileFinder.File]
    private let folders: [FileFinder.File]
    typealias Snapshot = MemoryTable
    let table: MemoryTable

    /// Names are text, even if all of them are numbers.
    let fields = [
        DeclaredField(name: "name", kind: .text), DeclaredField(name: "kind", kind: .text), DeclaredField(name: "size", kind: .integer),
        DeclaredField(name: "modified", kind: .dateTime),
    ]

    init(_ selection: FileSelection, _ found: FileFinder) {
        (self.selection, name, path, folders) = (selection, selection.name, selection.path, found.folders)
        files = found.files + found.subfolders
        let names = PathLabels(files.map(\.path)).labels
        var table = MemoryTable(
            zip(files, names).map { file, name in
                let isFolder = file.status.kind == .folder
                let kind = isFolder ? "folder" : FileKind(name).text
                return [name, kind, isFolder ? nil : "\(file.status.size)", Platform.localTime(file.status.seconds)]
            })
        table.columnCount = fields.count
        self.table = table
        details = [("format", "list of files")]
        problems = found.notes + found.failures
        conversions = found.failures.map { TextConversion($0, isLoss: true) }
    }

    var byteCount: Int { 0 }
    func isUnchanged() -> Bool { false }
    func checkForChange() -> FileChange { selection.hasChanged(since: folders) ? .replaced : .unchanged }

    /// The path of the file or folder in a row.
    func path(ofTableInRecord record: Int) -> String? { files.indices.contains(record) ? files[record].path : nil }
}

/// The folder, pattern or paths that the user gave.
enum FileSelection: Sendable, Equatable {
    case folder(String)
    case pattern(String)
    case paths([String])

    /// A short name: the last component of the path, or the name of the folder for `.` and `..`. A pattern is named from the folder before
    /// its first wildcard on, as in `logs/*`.
    var name: String {
        switch self {
        case .folder(let path):
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return name == "." || name == ".." ? Platform.folderName(ofPath: path) ?? name : name
        case .pattern(let pattern):
            let components = pattern.split(separator: "/").filter { $0 != "." }
            let first = components.firstIndex { GlobPattern.isPattern(String($0)) } ?? components.count
            return components.dropFirst(max(0, first - 1)).joined(separator: "/")
        case .paths(let paths): return paths.count == 1 ? FileSelection.folder(paths[0]).name : "\(NumberText.count(paths.count)) files"
        }
    }

    /// The path that opens the same files; `nil` for a list of paths.
    var path: String? {
        switch self {
        case .folder(let path), .pattern(let path): path
        case .paths: nil
        }
    }

    /// Finds the files now.
    /// - Throws: ``FormatError`` if there are too many files.
    func find() throws -> FileFinder {
        var finder = FileFinder()
        switch self {
        case .folder(let path): try finder.find(folder: path)
        case .pattern(let pattern): try finder.find(pattern: pattern)
        case .paths(let paths):
            for path in paths {
                if let status = Platform.status(ofPath: path) {
                    if status.kind == .folder { try finder.find(folder: path) } else { try finder.find(file: path) }
                } else if GlobPattern.isPattern(path) {
                    try finder.find(pattern: path)
                } else {
                    try finder.find(file: path)
                }
            }
        }
        return finder
    }

    /// True if entries were added to a folder or removed from it, which changes its status. Makes one system call per folder.
    func hasChanged(since folders: [FileFinder.File]) -> Bool {
        folders.contains { folder in
            Platform.status(ofPath: folder.path.isEmpty ? "." : folder.path) != folder.status
        }
    }
}

/// The paths of files, relative to the deepest folder that contains all files.
struct PathLabels {
    let labels: [String]

    init(_ paths: [String]) {
        guard var shared = paths.first.map({ Array($0.utf8.prefix { _ in true }) }) else {
            labels = []
            return
        }
        for path in paths {
            var count = 0
            for byte in path.utf8 {
                guard count < shared.count, shared[count] == byte else { break }
                count += 1
            }
            shared.removeSubrange(count...)
        }
        let start = (shared.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        labels = paths.map { String(decoding: $0.utf8.dropFirst(start), as: UTF8.self) }
    }
}
