import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Folders as tables or lists, and files that are left out.
@Suite struct FolderTests: ManyFilesSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Folders

    @Test func `18.9: a folder of similar files is one table, and any other folder is a list of files`() throws {
        try write("same/1.csv", "a,b\n1,2\n")
        try write("same/2.csv", "b,a\n1,2\n")
        try write("same/README.md", "# Remarks\n\nSome words about the files in this folder.\n")
        #expect(titles(try open("same")) == ["file", "a", "b"])
        #expect(try open("same").problems == ["1 file with another suffix is left out"])
        try write("mixed/customers.csv", "name,city\nBob,3\n")
        try write("mixed/orders.csv", "number,price\n1,2\n")
        try write("formats/1.csv", "a,b\n1,2\n")
        try write("formats/2.tsv", "a\tb\n1\t2\n")
        try write("formats/sub/3.csv", "a,b\n1,2\n")
        try write("texts/LICENSE", "Permission is granted to use this.\nIt has no warranty at all.\nThe end of the text.\n")
        try write("texts/Makefile", "all:\n\tmake the program\n\techo that it is made\n")
        try write("prose/1.md", "# Title\n\nSome words about the program.\nThey take two lines here.\n")
        try write("prose/2.md", "# Title\n\nOther words about the program.\nThey take two lines, too.\n")
        for name in ["mixed", "formats", "texts", "prose", ""] {
            let list = try open(name)
            #expect(titles(list) == ["name", "kind", "size", "modified"])
            #expect(list.profiles(budgetMilliseconds: 0).map(\.kind) == [.text, .text, .integer, .dateTime])
        }
        let list = try open("formats")
        let found = try rows(list)
        #expect(found.map { $0[0] } == ["1.csv", "2.tsv", "sub"] && found.map { $0[1] } == ["CSV", "TSV", "folder"])
        #expect(found[0][2] == "8" && found[2][2] == nil && found[0][3]?.count == 19)
        #expect(list.path(ofTableInRecord: 1) == folder.path(of: "formats/2.tsv") && list.path(ofTableInRecord: 3) == nil)
        #expect(titles(try FileOpener().open(path: list.path(ofTableInRecord: 2)!)) == ["a", "b"])
        var opener = FileOpener()
        opener.listsFiles = true
        #expect(try rows(opener.open(path: folder.path(of: "same"))).map { $0[0] } == ["1.csv", "2.csv", "README.md"])
        #expect(try rows(opener.open(path: folder.path(of: "same/*.csv"))).map { $0[0] } == ["1.csv", "2.csv"])
        #expect(titles(try opener.open(path: folder.path(of: "same/1.csv"))) == ["a", "b"])
        try FileManager.default.createDirectory(atPath: folder.path(of: "empty"), withIntermediateDirectories: true)
        #expect(throws: FormatError("Cannot open \(folder.path(of: "empty")): the folder contains no files.")) { try open("empty") }
    }

    @Test(
        arguments: [[0], [1], [8], [0, 1, 8], [0, 1, 2, 3]])
    func `18.9: damaged files of a folder are left out of its table, wherever they are`(damaged: [Int]) throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(EveryFormatTests.samples)/trades.parquet")))
        try write("nine/.hidden", "")
        for number in 0..<9 {
            _ = try folder.file("nine/\(number).parquet", bytes: damaged.contains(number) ? Array(bytes[..<100]) : bytes)
        }
        let source = try open("nine")
        try readAll(source)
        let good = (0..<9).filter { !damaged.contains($0) }
        let found = try rows(source).map { $0[0] }
        #expect(titles(source).prefix(2) == ["file", "id"] && found.count == good.count * 60)
        #expect(Set(found) == Set(good.map { "\($0).parquet" }))
        let losses = source.conversions.filter(\.isLoss).map(\.sentence)
        #expect(losses.count == damaged.count)
        for (number, loss) in zip(damaged, losses) { #expect(loss.hasPrefix("\(number).parquet is left out. "), "\(loss)") }
    }

    @Test func `18.9: opening a folder of damaged files is an error that names one of them`() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(EveryFormatTests.samples)/trades.parquet")))
        try write("bad/.hidden", "")
        for number in 1...2 { _ = try folder.file("bad/\(number).parquet", bytes: Array(bytes[..<100])) }
        let error = #expect(throws: (any Error).self) { try open("bad") }
        #expect((error as? any TableError)?.message.hasPrefix("1.parquet is damaged") == true, "\(String(describing: error))")
    }

    @Test func `18.9: a folder is a list if its readable files differ, even if the others are damaged`() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(EveryFormatTests.samples)/trades.csv.gz")))
        try write("d/2.csv", "name,city\nBob,3\n")
        try write("d/3.csv", "number,price\n1,2\n")
        for name in ["1", "4"] { _ = try folder.file("d/\(name).csv", bytes: Array(bytes[..<12])) }
        #expect(try titles(open("d")) == ["name", "kind", "size", "modified"])
        try write("d/3.csv", "name,city\nAnn,4\n")
        #expect(try titles(open("d")) == ["file", "name", "city"])
    }

    // MARK: Names

    @Test func `18.9: file names with line ends and control characters are unchanged values`() throws {
        try write("a\nb\u{1B}[31m.csv", "x\n1\n")
        try write("c\td.csv", "x\n2\n")
        try write("broken\u{7}.csv", "x\n3\n")
        let source = try open("*.csv", FileOpener(dialect: DialectRequest(hasHeader: true)))
        try FileManager.default.removeItem(atPath: folder.path(of: "broken\u{7}.csv"))
        try readAll(source)
        #expect(try rows(source).map { $0[0] } == ["a\nb\u{1B}[31m.csv", "c\td.csv"])
        #expect(source.conversions.count == 1 && source.conversions.allSatisfy { $0.isLoss })
        #expect(source.problems.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test func `18.9: a name that is not UTF-8 is reported`() throws {
        try write("1.csv", "a\n1\n2\n")
        try write("2.csv", "a\n3\n4\n")
        let place = folder.path(of: "x").utf8CString.dropLast() + [CChar(bitPattern: 0xFF), 0x2E, 0x63, 0x73, 0x76, 0]
        let file = Array(place).withUnsafeBufferPointer { fopen($0.baseAddress!, "w") }
        // Some file systems refuse such names.
        guard let file else { return }
        fclose(file)
        let source = try open("*.csv")
        try readAll(source)
        #expect(source.snapshot().recordCount == 4)
        #expect(source.conversions == [TextConversion("One file is left out because the name is not UTF-8.", isLoss: true)])
    }

    @Test(.enabled(if: getuid() != 0)) func `18.9: files and folders without permission are left out`()
        throws
    {
        try write("1.csv", "a\n1\n2\n")
        try write("2.csv", "a\n3\n4\n")
        try write("sub/3.csv", "a\n5\n6\n")
        chmod(folder.path(of: "2.csv"), 0)
        chmod(folder.path(of: "sub"), 0)
        defer { chmod(folder.path(of: "sub"), 0o700) }
        let source = try open("**/*.csv")
        try readAll(source)
        #expect(try rows(source).map { $0[1] } == ["1", "2"])
        #expect(source.conversions.count { $0.isLoss && $0.sentence.contains("permission denied") } == 2)
    }

    @Test(
        arguments: [
            ("*.csv", "*.csv"), ("./*.csv", "*.csv"), ("/data/logs/*", "logs/*"), ("logs/**/*.csv", "logs/**/*.csv"),
            ("../year=*/x.csv", "../year=*/x.csv"), ("/data/logs", "logs"), ("/data/x.csv", "x.csv"), ("/", "/"),
        ])
    func `18.9: the name of a pattern begins with the folder before the first wildcard`(path: String, name: String) {
        #expect(FileOpener.name(ofPath: path) == name)
    }

    @Test func `18.9: a folder that is given as a point or two points is shown with its name`() throws {
        try write("sub/a.csv", "a\n1\n")
        try write("sub/b.csv", "a\n2\n")
        let name = try #require(folder.path.split(separator: "/").last.map(String.init))
        #expect(FileOpener.name(ofPath: folder.path(of: "sub/.")) == "sub" && FileOpener.name(ofPath: folder.path(of: "sub/..")) == name)
        #expect(try open("sub/.").name == "sub")
        #expect(FileOpener.name(ofPath: ".") == Platform.folderName(ofPath: ".") && FileOpener.name(ofPath: "./") != ".")
        #expect(FileOpener.name(ofPath: folder.path(of: "none/..")) == "..")
    }

    @Test func `18.9: a file whose name looks like a pattern has this name before it is opened, too`() throws {
        try write("sub/a[1].csv", "a\n1\n")
        #expect(FileOpener.name(ofPath: folder.path(of: "sub/a[1].csv")) == "a[1].csv")
        #expect(FileOpener.name(ofPath: folder.path(of: "sub/a[2].csv")) == "sub/a[2].csv")
    }

    // MARK: Failures

    @Test func `18.9: files that are not tables and files that cannot be read are left out`() throws {
        try write("1.csv", "a\n1\n2\n")
        try write("2.csv", "a\n3\n4\n")
        _ = try folder.file("3.png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        try write("4.csv", "a\n5\n6\n")
        try FileManager.default.createDirectory(atPath: folder.path(of: "5.csv"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "6.csv"), withDestinationPath: "nowhere.csv")
        #expect(mkfifo(folder.path(of: "7.csv"), 0o600) == 0)
        let source = try open("*")
        try FileManager.default.removeItem(atPath: folder.path(of: "2.csv"))
        #expect(source.checkForChange() != .unchanged)
        try readAll(source)
        #expect(try rows(source).map { $0[1] } == ["1", "2", "5", "6"])
        #expect(source.snapshot().isComplete)
        let lost = source.conversions.filter(\.isLoss).map(\.sentence)
        #expect(lost.count == 3 && lost[2].hasPrefix("2.csv is left out. Cannot open"), "\(lost)")
        #expect(lost.contains { $0.contains("6.csv: no such file") }, "\(lost)")
        #expect(lost.contains("Cannot open \(folder.path(of: "7.csv")): it is a pipe or a device. Open it alone."), "\(lost)")
        #expect(source.problems.contains { $0.contains("3.png is a PNG image") }, "\(source.problems)")
        #expect(source.details.first?.value == "2 (2 left out)")
    }

    @Test func `18.9: a pipe beside a single file is reported as left out, and a socket is only a note`() throws {
        try write("pipe/1.csv", "a\n1\n")
        #expect(mkfifo(folder.path(of: "pipe/2.csv"), 0o600) == 0)
        let message = "Cannot open \(folder.path(of: "pipe/2.csv")): it is a pipe or a device. Open it alone."
        for pattern in ["pipe", "pipe/*", "pipe/{*,2.*}"] {
            let source = try open(pattern)
            try readAll(source)
            #expect(source.conversions == [TextConversion(message, isLoss: true)])
        }
        #expect(throws: FormatError(message)) { try open("pipe/2*") }
        #if os(Linux)
            for name in ["1", "2"] { try write("socket/\(name).csv", "a\n\(name)\n") }
            #expect(mknod(folder.path(of: "socket/3.csv"), S_IFSOCK | 0o600, 0) == 0)
            let source = try open("socket")
            try readAll(source)
            #expect(source.problems == ["1 entry is left out because it is not a file"])
            #expect(source.conversions.isEmpty)
        #endif
    }

    @Test func `18.9: output reports files of a folder that are not part of its table`() throws {
        try write("one/x.csv", "a,b\n1,2\n")
        try write("one/notes.txt", "hello\n")
        try write("one/_SUCCESS", "")
        let one = try open("one")
        try readAll(one)
        #expect(titles(one) == ["a", "b"])
        #expect(try rows(one) == [["1", "2"]])
        #expect(one.conversions == [TextConversion("one: 1 file with another suffix is left out.", isLoss: true)])
        try write("two/1.csv", "a,b\n1,2\n")
        try write("two/2.csv", "a,b\n3,4\n")
        _ = try folder.file("two/3.csv", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        try write("two/4.csv", "a,b\n5,6\n")
        try write("two/LICENSE", "Free.\n")
        try write("two/notes.txt", "hello\n")
        let two = try open("two")
        try readAll(two)
        #expect(try rows(two).count == 3)
        let sentences = two.conversions.map(\.sentence)
        #expect(sentences.count == 2 && two.conversions.allSatisfy(\.isLoss))
        #expect(sentences[0].hasPrefix("two: one file is left out because it is not a table: "))
        #expect(sentences[1] == "two: 2 files with other suffixes are left out.")
        // Files that are not tables are only reported if a pattern matched them, which may be an accident.
        let pattern = try open("two/*.csv")
        try readAll(pattern)
        #expect(pattern.conversions.count == 1 && !pattern.conversions[0].isLoss)
        // Hidden files are left out by convention.
        try FileManager.default.removeItem(atPath: folder.path(of: "one/notes.txt"))
        #expect(try open("one").conversions.isEmpty)
    }

    @Test func `18.9: output reports the subfolders of a folder that are not part of its table`() throws {
        for path in ["x/1.csv", "x/2.csv", "x/old/3.csv", "y/k=1/1.csv", "y/k=1/old/2.csv", "y/old/3.csv"] {
            try write(path, "a,b\n1,2\n")
        }
        let x = try open("x")
        try readAll(x)
        #expect(try rows(x).map { $0[0] } == ["1.csv", "2.csv"])
        let phrase = "1 subfolder is left out; a pattern with ** includes its files"
        #expect(x.problems == [phrase] && x.conversions == [TextConversion("x: \(phrase).", isLoss: true)])
        let y = try open("y")
        try readAll(y)
        #expect(try rows(y) == [["1", "1", "2"]])
        #expect(y.problems == ["2 subfolders are left out; a pattern with ** includes their files"])
        // The list contains the subfolders, so it leaves out nothing.
        var opener = FileOpener()
        opener.listsFiles = true
        let list = try opener.open(path: folder.path(of: "y"))
        #expect(try rows(list).map { $0[0] } == ["k=1/1.csv", "k=1/old", "old"] && list.problems.isEmpty)
        let pattern = try open("y/**/*.csv")
        try readAll(pattern)
        #expect(try rows(pattern).count == 3 && pattern.conversions.isEmpty)
    }

    @Test(arguments: [("z/**", 0), ("z/**/*", 0), ("z/k=*", 2), ("z/{k=*,*}", 2)])
    func `18.9: partition subfolders that a pattern includes are not left out, and the others are counted once`(
        pattern: String, count: Int
    ) throws {
        for path in ["z/k=1/1.csv", "z/k=1/old/2.csv", "z/k=1/j=2/more/3.csv", "z/k=1/j=2/4.csv"] { try write(path, "a,b\n1,2\n") }
        let found = try FileSelection.pattern(folder.path(of: pattern)).find()
        #expect(found.files.count == 4 - count && found.subfolders.count == count)
        #expect(found.subfoldersPhrase == (count == 0 ? nil : "2 subfolders are left out; a pattern with ** includes their files"))
    }

    @Test func `18.9: a list of files reports the entries that cannot be read`() throws {
        try write("list/1.csv", "a,b\n1,2\n")
        try write("list/2.tsv", "c\td\n1\t2\n")
        #expect(try open("list").conversions.isEmpty)
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "list/3.csv"), withDestinationPath: "missing.csv")
        let list = try open("list")
        #expect(try rows(list).map { $0[0] } == ["1.csv", "2.tsv"])
        let failure = "Cannot open \(folder.path(of: "list/3.csv")): no such file or directory."
        #expect(list.problems == [failure] && list.conversions == [TextConversion(failure, isLoss: true)])
    }

    @Test func `18.9: notes without a loss do not hide the losses of later files`() throws {
        for number in 101...205 { try write("j/\(number).json", "{\"data\": [{\"a\": \"x\"}], \"more\": [{\"b\": 1}]}") }
        try write("j/206.json", #"{"data": [{"a": "\ud800"}]}"#)
        let source = try open("j/*.json")
        try readAll(source)
        let sentences = source.conversions.map(\.sentence)
        #expect(source.conversions.map(\.isLoss) == [true, false, false, false, false] && source.conversions[0].replacesCharacters)
        #expect(sentences[0].hasPrefix("206.json: ") && sentences[1].hasPrefix("101.json: ") && sentences[3].hasPrefix("103.json: "))
        #expect(sentences[4] == "\(source.name): 102 other files have notes that are not listed.")
        // Losses that are not listed are still reported as losses.
        for number in 301...402 { try write("j/\(number).json", #"{"data": [{"a": "\ud800"}]}"#) }
        let damaged = try open("j/*.json")
        try readAll(damaged)
        let losses = damaged.conversions.filter(\.isLoss)
        #expect(losses.count == 101 && losses.allSatisfy(\.replacesCharacters))
        #expect(losses.last?.sentence == "\(damaged.name): 3 other files have losses that are not listed.")
    }

    @Test func `18.9: if no file can be opened, the first error is shown`() throws {
        _ = try folder.file("1.png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        _ = try folder.file("2.png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0])
        #expect { try open("*.png") } throws: { ($0 as? FormatError)?.message.contains("1.png is a PNG image") == true }
    }
}
