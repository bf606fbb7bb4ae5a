import FieldValues
import Tables

/// Notes about the files of a table of many files: files that are left out, problems, and conversions of text.
struct FileNotes: Sendable {
    /// The notes of one file that was read completely.
    struct Notes {
        var problems: [String] = []
        var conversions: [TextConversion] = []
        var omission: String?
        var hasInvalidText = false
    }

    /// The reasons why files are left out or shown only in part: one or two sentences for each file.
    private(set) var failures: [String]
    /// The number of files that are not tables, and the error message of the first such file.
    private var notTables: (count: Int, first: String) = (0, "")
    /// Phrases about entries of folders that are left out on purpose.
    private let omittedEntries: [String]
    /// Phrases about files and subfolders of a folder that are left out, with their numbers.
    private let lossPhrases: [String]
    private var problems: [String] = []
    private var losses = FileConversions(limit: Self.maximumProblems)
    /// Conversions without a loss of characters. They are separate from ``losses``, so that they never hide a conversion with a loss.
    private var changes = FileConversions(limit: 3)
    /// The sentence about omitted content of the first file that has such a sentence; `nil` if there is no such file.
    private(set) var omission: String?
    /// True if a file may have invalid text.
    private(set) var hasInvalidText = false

    /// The maximum number of problems on the file details.
    private static let maximumProblems = 100

    /// Creates the notes about the search for files.
    init(_ found: FileFinder) {
        let subfolders = found.subfoldersPhrase.map { [$0] } ?? []
        self.init(
            failures: found.failures, omittedEntries: found.notes + subfolders,
            lossPhrases: (found.otherFilesPhrase.map { [$0] } ?? []) + subfolders)
    }

    init(failures: [String] = [], omittedEntries: [String] = [], lossPhrases: [String] = []) {
        (self.failures, self.omittedEntries, self.lossPhrases) = (failures, omittedEntries, lossPhrases)
    }

    // MARK: Adding

    /// True while more problems can be stored. If false, the problems of further files need not be found.
    var hasRoomForProblems: Bool { problems.count < Self.maximumProblems }

    /// Adds the notes of a file that was read completely.
    mutating func add(_ notes: Notes, _ label: String) {
        problems += notes.problems.map { "\(label): \($0)" }
        losses.add(notes.conversions.filter(\.isLoss), label)
        changes.add(notes.conversions.filter { !$0.isLoss }, label)
        if omission == nil { omission = notes.omission?.labeled(label) }
        if notes.hasInvalidText { hasInvalidText = true }
    }

    /// Adds a note about a file that has columns, but shares none of them with the files before it.
    mutating func addUnrelatedFile(_ label: String) {
        let phrase = "has no column in common with the files before it"
        if hasRoomForProblems { problems.append("\(label) \(phrase)") }
        changes.add([TextConversion("The file \(phrase).", isLoss: false)], label)
    }

    /// Adds a file of which only the first records could be read.
    mutating func addPartialFile(_ label: String, _ message: String) {
        failures.append("\(label) is shown only partly. \(Self.messageAfterName(message, label))")
    }

    /// Adds a file that is left out.
    mutating func addLeftOutFile(_ label: String, _ message: String, isNotTable: Bool) {
        if isNotTable {
            notTables = (notTables.count + 1, notTables.count == 0 ? message : notTables.first)
        } else {
            failures.append("\(label) is left out. \(Self.messageAfterName(message, label))")
        }
    }

    /// An error message without the name of the file, which precedes it: `1.csv is damaged` becomes `It is damaged`.
    private static func messageAfterName(_ message: String, _ label: String) -> String {
        guard let rest = message.remainder(afterNameOf: label), rest.first == " " else { return message }
        return "It" + rest
    }

    // MARK: Messages

    /// The problems of all finished files.
    var allProblems: [String] {
        var all = Array(failures.prefix(Self.maximumProblems))
        if failures.count > all.count { all.append("\(NumberText.count(failures.count - all.count)) more files are left out") }
        if let notTablesPhrase { all.append(notTablesPhrase) }
        return all + omittedEntries + problems
    }

    /// The conversions of all finished files, including files that are left out.
    /// - Parameter isPattern: true if a pattern selects the files.
    func conversions(ofTable name: String, isPattern: Bool) -> [TextConversion] {
        var leftOut = failures.prefix(Self.maximumProblems).map { TextConversion($0, isLoss: true) }
        // For a pattern, this is not a loss: the user may know that a pattern such as `*` also matches other files.
        if let notTablesPhrase { leftOut.append(TextConversion("\(name): \(notTablesPhrase)", isLoss: !isPattern)) }
        leftOut += lossPhrases.map { TextConversion("\(name): \($0).", isLoss: true) }
        return leftOut + losses.all(ofTable: name) + changes.all(ofTable: name)
    }

    /// A phrase about the files that are not tables; `nil` for zero files.
    private var notTablesPhrase: String? {
        switch notTables.count {
        case 0: nil
        case 1: "one file is left out because it is not a table: \(notTables.first)"
        default: "\(NumberText.count(notTables.count)) files are left out because they are not tables. The first: \(notTables.first)"
        }
    }
}

extension FileNotes.Notes {
    /// Collects the notes of a source.
    /// - Parameter withProblems: false to leave out the problems.
    init(_ source: any TableSource, withProblems: Bool) {
        problems = withProblems ? source.problems : []
        (conversions, omission, hasInvalidText) = (source.conversions, source.omission, source.mayContainInvalidText)
    }
}

/// The conversions of many files. An object contains either only conversions with a loss of characters, or only conversions without a loss.
private struct FileConversions {
    /// The maximum number of conversions that are listed.
    let limit: Int
    private var listedConversions: [TextConversion] = []
    /// The number of files with conversions that are not listed.
    private var otherFileCount = 0
    private var otherFilesReplaceCharacters = false

    init(limit: Int) { self.limit = limit }

    /// Adds the conversions of a file.
    mutating func add(_ conversions: [TextConversion], _ label: String) {
        let others = conversions.dropFirst(limit - listedConversions.count)
        listedConversions += conversions.dropLast(others.count).map { $0.labeled(label) }
        guard !others.isEmpty else { return }
        otherFileCount += 1
        if others.contains(where: \.replacesCharacters) { otherFilesReplaceCharacters = true }
    }

    /// The listed conversions, followed by a sentence with the number of files whose conversions are not listed.
    func all(ofTable name: String) -> [TextConversion] {
        guard otherFileCount > 0, let first = listedConversions.first else { return listedConversions }
        let files = otherFileCount == 1 ? "1 other file has" : "\(NumberText.count(otherFileCount)) other files have"
        let sentence = "\(name): \(files) \(first.isLoss ? "losses" : "notes") that are not listed."
        return listedConversions + [TextConversion(sentence, isLoss: first.isLoss, replacesCharacters: otherFilesReplaceCharacters)]
    }
}
