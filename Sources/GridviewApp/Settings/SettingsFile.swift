public import DataGridTerminal
import FieldValues
import TerminalSurface

/// The content of the user's settings file: the valid settings, and the errors.
///
/// The file is not trusted: at most ``UserFile/byteLimit`` bytes are read, and messages about it contain no control characters.
public struct SettingsFile: Sendable {
    /// The path of the file; `nil` if settings are neither read nor saved.
    public let path: String?
    /// The valid settings, with defaults for all others.
    public internal(set) var settings = Settings()
    /// The errors found in the file.
    public private(set) var problems: [SettingsProblem] = []
    /// The line number of each setting, by its name, for error messages.
    private var lines: [String: Int] = [:]

    /// Creates default settings without a file, so that changes cannot be saved.
    public init() { path = nil }

    /// Reads a settings file. If it does not exist, all settings have their defaults, and saving a setting creates it.
    public init(path: String) {
        self.path = path
        switch UserFile.read(path) {
        case .bytes(let bytes): read(bytes)
        case .missing: break
        case .failed(let reason): report(nil, "cannot be read: \(reason)")
        case .tooLong: report(nil, "larger than 1 MiB")
        }
    }

    /// Reads the text of a settings file, given as bytes.
    init(path: String, _ bytes: [UInt8]) {
        self.path = path
        read(bytes)
    }

    /// The path of the user's settings file: `gridview/config.toml` in the folder of ``UserFile/folder(environment:)``.
    public static func path(environment: (_ name: String) -> String?) -> String? {
        UserFile.folder(environment: environment).map { $0 + "/config.toml" }
    }

    /// Adds an error about a setting to ``problems``. The line of the setting is looked up.
    public mutating func report(_ key: String?, _ reason: String) { report(key, line: key.flatMap { lines[$0] }, reason) }

    /// The error that ``report(_:_:)`` would add for this reason. Only the first line of the reason is used.
    public func problem(_ key: String, _ reason: String) -> SettingsProblem {
        SettingsProblem(path: path ?? "", line: lines[key], key: key, reason: String(reason.prefix { $0 != "\n" }))
    }

    private mutating func report(_ key: String?, line: Int?, _ reason: String) {
        problems.append(SettingsProblem(path: path ?? "", line: line, key: key, reason: reason))
    }

    private mutating func read(_ bytes: [UInt8]) {
        let root: TOMLTable
        do throws(TOMLError) {
            root = try TOMLReader.read(bytes).root
        } catch {
            report(nil, line: error.line, error.reason)
            return
        }
        for (name, entry) in root.orderedEntries {
            lines[name] = entry.line
            do throws(SettingError) {
                if name == "keys" {
                    guard case .table(let keys) = entry.value else {
                        throw SettingError("Expected a table of keys, not \(entry.value.kindName)")
                    }
                    readKeys(keys)
                } else if let setting = Setting.table.first(where: { $0.name == name }) {
                    try setting.read(entry.value, &settings)
                } else {
                    throw .unknownName("setting", name, Setting.table.map(\.name) + ["keys"], lists: false)
                }
            } catch {
                report(name, error.reason)
            }
        }
    }

    // MARK: Keys

    private mutating func readKeys(_ table: TOMLTable) {
        let contexts = Dictionary(grouping: Command.table, by: \.context)
        for (name, entry) in table.orderedEntries {
            let key = "keys.\(name)"
            if name == "preset" {
                lines[key] = entry.line
                do throws(SettingError) {
                    settings.keyPreset = try entry.value.choice(KeyPreset.allCases.map { ($0.rawValue, $0) })
                } catch {
                    report(key, error.reason)
                }
            } else if case .table(let commands) = entry.value {
                guard let context = contexts.keys.first(where: { $0.description == name }) else {
                    report(
                        key, line: entry.line, SettingError.unknownName("context", name, contexts.keys.map(\.description).sorted()).reason)
                    continue
                }
                for (name, entry) in commands.orderedEntries {
                    readKeys(of: name, "\(key).\(name)", entry, contexts[context] ?? [], in: context)
                }
            } else {
                readKeys(of: name, key, entry, Command.gridCommands, in: .grid)
            }
        }
    }

    private mutating func readKeys(of name: String, _ key: String, _ entry: TOMLTable.Entry, _ commands: [Command], in context: KeyContext)
    {
        do throws(SettingError) {
            guard let command = commands.first(where: { $0.id.hyphenated == name }) else {
                throw .unknownName("command", name, commands.map(\.id.hyphenated), lists: false)
            }
            let keys = try entry.value.keys()
            settings.keys.append(KeyAssignment(command.id, keys, in: context, line: entry.line))
        } catch {
            report(key, line: entry.line, error.reason)
        }
    }

    /// The key bindings of a preset with the user's own keys; `nil` for the default bindings. Conflicting keys are reported as errors and
    /// left out.
    /// - Parameter preset: the preset of the command line; `nil` to use the preset of the settings file.
    public mutating func keyMap(preset: KeyPreset?) -> KeyMap<Command>? {
        let preset = preset ?? settings.keyPreset
        guard preset != .standard || !settings.keys.isEmpty else { return nil }
        if let map = try? preset.keyMap(with: settings.keys) { return map }
        var (valid, map) = ([KeyAssignment](), try? preset.keyMap())
        for keys in settings.keys {
            do throws(KeyConflict) {
                map = try preset.keyMap(with: valid + [keys])
                valid.append(keys)
            } catch {
                let table = keys.context == .grid ? "" : keys.context.description + "."
                report("keys.\(table)\(keys.command.hyphenated)", line: keys.line, error.message)
            }
        }
        return map
    }
}

extension TOMLValue {
    /// The maximum number of keys that the file can set for one command.
    private static var keyLimit: Int { 8 }

    /// The keys of a command, which are one string or a list of strings in the syntax of `KeyNotation`.
    fileprivate func keys() throws(SettingError) -> [String] {
        var keys: [String]
        if case .string = self { keys = [try text()] } else { keys = try texts() }
        guard keys.count <= Self.keyLimit else { throw SettingError("A command has at most \(Self.keyLimit) keys") }
        for key in keys {
            guard let presses = KeyNotation.sequence(key) else {
                let suggestion = KeyNotation.nearestKey(key).map { " Did you mean “\($0)”?" } ?? ""
                throw SettingError("Unknown key “\(key.prefix(40))”.\(suggestion)")
            }
            if let first = presses.first, first.modifiers.isEmpty, case .character(let scalar) = first.key, ("1"..."9").contains(scalar) {
                throw SettingError("“\(key.prefix(40))” begins with a digit, but digits before a key repeat it. Choose another key")
            }
        }
        return keys
    }
}
