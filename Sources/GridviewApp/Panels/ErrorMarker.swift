import TerminalSurface

/// Marks the position of an error in a line of text.
enum ErrorMarker {
    /// The position and the width of an error in `text`, in terminal cells. The width is at least 1. `range` counts Unicode scalars.
    static func cells(of range: Range<Int>, in text: String) -> (column: Int, width: Int) {
        let scalars = Array(text.unicodeScalars)
        func width(_ range: Range<Int>) -> Int {
            DisplayWidth.of(String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)])))
        }
        return (width(0..<range.lowerBound), max(1, width(range)))
    }

    /// Two lines: the text, and marks under the error at `range`. Unprintable characters are replaced by spaces.
    static func lines(_ text: String, _ range: Range<Int>) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            line.append(DisplayWidth.isPrintable(scalar) ? scalar : " ")
        }
        let (column, width) = cells(of: range, in: String(line))
        return "  \(line)\n  \(String(repeating: " ", count: column))\(String(repeating: "^", count: width))"
    }
}
