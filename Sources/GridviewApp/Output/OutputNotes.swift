import FieldValues
import Tables

/// What output says on standard error: where it differs from the file.
public struct OutputNotes: Sendable, Equatable {
    /// Sentences, one a line.
    public private(set) var lines: [String] = []
    /// Whether characters were lost, so that the exit status is 1.
    public private(set) var hasLosses = false

    /// Fields that were written with U+FFFD in place of bytes that are not UTF-8.
    private var replacedFields = 0
    /// The row of the first of them, from 1, and its position; 0 and −1 for the header.
    private var firstRow = 0
    private var firstPosition = Int.max
    /// Whether fields have to be looked at: only where the index has found such bytes.
    let mayReplace: Bool
    /// Whether the output is for programs, which take U+FFFD for what the file says.
    private let isData: Bool

    init(_ input: any TableSource, _ format: OutputFormat) {
        mayReplace = format != .csv && format != .tsv && input.mayHoldInvalidText
        isData = format != .text
    }

    /// Checks fields that are written, in any order.
    /// - Parameters:
    ///   - row: counted from 1; 0 for the header.
    ///   - position: where the row is written; −1 for the header.
    mutating func check(_ fields: UnsafeBufferPointer<FieldBytes>, row: Int, position: Int) {
        guard mayReplace else { return }
        for field in fields where String(validating: field.bytes, as: UTF8.self) == nil {
            replacedFields += 1
            if position < firstPosition { (firstRow, firstPosition) = (row, position) }
        }
    }

    /// For a writer of some of the rows, whose notes are merged later: the same without any findings.
    var withoutFindings: OutputNotes {
        var notes = self
        (notes.replacedFields, notes.firstRow, notes.firstPosition) = (0, 0, .max)
        return notes
    }

    /// Adds the notes about other fields.
    mutating func merge(_ other: OutputNotes) {
        replacedFields += other.replacedFields
        if other.firstPosition < firstPosition { (firstRow, firstPosition) = (other.firstRow, other.firstPosition) }
    }

    /// Says at the end what was changed.
    mutating func finish(_ input: any TableSource) {
        if replacedFields > 0 {
            hasLosses = isData
            let place = firstRow == 0 ? "in the header" : "in row \(firstRow)"
            lines.append(
                "\(input.name): \(Self.count(replacedFields, "field is", "fields are")) not valid UTF-8 (the first \(place)). Invalid bytes "
                    + "were replaced with U+FFFD. Use -o csv to keep them, or --encoding to decode them.")
        }
        for conversion in input.conversions {
            lines.append(conversion.sentence)
            if conversion.isLoss { hasLosses = true }
        }
    }

    private static func count(_ number: Int, _ one: String, _ several: String) -> String { "\(number) \(number == 1 ? one : several)" }
}
