import GridTestSupport
import FieldValues
import Testing

@testable import DelimitedText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file in the temporary folder, deleted with this object.
final class TestFile {
    let path: String

    init(_ bytes: [UInt8], suffix: String = ".csv") {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/delimited-text-test-\(getpid())-\(UInt64.random(in: 0 ... .max))\(suffix)"
        write(bytes)
    }

    convenience init(_ text: String, suffix: String = ".csv") { self.init(Array(text.utf8), suffix: suffix) }

    deinit { unlink(path) }

    func write(_ bytes: [UInt8], append: Bool = false) {
        let file = fopen(path, append ? "a" : "w")!
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}

extension DelimitedFile {
    /// Accepts bytes appended since the file was completely indexed. Returns `false` if no bytes were appended.
    @discardableResult
    func acceptGrowth() -> Bool {
        guard let growth = grownFileStatus() else { return false }
        addGrowth(growth)
        return true
    }
}

/// The seed of a random test: printed with each failure, and settable to repeat it.
func testSeed() -> UInt64 {
    if let text = getenv("GV_TEST_SEED"), let seed = UInt64(String(cString: text)) { return seed }
    return UInt64.random(in: 0 ... .max)
}

extension ScanSettings {
    /// Settings so small that a file of a few hundred bytes crosses many chunk, span and block limits.
    static func tiny(implementation: Int32? = nil, chunk: Int = 128, span: Int = 16, block: Int = 32) -> ScanSettings {
        var settings = ScanSettings()
        settings.chunkBytes = chunk
        settings.spanBytes = span
        settings.blockBytes = block
        settings.firstBytes = chunk
        settings.tailBytes = 32
        settings.alwaysGuessesState = true
        if let implementation { settings.implementation = implementation }
        return settings
    }
}

extension DelimitedFile {
    convenience init(path: String, request: DialectRequest, settings: ScanSettings) throws {
        try self.init(FileOpening(path: path, request: request, settings: settings))
    }

    convenience init(spooling descriptor: Int32, name: String, request: DialectRequest, settings: ScanSettings) throws {
        try self.init(
            FileOpening(spooling: descriptor, name: name, request: request, settings: settings, isGrowing: { _, _ in }))
    }

    /// Reads a file that is deleted from its folder as soon as it is open.
    static func reading(
        _ bytes: [UInt8], request: DialectRequest = .init(), settings: ScanSettings = ScanSettings()
    ) throws -> DelimitedFile {
        let file = TestFile(bytes)
        defer { withExtendedLifetime(file) {} }
        return try DelimitedFile(path: file.path, request: request, settings: settings)
    }

    static func reading(
        _ text: String, request: DialectRequest = .init(), settings: ScanSettings = ScanSettings()
    ) throws -> DelimitedFile {
        try reading(Array(text.utf8), request: request, settings: settings)
    }

    /// Every record as raw field bytes, through the index and the bulk scan.
    func allFields(columns: Int) throws -> [[[UInt8]]] { try snapshot().fieldBytes(columns: Array(0..<columns)) }
}
