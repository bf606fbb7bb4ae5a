import GridTestSupport
import FieldValues
import Testing

@Suite("Fixed-point numbers")
struct FixedPointTests {
    /// Reads strings as a column, at the given distances before the end of a page and with digits around them.
    private func read(_ texts: [String]) -> [(Int64, UInt8)] {
        let page = UnsafeMutableRawPointer.allocate(byteCount: 8192, alignment: 4096)
        defer { page.deallocate() }
        let bytes = page.assumingMemoryBound(to: UInt8.self)
        return texts.flatMap { text in
            [0, 100, 4096 - text.utf8.count, 4094].map { place in
                bytes.initialize(repeating: UInt8(ascii: "9"), count: 8192)
                for (offset, byte) in text.utf8.enumerated() { bytes[place + offset] = byte }
                let field = FieldBytes(start: bytes + place, count: text.utf8.count)
                var result: (Int64, UInt8) = (0, 0)
                withUnsafePointer(to: field) {
                    let batch = FieldBatch(firstRecord: 0, count: 1, width: 1, fields: $0)
                    let uniformity = FixedPoint.read(batch, column: 0, mantissas: &result.0, digits: &result.1)
                    #expect((uniformity != .none) == (result.1 != FixedPoint.invalid))
                    // A plain number equals its written form.
                    let isPlain = uniformity != .none && FixedPoint.text(of: result.0, digits: Int(result.1)) == Array(text.utf8)
                    #expect((uniformity == .plain) == isPlain, "\(text)")
                }
                return result
            }
        }
    }

    @Test func `plain numbers are read exactly`() {
        let cases: [(String, Int64, UInt8)] = [
            ("0", 0, 0), ("7", 7, 0), ("12345678", 12_345_678, 0), ("123456789", 123_456_789, 0), ("1.5", 15, 1),
            ("12345.67", 1_234_567, 2),
            ("1.234567", 1_234_567, 6), ("-1.5", -15, 1), ("-12345.67", -1_234_567, 2), ("007", 7, 0), ("00.10", 10, 2), ("-0", 0, 0),
            ("999999999999999999", 999_999_999_999_999_999, 0), ("99999999999999999.9", 999_999_999_999_999_999, 1),
            ("123456.789", 123_456_789, 3), ("-0.05", -5, 2), ("0.00", 0, 2), ("-0.00", 0, 2), ("-00.5", -5, 1), ("-01", -1, 0),
            ("00", 0, 0),
        ]
        for (text, mantissa, digits) in cases {
            #expect(read([text]).allSatisfy { $0 == (mantissa, digits) }, "\(text)")
        }
    }

    @Test func `fields that are not plain numbers are rejected`() {
        for text in [
            "", "-", ".", "1.", ".5", "-.5", "1.2.3", "1e5", "1,000", "12%", " 1", "1 ", "+1", "--1", "1234567x", "x", "1.x", "12/34",
            "1:23",
            "1234567890123456789", "1234567890.1234567890", "abcdefghi", "1\u{0}", "²",
        ] { #expect(read([text]).allSatisfy { $0.1 == FixedPoint.invalid }, "\(text)") }
    }

    @Test func `each of many fields is read as if it were alone, whatever its neighbors`() {
        var random = SplitMix64(seed: 77)
        let odd = [
            "", "-", ".", "1.", ".5", "-.5", "-0", "-0.00", "--1", "1-", "1..2", "1,50", "1.5", "00.10", "x", "12/34", "1:23", "12345678",
            "-1234567", "-12345678", "123456789", "12345.67", "-1234.56", "-12345.67", "123456.78", "1\u{0}", "²",
        ]
        let rows = 60
        var batches = 0
        for round in 0..<3000 {
            let (fraction, percentage) = (round % 8, [0, 0, 3, 40][round / 8 % 4])
            let texts = (0..<rows * 2).map { _ -> String in
                if Int.random(in: 0..<100, using: &random) < percentage { return odd.randomElement(using: &random)! }
                let whole = String(Int.random(in: -200...99_999 >> (round % 12), using: &random))
                if fraction == 0 { return whole }
                return whole + "." + (0..<fraction).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            }
            let all = Array(texts.joined(separator: ",").utf8) + Array(repeating: UInt8(ascii: "7"), count: 8)
            all.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress!
                let fields = texts.map { text in
                    defer { start += text.utf8.count + 1 }
                    return FieldBytes(start: text == "x" ? nil : start, count: text == "x" ? 0 : text.utf8.count)
                }
                fields.withUnsafeBufferPointer { fields in
                    let notation: DecimalStyle = round % 16 < 13 ? .point : .comma
                    var (numbers, digits) = ([Int64](repeating: 0, count: rows), [UInt8](repeating: 0, count: rows))
                    let batch = FieldBatch(firstRecord: 0, count: rows, width: 2, fields: fields.baseAddress!)
                    let uniformity = FixedPoint.read(batch, column: 1, notation, mantissas: &numbers, digits: &digits)
                    for row in 0..<rows {
                        let single = FixedPoint.read(batch[row, 1], notation)
                        #expect(digits[row] == single.map { UInt8($0.digits) } ?? FixedPoint.invalid, "\(texts[row * 2 + 1])")
                        if let single { #expect(numbers[row] == single.mantissa, "\(texts[row * 2 + 1])") }
                    }
                    let isUniform = digits[0] != FixedPoint.invalid && digits.allSatisfy { $0 == digits[0] }
                    #expect((uniformity != .none) == isUniform)
                    if isUniform { batches += 1 }
                }
            }
        }
        #expect(batches > 500)
    }

    @Test func `a batch counts as uniform only if all its fields are uniform`() {
        func uniformity(_ texts: [String]) -> FixedPoint.Uniformity {
            let all = Array(texts.joined().utf8)
            return all.withUnsafeBufferPointer { bytes in
                var start = 0
                let fields = texts.map { text in
                    defer { start += text.utf8.count }
                    return FieldBytes(start: bytes.baseAddress! + start, count: text.utf8.count)
                }
                var (mantissas, digits) = ([Int64](repeating: 0, count: 9), [UInt8](repeating: 0, count: 9))
                let batch = fields.withUnsafeBufferPointer {
                    FieldBatch(firstRecord: 0, count: $0.count, width: 1, fields: $0.baseAddress!)
                }
                return FixedPoint.read(batch, column: 0, mantissas: &mantissas, digits: &digits)
            }
        }
        #expect(uniformity(["1.50", "-0.05", "123456789.00"]) == .plain)
        #expect(uniformity(["1.50", "00.05", "2.00"]) == .uniform)
        #expect(uniformity(["1.50", "-0.00"]) == .uniform)
        #expect(uniformity(["1.50", "2"]) == .none)
        #expect(uniformity(["1", "", "2"]) == .none)
    }

    @Test func `fixed-point values equal those of the general number reader`() {
        var random = SplitMix64(seed: 49)
        let seed = random.next() as UInt64
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let alphabet = Array("0123456789.-0123456789")
        for _ in 0..<400 {
            let text = String((0..<Int(next() % 11)).map { _ in alphabet[Int(next() % UInt64(alphabet.count))] })
            for (mantissa, digits) in read([text]) where digits != FixedPoint.invalid {
                let expected = FieldBytes.withBytes(of: text) { $0.decimal() }
                var power = 1.0
                for _ in 0..<digits { power *= 10 }
                #expect(Double(mantissa) / power == expected, "\(text), seed \(seed)")
            }
        }
    }

    @Test func `exact decimals are rounded to whole numbers half away from zero, if these have at most 64 bits`() {
        #expect([-15, -14, -5, -4, 0, 4, 5, 14, 15].map { ExactDecimal($0, digits: 1).roundedInteger } == [-2, -1, -1, 0, 0, 0, 1, 1, 2])
        #expect(ExactDecimal(Int128(Int64.max)).roundedInteger == .max)
        #expect(ExactDecimal(Int128(Int64.max) * 10 + 5, digits: 1).roundedInteger == nil)
        #expect(ExactDecimal(Int128.min, digits: 38).roundedInteger == -2)
    }
}
