import FieldValues

/// Finds the files that match a pattern or are in a folder. It reads at most ``maximumEntries`` names.
struct FileFinder {
    struct File: Equatable {
        var path: String
        var status: Platform.FileStatus
    }

    /// The maximum number of files.
    static let maximumFiles = 100_000
    /// The maximum number of folder entries to read.
    static let maximumEntries = 2_000_000
    /// The maximum depth of folders, counted from the start of a pattern or from the given folder.
    static let maximumDepth = 64

    /// The files that were found, in natural order of their paths. If the user named several paths, the files of one path follow the files
    /// of the previous path.
    private(set) var files: [File] = []
    /// The folders that were read, with their status before reading.
    private(set) var folders: [File] = []
    /// The subfolders of the folder and of its partitions, which are not searched. Subfolders named `key=value` are partitions.
    private(set) var subfolders: [File] = []
    /// Phrases about entries that are left out on purpose, each with a reason and a count.
    var notes: [String] {
        [
            Self.note(hiddenCount, "hidden file is left out", "hidden files are left out"), otherFilesPhrase,
            Self.note(specialCount, "entry is left out because it is not a file", "entries are left out because they are not files"),
        ].compactMap { $0 }
    }
    /// A phrase with the number of files that are left out because of their suffix; `nil` for zero files.
    var otherFilesPhrase: String? {
        Self.note(otherCount, "file with another suffix is left out", "files with other suffixes are left out")
    }
    /// A phrase with the number of subfolders that a table leaves out; `nil` for zero subfolders. A list of files contains them.
    var subfoldersPhrase: String? {
        Self.note(
            subfolders.count, "subfolder is left out; a pattern with ** includes its files",
            "subfolders are left out; a pattern with ** includes their files")
    }
    /// The reasons why folders and files cannot be read, one sentence for each.
    private(set) var failures: [String] = []

    private var hiddenCount = 0
    private var specialCount = 0
    private var otherCount = 0
    private var visitedCount = 0
    private var undecodableCount = 0
    private var paths: Set<String> = []

    /// Finds the files that match a pattern.
    /// - Throws: ``FormatError`` if there are too many files.
    mutating func find(pattern: String) throws {
        let start = files.count
        for alternative in try GlobPattern.alternatives(pattern) {
            let isAbsolute = alternative.first == UInt8(ascii: "/")
            var components = alternative.split(separator: UInt8(ascii: "/")).map { GlobPattern($0) }
            // Two consecutive `**` components match the same folders as a single one.
            components = components.indices.filter { $0 == 0 || !components[$0].isDeep || !components[$0 - 1].isDeep }.map {
                components[$0]
            }
            if components.last?.isDeep == true { components.append(GlobPattern("*".utf8)) }
            try walk(isAbsolute ? "/" : "", components[...], depth: 0)
        }
        finish(from: start)
    }

    /// Finds the files of a folder and of its partitions, which are subfolders named `key=value`.
    /// - Throws: ``FormatError`` if there are too many files.
    mutating func find(folder path: String) throws {
        let start = files.count
        try collect(path.hasSuffix("/") ? path : path + "/", ancestors: [])
        finish(from: start)
    }

    /// Adds a file that the user has named.
    mutating func find(file path: String) throws {
        guard let status = Platform.status(ofPath: path) else {
            failures.append("Cannot open \(path.withoutControls): \(Platform.errorDescription(Platform.lastError)).")
            return
        }
        try add(path, status)
    }

    private static func note(_ count: Int, _ one: String, _ several: String) -> String? {
        count > 0 ? "\(NumberText.count(count)) \(count == 1 ? one : several)" : nil
    }

    /// Keeps only the given files. All other files are counted as left out because of their suffix.
    mutating func keep(_ files: [File]) {
        otherCount += self.files.count - files.count
        self.files = files
    }

    /// Sorts the files from index `start`, and removes subfolders that were read. Files before the index belong to earlier paths of the
    /// user and keep their order.
    private mutating func finish(from start: Int) {
        files[start...].sort { NaturalOrder.compare($0.path, $1.path) < 0 }
        // A pattern with `**` applies to the files of all folders that it reads, and it can find a subfolder several times.
        if !subfolders.isEmpty {
            var known = Set(folders.map(\.path))
            subfolders.removeAll { !known.insert($0.path + "/").inserted }
        }
        subfolders.sort { NaturalOrder.compare($0.path, $1.path) < 0 }
        if undecodableCount > 0 {
            let names = undecodableCount == 1 ? "One file is" : "\(NumberText.count(undecodableCount)) files are"
            failures.append("\(names) left out because the name is not UTF-8.")
        }
        undecodableCount = 0
    }

    /// True if a folder is named like a partition, such as `year=2024`.
    static func isPartition(_ name: some StringProtocol) -> Bool {
        guard let equals = name.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return equals != name.startIndex
    }

    private mutating func add(_ path: String, _ status: Platform.FileStatus) throws {
        guard paths.insert(path).inserted else { return }
        guard status.kind == .file else {
            if status.kind == .stream {
                failures.append("Cannot open \(path.withoutControls): it is a pipe or a device. Open it alone.")
            } else {
                specialCount += 1
            }
            return
        }
        files.append(File(path: path, status: status))
        if files.count > Self.maximumFiles {
            throw FormatError("There are more than \(NumberText.count(Self.maximumFiles)) files. Use a pattern that matches fewer.")
        }
    }

    /// The entries of a folder that satisfy a condition; empty if the folder cannot be read. Names that are not UTF-8 are left out.
    private mutating func entries(_ folder: String, where matches: ([UInt8]) -> Bool) throws -> [(name: String, kind: Platform.EntryKind)] {
        var (found, visitedCount, undecodableCount): ([(name: String, kind: Platform.EntryKind)], Int, Int) = (
            [], visitedCount, undecodableCount
        )
        if let status = Platform.status(ofPath: folder.isEmpty ? "." : folder) { folders.append(File(path: folder, status: status)) }
        let isRead = Platform.forEachEntry(ofFolder: folder) { name, kind in
            visitedCount += 1
            if matches(name) {
                if let text = String(validating: name, as: UTF8.self) { found.append((text, kind)) } else { undecodableCount += 1 }
            }
            return visitedCount <= Self.maximumEntries
        }
        if !isRead {
            failures.append("Cannot read the folder \(folder.withoutControls): \(Platform.errorDescription(Platform.lastError)).")
        }
        (self.visitedCount, self.undecodableCount) = (visitedCount, undecodableCount)
        guard visitedCount <= Self.maximumEntries else {
            throw FormatError(
                "The folders contain more than \(NumberText.count(Self.maximumEntries)) files. Use a pattern that matches fewer.")
        }
        return found
    }

    private mutating func walk(_ prefix: String, _ components: ArraySlice<GlobPattern>, depth: Int) throws {
        guard let first = components.first, depth <= Self.maximumDepth else { return }
        let rest = components.dropFirst()
        if let name = first.literal {
            guard let text = String(validating: name, as: UTF8.self), let status = Platform.status(ofPath: prefix + text) else { return }
            try visit(prefix + text, status, rest, depth)
        } else if first.isDeep {
            try walk(prefix, rest, depth: depth)
            // Links are not followed, because they may lead back to a parent folder.
            for entry in try entries(prefix, where: { $0.first != UInt8(ascii: ".") }) {
                var isFolder = entry.kind == .folder
                if entry.kind == .unknown { isFolder = Platform.status(ofPath: prefix + entry.name)?.kind == .folder }
                if isFolder { try walk("\(prefix)\(entry.name)/", components, depth: depth + 1) }
            }
        } else {
            for entry in try entries(prefix, where: { first.matches($0) }) {
                if !rest.isEmpty, entry.kind == .file { continue }
                // The target of a link might not exist.
                guard let status = Platform.status(ofPath: prefix + entry.name) else {
                    if rest.isEmpty {
                        failures.append(
                            "Cannot open \((prefix + entry.name).withoutControls): \(Platform.errorDescription(Platform.lastError)).")
                    }
                    continue
                }
                try visit(prefix + entry.name, status, rest, depth)
            }
        }
    }

    /// Visits a path that matches the first components of the pattern. `rest` contains the components that are still to be matched below
    /// the path.
    private mutating func visit(
        _ path: String, _ status: Platform.FileStatus, _ rest: ArraySlice<GlobPattern>, _ depth: Int
    ) throws {
        if !rest.isEmpty {
            if status.kind == .folder { try walk(path + "/", rest, depth: depth + 1) }
        } else if status.kind == .folder {
            // A pattern for folders, such as data/year=*, stands for the files in these folders.
            if Self.isPartition(path.split(separator: "/").last ?? "") {
                try collect(path + "/", ancestors: [status])
            }
        } else {
            try add(path, status)
        }
    }

    /// Adds the files in a folder and in its subfolders named `key=value`.
    private mutating func collect(_ folder: String, ancestors: [Platform.FileStatus]) throws {
        guard ancestors.count <= Self.maximumDepth else { return }
        for entry in try entries(folder, where: { _ in true }) {
            if entry.name.hasPrefix(".") || entry.name.hasPrefix("_") {
                hiddenCount += 1
                continue
            }
            guard let status = Platform.status(ofPath: folder + entry.name) else {
                failures.append("Cannot open \((folder + entry.name).withoutControls): \(Platform.errorDescription(Platform.lastError)).")
                continue
            }
            if status.kind != .folder {
                try add(folder + entry.name, status)
            } else if Self.isPartition(entry.name) {
                // A link may lead to a parent folder.
                guard !ancestors.contains(where: { $0.device == status.device && $0.inode == status.inode }) else { continue }
                try collect("\(folder)\(entry.name)/", ancestors: ancestors + [status])
            } else {
                subfolders.append(File(path: folder + entry.name, status: status))
            }
        }
    }
}

extension String {
    /// The text with control characters replaced, for messages.
    var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
