import FieldValues

/// Writes records that are arrays as objects with the names of the columns.
///
/// The first array contains the names if all its elements are strings and another array follows. Columns without a name have letters. A
/// data frame has the names, and labels for the first column, outside of the arrays.
struct JSONArrayWriter {
    private let notes: JSONNotes
    /// The names of the columns, as in the file, with quotes.
    private var names: [[UInt8]] = []
    /// The names in use, and the last number that was appended to each of them to make another name.
    private var lastNumbers: [[UInt8]: Int] = [:]
    /// An array of strings that is the header if another array follows.
    private var heldHeader: [UInt8]?
    /// The labels of the rows of a data frame; empty for none.
    private var labels: [[UInt8]] = []
    /// The name of the column with the labels, with quotes.
    private var labelName: [UInt8] = []
    /// True until an array is written.
    private var isFirstArray = true
    /// True if an incomplete array precedes the first complete one. The incomplete array may have been the header.
    private var isHeaderDamaged = false

    /// - Parameters:
    ///   - notes: receives the note that the arrays have no names.
    ///   - frame: the data frame whose rows are the arrays; `nil` for other arrays.
    init(_ notes: JSONNotes, _ frame: JSONDataFrame?) {
        self.notes = notes
        guard let frame, !frame.columns.isEmpty else { return }
        isFirstArray = false
        for name in frame.columns { names.append(uniqueName(name)) }
        (labels, labelName) = (frame.labels, uniqueName(JSONDataFrame.labelName))
    }

    /// Stops writing labels at a record, and adds a note about this. Called after damage, because the numbers of later rows are unknown.
    /// - Parameter number: the number of the record, from 0.
    mutating func dropLabels(from number: Int) {
        guard labels.count > number else { return }
        labels.removeSubrange(number...)
        notes.addLabelProblem("because of damage, the labels of the index are left out from row \(NumberText.count(number + 1)) on")
    }

    /// Makes the first complete array a record, even if it looks like a header. Called if an incomplete array precedes it.
    mutating func skipDamagedHeader() { isHeaderDamaged = true }

    /// Writes a compact array, or holds it if it can be the header.
    /// - Parameter number: the number of the record, from 0.
    mutating func write(_ array: [UInt8], number: Int, into output: inout [UInt8]) {
        if isFirstArray {
            isFirstArray = false
            if !isHeaderDamaged, Self.isHeader(array) {
                heldHeader = array
                return
            }
            notes.setHasColumnNames(false)
        }
        if let header = heldHeader {
            heldHeader = nil
            Self.forEachElement(of: header) { names.append(uniqueName(Array($0))) }
        }
        writeFields(array, label: labels.indices.contains(number) ? labels[number] : nil, &output)
    }

    /// Writes the held header as a record if no other array has followed it, and adds a note about labels without a row.
    mutating func finish(into output: inout [UInt8], recordCount: Int) {
        if labels.count > recordCount { notes.addLabelProblem(Self.unusedLabelsPhrase(labels.count - recordCount)) }
        guard let header = heldHeader else { return }
        heldHeader = nil
        notes.setHasColumnNames(false)
        writeFields(header, &output)
    }

    private mutating func writeFields(_ array: [UInt8], label: [UInt8]? = nil, _ output: inout [UInt8]) {
        guard array.first == UInt8(ascii: "["), array.last == UInt8(ascii: "]") else {
            output.append(contentsOf: array)
            return output.append(10)
        }
        output.append(UInt8(ascii: "{"))
        if let label {
            output.append(contentsOf: labelName)
            output.append(UInt8(ascii: ":"))
            output.append(contentsOf: label)
        }
        var column = 0
        var names = names
        self.names = []
        Self.forEachElement(of: array) { element in
            if column == names.count { names.append(uniqueName(Array("\"\(ColumnLetters.text(column))\"".utf8))) }
            if column > 0 || label != nil { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: names[column])
            output.append(UInt8(ascii: ":"))
            output.append(contentsOf: element)
            column += 1
        }
        self.names = names
        output.append(contentsOf: "}\n".utf8)
    }

    private static func unusedLabelsPhrase(_ count: Int) -> String {
        count == 1 ? "1 label of the index has no row" : "\(NumberText.count(count)) labels of the index have no rows"
    }

    /// True for an array of strings that is not empty.
    private static func isHeader(_ array: [UInt8]) -> Bool {
        var (count, texts) = (0, 0)
        forEachElement(of: array) { element in
            count += 1
            if element.first == UInt8(ascii: "\""), element.count > 2 { texts += 1 }
        }
        return count > 0 && texts == count && array.last == UInt8(ascii: "]")
    }

    /// A name that differs from all previous names.
    private mutating func uniqueName(_ name: [UInt8]) -> [UInt8] {
        var unique = name
        if var number = lastNumbers[name] {
            repeat {
                number += 1
                unique = name.dropLast() + Array(" \(number)\"".utf8)
            } while lastNumbers[unique] != nil
            lastNumbers[name] = number
        }
        lastNumbers[unique] = 1
        return unique
    }

    /// Calls `body` with the elements of a compact array.
    private static func forEachElement(of array: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        guard array.count > 2 else { return }
        var (depth, start, isInString, isEscaped) = (0, 1, false, false)
        for index in 1..<array.count - 1 {
            let byte = array[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                body(array[start..<index])
                start = index + 1
            default: break
            }
        }
        body(array[start..<array.count - 1])
    }
}
