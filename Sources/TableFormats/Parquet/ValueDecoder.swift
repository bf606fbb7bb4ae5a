import CCodecs
import FieldValues

/// Decodes the present values of a page in order. A copy of a decoder continues independently at the same position.
///
/// The bytes of the page must stay in memory. `Scratch` is memory that calls reuse.
struct ValueDecoder {
    /// Memory for intermediate values.
    final class Scratch {
        let first = RawBuffer()
        let second = RawBuffer()
        /// The previous string, for an encoding whose strings share prefixes.
        let last = RawBuffer()
        var lastCount = 0
    }

    /// How the values are stored:
    /// - `fixed`: with fixed width; `bits`: one bit for each flag; `flagRuns`: runs of equal flags.
    /// - `texts`: strings, each after its length; `codes`: codes of a dictionary.
    /// - `deltas`: differences of integers; `deltaLengths`: strings after all of their lengths; `deltaTexts`: strings that share prefixes.
    /// - `split`: the first bytes of all values, then the second bytes, and so on.
    private enum Method { case fixed, bits, texts, flagRuns, codes, deltas, deltaLengths, deltaTexts, split }

    /// The maximum total size of strings with shared prefixes that are decoded at once.
    private static let maximumTextBytes = 16 << 20

    private let leaf: ParquetLeaf
    private let dictionary: DecodedDictionary?
    private let method: Method
    private var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var runs = gv_runs()
    private var deltas = gv_deltas()
    private var suffixes = gv_deltas()
    /// The number of decoded values, for the methods `bits`, `split` and `deltaTexts`.
    private var index = 0
    /// The number of values of the page, for the same methods.
    private var valueCount = 0

    private static let cutOffError = ParquetError("a page ends before its last value")

    /// - Parameters:
    ///   - bytes: the values of the page, followed by readable bytes.
    ///   - count: an upper limit on the number of values.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ encoding: PageHeader.Encoding, _ leaf: ParquetLeaf, count: Int,
        dictionary: DecodedDictionary?
    ) throws {
        guard let start = bytes.baseAddress else { throw Self.cutOffError }
        (self.leaf, self.dictionary, next, end) = (leaf, dictionary, start, start + bytes.count)
        let isText = leaf.type == .bytes || leaf.type == .fixed
        switch encoding {
        case .plain: method = leaf.type == .boolean ? .bits : leaf.type == .bytes ? .texts : .fixed
        case .plainDictionary, .dictionary:
            method = .codes
            // A page of nulls may have no bytes.
            let width = bytes.first ?? 0
            guard width <= 32 else { throw ParquetError("a page has dictionary codes of \(width) bits") }
            gv_runs_start(&runs, start + min(1, bytes.count), max(0, bytes.count - 1), UInt32(width))
        case .runs where leaf.type == .boolean:
            method = .flagRuns
            let length = bytes.count < 4 ? 0 : Int(Self.length(start))
            guard length <= max(0, bytes.count - 4) else { throw Self.cutOffError }
            gv_runs_start(&runs, start + min(4, bytes.count), length, 1)
        case .deltas where leaf.type == .int32 || leaf.type == .int64:
            method = .deltas
            try startDeltas(start, bytes.count)
        case .deltaLengths where leaf.type == .bytes:
            method = .deltaLengths
            try startDeltas(start, bytes.count)
            next = try Self.end(of: deltas)
        case .deltaTexts where isText:
            method = .deltaTexts
            try startDeltas(start, bytes.count)
            let middle = try Self.end(of: deltas)
            guard gv_deltas_start(&suffixes, middle, end - middle) != 0 || end == middle else { throw Self.cutOffError }
            next = try Self.end(of: suffixes)
        case .byteStreamSplit where leaf.type != .boolean && leaf.type != .bytes && leaf.type != .int96:
            method = .split
            valueCount = bytes.count / leaf.width
        default: throw ParquetError("a page has an encoding that does not match its type")
        }
    }

    private mutating func startDeltas(_ start: UnsafePointer<UInt8>, _ count: Int) throws {
        guard gv_deltas_start(&deltas, start, count) != 0 || count == 0 else { throw Self.cutOffError }
    }

    /// The end of a list of differences.
    private static func end(of deltas: gv_deltas) throws -> UnsafePointer<UInt8> {
        var deltas = deltas
        guard deltas.values_left <= Int32.max else { throw cutOffError }
        guard gv_deltas_read(&deltas, nil, Int(deltas.values_left)) == Int(deltas.values_left) || deltas.values_left == 0 else {
            throw cutOffError
        }
        return deltas.next
    }

    /// A little-endian length of 4 bytes.
    private static func length(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
    }

    // MARK: Decoding

    /// The number of values that can be decoded at once, from 1 to `count`. Strings with shared prefixes may need much memory.
    func decodableCount(upTo count: Int, _ scratch: Scratch) -> Int {
        guard method == .deltaTexts, count > 1 else { return count }
        var (prefixes, suffixes) = (deltas, suffixes)
        var (bytes, done) = (0, 0)
        scratch.first.reserve(512 * 8)
        scratch.second.reserve(512 * 8)
        while done < count {
            let step = min(512, count - done)
            let (first, second) = (scratch.first.values(Int64.self), scratch.second.values(Int64.self))
            guard gv_deltas_read(&prefixes, first, step) == step, gv_deltas_read(&suffixes, second, step) == step else { return count }
            for index in 0..<step {
                bytes &+= Int(first[index]) &+ Int(second[index])
                if bytes > Self.maximumTextBytes || bytes < 0 { return max(1, done + index) }
            }
            done += step
        }
        return count
    }

    /// Decodes the next `count` values into a store.
    mutating func decode(_ count: Int, into store: ValueStore, _ scratch: Scratch) throws {
        switch method {
        case .fixed:
            let start = try consume(count, leaf.width)
            store.putFixed(start, count, leaf)
        case .bits:
            try checkBits(count)
            scratch.first.reserve(count)
            gv_unpack_bits(next, index, count, scratch.first.start)
            index += count
            store.putFixed(scratch.first.start, count, leaf)
        case .flagRuns:
            scratch.first.reserve(count)
            guard gv_runs_read_bytes(&runs, scratch.first.start, count) == count else { throw Self.cutOffError }
            store.putFixed(scratch.first.start, count, leaf)
        case .split:
            guard count <= valueCount - index else { throw Self.cutOffError }
            // Strings will point to the joined bytes, so these are stored in the arena of the store.
            let target = leaf.type == .fixed ? store.arena : scratch.first
            target.reserve(count * leaf.width)
            gv_join_bytes(next, valueCount, index, count, leaf.width, target.start)
            index += count
            store.putFixed(target.start, count, leaf)
        case .texts:
            let texts = store.beginTexts(count)
            for index in 0..<count {
                guard end - next >= 4 else { throw Self.cutOffError }
                let length = Int(Self.length(next))
                guard length <= end - next - 4 else { throw Self.cutOffError }
                texts[index] = FieldBytes(start: next + 4, count: length)
                next += 4 + length
            }
            store.finishTexts(count, leaf)
        case .codes: try decodeCodes(count, into: store, scratch)
        case .deltas:
            store.reserveWide(count)
            let values = store.slots.values(Int64.self)
            guard gv_deltas_read(&deltas, values, count) == count else { throw Self.cutOffError }
            if leaf.type == .int32 {
                if case .unsigned32 = leaf.form {
                    for index in 0..<count { values[index] = Int64(UInt32(truncatingIfNeeded: values[index])) }
                } else {
                    for index in 0..<count { values[index] = Int64(Int32(truncatingIfNeeded: values[index])) }
                }
            }
            store.finishIntegers(count, leaf)
        case .deltaLengths:
            let lengths = try readLengths(&deltas, count, scratch.first)
            let texts = store.beginTexts(count)
            for index in 0..<count {
                let length = Int(lengths[index])
                guard (0...end - next).contains(length) else { throw Self.cutOffError }
                texts[index] = FieldBytes(start: next, count: length)
                next += length
            }
            store.finishTexts(count, leaf)
        case .deltaTexts: try decodePrefixed(count, into: store, scratch)
        }
    }

    private mutating func decodeCodes(_ count: Int, into store: ValueStore, _ scratch: Scratch) throws {
        guard let dictionary else { throw ParquetError("the dictionary of a page is missing") }
        let kind = dictionary.store.kind
        let isText = kind.bytes == ValueStore.Kind.texts.bytes
        let target = isText ? store.slots : scratch.first
        target.reserve(count * 4)
        let codes = target.values(UInt32.self)
        guard gv_runs_read(&runs, codes, count) == count else { throw Self.cutOffError }
        if isText {
            store.kind = .codes
            guard gv_codes_are_below(codes, count, dictionary.count) != 0 else {
                throw ParquetError("a page has a code outside its dictionary")
            }
        } else {
            store.kind = kind
            store.slots.reserve(count * kind.bytes)
            let values = UnsafeRawPointer(dictionary.store.slots.start)
            guard gv_look_up(codes, count, values, dictionary.count, UInt32(kind.bytes), store.slots.start) != 0 else {
                throw ParquetError("a page has a code outside its dictionary")
            }
        }
    }

    private func readLengths(_ deltas: inout gv_deltas, _ count: Int, _ memory: RawBuffer) throws -> UnsafeMutablePointer<Int64> {
        memory.reserve(count * 8)
        let lengths = memory.values(Int64.self)
        guard gv_deltas_read(&deltas, lengths, count) == count else { throw Self.cutOffError }
        return lengths
    }

    /// Decodes strings that share a prefix with the previous string.
    private mutating func decodePrefixed(_ count: Int, into store: ValueStore, _ scratch: Scratch) throws {
        let prefixes = try readLengths(&deltas, count, scratch.first)
        let lengths = try readLengths(&suffixes, count, scratch.second)
        if index == 0 { scratch.lastCount = 0 }
        var (previous, total) = (scratch.lastCount, 0)
        for index in 0..<count {
            let (prefix, length) = (Int(prefixes[index]), Int(lengths[index]))
            guard (0...previous).contains(prefix), (0...end - next).contains(length) else { throw Self.cutOffError }
            previous = prefix + length
            total += previous
            guard total <= PageHeader.maximumBytes * 2 else {
                throw ParquetError.tooLarge("the strings of a page are larger than 2 GiB in total")
            }
        }
        store.arena.reserve(total)
        let texts = store.beginTexts(count)
        var target = store.arena.start
        var last = UnsafePointer(scratch.last.start)
        for index in 0..<count {
            let (prefix, length) = (Int(prefixes[index]), Int(lengths[index]))
            guard length <= end - next else { throw Self.cutOffError }
            target.update(from: last, count: prefix)
            (target + prefix).update(from: next, count: length)
            next += length
            texts[index] = FieldBytes(start: target, count: prefix + length)
            last = UnsafePointer(target)
            target += prefix + length
        }
        index += count
        if count > 0 {
            scratch.last.reserve(previous)
            scratch.last.start.update(from: last, count: previous)
            scratch.lastCount = previous
        }
        if leaf.type == .fixed {
            for index in 0..<count where texts[index].count != leaf.width { throw ParquetError("a page has a value of the wrong length") }
            if case .float16 = leaf.form {
                scratch.first.reserve(total)
                scratch.first.start.update(from: store.arena.start, count: total)
                return store.putFixed(scratch.first.start, count, leaf)
            }
        }
        store.finishTexts(count, leaf)
    }

    /// Skips the next `count` values. In some encodings, values must be decoded to skip them. This overwrites the content of the store.
    mutating func skip(_ count: Int, _ store: ValueStore, _ scratch: Scratch) throws {
        switch method {
        case .fixed: _ = try consume(count, leaf.width)
        case .bits:
            try checkBits(count)
            index += count
        case .split:
            guard count <= valueCount - index else { throw Self.cutOffError }
            index += count
        case .codes, .flagRuns: guard gv_runs_skip(&runs, count) == count else { throw Self.cutOffError }
        case .deltas: guard gv_deltas_read(&deltas, nil, count) == count else { throw Self.cutOffError }
        case .texts:
            for _ in 0..<count {
                guard end - next >= 4 else { throw Self.cutOffError }
                let length = Int(Self.length(next))
                guard length <= end - next - 4 else { throw Self.cutOffError }
                next += 4 + length
            }
        case .deltaLengths, .deltaTexts:
            var left = count
            while left > 0 {
                let step = decodableCount(upTo: min(left, 4_096), scratch)
                try decode(step, into: store, scratch)
                left -= step
            }
        }
    }

    /// The start of the next values of fixed width.
    private mutating func consume(_ count: Int, _ width: Int) throws -> UnsafePointer<UInt8> {
        guard count <= (end - next) / width else { throw Self.cutOffError }
        defer { next += count * width }
        return next
    }

    private func checkBits(_ count: Int) throws {
        guard count <= (end - next) * 8 - index else { throw Self.cutOffError }
    }
}

/// The values of a dictionary page. Immutable.
final class DecodedDictionary: @unchecked Sendable {
    /// The bytes of the page, to which strings point.
    let page: RawBuffer
    let store = ValueStore()
    let count: Int

    init(_ page: RawBuffer, byteCount: Int, count: Int, _ leaf: ParquetLeaf) throws {
        (self.page, self.count) = (page, count)
        guard leaf.type != .boolean, count <= byteCount / (leaf.width > 0 ? leaf.width : 4) else {
            throw ParquetError("a dictionary has more values than bytes")
        }
        let bytes = UnsafeBufferPointer(start: UnsafePointer(page.start), count: byteCount)
        var decoder = try ValueDecoder(bytes, .plain, leaf, count: count, dictionary: nil)
        try decoder.decode(count, into: store, ValueDecoder.Scratch())
    }

    /// The size in memory, in bytes.
    var byteCount: Int { page.capacity + store.byteCount }

    /// The strings of the dictionary, by code; empty for other types.
    var texts: UnsafeBufferPointer<FieldBytes> {
        guard case .texts = store.kind else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: store.slots.values(FieldBytes.self), count: count)
    }
}
