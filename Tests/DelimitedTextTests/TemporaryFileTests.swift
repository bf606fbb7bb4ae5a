import Testing

@testable import DelimitedText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct TemporaryFileTests {
    @Test("D6: bytes come back from where they were written, and from nowhere else") func writesAndReads() throws {
        let file = try TemporaryFile()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try bytes.withUnsafeBytes { bytes in
            try file.write(bytes, at: 5)
            try file.write(UnsafeRawBufferPointer(start: nil, count: 0), at: 0)
        }
        var back = [UInt8](repeating: 0, count: bytes.count)
        try back.withUnsafeMutableBytes { try file.read(into: $0, at: 5) }
        #expect(back == bytes)
        #expect(throws: DelimitedTextError.self) { try back.withUnsafeMutableBytes { try file.read(into: $0, at: 6) } }
    }

    @Test("D6: the file has no name and is this user's alone") func isPrivate() throws {
        let descriptor = try #require(Platform.makeUnnamedFile())
        defer { Platform.closeDescriptor(descriptor) }
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        #expect(status.st_nlink == 0 && status.st_mode & 0o777 == 0o600)
    }
}
