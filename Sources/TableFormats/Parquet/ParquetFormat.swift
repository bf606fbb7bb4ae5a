import DelimitedText
import FieldValues
import Tables

/// Apache Parquet: a table stored by columns, in pages that are compressed one by one.
struct ParquetFormat: BinaryFormat {
    let name = "parquet"

    /// The first and the last bytes of a file.
    static let magic = Array("PAR1".utf8)
    private static let encryptedMagic = Array("PARE".utf8)
    private static let maximumFooterBytes = 256 << 20

    func matches(_ head: [UInt8]) -> Bool {
        guard head.starts(with: Self.magic) || head.starts(with: Self.encryptedMagic) else { return false }
        // Text can begin with the same letters. In a Parquet file, the header of a page follows, which contains control characters.
        return head.prefix(64).dropFirst(4).contains { $0 < 9 || (14...31).contains($0) }
    }

    func open(_ file: BinaryFile, by opener: FileOpener) throws -> (any TableSource)? {
        do {
            return try source(of: file)
        } catch let error as ParquetError {
            throw error.formatError(of: file.name)
        }
    }

    private func source(of file: BinaryFile) throws -> any TableSource {
        let head = try file.bytes(at: 0, count: 4)
        let tail = try file.bytes(at: max(0, file.count - 8), count: 8)
        guard head != Self.encryptedMagic, tail.suffix(4) != Self.encryptedMagic[...] else { throw encryptedFileError(file) }
        guard head == Self.magic else { throw FormatError("\(file.name) is not a Parquet file. Remove --format to detect the format.") }
        guard file.count >= 12, tail.suffix(4) == Self.magic[...] else {
            throw ParquetError("it does not end with a footer, so it may be incomplete")
        }
        let count = tail.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= file.count - 12, count <= Self.maximumFooterBytes else { throw ParquetError("its footer has an invalid size") }
        let footerStart = file.count - 8 - count
        let metadata = try ParquetMetadata(try file.bytes(at: footerStart, count: count))
        guard !metadata.isEncrypted else { throw encryptedFileError(file) }
        let parquet = try ParquetFile(file, metadata, dataEnd: footerStart)
        if parquet.groups.contains(where: { $0.chunks.contains { $0.isEncrypted } }) { throw encryptedFileError(file) }
        if parquet.groups.contains(where: { $0.chunks.contains { $0.codec == .lzo } }) {
            throw FormatError("Cannot read \(file.name): LZO compression is not supported. Write the file with zstd or Snappy.")
        }
        let fields = parquet.schema.columns.map { column in
            let kind: ValueKind =
                switch column.content {
                case .leaf(let leaf): parquet.schema.leaves[leaf].kind
                case .nested: .text
                }
            return DeclaredField(name: column.title, kind: kind)
        }
        let table = ParquetTable(parquet)
        return FixedTableSource(
            file, table: table, fields: fields, details: details(metadata, parquet), columnDetails: columnDetails(parquet, table))
    }

    private func encryptedFileError(_ file: BinaryFile) -> FormatError {
        FormatError("Cannot read \(file.name): it is an encrypted Parquet file. Decrypt it first.")
    }

    private func details(_ metadata: ParquetMetadata, _ file: ParquetFile) -> [(name: String, value: String)] {
        var codecs: [String] = []
        for group in file.groups.prefix(100) {
            for chunk in group.chunks where !codecs.contains(chunk.codec.name) { codecs.append(chunk.codec.name) }
        }
        var details = [(name: "format", value: "Parquet"), (name: "format version", value: "\(metadata.version)")]
        if !metadata.createdBy.isEmpty { details.append((name: "created by", value: metadata.createdBy)) }
        details.append((name: "row groups", value: "\(file.groups.count)"))
        details.append((name: "compression", value: codecs.isEmpty ? "none" : codecs.joined(separator: ", ")))
        return details
    }

    /// The maximum number of column chunks whose statistics are summarized when a file is opened.
    private static let maximumChunks = 16_384

    /// The type, the number of nulls and the bounds of each column.
    private func columnDetails(_ file: ParquetFile, _ table: ParquetTable) -> [(name: String, value: String)] {
        let schema = file.schema
        let chunkCount = file.groups.count * schema.leaves.count
        let hasFewChunks = chunkCount <= Self.maximumChunks
        var details = ColumnDetails.list(schema.columns.map(\.title)) { number in
            guard case .leaf(let index) = schema.columns[number].content else { return schema.typeName(ofColumn: number) }
            let leaf = schema.leaves[index]
            var phrases = [leaf.maximumDefinition == 0 ? "\(leaf.typeName) not null" : leaf.typeName]
            guard hasFewChunks else { return phrases[0] }
            if leaf.maximumDefinition > 0 {
                let counts = file.groups.map { $0.chunks[index].statistics?.nullCount.flatMap { $0 < 0 ? nil : $0 } }
                let known = counts.compactMap { $0 }
                if known.count == counts.count {
                    let sum = known.reduce(0) { $0.addingReportingOverflow($1).partialValue }
                    phrases.append(sum == 0 ? "no nulls" : sum == 1 ? "1 null" : "\(NumberText.count(sum)) nulls")
                }
            }
            if let bounds = boundsPhrase(number, leaf, file, table) { phrases.append(bounds) }
            return phrases.joined(separator: ", ")
        }
        if !hasFewChunks {
            details.append(
                (name: "…", value: "nulls and bounds are not listed, because the file has \(NumberText.count(chunkCount)) column chunks"))
        }
        return details
    }

    /// The least and the greatest value of a column as a phrase; `nil` if they are unknown.
    private func boundsPhrase(_ column: Int, _ leaf: ParquetLeaf, _ file: ParquetFile, _ table: ParquetTable) -> String? {
        var known: [ParquetStatistics?] {
            file.groups.lazy.map { $0.chunks[leaf.index] }.filter { $0.statistics?.nullCount != $0.valueCount }.map(\.statistics)
        }
        switch leaf.form {
        case .texts:
            return ParquetStatistics.textRange(known).map { ColumnDetails.phrase(low: $0.low, high: $0.high, isQuoted: true) }
        case .floats:
            // The exact bounds from the file are shown. The bounds for filters are wider.
            return ParquetStatistics.floatRange(known).map {
                ColumnDetails.phrase(low: ($0.lowerBound + 0).description, high: ($0.upperBound + 0).description)
            }
        default:
            let isUTC = if case .dateTimes(digits: _, isUTC: true) = leaf.form { true } else { false }
            return ColumnDetails.phrase(table.bounds(ofColumn: column, in: 0..<table.recordCount, byPage: false), isUTC: isUTC)
        }
    }
}
