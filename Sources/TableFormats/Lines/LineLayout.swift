import FieldValues

/// How each line of a format is divided into fields.
protocol LineLayout: Sendable, Equatable {
    /// The names of the fields. Every line has as many fields.
    var titles: [String] { get }
    /// Whether the input names the fields.
    var hasTitles: Bool { get }
    /// The number of lines before the first record.
    var headerLines: Int { get }
    /// What is special about the format, for a page about the file.
    var facts: [(name: String, value: String)] { get }

    /// Appends the fields of a line, as many as there are titles.
    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields)
}

/// The fields of one line: parts of it, or bytes made of it.
struct LineFields: ~Copyable {
    private(set) var fields: [FieldBytes] = []
    private var copies = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    private var used = 0

    deinit { copies.deallocate() }

    /// Begins a line; fields of the one before are gone. Copies take at most as many bytes as the line.
    mutating func begin(lineBytes: Int) {
        fields.removeAll(keepingCapacity: true)
        used = 0
        guard copies.count < lineBytes else { return }
        copies.deallocate()
        copies = .allocate(capacity: lineBytes)
    }

    /// Appends a part of the line, without blanks around it.
    mutating func append(trimming part: Slice<UnsafeBufferPointer<UInt8>>) {
        let part = part.trimmed
        // An empty field has a start too.
        guard let start = part.base.baseAddress else {
            return fields.append(FieldBytes(start: UnsafePointer(copies.baseAddress!), count: 0))
        }
        fields.append(FieldBytes(start: start + part.startIndex, count: part.count))
    }

    /// Appends a copy of bytes.
    mutating func append(copying bytes: [UInt8]) {
        let start = copies.baseAddress! + used
        bytes.withUnsafeBufferPointer { if let from = $0.baseAddress { start.update(from: from, count: bytes.count) } }
        used += bytes.count
        fields.append(FieldBytes(start: UnsafePointer(start), count: bytes.count))
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Without blanks and tabs at both ends.
    var trimmed: Self {
        var part = self
        while let first = part.first, first == 32 || first == 9 { part.removeFirst() }
        while let last = part.last, last == 32 || last == 9 { part.removeLast() }
        return part
    }
}
