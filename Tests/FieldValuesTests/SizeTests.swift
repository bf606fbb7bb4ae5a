import Foundation
import GridTestSupport
import Testing

@testable import FieldValues

@Suite("Sizes such as 1.5G")
struct SizeTests {
    private func decimal(_ text: String, _ notation: DecimalStyle) -> Double? { FieldBytes.withBytes(of: text) { $0.decimal(notation) } }
    private func exact(_ text: String, _ notation: DecimalStyle) -> String? {
        FieldBytes.withBytes(of: text) { $0.exactDecimal(notation)?.text }
    }

    @Test(
        arguments: [
            ("0", .letters, 0), ("512", .letters, 512), ("12K", .letters, 12_288), ("1.5G", .letters, 1_610_612_736),
            ("4.0M", .letters, 4_194_304), ("1k", .letters, 1024), ("1T", .letters, 1_099_511_627_776), ("-1.5K", .letters, -1536),
            ("+2K", .letters, 2048), (" 1 K ", .letters, 1024), ("1,024K", .letters, 1_048_576), (".5K", .letters, 512),
            ("0B", .letters, 0), ("512B", .lettersOrBytes, 512), ("0.0B", .lettersOrBytes, 0), ("100KB", .letters, 102_400),
            ("3 MB", .bytes, 3_145_728), ("3\u{A0}MB", .bytes, 3_145_728), ("1kB", .bytes, 1024), ("512.0 B", .bytes, 512),
            ("1.2GiB", .binaryBytes, 1_288_490_188.8), ("15Gi", .binaryLetters, 16_106_127_360), ("7 B", .binaryLetters, 7),
            ("1P", .letters, 0x1p50), ("8E", .letters, 0x1p63), ("1e3", .letters, 1000), ("1.5", .letters, 1.5),
        ] as [(String, SizeForm, Double)])
    func `17.9: sizes are numbers of bytes in a column of sizes`(text: String, form: SizeForm, value: Double) {
        let notation = DecimalStyle.point.with(.size(form))
        #expect(decimal(text, notation) == value)
        #expect(FieldBytes.withBytes(of: text) { $0.exactDecimal(notation)?.double } == value)
        let whole = ["1e3", "0.0B", "512.0 B"].contains(text) || value >= 0x1p63 ? nil : Int64(exactly: value)
        #expect(FieldBytes.withBytes(of: text) { $0.integer(notation) } == whole)
        let comma = String(text.map { $0 == "." ? "," : $0 == "," ? "." : $0 })
        #expect(decimal(comma, .comma.with(.size(form))) == value)
        let isPlain = decimal(text, .point) != nil
        #expect(isPlain || exact(text, .point.with(.accounting)) == nil, "other columns have no sizes")
    }

    @Test(
        arguments: [
            "K", "B", "KB", "iB", "1i", "1iK", "1Q", "5F", "3D", "M", "1.5.5K", "1..5K", "1K5", "K5", "1e3K", "infK", "nanM", "5%K", "1K%",
            "--1K",
            "(5)", "(1K)", "5-", "€5", "1K B", "1 K B", "5.K", "1,5K", "1g", "1m", "1kib", "512B", "1.5B", "1Ki", "1KiB", "",
        ])
    func `17.9: other text is not a size`(text: String) {
        let notation = DecimalStyle.point.with(.size(.letters))
        #expect(decimal(text, notation) == nil && FieldBytes.withBytes(of: text) { $0.integer(notation) == nil })
    }

    @Test func `17.9: a column of sizes has units either with or without an i, never both`() {
        for form in SizeForm.allCases {
            let notation = DecimalStyle.point.with(.size(form))
            #expect((decimal("1KiB", notation) == 1024) == form.isBinary && (decimal("1KB", notation) == 1024) == !form.isBinary)
            #expect(decimal("1.5B", notation) == ([.letters, .lettersOrBytes].contains(form) ? nil : 1.5), "1.5B can be billions")
        }
        #expect(SizeForm.letters.united(with: .bytes) == .bytes && SizeForm.binaryBytes.united(with: .binaryLetters) == .binaryBytes)
        #expect(SizeForm.letters.united(with: .binaryLetters) == nil)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `17.9: random sizes have the values and the order of their numbers multiplied by their units`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let letters = ["", "K", "M", "G", "T", "P", "E"]
        let notation = DecimalStyle.point.with(.size(.bytes))
        var values: [(text: String, number: Decimal, key: [UInt8])] = []
        for _ in 0..<2_000 {
            let (power, digits) = (Int(random.next() % 7), Int(random.next() % 4))
            let mantissa = Int64(random.next() % [10, 1024, 100_000][Int(random.next() % 3)])
            var number = Decimal(mantissa)
            for _ in 0..<digits { number /= 10 }
            let sign = random.next() % 5 == 0 ? "-" : ""
            if !sign.isEmpty { number = -number }
            let blank = random.next() % 3 == 0 ? " " : ""
            let unit = letters[power] + (random.next() % 2 == 0 ? "B" : "")
            let text = FixedPoint.text(of: Int128(mantissa), digits: digits)
            let field = sign + String(decoding: text, as: UTF8.self) + (unit.isEmpty ? "" : blank + unit)
            for _ in 0..<power { number *= 1024 }
            #expect(exact(field, notation).flatMap { Decimal(string: $0) } == number, "\(field)")
            #expect(decimal(field, notation) == Double("\(number)"), "\(field)")
            FieldBytes.withBytes(of: field) { field in
                let room = FieldBytes.maximumNumberKeyLength(digits: field.count)
                let key = [UInt8](unsafeUninitializedCapacity: room) {
                    $1 = field.writeNumberKey(to: $0.baseAddress!, notation, maximumDigits: field.count)
                }
                values.append((String(decoding: field.bytes, as: UTF8.self), number, key))
                #expect(
                    field.decimal(notation).map { field.isExactly($0, notation) } == (number == Decimal(string: "\(Double("\(number)")!)")))
            }
        }
        for (a, b) in zip(values, values.dropFirst()) {
            #expect((a.number == b.number) == (a.key == b.key), "\(a.text) \(b.text)")
            #expect((a.number < b.number) == a.key.lexicographicallyPrecedes(b.key), "\(a.text) \(b.text)")
        }
    }

    @Test(
        arguments: [
            (0, .letters, "0", "0"), (512, .letters, "512", "512"), (1023, .bytes, "1023B", "1023B"), (1024, .letters, "1K", "1K"),
            (1536, .binaryLetters, "1.5Ki", "1.5Ki"), (1500, .letters, "1.46K", nil), (1152, .letters, "1.13K", "1.125K"),
            (1_048_575, .letters, "1M", nil), (-1_572_864, .binaryBytes, "-1.5MiB", "-1.5MiB"), (1 << 60, .letters, "1E", "1E"),
        ] as [(Int, SizeForm, String, String?)])
    func `17.9: computed sizes have the largest unit in which they are at least 1`(
        number: Int, form: SizeForm, rounded: String, whole: String?
    ) {
        let notation = DecimalStyle.point.with(.size(form))
        #expect(NumberText.size(of: Double(number), notation) == rounded)
        #expect(NumberText.exactSize(of: ExactDecimal(Int128(number)), notation) == whole)
        #expect(NumberText.textWithUnit(of: ExactDecimal(Int128(number)), notation, maximumFractionDigits: 0) == whole ?? rounded)
        #expect(NumberText.textWithUnit(of: Double(number), notation, maximumFractionDigits: 0) == rounded)
        let spaced = DecimalStyle.comma.with(.size(form, isSpaced: true))
        #expect(
            NumberText.size(of: 1.5 * 0x1p30, spaced) == "1,5 " + form.unit(power: 3) && NumberText.size(of: .nan, spaced).hasPrefix("NaN"))
        if let whole { #expect(decimal(whole, notation) == Double(number)) }
    }

    @Test(arguments: SizeForm.allCases, [false, true])
    func `17.9: the notations of sizes have a text form`(form: SizeForm, isSpaced: Bool) throws {
        let unit = NumberUnit.size(form, isSpaced: isSpaced)
        #expect(unit.isSize && unit.sizeForm == form && !unit.isCurrency && !unit.isPercent && unit.symbol == "" && unit.width == 0)
        #expect(NumberUnit(pattern: unit.pattern) == unit)
        for style in DecimalStyle.allCases.map({ $0.with(unit) }) {
            #expect(try JSONDecoder().decode([DecimalStyle].self, from: JSONEncoder().encode([style])) == [style])
        }
    }

    @Test func `17.9: every exact size can be negated`() {
        let notation = DecimalStyle.point.with(.size(.letters))
        #expect(exact("-147573952589676412927E", notation) == "-170141183460469231730534382211277258752")
        #expect(exact("-147573952589676412928E", notation) == nil && decimal("-147573952589676412928E", notation) == -0x1p127)
    }

    @Test func `17.9: leading zeros of sizes are found, and no size is a JSON number`() {
        let notation = DecimalStyle.point.with(.size(.letters))
        for (text, hasZeros) in [("007K", true), ("0K", false), ("0.5K", false), ("10K", false), ("00", true)] {
            #expect(FieldBytes.withBytes(of: text) { $0.hasLeadingZeros(notation) } == hasZeros, "\(text)")
        }
        #expect(FieldBytes.withBytes(of: "1K") { $0.withJSONNumber(notation) { $0 == nil } })
    }
}
