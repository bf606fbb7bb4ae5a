/// A terminal cell: one spacing scalar, the zero-width scalars that combine with it, and a style.
public struct Cell: Hashable, Sendable {
    /// The character of the cell; a space if the cell is empty. 0 in the right half of a wide character.
    public var scalar: UInt32
    /// The zero-width scalars after ``scalar``, at most four; 0 if there is no such scalar. A single scalar is stored directly. Several
    /// scalars are an index into a table that all buffers share.
    public var combiningMarks: UInt32
    /// The colors and attributes.
    public var style: TextStyle
    /// The number of columns: 1; 2 for the left half of a wide character; 0 for its right half.
    public var width: UInt8

    /// A space in the plain style.
    public static let blank = Cell(scalar: 0x20, combiningMarks: 0, style: .plain, width: 1)

    /// Creates a cell. `width` must be the width of `scalar` in columns.
    public init(scalar: UInt32, combiningMarks: UInt32 = 0, style: TextStyle = .plain, width: UInt8 = 1) {
        self.scalar = scalar
        self.combiningMarks = combiningMarks
        self.style = style
        self.width = width
    }

    /// The visible text of the cell; empty for the right half of a wide character.
    public var text: String {
        var text = ""
        append(to: &text)
        return text
    }

    /// Appends the visible text of the cell to `text`. Scalars that are unsafe for a terminal become U+FFFD, because a cell can be
    /// created with any number.
    public func append(to text: inout String) {
        guard width > 0 else { return }
        text.unicodeScalars.append(Self.printable(scalar))
        CombiningMarks.forEach(combiningMarks) { text.unicodeScalars.append(Self.printable($0)) }
    }

    /// Returns `scalar` if it is safe for a terminal, otherwise U+FFFD.
    static func printable(_ scalar: UInt32) -> Unicode.Scalar {
        guard let valid = Unicode.Scalar(scalar), scalar >= 0x20, !(0x7F..<0xA0).contains(scalar) else { return "\u{FFFD}" }
        return valid
    }
}
