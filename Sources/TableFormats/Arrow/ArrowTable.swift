import DelimitedText
import FieldValues
import Tables

/// The table in an Arrow file.
struct ArrowTable: ColumnarTable {
    let file: ArrowFile
    let columns: [ArrowColumnPath]
    private let nested: [(column: NestedColumn, path: ArrowColumnPath)]

    init(_ file: ArrowFile, _ columns: ArrowSchema.Columns) { (self.file, self.columns, nested) = (file, columns.all, columns.nested) }

    /// The maximum number of records that are passed at once.
    static let maximumRecords = 65_536

    var recordCount: Int { file.rowCount }
    var columnCount: Int { columns.count }
    var contentID: Int? { file.file.serial << 32 }
    var meanRecordBytes: Int { max(1, file.file.count / max(1, file.rowCount)) }
    var nestedColumns: [NestedColumn] { nested.map(\.column) }
    func textForm(ofColumn column: Int) -> TextForm { columns[column].leaf.textForm }
    func numberStorage(ofColumn column: Int) -> NumberStorage? { columns[column].leaf.numberStorage }

    /// Reads the records of each batch in several steps. One step needs at most 16 MiB of memory, or reads a single record.
    func scanColumns(_ records: Range<Int>, columns: [Int], _ body: (_ batch: ColumnBatch) throws -> Bool) throws {
        guard records.lowerBound >= 0, records.upperBound <= recordCount else {
            throw FormatError("\(file.file.name) has only \(NumberText.count(recordCount)) rows.")
        }
        var index = file.batchIndex(ofRow: records.lowerBound)
        var row = records.lowerBound
        // Wide tables are read in steps of fewer rows, which bounds the memory.
        let maximum = max(1, min(Self.maximumRecords, ArrowReader.maximumCallBytes / (32 * max(1, columns.count))))
        var rowLimit = maximum
        while row < records.upperBound {
            let start = index == 0 ? 0 : file.ends[index - 1]
            let end = min(records.upperBound, file.ends[index])
            var readers: Readers?
            while row < end {
                let count = min(rowLimit, end - row)
                let vectors: Vectors
                do {
                    let known = try readers ?? Readers(file, try file.batch(index))
                    readers = known
                    known.setBudget(count == 1 ? ArrowReader.maximumValueBytes : ArrowReader.maximumCallBytes)
                    vectors = try self.vectors(known, row - start..<row - start + count, columns)
                } catch ArrowError.tooLarge where count > 1 {
                    rowLimit = max(1, count / 4)
                    continue
                } catch let error as ArrowError {
                    throw error.formatError(forFile: file.file.name)
                }
                let isWanted = try withExtendedLifetime(vectors) {
                    try body(ColumnBatch(firstRecord: row, count: count, columns: vectors.all.map(\.vector)))
                }
                guard isWanted else { return }
                row += count
                rowLimit = min(maximum, 2 * rowLimit)
            }
            index += 1
        }
    }

    /// The readers of one record batch: one for values that are shown, and one for nested columns in binary form.
    private struct Readers {
        let printing: ArrowReader
        let raw: ArrowReader

        init(_ file: ArrowFile, _ batch: ArrowBatch) {
            (printing, raw) = (ArrowReader(file, batch), ArrowReader(file, batch, isRaw: true))
        }

        func setBudget(_ bytes: Int) { (printing.budget, raw.budget) = (bytes, bytes) }
    }

    /// Keeps the columns of one step alive. Each column owns the memory to which its vector points.
    private final class Vectors {
        let all: [ArrowColumn]
        init(_ all: [ArrowColumn]) { self.all = all }
    }

    private func vectors(_ readers: Readers, _ rows: Range<Int>, _ numbers: [Int]) throws -> Vectors {
        var known: [Int: ArrowColumn] = [:]
        var all: [ArrowColumn] = []
        for number in numbers {
            let binary = number - FieldID.firstStoredColumn
            let key = columns.indices.contains(number) || nested.indices.contains(binary) ? number : -1
            if let column = known[key] {
                all.append(column)
                continue
            }
            let column: ArrowColumn
            if key < 0 {
                column = try ArrowColumn(missingCount: rows.count, readers.printing)
            } else if nested.indices.contains(binary) {
                column = try ArrowColumn(binary: try readers.raw.slice(of: nested[binary].path, rows), readers.raw)
            } else {
                column = try ArrowColumn(try readers.printing.slice(of: columns[key], rows), readers.printing)
            }
            known[key] = column
            all.append(column)
        }
        return Vectors(all)
    }
}
