import DelimitedText
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Files that cannot be read are named, with the command that converts them.
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
        let name = Array(member.utf8)
        return Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [UInt8(name.count), 0, 0, 0] + name + Array(content.utf8)
    }

    static let examples: [(name: String, bytes: [UInt8], message: String)] = [
        ("a.gz", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "a.gz is a gzip file. Unpack it first: gzip -dc a.gz | gridview"),
        ("a.zst", [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x10], "a.zst is a zstd file. Unpack it first: zstd -dc a.zst | gridview"),
        ("a.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], "a.xz is an xz file. Unpack it first: xz -dc a.xz | gridview"),
        ("a.bz2", Array("BZh91AY&SY".utf8) + [1, 2], "a.bz2 is a bzip2 file. Unpack it first: bzip2 -dc a.bz2 | gridview"),
        ("a.lz4", [4, 0x22, 0x4D, 0x18, 0x64, 0x40], "a.lz4 is an LZ4 file. Unpack it first: lz4 -dc a.lz4 | gridview"),
        ("my file.zip", zip("a.csv"), "my file.zip is a zip archive. Convert it first: unzip -p 'my file.zip' | gridview"),
        (
            "a.xlsx", zip("[Content_Types].xml", "…") + zip("xl/workbook.xml"),
            "a.xlsx is an Excel file. Convert it first: duckdb -csv -c \"from read_xlsx('a.xlsx')\" | gridview"
        ),
        (
            "a.ods", zip("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            "a.ods is an OpenDocument spreadsheet. Convert it first: libreoffice --headless --convert-to csv a.ods"
        ),
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
            "a.db", Array("SQLite format 3\0".utf8),
            "a.db is an SQLite database. Convert it first: sqlite3 -csv -header a.db 'select * from TABLE' | gridview"
        ),
        (
            "a.duckdb", [1, 2, 3, 4, 5, 6, 7, 8] + Array("DUCK".utf8) + [64, 0],
            "a.duckdb is a DuckDB database. Convert it first: duckdb -csv a.duckdb 'from TABLE' | gridview"
        ),
        ("a.pdf", Array("%PDF-1.7\n%x\n".utf8), "a.pdf is a PDF document. Convert it first: pdftotext -layout a.pdf - | gridview"),
        ("ls", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], "ls is an ELF program, not a table."),
        ("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a.png is a PNG picture, not a table."),
        (
            "a.xls", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
            "a.xls is an old Excel or Office file. Convert it first: libreoffice --headless --convert-to csv a.xls"
        ),
        (
            "a.json", Array("[\n  {\"a\": 1},\n  {\"a\": 2}\n]\n".utf8),
            "a.json is a JSON file. Convert it first: duckdb -csv -c \"from read_json('a.json')\" | gridview"
        ),
    ]

    @Test("17.A4: a file that cannot be read is named with the command that converts it", arguments: examples.indices)
    func named(index: Int) throws {
        let example = Self.examples[index]
        #expect(try message(example.name, example.bytes) == example.message)
        #expect(try message(example.name, example.bytes, as: "delimited") == nil, "a requested format takes precedence")
    }

    @Test("17.A4: other formats are named too") func otherFormats() throws {
        for (bytes, name) in [
            (Array("ARROW1\0\0".utf8), "an Arrow file"), (Array("Obj\u{1}".utf8) + [4], "an Avro file"),
            (Array("ORC".utf8) + [8, 3], "an ORC file"),
            ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "an HDF5 file"), ([0x80, 4, 0x95, 0], "a Python pickle"),
            (Array("RDX3\nX\n".utf8) + [0, 0], "an R data file"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG picture"),
            (Array("a.csv".utf8) + [UInt8](repeating: 0, count: 252) + Array("ustar\0".utf8), "a tar archive"),
        ] {
            let found = try message("file", bytes)
            #expect(found?.hasPrefix("file is \(name)") == true, "\(found ?? "opened") is not \(name)")
        }
        #expect(try message("data.RDS", [0x1F, 0x8B, 8, 0])?.contains("readRDS") == true)
    }

    @Test("17.A4: text that begins like another format is read") func ambiguousText() throws {
        for text in [
            "PAR1,b\n1,2\n", "BZh,b\n1,2\n", "MZ;Größe\n1;2\n", "ORC\n1\n", "ID3,x\n1,2\n", "[a],b\n1,2\n", "{x},y\n1,2\n", "PK,a\n1,2\n",
        ] {
            #expect(try message("t.txt", Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("17.A4: the first bytes of a pipe are checked") func pipe() throws {
        for (bytes, message) in [
            ([0x1F, 0x8B, 8, 0, 10], "The input is a gzip file. Unpack it first: … | gzip -dc | gridview"),
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

    @Test("17.A4: damaged heads never crash") func damage() throws {
        let bytes = Self.zip("[Content_Types].xml", "…") + Self.zip("xl/workbook.xml")
        for position in bytes.indices {
            _ = try message("a.xlsx", Array(bytes[..<position]))
            var damaged = bytes
            damaged[position] ^= 0xFF
            _ = try message("a.zip", damaged)
        }
    }
}
