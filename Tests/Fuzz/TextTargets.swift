import FieldValues
import TableFormats
import Tables

@testable import DelimitedText

extension FuzzTarget {
    static let text = [
        // Delimited text with small chunks and blocks, so that a short input crosses many of their borders. A reader with large chunks and
        // blocks must return the same rows.
        FuzzTarget(name: "chunks", maximumBytes: 2_048) { bytes in
            let path = FuzzFolder.write(bytes)
            var settings = ScanSettings()
            settings.implementation = 0
            let whole = try DelimitedFile(FileOpening(path: path, request: DialectRequest(), settings: settings))
            settings = ScanSettings()
            (settings.chunkBytes, settings.spanBytes, settings.blockBytes, settings.tailBytes) = (128, 16, 32, 32)
            settings.alwaysGuessesState = true
            let divided = try DelimitedFile(FileOpening(path: path, request: DialectRequest(), settings: settings))
            for file in [whole, divided] { try file.readAll(threads: 1) { _ in true } }
            require(whole.dialect == divided.dialect && whole.columnCount == divided.columnCount, "chunks change no column")
            require(try rows(whole) == rows(divided), "chunks change no row")
        },
        // Delimited text with escapes, with and without quotes. The text rewritten in blocks of one byte must be the same as that of one
        // block.
        FuzzTarget(name: "escapes", maximumBytes: 2_048) { bytes in
            let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
            for inputQuote in [quote, nil] {
                func rewritten(block: Int) -> [UInt8] {
                    var rewriter = EscapeRewriter(Dialect(delimiter: 9, quote: inputQuote), quote: quote, escape: escape)
                    var output: [UInt8] = []
                    for start in stride(from: 0, through: bytes.count, by: block) {
                        let end = min(start + block, bytes.count)
                        var text: [UInt8] = []
                        rewriter.rewrite(UnsafeBufferPointer(rebasing: bytes[start..<end]), isEnd: end == bytes.count, into: &text)
                        output += text
                        if end == bytes.count { break }
                    }
                    return output
                }
                require(rewritten(block: 1) == rewritten(block: bytes.count + 1), "blocks change no byte")
                var request = DialectRequest(quote: .some(inputQuote))
                request.escape = escape
                try open(FuzzFolder.write(bytes), FileOpener(dialect: request))
            }
        },
        // The checkpoints of a compressed file in the index cache. The first two words are the size of the file and of the largest section.
        FuzzTarget(name: "checkpoints") { bytes in
            let words = (0..<bytes.count / 8).map {
                UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
            }
            guard words.count > 2 else { return }
            readCheckpoints(Array(words[2...]), size: Int(words[0] >> 1), maximumSectionBytes: Int(words[1] >> 1))
        },
    ]

    private static func readCheckpoints(_ words: [UInt64], size: Int, maximumSectionBytes: Int) {
        /// The table at the start of the words, and the number of its words.
        func table(_ words: [UInt64]) -> (table: CheckpointTable?, count: Int) {
            words.withUnsafeBufferPointer { all in
                var rest = all[...]
                let table = CheckpointTable(&rest, size: size, maximumSectionBytes: maximumSectionBytes)
                return (table, all.count - rest.count)
            }
        }
        let (decoded, count) = table(words)
        guard let decoded else { return }
        // The bytes after the end of a window can differ.
        var written: [UInt64] = []
        decoded.append(to: &written)
        require(written.count == count, "a written table has the words that were read")
        require(table(written) == (decoded, count), "a written table is read again")
        var (end, memory) = (0, 0)
        for (number, checkpoint) in decoded.checkpoints.enumerated() {
            let section = decoded.section(number)
            require(section.start == checkpoint && checkpoint.outputOffset == end, "a section starts at the end of the previous one")
            require((1...max(1, maximumSectionBytes)).contains(section.count), "a section has at most the maximum size")
            require(checkpoint.inputOffset < size, "a section starts before the end of the file")
            end += section.count
            memory += checkpoint.state?.window.count ?? 0
            require(decoded.sectionNumber(at: checkpoint.outputOffset) == number, "a section contains its first byte")
            require(decoded.sectionNumber(at: end - 1) == number, "a section contains its last byte")
        }
        require(end == decoded.count, "the sections have all bytes")
        require(memory <= 8 * count, "the windows need no more memory than the words")
    }

    private static func rows(_ file: DelimitedFile) throws -> [[UInt8]?] {
        var fields: [[UInt8]?] = []
        let table = file.snapshot()
        try table.scan(0..<table.recordCount, columns: Array(table.allColumns.prefix(20))) { _, row in
            for field in row { fields.append(field.isMissing ? nil : Array(field.bytes)) }
            return true
        }
        return fields
    }
}
