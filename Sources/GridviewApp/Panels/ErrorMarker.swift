import TerminalSurface

/// Points at a place in a line of text.
enum ErrorMarker {
    /// The terminal cells before a place given in Unicode scalars, and those it takes, one at least.
    static func cells(of place: Range<Int>, in text: String) -> (column: Int, width: Int) {
        let scalars = Array(text.unicodeScalars)
        func width(_ range: Range<Int>) -> Int {
            DisplayWidth.of(String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)])))
        }
        return (width(0..<place.lowerBound), max(1, width(place)))
    }

    /// The text in a line, and under it marks at the place; what is no character to print is a blank.
    static func lines(_ text: String, _ place: Range<Int>) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            line.append(DisplayWidth.isPrintable(scalar) ? scalar : " ")
        }
        let (column, width) = cells(of: place, in: String(line))
        return "  \(line)\n  \(String(repeating: " ", count: column))\(String(repeating: "^", count: width))"
    }
}
