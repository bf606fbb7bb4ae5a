/// A record of any length whose fields are read in pieces.
///
/// A lazy record is a value. Another thread can call ``scan(bytes:progress:)`` on a copy, and the copy then replaces the original.
public protocol LazyRecord: Sendable {
    /// True if the end of the record has been found.
    var isComplete: Bool { get }
    /// An upper limit of the number of bytes of the record. It is known before the end of the record is found.
    var byteLimit: Int { get }
    /// The approximate number of bytes of one piece of a field.
    var pieceBytes: Int { get }

    /// Searches for the end of the record in its next `bytes` bytes.
    /// - Parameters:
    ///   - bytes: the number of bytes to scan.
    ///   - progress: called with the number of bytes of the record scanned so far, including earlier calls; return `false` to stop.
    /// - Throws: an error if the record cannot be read.
    mutating func scan(bytes: Int, progress: (Int) -> Bool) throws

    /// The field with this number; `nil` if the record does not have the field, or if ``scan(bytes:progress:)`` has not reached it yet.
    /// - Throws: an error if the record cannot be read.
    func field(_ number: Int) throws -> LazyField?

    /// True if the field with this number is null, in formats in which a null differs from a missing field. ``field(_:)`` returns `nil` for
    /// both.
    func isNull(_ number: Int) -> Bool

    /// Reads one piece of a field as text; `piece` is in `0 ..< field.pieceCount`. The pieces joined in order are the text of the field.
    /// - Throws: an error if the record cannot be read.
    func text(of field: LazyField, piece: Int) throws -> String
}

extension LazyRecord {
    /// Always `false`.
    public func isNull(_ number: Int) -> Bool { false }
}

/// A field of a ``LazyRecord``, divided into pieces.
public struct LazyField: Sendable, Hashable {
    /// The number of the field in its table.
    public var number: Int
    /// The byte range of the field. Its length is the size shown to users.
    public var byteRange: Range<Int>
    /// The number of pieces, at least one.
    public var pieceCount: Int
    /// True if the end of the field is not known, because ``LazyRecord/scan(bytes:progress:)`` has not reached it yet. In a complete
    /// record, true if a server has cut the field.
    public var isPartial: Bool

    /// Creates a field at a byte range.
    public init(number: Int, byteRange: Range<Int>, pieceCount: Int, isPartial: Bool = false) {
        (self.number, self.byteRange, self.pieceCount, self.isPartial) = (number, byteRange, pieceCount, isPartial)
    }
}

/// A record held completely in memory.
public struct WholeRecord: LazyRecord {
    private let texts: [Int: String]
    private let nulls: Set<Int>
    private let cut: Set<Int>

    /// Creates a record from strings by field number.
    /// - Parameters:
    ///   - nulls: the numbers of the fields that are null.
    ///   - cut: the numbers of the fields whose end is missing, because a server has cut them.
    public init(_ texts: [Int: String], nulls: Set<Int> = [], cut: Set<Int> = []) {
        (self.texts, self.nulls, self.cut) = (texts, nulls, cut)
    }

    /// Always `true`, because no more can be read.
    public var isComplete: Bool { true }
    /// The number of bytes of all fields.
    public var byteLimit: Int { texts.values.reduce(0) { $0 + $1.utf8.count } }
    /// Always 16 KiB.
    public var pieceBytes: Int { 16 << 10 }

    /// Does nothing, because the end of the record is known.
    public mutating func scan(bytes: Int, progress: (Int) -> Bool) {}

    /// The field with this number. O(1).
    public func field(_ number: Int) -> LazyField? {
        texts[number].map { text in
            LazyField(
                number: number, byteRange: 0..<text.utf8.count, pieceCount: max(1, text.utf8.count / pieceBytes),
                isPartial: cut.contains(number))
        }
    }

    /// True if the field with this number is null. O(1).
    public func isNull(_ number: Int) -> Bool { nulls.contains(number) }

    /// A piece of a field. Pieces are cut between characters. O(bytes of the piece).
    public func text(of field: LazyField, piece: Int) -> String {
        guard let text = texts[field.number] else { return "" }
        func start(ofPiece piece: Int) -> String.Index {
            if piece >= field.pieceCount { return text.endIndex }
            var index = text.utf8.index(text.startIndex, offsetBy: piece * pieceBytes)
            while index > text.startIndex, index.samePosition(in: text) == nil { index = text.utf8.index(before: index) }
            return index
        }
        return String(text[start(ofPiece: piece)..<start(ofPiece: piece + 1)])
    }
}
