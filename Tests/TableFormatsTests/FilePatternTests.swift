import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Patterns, paths and names of files, and the files that they find.
@Suite struct FilePatternTests: ManyFilesSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `18.9: a pattern matches the same names as fnmatch in the C library`() {
        var random = SplitMix64(seed: 1)
        let pieces = [
            "a", "b", "c", "*", "?", "[ab]", "[!a]", "[^b-c]", "[a-c]", "[]a]", "[!]b]", "\\*", "\\?", ".", "[", "]", "*", "[c-a]", "-",
        ]
        let letters = Array("abc.*?[]-")
        var matches = 0
        for _ in 0..<60_000 {
            let pattern = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            // Classes and collating symbols of POSIX are not supported.
            if pattern.contains("[.") || pattern.contains("-\\") || pattern == "**" { continue }
            let name = String((0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random)! })
            let isMatch = GlobPattern(pattern.utf8).matches(Array(name.utf8))
            #expect(isMatch == (fnmatch(pattern, name, FNM_PERIOD) == 0), "\(pattern) \(name)")
            if isMatch { matches += 1 }
        }
        #expect(matches > 2_000)
    }

    @Test func `18.9: a pattern treats each letter of any alphabet as one character`() {
        #expect(GlobPattern("?.csv".utf8).matches(Array("ä.csv".utf8)))
        #expect(GlobPattern("[ä-ö]x".utf8).matches(Array("öx".utf8)))
        #expect(!GlobPattern("[!ä]x".utf8).matches(Array("äx".utf8)))
        #expect(GlobPattern("a?".utf8).matches([97, 0xFF]))
        #expect(GlobPattern("日*".utf8).matches(Array("日本".utf8)))
        #expect(GlobPattern("a\\*b".utf8).literal == Array("a*b".utf8))
        // The escape is between the two bytes of “Ф”.
        #expect(GlobPattern([0xD0, 0x5C, 0xA4]).matches([0xD0, 0xA4]))
        #expect(!GlobPattern([0xD0, 0x5C, 0xA4]).matches([0xD0, 0xA5]))
    }

    @Test func `18.9: a pattern with many stars is matched in quadratic time`() {
        let pattern = String(repeating: "*a", count: 100) + "b"
        #expect(!GlobPattern(pattern.utf8).matches(Array(repeating: UInt8(ascii: "a"), count: 10_000)))
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.9: braces are expanded as in a shell`() throws {
        var random = SplitMix64(seed: 2)
        func text(_ depth: Int) -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                guard depth < 2, Int.random(in: 0..<3, using: &random) == 0 else {
                    return ["a", "b", "c\\{", "\\,"].randomElement(using: &random)!
                }
                return "{" + (0..<Int.random(in: 2...3, using: &random)).map { _ in text(depth + 1) }.joined(separator: ",") + "}"
            }.joined()
        }
        let patterns = (0..<400).map { _ in "x" + text(0) }
        #expect(patterns.count { $0.contains("{a") } > 20)
        let script = """
            import subprocess, sys
            for pattern in sys.argv[1].split("\\n"):
                run = subprocess.run(["bash", "-fc", "for x in " + pattern + "; do printf '%s ' \\"$x\\"; done"], capture_output=True, text=True)
                print(run.stdout.strip(" "))
            """
        let expected = try Python.run(script, patterns.joined(separator: "\n")).split(separator: "\n", omittingEmptySubsequences: false)
        for (pattern, shell) in zip(patterns, expected) {
            let found = try GlobPattern.alternatives(pattern).map { String(decoding: GlobPattern($0).literal ?? [], as: UTF8.self) }
            #expect(found == shell.split(separator: " ").map(String.init), "\(pattern)")
        }
        #expect(throws: FormatError.self) { try GlobPattern.alternatives(String(repeating: "{a,b}", count: 20)) }
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.9: a pattern finds the files that Python finds`() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<60 {
            let depth = Int.random(in: 0...3, using: &random)
            let parents = (0..<depth).map { _ in ["a", "b", "k=1", ".h"].randomElement(using: &random)! }
            try write(
                (parents + [["x.csv", "y.csv", ".z.csv", "10.csv", "9.csv"].randomElement(using: &random)!]).joined(separator: "/"),
                "a\n1\n")
        }
        let parts = ["*", "**", "a", "?", "[ab]", "k=*", "[!a]*", ".h"]
        let patterns = (0..<80).map { _ in
            ((0..<Int.random(in: 0...3, using: &random)).map { _ in parts.randomElement(using: &random)! }
                + [["*.csv", "*", "**", "x.csv", "[xy].csv", ".*"].randomElement(using: &random)!]).joined(separator: "/")
        }
        let script = """
            import glob, os, sys
            for pattern in sys.argv[2].split("\\n"):
                found = glob.glob(sys.argv[1] + "/" + pattern, recursive=True)
                print("|".join(sorted(set(os.path.normpath(f) for f in found if os.path.isfile(f)))))
            """
        let expected = try Python.run(script, folder.path, patterns.joined(separator: "\n")).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (pattern, python) in zip(patterns, expected) {
            var finder = FileFinder()
            try finder.find(pattern: folder.path(of: pattern))
            // A folder named like a partition stands for its files.
            let files = finder.files.map(\.path).filter { path in
                GlobPattern((pattern as NSString).lastPathComponent.utf8).matches(Array((path as NSString).lastPathComponent.utf8))
                    || pattern.hasSuffix("**")
            }
            let isPartition = pattern.hasSuffix("/*") || pattern == "*"
            if !isPartition { #expect(files.sorted() == python.split(separator: "|").map(String.init), "\(pattern)") }
            #expect(Set(python.split(separator: "|").map(String.init)).isSubset(of: finder.files.map(\.path)))
            #expect(finder.failures.isEmpty && finder.files.map(\.path).count == Set(finder.files.map(\.path)).count)
        }
    }

    @Test func `18.9: a link to a parent folder does not repeat files`() throws {
        try write("a/b/x.csv", "a\n1\n")
        try write("k=1/x.csv", "a\n1\n")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "a/b/loop"), withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "k=1/k=2"), withDestinationPath: "../k=1")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "k=1/k=3"), withDestinationPath: "k=3")
        var finder = FileFinder()
        try finder.find(pattern: folder.path(of: "a/**/*.csv"))
        #expect(finder.files.map(\.path) == [folder.path(of: "a/b/x.csv")])
        finder = FileFinder()
        try finder.find(folder: folder.path(of: "k=1"))
        // The start folder is not in the list of ancestors, so a link to it is followed once.
        #expect(finder.files.count <= 2 && !finder.failures.isEmpty)
    }

    @Test func `18.9: a file whose name looks like a pattern opens as that file`() throws {
        try write("data[1].csv", "a,b\n1,2\n")
        try write("data1.csv", "c,d\n1,2\n")
        #expect(titles(try open("data[1].csv")) == ["a", "b"])
        #expect(throws: FormatError("No file matches \(folder.path(of: "none*.csv")). Check the pattern.")) { try open("none*.csv") }
    }

    @Test func `18.9: the suffixes of a file name determine the format and compression that the list of files shows`() {
        #expect(FileKind("a.csv.gz").text == "CSV, gzip" && FileKind("access.log.1").name == "log" && !FileKind("x").hasFormatSuffix)
        #expect(
            FileKind("a.PARQUET").name == "Parquet" && FileKind("a.b.py").text == "py" && FileKind("access.log.2.gz").text == "log, gzip")
    }

    @Test func `18.9: the files of a list of paths keep their order`() throws {
        let first = try write("z.csv", "a\n1\n2\n")
        try write("a/1.csv", "a\n3\n4\n")
        try write("a/2.csv", "a\n5\n6\n")
        let source = try FileOpener().open(paths: [first, folder.path(of: "a/*.csv")])
        try readAll(source)
        #expect(try rows(source).map { $0[1] } == ["1", "2", "3", "4", "5", "6"])
        #expect(try rows(source)[2][0] == "a/1.csv" && source.path == nil)
    }
}
