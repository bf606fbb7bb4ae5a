import DelimitedText
import FieldValues

/// What output says on standard error: where it differs from the file.
public struct OutputNotes: Sendable, Equatable {
    /// Sentences, one a line.
    public private(set) var lines: [String] = []
    /// Whether characters were lost, so that the exit status is 1.
    public private(set) var hasLosses = false

    /// Fields that were written with U+FFFD in place of bytes that are not UTF-8.
    private var replacedFields = 0
    private var firstReplaced = 0
    /// Whether fields have to be looked at: only where the index has found such bytes.
    private let mayReplace: Bool

    /// - Parameter keepsBytes: whether the format has the bytes of fields as they are.
    init(_ diagnostics: Diagnostics, keepsBytes: Bool) {
        mayReplace = !keepsBytes && diagnostics[.invalidText] != nil
    }

    mutating func check(_ fields: UnsafeBufferPointer<FieldBytes>, record: Int) {
        guard mayReplace else { return }
        for field in fields where String(validating: field.bytes, as: UTF8.self) == nil {
            if replacedFields == 0 { firstReplaced = record }
            replacedFields += 1
        }
    }

    /// Says at the end what was changed.
    mutating func finish(_ file: DelimitedFile) {
        let diagnostics = file.diagnostics
        if replacedFields > 0 {
            hasLosses = true
            lines.append(
                "\(Self.count(replacedFields, "field")) of \(file.name) with bytes that are not UTF-8, first in row \(firstReplaced + 1): written with U+FFFD. "
                    + "-o csv keeps the bytes; --encoding reads them as characters.")
        }
        if file.dialect.encoding.isUTF16, let invalid = diagnostics[.invalidText] {
            hasLosses = true
            lines.append(
                "\(Self.count(invalid.count, "broken character")) of UTF-16 in \(file.name), first on line \(invalid.first.line): written as U+FFFD."
            )
        }
        if file.isEncodingGuessed, file.dialect.encoding == .windows1252 {
            lines.append("\(file.name) was read as Windows-1252 and written as UTF-8. --encoding utf-8 keeps its bytes.")
            if let found = diagnostics[.likelyUTF8] {
                hasLosses = true
                lines.append(
                    "\(Self.count(found.count, "character")) of \(file.name), first on line \(found.first.line), look like UTF-8 and were written wrongly if they are."
                )
            }
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
