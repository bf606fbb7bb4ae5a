public import DataGrid
public import DataGridSources
import DataGridQuery
import DataGridTerminal
import FieldValues
public import Tables
import TerminalSurface

/// An open input with its columns, which a sheet shows. It is not part of ``AppState``; actions report its changes to the state.
@MainActor
public final class Document {
    /// The open input. Jobs read the snapshots that it returns.
    public let input: any TableSource
    /// The input as data source of the grid.
    public let source: TableGridSource
    /// The columns in the order and with the types that the options set.
    public internal(set) var columns: [Column]
    /// The columns that are not hidden. If no column is hidden, this is ``columns`` itself, which is not copied.
    var visibleColumns: [Column] { columns.contains(where: \.isHidden) ? columns.filter { !$0.isHidden } : columns }
    /// The problems that were found when the input was opened, one sentence each.
    let problems: [String]

    var derivedFields: [DerivedField] = []
    /// The names of the derived fields without a value in the first rows. Only fields that the options define are listed.
    var valuelessFields: [String] = []

    /// The fields whose type is unknown, because no row read so far has a value in them.
    var untypedFields: Set<FieldID> = []

    /// The fields without a value in the sample of rows, unless an option sets their type.
    var rareTypes: RareTypes

    /// True if columns found in later rows are hidden, because the options list the columns to show.
    let hidesNewColumns: Bool

    /// True if number columns found in later rows show thousands separators.
    let groupsThousands: Bool
    /// The number of columns of the input that existed when all column names in the options were last looked up.
    var checkedColumnCount = 0
    /// The order of day and month in ambiguous dates; `nil` to read them like the dates of other columns.
    let ambiguousDates: DateNotation?

    /// Opens a document with the first records of an input. `TableSource.readAll` reads the rest later.
    ///
    /// If an option names a column that only a later record may have, the input is read to its end first.
    /// - Throws: ``RequestError`` if the file cannot be opened or a column does not exist.
    public convenience init(_ input: any TableSource, options: LaunchOptions) throws {
        try self.init(OpenedInput(input), options: options, continuesReading: true)
    }

    /// Opens a document. If the default options in the settings file are not valid for it, removes these from `options` and adds an error.
    ///
    /// Reads the input to its end if the options name a column that only a later record may have.
    /// - Throws: ``RequestError`` if other options are not valid.
    public static func open(_ input: any TableSource, _ options: inout LaunchOptions) throws -> Document {
        try open(OpenedInput(input), &options) { $0 }
    }

    /// Opens a document like ``open(_:_:)``, but uses only the options that `select` returns.
    static func open(
        _ opened: OpenedInput, _ options: inout LaunchOptions, using select: (LaunchOptions) -> LaunchOptions
    ) throws -> Document {
        guard let makeFallbackOptions = options.makeFallbackOptions else {
            return try Document(opened, options: select(options), continuesReading: true)
        }
        func openAndCheck(_ options: LaunchOptions) throws -> Document {
            let document = try Document(opened, options: options, continuesReading: true)
            _ = try document.viewReadingAll(options)
            return document
        }
        do {
            return try openAndCheck(select(options))
        } catch let error as RequestError where error.isUsageError {
            let plain = makeFallbackOptions(error)
            let document = try openAndCheck(select(plain))
            options = plain
            return document
        }
    }

    /// Creates the columns from the types and samples of an opened input. Reads the input to its end only if `continuesReading` is true.
    /// - Throws: ``RequestError``. The error may disappear after more reading, see ``mayBecomeValid(_:of:_:)``.
    init(_ opened: OpenedInput, options: LaunchOptions, continuesReading: Bool = false) throws {
        input = opened.input
        problems = opened.problems
        source = TableGridSource(input)
        rareTypes = RareTypes(of: input)
        hidesNewColumns = !options.columns.isEmpty
        (groupsThousands, ambiguousDates) = (options.groupsThousands, options.ambiguousDates)
        columns = []
        let make = {
            let later = opened.input.profiles(ofColumnsFrom: opened.profiles.count)
            return try self.makeColumns(later.isEmpty ? opened.profiles : opened.profiles + later, derived: opened.derivedProfiles, options)
        }
        columns = continuesReading ? try retryingAfterFullRead(options, make) : try make()
        checkedColumnCount = inputColumnCount
        for column in columns { source.setKind(of: column) }
        if let found = opened.rareTypes { setRareTypes(found) }
    }

    /// Runs `body`, which looks up columns by name and type. If a column does not exist or has another type, reads the rest of the input
    /// and runs `body` again.
    private func retryingAfterFullRead<T>(_ options: LaunchOptions, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as RequestError {
            guard try Self.mayBecomeValid(error, of: input, options) else { throw error }
            try input.readToEnd(threads: options.affordableThreads) { _ in true }
            source.refresh()
            // During initialization, there are no columns yet, and `body` creates all of them.
            if !columns.isEmpty {
                addColumns()
                findRareTypes()
            }
            return try body()
        }
    }

    /// True if the request may become valid when the whole input is read, because later rows may have the missing column, or values that
    /// show the type of a column.
    /// - Throws: ``RequestError`` with advice if the input may never end.
    static func mayBecomeValid(_ error: RequestError, of input: any TableSource, _ options: LaunchOptions) throws -> Bool {
        guard error.mayBecomeValid, error.needsRareTypes || !input.snapshot().isComplete else { return false }
        if input.isGrowing, !options.waitsForInput {
            let hope = error.needsRareTypes ? "Later rows may change this" : "A later row may have it"
            throw RequestError("\(error.message) \(hope): remove the option, or save the input to a file first.", isUsageError: true)
        }
        return true
    }

    /// The initial view that the options describe. Reads the whole input if the options name a column that only later rows have.
    func viewReadingAll(_ options: LaunchOptions) throws -> OpenedView {
        try retryingAfterFullRead(options) {
            addColumns()
            return try view(options)
        }
    }

    /// True if the text names a column that was not found yet, but that a longer row may have. The name is a number or, without a header,
    /// letters.
    func mayNameLaterColumn(_ text: String) -> Bool { Self.mayNameLaterColumn(text, of: input) }

    private nonisolated static func mayNameLaterColumn(_ text: String, of input: any TableSource) -> Bool {
        let columnCount = input.columnCount
        if !input.hasColumnNames, (1...4).contains(text.count), text.utf8.allSatisfy({ (65...90).contains($0) }) { return true }
        var rest = text[...]
        while let sign = rest.firstIndex(of: "#") {
            rest = rest[rest.index(after: sign)...]
            if let number = Int(rest.prefix { $0.isASCII && $0.isNumber }), number > columnCount { return true }
        }
        return false
    }

    /// Adds the columns of records with more fields than all previous ones. Called before the document is shown.
    func addColumns() {
        guard input.columnCount > inputColumnCount else { return }
        let new = makeColumns(AddedColumns(firstIndex: inputColumnCount, profiles: input.profiles(ofColumnsFrom: inputColumnCount)))
        add(new, from: columns + new)
    }

    var inputColumnCount: Int { columns.count - derivedFields.count }

    /// Creates columns for records with more fields than all previous ones. Does not read the input.
    func makeColumns(_ addedColumns: AddedColumns?) -> [Column] {
        let existingCount = inputColumnCount
        guard let addedColumns, addedColumns.firstIndex <= existingCount else { return [] }
        let profiles = Array(addedColumns.profiles.dropFirst(existingCount - addedColumns.firstIndex))
        rareTypes.add(profiles, from: existingCount)
        return profiles.enumerated().map { number, profile in
            var column = column(ofField: existingCount + number, profile)
            column.measuredWidth = Self.width(of: column, samples: profile.sampleTexts)
            column.isHidden = hidesNewColumns
            return column
        }
    }

    func column(ofField index: Int, _ profile: ColumnProfile) -> Column {
        Column(ofField: index, of: input, profile.readingDates(ambiguousDates), width: .automatic, groupsThousands: groupsThousands)
    }

    /// Adds columns at the end and, if `field` is not `nil`, makes the table compute this derived field. Does not read the input.
    /// - Parameter gridColumns: all columns, including the new ones. Their types determine how the fields in formulas are read.
    func add(_ newColumns: [Column], deriving field: DerivedField? = nil, from gridColumns: [Column]) {
        if let field { derivedFields.append(field) }
        columns += newColumns
        for column in newColumns { source.setKind(of: column) }
        computeDerivedFields(from: gridColumns)
    }

    private func makeColumns(_ profiles: [ColumnProfile], derived derivedProfiles: [String: ColumnProfile], _ options: LaunchOptions) throws
        -> [Column]
    {
        // Use a loop instead of `map`: its closure would check the current actor for every column, which is slow for a million columns.
        var columns: [Column] = []
        columns.reserveCapacity(profiles.count)
        for (index, profile) in profiles.enumerated() { columns.append(column(ofField: index, profile)) }
        // Means in a pivot table show a limited number of digits, like quotients in computed columns.
        let table = input.snapshot()
        for index in columns.indices where columns[index].kind == .decimal && table.numberStorage(ofColumn: index) == .computed {
            Self.limitFractionDigits(of: &columns[index], profiles[index])
        }
        if !input.isGrowing {
            let recordCount = input.snapshot().recordCount
            for (index, profile) in profiles.enumerated()
            where profile.sampledCount == profile.emptyCount && profile.sampledCount >= recordCount {
                untypedFields.insert(FieldID(rawValue: index))
            }
        }
        rareTypes = RareTypes(profiles, of: input)
        let typedNames = ColumnNames(count: options.types.count)
        for (reference, type) in options.types {
            do {
                for index in try resolve(reference, columns, typedNames, of: "--types") {
                    untypedFields.remove(FieldID(rawValue: index))
                    rareTypes.remove(FieldID(rawValue: index))
                    Self.setType(type, of: &columns[index], samples: profiles[index].sampleTexts)
                }
            } catch {
                throw Self.derivedTypeError(reference, options) ?? error
            }
        }
        let derived = try makeDerivedColumns(options, from: columns, profiles: derivedProfiles)
        columns += derived.map { $0.column }
        let formattedNames = ColumnNames(count: options.fractionDigits.count)
        for (reference, digits) in options.fractionDigits {
            for index in try resolve(reference, columns, formattedNames, of: "--format") {
                columns[index].format.fractionDigits = digits...digits
            }
        }
        for index in columns.indices {
            let samples = index < profiles.count ? profiles[index].sampleTexts : derived[index - profiles.count].samples
            columns[index].measuredWidth = Self.width(of: columns[index], samples: samples)
        }
        for (index, profile) in profiles.enumerated() where profile.sampledCount > 1 && profile.sampledCount == profile.emptyCount {
            columns[index].measuredWidth = min(columns[index].measuredWidth, Self.emptyColumnWidth)
        }
        if !options.columns.isEmpty {
            var order: [Int] = []
            var chosen: Set<Int> = []
            let names = ColumnNames(count: options.columns.count)
            for reference in options.columns {
                let found = try resolve(reference, columns, names, of: "--columns")
                let new = found.filter { chosen.insert($0).inserted }
                // A range is useful for the remaining columns, as in `price,id..venue`, so it leaves out columns that come before it.
                guard !new.isEmpty else {
                    let name = columns[found[0]].title
                    throw RequestError("--columns: Column “\(name)” is listed twice. Remove one of them.", isUsageError: true)
                }
                order += new
            }
            let rest = columns.indices.filter { !chosen.contains($0) }
            for index in rest { columns[index].isHidden = true }
            columns = (order + rest).map { columns[$0] }
        }
        let byID = columns
        let hiddenNames = ColumnNames(count: options.hiddenColumns.count)
        for reference in options.hiddenColumns {
            for index in try resolve(reference, byID, hiddenNames, of: "--hide") { columns[index].isHidden = true }
        }
        if !columns.isEmpty, columns.allSatisfy(\.isHidden) {
            throw RequestError("No columns to show: all are hidden.", isUsageError: true)
        }
        return columns
    }

    /// The error for `--types` with a derived column; `nil` if no derived column has this name.
    private static func derivedTypeError(_ reference: ColumnReference, _ options: LaunchOptions) -> RequestError? {
        let text = reference.text.trimmed.lowercased()
        let names = options.derivedColumns.lazy.compactMap(DerivedField.name(inDefinition:))
        return names.first { $0.lowercased() == text }.map { name in
            RequestError(
                "--types: Column “\(name)” is computed, and its formula determines its type. Set the types of the columns that it uses.",
                isUsageError: true)
        }
    }

    /// Sets the type of a column. The column gets as many fraction digits as the sample values have.
    private static func setType(_ type: ColumnType, of column: inout Column, samples: [String]) {
        let notation = type.notation?.with(column.notation.unit) ?? column.notation
        column.flagMarks = .everyWord
        if let notation = type.dateNotation { (column.dateNotation, column.hasAmbiguousDates) = (notation, false) }
        guard type.kind != column.kind || notation != column.notation else { return }
        (column.kind, column.notation) = (type.kind, notation)
        guard type.kind == .decimal else { return }
        let digits = samples.compactMap { text in FieldBytes.withBytes(of: text) { NumberText.fractionDigits(of: $0, notation) } }
        column.format.alignedFractionDigits = min(12, digits.max() ?? 0)
    }

    /// The maximum width of a column without values in the sample, in terminal cells.
    private static let emptyColumnWidth = 8

    /// The maximum width of any column at opening, in terminal cells.
    private static let maximumColumnWidth = 500

    /// The width of a column that fits its type and the sample values, in terminal cells. Its name also fits, up to 60 cells.
    static func width(of column: Column, samples: [String]) -> Int {
        var width = ValueText.headerWidth(of: column, limit: 60)
        for text in samples {
            // Measure the whole value as one line, because a cell of the grid shows one line.
            width = max(width, DisplayWidth.of(ValueText.display(CellContent(text), in: column), limit: maximumColumnWidth))
        }
        return min(width, maximumColumnWidth)
    }

    // MARK: Column references

    /// The indices of the columns that a reference names: by name, by `#n` counted from 1, or as a range `a..b`.
    /// - Parameters:
    ///   - names: the names of `columns`, for all references of the option.
    ///   - option: the option that contains the reference, for the error.
    func resolve(
        _ reference: ColumnReference, _ columns: [Column], _ names: ColumnNames, of option: String
    ) throws -> [Int] {
        try Self.addingOptionToErrors(option) { try Self.resolve(reference, columns, names, of: input) }
    }

    /// Runs `body`. If it throws an error, adds the name of the option to it.
    private static func addingOptionToErrors<T>(_ option: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch var error as RequestError {
            error.message = "\(option): \(error.message)"
            throw error
        }
    }

    /// The indices of the columns in `input` to which `reference` refers.
    nonisolated static func resolve(
        _ reference: ColumnReference, _ columns: [Column], _ names: ColumnNames, of input: any TableSource
    ) throws -> [Int] {
        if let dots = reference.text.firstRange(of: ".."),
            !names.indices(named: reference.text, in: columns).contains(where: { columns[$0].title == reference.text })
        {
            let low = try columnIndex(of: String(reference.text[..<dots.lowerBound]), columns, names, of: input)
            let high = try columnIndex(of: String(reference.text[dots.upperBound...]), columns, names, of: input)
            return low <= high ? Array(low...high) : Array((high...low).reversed())
        }
        return [try columnIndex(of: reference.text, columns, names, of: input)]
    }

    /// The ID of the column that a reference names.
    /// - Parameter option: the option that contains the reference, for the error.
    func columnID(_ reference: ColumnReference, of option: String) throws -> ColumnID {
        try Self.addingOptionToErrors(option) { columns[try Self.columnIndex(of: reference.text, columns, ColumnNames(), of: input)].id }
    }

    private nonisolated static func columnIndex(
        of text: String, _ columns: [Column], _ names: ColumnNames, of input: any TableSource
    ) throws -> Int {
        if text.first == "#", let number = Int(text.dropFirst()), let index = names.index(numbered: number &- 1, in: columns) {
            return index
        }
        var found = names.indices(named: text, in: columns)
        // Ignore blanks around names: a list such as `a, b` has blanks after commas, and names in headers may begin with one.
        if found.isEmpty {
            let core = String(text.trimmed)
            if core.count < text.count { return try columnIndex(of: core, columns, names, of: input) }
            found = names.indices(named: text, ignoringOuterSpace: true, in: columns)
        }
        if found.count > 1 {
            let named = found.map { (id: columns[$0].id.field, name: columns[$0].title) }
            throw RequestError(Schema.ambiguousNameMessage(text, named), isUsageError: true)
        }
        if let index = found.first { return index }
        var error = RequestError(unknownColumn(text, columns, of: input), isUsageError: true)
        error.mayBecomeValid = input.mayFindNewFields || mayNameLaterColumn(text, of: input)
        throw error
    }

    private nonisolated static func unknownColumn(_ text: String, _ columns: [Column], of input: any TableSource) -> String {
        if text.first == "#", let number = Int(text.dropFirst()) { return "No column #\(number): the last is #\(input.columnCount)." }
        if let advice = Schema.adviceOnOutputName(text, columns.map { (id: $0.field, name: $0.title) }) {
            return "Unknown column “\(text)”.\(advice)"
        }
        let titles = columns.map(\.title)
        // Suggest no similar name for one or two letters, because these are similar to almost every name.
        let suggestion =
            Suggestions.closest(text, titles) ?? (text.count < 3 ? nil : FuzzyMatch.rank(text, in: titles).first.map { titles[$0] })
        return "Unknown column “\(text)”.\(suggestion.map { " Did you mean “\($0)”?" } ?? "")"
    }

    // MARK: File information

    /// The information about the input for the state.
    /// - Parameter problems: the problems of the file. The caller finds them, because finding their lines reads the file.
    func info(problems: [String]) -> DocumentInfo {
        var info = DocumentInfo(name: input.name)
        info.isFile = input.path != nil
        info.location = input.location
        info.byteCount = input.byteCount
        info.isGrowing = input.isGrowing
        info.recordCount = source.snapshot.recordCount
        info.untypedFields = untypedFields
        info.rowsLabel = input.rowsLabel
        (info.estimatedCount, info.canSeek) = (input.estimatedRecordCount, input.canSeek)
        info.needsReload = input.needsReload
        info.canBeQueriedWhileIncomplete = input.canBeQueriedWhileIncomplete
        info.reading = source.snapshot.isComplete ? .complete : .running()
        info.problems = problems
        info.listsTables = input.path(ofTableInRecord: 0) != nil
        let size = input.fileByteCount.map { "\(ValueText.count($0)) bytes" }
        info.details = [
            DocumentInfo.Detail(name: "name", value: input.path ?? input.name),
            DocumentInfo.Detail(
                name: "size", value: size ?? "\(ValueText.count(info.byteCount)) bytes\(info.isGrowing ? " so far" : "")"),
            DocumentInfo.Detail(
                name: "rows",
                value: info.isComplete
                    ? ValueText.count(info.recordCount)
                    : info.estimatedCount.map { "about \(ValueText.count($0)), not counted yet" } ?? "not counted yet"),
            DocumentInfo.Detail(name: "columns", value: ValueText.count(columns.count)),
        ]
        info.details += input.details.map { DocumentInfo.Detail(name: $0.name, value: $0.value) }
        info.columnDetails = input.columnDetails.map { DocumentInfo.Detail(name: $0.name, value: $0.value) }
        return info
    }

    /// The width of the column with row numbers, in terminal cells. It is estimated from the file size, so that it does not change while
    /// the file is read.
    func rowHeaderWidth() -> Int {
        let recordCount = source.snapshot.recordCount
        var rows = recordCount
        if !source.snapshot.isComplete, recordCount > 0 {
            rows = max(recordCount, input.byteCount / source.snapshot.meanRecordBytes)
        }
        // One cell is for the mark of marked rows, before the number.
        return max(4, String(rows).count + 1) + 2
    }
}
