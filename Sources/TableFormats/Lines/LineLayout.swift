import FieldValues

/// Rules that divide each line of a file into fields. Each format with one record per line has a layout.
protocol LineLayout: Sendable, Equatable {
    /// The names of the fields. Each line is divided into this number of fields.
    var titles: [String] { get }
    /// True if the names of the fields come from the input.
    var hasColumnNames: Bool { get }
    /// The number of lines before the first record.
    var headerLines: Int { get }
    /// Names and values of the format for the file details.
    var details: [(name: String, value: String)] { get }

    /// True if a line is not divided: its only field is the whole line.
    var isUndivided: Bool { get }
    /// True if a line can contain the names of the fields. The user can then choose another line as the header.
    var canHaveHeader: Bool { get }

    /// Appends the fields of a line, one for each title.
    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields)
}

extension LineLayout {
    var isUndivided: Bool { false }
    var canHaveHeader: Bool { false }
}

/// The fields of one line: pointers into the line, or copies of changed text.
struct LineFields: ~Copyable {
    private(set) var fields: [FieldBytes] = []
    private var copies = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    /// The number of bytes in ``copies`` that are used.
    private var copiedCount = 0

    deinit { copies.deallocate() }

    /// Removes the fields of the previous line and starts a new line.
    /// - Parameter lineBytes: the maximum total size of the copies for this line.
    mutating func begin(lineBytes: Int) {
        fields.removeAll(keepingCapacity: true)
        copiedCount = 0
        guard copies.count < lineBytes else { return }
        copies.deallocate()
        copies = .allocate(capacity: lineBytes)
    }

    /// Appends a part of the line as a field, without spaces at its ends.
    mutating func append(trimming part: Slice<UnsafeBufferPointer<UInt8>>) { append(part.trimmed) }

    /// Appends a part of the line as a field.
    mutating func append(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
        // An empty field has an address, too, because a field without one counts as missing.
        guard let start = part.base.baseAddress else {
            return fields.append(FieldBytes(start: UnsafePointer(copies.baseAddress!), count: 0))
        }
        fields.append(FieldBytes(start: start + part.startIndex, count: part.count))
    }

    /// Appends a copy of `bytes` as a field, for text that differs from the line.
    mutating func append(copying bytes: [UInt8]) {
        let start = copies.baseAddress! + copiedCount
        bytes.withUnsafeBufferPointer { if let from = $0.baseAddress { start.update(from: from, count: bytes.count) } }
        copiedCount += bytes.count
        fields.append(FieldBytes(start: UnsafePointer(start), count: bytes.count))
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The slice without spaces and tabs at both ends.
    var trimmed: Self {
        var part = self
        while let first = part.first, first == 32 || first == 9 { part.removeFirst() }
        return part.trimmedAtEnd
    }

    /// The slice without spaces and tabs at its end.
    var trimmedAtEnd: Self {
        var part = self
        while let last = part.last, last == 32 || last == 9 { part.removeLast() }
        return part
    }
}
