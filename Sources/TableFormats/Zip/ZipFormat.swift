import DelimitedText
import FieldValues
import Tables

/// Zip archives of files with one table each. An archive with one file opens as that file. Other archives open as a list of their files.
struct ZipFormat: BinaryFormat {
    let name = "zip"

    func matches(_ head: [UInt8]) -> Bool { ZipArchive.isArchive(head) }

    func open(_ file: BinaryFile, by opener: FileOpener) throws -> (any TableSource)? {
        let archive = try ZipArchive(file)
        let files = archive.members.filter { !$0.isFolder && !$0.isSystemFile }
        if let document = FileSignature(archiveOf: files.map(\.name), mediaType: archive.mediaType) {
            throw FormatError(document.message(name: file.name, path: file.path))
        }
        guard !files.isEmpty else { throw FormatError("\(file.name) contains no files.") }
        if let index = try TableChoice.index(of: opener.table, among: files.map(\.name), kind: "file", file: file.name) {
            return try open(files[index], of: archive, by: opener)
        }
        let entries = files.map { member in
            let size = "\(NumberText.count(member.count)) \(member.count == 1 ? "byte" : "bytes")"
            return ContainerEntry(name: member.name, kind: "file", note: member.isEncrypted ? "\(size), encrypted" : size)
        }
        return ContainerSource(file, entries, details: [("format", "zip archive")])
    }

    private func open(_ member: ZipMember, of archive: ZipArchive, by opener: FileOpener) throws -> any TableSource {
        let decoder = try ZipMemberDecoder(member, of: archive)
        let (file, name) = (archive.file, member.lastComponent)
        func content(_ part: Range<Int>, of file: BinaryFile, _ decoder: any ByteDecoder) throws -> DelimitedFile {
            // The format is detected from the unchanged bytes. The dialect, which can skip lines and convert text, applies only to text.
            try DelimitedFile(part, of: file, decoder: decoder, name: name, request: DialectRequest(), spoolLimit: opener.spoolLimit)
        }
        var input = try content(archive.contentRange(of: member), of: file, decoder)
        if let codec = Decompression.codec(of: try input.firstBytes(64)) {
            let compressed = try BinaryFile(waitingFor: input)
            input = try content(0..<compressed.count, of: compressed, StreamDecoder(codec, name: name))
        }
        func textFile() throws -> DelimitedFile { opener.dialect == DialectRequest() ? input : try input.reread(as: opener.dialect) }
        var inner = opener
        inner.table = nil
        if inner.format == self.name { inner.format = nil }
        guard inner.format != FileOpener.delimited else { return try textFile() }
        let head = try input.firstBytes(512)
        let formats = head.isEmpty ? [] : binaryFormats.filter { $0.matches(head) }
        guard try !formats.isEmpty || FileSignature(input) != nil else { return try inner.source(of: textFile()) }
        // Nested archives are not opened, because an archive can contain itself. SQLite opens files by path, so it cannot read a member.
        for format in formats where ![self.name, SQLiteFormat().name].contains(format.name) {
            // A member with several tables is not supported: each table would be opened by the path of the file, which is the path of the
            // archive.
            if let source = try format.open(BinaryFile(waitingFor: input), by: inner), !(source is ContainerSource) { return source }
        }
        throw FormatError(
            "\(name) cannot be read inside \(file.name). Unpack it first: unzip \(file.path.map(ShellWord.path) ?? "FILE") "
                + "\(ShellWord.quoted(member.name))")
    }
}
