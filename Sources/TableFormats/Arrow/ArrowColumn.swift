import FieldValues
import Tables

/// The values of an Arrow field as a `ColumnVector`, together with the memory to which the vector points. Immutable.
final class ArrowColumn: @unchecked Sendable {
    let vector: ColumnVector
    private let owners: [AnyObject]

    private init(_ values: ColumnVector.Values, presence: ArrowBlock?, owners: [AnyObject]) {
        vector = ColumnVector(values, presence: presence.map { UnsafePointer($0.elements(of: UInt8.self)) })
        self.owners = presence.map { owners + [$0] } ?? owners
    }

    /// Creates a column of `count` missing values.
    convenience init(missingCount count: Int, _ reader: ArrowReader) throws {
        let (fields, presence) = (try reader.block(count, of: FieldBytes.self), try reader.block(count, of: UInt8.self))
        fields.elements(of: FieldBytes.self).update(repeating: .missing, count: count)
        presence.elements(of: UInt8.self).update(repeating: 0, count: count)
        self.init(.texts(UnsafePointer(fields.elements(of: FieldBytes.self))), presence: presence, owners: [fields])
    }

    /// Creates a column of strings. `owners` keeps the memory of the strings alive.
    convenience init(texts: ArrowBlock, presence: ArrowBlock?, owners: [AnyObject]) {
        self.init(.texts(UnsafePointer(texts.elements(of: FieldBytes.self))), presence: presence, owners: owners + [texts])
    }

    /// Converts values as stored in the file to a vector. Values without a vector type, such as lists and wide numbers, become text.
    convenience init(_ slice: ArrowSlice, _ reader: ArrowReader) throws {
        switch slice.content {
        case .none: try self.init(missingCount: slice.count, reader)
        case .fixed(let bytes):
            if let values = try Self.numbers(slice, bytes, reader) {
                self.init(values.values, presence: slice.presence, owners: [values.owner])
            } else {
                try self.init(printing: slice, reader)
            }
        case .flags(let flags): self.init(.flags(UnsafePointer(flags.elements(of: UInt8.self))), presence: slice.presence, owners: [flags])
        case .texts(let fields, let owners): self.init(texts: fields, presence: slice.presence, owners: owners)
        case .codes(let codes, let dictionary):
            if case .texts(let texts) = dictionary.column.vector.values {
                let all = UnsafeBufferPointer(start: texts, count: dictionary.count)
                self.init(
                    .codes(UnsafePointer(codes.elements(of: UInt32.self)), dictionary: all), presence: slice.presence,
                    owners: [codes, dictionary])
            } else {
                try self.init(dictionary.column, codes, slice, reader)
            }
        case .runs(let runs, let values): try self.init(ArrowColumn(values, reader), runs, slice, reader)
        case .lists, .fixedLists, .structures, .unions: try self.init(printing: slice, reader)
        }
    }

    /// Converts values as stored in the file to text.
    convenience init(printing slice: ArrowSlice, _ reader: ArrowReader) throws {
        try self.init(slice, reader) { (index, arena) throws(ArrowError) in
            try ArrowPrinter.append(slice, index, to: &arena, isJSON: false)
        }
    }

    /// Converts nested values to the binary form that `NestedMarker` describes.
    convenience init(binary slice: ArrowSlice, _ reader: ArrowReader) throws {
        try self.init(slice, reader) { (index, arena) throws(ArrowError) in try ArrowPrinter.appendBinary(slice, index, to: &arena) }
    }

    private convenience init(
        _ slice: ArrowSlice, _ reader: ArrowReader, append: (_ index: Int, _ arena: inout ArrowArena) throws(ArrowError) -> Void
    ) throws {
        var arena = try ArrowArena(limit: max(0, reader.budget))
        let fields = try reader.block(slice.count, of: FieldBytes.self)
        let ends = try reader.block(slice.count, of: Int.self)
        let presence = try reader.block(slice.count, of: UInt8.self)
        let (end, present) = (ends.elements(of: Int.self), presence.elements(of: UInt8.self))
        for index in 0..<slice.count {
            present[index] = ArrowPrinter.isNull(slice, index) ? 0 : 1
            if present[index] != 0 { try append(index, &arena) }
            end[index] = arena.count
        }
        let texts = fields.elements(of: FieldBytes.self)
        let start = arena.block.elements(of: UInt8.self)
        for index in 0..<slice.count {
            let first = index == 0 ? 0 : end[index - 1]
            texts[index] = present[index] == 0 ? .missing : FieldBytes(start: start + first, count: end[index] - first)
        }
        reader.budget -= min(reader.budget, arena.count)
        self.init(texts: fields, presence: presence, owners: [arena.block])
    }

    /// Selects values from `column`, which contains the values of a dictionary, by their indexes.
    private convenience init(_ column: ArrowColumn, _ indexes: ArrowBlock, _ slice: ArrowSlice, _ reader: ArrowReader) throws {
        let count = slice.count
        let codes = indexes.elements(of: UInt32.self)
        var presence = slice.presence
        if let inner = column.vector.presence {
            let all = try reader.block(count, of: UInt8.self)
            let flags = all.elements(of: UInt8.self)
            for index in 0..<count { flags[index] = slice.isPresent(index) ? inner[Int(codes[index])] : 0 }
            presence = all
        }
        let present = presence?.elements(of: UInt8.self)
        func select<T>(_ values: UnsafePointer<T>) throws -> (UnsafePointer<T>, [AnyObject]) {
            let block = try reader.block(count, of: T.self)
            let target = block.elements(of: T.self)
            // Missing values are skipped, because their index in the dictionary may be invalid.
            for index in 0..<count where present.map({ $0[index] != 0 }) ?? true {
                (target + index).initialize(to: values[Int(codes[index])])
            }
            return (UnsafePointer(target), [block, column])
        }
        switch column.vector.values {
        case .integers(let values, let scale):
            let (chosen, owners) = try select(values)
            self.init(.integers(chosen, scale: scale), presence: presence, owners: owners)
        case .doubles(let values):
            let (chosen, owners) = try select(values)
            self.init(.doubles(chosen), presence: presence, owners: owners)
        case .floats(let values):
            let (chosen, owners) = try select(values)
            self.init(.floats(chosen), presence: presence, owners: owners)
        case .flags(let values):
            let (chosen, owners) = try select(values)
            self.init(.flags(chosen), presence: presence, owners: owners)
        case .dates(let values):
            let (chosen, owners) = try select(values)
            self.init(.dates(chosen), presence: presence, owners: owners)
        case .dateTimes(let values, let digits, let isUTC):
            let (chosen, owners) = try select(values)
            self.init(.dateTimes(chosen, digits: digits, isUTC: isUTC), presence: presence, owners: owners)
        case .times(let values, let digits):
            let (chosen, owners) = try select(values)
            self.init(.times(chosen, digits: digits), presence: presence, owners: owners)
        case .texts(let values):
            let (chosen, owners) = try select(values)
            self.init(.texts(chosen), presence: presence, owners: owners)
        case .codes(let values, let dictionary):
            let (chosen, owners) = try select(values)
            self.init(.codes(chosen, dictionary: dictionary), presence: presence, owners: owners)
        }
    }

    // MARK: Numbers

    /// Reads one value of a type with at most 64 bits: a number, a count of days, or a count of fractions of a second.
    @inline(__always)
    static func integer(_ type: ArrowType, _ bytes: ArrowBytes, _ index: Int) -> Int64 {
        switch type {
        case .integer(1, true): Int64(bytes.number(Int8.self, index))
        case .integer(1, false): Int64(bytes.number(UInt8.self, index))
        case .integer(2, true): Int64(bytes.number(Int16.self, index))
        case .integer(2, false): Int64(bytes.number(UInt16.self, index))
        case .integer(4, false): Int64(bytes.number(UInt32.self, index))
        case .integer(4, true), .time(_, 4), .date(false), .decimal(4, _): Int64(bytes.number(Int32.self, index))
        case .date(true): ValueTextWriter.floorDivide(bytes.number(Int64.self, index), 86_400_000).quotient
        default: bytes.number(Int64.self, index)
        }
    }

    /// Converts numbers of fixed width to a vector; `nil` if a value does not fit in the vector's type.
    private static func numbers(
        _ slice: ArrowSlice, _ bytes: ArrowBytes, _ reader: ArrowReader
    ) throws -> (values: ColumnVector.Values, owner: ArrowBlock)? {
        let count = slice.count
        switch slice.field.type {
        case .double:
            let (values, owner) = try aligned(bytes, count, Double.self, reader)
            return (.doubles(values), owner)
        case .float:
            let (values, owner) = try aligned(bytes, count, Float.self, reader)
            return (.floats(values), owner)
        case .half:
            let block = try reader.block(count, of: Float.self)
            let values = block.elements(of: Float.self)
            for index in 0..<count { values[index] = ArrowPrinter.float(fromHalf: bytes.number(UInt16.self, index)) }
            return (.floats(UnsafePointer(values)), block)
        case .integer(8, false):
            for index in 0..<count where bytes.number(Int64.self, index) < 0 && slice.isPresent(index) { return nil }
        case .decimal(let width, let scale):
            guard (0...18).contains(scale) else { return nil }
            if width > 8 { return try decimals(slice, bytes, width: width, scale: scale, reader) }
        case .monthInterval, .dayTimeInterval, .monthDayNanoInterval: return nil
        default: break
        }
        let (values, owner) = try integers(slice.field.type, bytes, count, reader)
        switch slice.field.type {
        case .date: return (.dates(values), owner)
        case .time(let digits, _): return (.times(values, digits: digits), owner)
        case .timestamp(let digits, let isUTC): return (.dateTimes(values, digits: digits, isUTC: isUTC), owner)
        case .duration(let digits): return (.integers(values, scale: digits), owner)
        case .decimal(_, let scale): return (.integers(values, scale: scale), owner)
        default: return (.integers(values, scale: 0), owner)
        }
    }

    /// The bytes as values of type `T`. They are copied if they are not aligned in memory.
    private static func aligned<T: BitwiseCopyable>(
        _ bytes: ArrowBytes, _ count: Int, _ type: T.Type, _ reader: ArrowReader
    ) throws -> (UnsafePointer<T>, ArrowBlock) {
        if Int(bitPattern: bytes.start) % MemoryLayout<T>.alignment == 0 {
            return (bytes.start.assumingMemoryBound(to: type), bytes.owner)
        }
        let block = try reader.block(count, of: type)
        block.start.copyMemory(from: bytes.start, byteCount: count * MemoryLayout<T>.size)
        return (UnsafePointer(block.elements(of: type)), block)
    }

    private static func integers(
        _ type: ArrowType, _ bytes: ArrowBytes, _ count: Int, _ reader: ArrowReader
    ) throws -> (UnsafePointer<Int64>, ArrowBlock) {
        if type.width == 8, type != .date(isMilliseconds: true) { return try aligned(bytes, count, Int64.self, reader) }
        let block = try reader.block(count, of: Int64.self)
        let values = block.elements(of: Int64.self)
        func widen<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) {
            for index in 0..<count { values[index] = Int64(truncatingIfNeeded: bytes.number(T.self, index)) }
        }
        switch type {
        case .integer(1, true): widen(Int8.self)
        case .integer(1, false): widen(UInt8.self)
        case .integer(2, true): widen(Int16.self)
        case .integer(2, false): widen(UInt16.self)
        case .integer(4, false): widen(UInt32.self)
        case .date(isMilliseconds: true): for index in 0..<count { values[index] = integer(type, bytes, index) }
        default: widen(Int32.self)
        }
        return (UnsafePointer(values), block)
    }

    /// Converts 128-bit or 256-bit decimal numbers to a vector; `nil` if a number needs more than 64 bits.
    private static func decimals(
        _ slice: ArrowSlice, _ bytes: ArrowBytes, width: Int, scale: Int, _ reader: ArrowReader
    ) throws -> (values: ColumnVector.Values, owner: ArrowBlock)? {
        let block = try reader.block(slice.count, of: Int64.self)
        let values = block.elements(of: Int64.self)
        let words = width / 8
        for index in 0..<slice.count {
            let low = bytes.number(Int64.self, index * words)
            for word in 1..<words where bytes.number(Int64.self, index * words + word) != low >> 63 && slice.isPresent(index) { return nil }
            values[index] = low
        }
        return (.integers(UnsafePointer(values), scale: scale), block)
    }
}

/// A dictionary of an Arrow file: the values to which the indexes of a column refer. Immutable.
final class ArrowDictionary: @unchecked Sendable {
    /// The first values of the dictionary, then the values that deltas have appended.
    private let slices: [ArrowSlice]
    /// For each element of ``slices``, the total number of values up to its end.
    private let ends: [Int]
    let count: Int
    /// The values of all slices in one column: numbers or strings.
    let column: ArrowColumn
    /// One byte for each value of the dictionary, 0 for null; `nil` if no value is null.
    let presence: ArrowBlock?

    init(_ slices: [ArrowSlice], _ reader: ArrowReader) throws {
        self.slices = slices
        var ends: [Int] = []
        for slice in slices { ends.append((ends.last ?? 0) + slice.count) }
        self.ends = ends
        count = ends.last ?? 0
        guard count < 1 << 32 else { throw ArrowError.unsupported("has a dictionary of \(count) values, which is too long") }
        if slices.count == 1 {
            column = try ArrowColumn(slices[0], reader)
        } else {
            column = try Self.joinedStrings(slices, count, reader)
        }
        var hasNulls = false
        for slice in slices where !hasNulls { hasNulls = (0..<slice.count).contains { ArrowPrinter.isNull(slice, $0) } }
        guard hasNulls else {
            presence = nil
            return
        }
        let block = try reader.block(count, of: UInt8.self)
        var target = block.elements(of: UInt8.self)
        for slice in slices {
            for index in 0..<slice.count {
                target.pointee = ArrowPrinter.isNull(slice, index) ? 0 : 1
                target += 1
            }
        }
        presence = block
    }

    /// Joins the values of several slices to one column of strings.
    private static func joinedStrings(_ slices: [ArrowSlice], _ count: Int, _ reader: ArrowReader) throws -> ArrowColumn {
        let fields = try reader.block(count, of: FieldBytes.self)
        var target = fields.elements(of: FieldBytes.self)
        var owners: [AnyObject] = []
        for slice in slices where slice.count > 0 {
            var column = try ArrowColumn(slice, reader)
            if case .texts = column.vector.values {} else { column = try ArrowColumn(printing: slice, reader) }
            guard case .texts(let texts) = column.vector.values else { continue }
            target.update(from: texts, count: slice.count)
            target += slice.count
            owners.append(column)
        }
        return ArrowColumn(texts: fields, presence: nil, owners: owners)
    }

    /// Finds a value by its index in the dictionary. Returns the slice that contains the value, and the index in that slice.
    func location(ofCode code: Int) -> (slice: ArrowSlice, index: Int) {
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= code { low = middle + 1 } else { high = middle }
        }
        return (slices[low], code - (low == 0 ? 0 : ends[low - 1]))
    }
}
