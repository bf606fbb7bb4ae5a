import Locks
import TableFormats
import Tables
import Testing

@testable import GridviewApp

/// Compressed text for tests, longer than every buffer of the readers.
enum CompressedText {
    /// The number of rows of ``content``. Its text has 2.7 MB.
    static let rowCount = 60_000
    static let header = "n,half,text\n"
    static let content = header + rows(1...rowCount)

    static func rows(_ numbers: ClosedRange<Int>) -> String {
        // Hashed numbers, so that compression does not make the text shorter than the buffers.
        numbers.map { "\($0),\($0 % 2 == 0 ? "even" : "odd"),row \($0) \(UInt64($0) &* 0x9E37_79B9_7F4A_7C15)\n" }.joined()
    }

    /// Text compressed as one member.
    /// - Parameter suffix: the suffix of the method, such as `gz`.
    static func encode(_ text: String, _ suffix: String = "gz") throws -> [UInt8] {
        try encoded.withLock { encoded in
            if let bytes = encoded[[text, suffix]] { return bytes }
            let encoder = try #require(writableCompressions.first { $0.suffix == suffix }).makeEncoder()
            var bytes: [UInt8] = []
            try Array(text.utf8).withUnsafeBytes { try encoder.encode($0) { bytes.append(contentsOf: $0) } }
            try encoder.finish { bytes.append(contentsOf: $0) }
            encoded[[text, suffix]] = bytes
            return bytes
        }
    }

    /// The results of ``encode(_:_:)`` by text and suffix. Compressing the same text in each test takes up to a second.
    private static let encoded = Mutex<[[String]: [UInt8]]>([:])
}
