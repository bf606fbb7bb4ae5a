import TerminalSurface

/// Marks the place of an error in a line of text.
enum ErrorMarker {
    /// The number of terminal cells before `place` and its width in terminal cells, at least 1. `place` counts Unicode scalars.
    static func cells(of place: Range<Int>, in text: String) -> (column: Int, width: Int) {
        let scalars = Array(text.unicodeScalars)
        func width(_ range: Range<Int>) -> Int {
            DisplayWidth.of(String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)])))
        }
        return (width(0..<place.lowerBound), max(1, width(place)))
    }

    /// Two lines: the text, and marks under `place`. Unprintable characters are replaced by spaces.
    static func lines(_ text: String, _ place: Range<Int>) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            line.append(DisplayWidth.isPrintable(scalar) ? scalar : " ")
        }
        let (column, width) = cells(of: place, in: String(line))
        return "  \(line)\n  \(String(repeating: " ", count: column))\(String(repeating: "^", count: width))"
    }
}
