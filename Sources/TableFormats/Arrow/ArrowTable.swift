import DelimitedText
import FieldValues
import Tables

/// The table of an Arrow file.
struct ArrowTable: ColumnarTable {
    let file: ArrowFile
    let columns: [ArrowColumnPath]

    /// The maximum number of records of a batch.
    static let maximumRecords = 65_536

    var recordCount: Int { file.rowCount }
    var columnCount: Int { columns.count }
    var contentID: Int? { file.file.serial << 32 }
    var meanRecordBytes: Int { max(1, file.file.count / max(1, file.rowCount)) }
    func textForm(ofColumn column: Int) -> TextForm { columns[column].leaf.textForm }

    /// Reads record batches in pieces. A piece needs at most 16 MiB of memory, or has one record.
    func scanColumns(_ records: Range<Int>, columns: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw FormatError("\(file.file.name) has only \(NumberText.count(recordCount)) rows.")
        }
        var index = file.batchIndex(ofRow: records.lowerBound)
        var row = records.lowerBound
        // The pieces of wide tables have fewer rows, so that their memory is bounded.
        let most = max(1, min(Self.maximumRecords, ArrowReader.pieceBytes / (32 * max(1, columns.count))))
        var piece = most
        while row < records.upperBound {
            let start = index == 0 ? 0 : file.ends[index - 1]
            let end = min(records.upperBound, file.ends[index])
            var reader: ArrowReader?
            while row < end {
                let count = min(piece, end - row)
                let vectors: Vectors
                do {
                    let known = try reader ?? ArrowReader(file, try file.batch(index))
                    reader = known
                    known.budget = count == 1 ? ArrowReader.maximumValueBytes : ArrowReader.pieceBytes
                    vectors = try self.vectors(known, row - start..<row - start + count, columns)
                } catch ArrowError.tooLarge where count > 1 {
                    piece = max(1, count / 4)
                    continue
                } catch let error as ArrowError {
                    throw error.named(file.file.name)
                }
                let isWanted = try withExtendedLifetime(vectors) {
                    try body(ColumnBatch(first: row, count: count, columns: vectors.all.map(\.vector)))
                }
                guard isWanted else { return }
                row += count
                piece = min(most, 2 * piece)
            }
            index += 1
        }
    }

    /// Retains the columns of a piece, and with them the memory of their vectors.
    private final class Vectors {
        let all: [ArrowColumn]
        init(_ all: [ArrowColumn]) { self.all = all }
    }

    private func vectors(_ reader: ArrowReader, _ rows: Range<Int>, _ numbers: [Int]) throws -> Vectors {
        var known: [Int: ArrowColumn] = [:]
        var all: [ArrowColumn] = []
        for number in numbers {
            let key = columns.indices.contains(number) ? number : -1
            if let column = known[key] {
                all.append(column)
                continue
            }
            let column =
                try key < 0
                ? ArrowColumn(missing: rows.count, reader) : ArrowColumn(try reader.slice(of: columns[key], rows), reader)
            known[key] = column
            all.append(column)
        }
        return Vectors(all)
    }
}
