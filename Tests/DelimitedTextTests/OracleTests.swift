import GridTestSupport
import CByteScan
import Testing

@testable import DelimitedText

/// Records and fields compared with Python's csv module, and with a fixed table that does not need Python.
@Suite struct OracleTests {
    @Test func `every reader returns the expected records of unusual inputs`() throws {
        for (text, records) in UnusualInputs.table {
            let expected = records.map { $0.map { Array($0.utf8) } }
            let item = PythonOracle.Case(bytes: Array(text.utf8), delimiter: 0x2c, quote: 0x22)
            try check(item, expected, "\(text.debugDescription)", implementations: Array(0..<gv_scan_implementations()))
        }
    }

    @Test func `the expected records of unusual inputs are those of Python`() throws {
        let cases = UnusualInputs.table.map { PythonOracle.Case(bytes: Array($0.text.utf8), delimiter: 0x2c, quote: 0x22) }
        for (found, entry) in zip(try PythonOracle.records(cases), UnusualInputs.table) {
            #expect(found == entry.records.map { $0.map { Array($0.utf8) } }, "\(entry.text.debugDescription)")
        }
    }

    @Test func `unusual inputs with every delimiter and line ending are read in the same way as by Python`() throws {
        var cases: [PythonOracle.Case] = []
        for delimiter in ScannerTests.delimiters {
            for lineEnd in ["\n", "\r\n", "\r", "\n\r", "\r\r\n"] {
                for (text, _) in UnusualInputs.table {
                    let bytes = text.utf8.flatMap { $0 == 0x2c ? [delimiter] : $0 == 0x0a ? Array(lineEnd.utf8) : [$0] }
                    cases.append(.init(bytes: bytes, delimiter: delimiter, quote: 0x22))
                }
            }
            cases.append(.init(bytes: Array("a\"b\n\"c\n".utf8), delimiter: delimiter, quote: nil))
            cases.append(.init(bytes: Array("'a\(UnicodeScalar(delimiter))b'\n'c'd\n".utf8), delimiter: delimiter, quote: 0x27))
        }
        try compare(cases, seed: 0, implementations: [gv_scan_implementations() - 1])
    }

    @Test func `random files are read in the same way as by Python`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        var cases: [PythonOracle.Case] = []
        for _ in 0..<600 {
            let delimiter = ScannerTests.delimiters.randomElement(using: &generator)!
            let quote: UInt8? = Int.random(in: 0..<10, using: &generator) == 0 ? nil : 0x22
            cases.append(.init(bytes: randomText(&generator, delimiter: delimiter, maximum: 600), delimiter: delimiter, quote: quote))
        }
        try compare(cases, seed: seed, implementations: Array(0..<gv_scan_implementations()))
    }

    private func compare(_ cases: [PythonOracle.Case], seed: UInt64, implementations: [Int32]) throws {
        let answers = try PythonOracle.records(cases)
        for (number, (item, expected)) in zip(cases, answers).enumerated() {
            try check(item, expected, "seed \(seed) case \(number)", implementations: implementations)
        }
    }

    /// Checks the bulk scan and the text records of a file whose index two threads built in tiny chunks.
    private func check(
        _ item: PythonOracle.Case, _ expected: [[[UInt8]]], _ label: String, implementations: [Int32]
    ) throws {
        let file = TestFile(item.bytes)
        let request = DialectRequest(delimiter: item.delimiter, quote: .some(item.quote), hasHeader: false, encoding: .utf8)
        let width = expected.map(\.count).max() ?? 0
        for implementation in implementations {
            for settings in [ScanSettings.tiny(implementation: implementation), ScanSettings()] {
                let opened = try DelimitedFile(path: file.path, request: request, settings: settings)
                try opened.buildIndex(threads: settings.chunkBytes == 128 ? 2 : 1) { _ in true }
                let snapshot = opened.snapshot()
                #expect(snapshot.isComplete)
                let found = try opened.allFields(columns: width + 1)
                if found != expected {
                    Issue.record(
                        "\(label) implementation \(implementation): \(item)\nfound \(texts(found))\nexpected \(texts(expected))")
                    return
                }
                let records = try snapshot.records(0..<snapshot.recordCount).map { $0.fields.map(\.text) }
                if records != texts(expected) { Issue.record("\(label): text records differ: \(item) \(records)") }
                for number in stride(from: 0, to: snapshot.recordCount, by: 3) {
                    let one = try snapshot.records(number..<number + 1)[0]
                    #expect(one.fields.map(\.text) == texts([expected[number]])[0], "\(label)")
                    #expect(snapshot.record(atByteOffset: one.byteRange.lowerBound) == number, "\(label)")
                    #expect(snapshot.byteOffset(ofRecord: number) == one.byteRange.lowerBound, "\(label)")
                }
            }
        }
    }

    private func texts(_ records: [[[UInt8]]]) -> [[String]] {
        records.map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }
}
