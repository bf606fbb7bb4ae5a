import FieldValues
import Testing

@Suite struct BlobTextTests {
    @Test func `the text of a blob has two hexadecimal digits for each byte`() {
        let cases: [(bytes: [UInt8], text: String)] = [([], "0x"), ([0], "0x00"), ([0x01, 0x9f, 0xa0, 0xff], "0x019fa0ff")]
        for (bytes, text) in cases {
            #expect(bytes.withUnsafeBytes(BlobText.text) == text)
            #expect(BlobText.byteCount(ofBlob: bytes.count) == text.utf8.count)
        }
    }
}
