/// Writes metadata in the FlatBuffers encoding. Offsets point forward, so the metadata is written from its end to its start.
struct FlatBuilder {
    /// The bytes in reverse order. The position of an object is the distance from its first byte to the end of the metadata. It stays the
    /// same while bytes are added.
    private var reversedBytes: [UInt8] = []

    /// The value of a field of a table.
    enum Value {
        case byte(UInt8), short(Int16), int(Int32), long(Int64)
        /// The position of an object that was written before.
        case object(Int)

        var size: Int {
            switch self {
            case .byte: 1
            case .short: 2
            case .int, .object: 4
            case .long: 8
            }
        }
    }

    private mutating func put(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            reversedBytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Adds zeros, so that the position becomes a multiple of `size` after `count` more bytes are added.
    private mutating func align(_ size: Int, after count: Int) {
        while (reversedBytes.count + count) % size != 0 { reversedBytes.append(0) }
    }

    private mutating func put(_ value: Value) {
        align(value.size, after: value.size)
        switch value {
        case .byte(let number): put(number)
        case .short(let number): put(number)
        case .int(let number): put(number)
        case .long(let number): put(number)
        case .object(let position): put(UInt32(reversedBytes.count + 4 - position))
        }
    }

    /// Adds a table, and returns its position. Each field has a number.
    mutating func addTable(_ fields: [(number: Int, value: Value)]) -> Int {
        let end = reversedBytes.count
        var fieldPositions: [Int: Int] = [:]
        for field in fields.sorted(by: { $0.value.size > $1.value.size }) {
            put(field.value)
            fieldPositions[field.number] = reversedBytes.count
        }
        align(4, after: 4)
        put(UInt32(0))
        let position = reversedBytes.count
        let count = (fields.map(\.number).max() ?? -1) + 1
        for number in (0..<count).reversed() { put(UInt16(fieldPositions[number].map { position - $0 } ?? 0)) }
        put(UInt16(position - end))
        put(UInt16(4 + 2 * count))
        // The distance in bytes from the table to its vtable, which lists the offsets of the fields.
        let distance = UInt32(reversedBytes.count - position)
        for byte in 0..<4 { reversedBytes[position - 1 - byte] = UInt8(truncatingIfNeeded: distance >> (8 * byte)) }
        return position
    }

    /// Adds a string, and returns its position.
    mutating func addText(_ text: String) -> Int {
        align(4, after: text.utf8.count + 1)
        reversedBytes.append(0)
        reversedBytes.append(contentsOf: text.utf8.reversed())
        put(UInt32(text.utf8.count))
        return reversedBytes.count
    }

    /// Adds an array of references to objects, and returns its position.
    mutating func addReferences(to positions: [Int]) -> Int {
        align(4, after: 0)
        for position in positions.reversed() { put(.object(position)) }
        put(UInt32(positions.count))
        return reversedBytes.count
    }

    /// Adds the metadata that marks a field as an extension type, and returns its position.
    mutating func extensionMetadata(_ name: String) -> Int {
        var pairs: [Int] = []
        for (key, value) in [("ARROW:extension:name", name), ("ARROW:extension:metadata", "")] {
            let (keyText, valueText) = (addText(key), addText(value))
            pairs.append(addTable([(0, .object(keyText)), (1, .object(valueText))]))
        }
        return addReferences(to: pairs)
    }

    /// Adds an array of structures of `size` 64-bit numbers each, and returns its position.
    mutating func addStructures(_ numbers: [Int64], size: Int) -> Int {
        align(8, after: 0)
        for number in numbers.reversed() { put(number) }
        put(UInt32(numbers.count / size))
        return reversedBytes.count
    }

    /// Ends the metadata with the position of its outermost table, and returns its bytes. Their number is a multiple of 8.
    mutating func finish(_ root: Int) -> [UInt8] {
        align(8, after: 4)
        put(.object(root))
        return reversedBytes.reversed()
    }
}
