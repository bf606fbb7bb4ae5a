import DelimitedText
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Zip archives of text files.
@Suite struct ZipTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ builder: ZipBuilder, _ name: String = "x.zip", table: String? = nil) throws -> any TableSource {
        try FileOpener(table: table).open(path: folder.file(name, bytes: builder.bytes))
    }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? any TableError)?.message ?? "\(error)" }
        return nil
    }

    @Test func `18.2: an archive of one text file opens as that file`() throws {
        var builder = ZipBuilder([("folder/", ""), ("folder/data.csv", "a,b\n1,x\n2,y\n"), ("__MACOSX/folder/._data.csv", "\0\u{5}")])
        builder.comment = Array("a comment".utf8)
        let source = try open(builder)
        #expect(source.name == "data.csv" && source.path == folder.path(of: "x.zip"))
        #expect(titles(source) == ["a", "b"])
        try source.readAll(threads: 1) { _ in true }
        #expect(try rowTexts(source) == [["1", "x"], ["2", "y"]])
        #expect(source.checkForChange() == .unchanged)
        #expect(try open(builder, table: "folder/data.csv").columnCount == 2)
    }

    @Test func `18.2: an archive of several files is listed, and each file opens by its name`() throws {
        let builder = ZipBuilder([("a.csv", "a,b\n1,2\n"), ("b/c.md", "| x | y | z |\n|---|---|---|\n| 1 | 2 | 3 |\n")])
        let list = try open(builder)
        #expect(try rows(list).map { $0[0] } == ["a.csv", "b/c.md"])
        #expect(try rows(list).map { $0[4] } == ["8 bytes", "42 bytes"])
        #expect(list.path(ofTableInRecord: 1) == folder.path(of: "x.zip") + ":b/c.md")
        let markdown = try FileOpener().open(path: folder.path(of: "x.zip") + ":b/c.md")
        #expect(titles(markdown) == ["x", "y", "z"] && markdown.details.contains { $0.value == "Markdown table" })
        #expect(try titles(FileOpener().open(path: folder.path(of: "x.zip") + ":A.csv")) == ["a", "b"])
        #expect(
            message { _ = try FileOpener().open(path: folder.path(of: "x.zip") + ":a.csw") }
                == "x.zip has no file “a.csw”. Did you mean “a.csv”? It has the files a.csv, b/c.md.")
    }

    @Test func `18.2: member names are read as UTF-8, or otherwise as code page 437`() throws {
        var builder = ZipBuilder([("größe.csv", "a\n"), ("x", "a\n")])
        builder.members[1].name = Array("gr".utf8) + [0x94, 0xE1] + Array("e.csv".utf8)
        #expect(try rows(open(builder)).map { $0[0] } == ["größe.csv", "größe.csv"])
        builder.members[0].name = Array("a\\b.csv".utf8)
        #expect(try rows(open(builder)).first?[0] == "a/b.csv")
    }

    @Test func `18.2: an error names the member that cannot be read`() throws {
        var builder = ZipBuilder([("a.csv", "a,b\n1,2\n")])
        builder.members[0].flags = 1
        #expect(
            message { _ = try open(builder) }
                == "Cannot read x.zip: its member “a.csv” is encrypted. Decrypt it first, for example with 7z x.")
        builder.members[0].flags = 0
        builder.members[0].method = 9
        #expect(
            message { _ = try open(builder) }
                == "Cannot read x.zip: its member “a.csv” is compressed with Deflate64. Pack it again with zip.")
        builder.members[0].method = 77
        #expect(message { _ = try open(builder) }?.contains("method 77") == true)
        for content in [Array(SQLiteHeader.magic), ZipBuilder([("a", "b")]).bytes, Array("%PDF-1.7\n\u{1}".utf8)] {
            var outer = ZipBuilder()
            outer.members = [ZipBuilder.Member(name: Array("f/a b".utf8), content: content)]
            #expect(
                message { _ = try open(outer) }
                    == "a b cannot be read inside x.zip. Unpack it first: unzip \(folder.path(of: "x.zip")) 'f/a b'", "\(content)")
        }
        #expect(message { _ = try open(ZipBuilder([("f/a b", "PAR1\u{15}\u{4}\u{15}")])) }?.hasPrefix("a b is damaged: ") == true)
        #expect(message { _ = try open(ZipBuilder([("e.csv", "")])) } == nil)
        #expect(message { _ = try open(ZipBuilder()) } == "x.zip contains no files.")
        #expect(message { _ = try open(ZipBuilder([("a/", "")])) } == "x.zip contains no files.")
    }

    @Test(.enabled(if: Python.isAvailable))
    func `18.2: compressed text, Parquet files, Arrow files and workbooks can be opened in an archive`() throws {
        try Python.run(
            """
            import sys, io, gzip, bz2, zipfile, pyarrow as pa, pyarrow.parquet as pq, openpyxl
            folder = sys.argv[1]
            table = pa.table({"a": [1, 2], "b": ["x", "y"]})
            def bytes_of(write):
                buffer = io.BytesIO(); write(buffer); return buffer.getvalue()
            def arrow(buffer):
                with pa.ipc.new_file(buffer, table.schema) as writer: writer.write_table(table)
            def book(buffer, sheets=1):
                workbook = openpyxl.Workbook(); workbook.remove(workbook.active)
                for index in range(sheets):
                    sheet = workbook.create_sheet(f"S{index}")
                    for row in [["a", "b"], [1, "x"], [2, "y"]]: sheet.append(row)
                workbook.save(buffer)
            text = b"a,b\\n1,x\\n2,y\\n"
            parquet = bytes_of(lambda b: pq.write_table(table, b))
            for name, content in {"t.csv.gz": gzip.compress(text), "t.csv.bz2": bz2.compress(text), "t.parquet": parquet,
                "t.parquet.gz": gzip.compress(parquet), "t.arrow": bytes_of(arrow), "t.xlsx": bytes_of(book),
                "two.xlsx": bytes_of(lambda b: book(b, 2)), "t.gz.gz": gzip.compress(gzip.compress(text))}.items():
                for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    with zipfile.ZipFile(f"{folder}/{name}-{method}.zip", "w", method) as z: z.writestr(name, content)
            """, folder.path)
        for method in [0, 8] {
            for name in ["t.csv.gz", "t.csv.bz2", "t.parquet", "t.parquet.gz", "t.arrow", "t.xlsx"] {
                let archive = folder.path(of: "\(name)-\(method).zip")
                for path in [archive, "\(archive):\(name)"] {
                    let source = try FileOpener().open(path: path)
                    try source.readAll(threads: 2) { _ in true }
                    #expect(source.name == name && titles(source) == ["a", "b"], "\(name)")
                    #expect(try rowTexts(source) == [["1", "x"], ["2", "y"]], "\(name)")
                    #expect(source.checkForChange() == .unchanged)
                }
            }
            let skipping = try FileOpener(dialect: DialectRequest(skipLines: 1)).open(path: folder.path(of: "t.csv.gz-\(method).zip"))
            try skipping.readAll(threads: 2) { _ in true }
            #expect(
                titles(skipping) == ["A", "B"] && skipping.snapshot().recordCount == 2,
                "lines are skipped in the text, not in the compressed bytes")
            for name in ["two.xlsx", "t.gz.gz"] {
                let path = folder.path(of: "\(name)-\(method).zip")
                #expect(
                    message { _ = try FileOpener().open(path: path) }
                        == "\(name) cannot be read inside \(name)-\(method).zip. Unpack it first: unzip \(path) '\(name)'")
            }
        }
        // The compressed bytes of a member are damaged.
        var damaged = ZipBuilder([("d.csv.gz", "")])
        damaged.members[0].content = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]
        #expect(message { try open(damaged).readAll(threads: 1) { _ in true } }?.contains("d.csv.gz") == true)
    }

    @Test func `18.2: overlapping members and members outside the file are refused`() throws {
        var builder = ZipBuilder([("a.csv", "a,b\n1,2\n3,4\n"), ("b.csv", "a,b\n1,2\n3,4\n")])
        #expect(try rows(open(builder)).count == 2)
        builder.members[1].offsetShift = -6
        #expect(message { _ = try open(builder) }?.contains("overlaps") == true)
        builder.members[1].offsetShift = -47
        #expect(message { _ = try open(builder) }?.contains("overlaps") == true, "both have the same bytes")
        for shift in [100, 1 << 20, 0x7FFF_0000] {
            builder.members[1].offsetShift = shift
            #expect(message { _ = try open(builder) }?.contains("outside the file") == true)
        }
        builder.members[1].offsetShift = 0
        builder.members[1].countShift = 1
        #expect(
            message { _ = try FileOpener().open(path: folder.file("y.zip", bytes: builder.bytes) + ":b.csv") }?.contains("sizes") == true)
    }

    @Test(.timeLimit(.minutes(1))) func `18.2: a wrong checksum is reported after all rows have been read`() throws {
        var bytes = ZipBuilder([("a.csv", "a,b\n" + (0..<100_000).map { "\($0),x\n" }.joined())]).bytes
        bytes[try #require(bytes[..<600_000].lastIndex(of: UInt8(ascii: "x")))] ^= 1
        let source = try FileOpener().open(path: folder.file("x.zip", bytes: bytes))
        #expect(
            message { try source.readAll(threads: 2) { _ in true } }
                == "x.zip is damaged: the checksum of “a.csv” does not match. Copy or download it again.")
        #expect(source.snapshot().recordCount == 100_000)
    }

    @Test func `18.2: text in an archive is read in any encoding`() throws {
        var builder = ZipBuilder([("a.csv", "")])
        builder.members[0].content = Array("name,n\nM".utf8) + [0xFC] + Array("ller,1\n".utf8)
        #expect(try (open(builder) as? DelimitedFile)?.dialect.encoding == .windows1252)
        builder.members[0].content = [0xFF, 0xFE] + "name,n\nMüller,1\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let source = try open(builder)
        try source.readAll(threads: 1) { _ in true }
        #expect(titles(source) == ["name", "n"])
        #expect(try rowTexts(source) == [["Müller", "1"]])
    }

    @Test(.enabled(if: Python.isAvailable))
    func `18.2: archives of other programs are read, with deflate, 64-bit sizes and data descriptors`() throws {
        try Python.run(
            """
            import sys, zipfile, io
            folder = sys.argv[1]
            text = "a,b\\n" + "".join(f"{i},text {i}\\n" for i in range(50000))
            with zipfile.ZipFile(folder + "/deflate.zip", "w", zipfile.ZIP_DEFLATED) as z: z.writestr("d.csv", text)
            with zipfile.ZipFile(folder + "/bzip2.zip", "w", zipfile.ZIP_BZIP2) as z: z.writestr("d.csv", text)
            class Stream(io.RawIOBase):
                def __init__(self, file): self.file = file
                def writable(self): return True
                def seekable(self): return False
                def write(self, b): return self.file.write(b)
                def flush(self): self.file.flush()
            with open(folder + "/descriptor.zip", "wb") as f:
                with zipfile.ZipFile(Stream(f), "w", zipfile.ZIP_DEFLATED) as z: z.writestr("d.csv", text)
            zipfile.ZIP64_LIMIT = 10
            zipfile.ZIP_FILECOUNT_LIMIT = 0
            with zipfile.ZipFile(folder + "/large.zip", "w", zipfile.ZIP_DEFLATED) as z:
                z.writestr("empty/", "")
                z.writestr("d.csv", text)
            """, folder.path)
        for name in ["deflate.zip", "bzip2.zip", "descriptor.zip", "large.zip"] {
            let source = try FileOpener().open(path: folder.path(of: name))
            try source.readAll(threads: 2) { _ in true }
            #expect(source.name == "d.csv" && source.snapshot().recordCount == 50_000, "\(name)")
            #expect(try rowTexts(source).last == ["49999", "text 49999"], "\(name)")
            let handle = try #require(FileHandle(forReadingAtPath: folder.path(of: name)))
            let pipe = try FileOpener().open(descriptor: dup(handle.fileDescriptor), name: "standard input")
            try pipe.readAll(threads: 2) { _ in true }
            #expect(pipe.snapshot().recordCount == 50_000, "\(name) as standard input")
        }
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path(of: "large.zip"))))
        #expect(bytes.indices.contains { bytes[$0...].starts(with: [0x50, 0x4B, 6, 6]) }, "the archive has a 64-bit directory")
    }

    @Test(.enabled(if: Python.isAvailable)) func `18.2: a text file in an archive satisfies the table contract`() throws {
        try Python.run(
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
                z.writestr("d.csv", "a,b,c\\n" + "".join(f'{i},"q {i % 7}",\\n' for i in range(30000)))
            """, folder.path(of: "c.zip"))
        let source = try FileOpener().open(path: folder.path(of: "c.zip"))
        try source.readAll(threads: 2) { _ in true }
        let expected = (0..<30_000).map { ["\($0)", "q \($0 % 7)", ""] as [String?] }
        var conformance = TableConformance(source: source, rows: expected, random: SplitMix64(seed: 18))
        try conformance.check(source.snapshot())
    }

    @Test(.enabled(if: Python.isAvailable), .timeLimit(.minutes(2))) func `18.2: damaged archives give rows or an error`() throws {
        try Python.run(
            """
            import sys, zipfile, random
            random.seed(1)
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
                for name in ("a.csv", "b.csv"): z.writestr(name, "a,b\\n" + "".join(f"{i},{random.random()}\\n" for i in range(100)))
            """, folder.path(of: "d.zip"))
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path(of: "d.zip"))))
        func read(_ bytes: [UInt8]) throws {
            let path = try folder.file("e.zip", bytes: bytes)
            for table in [nil, "b.csv"] {
                do {
                    let source = try FileOpener(table: table).open(path: path)
                    try source.readAll(threads: 1) { _ in true }
                    _ = try rows(source)
                } catch {
                    #expect(error is any TableError, "\(error)")
                }
            }
        }
        let head = Array(stride(from: 0, to: bytes.count - 250, by: bytes.count / 100))
        for position in head + Array(bytes.count - 250..<bytes.count) {
            try read(Array(bytes[..<position]))
            for mask in [0xFF, 1, 0x80] as [UInt8] {
                var damaged = bytes
                damaged[position] ^= mask
                try read(damaged)
            }
        }
    }

    @Test(.enabled(if: Python.isAvailable), .timeLimit(.minutes(1)))
    func `18.2: a member that expands to a thousand times its size is read`() throws {
        try Python.run(
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z: z.writestr("d.csv", "1,2\\n" * (16 << 20))
            """, folder.path(of: "b.zip"))
        let source = try FileOpener().open(path: folder.path(of: "b.zip"))
        try source.readAll(threads: 2) { _ in true }
        #expect(source.byteCount == 64 << 20)
    }

    @Test func `18.2: the checksum is the standard CRC-32`() {
        var random = SplitMix64(seed: 5)
        for count in [0, 1, 7, 8, 9, 63, 1_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var checksum = Checksum()
            let cut = count / 3
            bytes.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                checksum.add(start, count: cut)
                checksum.add(start + cut, count: count - cut)
            }
            #expect(checksum.value == ZipBuilder.checksum(bytes))
        }
        #expect(ZipBuilder.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    }
}
