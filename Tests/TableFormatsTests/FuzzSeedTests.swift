import Foundation
import GridTestSupport
import Testing

/// The seeds of the fuzzer in `Tests/Fuzz/seeds`, which `Tests/Fuzz/make-seeds.py` writes.
@Suite(.enabled(if: Python.isAvailable)) struct FuzzSeedTests {
    @Test func `E: the seeds of the fuzzer are those that their script writes`() throws {
        let fuzz = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Fuzz").standardizedFileURL.path
        let temporary = try TemporaryFolder()
        let new = temporary.path(of: "seeds")
        try Python.run("import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])", "\(fuzz)/make-seeds.py", new)
        func files(_ folder: String) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains("/") }.sorted()
        }
        let names = try files(new)
        #expect(try files("\(fuzz)/seeds") == names)
        for name in names {
            let (old, new) = (
                FileManager.default.contents(atPath: "\(fuzz)/seeds/\(name)"), FileManager.default.contents(atPath: "\(new)/\(name)")
            )
            // Files of libraries depend on their versions. Parquet files contain the version, and some have no other bytes than text.
            guard let new, String(validating: new, as: UTF8.self) != nil, !name.hasPrefix("parquet/") else { continue }
            #expect(old == new, "\(name): run Tests/Fuzz/make-seeds.py")
        }
    }
}
