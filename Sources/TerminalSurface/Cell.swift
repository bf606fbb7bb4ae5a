/// One terminal cell: one spacing scalar with its combining marks, and a style.
public struct Cell: Hashable, Sendable {
    /// The spacing scalar; a space when empty. 0 in the right half of a wide character.
    public var scalar: UInt32
    /// Zero-width scalars after it, four at most: 0 for none, one scalar as itself, more as an index into a table shared by all buffers.
    public var combiningMarks: UInt32
    /// How it looks.
    public var style: TextStyle
    /// 1, 2 for the left half of a wide character, 0 for its right half.
    public var width: UInt8

    /// A blank cell.
    public static let blank = Cell(scalar: 0x20, combiningMarks: 0, style: .plain, width: 1)

    /// A cell; the width must be that of the scalar.
    public init(scalar: UInt32, combiningMarks: UInt32 = 0, style: TextStyle = .plain, width: UInt8 = 1) {
        self.scalar = scalar
        self.combiningMarks = combiningMarks
        self.style = style
        self.width = width
    }

    /// What the cell shows; empty for the right half of a wide character.
    public var text: String {
        var text = ""
        append(to: &text)
        return text
    }

    /// Appends what the cell shows to `text`. A cell that holds what a terminal must not get (one can be made of any number) shows U+FFFD.
    public func append(to text: inout String) {
        guard width > 0 else { return }
        text.unicodeScalars.append(Self.printable(scalar))
        CombiningMarks.forEach(combiningMarks) { text.unicodeScalars.append(Self.printable($0)) }
    }

    /// `scalar` if a terminal may get it, else U+FFFD.
    static func printable(_ scalar: UInt32) -> Unicode.Scalar {
        guard let valid = Unicode.Scalar(scalar), scalar >= 0x20, !(0x7F..<0xA0).contains(scalar) else { return "\u{FFFD}" }
        return valid
    }
}
