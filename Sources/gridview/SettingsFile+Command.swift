import ArgumentParser
import GridviewApp

extension SettingsFile {
    /// The settings file of the user. If the user has no home folder, all settings have their defaults.
    static var ofUser: SettingsFile {
        SettingsFile.path(environment: Platform.environment).map { SettingsFile(path: $0) } ?? SettingsFile()
    }

    /// The settings file that the command line names or, by default, the settings file of the user.
    /// - Throws: ``UsageError`` if the named file cannot be read.
    init(_ command: GridviewCommand) throws {
        guard let path = command.config else {
            self = command.noConfig ? SettingsFile() : .ofUser
            return
        }
        if command.noConfig { throw UsageError("--config and --no-config cannot be combined.") }
        guard Platform.isReadable(path) else {
            var reason = "no such file or directory"
            if case .failed(let failure) = UserFile.read(path) { reason = failure }
            throw UsageError("--config: Cannot read \(path): \(reason).")
        }
        self.init(path: path)
    }

    /// The default options in the file, as command-line arguments. Invalid ones are reported as errors and left out.
    mutating func defaultOptions() -> [String] {
        let options = settings.options
        guard !options.isEmpty else { return [] }
        do {
            try Self.check(options)
            return options
        } catch let error as UsageError {
            report("options", error.message)
        } catch let error as RequestError {
            report("options", error.message)
        } catch {
            report("options", ArgumentReading.usageError(GridviewCommand.message(for: error)).message)
        }
        return []
    }

    /// - Throws: An error if the options are invalid, or if an option does something other than change how a file is opened and shown.
    private static func check(_ options: [String]) throws {
        let arguments = ArgumentReading.argumentsForParser(options)
        guard let command = try GridviewCommand.parseAsRoot(arguments) as? GridviewCommand, !options.contains("--") else {
            throw UsageError("Only options are allowed.")
        }
        if let file = command.files.first { throw UsageError("“\(file)” is not an option.") }
        let others = [
            ("--output", command.output.output != nil), ("--compress", command.output.compress != nil), ("--stats", command.output.stats),
            ("--limit", command.output.limit != nil),
            ("--rows", command.output.rows != nil), ("--print-screen", command.output.printScreen != nil),
            ("--pick", command.picking.pick), ("--man", command.man), ("--completions", command.completions != nil),
            ("--config", command.config != nil), ("--no-config", command.noConfig), ("--write-config", command.writeConfig),
        ]
        for (name, isGiven) in others where isGiven { throw UsageError("\(name) cannot be a default option.") }
        _ = try LaunchRequest(command)
    }
}
