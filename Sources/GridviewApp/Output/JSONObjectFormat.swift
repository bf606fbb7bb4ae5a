import DataGrid
import DataGridSources
import FieldValues
import Tables

/// Formats rows as JSON objects. Fields are escaped from their bytes, without strings or allocations.
struct JSONObjectFormat {
    /// True if the input is JSON. Then numbers, flags, objects and arrays are written unchanged, blank strings stay strings, and a missing
    /// field is left out of the object.
    var keepsJSON = false
    /// For each column, true if strings in the input's JSON stay strings; false if a string such as "12" becomes a value of the column's
    /// type.
    var keepsStrings: [Bool]
    private let columns: [JSONColumn]
    /// The text before the value of each column, such as `, "price": `, for all columns in one array.
    private let keys: [UInt8]

    private struct JSONColumn {
        var form: LiteralForm
        var isDerived: Bool
        /// The index after the key of this column in ``keys``.
        var keyEnd: Int
    }

    /// Creates a format for objects with these keys. The names must be unique: readers of JSON keep only one of several equal names.
    init(_ columns: [Column], names: [String]) {
        keepsStrings = Array(repeating: false, count: columns.count)
        var keys = OutputSink(byteLimit: .max)
        self.columns = zip(columns, names).map { column, name in
            JSONBuffer.write(to: &keys) { buffer, keys in
                buffer.put(", ", &keys)
                FieldBytes.withBytes(of: name) { buffer.putString($0, &keys) }
                buffer.put(": ", &keys)
            }
            return JSONColumn(form: LiteralForm(column), isDerived: column.field.isDerived, keyEnd: keys.buffer.count)
        }
        self.keys = keys.removeBuffer()
    }

    /// Writes one object.
    /// - Parameters:
    ///   - fields: a field for each column. If the table has nested values, a second field for each column follows. It has the text of a
    ///     value that the table knows to be JSON, such as a number or an object; for a string, it is missing.
    ///   - start: text to write before the object.
    ///   - endsLine: true to write a line feed after the object.
    func write(
        _ fields: UnsafeBufferPointer<FieldBytes>, after start: StaticString = "", endsLine: Bool = false, to sink: inout OutputSink
    ) {
        JSONBuffer.write(to: &sink) { buffer, sink in
            buffer.put(start, &sink)
            keys.withUnsafeBufferPointer { putMembers(fields, keys: $0, &buffer, &sink) }
            if endsLine { buffer.put(byte: UInt8(ascii: "\n"), &sink) }
        }
    }

    private func putMembers(
        _ fields: UnsafeBufferPointer<FieldBytes>, keys: UnsafeBufferPointer<UInt8>, _ buffer: inout JSONBuffer, _ sink: inout OutputSink
    ) {
        let hasNested = fields.count > columns.count
        buffer.put(byte: UInt8(ascii: "{"), &sink)
        var (keyEnd, isFirst) = (0, true)
        for index in 0..<min(columns.count, fields.count) {
            let (column, field) = (columns[index], fields[index])
            let nested = hasNested ? fields[columns.count + index] : .missing
            let keyStart = keyEnd
            keyEnd = column.keyEnd
            if keepsJSON, field.isMissing, nested.isMissing { continue }
            // Leave out the comma and the space at the start of the first key.
            buffer.put(UnsafeBufferPointer(rebasing: keys[(isFirst ? keyStart + 2 : keyStart)..<keyEnd]), &sink)
            isFirst = false
            if !nested.isMissing {
                buffer.putJSON(nested, &sink)
            } else if keepsStrings[index] || keepsJSON && !column.isDerived && field.isBlank {
                buffer.putString(field, &sink)
            } else {
                column.form.withLiteral(of: field) { literal in
                    switch literal {
                    case .null: buffer.put("null", &sink)
                    case .plain(let value): buffer.put(value.bytes, &sink)
                    case .text: buffer.putString(field, &sink)
                    }
                }
            }
        }
        buffer.put(byte: UInt8(ascii: "}"), &sink)
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
    mutating func putJSON(_ field: FieldBytes, _ sink: inout OutputSink) {
        JSONPart.forEach(in: field) { part, bytes in
            switch part {
            case .nonFinite:
                put(byte: UInt8(ascii: "\""), &sink)
                put(bytes, &sink)
                put(byte: UInt8(ascii: "\""), &sink)
            case .string: put(bytes, as: .escapedString, &sink)
            // Outside strings, the only possible control characters are blanks.
            case .other: put(bytes, as: .outsideStrings, &sink)
            }
            return true
        }
    }
}
