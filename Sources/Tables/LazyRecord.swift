/// One record of any length, of which any field is read a piece at a time.
///
/// A value: a copy that another thread has read further replaces the original.
public protocol LazyRecord: Sendable {
    /// Whether the end of the record has been found.
    var isComplete: Bool { get }
    /// The most bytes that the record can have.
    var byteLimit: Int { get }
    /// The approximate bytes of a piece.
    var pieceBytes: Int { get }

    /// Looks for the end of the record, until `bytes` more bytes have been looked at.
    /// - Parameters:
    ///   - bytes: how many more bytes to look at.
    ///   - progress: called with the number of bytes looked at so far; `false` stops.
    /// - Throws: when the record cannot be read.
    mutating func map(bytes: Int, progress: (Int) -> Bool) throws

    /// The field with this number; `nil` when the record does not have it, or it was not reached yet.
    /// - Throws: when the record cannot be read.
    func field(_ number: Int) throws -> LazyField?

    /// A piece of a field as text; the pieces in sequence are the field's text. `piece` is within `0 ..< field.pieceCount`.
    /// - Throws: when the record cannot be read.
    func text(of field: LazyField, piece: Int) throws -> String
}

/// A field of a ``LazyRecord``, divided into pieces.
public struct LazyField: Sendable, Hashable {
    /// The number of the field in its table.
    public var number: Int
    /// Where it stands, in bytes; its length is what a person is told as the size of the field.
    public var byteRange: Range<Int>
    /// The number of pieces; at least one.
    public var pieceCount: Int
    /// Whether the field continues behind the part that was looked at.
    public var isOpen: Bool

    /// A field at these bytes.
    public init(number: Int, byteRange: Range<Int>, pieceCount: Int, isOpen: Bool = false) {
        (self.number, self.byteRange, self.pieceCount, self.isOpen) = (number, byteRange, pieceCount, isOpen)
    }
}

/// A record that is held in memory whole.
public struct WholeRecord: LazyRecord {
    private let texts: [Int: String]

    /// A record with the texts of these fields, by number.
    public init(_ texts: [Int: String]) { self.texts = texts }

    /// The end is always known.
    public var isComplete: Bool { true }
    /// The bytes of all fields.
    public var byteLimit: Int { texts.values.reduce(0) { $0 + $1.utf8.count } }
    /// 16 KiB.
    public var pieceBytes: Int { 16 << 10 }

    /// Does nothing.
    public mutating func map(bytes: Int, progress: (Int) -> Bool) {}

    /// The field with this number. O(1).
    public func field(_ number: Int) -> LazyField? {
        texts[number].map { text in
            LazyField(number: number, byteRange: 0..<text.utf8.count, pieceCount: max(1, text.utf8.count / pieceBytes))
        }
    }

    /// A piece of a field, cut between characters. O(bytes of the piece).
    public func text(of field: LazyField, piece: Int) -> String {
        guard let text = texts[field.number] else { return "" }
        func cut(_ piece: Int) -> String.Index {
            if piece >= field.pieceCount { return text.endIndex }
            var index = text.utf8.index(text.startIndex, offsetBy: piece * pieceBytes)
            while index > text.startIndex, index.samePosition(in: text) == nil { index = text.utf8.index(before: index) }
            return index
        }
        return String(text[cut(piece)..<cut(piece + 1)])
    }
}
