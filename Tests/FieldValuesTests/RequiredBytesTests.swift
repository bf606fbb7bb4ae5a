import FieldValues
import Testing

@Suite struct RequiredBytesTests {
    @Test func `the longest run of bytes that pass a test is found`() {
        var bytes = RequiredBytes()
        for byte in "ab\"cde\"fg".utf8 { bytes.append(byte, mask: 0xdf) }
        let run = bytes.longestRun { !bytes.matches(0x22, at: $0) }
        #expect(run.values == Array("CDE".utf8) && run.masks == [0xdf, 0xdf, 0xdf])
        #expect(run.matches(0x43, at: 0) && run.matches(0x63, at: 0) && !run.matches(0x23, at: 0))
        #expect(bytes.longestRun { _ in false }.isEmpty && bytes.longestRun { _ in true } == bytes)
        #expect(RequiredBytes().longestRun { _ in true }.isEmpty)
    }
}
