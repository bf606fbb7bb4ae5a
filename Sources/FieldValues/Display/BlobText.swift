/// The text of a blob: `0x` and two hexadecimal digits for each byte, such as `0x00ff`. The bytes have no known encoding.
public enum BlobText {
    /// The number of bytes of the text of a blob of `count` bytes.
    public static func byteCount(ofBlob count: Int) -> Int { 2 + 2 * count }

    /// Writes the text of a blob.
    /// - Parameter target: the start of at least ``byteCount(ofBlob:)`` bytes.
    public static func write(_ blob: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) {
        (target[0], target[1]) = (UInt8(ascii: "0"), UInt8(ascii: "x"))
        for index in 0..<blob.count {
            target[2 + 2 * index] = digit(blob[index] >> 4)
            target[3 + 2 * index] = digit(blob[index] & 15)
        }
    }

    /// The text of a blob.
    public static func text(_ blob: UnsafeRawBufferPointer) -> String {
        let count = byteCount(ofBlob: blob.count)
        return String(unsafeUninitializedCapacity: count) { text in
            if let target = text.baseAddress { write(blob, to: target) }
            return count
        }
    }

    /// True if a string can be the text of a blob.
    public static func isText(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(2)
        guard text.hasPrefix("0x"), digits.count % 2 == 0 else { return false }
        return digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
