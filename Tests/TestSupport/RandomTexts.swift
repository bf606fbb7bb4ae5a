/// Random text with many characters that are special to the parser.
public func randomText(_ generator: inout SplitMix64, delimiter: UInt8, maximum: Int) -> [UInt8] {
    let count = Int.random(in: 0...maximum, using: &generator)
    // Each text has its own mix, from random to well-formed.
    let weights = (0..<6).map { _ in Int.random(in: 0...6, using: &generator) }
    let pieces: [[UInt8]] = [
        [delimiter], [0x22], [0x0a], [0x0d, 0x0a], [0x0d],
        [0x22, 0x61, delimiter, 0x0a, 0x22, 0x22, 0x22],
    ]
    let others: [[UInt8]] = [
        [0x61], [0x62, 0x63], [0x20], [0x2c], [0x3b], [0xc3, 0xa9], [0xff], [0x00], Array("longer text".utf8), [0x23],
    ]
    let total = weights.reduce(0, +) + 8
    var bytes: [UInt8] = []
    while bytes.count < count {
        var pick = Int.random(in: 0..<total, using: &generator)
        var piece = others.randomElement(using: &generator)!
        for (index, weight) in weights.enumerated() {
            if pick < weight {
                piece = pieces[index]
                break
            }
            pick -= weight
        }
        bytes += piece
    }
    return bytes
}

/// Random records of three fields, up to 20,000 bytes, with quotes only where they are valid. If `hasStray` is true, one more quote is at a
/// random place.
public func randomRecords(_ generator: inout SplitMix64, hasStray: Bool) -> [UInt8] {
    let length = Int.random(in: 1...20_000, using: &generator)
    let quoted = [0, 2, 30, 100].randomElement(using: &generator)!
    let longest = [0, 1, 3, 30, 300].randomElement(using: &generator)!
    let firstCR = Bool.random(using: &generator) ? Int.max : Int.random(in: 0...length, using: &generator)
    var bytes: [UInt8] = []
    while bytes.count < length {
        for field in 0..<(Int.random(in: 0..<500, using: &generator) == 0 ? 4 : 3) {
            if field > 0 { bytes.append(UInt8(ascii: ",")) }
            let letters = Int.random(in: 0...longest, using: &generator)
            if Int.random(in: 0..<100, using: &generator) < quoted {
                bytes.append(0x22)
                for _ in 0..<letters {
                    switch Int.random(in: 0..<20, using: &generator) {
                    case 0: bytes += [0x22, 0x22]
                    case 1: bytes.append(0x0a)
                    case 2: bytes.append(UInt8(ascii: ","))
                    case 3 where bytes.count >= firstCR: bytes += [0x0d, 0x0a]
                    default: bytes.append(UInt8(ascii: "a"))
                    }
                }
                bytes.append(0x22)
            } else {
                bytes += repeatElement(UInt8(ascii: "b"), count: letters)
            }
        }
        switch bytes.count >= firstCR ? Int.random(in: 0..<20, using: &generator) : 0 {
        case 0: bytes.append(0x0a)
        case 1: bytes.append(0x0d)
        default: bytes += [0x0d, 0x0a]
        }
    }
    if hasStray {
        // The quote is often the first byte of a block of 64.
        let place = Int.random(in: 0...bytes.count, using: &generator)
        bytes.insert(contentsOf: Array("b\"b".utf8), at: Bool.random(using: &generator) ? place : max(0, place / 64 * 64 - 1))
    }
    return bytes
}
