import FieldValues

/// Combines the fields of all sort keys of a record into one byte string. The lexicographic order of these strings is the sort order.
///
/// Each sort key contributes the ``FieldClass`` of its field, followed by a value of eight bytes or by a string with a final 0. If
/// different numbers of a column can have equal doubles, each is written as a byte sequence, see
/// `FieldBytes.writeNumberKey(to:_:maximumDigits:)`.
/// The bytes 0 and 1 in strings are escaped as two bytes. For descending order, the bytes are inverted. No string is a prefix of another.
final class RecordKeys: Sendable {
    /// The distinct columns of the sort keys.
    let columns: [Int]
    /// The maximum length of a combined key, in bytes.
    let maximumLength: Int
    private let components: [Component]

    /// A sort key as a component of combined keys.
    private struct Component: Sendable {
        let key: ResolvedSortKey
        /// The index in ``columns`` of the column of this sort key.
        let columnIndex: Int
        /// True if numbers are written as byte sequences, false if they are rounded to doubles.
        let isExact: Bool
        /// Set after a number has been rounded to a double that other numbers may also be rounded to.
        let isAmbiguous = Flag()
    }

    /// - Parameter exactKeys: the indices of the sort keys whose numbers must not be rounded. They come from ``ambiguousKeys`` after a
    ///   first attempt.
    init(_ keys: [ResolvedSortKey], exactKeys: Set<Int> = []) {
        let columns = Set(keys.map(\.column)).sorted()
        self.columns = columns
        components = keys.enumerated().map { index, key in
            Component(key: key, columnIndex: columns.firstIndex(of: key.column)!, isExact: exactKeys.contains(index))
        }
        maximumLength = keys.count * (2 * KeyColumn.maximumKeyBytes + 2)
    }

    /// The indices of the sort keys with rounded numbers that may have the same double as another number. The combined keys may then be in
    /// the wrong order. Covers only records whose keys have been written.
    var ambiguousKeys: Set<Int> { Set(components.indices.filter { components[$0].isAmbiguous.isSet }) }

    /// Writes the combined key of a record to `target` and returns its length. `fields` are the fields of ``columns``.
    func write(_ fields: UnsafeBufferPointer<FieldBytes>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var writer = Writer(target: target)
        for component in components { write(fields[component.columnIndex], component, &writer) }
        return writer.count
    }

    private func write(_ field: FieldBytes, _ component: Component, _ writer: inout Writer) {
        writer.flip = component.key.isDescending ? 0xFF : 0
        switch component.key.ordering {
        case .text, .natural:
            guard !field.isBlank else { return writer.put(FieldClass(ofUnreadable: field)) }
            writer.put(.value)
            let text = UnsafeBufferPointer(rebasing: field.bytes.prefix(KeyColumn.maximumKeyBytes))
            guard let alphabet = component.key.ordering.alphabet else { return writer.put(text) }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NaturalOrder.maximumSortKeyLength(of: text.count, alphabet)) {
                natural in
                let count = min(NaturalOrder.writeSortKey(of: text, to: natural.baseAddress!, alphabet), KeyColumn.maximumKeyBytes)
                writer.put(UnsafeBufferPointer(start: natural.baseAddress, count: count))
            }
        case .number(let notation):
            let integer = field.integer(notation)
            guard let number = integer.map({ Double($0) }) ?? field.decimal(notation) else { return putNonValue(field, &writer) }
            if number.isNaN { return writer.put(.notANumber) }
            writer.put(.value)
            if component.isExact { return writer.put(field, notation) }
            writer.put(ValueVector.key(of: number))
            if integer.map({ ValueVector.mayShareNearestDouble($0) }) ?? field.mayShareNearestDouble(number) { component.isAmbiguous.set() }
        case .temporal(let kind, let notation):
            guard let time = field.temporal(kind, notation) else { return putNonValue(field, &writer) }
            writer.put(.value)
            writer.put(ValueVector.key(of: time))
        case .flag:
            guard let flag = field.flag() else { return putNonValue(field, &writer) }
            writer.put(.value)
            writer.put(flag ? 1 : 0)
        }
    }

    /// Writes a field that has no value of the sorted kind. Such fields have the same order in ascending and descending sorts.
    private func putNonValue(_ field: FieldBytes, _ writer: inout Writer) {
        let kind = FieldClass(ofUnreadable: field)
        writer.flip = 0
        writer.put(kind)
        if kind == .unreadable { writer.put(UnsafeBufferPointer(rebasing: field.bytes.prefix(KeyColumn.maximumKeyBytes))) }
    }

    /// Writes the bytes of a key.
    private struct Writer {
        let target: UnsafeMutablePointer<UInt8>
        var count = 0
        /// Combined with each byte by XOR: 0xFF inverts bytes for descending order, 0 keeps them.
        var flip: UInt8 = 0

        mutating func put(_ kind: FieldClass) {
            target[count] = kind.rawValue
            count += 1
        }

        mutating func put(_ number: UInt64) {
            let inverted = flip == 0 ? number : ~number
            UnsafeMutableRawPointer(target + count).storeBytes(of: inverted.bigEndian, as: UInt64.self)
            count += 8
        }

        /// Writes a number as a byte sequence, without rounding.
        mutating func put(_ number: FieldBytes, _ notation: DecimalStyle) {
            let length = number.writeNumberKey(
                to: target + count, notation, maximumDigits: min(number.count, KeyColumn.maximumKeyBytes))
            for index in count..<count + length { target[index] ^= flip }
            count += length
        }

        mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
            for byte in text {
                if byte > 1 {
                    target[count] = byte ^ flip
                    count += 1
                } else {
                    target[count] = 1 ^ flip
                    target[count + 1] = (byte + 1) ^ flip
                    count += 2
                }
            }
            target[count] = flip
            count += 1
        }
    }
}
