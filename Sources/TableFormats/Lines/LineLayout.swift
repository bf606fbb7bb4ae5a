import FieldValues

/// Divides each line of a format into fields.
protocol LineLayout: Sendable, Equatable {
    /// The names of the fields. Every line has this number of fields.
    var titles: [String] { get }
    /// True if the input names the fields.
    var hasColumnNames: Bool { get }
    /// The number of lines before the first record.
    var headerLines: Int { get }
    /// Names and values specific to the format, for the file information page.
    var facts: [(name: String, value: String)] { get }

    /// True if the only field of each line is the line itself.
    var isUndivided: Bool { get }

    /// Appends the fields of a line, one for each title.
    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields)
}

extension LineLayout {
    var isUndivided: Bool { false }
}

/// The fields of one line: pointers into the line, or copies of changed text.
struct LineFields: ~Copyable {
    private(set) var fields: [FieldBytes] = []
    private var copies = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    private var used = 0

    deinit { copies.deallocate() }

    /// Starts a line and invalidates the fields of the previous one.
    /// - Parameter lineBytes: the maximum total size of the copies for this line.
    mutating func begin(lineBytes: Int) {
        fields.removeAll(keepingCapacity: true)
        used = 0
        guard copies.count < lineBytes else { return }
        copies.deallocate()
        copies = .allocate(capacity: lineBytes)
    }

    /// Appends a part of the line, without surrounding spaces.
    mutating func append(trimming part: Slice<UnsafeBufferPointer<UInt8>>) { append(part.trimmed) }

    /// Appends a part of the line.
    mutating func append(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
        // Even an empty field needs an address, because a field without one counts as missing.
        guard let start = part.base.baseAddress else {
            return fields.append(FieldBytes(start: UnsafePointer(copies.baseAddress!), count: 0))
        }
        fields.append(FieldBytes(start: start + part.startIndex, count: part.count))
    }

    /// Appends a copy of `bytes`.
    mutating func append(copying bytes: [UInt8]) {
        let start = copies.baseAddress! + used
        bytes.withUnsafeBufferPointer { if let from = $0.baseAddress { start.update(from: from, count: bytes.count) } }
        used += bytes.count
        fields.append(FieldBytes(start: UnsafePointer(start), count: bytes.count))
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The slice without spaces and tabs at both ends.
    var trimmed: Self {
        var part = self
        while let first = part.first, first == 32 || first == 9 { part.removeFirst() }
        while let last = part.last, last == 32 || last == 9 { part.removeLast() }
        return part
    }
}
