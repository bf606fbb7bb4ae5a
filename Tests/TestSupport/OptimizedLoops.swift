public import FieldValues
public import Tables

// Tests are compiled without optimization, so loops over many fields or bytes are here.

extension Table {
    /// The fields of some records as strings; `nil` for missing fields.
    public func strings(of records: Range<Int>, columns: [Int]) throws -> [[String?]] {
        var rows: [[String?]] = []
        try scan(records, columns: columns) { _, fields in
            rows.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
        return rows
    }

    /// The fields of all records as bytes, up to the first missing field of each record.
    public func fieldBytes(columns: [Int]) throws -> [[[UInt8]]] {
        var rows: [[[UInt8]]] = []
        try scan(0..<recordCount, columns: columns) { _, fields in
            rows.append(fields.prefix { !$0.isMissing }.map { Array($0.bytes) })
            return true
        }
        return rows
    }
}

extension FieldBytes {
    /// True if the field contains these bytes.
    public func contains(_ part: [UInt8]) -> Bool {
        bytes.hasPart(part)
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func hasPart(_ part: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return (0...count - part.count).contains { start in part.indices.allSatisfy { self[start + $0] == part[$0] } }
    }
}

extension [[String?]] {
    /// True if these rows begin with other rows.
    public func hasPrefix(_ rows: ArraySlice<[String?]>) -> Bool { count >= rows.count && self[..<rows.count] == rows }
}

extension [UInt8] {
    /// True if these bytes begin with other bytes.
    public func hasPrefix(_ bytes: ArraySlice<UInt8>) -> Bool { count >= bytes.count && self[..<bytes.count] == bytes }

    /// True if these bytes are at an index of other bytes.
    public func isPart(of bytes: [UInt8], at index: Int) -> Bool {
        index + count <= bytes.count && self[...] == bytes[index..<index + count]
    }
}

extension String {
    /// The lines that are not empty.
    public var filledLines: [Substring] { split(separator: "\n") }

    /// The lines that contain a text.
    public func lines(containing text: String) -> [Substring] {
        let part = Array(text.utf8)
        return filledLines.filter { line in Array(line.utf8).withUnsafeBufferPointer { $0.hasPart(part) } }
    }
}
