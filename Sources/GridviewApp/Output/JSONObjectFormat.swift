import DataGrid
import DataGridSources
import FieldValues
import Tables

/// Formats rows as JSON objects. Escapes the bytes of fields directly, without creating strings or allocating memory.
struct JSONObjectFormat {
    /// True if the input is JSON. Then numbers, flags, objects and arrays are written unchanged, blank strings stay strings, and a missing
    /// field is left out of the object.
    var keepsJSON = false
    /// For each column, true if strings in the input's JSON stay strings; false if a string such as "12" becomes a value of the column's
    /// type.
    var keepsStrings: [Bool]
    /// For each column, the number of its second field after the fields of all columns; −1 without a second field. Empty if each column has
    /// a second field, or no column has one.
    var secondPlaces: [Int] = []
    /// Finds the columns in which numbers are written as strings; `nil` to find none.
    var stringNumberFinder: StringNumberFinder?
    /// The names of the columns: their titles. If a column has no path and its title is already a key, the name gets a number, such as
    /// `price_2`.
    let names: [String]
    private let columns: [JSONColumn]
    /// The members of the written object. A member whose value is an object is followed by the members of this inner object.
    private let members: [Member]
    /// The text before the value of each member, such as `, "price": `. All these texts are joined in one array.
    private let keys: [UInt8]

    private struct JSONColumn {
        var form: LiteralForm
        var isDerived: Bool
    }

    private struct Member {
        /// The index of the column with the value; `nil` if the value is always an object with the members that follow.
        var column: Int?
        /// The number of keys that lead to the value.
        var depth: Int
        /// The range in ``keys`` of the text before the value.
        var key: Range<Int>
        /// The index after this member and all members inside its object.
        var end: Int
    }

    /// Creates a format for objects with a value for each column.
    /// - Parameter paths: for each column, the keys that lead to its value in the JSON of the input; `nil` for a column without such keys,
    ///   whose key is its title. An empty array means that no column has a path.
    init(_ columns: [Column], paths: [[String]?] = []) {
        keepsStrings = Array(repeating: false, count: columns.count)
        let tree = JSONKeyTree(titles: columns.map(\.title), paths: paths)
        names = tree.names
        self.columns = columns.map { JSONColumn(form: LiteralForm($0), isDerived: $0.field.isDerived) }
        var members: [Member] = []
        var keys = OutputSink(byteLimit: .max)
        func add(_ node: JSONKeyTree.Node, depth: Int) {
            let index = members.count
            let start = keys.buffer.count
            JSONBuffer.write(to: &keys) { buffer, keys in
                buffer.put(", ", &keys)
                node.key.withUnsafeBufferPointer { buffer.putString(FieldBytes(start: $0.baseAddress, count: $0.count), &keys) }
                buffer.put(": ", &keys)
            }
            members.append(Member(column: node.column, depth: depth, key: start..<keys.buffer.count, end: 0))
            for child in node.children { add(tree.nodes[child], depth: depth + 1) }
            members[index].end = members.count
        }
        for child in tree.nodes[0].children { add(tree.nodes[child], depth: 1) }
        self.members = members
        self.keys = keys.removeBuffer()
    }

    /// Writes one object.
    /// - Parameters:
    ///   - fields: a field for each column. If the table has nested values, a second field for each column follows, or for the columns that
    ///     ``secondPlaces`` names. It has the text of a value that the table knows to be JSON, such as a number or an object; for a string,
    ///     it is missing.
    ///   - start: text to write before the object.
    ///   - endsLine: true to write a line feed after the object.
    func write(
        _ fields: UnsafeBufferPointer<FieldBytes>, after start: StaticString = "", endsLine: Bool = false, to sink: inout OutputSink
    ) {
        JSONBuffer.write(to: &sink) { buffer, sink in
            buffer.put(start, &sink)
            keys.withUnsafeBufferPointer { keys in
                putObject(of: 0..<members.count, Row(fields: fields, width: columns.count, keys: keys), &buffer, &sink)
            }
            if endsLine { buffer.put(byte: UInt8(ascii: "\n"), &sink) }
        }
    }

    /// The fields of a row.
    private struct Row {
        let fields: UnsafeBufferPointer<FieldBytes>
        let width: Int
        let keys: UnsafeBufferPointer<UInt8>

        /// The field of a column; missing if the row is too short.
        func field(_ column: Int) -> FieldBytes { column < fields.count ? fields[column] : .missing }
    }

    /// The second field of a column; missing if the row has no such field.
    @inline(__always)
    private func secondField(_ column: Int, _ row: Row) -> FieldBytes {
        guard row.fields.count > row.width else { return .missing }
        guard !secondPlaces.isEmpty else { return row.fields[row.width + column] }
        return secondPlaces[column] < 0 ? .missing : row.fields[row.width + secondPlaces[column]]
    }

    /// The state of an object in the input.
    private enum ObjectState {
        case missing, null, present
    }

    /// True if the row has a value for a column. In JSON input, a value can be missing.
    @inline(__always)
    private func hasValue(_ column: Int, _ row: Row) -> Bool {
        keepsJSON ? !row.field(column).isMissing || !secondField(column, row).isMissing : column < row.fields.count
    }

    /// The state of the object at this index of ``members``. The first value inside the object decides, because all values inside a null
    /// object are null, too.
    private func objectState(_ index: Int, _ row: Row) -> ObjectState {
        for below in members[index + 1..<members[index].end] {
            guard let column = below.column else { continue }
            guard hasValue(column, row) else { continue }
            if let levels = NestedNull.levels(of: secondField(column, row)), below.depth - levels <= members[index].depth { return .null }
            return .present
        }
        return .missing
    }

    private func putObject(of range: Range<Int>, _ row: Row, _ buffer: inout JSONBuffer, _ sink: inout OutputSink) {
        buffer.put(byte: UInt8(ascii: "{"), &sink)
        var (index, isFirst) = (range.lowerBound, true)
        while index < range.upperBound {
            let (key, end) = (members[index].key, members[index].end)
            // Leave out the comma and the space at the start of the first key.
            let keyBytes = UnsafeBufferPointer(rebasing: row.keys[(isFirst ? key.lowerBound + 2 : key.lowerBound)..<key.upperBound])
            if let column = members[index].column, hasValue(column, row) {
                buffer.put(keyBytes, &sink)
                putValue(column, row, &buffer, &sink)
                isFirst = false
            } else if end > index + 1, case let state = objectState(index, row), state != .missing {
                buffer.put(keyBytes, &sink)
                if state == .null { buffer.put(NestedNull.word, &sink) } else { putObject(of: index + 1..<end, row, &buffer, &sink) }
                isFirst = false
            }
            index = end
        }
        buffer.put(byte: UInt8(ascii: "}"), &sink)
    }

    @inline(__always)
    private func putValue(_ index: Int, _ row: Row, _ buffer: inout JSONBuffer, _ sink: inout OutputSink) {
        let (column, field, nested) = (columns[index], row.fields[index], secondField(index, row))
        if !nested.isMissing {
            // The spaces after a null are not part of the value.
            if keepsJSON, NestedNull.levels(of: nested) != nil { return buffer.put(NestedNull.word, &sink) }
            if buffer.putJSON(nested, &sink) { stringNumberFinder?.addNonFinite(index) }
        } else if keepsStrings[index] || keepsJSON && !column.isDerived && field.isBlank {
            buffer.putString(field, &sink)
        } else {
            column.form.withLiteral(of: field) { literal in
                switch literal {
                case .null: buffer.put("null", &sink)
                case .plain(let value): buffer.put(value.bytes, &sink)
                case .text:
                    stringNumberFinder?.check(field, index)
                    buffer.putString(field, &sink)
                }
            }
        }
    }
}

/// A small buffer on the stack, so that writing a row needs few calls of the sink.
private struct JSONBuffer {
    /// The size of the buffer in bytes. Swift allocates temporary memory of more than 1 KiB on the heap.
    private static let capacity = 1_024

    private let memory: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    private init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

    /// Calls `body` with an empty buffer, then writes the bytes left in the buffer to `sink`.
    static func write(to sink: inout OutputSink, _ body: (_ buffer: inout JSONBuffer, _ sink: inout OutputSink) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { memory in
            var buffer = JSONBuffer(memory)
            body(&buffer, &sink)
            buffer.flush(&sink)
        }
    }

    private mutating func flush(_ sink: inout OutputSink) {
        sink.write(utf8: UnsafeBufferPointer(rebasing: memory[..<count]))
        count = 0
    }

    mutating func put(byte: UInt8, _ sink: inout OutputSink) {
        if count == memory.count { flush(&sink) }
        memory.initializeElement(at: count, to: byte)
        count += 1
    }

    mutating func put(_ text: StaticString, _ sink: inout OutputSink) {
        put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), &sink)
    }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: inout OutputSink) {
        if bytes.count > memory.count - count {
            flush(&sink)
            if bytes.count > memory.count { return sink.write(utf8: bytes) }
        }
        guard let start = bytes.baseAddress, let target = memory.baseAddress else { return }
        (target + count).initialize(from: start, count: bytes.count)
        count += bytes.count
    }

    private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>, as form: JSONForm, _ sink: inout OutputSink) {
        var rest = bytes
        while !rest.isEmpty {
            if memory.count - count < JSONForm.minimumRoom { flush(&sink) }
            let (read, written) = form.write(rest, to: UnsafeMutableBufferPointer(rebasing: memory[count...]))
            count += written
            rest = UnsafeBufferPointer(rebasing: rest[read...])
        }
    }

    /// Adds a field as a JSON string, with quotes and escape sequences.
    mutating func putString(_ field: FieldBytes, _ sink: inout OutputSink) {
        put(byte: UInt8(ascii: "\""), &sink)
        put(field.bytes, as: .unescaped, &sink)
        put(byte: UInt8(ascii: "\""), &sink)
    }

    /// Adds JSON text from the input, with control characters escaped. `NaN` and `Infinity`, which Python writes although they are not
    /// valid JSON, become strings.
    /// - Returns: True if the text has such a number.
    mutating func putJSON(_ field: FieldBytes, _ sink: inout OutputSink) -> Bool {
        var hasNonFinite = false
        JSONPart.forEach(in: field) { part, bytes in
            switch part {
            case .nonFinite:
                hasNonFinite = true
                put(byte: UInt8(ascii: "\""), &sink)
                put(bytes, &sink)
                put(byte: UInt8(ascii: "\""), &sink)
            case .string: put(bytes, as: .escapedString, &sink)
            // Outside strings, the only possible control characters are blanks.
            case .other: put(bytes, as: .outsideStrings, &sink)
            }
            return true
        }
        return hasNonFinite
    }
}
