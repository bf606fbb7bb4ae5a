import FieldValues
import Tables

/// The buffers to write for a nested column of a record batch, or for a field or element inside it.
///
/// Null structures, and null lists of fixed size, still have space for their fields and elements, which are null or zero.
final class NestedArrowBuffers {
    private let field: NestedField
    /// The name of the column, for messages.
    private let column: String
    /// The buffers of the inner values: the fields of a structure, the elements of a list, or the entries of a map.
    private let children: [NestedArrowBuffers]
    /// True for text, bytes, lists and maps, whose values are located by offsets.
    private let hasOffsets: Bool
    /// True for a type with its own values, false for one that only has children.
    private let hasValues: Bool

    private(set) var count = 0
    private(set) var nullCount = 0
    /// One bit for each value, 0 for null.
    private var validity: [UInt8] = []
    private var offsets: [UInt8] = []
    private var values: [UInt8] = []

    init(_ field: NestedField, column: String) {
        (self.field, self.column) = (field, column)
        switch field.type {
        case .value(let type): (children, hasValues) = ([], true); hasOffsets = type == .binary || type.isText
        case .structure(let fields):
            (children, hasOffsets, hasValues) = (fields.map { NestedArrowBuffers($0, column: column) }, false, false)
        case .list(var element, let size):
            element.name = "item"
            (children, hasOffsets, hasValues) = ([NestedArrowBuffers(element, column: column)], size == nil, false)
        case .map(var key, var value):
            (key.name, value.name) = ("key", "value")
            let entry = NestedField("entries", .structure([key, value]), isOptional: false)
            (children, hasOffsets, hasValues) = ([NestedArrowBuffers(entry, column: column)], true, false)
        }
    }

    /// The buffers of this field without its children, in the order of the format.
    var buffers: [[UInt8]] { [nullCount > 0 ? validity : []] + (hasOffsets ? [offsets] : []) + (hasValues ? [values] : []) }

    /// Calls `body` with this field and all fields inside it, in the order of the format.
    func forEach(_ body: (NestedArrowBuffers) throws -> Void) rethrows {
        try body(self)
        for child in children { try child.forEach(body) }
    }

    // MARK: Schema

    /// Adds the description of the field to a schema, and returns its position.
    func schema(_ builder: inout FlatBuilder) -> Int {
        let (code, type, extensionName) = typeTable(&builder)
        let name = builder.addText(field.name)
        let parts = children.map { $0.schema(&builder) }
        let list = builder.addReferences(to: parts)
        var members: [(number: Int, value: FlatBuilder.Value)] = [
            (0, .object(name)), (1, .byte(field.isOptional ? 1 : 0)), (2, .byte(code)), (3, .object(type)), (5, .object(list)),
        ]
        if let extensionName { members.append((6, .object(builder.extensionMetadata(extensionName)))) }
        return builder.addTable(members)
    }

    /// Adds the table of the type. Returns the code of the type, the position of the table and, for an extension type, its name.
    private func typeTable(_ builder: inout FlatBuilder) -> (code: UInt8, table: Int, extensionName: String?) {
        func unit(_ digits: Int) -> FlatBuilder.Value { .short(Int16(digits / 3)) }
        let stored: StoredType
        switch field.type {
        case .structure: return (13, builder.addTable([]), nil)
        case .list(_, nil): return (12, builder.addTable([]), nil)
        case .list(_, let size?): return (16, builder.addTable([(0, .int(Int32(size)))]), nil)
        case .map: return (17, builder.addTable([]), nil)
        case .value(let type): stored = type
        }
        switch stored {
        case .integer(let bits, let isSigned): return (2, builder.addTable([(0, .int(Int32(bits))), (1, .byte(isSigned ? 1 : 0))]), nil)
        case .half: return (3, builder.addTable([(0, .short(0))]), nil)
        case .float: return (3, builder.addTable([(0, .short(1))]), nil)
        case .double: return (3, builder.addTable([(0, .short(2))]), nil)
        case .binary: return (4, builder.addTable([]), nil)
        case .text(let isJSON): return (5, builder.addTable([]), isJSON ? "arrow.json" : nil)
        case .flag: return (6, builder.addTable([]), nil)
        case .decimal(let precision, let scale):
            return (7, builder.addTable([(0, .int(Int32(precision))), (1, .int(Int32(scale))), (2, .int(128))]), nil)
        case .date: return (8, builder.addTable([(0, .short(0))]), nil)
        case .time(let digits): return (9, builder.addTable([(0, unit(digits)), (1, .int(digits > 3 ? 64 : 32))]), nil)
        case .dateTime(let digits, true):
            let zone = builder.addText("UTC")
            return (10, builder.addTable([(0, unit(digits)), (1, .object(zone))]), nil)
        case .dateTime(let digits, false): return (10, builder.addTable([(0, unit(digits))]), nil)
        case .fixedBinary(let width, let isUUID):
            return (15, builder.addTable([(0, .int(Int32(width)))]), isUUID ? "arrow.uuid" : nil)
        }
    }

    // MARK: Values

    /// Replaces the content of all buffers with the values of a vector.
    func fill(_ vector: ColumnVector, count: Int) throws {
        guard case .texts(let texts) = vector.values else { throw mismatchError }
        removeAll()
        for row in 0..<count {
            let isPresent = vector.presence.map { $0[row] != 0 } ?? true
            guard isPresent, !texts[row].isMissing else {
                appendNull()
                continue
            }
            var reader = NestedValueReader(texts[row])
            try append(reader.readMarker(), &reader)
        }
    }

    private var mismatchError: FormatError {
        FormatError("Cannot write column “\(column)”: a value no longer has the type of the column. Reload the file to try again.")
    }

    private func removeAll() {
        (count, nullCount) = (0, 0)
        validity.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        if hasOffsets { put(Int32(0), to: &offsets) }
        for child in children { child.removeAll() }
    }

    /// Appends a value.
    /// - Parameter marker: the first byte of the value, which the caller has already read.
    private func append(_ marker: UInt8?, _ reader: inout NestedValueReader) throws {
        if marker == NestedMarker.null { return appendNull() }
        guard marker == NestedMarker.present else { throw mismatchError }
        switch field.type {
        case .value(let type): try append(type, &reader)
        case .structure: for child in children { try child.append(reader.readMarker(), &reader) }
        case .list, .map: try appendElements(&reader)
        }
        finishValue(isPresent: true)
    }

    private func appendElements(_ reader: inout NestedValueReader) throws {
        let child = children[0]
        var isPair = false
        if case .map = field.type { isPair = true }
        while true {
            guard let marker = reader.readMarker() else { throw mismatchError }
            guard marker != NestedMarker.end else { return }
            if isPair {
                // The key and the value of an entry.
                try child.children[0].append(marker, &reader)
                try child.children[1].append(reader.readMarker(), &reader)
                child.finishValue(isPresent: true)
            } else {
                try child.append(marker, &reader)
            }
        }
    }

    /// Appends a null, or a zero if the schema allows no nulls.
    private func appendNull() {
        switch field.type {
        case .value(.flag): putBit(false, to: &values)
        case .value(let type): values.append(contentsOf: repeatElement(0, count: type.byteCount))
        case .structure: for child in children { child.appendNull() }
        case .list(_, let size): for _ in 0..<(size ?? 0) { children[0].appendNull() }
        case .map: break
        }
        finishValue(isPresent: !field.isOptional)
    }

    private func append(_ type: StoredType, _ reader: inout NestedValueReader) throws {
        switch type {
        case .text, .binary, .fixedBinary:
            guard let bytes = reader.readBytes() else { throw mismatchError }
            return values.append(contentsOf: bytes)
        case .decimal:
            guard let number = reader.readWideNumber() else { throw mismatchError }
            return put(number, to: &values)
        default: break
        }
        guard let number = reader.readNumber() else { throw mismatchError }
        switch (type, type.byteCount) {
        case (.flag, _): putBit(number != 0, to: &values)
        case (_, 1): put(UInt8(truncatingIfNeeded: number), to: &values)
        case (_, 2): put(UInt16(truncatingIfNeeded: number), to: &values)
        case (_, 4): put(UInt32(truncatingIfNeeded: number), to: &values)
        default: put(number, to: &values)
        }
    }

    /// Updates counts, validity and offsets after the content of a value is appended.
    private func finishValue(isPresent: Bool) {
        putBit(isPresent, to: &validity)
        count += 1
        if !isPresent { nullCount += 1 }
        // The offsets fit in 32 bits: a batch has not much more than 64 MiB of values, and a single field has less than 2 GiB.
        if hasOffsets { put(Int32(clamping: hasValues ? values.count : children[0].count), to: &offsets) }
    }

    /// Sets or clears the bit of the current value.
    private func putBit(_ bit: Bool, to bytes: inout [UInt8]) {
        if count % 8 == 0 { bytes.append(0) }
        if bit { bytes[count / 8] |= 1 << UInt8(count % 8) }
    }

    private func put(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

extension StoredType {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    /// The number of bytes of each value in the buffer; 0 for flags and for values of variable length.
    fileprivate var byteCount: Int {
        switch self {
        case .integer(let bits, _): bits / 8
        case .decimal: 16
        case .half: 2
        case .float, .date: 4
        case .double, .dateTime: 8
        case .time(let digits): digits > 3 ? 8 : 4
        case .fixedBinary(let width, _): width
        case .flag, .text, .binary: 0
        }
    }
}
