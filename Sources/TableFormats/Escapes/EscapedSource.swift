import DelimitedText
import Tables

/// Delimited text with escaped quotes, as in `"say \"hi\""`. It is written to a temporary file with doubled quotes, which is then read.
final class EscapedSource: FileSource, ConvertedSource {
    /// The input with escaped quotes.
    let file: DelimitedFile
    /// The temporary file with doubled quotes.
    let textFile: DelimitedFile
    /// The escape character as it is written on the command line.
    private let escape: String

    /// - Parameters:
    ///   - textFile: the rewritten text of the file.
    ///   - escape: the escape character as it is written on the command line.
    init(_ file: DelimitedFile, _ textFile: DelimitedFile, escape: String) {
        (self.file, self.textFile, self.escape) = (file, textFile, escape)
    }

    func profiles(budgetMilliseconds: Int) -> [ColumnProfile] { textFile.profiles(budgetMilliseconds: budgetMilliseconds) }
    func profiles(ofColumnsFrom first: Int) -> [ColumnProfile] { textFile.profiles(ofColumnsFrom: first) }
    func profiles(ofRareColumns columns: [Int], from record: Int, while shouldContinue: () -> Bool) -> [ColumnProfile] {
        textFile.profiles(ofRareColumns: columns, from: record, while: shouldContinue)
    }

    func lineCount(beforeRecord record: Int) throws -> Int? { try textFile.lineCount(beforeRecord: record) }

    var details: [(name: String, value: String)] {
        var details = textFile.details.filter { $0.name != "compression" } + file.compressionDetails
        details.insert(("escape", escape), at: details.firstIndex { $0.name == "encoding" } ?? details.count)
        return details
    }
    var suggestions: [ReadingSuggestion] { textFile.suggestions }
    /// True if characters of the file were replaced when it was rewritten.
    private var hasReplacedCharacters: Bool { file.mayContainInvalidText && !textFile.mayContainInvalidText }
    var mayContainInvalidText: Bool { textFile.mayContainInvalidText || file.mayContainInvalidText }
    var problems: [String] {
        textFile.problems + file.ignoredBytes + (hasReplacedCharacters ? ["some text is not valid UTF-16"] : [])
    }
    var conversions: [TextConversion] {
        let ignored = file.ignoredBytes.map { TextConversion("\(name): \($0).", isLoss: true) }
        return ignored + (hasReplacedCharacters ? file.characterConversions.filter(\.replacesCharacters) : []) + textFile.conversions
    }
}

extension TableSource {
    /// The delimited text that this table is read from, with doubled quotes; `nil` for other formats.
    var delimitedText: DelimitedFile? { self as? DelimitedFile ?? (self as? EscapedSource)?.textFile }
}
