import DelimitedText
import FieldValues

/// The signature of a format that cannot be read, and the command that converts a file to a readable format.
struct FileSignature: Sendable {
    /// The format with its article: `a gzip file`.
    private(set) var name: String
    private var remedy: Remedy
    private var magic: [UInt8]
    /// The offset of ``magic`` in the file.
    private var offset: Int
    /// True if text may begin with ``magic``. A file is then recognized only if control characters follow soon.
    private var isAmbiguous: Bool

    /// The way to open the data that the message suggests.
    private enum Remedy {
        /// A command that reads the file from its standard input and unpacks it.
        case filter(String)
        /// A DuckDB query; `%` is the file name as an SQL string.
        case query(String)
        /// A command; `%` is the file name as a shell word.
        case command(String)
        /// A connection URL, and a command for computers without the driver. `%` is the path in the URL, and the file name in the command.
        case driver(url: String, command: String)
        /// A method of pandas that reads the file.
        case pandas(String)
        /// A sentence with other advice.
        case advice(String)
        /// There is no advice, because such a file contains no table.
        case none
    }

    private init(_ name: String, _ magic: [UInt8], at offset: Int = 0, isAmbiguous: Bool = false, _ remedy: Remedy) {
        (self.name, self.magic, self.offset, self.isAmbiguous, self.remedy) = (name, magic, offset, isAmbiguous, remedy)
    }

    private init(_ name: String, _ magic: String, at offset: Int = 0, isAmbiguous: Bool? = nil, _ remedy: Remedy) {
        let isPrintable = magic.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        self.init(name, Array(magic.utf8), at: offset, isAmbiguous: isAmbiguous ?? isPrintable, remedy)
    }

    /// The known formats. A special case precedes its general format.
    private static let all = [
        // Compressed files.
        FileSignature("a gzip file", [0x1F, 0x8B], .filter("gzip -dc")),
        FileSignature("a zstd file", [0x28, 0xB5, 0x2F, 0xFD], .filter("zstd -dc")),
        FileSignature("an xz file", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .filter("xz -dc")),
        FileSignature("a bzip2 file", "1AY&SY", at: 4, isAmbiguous: false, .filter("bzip2 -dc")),
        FileSignature("an LZ4 file", [4, 0x22, 0x4D, 0x18], .filter("lz4 -dc")),
        FileSignature("an LZ4 file in the legacy format", [2, 0x21, 0x4C, 0x18], .filter("lz4 -dc")),
        FileSignature("an LZMA file", [0x5D, 0, 0, 0x80, 0], .filter("xz --format=lzma -dc")),
        FileSignature("a compressed file", [0x1F, 0x9D], .filter("gzip -dc")),
        FileSignature("an lzip file", "LZIP\u{1}", .filter("lzip -dc")),
        FileSignature("an LZO file", [0x89, 0x4C, 0x5A, 0x4F, 0, 0x0D, 0x0A, 0x1A, 0x0A], .filter("lzop -dc")),
        FileSignature("a Snappy file", [0xFF, 6, 0, 0, 0x73, 0x4E, 0x61, 0x50, 0x70, 0x59], .filter("snzip -dc")),
        // Text.
        FileSignature("UTF-32 text", [0xFF, 0xFE, 0, 0], .command("iconv -f UTF-32 -t UTF-8 %")),
        FileSignature("UTF-32 text", [0, 0, 0xFE, 0xFF], .command("iconv -f UTF-32 -t UTF-8 %")),
        // Archives.
        FileSignature("a 7-Zip archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .command("7z x -so %")),
        FileSignature("a RAR archive", "Rar!\u{1A}\u{7}", .command("unrar p -inul %")),
        FileSignature("a tar archive", "ustar", at: 257, .command("tar -xOf %")),
        // Tables.
        FileSignature("a Feather file", "FEA1", .pandas("read_feather")),
        FileSignature("an ORC file", "ORC", .pandas("read_orc")),
        FileSignature("an Avro file", "Obj\u{1}", .query("from read_avro(%)")),
        FileSignature("an HDF5 file", [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], .pandas("read_hdf")),
        FileSignature("a NumPy array", [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59], .command(Self.numpyCommand)),
        FileSignature("an R data file", "RDX", .command(Self.rDataCommand)),
        FileSignature("an R data file", "X\n\0\0\0", .command(Self.rdsCommand)),
        FileSignature(
            "a Python pickle", [0x80, 2],
            .advice("Convert it with the program that wrote it, because reading a pickle can run arbitrary code.")),
        FileSignature(
            "a Python pickle", [0x80, 4, 0x95],
            .advice("Convert it with the program that wrote it, because reading a pickle can run arbitrary code.")),
        FileSignature(
            "a Python pickle", [0x80, 5, 0x95],
            .advice("Convert it with the program that wrote it, because reading a pickle can run arbitrary code.")),
        FileSignature("a Stata file", "<stata_dta>", isAmbiguous: false, .pandas("read_stata")),
        FileSignature("an SPSS file", "$FL2", .pandas("read_spss")),
        FileSignature("a SAS file", [0xC2, 0xEA, 0x81, 0x60, 0xB3, 0x14, 0x11, 0xCF], at: 12, .pandas("read_sas")),
        // Databases.
        FileSignature(
            "a DuckDB database", "DUCK", at: 8, .driver(url: "adbc:duckdb?path=%", command: "duckdb -csv % 'from TABLE'")),
        FileSignature("an Access database", "\0\u{1}\0\0Standard", .command("mdb-export % TABLE")),
        // Documents.
        FileSignature("an old Excel or Office file", Self.compoundFile, .advice(Self.officeAdvice)),
        FileSignature("a PDF document", "%PDF-", isAmbiguous: false, .command("pdftotext -layout % -")),
        FileSignature("a PostScript document", "%!PS", isAmbiguous: false, .none),
        FileSignature("an RTF document", "{\\rtf", isAmbiguous: false, .none),
        // Programs.
        FileSignature("an ELF program", [0x7F, 0x45, 0x4C, 0x46], .none),
        FileSignature("a Mach-O program", [0xCF, 0xFA, 0xED, 0xFE], .none),
        FileSignature("a Java class or a universal macOS binary", [0xCA, 0xFE, 0xBA, 0xBE], .none),
        FileSignature("a WebAssembly program", "\0asm", .none),
        FileSignature("a Windows program", "MZ", .none),
        // Images, audio and video.
        FileSignature("a PNG image", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .none),
        FileSignature("a JPEG image", [0xFF, 0xD8, 0xFF], .none),
        FileSignature("a GIF image", "GIF89a", .none),
        FileSignature("a GIF image", "GIF87a", .none),
        FileSignature("a TIFF image", [0x49, 0x49, 0x2A, 0], .none),
        FileSignature("a TIFF image", [0x4D, 0x4D, 0, 0x2A], .none),
        FileSignature("a WebP image", "WEBP", at: 8, .none),
        FileSignature("a WAV audio file", "WAVE", at: 8, .none),
        FileSignature("an Ogg audio file", "OggS", .none),
        FileSignature("a FLAC audio file", "fLaC", .none),
        FileSignature("an MP3 audio file", "ID3", .none),
        FileSignature("an MP4 video", "ftyp", at: 4, .none),
        FileSignature("a Matroska video", [0x1A, 0x45, 0xDF, 0xA3], .none),
    ]

    private static let compoundFile: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    private static let encryptedOffice = FileSignature(
        "an Office file encrypted with a password", compoundFile,
        .advice("Open it in a spreadsheet program and save it without the password."))
    private static let officeAdvice = "Convert it first: libreoffice --headless --convert-to csv %"
    private static let rDataCommand = "Rscript -e 'write.csv(get(load(commandArgs(TRUE))), row.names = FALSE)' %"
    private static let rdsCommand = "Rscript -e 'write.csv(readRDS(commandArgs(TRUE)), row.names = FALSE)' %"
    private static let numpyCommand =
        "python3 -c 'import numpy, sys; numpy.savetxt(sys.stdout, numpy.load(sys.argv[1]), delimiter=\",\", fmt=\"%%s\")' %"

    /// Unsupported formats that are zip archives, by the prefix of a member name.
    private static let archiveSignatures = [
        (member: "xl/workbook.bin", FileSignature("an Excel binary workbook", "PK", .advice(officeAdvice))),
        (member: "word/", FileSignature("a Word document", "PK", .command("pandoc -t plain %"))),
        (member: "ppt/", FileSignature("a PowerPoint file", "PK", .none)),
        (member: "Index/Document.iwa", FileSignature("an iWork document", "PK", .advice(exportAdvice))),
        (member: "Index.zip", FileSignature("an iWork document", "PK", .advice(exportAdvice))),
        (member: "META-INF/MANIFEST.MF", FileSignature("a Java archive", "PK", .none)),
    ]
    /// Unsupported formats that are zip archives, by the media type in the member `mimetype`.
    private static let mediaTypes = [
        ("application/vnd.oasis.opendocument.text", FileSignature("an OpenDocument text document", "PK", .command("pandoc -t plain %"))),
        ("application/vnd.oasis.opendocument.", FileSignature("an OpenDocument file", "PK", .none)),
        ("application/epub+zip", FileSignature("an EPUB book", "PK", .command("pandoc -t plain %"))),
    ]
    private static let exportAdvice = "Export it from the program that wrote it, as CSV."

    /// The unsupported format of a zip archive; `nil` if the archive may contain tables.
    /// - Parameters:
    ///   - members: the names of the members.
    ///   - mediaType: the content of the member `mimetype`.
    init?(archiveOf members: [String], mediaType: String) {
        let found =
            Self.mediaTypes.first { mediaType.hasPrefix($0.0) }?.1
            ?? Self.archiveSignatures.first { kind in members.contains { $0.hasPrefix(kind.member) } }?.1
        guard let found else { return nil }
        self = found
    }

    /// The number of bytes to read from the start of a file. They contain every signature.
    private static let headBytes = 512

    /// The format of an input; `nil` if it may be text.
    /// - Throws: `DelimitedTextError` if the input cannot be read.
    init?(_ input: DelimitedFile) throws {
        // Text in UTF-16 was converted to UTF-8, so it has no signature.
        guard !input.dialect.encoding.isUTF16 else { return nil }
        let head = try input.firstBytes(Self.headBytes)
        if let compression = input.compression {
            guard let signature = Self.contentSignature(compression, head, input) else { return nil }
            self = signature
            return
        }
        guard let signature = Self.signature(head, input) ?? Self.signatureWithoutMagic(head) ?? Self.brotli(head, input) else {
            return nil
        }
        self = signature
    }

    /// The format with a fixed signature that matches; `nil` if no signature matches.
    private static func signature(_ head: [UInt8], _ input: DelimitedFile) -> FileSignature? {
        guard let match = all.first(where: { $0.matches(head) }) else { return nil }
        return match.magic == compoundFile && isEncrypted(head, input) ? encryptedOffice : match
    }

    /// True for a compound file with the stream of an encrypted Office document (Microsoft, “Office Document Cryptography Structure”).
    private static func isEncrypted(_ head: [UInt8], _ input: DelimitedFile) -> Bool {
        guard head.count >= 52, let file = try? BinaryFile(waitingFor: input) else { return false }
        let (shift, sector) = (head.number(at: 30, bytes: 2), head.number(at: 48, bytes: 4))
        guard shift == 9 || shift == 12, let directory = try? file.bytes(at: (sector + 1) << shift, count: 64 << 10) else { return false }
        let name: [UInt8] = "EncryptedPackage".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return stride(from: 0, to: directory.count, by: 128).contains { directory[$0...].starts(with: name) }
    }

    /// A format that is recognized without a fixed signature; `nil` if the input may be text.
    private static func signatureWithoutMagic(_ head: [UInt8]) -> FileSignature? {
        if EncodingSniffer.isUTF32(head) {
            return FileSignature("UTF-32 text", [], .command("iconv -f UTF-32\(head[0] == 0 ? "BE" : "LE") -t UTF-8 %"))
        }
        return isDBase(head) ? FileSignature("a dBase file", [], .advice(officeAdvice)) : nil
    }

    /// A Brotli file, which has no fixed signature: the name ends in `.br`, and the bytes are not text.
    private static func brotli(_ head: [UInt8], _ input: DelimitedFile) -> FileSignature? {
        guard input.name.lowercased().hasSuffix(".br"), !isText(head) else { return nil }
        return FileSignature("a Brotli file", [], .filter("brotli -dc"))
    }

    /// True if the bytes are UTF-8 without control characters. A character that is cut off at the end is allowed.
    private static func isText(_ head: [UInt8]) -> Bool {
        let end = head.count - head.reversed().prefix(3).prefix { $0 >= 0x80 }.count
        let isUTF8 = head.withUnsafeBufferPointer { FieldBytes(start: $0.baseAddress, count: end).isUTF8 }
        return isUTF8 && head.allSatisfy { $0 >= 0x20 || (9...13).contains($0) }
    }

    /// True for the header of a dBase table: a version, a date, and a 32-byte description for each field.
    private static func isDBase(_ head: [UInt8]) -> Bool {
        let versions: [UInt8] = [
            0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x7B, 0x83, 0x8B, 0x8C, 0x8E, 0xCB, 0xE5, 0xF5, 0xFB,
        ]
        guard head.count >= 65, versions.contains(head[0]), head[2] <= 12, head[3] <= 31 else { return false }
        let headerBytes = Int(head[8]) | Int(head[9]) << 8
        let recordBytes = Int(head[10]) | Int(head[11]) << 8
        guard headerBytes >= 65, recordBytes > 1, (headerBytes - 1) % 32 <= 8 || (headerBytes - 264) % 32 == 0 else { return false }
        // The name of the first field is padded with zeros, and a letter is its type.
        let name = head[32..<43].prefix { $0 != 0 }
        guard !name.isEmpty, name.allSatisfy({ $0 > 32 && $0 != 127 }), head[43] >= UInt8(ascii: "0"), head[43] <= UInt8(ascii: "Z") else {
            // The descriptions of fields in dBase 7 are longer.
            return head[0] & 7 == 4 && headerBytes > 68
        }
        return true
    }

    /// The signature of the content of a compressed file; `nil` if the content may be text.
    private static func contentSignature(_ compression: Compression, _ head: [UInt8], _ input: DelimitedFile) -> FileSignature? {
        let name = input.name.lowercased()
        // R writes its data files compressed.
        if name.hasSuffix(".rds") { return FileSignature("an R data file", [], .command(rdsCommand)) }
        if name.hasSuffix(".rdata") || name.hasSuffix(".rda") { return FileSignature("an R data file", [], .command(rDataCommand)) }
        let found = signature(head, input)
        if found?.name == "a tar archive" || [".tgz", ".tar.gz"].contains(where: name.hasSuffix) {
            let options = compression.name == "gzip" ? "-xzOf" : "-xOf"
            return FileSignature("a compressed tar archive", [], .command("tar \(options) %"))
        }
        guard let found else { return nil }
        if case .filter = found.remedy {
            let filter = compression.name == "LZMA" ? "xz --format=lzma" : compression.name.lowercased()
            return FileSignature("compressed twice: it contains \(found.name)", [], .filter("\(filter) -dc"))
        }
        let kind = "a compressed file that contains \(found.name)"
        if case .none = found.remedy { return FileSignature(kind, [], .none) }
        return FileSignature(kind, [], .advice("Decompress it first, then open the result."))
    }

    private func matches(_ head: [UInt8]) -> Bool {
        guard head.count >= offset + magic.count, head[offset..<offset + magic.count].elementsEqual(magic) else { return false }
        return !isAmbiguous || head.prefix(offset + 64).contains { $0 < 9 || (14...31).contains($0) }
    }

    // MARK: Message

    /// A message that names the format and the command that converts the file.
    /// - Parameters:
    ///   - file: the name of the input.
    ///   - path: the path of the file; `nil` for a pipe.
    func message(name file: String, path: String?) -> String {
        let subject = path == nil ? "The input" : file
        let word = path.map(ShellWord.path) ?? "FILE"
        switch remedy {
        case .filter(let filter):
            let command = path == nil ? "… | \(filter) | gridview" : "\(filter) \(word) | gridview"
            return "\(subject) is \(name). Unpack it first: \(command)"
        case .query(let query):
            let sql = query.replacing("%", with: (path ?? "FILE").quoted(by: "'"))
            return conversionAdvice(subject, path, "duckdb -csv -c \(Self.quoted(sql))")
        case .pandas(let function):
            let script = "import pandas, sys; pandas.\(function)(sys.argv[1]).to_csv(sys.stdout, index=False)"
            return conversionAdvice(subject, path, "python3 -c '\(script)' \(word)")
        case .command(let command): return conversionAdvice(subject, path, Self.fillTemplate(command, word))
        case .driver(let url, let command):
            // In the query of a URL, these characters would start an escape or the next option.
            let escaped = (path ?? "FILE").replacing("%", with: "%25").replacing("&", with: "%26")
            let open = "gridview \(ShellWord.quoted(url.replacing("%", with: escaped)))"
            let first = path == nil ? "Save it as FILE and open it with its ADBC driver" : "Open it with its ADBC driver"
            return "\(subject) is \(name). \(first): \(open). Without the driver: \(Self.fillTemplate(command, word)) | gridview"
        case .advice(let sentence): return "\(subject) is \(name). \(Self.fillTemplate(sentence, word))"
        case .none: return "\(subject) is \(name), not a table."
        }
    }

    private func conversionAdvice(_ subject: String, _ path: String?, _ command: String) -> String {
        let first = path == nil ? "Save it as FILE and convert it first" : "Convert it first"
        return "\(subject) is \(name). \(first): \(command) | gridview"
    }

    /// Replaces `%` with a word, and `%%` with `%`.
    private static func fillTemplate(_ template: String, _ word: String) -> String {
        template.split(separator: "%%", omittingEmptySubsequences: false).map { $0.replacing("%", with: word) }.joined(separator: "%")
    }

    /// A string in single or double quotes for a shell, with as few escapes as possible.
    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { "\"$`\\!".utf8.contains($0) }) else { return "\"\(text)\"" }
        return ShellWord.quoted(text)
    }
}
