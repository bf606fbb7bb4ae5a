import CCodecs
import Tables

@testable import TableFormats

extension FuzzTarget {
    static let all: [FuzzTarget] = text + formats + archives + codecs + kernels + paths + languages + program + engine

    /// Reads a file with an opener.
    static func open(_ path: String, _ opener: FileOpener) throws {
        let source = try opener.open(path: path)
        try TableChecker(source: source, opener: opener).run()
        // Open the tables of a database, a workbook or an archive.
        for record in 0..<3 {
            guard let table = source.path(ofTableInRecord: record) else { break }
            var opener = opener
            opener.format = nil
            guard let inner = try? opener.open(path: table) else { continue }
            try? TableChecker(source: inner, opener: opener).run()
        }
    }

    /// A target that opens the input as a file.
    /// - Parameter format: the format to request; `nil` to detect the format.
    private static func file(_ name: String, format: String?, maximumBytes: Int = 4_096) -> FuzzTarget {
        FuzzTarget(name: name, maximumBytes: maximumBytes) { try open(FuzzFolder.write($0), FileOpener(format: format)) }
    }

    private static let formats =
        [file("detect", format: nil)] + FileOpener.formatNames.map { file($0, format: $0, maximumBytes: $0 == "sqlite" ? 16_384 : 4_096) }

    /// Workbooks whose parts are the input, so that a change of a byte reaches the readers of XML.
    private static let archives = [
        FuzzTarget(name: "xlsx-parts") { bytes in
            let parts = StoredArchive.parts(bytes)
            var archive = StoredArchive()
            archive.add("[Content_Types].xml", "<Types/>")
            archive.add("xl/workbook.xml", parts.count > 3 ? parts[3] : Array(StoredArchive.workbook.utf8))
            archive.add("xl/_rels/workbook.xml.rels", StoredArchive.relations)
            archive.add("xl/worksheets/sheet1.xml", parts[0])
            if parts.count > 1 { archive.add("xl/sharedStrings.xml", parts[1]) }
            if parts.count > 2 { archive.add("xl/styles.xml", parts[2]) }
            try open(archive.write(), FileOpener(format: "xlsx"))
        },
        FuzzTarget(name: "ods-parts") { bytes in
            var archive = StoredArchive()
            archive.add("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            archive.add("content.xml", Array(bytes))
            try open(archive.write(), FileOpener(format: "ods"))
        },
        FuzzTarget(name: "zip-parts") { bytes in
            var archive = StoredArchive()
            for (number, part) in StoredArchive.parts(bytes).prefix(4).enumerated() { archive.add("\(number).csv", part) }
            try open(archive.write(), FileOpener())
        },
    ]

    /// Compressed text, by the name of the codec.
    private static let codecs = ["gzip", "zstd", "xz", "lzma", "bzip2", "lz4"].map { name in
        FuzzTarget(name: name) { bytes in
            let opener = FileOpener()
            try open(FuzzFolder.write(bytes), opener)
        }
    }

    /// Decoders of blocks and columns, whose input has no header. The first two bytes choose the decoder and the size.
    private static let kernels = [
        FuzzTarget(name: "blocks", maximumBytes: 1_024) { bytes in
            guard bytes.count > 2 else { return }
            let input = Array(bytes.dropFirst(2))
            let capacity = Int(bytes[1]) * 16
            let output = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            defer { output.deallocate() }
            let written: Int =
                switch bytes[0] % 10 {
                case 0: gv_snappy_decode(input, input.count, output, capacity)
                case 1: gv_lz4_block_decode(input, input.count, output, capacity)
                case let codec: gv_decode_all(gv_codec(rawValue: UInt32(codec - 2)), input, input.count, output, capacity)
                }
            require((-2...capacity).contains(written), "a decoder returns at most the capacity")
        },
        FuzzTarget(name: "columns", maximumBytes: 1_024) { bytes in
            guard bytes.count > 2 else { return }
            // The functions may read 16 bytes after the end of the input.
            let count = bytes.count - 2
            let input = Array(bytes.dropFirst(2)) + [UInt8](repeating: 0, count: 16)
            input.withUnsafeBufferPointer { readColumns($0.baseAddress!, count, kind: bytes[0], step: Int(bytes[1]) + 1) }
        },
    ]

    private static func readColumns(_ input: UnsafePointer<UInt8>, _ count: Int, kind: UInt8, step: Int) {
        var numbers = [UInt32](repeating: 0, count: step)
        var small = [UInt8](repeating: 0, count: step)
        var large = [Int64](repeating: 0, count: step)
        if kind >= 128 {
            var deltas = gv_deltas()
            guard gv_deltas_start(&deltas, input, count) != 0 else { return }
            for _ in 0..<64 {
                let read = gv_deltas_read(&deltas, &large, step)
                require(read <= step, "no more values than requested")
                if read < step { break }
            }
            return
        }
        var runs = gv_runs()
        if kind >= 96 {
            gv_runs_start_packed(&runs, input, count, UInt32(kind % 33))
        } else {
            gv_runs_start(&runs, input, count, UInt32(kind % 33))
        }
        for turn in 0..<64 {
            let read =
                switch turn % 3 {
                case 0: gv_runs_read(&runs, &numbers, step)
                case 1: gv_runs_skip(&runs, step)
                default: kind % 33 <= 8 ? gv_runs_read_bytes(&runs, &small, step) : gv_runs_read(&runs, &numbers, step)
                }
            require(read <= step, "no more values than requested")
            if read < step { break }
        }
    }

    private static let paths = [
        // A folder of files, whose contents are separated by NUL bytes.
        FuzzTarget(name: "files") { bytes in
            let parts = StoredArchive.parts(bytes).prefix(3)
            for (number, part) in parts.enumerated() {
                _ = part.withUnsafeBufferPointer { FuzzFolder.write($0, as: "part-\(number).csv") }
            }
            defer { for number in parts.indices { FuzzFolder.remove("part-\(number).csv") } }
            try open("\(FuzzFolder.path)/part-*.csv", FileOpener())
        },
        // A pattern and a name, which are separated by a NUL byte.
        FuzzTarget(name: "patterns", maximumBytes: 256) { bytes in
            let parts = StoredArchive.parts(bytes)
            let pattern = String(decoding: parts[0], as: UTF8.self)
            let name = parts.count > 1 ? parts[1] : []
            _ = GlobPattern.isPattern(pattern)
            for alternative in (try? GlobPattern.alternatives(pattern)) ?? [] { _ = GlobPattern(alternative).matches(name) }
            let glob = GlobPattern(parts[0])
            if let literal = glob.literal { require(glob.matches(literal), "a pattern without wildcards matches its name") }
            _ = TablePath(pattern)
            _ = FileFields([pattern, String(decoding: name, as: UTF8.self)])
            _ = FileFinder.isPartition(pattern)
        },
    ]
}
