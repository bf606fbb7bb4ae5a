/// An empty file that marks the first use of the program. The program creates this file when it quits for the first time.
///
/// Until one day after that, the program starts with a message that names five keys. If the file cannot be created, the program never
/// shows the message, which would otherwise appear at every start.
public struct FirstUse: Sendable {
    /// A folder that must exist.
    let base: String
    /// The folders below ``base`` that contain the file. They are created with it.
    let folders: [String]
    /// The current time in seconds since 1970.
    var now: @Sendable () -> Int = { Platform.secondsSince1970 }

    static let fileName = "first-use"
    /// The time after the first use during which the program starts with the message, in seconds.
    static let durationSeconds = 86_400
    /// How far the time of the file may be ahead of ``now``, in seconds. Recent Linux kernels write times of files by a more precise clock
    /// than `time` reads, and network file systems by the clock of another machine.
    static let clockToleranceSeconds = 60

    /// The file in the folder of ``UserFile/stateFolder(stateHome:home:)``; `nil` without such a folder.
    public init?(stateHome: String?, home: String?) {
        guard let folder = UserFile.stateFolder(stateHome: stateHome, home: home) else { return nil }
        (base, folders) = folder
    }

    /// The paths of ``base`` and of the folders below it, in this order.
    private var paths: [String] { folders.reduce(into: [base]) { $0.append("\($0[$0.count - 1])/\($1)") } }

    var path: String { "\(paths[folders.count])/\(Self.fileName)" }

    /// The use of the program so far, as recorded by the file.
    enum State: Equatable {
        /// The program was never used, and its first use can be recorded.
        case new
        /// The first use was less than a day ago.
        case recent
        /// The first use was earlier, or it cannot be recorded.
        case over
    }

    /// The current state. Makes one system call if the file exists.
    var state: State {
        do {
            let age = now() - (try Platform.status(path, followsLink: false).modificationTime)
            return (-Self.clockToleranceSeconds..<Self.durationSeconds).contains(age) ? .recent : .over
        } catch {
            guard error.isMissing, let found = paths.last(where: { (try? Platform.status($0, followsLink: true)) != nil }) else {
                return .over
            }
            let isFolder = (try? Platform.status(found, followsLink: true))?.kind == .folder
            return isFolder && Platform.isWritable(found) ? .new : .over
        }
    }

    /// Creates the file, which only the user can read, and its folders. Has no effect if the file exists, and ignores failures.
    func record() {
        for folder in paths.dropFirst() { Platform.createFolder(folder, permissions: 0o700) }
        if let file = try? Platform.createFile(path, permissions: 0o600) { Platform.closeFile(file) }
    }
}
