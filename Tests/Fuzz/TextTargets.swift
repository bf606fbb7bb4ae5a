import FieldValues
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
            settings.guessesAlways = true
            let divided = try DelimitedFile(FileOpening(path: path, request: DialectRequest(), settings: settings))
            for file in [whole, divided] { try file.readAll(threads: 1) { _ in true } }
            require(whole.dialect == divided.dialect && whole.columnCount == divided.columnCount, "chunks change no column")
            require(try rows(whole) == rows(divided), "chunks change no row")
        }
    ]

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
