import DelimitedText
import Tables

/// The Arrow IPC format: streams, and files with a footer, which are also called Feather version 2.
struct ArrowFormat: BinaryFormat {
    let name = "arrow"

    func matches(_ head: [UInt8]) -> Bool { Self.isFile(head) || ArrowMessage.isSchema(head) }

    /// True for a file with a footer. The two zero bytes after the name of the format are compared, too, because a text file may begin with
    /// that name.
    private static func isFile(_ head: [UInt8]) -> Bool { head.starts(with: ArrowFile.magic + [0, 0]) }

    func open(_ file: BinaryFile, by opener: FileOpener) throws -> (any TableSource)? {
        let head = try file.bytes(at: 0, count: 512)
        guard Self.isFile(head) || ArrowMessage.isSchema(head) && (isStream(file) || opener.format == name) else { return nil }
        do {
            let arrow = try ArrowFile(file)
            let columns = try arrow.schema.columns()
            return FixedTableSource(
                file, table: ArrowTable(arrow, columns),
                fields: columns.all.map { DeclaredField(name: $0.title, kind: $0.leaf.kind) }, details: details(arrow),
                columnDetails: ColumnDetails.list(columns.all.map(\.title)) { columns.all[$0].leaf.typeName },
                earlyEnd: arrow.earlyEnd)
        } catch let error as ArrowError {
            throw error.formatError(forFile: file.name)
        }
    }

    /// True if the input may be a stream: a pipe, or a file whose suffix belongs to Arrow. The suffix of a compression may follow.
    private func isStream(_ file: BinaryFile) -> Bool {
        guard file.path != nil else { return true }
        return FileKind(file.name).name == "Arrow"
    }

    private func details(_ arrow: ArrowFile) -> [(name: String, value: String)] {
        let isFeather = arrow.file.name.lowercased().hasSuffix(".feather")
        var details: [(name: String, value: String)] = [
            ("format", arrow.isFile ? isFeather ? "Feather file (Arrow)" : "Arrow file" : "Arrow stream"),
            ("record batches", "\(arrow.batchCount)"),
            ("compression", arrow.codecs.isEmpty ? "none" : arrow.codecs.map(\.name).joined(separator: ", ")),
        ]
        if arrow.version < 4 { details.append(("metadata version", "V4")) }
        if !arrow.schema.metadataNames.isEmpty { details.append(("metadata", arrow.schema.metadataNames.joined(separator: ", "))) }
        return details
    }
}
