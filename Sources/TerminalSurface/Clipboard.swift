/// The clipboard of the computer whose terminal shows the program. It is set by a control sequence.
public enum Clipboard {
    /// The maximum size of one copy in bytes; most terminals accept far less.
    public static let byteLimit = 4 << 20

    /// The control sequence (OSC 52) that copies `bytes` to the clipboard; it works over ssh, and in tmux if its option `set-clipboard` is
    /// `on`. Pass it to ``TerminalBackend/sendControlSequence(_:)``.
    public static func sequence(_ bytes: [UInt8]) -> [UInt8] {
        Array("\u{1b}]52;c;".utf8) + base64(bytes) + [7]
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let rest = min(3, bytes.count - start)
            let word = (0..<3).reduce(0) { $0 << 8 | ($1 < rest ? Int(bytes[start + $1]) : 0) }
            for n in 0..<4 { result.append(n <= rest ? alphabet[word >> (18 - 6 * n) & 63] : UInt8(ascii: "=")) }
        }
        return result
    }
}
