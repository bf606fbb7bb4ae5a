import Foundation
import GridTestSupport
import Testing

@testable import FieldValues

@Suite("Natural order of Unicode text")
struct NaturalOrderTests {
    @Test(
        arguments: [
            ["Abend", "Äpfel", "Apfelbaum", "Birne", "Öl", "Ölung", "Oma", "Straße", "Strasse1", "Übel", "Zebra"],
            ["cote", "coté", "côte", "côté", "eau", "été", "œuf", "oie", "zèle"],
            ["lato", "Łódź", "łza", "mama", "ósmy", "żaba", "źródło"], ["άλφα", "βήτα", "γάμμα", "Ώρα"],
            ["Ёж", "ель", "жук", "Йод", "кот", "яма"], ["file2", "File10", "file10", "fíle10", "file11"],
            ["a", "á", "b", "β", "б", "日", "語"],
        ])
    func `words are in dictionary order`(sorted: [String]) {
        // If the letters are equal, accents decide; these words are sorted accordingly.
        for (place, a) in sorted.enumerated() {
            for (other, b) in sorted.enumerated() where place < other {
                #expect(NaturalOrder.compare(a, b, .unicode) < 0 && NaturalOrder.compare(b, a, .unicode) > 0, "\(a) \(b)")
            }
        }
    }

    @Test func `percentages, and processor times as printed by top, are in the order of their values`() {
        for sorted in [["0:03.21", "0:40.88", "2:00.10", "10:04.86", "100:01.50"], ["0:03", "2:00", "10:02", "100:01"]] {
            for (a, b) in zip(sorted, sorted.dropFirst()) {
                #expect(NaturalOrder.compare(a, b, .unicode) < 0 && NaturalOrder.compare(a, b, .ascii) < 0, "\(a) \(b)")
            }
        }
        let percentages = ["3%", "12%", "12.5 %", "100%"].map { text in
            Array(text.utf8).withUnsafeBufferPointer { FieldBytes(start: $0.baseAddress, count: $0.count).decimal() }
        }
        #expect(percentages == [0.03, 0.12, 0.125, 1])
    }

    @Test func `letters are compared first, then accents, then case, then bytes`() {
        for (a, b) in [
            ("Äz", "az1"), ("äa", "az"), ("É", "é"), ("e\u{301}", "É!"), ("É", "e\u{301}"), ("é", "ê"), ("ss", "ß"), ("ß", "st"),
            ("e", "e\u{301}"), ("k", "\u{212A}"), ("1\u{301}2", "1\u{301}3"), ("é2", "é10"), ("é02", "é2"),
        ] {
            #expect(NaturalOrder.compare(a, b, .unicode) < 0, "\(a) \(b)")
        }
        #expect(NaturalOrder.compare("z", "é", .ascii) < 0 && NaturalOrder.compare("z", "é", .unicode) > 0)
    }

    /// A piece of text with its comparison levels, for the reference implementation.
    private struct Piece {
        let bytes: [UInt8]
        let bases: [UInt32]
        var accents: [UInt8] = []
        var isCapital = false

        static let all: [Piece] = [
            Piece(bytes: Array("a".utf8), bases: [0x61]), Piece(bytes: Array("A".utf8), bases: [0x61], isCapital: true),
            Piece(bytes: Array("é".utf8), bases: [0x65], accents: [3]),
            Piece(bytes: Array("É".utf8), bases: [0x65], accents: [3], isCapital: true),
            Piece(bytes: Array("e".utf8), bases: [0x65]), Piece(bytes: Array("ấ".utf8), bases: [0x61], accents: [4, 3]),
            Piece(bytes: Array("\u{302}".utf8), bases: [], accents: [4]), Piece(bytes: [0], bases: [0]), Piece(bytes: [1], bases: [1]),
            Piece(bytes: Array("ж".utf8), bases: [0x436]), Piece(bytes: Array("Ж".utf8), bases: [0x436], isCapital: true),
            Piece(bytes: Array("𝄞".utf8), bases: [0x1D11E]), Piece(bytes: Array("日".utf8), bases: [0x65E5]),
            Piece(bytes: [0xFF], bases: [0x110000]), Piece(bytes: [0xF8], bases: [0x110000]),
            Piece(bytes: [0xED, 0xA0, 0x80], bases: [0x110000, 0x110000, 0x110000]),
            // These bytes are é in an overlong encoding, and sequences whose last byte is an ASCII letter.
            Piece(bytes: [0xE0, 0x83, 0xA9], bases: [0x110000, 0x110000, 0x110000]),
            Piece(bytes: [0xF0, 0x80, 0x83, 0xA9], bases: [0x110000, 0x110000, 0x110000, 0x110000]),
            Piece(bytes: [0xC3, 0x28], bases: [0x110000, 0x28]), Piece(bytes: [0xE6, 0x97, 0x62], bases: [0x110000, 0x110000, 0x62]),
            Piece(bytes: Array("0".utf8), bases: [0x30]), Piece(bytes: Array("7".utf8), bases: [0x30]),
        ]
    }

    /// The levels of a string as lists of numbers, compared one after the other.
    private func levels(_ pieces: [Piece]) -> [[Int]] {
        let bytes = pieces.flatMap(\.bytes).map { Int($0) }
        var (bases, accents, cases): ([Int], [Int], [Int]) = ([], [], [])
        var place = 0
        while place < pieces.count {
            var digits = pieces[place...].prefix { $0.bases == [0x30] }.map { Int($0.bytes[0]) }
            guard digits.isEmpty else {
                place += digits.count
                digits = Array(digits.drop { $0 == 0x30 })
                bases += [0x30, digits.count] + digits
                (accents, cases) = (accents + [1], cases + [2])
                continue
            }
            let piece = pieces[place]
            bases += piece.bases.map { Int($0) }
            accents += piece.bases.map { _ in 1 } + piece.accents.map { Int($0) }
            cases += piece.bases.map { _ in piece.isCapital ? 1 : 2 }
            place += 1
        }
        return bytes.allSatisfy { $0 < 0x80 } ? [bases, [0], bytes] : [bases, [1], accents, cases, bytes]
    }

    private func order<T: Comparable>(_ a: [T], _ b: [T]) -> Int { a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1 }

    private func key(_ text: [UInt8], _ alphabet: NaturalOrder.Alphabet) -> [UInt8] {
        let capacity = NaturalOrder.maximumSortKeyLength(of: text.count, alphabet)
        return [UInt8](unsafeUninitializedCapacity: capacity + 64) { key, count in
            count = text.withUnsafeBufferPointer { NaturalOrder.writeSortKey(of: $0, to: key.baseAddress!, alphabet) }
            #expect(count <= capacity, "\(text)")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `the order and its sort keys agree with the reference`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func text() -> [Piece] { (0..<Int(random.next() % 6)).map { _ in Piece.all[Int(random.next() % UInt64(Piece.all.count))] } }
        for _ in 0..<6000 {
            let (a, b) = (text(), text())
            let (left, right) = (a.flatMap(\.bytes), b.flatMap(\.bytes))
            let expected = zip(levels(a), levels(b)).lazy.map { self.order($0, $1) }.first { $0 != 0 } ?? 0
            let found = left.withUnsafeBufferPointer { x in right.withUnsafeBufferPointer { NaturalOrder.compare(x, $0, .unicode) } }
            #expect(found.signum() == expected, "\(left) \(right)")
            #expect(order(key(left, .unicode), key(right, .unicode)) == expected, "\(left) \(right)")
            let plain = left.withUnsafeBufferPointer { x in right.withUnsafeBufferPointer { NaturalOrder.compare(x, $0, .ascii) } }
            #expect(order(key(left, .ascii), key(right, .ascii)) == plain.signum(), "\(left) \(right)")
            if (left + right).allSatisfy({ $0 < 0x80 }) { #expect(plain.signum() == expected) }
        }
    }

    @Test func `no sort key exceeds the documented length`() {
        for piece in ["1\u{301}", "1\u{FF}", "Æ", "ΐ", "ᾂ", "\u{0}é", "日", "ß1", "1Æ", String(repeating: "1", count: 300) + "é"] {
            for count in 1..<30 { _ = key(Array(String(repeating: piece, count: count).utf8), .unicode) }
        }
        for byte in UInt8.min...UInt8.max { _ = key([byte] + [0x31, 0xFF, 0x31, 0xFF], .unicode) }
    }

    @Test func `the letter table agrees with Foundation's decompositions`() throws {
        #expect(zip(LetterTable.letters, LetterTable.letters.dropFirst()).allSatisfy { $0 >> 45 < $1 >> 45 })
        for value in UInt32(0x80)..<0x3000 {
            guard let scalar = Unicode.Scalar(value), let entry = LetterTable.entry(of: scalar) else { continue }
            let parts = Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
            let marks = parts.dropFirst().map { UInt8($0.value - 0x2FE) }
            let accents = [0, 7, 14].map { UInt8(entry >> UInt64($0) & 0x7F) }.filter { $0 != 0 }
            #expect(accents.suffix(marks.count) == marks[...], "\(scalar)")
            let base = entry >> 29 & 0xFFFF
            if accents.count == marks.count {
                #expect(String(parts[0]).lowercased().unicodeScalars.first.map { UInt64($0.value) } == base, "\(scalar)")
            }
        }
        #expect(LetterTable.entry(of: "ß") != nil && LetterTable.entry(of: "ж") == nil && LetterTable.entry(of: "日") == nil)
    }
}
