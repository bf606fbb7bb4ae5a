import GridTestSupport
import CByteScan
import Testing

@testable import DelimitedText

/// Every scanner implementation compared with the state machine.
@Suite struct ScannerTests {
    static let delimiters: [UInt8] = Array(",;\t|: ".utf8)

    @Test func `scanned spans agree with a byte-by-byte state machine`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<3000 {
            let delimiter = Self.delimiters.randomElement(using: &generator)!
            let quote: Int32 = Int.random(in: 0..<8, using: &generator) == 0 ? -1 : 0x22
            var dialect = gv_dialect_make(delimiter, quote, nil, 0)
            let bytes = [0] + randomText(&generator, delimiter: delimiter, maximum: 400)
            let state = UInt8.random(in: 0...5, using: &generator)
            let previous: UInt8 = state == UInt8(GV_AFTER_CR) ? 0x0d : 0x78
            let count = bytes.count - 1
            let fields = Int.random(in: 0...6, using: &generator)
            bytes.withUnsafeBufferPointer { buffer in
                let start = buffer.baseAddress! + 1
                var expected = gv_span()
                gv_scan_span_carefully(&dialect, start, count, count, previous, state, fields, &expected)
                for implementation in 0..<gv_scan_implementations() {
                    var span = gv_span()
                    gv_scan_span(implementation, &dialect, start, count, count, previous, state, fields, &span)
                    let same =
                        span.starts == expected.starts && span.first_start == expected.first_start && span.lines == expected.lines
                        && span.delimiters_before == expected.delimiters_before && span.delimiters_after == expected.delimiters_after
                        && span.strays == expected.strays && span.first_stray == expected.first_stray && span.notes == expected.notes
                        && span.state == expected.state && span.is_uneven == expected.is_uneven
                    if !same {
                        Issue.record(
                            "seed \(seed) round \(round) \(implementation) state \(state): \(span) \(expected) \(buffer.map { $0 })")
                    }
                }
            }
        }
    }

    /// The spans have many blocks, few or many quotes, and carriage returns anywhere, only late, or nowhere.
    @Test func `long scanned spans agree with a byte-by-byte state machine`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        var dialect = gv_dialect_make(UInt8(ascii: ","), 0x22, nil, 0)
        for round in 0..<600 {
            let hasStray = round % 2 == 1
            let bytes = randomRecords(&generator, hasStray: hasStray)
            let begin = hasStray ? 0 : Int.random(in: 0..<min(200, bytes.count), using: &generator)
            let blocks = Int.random(in: 0...bytes.count / 64, using: &generator)
            let end = Bool.random(using: &generator) ? bytes.count : max(begin + 1, begin + 64 * blocks)
            bytes.withUnsafeBufferPointer { buffer in
                var before = gv_span()
                let first = buffer.baseAddress!
                gv_scan_span_carefully(&dialect, first, begin, bytes.count, 0, UInt8(GV_RECORD_START), 3, &before)
                let count = min(end, bytes.count) - begin
                let previous = begin > 0 ? bytes[begin - 1] : 0
                var expected = gv_span()
                gv_scan_span_carefully(&dialect, first + begin, count, count, previous, before.state, 3, &expected)
                for implementation in 0..<gv_scan_implementations() {
                    var span = gv_span()
                    gv_scan_span(implementation, &dialect, first + begin, count, count, previous, before.state, 3, &span)
                    #expect(hasStray || span.strays == 0, "seed \(seed) round \(round): a quote was reported as stray")
                    #expect("\(span)" == "\(expected)", "seed \(seed) round \(round) implementation \(implementation)")
                }
            }
        }
    }

    @Test func `selected fields agree with a byte-by-byte state machine`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<2000 {
            let delimiter = Self.delimiters.randomElement(using: &generator)!
            let comment: [UInt8] = round % 10 == 0 ? [0x23] : []
            var dialect = gv_dialect_make(delimiter, round % 9 == 0 ? -1 : 0x22, comment, comment.count)
            let bytes = randomText(&generator, delimiter: delimiter, maximum: 300)
            let columns = Set((0..<Int.random(in: 0...4, using: &generator)).map { _ in UInt32.random(in: 0...6, using: &generator) })
                .sorted()
            let expected = reference(bytes, &dialect)
            for implementation in 0..<gv_scan_implementations() {
                // The bytes are read in several parts, as a window reads them.
                var found: [[[UInt8]?]] = []
                var begin = 0
                var end = 0
                while begin < bytes.count {
                    end = min(bytes.count, max(end, begin) + Int.random(in: 1...100, using: &generator))
                    let isLast = end == bytes.count
                    var progress = gv_progress()
                    let capacity = Int.random(in: 1...20, using: &generator)
                    var ranges = [gv_range](repeating: gv_range(), count: max(capacity * columns.count, 1))
                    let piece = Array(bytes[begin..<end])
                    gv_select(
                        implementation, &dialect, piece, piece.count, isLast ? 1 : 0, columns, columns.count, &ranges, capacity, &progress)
                    for record in 0..<progress.records {
                        found.append(
                            columns.indices.map { column in
                                let range = ranges[record * columns.count + column]
                                if range.begin == UInt32.max { return nil }
                                return Array(piece[Int(range.begin)..<Int(range.end)])
                            })
                    }
                    begin += progress.consumed
                    if isLast && progress.records == 0 { break }
                }
                let selected = expected.map { record in columns.map { Int($0) < record.count ? record[Int($0)] : nil } }
                if found != selected {
                    Issue.record(
                        "seed \(seed) round \(round) implementation \(implementation) columns \(columns): \(bytes)\n\(found)\n\(selected)")
                }
            }
        }
    }

    /// Long strings are read in batches if all records have the same number of fields, otherwise record by record.
    @Test func `D2: fields selected from long texts agree with a byte-by-byte state machine`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<200 {
            // In every fourth round, fields are whole lines, in which the delimiter is rare.
            let isLines = round % 4 == 3
            var dialect = gv_dialect_make(isLines ? 0x1f : UInt8(ascii: ","), isLines ? -1 : 0x22, nil, 0)
            var bytes = randomRecords(&generator, hasStray: round % 4 == 1)
            if isLines, round % 8 == 3 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = 0x1f }
            let some = (0..<Int.random(in: 0...3, using: &generator)).map { _ in UInt32.random(in: 0...4, using: &generator) }
            let columns = isLines ? [0] : Set(some).sorted()
            let expected = reference(bytes, &dialect).map { record in columns.map { Int($0) < record.count ? record[Int($0)] : nil } }
            for implementation in 0..<gv_scan_implementations() {
                var found: [[[UInt8]?]] = []
                var begin = 0
                var ranges = [gv_range](repeating: gv_range(), count: 1024 * max(1, columns.count))
                while begin < bytes.count {
                    let capacity = [20, 100, 1024].randomElement(using: &generator)!
                    var progress = gv_progress()
                    bytes.withUnsafeBufferPointer {
                        let rest = $0.baseAddress! + begin
                        gv_select(
                            implementation, &dialect, rest, bytes.count - begin, 1, columns, columns.count, &ranges, capacity, &progress)
                    }
                    for record in 0..<progress.records {
                        found.append(
                            columns.indices.map { column in
                                let range = ranges[record * columns.count + column]
                                if range.begin == UInt32.max { return nil }
                                return Array(bytes[begin + Int(range.begin)..<begin + Int(range.end)])
                            })
                    }
                    if progress.consumed == 0 { break }
                    begin += progress.consumed
                }
                if found != expected {
                    Issue.record("seed \(seed) round \(round) implementation \(implementation) columns \(columns)")
                }
            }
        }
    }

    @Test func `D2: a longer record after a batch of records of equal length stays one record`() {
        var dialect = gv_dialect_make(UInt8(ascii: ","), 0x22, nil, 0)
        for count in [440, 450, 454] {
            let rows = String(repeating: "aa,bb,cc\n", count: count)
            let bytes = Array((rows + String(repeating: "x,", count: 90) + "y\n" + rows).utf8)
            let expected = reference(bytes, &dialect).map { [$0[0], $0[2]] }
            for implementation in 0..<gv_scan_implementations() {
                var ranges = [gv_range](repeating: gv_range(), count: 2 * 1024)
                var progress = gv_progress()
                gv_select(implementation, &dialect, bytes, bytes.count, 1, [0, 2], 2, &ranges, 1024, &progress)
                let found = (0..<progress.records).map { record in
                    (0..<2).map { Array(bytes[Int(ranges[2 * record + $0].begin)..<Int(ranges[2 * record + $0].end)]) }
                }
                #expect(found == expected, "\(count) \(implementation)")
            }
        }
    }

    /// The raw fields of all records.
    private func reference(_ bytes: [UInt8], _ dialect: inout gv_dialect) -> [[[UInt8]]] {
        var result: [[[UInt8]]] = []
        var ranges = [gv_range](repeating: gv_range(), count: 1000)
        var at = 0
        while at < bytes.count {
            var record = gv_record()
            bytes.withUnsafeBufferPointer {
                gv_read_record_carefully(&dialect, $0.baseAddress! + at, bytes.count - at, 1, 0, &ranges, 1000, &record)
            }
            if record.found == 0 { break }
            result.append(ranges.prefix(record.field_count).map { Array(bytes[at + Int($0.begin)..<at + Int($0.end)]) })
            at += record.next
        }
        return result
    }

    @Test func `D15: all scanner implementations find the same lines that can be copied unchanged`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        var foundCount = 0
        for round in 0..<6000 {
            let delimiter = Self.delimiters.randomElement(using: &generator)!
            let quote: Int32 = round % 9 == 0 ? -1 : 0x22
            var dialect = gv_dialect_make(delimiter, quote, nil, 0)
            let fields = Int.random(in: 1...3, using: &generator)
            // Preceding lines move the special place to any position in a block.
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...20, using: &generator) { bytes += Self.line(&generator, delimiter, fields: fields) }
            bytes += randomText(&generator, delimiter: delimiter, maximum: Int.random(in: 0...100, using: &generator))
            for _ in 0..<Int.random(in: 0...5, using: &generator) { bytes += Self.line(&generator, delimiter, fields: fields) }
            let capacity = Bool.random(using: &generator) ? 64 : Int.random(in: 0...8, using: &generator)
            let expected = WrittenLines(bytes, delimiter, quote: quote < 0 ? nil : 0x22, fields: fields, capacity: capacity)
            foundCount += expected.ends.count
            for implementation in 0..<gv_scan_implementations() {
                var (found, itsEnds) = (gv_lines(), [UInt32](repeating: 7, count: 64))
                gv_find_lines(implementation, &dialect, bytes, bytes.count, fields, &itsEnds, capacity, &found)
                let same =
                    found.records == expected.ends.count && found.consumed == expected.ends.last ?? 0
                    && (found.stopped != 0) == expected.isStopped
                    && itsEnds.prefix(found.records).elementsEqual(expected.ends.map { UInt32($0) })
                    && itsEnds.dropFirst(found.records).allSatisfy { $0 == 7 }
                if !same {
                    Issue.record("seed \(seed) round \(round) \(implementation) fields \(fields): \(found) \(expected) \(bytes)")
                }
            }
        }
        #expect(foundCount > 6000, "seed \(seed): too few lines were tested")
    }

    /// A record whose fields can mostly be copied unchanged.
    private static func line(_ generator: inout SplitMix64, _ delimiter: UInt8, fields: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in 0..<fields {
            if field > 0 { bytes.append(delimiter) }
            let letters = [UInt8](repeating: 0x61, count: Int.random(in: 1...30, using: &generator))
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: bytes += [0x22] + letters + [0x22]
            case 1...4: bytes += [0x22] + letters + [0x22, 0x22, 0x22]
            case 5...8: bytes += [0x22] + letters + [delimiter, 0x22]
            case 9...12: bytes += [0x22, 0x0a] + letters + [0x22]
            case 13...14: bytes += [0x22, 0x22, 0x22] + letters + [0x22]
            default: bytes += letters
            }
        }
        return bytes + [0x0a]
    }

    @Test func `scanned records agree with a byte-by-byte state machine`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<3000 {
            let delimiter = Self.delimiters.randomElement(using: &generator)!
            var dialect = gv_dialect_make(delimiter, round % 9 == 0 ? -1 : 0x22, nil, 0)
            let bytes = randomText(&generator, delimiter: delimiter, maximum: 300)
            let last: Int32 = Int32.random(in: 0...1, using: &generator)
            let first = Int.random(in: 0...3, using: &generator)
            let capacity = Int.random(in: 0...40, using: &generator)
            let nothing = gv_range(begin: 7, end: 7)
            var expected = gv_record()
            var ranges = [gv_range](repeating: nothing, count: 41)
            gv_read_record_carefully(&dialect, bytes, bytes.count, last, first, &ranges, capacity, &expected)
            for implementation in 0..<gv_scan_implementations() {
                var record = gv_record()
                var found = [gv_range](repeating: nothing, count: 41)
                gv_read_record(implementation, &dialect, bytes, bytes.count, last, first, &found, capacity, &record)
                var same = record.complete == expected.complete && record.found == expected.found && record.begin == expected.begin
                if expected.complete != 0 {
                    same = same && record.end == expected.end && record.next == expected.next && record.field_count == expected.field_count
                    same = same && zip(found, ranges).allSatisfy { $0.begin == $1.begin && $0.end == $1.end }
                }
                if !same { Issue.record("seed \(seed) round \(round) \(implementation): \(record) \(expected) \(bytes)") }
            }
        }
    }

    @Test func `counts of fields agree with a byte-by-byte state machine`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for round in 0..<2000 {
            let delimiter = Self.delimiters.randomElement(using: &generator)!
            let comment: [UInt8] = round % 10 == 0 ? [0x23] : []
            var dialect = gv_dialect_make(delimiter, round % 9 == 0 ? -1 : 0x22, comment, comment.count)
            let bytes = randomText(&generator, delimiter: delimiter, maximum: 300)
            let fields = Int.random(in: 0...5, using: &generator)
            let isLast = Bool.random(using: &generator)
            var expected = gv_field_counts()
            while expected.consumed < bytes.count {
                var record = gv_record()
                gv_read_record_carefully(
                    &dialect, Array(bytes[expected.consumed...]), bytes.count - expected.consumed, isLast ? 1 : 0, 0, nil, 0, &record)
                if record.complete == 0 {
                    expected.consumed += record.begin
                    break
                }
                if record.found != 0 {
                    expected.records += 1
                    expected.delimiters += max(record.field_count - 1, 0)
                    expected.maximum_field_count = max(expected.maximum_field_count, record.field_count)
                    let begin = expected.consumed + record.begin
                    if 1..<max(fields, 1) ~= record.field_count {
                        if expected.short_count == 0 { expected.first_short = begin }
                        expected.short_count += 1
                    }
                    if fields > 1, record.field_count == 0 {
                        if expected.blank_count == 0 { expected.first_blank = begin }
                        expected.blank_count += 1
                    }
                    if fields > 0, record.field_count > fields {
                        if expected.long_count == 0 { expected.first_long = begin }
                        expected.long_count += 1
                    }
                }
                expected.consumed += record.next
            }
            for implementation in 0..<gv_scan_implementations() {
                var counts = gv_field_counts()
                gv_count_fields(implementation, &dialect, bytes, bytes.count, isLast ? 1 : 0, fields, &counts)
                #expect("\(counts)" == "\(expected)", "seed \(seed) round \(round) \(implementation) \(fields): \(bytes)")
            }
        }
    }

    @Test func `the start of the nth record agrees with a count of records`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for _ in 0..<100 {
            var dialect = gv_dialect_make(0x2c, 0x22, nil, 0)
            let bytes = randomText(&generator, delimiter: 0x2c, maximum: 3000)
            var starts: [Int] = []
            var state = UInt8(GV_RECORD_START)
            for index in bytes.indices {
                var span = gv_span()
                gv_scan_span_carefully(&dialect, [bytes[index]], 1, 1, 0, state, 0, &span)
                if span.starts > 0 { starts.append(index) }
                state = span.state
            }
            for implementation in 0..<gv_scan_implementations() {
                for (number, start) in starts.enumerated() where number % 7 == 0 || number + 2 > starts.count {
                    let found = gv_nth_start(implementation, &dialect, bytes, bytes.count, bytes.count, UInt8(GV_RECORD_START), number)
                    #expect(found == start, "seed \(seed)")
                }
                let beyond = gv_nth_start(
                    implementation, &dialect, bytes, bytes.count, bytes.count, UInt8(GV_RECORD_START), starts.count)
                #expect(beyond == bytes.count, "seed \(seed)")
            }
        }
    }
}

/// A reference implementation that finds, byte by byte, the lines that a writer of delimited text would write unchanged.
private struct WrittenLines {
    /// The offset after each line.
    private(set) var ends: [Int] = []
    /// True if a writer of delimited text would write the next record differently.
    private(set) var isStopped = false

    init(_ bytes: [UInt8], _ delimiter: UInt8, quote: UInt8?, fields: Int, capacity: Int) {
        var at = 0
        while at < bytes.count, ends.count < capacity {
            var found = 0
            repeat {
                if found > 0 { at += 1 }
                guard let end = Self.end(ofField: at, in: bytes, delimiter, quote) else {
                    isStopped = true
                    return
                }
                if end == bytes.count { return }
                at = end
                found += 1
            } while bytes[at] != 0x0a
            guard found == fields, at > ends.last ?? 0 else {
                isStopped = true
                return
            }
            at += 1
            ends.append(at)
        }
    }

    /// The offset of the delimiter or LF after the field that starts at `begin`. Returns the number of bytes for an unfinished field, and
    /// `nil` if a writer of delimited text would write it differently.
    private static func end(ofField begin: Int, in bytes: [UInt8], _ delimiter: UInt8, _ quote: UInt8?) -> Int? {
        let isQuoted = begin < bytes.count && bytes[begin] == quote
        var needsQuotes = false
        var at = begin + (isQuoted ? 1 : 0)
        while at < bytes.count {
            switch bytes[at] {
            case 0x0d: return nil
            case quote:
                if !isQuoted { return nil }
                if at + 1 == bytes.count { return bytes.count }
                if bytes[at + 1] != quote { return needsQuotes && [delimiter, 0x0a].contains(bytes[at + 1]) ? at + 1 : nil }
                needsQuotes = true
                at += 1
            case delimiter, 0x0a:
                if !isQuoted { return at }
                needsQuotes = true
            default: break
            }
            at += 1
        }
        return bytes.count
    }
}

/// Counts of invalid UTF-8 compared with the standard library.
@Suite struct ValidationTests {
    @Test func `counts of invalid UTF-8 sequences agree with the standard library`() {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        let pieces: [[UInt8]] = [
            Array("é".utf8), Array("日本".utf8), Array("🎉".utf8), Array("plain ascii text, rather long".utf8), [0xff], [0xe2, 0x82],
            [0xf0, 0x9f, 0x8e], [0x80], [0xc0, 0x80], [0xc1], [0xed, 0xa0, 0x80], [0xed, 0x9f, 0xbf], [0xe0, 0x9f, 0x80],
            [0xe0, 0xa0, 0x80],
            [0xf0, 0x8f, 0x80, 0x80], [0xf4, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc3],
        ]
        for round in 0..<400 {
            // Most sequences are valid, so that errors are far apart or absent.
            let choice = round % 4 == 0 ? pieces : Array(pieces.prefix(4))
            var bytes: [UInt8] = []
            let count = Int.random(in: 0...1500, using: &generator)
            while bytes.count < count { bytes += choice.randomElement(using: &generator)! }
            if round % 4 == 1 {
                bytes[Int.random(in: 0..<max(bytes.count, 1), using: &generator)...].prefix(1).indices.forEach { bytes[$0] = 0xbf }
            }
            let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
            let expected = scalars.reduce(0) { $0 + ($1 == "\u{fffd}" ? 1 : 0) }
            for implementation in 0..<gv_scan_implementations() {
                var skip = 0
                var first = 0
                let found = gv_utf8_invalid_count(implementation, bytes, bytes.count, bytes.count, &skip, &first)
                #expect(found == expected, "seed \(seed) round \(round)")
                #expect((first < bytes.count) == (expected > 0))
                // Counting in two parts, divided anywhere, must give the same number.
                let split = Int.random(in: 0...bytes.count, using: &generator)
                skip = 0
                let head = gv_utf8_invalid_count(implementation, bytes, split, bytes.count, &skip, &first)
                let rest = Array(bytes[split...])
                var tail = 0
                if skip <= rest.count { tail = gv_utf8_invalid_count(implementation, rest, rest.count, rest.count, &skip, &first) }
                #expect(head + tail == expected, "seed \(seed) round \(round) split \(split)")
            }
        }
    }
}
