import Foundation
import GridTestSupport
import Testing

@testable import DelimitedText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct TemporaryFileTests {
    @Test func `D6: bytes are read back at the position where they were written, and at no other`() throws {
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

    @Test func `D6: the file has no name, belongs to the user only, and is not inherited by child processes`() throws {
        let folder = try TemporaryFolder()
        var descriptors = [try #require(Platform.makeUnnamedFile()), try #require(Platform.openAndUnlink(in: folder.path))]
        #if os(Linux)
            descriptors.append(try #require(Platform.openWithoutName(in: folder.path)))
        #endif
        for descriptor in descriptors {
            defer { Platform.closeDescriptor(descriptor) }
            var status = stat()
            #expect(fstat(descriptor, &status) == 0)
            #expect(status.st_nlink == 0 && status.st_mode & 0o777 == 0o600)
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(Platform.writeFully(descriptor, from: [1, 2, 3], count: 3, at: 0))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    #if os(Linux)
        @Test func `D6: the file never had a name if the file system supports unnamed files`() throws {
            let descriptor = try #require(Platform.makeUnnamedFile())
            defer { Platform.closeDescriptor(descriptor) }
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            #expect(link.split(separator: "/").last?.hasPrefix("#") == true, "\(link)")
        }
    #endif

    @Test func `D6: a missing folder is an error without endless retries`() {
        #expect(Platform.openAndUnlink(in: "/nowhere/at/all") == nil && Platform.lastError == ENOENT)
        #expect(Platform.openWithoutName(in: "/nowhere/at/all") == nil)
    }
}
