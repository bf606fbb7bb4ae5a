import DelimitedText
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Messages for unsupported files name the format and the command that converts the file.
@Suite struct FileSignatureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The message for a file, with its path relative to the folder; `nil` if the file is opened.
    private func message(_ name: String, _ bytes: [UInt8], as format: String? = nil) throws -> String? {
        do {
            _ = try FileOpener(format: format).open(path: folder.file(name, bytes: bytes))
            return nil
        } catch let error as FormatError {
            return error.message.replacing(folder.path + "/", with: "")
        }
    }

    private static func zip(_ member: String, _ content: String = "") -> [UInt8] {
        ZipBuilder([(member, content)]).bytes
    }

    static let examples: [(name: String, bytes: [UInt8], message: String)] = [
        ("a.csv.br", [0x0B, 0x02, 0x80, 0x61, 0x03], "a.csv.br is a Brotli file. Unpack it first: brotli -dc a.csv.br | gridview"),
        ("a.Z", [0x1F, 0x9D, 0x90, 0x61], "a.Z is a compressed file. Unpack it first: gzip -dc a.Z | gridview"),
        ("a.lz4", [2, 0x21, 0x4C, 0x18, 1, 0], "a.lz4 is an LZ4 file in the legacy format. Unpack it first: lz4 -dc a.lz4 | gridview"),
        (
            "a b.xlsb", zip("xl/workbook.bin"),
            "a b.xlsb is an Excel binary workbook. Convert it first: libreoffice --headless --convert-to csv 'a b.xlsb'"
        ),
        (
            "a.numbers", zip("Index/Document.iwa"),
            "a.numbers is an iWork document. Export it from the program that wrote it, as CSV."
        ),
        (
            "a.odt", zip("mimetype", "application/vnd.oasis.opendocument.text"),
            "a.odt is an OpenDocument text document. Convert it first: pandoc -t plain a.odt | gridview"
        ),
        ("a.pptx", zip("ppt/presentation.xml"), "a.pptx is a PowerPoint file, not a table."),
        ("a.jar", zip("META-INF/MANIFEST.MF"), "a.jar is a Java archive, not a table."),
        ("a.docx", zip("word/document.xml"), "a.docx is a Word document. Convert it first: pandoc -t plain a.docx | gridview"),
        (
            "x.avro", Array("Obj\u{1}".utf8) + [4],
            "x.avro is an Avro file. Convert it first: duckdb -csv -c \"from read_avro('x.avro')\" | gridview"
        ),
        (
            "it's.avro", Array("Obj\u{1}".utf8) + [4],
            "it's.avro is an Avro file. Convert it first: duckdb -csv -c \"from read_avro('it''s.avro')\" | gridview"
        ),
        (
            "$x.avro", Array("Obj\u{1}".utf8) + [4],
            "$x.avro is an Avro file. Convert it first: duckdb -csv -c 'from read_avro('\\''$x.avro'\\'')' | gridview"
        ),
        (
            "a.duckdb", [1, 2, 3, 4, 5, 6, 7, 8] + Array("DUCK".utf8) + [64, 0],
            "a.duckdb is a DuckDB database. Open it with its ADBC driver: gridview 'adbc:duckdb?path=a.duckdb'. Without the driver: "
                + "duckdb -csv a.duckdb 'from TABLE' | gridview"
        ),
        (
            "5% & more.db", [1, 2, 3, 4, 5, 6, 7, 8] + Array("DUCK".utf8) + [64, 0],
            "5% & more.db is a DuckDB database. Open it with its ADBC driver: gridview 'adbc:duckdb?path=5%25 %26 more.db'. Without the "
                + "driver: duckdb -csv '5% & more.db' 'from TABLE' | gridview"
        ),
        ("a.pdf", Array("%PDF-1.7\n%x\n".utf8), "a.pdf is a PDF document. Convert it first: pdftotext -layout a.pdf - | gridview"),
        ("ls", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], "ls is an ELF program, not a table."),
        ("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a.png is a PNG image, not a table."),
        (
            "a.xls", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
            "a.xls is an old Excel or Office file. Convert it first: libreoffice --headless --convert-to csv a.xls"
        ),
    ]

    @Test(arguments: examples.indices)
    func `17.5: the message for an unsupported format names the format and the command that converts it`(index: Int) throws {
        let example = Self.examples[index]
        #expect(try message(example.name, example.bytes) == example.message)
        #expect(try message(example.name, example.bytes, as: "delimited") == nil, "a requested format takes precedence")
    }

    @Test func `17.5: the error for a file distinguishes an Office file with a password from an old Office file`()
        throws
    {
        /// A compound file with 512-byte sectors, whose directory is in the third one.
        func file(_ stream: String, shift: UInt8 = 9) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 2_048)
            bytes.replaceSubrange(0..<8, with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
            (bytes[30], bytes[48]) = (shift, 1)
            for (place, name) in [(1_024, "Root Entry"), (1_024 + 2 * 128, stream)] {
                for (index, unit) in name.utf16.enumerated() { bytes[place + index * 2] = UInt8(unit) }
            }
            return bytes
        }
        let expected =
            "b.xlsx is an Office file encrypted with a password. Open it in a spreadsheet program and save it without the password."
        #expect(try message("b.xlsx", file("EncryptedPackage")) == expected)
        for bytes in [file("Workbook"), file("EncryptedPackage", shift: 200), Array(file("EncryptedPackage")[..<1_200])] {
            #expect(try message("b.xls", bytes)?.hasPrefix("b.xls is an old Excel or Office file. Convert it first: ") == true)
        }
    }

    @Test func `17.5: the errors for other unsupported formats name the format`() throws {
        for (bytes, name) in [
            (Array("FEA1\0\0".utf8), "a Feather file"), (Array("Obj\u{1}".utf8) + [4], "an Avro file"),
            (Array("ORC".utf8) + [8, 3], "an ORC file"), (Array("LZIP".utf8) + [1, 0x14], "an lzip file. Unpack it first: lzip -dc "),
            ([0x89, 0x4C, 0x5A, 0x4F, 0, 0x0D, 0x0A, 0x1A, 0x0A, 0x10], "an LZO file. Unpack it first: lzop -dc "),
            ([0xFF, 6, 0, 0, 0x73, 0x4E, 0x61, 0x50, 0x70, 0x59, 1], "a Snappy file. Unpack it first: snzip -dc "),
            ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "an HDF5 file"), ([0x80, 4, 0x95, 0], "a Python pickle"),
            (Array("RDX3\nX\n".utf8) + [0, 0], "an R data file"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG image"),
            (Array("a.csv".utf8) + [UInt8](repeating: 0, count: 252) + Array("ustar\0".utf8), "a tar archive"),
        ] {
            let found = try message("file", bytes)
            #expect(found?.hasPrefix("file is \(name)") == true, "\(found ?? "opened") is not \(name)")
        }
    }

    @Test(arguments: ["zip", "xlsx", "ods"])
    func `17.5: if text is opened as a zip archive on request, the error does not call it damaged`(format: String) throws {
        let expected = "t.csv is not a zip archive; xlsx and ods files are zip archives, too. Remove --format to detect the format."
        #expect(try message("t.csv", Array("a,b\n1,2\n".utf8), as: format) == expected)
    }

    @Test func `17.5: text that begins like another format is read`() throws {
        for text in [
            "PAR1,b\n1,2\n", "BZh,b\n1,2\n", "MZ;Größe\n1;2\n", "ORC\n1\n", "ID3,x\n1,2\n", "[a],b\n1,2\n", "{x},y\n1,2\n", "PK,a\n1,2\n",
        ] {
            #expect(try message("t.txt", Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func `17.5: binary data without a signature is not read as text, unless that is requested`() throws {
        var random = SplitMix64(seed: 21)
        let expected = "x.bin is binary data, not a table. Use --format delimited to show it as text."
        for count in [600, 5_000, 300_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try message("x.bin", bytes) == expected)
            #expect(try message("x.bin", bytes, as: "delimited") == nil)
        }
        // The bytes are structures of numbers and names, as in programs and databases.
        var structures: [UInt8] = []
        for n: UInt8 in 0..<200 {
            structures += [n, 0, 0, n % 7, 3, 0, 5, 0, 8, 1, 2]
            structures += Array("name\(n)".utf8) + [0]
        }
        #expect(try message("x.bin", structures) == expected)
        #expect(try message("x.bin", [UInt8](repeating: 0, count: 5_000)) == expected)
    }

    @Test func `D1: text is read in any encoding, and with colors, padding or control characters as separators`() throws {
        func repeated(_ bytes: [UInt8]) -> [UInt8] { Array(repeatElement(bytes, count: 50).joined()) }
        func repeated(_ text: String) -> [UInt8] { repeated(Array(text.utf8)) }
        let row = "Größe;Ärger;naïve;12,5\n"
        let latin = row.unicodeScalars.map { UInt8($0.value) }
        let wide = repeated(row.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let high: [UInt8] = (0x80...0xFE).map { $0 }
        let texts: [(String, [UInt8])] = [
            ("empty", []), ("UTF-8", repeated(row)), ("Latin-1", repeated(latin)),
            ("Windows-1252", repeated([97, 59, 0x80, 0x93, 0x94, 0x99, 10])), ("CP437", repeated([97, 59, 98] + high + [10])),
            ("UTF-16", [0xFF, 0xFE] + wide), ("UTF-16 without mark", wide), ("some NULs", repeated("a,b\0,c\n")),
            ("padding with NUL", repeated("ab\0\0\0\0\0\0,c\0\0\0\0\n")),
            ("colors", repeated("\u{1B}[1;31ma\u{1B}[0m,b\u{7},c\u{8}c\n")),
            ("separators", repeated("a\u{1}b\u{2}c\u{3}d\u{1}e\n")), ("ASCII separators", repeated("a\u{1F}b\u{1F}c\u{1E}\n")),
            ("messages of devices", repeated("\u{2}a,b\u{3}\u{4}\u{5}\u{6}\u{15}\u{16}\n")),
        ]
        for (name, bytes) in texts { #expect(try message("x.txt", bytes) == nil, "\(name)") }
    }

    @Test func `17.5: unsupported formats are recognized in pipes`() throws {
        for (bytes, message) in [
            ([0x1F, 0x9D, 8, 0, 10], "The input is a compressed file. Unpack it first: … | gzip -dc | gridview"),
            (
                Array("Obj\u{1}".utf8) + [4, 10],
                "The input is an Avro file. Save it as FILE and convert it first: duckdb -csv -c \"from read_avro('FILE')\" | gridview"
            ),
        ] {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
            try pipe.fileHandleForWriting.close()
            #expect(throws: FormatError(message)) {
                try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
            }
        }
    }

    @Test func `17.5: damaged signatures never cause a crash`() throws {
        let bytes = ZipBuilder([("[Content_Types].xml", "…"), ("xl/workbook.bin", "")]).bytes
        for position in bytes.indices {
            _ = try message("a.xlsx", Array(bytes[..<position]))
            var damaged = bytes
            damaged[position] ^= 0xFF
            _ = try message("a.zip", damaged)
        }
        #expect(
            try message("a.docx", Array(bytes.dropLast(30)))
                == "a.docx is damaged: its ZIP directory is missing. Copy or download it again.")
    }
}
