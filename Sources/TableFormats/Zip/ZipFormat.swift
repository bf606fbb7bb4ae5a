import DelimitedText
import FieldValues
import Tables

/// Zip archives of text files. An archive of one file opens as that file. Other archives open as a list of their files.
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
            return CatalogEntry(name: member.name, kind: "file", note: member.isEncrypted ? "\(size), encrypted" : size)
        }
        return CatalogSource(file, entries, facts: [("format", "zip archive")])
    }

    private func open(_ member: ZipMember, of archive: ZipArchive, by opener: FileOpener) throws -> any TableSource {
        let decoder = try ZipMemberDecoder(member, of: archive)
        let text = try DelimitedFile(
            archive.contentRange(of: member), of: archive.file, decoder: decoder, name: member.lastComponent, request: opener.dialect,
            spoolLimit: opener.spoolLimit)
        var opener = opener
        opener.table = nil
        if opener.format == name { opener.format = nil }
        if opener.format != FileOpener.delimited {
            let head = try text.firstBytes(512)
            if try binaryFormats.contains(where: { $0.matches(head) }) || FileSignature(text) != nil {
                let path = archive.file.path.map(ShellWord.path) ?? "FILE"
                throw FormatError(
                    "\(member.lastComponent) in \(archive.file.name) is not text. Unpack it first: unzip \(path) "
                        + "\(ShellWord.quoted(member.name))")
            }
        }
        return try opener.source(of: text)
    }
}
