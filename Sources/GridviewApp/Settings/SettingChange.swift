import DataGridQuery

/// A setting that the user has changed inside the program, with its new value. The save command writes it to the settings file.
public struct SettingChange: Equatable, Sendable {
    /// The name of the setting.
    public let name: String
    let value: TOMLValue

    init(_ name: String, _ value: TOMLValue) { (self.name, self.value) = (name, value) }

    /// The value as TOML text. Only strings and flags can be changed inside the program.
    fileprivate var text: String {
        switch value {
        case .string(let text): text.tomlText
        case .boolean(let flag): flag ? "true" : "false"
        default: ""
        }
    }
}

extension SettingsFile {
    private static let header = "# Settings of gridview. gridview --write-config prints all of them.\n\n"

    /// The new text of a settings file after these changes.
    /// - Parameter old: the current text of the file; `nil` if it does not exist.
    /// - Throws: ``RequestError`` if the text is not valid TOML or cannot be changed.
    static func changedBytes(of old: [UInt8]?, _ changes: [SettingChange], name: String) throws(RequestError) -> [UInt8] {
        var bytes = old ?? Array(header.utf8)
        for change in changes {
            let document: TOMLDocument
            do throws(TOMLError) {
                document = try TOMLReader.read(bytes)
            } catch {
                throw RequestError("Settings not saved: \(name), line \(error.line): \(error.reason). Correct the file first.")
            }
            guard let changed = document.changedBytes(setting: change.name, to: change.value, writtenAs: change.text) else {
                throw RequestError(
                    "Settings not saved: gridview cannot change \(name). Edit the file: set \(change.name) = \(change.text).")
            }
            bytes = changed
        }
        return bytes
    }

    /// Writes changed settings to a file. Keeps all other lines, and replaces the file in one step, so that a failure loses nothing.
    /// - Throws: ``RequestError`` with a remedy, and `JobCancelled`.
    static func save(_ changes: [SettingChange], at path: String, _ files: UnfinishedFiles, _ control: JobControl) throws {
        let name = ExportTarget.name(of: path)
        let old: [UInt8]?
        switch UserFile.read(path) {
        case .bytes(let bytes): old = bytes
        case .missing: old = nil
        case .failed(let reason): throw RequestError("Settings not saved: cannot read \(name): \(reason).")
        case .tooLong: throw RequestError("Settings not saved: \(name) is larger than 1 MiB.")
        }
        let changedBytes = try changedBytes(of: old, changes, name: name)
        if old == nil, let slash = path.lastIndex(of: "/") { try? Platform.createFolders(String(path[..<slash])) }
        let file = try ExportFile(for: ExportTarget(path))
        try files.with(file) { file in
            var sink = OutputSink(descriptor: file.descriptor, for: control)
            sink.write(utf8: changedBytes)
            sink.flush()
            try control.checkCancellation()
            if let failure = sink.failure { throw file.failure(failure) }
            _ = try file.finish(control)
        }
    }
}
