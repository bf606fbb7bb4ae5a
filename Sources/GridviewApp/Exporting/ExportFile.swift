import DataGridQuery
import Locks

/// The temporary file to which an export writes. It is in the folder of the target. When complete, it is renamed to the target; otherwise
/// it is deleted.
final class ExportFile: Sendable {
    private enum State { case unfinished, finished, discarded }

    /// The descriptor of the open temporary file.
    let descriptor: Int32
    let target: ExportTarget
    private let path: String
    private let state = Mutex(State.unfinished)

    /// Creates the temporary file for a target.
    /// - Throws: ``RequestError`` with a remedy.
    init(for target: ExportTarget) throws(RequestError) {
        self.target = target
        // Do not add to the name of the target, because the longer name may exceed the limit for file names.
        path = "\(target.folder)/.gridview-\(Platform.processID)-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
        do throws(SystemError) {
            descriptor = try Platform.createFile(path, permissions: target.permissions)
        } catch {
            let folder = target.folder == "." ? "this folder" : "folder \(ExportTarget.name(of: target.folder))"
            let remedy = error.isDiskFull ? "Free some space, or choose another folder." : "Choose another folder."
            throw RequestError("Cannot write in \(folder): \(error.reason). \(remedy)")
        }
    }

    deinit {
        discard()
        Platform.closeFile(descriptor)
    }

    /// Waits until the content is on the disk, then renames the file to its target.
    /// - Returns: The size of the file in bytes.
    /// - Throws: ``RequestError`` with a remedy, and `JobCancelled`.
    func finish(_ control: JobControl) throws -> Int {
        do {
            try Platform.synchronize(descriptor)
            try state.withLock { state in
                try control.checkCancellation()
                guard state == .unfinished else { throw JobCancelled() }
                try Platform.renameFile(path, to: target.path, replacesFile: target.exists)
                state = .finished
            }
        } catch let error as SystemError {
            if error.meansExistingFile {
                throw RequestError("\(target.name) has just been created by another program. Export again to replace it.")
            }
            throw failure(error.reason)
        }
        Platform.synchronize(folder: target.folder)
        return Platform.byteCount(descriptor)
    }

    /// Deletes the temporary file, unless it was renamed to its target. Any thread can call it.
    func discard() {
        state.withLock { state in
            guard state == .unfinished else { return }
            Platform.removeFile(path)
            state = .discarded
        }
    }

    /// The error to show if writing the file has failed for this reason.
    func failure(_ reason: String) -> RequestError {
        let outcome = target.exists ? "The file is unchanged." : "No file was created."
        return RequestError("Cannot write \(target.name): \(reason). Free some space, or choose another folder. \(outcome)")
    }
}

/// The temporary files of running exports of a sheet. Closing the sheet deletes them, because the program may exit before its jobs do.
final class UnfinishedFiles: Sendable {
    private struct State {
        var files: [ExportFile] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Runs `body`, which writes and finishes `file`. Deletes the file if `body` does not finish it.
    func with<Result>(_ file: ExportFile, _ body: (ExportFile) throws -> Result) rethrows -> Result {
        let isClosed = state.withLock { state in
            state.files.append(file)
            return state.isClosed
        }
        if isClosed { file.discard() }
        defer {
            file.discard()
            state.withLock { $0.files.removeAll { $0 === file } }
        }
        return try body(file)
    }

    /// Deletes all temporary files. Also deletes every file that is added later.
    func close() {
        let files = state.withLock { state in
            state.isClosed = true
            return state.files
        }
        for file in files { file.discard() }
    }
}
