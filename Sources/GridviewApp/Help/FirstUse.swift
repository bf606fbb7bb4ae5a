/// Records the time of the first use: the modification time of an empty file, which the program creates when it quits for the first time.
///
/// For one day after the first use, the program starts with a message that names five keys. If the file cannot be created, the program
/// never shows the message, which would otherwise appear at every start.
public struct FirstUse: Sendable {
    /// The existing folder in which ``nestedFolders`` are created, such as the home folder.
    let baseFolder: String
    /// The nested folders from ``baseFolder`` to the file, outermost first. They are created with the file.
    let nestedFolders: [String]
    /// The current time in seconds since 1970.
    var currentTime: @Sendable () -> Int = { Platform.secondsSince1970 }

    static let fileName = "first-use"
    /// The message appears at the start for this long after the first use, in seconds.
    static let durationSeconds = 86_400
    /// How far the time of the file may be in the future, in seconds. Recent Linux kernels use a more precise clock for file times than for
    /// `time`. Network file systems use the clock of another machine.
    static let clockToleranceSeconds = 60

    /// Uses the folder of ``UserFile/stateFolder(stateHome:home:)``. Returns `nil` if both parameters are `nil` or unusable.
    public init?(stateHome: String?, home: String?) {
        guard let folder = UserFile.stateFolder(stateHome: stateHome, home: home) else { return nil }
        (baseFolder, nestedFolders) = folder
    }

    /// The path of ``baseFolder``, then the path of each folder below it.
    private var folderPaths: [String] { nestedFolders.reduce(into: [baseFolder]) { $0.append("\($0[$0.count - 1])/\($1)") } }

    var path: String { "\(folderPaths[nestedFolders.count])/\(Self.fileName)" }

    /// How long the program has been in use, according to the file.
    enum State: Equatable {
        /// The program was never used, and the file that records its first use can be created.
        case new
        /// The first use was less than a day ago.
        case recent
        /// The first use was more than a day ago, or cannot be recorded.
        case expired
    }

    /// The state according to the file. Makes one system call if the file exists.
    var state: State {
        do {
            let age = currentTime() - (try Platform.status(path, followsLink: false).modificationTime)
            return (-Self.clockToleranceSeconds..<Self.durationSeconds).contains(age) ? .recent : .expired
        } catch {
            guard error.meansMissingFile, let found = folderPaths.last(where: { (try? Platform.status($0, followsLink: true)) != nil })
            else {
                return .expired
            }
            let isFolder = (try? Platform.status(found, followsLink: true))?.kind == .folder
            return isFolder && Platform.isWritable(found) ? .new : .expired
        }
    }

    /// Creates the file, readable only by the user, and its folders. Does nothing if the file exists, and ignores failures.
    func record() {
        for folder in folderPaths.dropFirst() { Platform.createFolder(folder, permissions: 0o700) }
        if let file = try? Platform.createFile(path, permissions: 0o600) { Platform.closeFile(file) }
    }
}
