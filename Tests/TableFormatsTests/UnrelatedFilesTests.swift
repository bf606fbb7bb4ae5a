import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Files of a pattern that have no column in common with the others.
@Suite struct UnrelatedFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ path: String, _ text: String) throws {
        let place = (folder.path(of: path) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        _ = try folder.file(path, text)
    }

    /// The complete table of the files that match a pattern.
    private func read(_ pattern: String, _ opener: FileOpener = FileOpener()) throws -> any TableSource {
        let source = try opener.open(path: folder.path(of: pattern))
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    @Test func `18.9: a file of another kind without a common column is left out, wherever it is`() throws {
        // The notes come before the tables in the first folder, and after them in the second one.
        for (place, name) in [("first", "a.txt"), ("last", "z.txt")] {
            try write("\(place)/\(name)", "Some words about the files\nThey take two lines\n")
            try write("\(place)/m1.csv", "a,b\n1,2\n")
            try write("\(place)/m2.csv", "b,a\n4,3\n")
            try write("\(place)/m3.json", "[{\"b\": 6, \"c\": 7}]")
            // Before the table is read, its last rows do not contain the lines of the notes, either.
            #expect(try FileOpener().open(path: folder.path(of: "\(place)/*")).tail(atLeast: 10).records.count == 3)
            let source = try read("\(place)/*")
            #expect(titles(source) == ["file", "a", "b", "c"])
            #expect(try rows(source).map { Array($0.dropFirst()) } == [["1", "2", nil], ["3", "4", nil], [nil, "6", "7"]])
            let sentence =
                "\(name) is left out. It has no column in common with m1.csv. "
                + "Open it alone, or use --format to read all files in one format."
            #expect(source.conversions == [TextConversion(sentence, isLoss: true)])
            #expect(source.problems == [sentence])
            #expect(source.details.first?.value == "3 (1 left out)")
        }
        // A requested format makes all files parts of the table.
        let all = try read("first/*.[tc]*", FileOpener(format: "lines"))
        #expect(all.snapshot().recordCount == 6 && all.conversions.isEmpty)
    }

    @Test func `18.9: files of one kind are united even without a common column, with a note`() throws {
        try write("1.csv", "a,b\n1,2\n")
        try write("2.csv", "c,d\n3,4\n")
        try write("3.csv", "d,a\n5,6\n")
        let source = try read("*.csv")
        #expect(titles(source) == ["file", "a", "b", "c", "d"] && source.snapshot().recordCount == 3)
        let phrase = "has no column in common with the files before it"
        #expect(source.conversions == [TextConversion("2.csv: The file \(phrase).", isLoss: false)])
        #expect(source.problems == ["2.csv \(phrase)"])
    }
}
