import CCodecs

/// The smallest and largest values of pages and column chunks, in the order of the column's type.
///
/// Depending on the type, a bound is the bits of a 64-bit value, a flag, or the index of a byte sequence in the values of the chunk.
struct ChunkBounds {
    private let values: ChunkValues
    private let order: Order

    /// The order by which the least and the greatest value are found.
    enum Order {
        /// Signed 64-bit integers. Flags also have this order.
        case signed
        case doubles
        /// Byte sequences, compared byte by byte.
        case bytes
        /// Big-endian signed numbers of 16 bytes.
        case wide
        /// No order: values of these types get no bounds.
        case none
    }

    /// The smallest and the largest of several values. Values that include NaN have no bounds, because NaN has no order.
    struct Bounds {
        var low: UInt64
        var high: UInt64
    }

    init(_ values: ChunkValues) {
        self.values = values
        order =
            switch (values.leaf.element.type, values.leaf.element.logical) {
            case (.bytes, _): .bytes
            case (.fixed, .decimal?): .wide
            // UUIDs, 16-bit floating-point numbers and unsigned 64-bit numbers would need other orders, so they have no bounds.
            case (.fixed, _), (.int64, .integer(_, isSigned: false)?): .none
            case (.double, _), (.float, _): .doubles
            default: .signed
            }
    }

    func isLess(_ first: UInt64, _ second: UInt64) -> Bool {
        switch order {
        case .signed: Int64(bitPattern: first) < Int64(bitPattern: second)
        case .doubles: Double(bitPattern: first) < Double(bitPattern: second)
        case .bytes: ByteComparison.isLess(values.bytes(Int(first)), values.bytes(Int(second)))
        case .wide:
            if let first = values.bytes(Int(first)).baseAddress, let second = values.bytes(Int(second)).baseAddress {
                ByteComparison.isLessNumber(first, second)
            } else {
                false
            }
        case .none: false
        }
    }

    /// The bounds of the values of a page, whose indices are `range`; `nil` if the values have no bounds.
    func bounds(_ range: Range<Int>) -> Bounds? {
        guard !range.isEmpty, order != .none else { return nil }
        if values.leaf.storage == .flags {
            var (low, high): (UInt8, UInt8) = (1, 0)
            for index in range { (low, high) = (min(low, values.flags[index]), max(high, values.flags[index])) }
            return Bounds(low: UInt64(low), high: UInt64(high))
        }
        switch order {
        case .signed:
            let numbers = UnsafeRawPointer(values.words).assumingMemoryBound(to: Int64.self)
            var (low, high) = (Int64.max, Int64.min)
            for index in range { (low, high) = (min(low, numbers[index]), max(high, numbers[index])) }
            return Bounds(low: UInt64(bitPattern: low), high: UInt64(bitPattern: high))
        case .doubles:
            let numbers = UnsafeRawPointer(values.words).assumingMemoryBound(to: Double.self)
            var (low, high, isNumber) = (Double.infinity, -Double.infinity, true)
            for index in range {
                let number = numbers[index]
                low = number < low ? number : low
                high = number > high ? number : high
                isNumber = isNumber && number == number
            }
            return isNumber ? Bounds(low: low.bitPattern, high: high.bitPattern) : nil
        case .bytes, .wide:
            var bounds = Bounds(low: UInt64(range.lowerBound), high: UInt64(range.lowerBound))
            for index in range.dropFirst() { extend(&bounds, UInt64(index)) }
            return bounds
        case .none: return nil
        }
    }

    /// The bounds of a page whose byte sequences are stored as codes. Each distinct code is compared once.
    /// - Parameters:
    ///   - lastPageOfCode: for each code, the number of the last page that has it.
    ///   - page: the number of this page.
    func bounds(_ range: Range<Int>, _ dictionary: DictionaryBuilder, lastPageOfCode: UnsafeMutablePointer<UInt32>, page: UInt32) -> Bounds?
    {
        guard !range.isEmpty, order != .none else { return nil }
        let (codes, firstIndices) = (dictionary.codes, dictionary.firstIndices)
        let first = UInt64(firstIndices[Int(codes[range.lowerBound])])
        var bounds = Bounds(low: first, high: first)
        for index in range {
            let code = Int(codes[index])
            guard lastPageOfCode[code] != page else { continue }
            lastPageOfCode[code] = page
            extend(&bounds, UInt64(firstIndices[code]))
        }
        return bounds
    }

    func extend(_ bounds: inout Bounds, _ value: UInt64) {
        if isLess(value, bounds.low) { bounds.low = value } else if isLess(bounds.high, value) { bounds.high = value }
    }

    // MARK: Stored bounds

    /// A bound as the metadata stores it.
    struct Stored {
        var bytes: [UInt8]
        /// False if the bound is a shortened string, which may not be a value of the column.
        var isExact = true
    }

    /// A lower bound, shortened to `limit` bytes if it is a string.
    func storedLowerBound(_ value: UInt64, limit: Int) -> Stored {
        switch order {
        case .signed: return Stored(bytes: littleEndianBytes(of: value))
        // The bounds include both -0.0 and 0.0, because readers may treat them as different numbers.
        case .doubles: return Stored(bytes: littleEndianBytes(of: Double(bitPattern: value) == 0 ? (-0.0).bitPattern : value))
        case .wide, .none: return Stored(bytes: Array(values.bytes(Int(value))))
        case .bytes:
            let bytes = values.bytes(Int(value))
            guard bytes.count > limit else { return Stored(bytes: Array(bytes)) }
            return Stored(bytes: prefix(bytes, limit), isExact: false)
        }
    }

    /// An upper bound. A string of more than `limit` bytes is replaced by a shorter one that is greater; `nil` if there is no such string.
    func storedUpperBound(_ value: UInt64, limit: Int) -> Stored? {
        switch order {
        case .signed: return Stored(bytes: littleEndianBytes(of: value))
        case .doubles: return Stored(bytes: littleEndianBytes(of: Double(bitPattern: value) == 0 ? (0.0).bitPattern : value))
        case .wide, .none: return Stored(bytes: Array(values.bytes(Int(value))))
        case .bytes:
            let bytes = values.bytes(Int(value))
            guard bytes.count > limit else { return Stored(bytes: Array(bytes)) }
            let start = prefix(bytes, limit)
            return (isUnicode ? Self.nextText(start) : Self.nextBytes(start)).map { Stored(bytes: $0, isExact: false) }
        }
    }

    private var isUnicode: Bool { values.leaf.element.logical != nil }

    private func littleEndianBytes(of value: UInt64) -> [UInt8] {
        let count = values.leaf.storage == .flags ? 1 : values.leaf.isNarrow ? 4 : 8
        let bits = values.leaf.element.type == .float ? UInt64(Float(Double(bitPattern: value)).bitPattern) : value
        return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt64($0 * 8)) }
    }

    /// The first `limit` bytes, without an incomplete character at the end.
    private func prefix(_ bytes: UnsafeBufferPointer<UInt8>, _ limit: Int) -> [UInt8] {
        var end = limit
        if isUnicode { while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 } }
        return Array(bytes[..<end])
    }

    /// The first byte sequence after all sequences that begin with `start`.
    static func nextBytes(_ start: [UInt8]) -> [UInt8]? {
        var bytes = start
        while let last = bytes.popLast() {
            if last < .max { return bytes + [last + 1] }
        }
        return nil
    }

    /// The first text after all texts that begin with `start`, in the order of code points.
    static func nextText(_ start: [UInt8]) -> [UInt8]? {
        let isValid = start.withUnsafeBufferPointer { buffer in
            // `gv_is_utf8` reads bytes after the end, so the text is copied to a buffer with padding.
            let padded = RawBuffer()
            padded.reserve(buffer.count)
            if let first = buffer.baseAddress { padded.start.update(from: first, count: buffer.count) }
            return gv_is_utf8(padded.start, buffer.count) != 0
        }
        guard isValid else { return nil }
        var scalars = Array(String(decoding: start, as: UTF8.self).unicodeScalars)
        while let last = scalars.popLast() {
            // The surrogates after U+D7FF are skipped, because no text contains them.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            var text = String.UnicodeScalarView(scalars)
            text.append(next)
            return Array(String(text).utf8)
        }
        return nil
    }
}
