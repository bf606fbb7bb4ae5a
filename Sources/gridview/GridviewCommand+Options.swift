import DataGrid
import DataGridQuery
import DelimitedText
import FieldValues
import GridviewApp
import TableFormats
import Tables
import TerminalSurface

/// Wrong usage of the program, such as an invalid option. The exit status is 2.
struct UsageError: Error {
    var message: String

    init(_ message: String) { self.message = message }
}

extension GridviewCommand {
    /// The options of the view. The user's settings apply where the command line has no option. The theme and the keys are set later.
    func launchOptions(_ settings: Settings) throws -> LaunchOptions {
        var options = LaunchOptions(settings)
        guard !files.contains("") else { throw UsageError("The file name is empty.") }
        guard files.count(where: { $0 == "-" }) < 2 else { throw UsageError("Standard input (-) can be opened only once.") }
        options.path = files.first
        options.additionalPaths = Array(files.dropFirst())
        options.columns = Self.list(view.columns).map(ColumnReference.init)
        options.derivedColumns = view.derive
        options.hiddenColumns = Self.list(view.hide).map(ColumnReference.init)
        options.types = try Self.pairs(view.types, "--types", example: "price:number").map {
            (ColumnReference($0), try Self.type($1))
        }
        if let digits = view.digits, let name = Self.list(digits).first(where: { !$0.contains(":") }) {
            let problem = Self.unknownValueError("--format", name, FileOpener.formatNames, noun: "file format")
            throw UsageError("\(problem.message) To set the number of decimals of a column, write column:digits, as in price:2.")
        }
        options.fractionDigits = try Self.pairs(view.digits, "--format", example: "price:2").map {
            guard let digits = Int($1), (0...12).contains(digits) else {
                throw UsageError("--format: The number of digits must be 0 to 12, not “\($1)”.")
            }
            return (ColumnReference($0), digits)
        }
        options.groupsThousands = view.grouping ?? options.groupsThousands
        if let dates = view.dates { options.ambiguousDates = try Self.choice("--dates", dates, Settings.dateOrders) }
        options.sort = try Self.clauses("--sort", view.sort) { try SortRequest(text: $0) }
        options.filters = view.filter
        options.groups = try Self.clauses("--group", view.group) { try GroupRequest(text: $0) }
        options.aggregates = try Self.clauses("--aggregate", view.aggregate) { try AggregateOption(text: $0) }
        options.isCollapsed = view.collapsed
        do {
            options.pivot = try view.pivot.map { try PivotText(text: $0) }
        } catch let error as QueryTextError {
            throw UsageError("--pivot: \(error.message)")
        }
        options.searchText = view.find
        (options.followsFile, options.reloadsChanges) = (reading.follow, reading.reload)
        let counts = [("--freeze-columns", view.freezeColumns), ("--freeze-rows", view.freezeRows), ("--freeze-right", view.freezeRight)]
        for (option, count) in counts where count < 0 { throw UsageError("\(option) must be 0 or more.") }
        options.frozen = FrozenPanes(leading: view.freezeColumns, trailing: view.freezeRight, rows: view.freezeRows)
        options.selectionMode = try view.select.map { try Self.choice("--select", $0, SelectionMode.allCases) }
        options.view = try view.savedView.map(ViewFile.read)
        options.savesRecentViews = view.recentViews ?? options.savesRecentViews
        options.usesMouse = appearance.mouse ?? options.usesMouse
        options.showsHints = appearance.hints ?? options.showsHints
        if let limit = output.limit {
            guard limit >= 0 else { throw UsageError("--limit must be 0 or more.") }
            options.limit = limit
        }
        options.rows = try output.rowRange()
        options.pick = try picking.options(output)
        if let threads {
            guard threads > 0 else { throw UsageError("--threads must be 1 or more.") }
            options.threads = min(threads, 64)
        }
        options.memory = try memory.map { try Self.byteCount($0, of: "--memory") }
        return options
    }

    /// Parses a size in bytes. The suffixes K, M and G multiply it by powers of 1,024.
    static func byteCount(_ text: String, of option: String) throws -> Int {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let unit = text.lowercased().last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? Substring(text) : text.dropLast()), number >= 0,
            case let (bytes, overflows) = number.multipliedReportingOverflow(by: unit ?? 1), !overflows
        else { throw UsageError("\(option) must be a size, as in 512M or 4G.") }
        return bytes
    }

    func colorDepth(_ settings: Settings) throws -> ColorDepth? {
        guard let color = appearance.color else { return settings.colorDepth }
        return try Self.choice("--color", color, Settings.colorDepths)
    }

    func clipboard(_ settings: Settings) throws -> ClipboardChoice {
        try clipboard.map { try Self.choice("--clipboard", $0, ClipboardChoice.allCases, noun: "method") } ?? settings.clipboard
    }

    // MARK: Option values

    /// Splits a list at its commas, except commas in double quotes.
    static func list(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.filter { !$0.isEmpty }
    }

    /// Parses a list of pairs such as `column:value`. Ignores spaces around columns and values. A column name may contain colons, because
    /// the last colon separates the value.
    private static func pairs(_ text: String?, _ option: String, example: String) throws -> [(String, String)] {
        try list(text).map { part in
            guard let colon = part.lastIndex(of: ":"), colon != part.startIndex else {
                throw UsageError("\(option): “\(part)” has no “:”. Write it as in \(example).")
            }
            return (String(part[..<colon].trimmed), String(part[part.index(after: colon)...].trimmed))
        }
    }

    private static let types: [(name: String, value: ColumnType)] = [
        ("text", ColumnType(.text)), ("integer", ColumnType(.integer)), ("number", ColumnType(.decimal)), ("decimal", ColumnType(.decimal)),
        ("decimal-point", ColumnType(.decimal, .point)), ("decimal-comma", ColumnType(.decimal, .comma)), ("date", ColumnType(.date)),
        ("datetime", ColumnType(.dateTime)), ("time", ColumnType(.time)), ("flag", ColumnType(.flag)),
    ]

    /// The short names of types, which headers show, and the name of each type in ``types``.
    private static let shortTypes = ["int": "integer", "dec": "decimal", "bool": "flag"]

    /// Parses the name of a type. A type of dates may be followed by their notation, as in `date(dmy)`.
    private static func type(_ text: String) throws -> ColumnType {
        let text = shortTypes[text.lowercased()] ?? text
        guard text.last == ")", let start = text.firstIndex(of: "(") else { return try choice("--types", text, types) }
        var type = try choice("--types", String(text[..<start]), types)
        guard type.kind == .date || type.kind == .dateTime else {
            throw UsageError("--types: Only date and datetime accept a notation in parentheses, as in date(dmy).")
        }
        let notation = text[text.index(after: start)...].dropLast().lowercased()
        type.dateNotation = try choice("--types", notation, DateNotation.allCases, noun: "date notation")
        return type
    }

    private static func clauses<Clause>(_ option: String, _ text: String?, _ parse: (String) throws -> Clause) throws -> [Clause] {
        do {
            return try list(text).map(parse)
        } catch let error as QueryTextError {
            throw UsageError("\(option): \(error.message)")
        }
    }

    /// The value in `all` with this name, ignoring case.
    static func choice<Value>(
        _ option: String, _ name: String, _ choices: [(name: String, value: Value)], noun: String = "value"
    ) throws -> Value {
        guard let choice = choices.first(where: { $0.name == name.lowercased() }) else {
            throw unknownValueError(option, name, choices.map(\.name), noun: noun)
        }
        return choice.value
    }

    static func choice<Choice: RawRepresentable<String>>(
        _ option: String, _ name: String, _ choices: [Choice], noun: String = "value"
    ) throws -> Choice {
        guard let choice = Choice(rawValue: name) else { throw unknownValueError(option, name, choices.map(\.rawValue), noun: noun) }
        return choice
    }

    /// - Parameter noun: the noun for the value in the message, such as “value” or “type”.
    static func unknownValueError(_ option: String, _ value: String, _ allowed: [String], noun: String = "value") -> UsageError {
        let suggestion = Suggestions.closest(value, allowed).map { " Did you mean “\($0)”?" } ?? ""
        return UsageError("\(option): Unknown \(noun) “\(value)”. Use \(Suggestions.alternatives(allowed)).\(suggestion)")
    }
}

extension ReadingOptions {
    /// The first option of the command line that determines how a file is read; `nil` if there is no such option.
    var firstExplicitOption: String? {
        let options = [
            ("--delimiter", hasDelimiter), ("--quote", quote != nil), ("--escape", escape != nil),
            ("--encoding", encoding.lowercased() != "auto"),
            ("--header", header.lowercased() != "auto"), ("--skip-lines", skipLines != 0), ("--comment", comment != nil),
            ("--decimal", decimal != nil), ("--table", table != nil), ("--path", path != nil), ("--list", list),
        ]
        return options.first { $0.1 }?.0
    }

    /// True if the command line sets the delimiter.
    var hasDelimiter: Bool { tab || delimiter.lowercased() != "auto" }

    /// Combines all options that determine how a file is read.
    /// - Parameters:
    ///   - saved: the options of a saved view by name. Options of the command line take precedence.
    ///   - user: the user's settings. Options of the command line and of the saved view take precedence.
    /// - Throws: ``UsageError`` for invalid or contradictory values.
    func dialectRequest(adding saved: [String: String], _ user: Settings) throws -> DialectRequest {
        if tab, !["auto", "tab", "\t", "\\t"].contains(delimiter) {
            throw UsageError("-t and --delimiter \(delimiter) cannot be combined.")
        }
        guard skipLines >= 0 else { throw UsageError("--skip-lines must be 0 or more.") }
        func explicitValue(_ text: String) -> String? { text.lowercased() == "auto" ? nil : text }
        var settings = ReadingSettings()
        settings.delimiter = tab || delimiter == "\t" ? "tab" : delimiter == " " ? "space" : explicitValue(delimiter)
        (settings.quote, settings.escape) = (quote, escape)
        settings.header = explicitValue(header)
        settings.skippedLines = skipLines
        settings.commentPrefix = comment ?? ""
        settings.encoding = explicitValue(encoding)
        settings.decimal = decimal.flatMap(explicitValue)
        settings.add(saved)
        if decimal == nil, settings.decimal == nil { settings.decimal = user.decimal }
        do {
            return try DialectRequest(settings)
        } catch {
            throw UsageError(error.isContradiction ? error.message : "\(Self.optionName(of: error.field)): \(error.message)")
        }
    }

    /// The name of the option for a field of the reading form.
    private static func optionName(of field: ReadingSettings.Field) -> String {
        switch field {
        case .skippedLines: "--skip-lines"
        case .commentPrefix: "--comment"
        case .delimiter, .quote, .escape, .header, .encoding, .decimal: "--\(field.rawValue)"
        }
    }
}

extension PickingOptions {
    /// The options for picking rows; `nil` without `--pick`.
    /// - Throws: ``UsageError`` for contradictory options.
    func options(_ output: OutputOptions) throws -> PickSettings? {
        guard pick else {
            for (name, isGiven) in [("--multi", multi), ("--pick-column", pickColumn != nil)] where isGiven {
                throw UsageError("\(name) needs --pick.")
            }
            return nil
        }
        let others = [
            ("--limit", output.limit != nil), ("--rows", output.rows != nil), ("--stats", output.stats),
            ("--print-screen", output.printScreen != nil),
        ]
        for (name, isGiven) in others where isGiven {
            throw UsageError("\(name) and --pick cannot be combined: --pick prints the rows that you choose.")
        }
        var options = PickSettings()
        (options.allowsMany, options.column) = (multi, pickColumn.map(ColumnReference.init))
        return options
    }
}

extension OutputOptions {
    func rowRange() throws -> Range<Int>? {
        guard let rows else { return nil }
        guard let dots = rows.firstRange(of: "..") else { throw Self.invalidRangeError(rows) }
        let low = rows[..<dots.lowerBound].trimmed
        let high = rows[dots.upperBound...].trimmed
        guard let first = low.isEmpty ? 1 : Int(low), let last = high.isEmpty ? Int.max : Int(high), first >= 1, last >= 1 else {
            throw Self.invalidRangeError(rows)
        }
        guard first <= last else { throw UsageError("--rows: “\(rows)” ends before it starts.") }
        return first - 1..<last
    }

    private static func invalidRangeError(_ text: String) -> UsageError {
        UsageError("--rows: “\(text)” is not a valid range. Rows are counted from 1, as in 10..20.")
    }

    /// The file format that ``output`` and ``compress`` select; `nil` if neither is used.
    /// - Parameter inputs: the paths of the files to read, for the message about a file name instead of a format.
    func fileFormat(_ formats: FileFormats, inputs: [String]) throws -> FileFormat? {
        guard output != nil || compress != nil else { return nil }
        let name = output ?? OutputFormat.text.rawValue
        guard let format = formats.format(named: name) else { throw Self.unknownFormatError(name, formats, inputs) }
        guard let compress else { return format }
        guard format.text != nil else {
            throw UsageError("--compress applies to text formats only, not to --output \(format.name).")
        }
        let compression = try GridviewCommand.choice("--compress", compress, formats.compressions.map { ($0.name, $0) }, noun: "method")
        return format.compressed(with: compression)
    }

    private static func unknownFormatError(_ name: String, _ formats: FileFormats, _ inputs: [String]) -> UsageError {
        if name == "-" { return UsageError("--output: Output goes to standard output without “-”. Name a format, as in --output csv.") }
        guard let format = formats.format(fileName: name) else {
            return GridviewCommand.unknownValueError("--output", name, formats.all.map(\.name), noun: "format")
        }
        let options = ["-o", format.name] + (format.compression.map { ["--compress", $0.name] } ?? [])
        let fault = "--output: “\(name)” is a file name, not a format."
        // If a file of this name exists, a shell may have expanded a pattern to this file and the inputs. Do not suggest to redirect the
        // output, because this would overwrite the file.
        if Platform.isReadable(name), let pattern = ExpandedPattern.pattern(matching: [name] + inputs) {
            let command = (["gridview", pattern] + options).joined(separator: " ")
            return UsageError("\(fault) To read files as one table, name a format and put the pattern of the files in quotes: \(command).")
        }
        let command = ["gridview"] + inputs.map(ShellWord.path) + options + [">", ShellWord.path(name)]
        return UsageError("\(fault) To write a file: \(command.joined(separator: " ")).")
    }

    /// True if an option is used that applies only to written output, so that no screen is shown.
    var requiresOutput: Bool { output != nil || compress != nil || limit != nil || rows != nil || stats }

    /// Rejects combinations of options in which one option would be ignored.
    /// - Throws: ``UsageError``.
    func check() throws {
        for (name, isGiven) in [("--limit", limit != nil), ("--rows", rows != nil)] where isGiven && stats {
            throw UsageError(
                "\(name) and --stats cannot be combined: --stats writes one line per column, not the table's rows. "
                    + "Choose rows with --filter.")
        }
        if printScreen == nil {
            guard size == nil else { throw UsageError("--size needs --print-screen.") }
            guard press == nil else { throw UsageError("--press needs --print-screen.") }
            return
        }
        let others = [
            ("--output", output != nil), ("--compress", compress != nil), ("--limit", limit != nil), ("--rows", rows != nil),
            ("--stats", stats),
        ]
        for (name, isGiven) in others where isGiven {
            throw UsageError("\(name) and --print-screen cannot be combined: one writes rows, the other prints a screen.")
        }
    }

    /// The keys that the option `--press` describes, with the key bindings of `options`.
    func keys(_ options: LaunchOptions) throws -> [KeyPress] {
        do throws(RequestError) {
            return try KeyScript.keys(press ?? "", in: options.keyMap)
        } catch {
            throw UsageError("--press: \(error.message)")
        }
    }

    func screenSize() throws -> TerminalSize {
        guard let size else { return TerminalSize(columns: 120, rows: 40) }
        let parts = size.split(separator: "x", omittingEmptySubsequences: false)
        let sides = parts.compactMap { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) ?? .max : nil }
        guard parts.count == 2, sides.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw UsageError("--size: “\(size)” is not a size. Use columns and rows, such as 120x40.")
        }
        guard sides.allSatisfy(TerminalSize.allowedLengths.contains) else {
            let limits = TerminalSize.allowedLengths
            throw UsageError("--size: “\(size)” is out of range. Columns and rows must be \(limits.lowerBound) to \(limits.upperBound).")
        }
        return TerminalSize(columns: sides[0], rows: sides[1])
    }
}
