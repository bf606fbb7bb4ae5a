import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

/// Lists and prose: text with one column.
@Suite struct ListAndProseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let lists = [
        "https://a.org/x?y=1\nhttps://b.org/z\nhttp://c.org/\n", "a, b.txt\nc.txt\nd.txt\ne.txt\nf.txt\n", "x\ny:1\nz\n",
        "CHANGELOG.md\nCONTRIBUTING.md\nLICENSE\nMakefile\nPackage.swift\nREADME.md\nSources\n",
        "  main\n* wt-logs\n  feature/one\n  remotes/origin/main\n", "apple\nbanana\ncherry\n",
        "My Song.mp3\nOther Song.mp3\nThird One.mp3\n",
        "name\nAlice\nBob\n", "3\n1\n2\n", "it's\nthe\nlist\n", "/usr/bin/awk\n/usr/bin/sed\n", "one\n",
        "2024-05-01\n2024-05-02\n", "10.0.0.1\nexample.org\n10.0.0.2\n", "Köln\nZürich\n", "a\r\nb\r\n",
        "4.0K\n12\n13\n900\n", "n/a\n1\n2\n3\n", "4.0K\n16K\n1.5M\n", "web01\nweb02\nweb03\n",
    ]

    @Test(arguments: lists) func `17.3: a list has no header, and its column is named “line”`(text: String) throws {
        for name in ["t.txt", "list", "words.txt.old"] {
            let source = try folder.readTable(text, name)
            #expect(titles(source) == ["line"] && !source.hasColumnNames, "\(name): \(source.details)")
            #expect(try rowTexts(source).map { $0[0] } == lines(of: text.replacing("\r\n", with: "\n")))
        }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
        try source.readAll(threads: 1) { _ in true }
        #expect(titles(source) == ["line"])
        #expect(try rowTexts(source).count == lines(of: text.replacing("\r\n", with: "\n")).count)
    }

    @Test func `17.3: a list with a header keeps the header`() throws {
        #expect(try titles(folder.readTable("name\nAlice\nBob\n", "t.csv")) == ["name"])
        #expect(try titles(folder.readTable("name\nAlice\nBob\n", "T.TSV")) == ["name"])
        #expect(try titles(folder.readTable("n\n10\n9\n1e3\nabc\n", "t")) == ["n"], "a text above numbers")
        #expect(try titles(folder.readTable("day\n2024-05-01\n2024-05-02\n", "t")) == ["day"], "a text above dates")
        for amount in ["€#.50", "# €", "#,50 €", "€#,5", "$#.00", "£#", "USD #.50", "#.50 EUR", "-#,25 kr"] {
            let amounts = (1...20_000).map { amount.replacing("#", with: "\($0)") }
            let source = try folder.readTable("x\n" + amounts.joined(separator: "\n") + "\n", "t")
            #expect(titles(source) == ["x"] && source.suggestions == [], "\(amount): \(source.details)")
            #expect(try rowTexts(source).map { $0[0] } == amounts)
        }
        #expect(try titles(folder.readTable("\"name\"\n\"Alice\"\n", "t")) == ["name"], "quotes")
        #expect(try folder.readTable("name\nAlice\nBob\n", "t", header: true).title(ofColumn: 0) == "name")
        #expect(try rowTexts(folder.readTable("name\nAlice\nBob\n", "t", header: true)) == [["Alice"], ["Bob"]])
        #expect(try rowTexts(folder.readTable("name\nAlice\nBob\n", "t", header: false)) == [["name"], ["Alice"], ["Bob"]])
        #expect(try rowTexts(folder.readTable("name\nAlice\nBob\n", "t.csv", header: false)) == [["name"], ["Alice"], ["Bob"]])
        #expect(try folder.readTable("", "t").columnCount == 0)
        let compressed = try folder.file("t.csv.gz", "name\nAlice\nBob\n")
        #expect(try titles(FileOpener().open(path: compressed)) == ["name"], "the suffix before that of a compression")
    }

    @Test func `17.3: a list stays one column if later lines have delimiters`() throws {
        let words = (0..<60_000).map { "word\($0)" } + ["a, b", "\"c\", d", "e;f|g", "x y z"]
        let source = try folder.readTable(words.joined(separator: "\n") + "\n", "words.txt")
        #expect(titles(source) == ["line"])
        #expect(try rowTexts(source).map { $0[0] } == words)
    }

    static let proseTexts = [
        "the quick brown fox\njumps over the lazy\n", "roses are red\nviolets are blue\nsugar is sweet\n",
        "one two\nthree four\nfive six\n",
        "Alice went home\nBob stayed here\nnobody knew why\n", "Hello world\n", "We met at noon\nNobody came with us\nThat was the end\n",
        "1. buy some milk\n2. call the bank\n3. write a letter\n", "It rained.  We left.\nThe sun.  All good.\nNo fun.  The end.\n",
        "TODO: fix the build\nTODO: write the tests\nTODO: ask for reviews\n",
    ]

    @Test(arguments: proseTexts) func `17.3: lines that have the same number of words are not a table`(text: String)
        throws
    {
        let source = try folder.readTable(text, "t.txt")
        #expect(titles(source) == ["line"], "\(source.details)")
        #expect(try rowTexts(source).map { $0[0] } == lines(of: text))
    }
}
