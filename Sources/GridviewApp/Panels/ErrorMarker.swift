import TerminalSurface

/// Marks a range in a line of text.
enum ErrorMarker {
    /// The number of terminal cells before a range of Unicode scalars, and the width of the range in terminal cells, at least 1.
    static func cells(of place: Range<Int>, in text: String) -> (column: Int, width: Int) {
        let scalars = Array(text.unicodeScalars)
        func width(_ range: Range<Int>) -> Int {
            DisplayWidth.of(String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)])))
        }
        return (width(0..<place.lowerBound), max(1, width(place)))
    }

    /// The text in one line, with marks under the range. Unprintable characters are replaced by spaces.
    static func lines(_ text: String, _ place: Range<Int>) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            line.append(DisplayWidth.isPrintable(scalar) ? scalar : " ")
        }
        let (column, width) = cells(of: place, in: String(line))
        return "  \(line)\n  \(String(repeating: " ", count: column))\(String(repeating: "^", count: width))"
    }
}
