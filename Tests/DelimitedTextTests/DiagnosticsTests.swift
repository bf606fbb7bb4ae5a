import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

@Suite struct DiagnosticsTests {
    private func diagnostics(_ text: String, settings: ScanSettings = ScanSettings(), threads: Int = 1) throws -> Diagnostics {
        let request = DialectRequest(delimiter: 0x2c, quote: .some(0x22), hasHeader: true, encoding: .utf8)
        let file = try DelimitedFile.reading(text, request: request, settings: settings)
        try file.buildIndex(threads: threads) { _ in true }
        return file.diagnostics
    }

    @Test func `a well-formed file has no diagnostics`() throws {
        let texts = [
            "", "a\n", "a,b\n1,2\n", "a,b\r\n\"1\r\n\",2\r\n", "a\n\n1\n", "a,b\r1,2\r", "\n\n\na,b\n1,2\n",
            "\r\n\r\na,b\r\n1,2\r\n",
        ]
        for text in texts {
            #expect(try diagnostics(text) == Diagnostics(), "\(text.debugDescription)")
            #expect(try diagnostics(text, settings: .tiny(), threads: 2) == Diagnostics(), "\(text.debugDescription)")
        }
    }

    @Test func `each kind of diagnostic has a count and the position of the first case`() throws {
        let text = "a,b\n1\n1,2\n\"x\ny\",2,3\n12\" pipe,2\n1,\0\n5,6\r\n7,\"open\n8,9\n"
        for settings in [ScanSettings(), .tiny(), .tiny(chunk: 32, span: 8, block: 16)] {
            let found = try diagnostics(text, settings: settings, threads: 2)
            func expect(_ kind: Diagnostics.Kind, _ count: Int, line: Int, record: Int?, _ byte: Int) {
                #expect(found[kind] == .init(count: count, first: .init(line: line, record: record, byteOffset: byte)), "\(kind)")
            }
            expect(.shortRecord, 1, line: 2, record: 0, 4)
            expect(.longRecord, 1, line: 4, record: 2, 10)
            expect(.strayQuote, 1, line: 6, record: 3, 22)
            expect(.nul, 1, line: 7, record: 4, 33)
            expect(.mixedLineEnds, 1, line: 8, record: 5, 35)
            expect(.unclosedQuote, 1, line: 9, record: 6, 40)
            #expect(found[.invalidText] == nil)
        }
    }

    @Test func `empty lines in a table of two or more columns are counted, except before the header`() throws {
        for settings in [ScanSettings(), .tiny(), .tiny(chunk: 32, span: 8, block: 16)] {
            let text = "a,b\n1,2\n\n\n" + String(repeating: "3,4\n", count: 40) + "\n"
            let found = try diagnostics(text, settings: settings, threads: 2)
            #expect(found[.blankLine] == .init(count: 3, first: .init(line: 3, record: 1, byteOffset: 8)))
            #expect(found.phrases == ["3 blank lines are rows of empty fields (first: line 3)"])
            let later = try diagnostics("\n\r\na,b\r\n1,2\r\n\r\n3,4\r\n", settings: settings)
            #expect(later[.blankLine] == .init(count: 1, first: .init(line: 5, record: 1, byteOffset: 13)))
            #expect(try diagnostics("a\n1\n\n\n2\n", settings: settings)[.blankLine] == nil)
        }
    }

    @Test func `empty lines between the rows of a header are not counted`() throws {
        let request = DialectRequest(delimiter: 0x2c, hasHeader: true, headerRows: 2)
        let file = try DelimitedFile.reading("\nspeed,time\n\nkm/h,s\n1,2\n\n3,4\n", request: request)
        try file.buildIndex(threads: 1) { _ in true }
        #expect(file.diagnostics[.blankLine] == .init(count: 1, first: .init(line: 6, record: 1, byteOffset: 24)))
        #expect(file.diagnostics[.shortRecord] == nil && file.columnCount == 2)
    }

    @Test func `quotes that are escaped with backslashes are reported, but quotes within text are not`() throws {
        let phrase = "quotes are escaped with backslashes, so fields are wrong (first: line 3)"
        for line in [#"2,"say \"hi\" ok""#, #"2,"say \"hi\", ok""#, #"2,"\"x\"""#] {
            let file = try DelimitedFile.reading("a,b\n1,x\n\(line)\n3,\"y\"\n")
            try file.buildIndex(threads: 1) { _ in true }
            let found = try #require(file.conversions.first { $0.sentence.contains("escaped") }, "\(line)")
            #expect(found.isLoss && file.problems.contains(phrase))
            #expect(found.sentence == "\(file.name): \(phrase). Use --escape '\\' to read them.")
        }
        let others = [#"2,5" pipe"#, #"2,5\" pipe"#, #"2,"C:\dir\""#, #"2,"a ""b"" c""#, #"2,"x" "#, #""2" ,x"#, "\"2\" \t,x"]
        for line in others {
            let file = try DelimitedFile.reading("a,b\n1,x\n\(line)\n3,\"y\"\n")
            try file.buildIndex(threads: 1) { _ in true }
            #expect(file.conversions.isEmpty && !file.problems.contains { $0.contains("escaped") }, "\(line)")
        }
        let lines = try DelimitedFile.reading("a,b\n1,\"\\\"x\\\"\"\n", request: DialectRequest(quote: .some(nil)))
        try lines.buildIndex(threads: 1) { _ in true }
        #expect(lines.conversions.isEmpty)
    }

    @Test(arguments: [#"2,"a" b"#, #"2,"say "hi" ok""#]) func `quotes within quotes that are not doubled are reported`(line: String) throws
    {
        let file = try DelimitedFile.reading("a,b\n1,x\n\(line)\n3,\"y\"\n")
        try file.buildIndex(threads: 1) { _ in true }
        let phrase = "quotes within quotes are not doubled, so fields may be wrong (first: line 3)"
        #expect(file.problems.contains(phrase))
        #expect(
            file.conversions == [TextConversion("\(file.name): \(phrase). Use --quote none to read quotes as text.", isLoss: false)])
    }

    @Test func `quotes after blanks are text, and a note has the command that removes the blanks`() throws {
        for delimiter in [",", ";"] {
            let text = "a\(delimiter) b\n1\(delimiter) x\n2\(delimiter) \"y\(delimiter) z\"\n"
            let file = try DelimitedFile.reading(text, request: DialectRequest(delimiter: delimiter.utf8.first))
            try file.buildIndex(threads: 1) { _ in true }
            let phrase = "quotes after blanks are text, so fields may be wrong (first: line 3)"
            let advice = "Remove the blanks first: sed 's/\(delimiter) *\"/\(delimiter)\"/g' FILE | gridview"
            #expect(file.conversions.contains(TextConversion("\(file.name): \(phrase). \(advice)", isLoss: false)), "\(file.conversions)")
            #expect(file.problems.contains(phrase))
        }
    }

    @Test(
        arguments: [
            // The first quote is a sign for inches, but the later ones are escaped.
            ([#"5" pipe"#, #""say \"hi\" ok""#, #""x \"y\" z""#], "are escaped with backslashes, so fields are wrong (first: line 3)"),
            ([#"5" pipe"#, #"5" pipe"#, #""say \"hi\" ok""#], "are escaped with backslashes, so fields are wrong (first: line 4)"),
            ([#""C:\dir\"x"#, #""a"b"#, #""c"d"#], "within quotes are not doubled, so fields may be wrong (first: line 3)"),
            ([#""a"b"#, #""say \"hi\" ok""#, #""c"d"#], "within quotes are not doubled, so fields may be wrong (first: line 2)"),
            ([#"5" pipe"#, #"  "y""#, #" "z""#], "after blanks are text, so fields may be wrong (first: line 3)"),
            ([#" "y""#, #"5" pipe"#, #"a 6" pipe"#], nil), ([#"5" pipe"#, #"x"y"#], nil),
            ([#"  "y""#, "x", "x"], "after blanks are text, so fields may be wrong (first: line 2)"),
        ] as [([String], String?)])
    func `T1: several rows together decide whether stray quotes are a problem`(fields: [String], expected: String?) throws {
        let rows = fields.enumerated().map { "\($0),\($1)\n" }.joined()
        for settings in [ScanSettings(), .tiny()] {
            let file = try DelimitedFile.reading(
                "n,text\n\(rows)", request: DialectRequest(delimiter: 0x2c, quote: .some(0x22), hasHeader: true), settings: settings)
            try file.buildIndex(threads: 1) { _ in true }
            #expect(file.problems.filter { $0.hasPrefix("quotes ") } == (expected.map { ["quotes " + $0] } ?? []), "\(file.problems)")
        }
    }

    @Test func `T1: only the first rows with stray quotes decide whether these quotes are a problem`() throws {
        let (escaped, undoubled) = (#""say \"hi\" ok""# + "\n", #""a"b"# + "\n")
        func problems(_ text: String) throws -> [String] {
            let file = try DelimitedFile.reading(text, request: DialectRequest(delimiter: 0x2c, quote: .some(0x22), hasHeader: true))
            try file.buildIndex(threads: 1) { _ in true }
            return file.problems.filter { $0.hasPrefix("quotes are escaped") }
        }
        let later = String(repeating: undoubled, count: 100)
        #expect(try problems("text\n" + String(repeating: escaped, count: 16) + later).count == 1)
        #expect(try problems("text\n" + String(repeating: escaped, count: 15) + later).isEmpty)
    }

    @Test func `T1: the command that removes blanks before quotes has the right syntax for every delimiter`() throws {
        let folder = try TemporaryFolder()
        // The rows contain letters, digits and quotes.
        let others = (UInt8(0x21)...0x7e).filter { !UnicodeScalar($0).properties.isAlphabetic && !(0x30...0x39).contains($0) && $0 != 0x22 }
        let delimiters = [1, 9] + others
        var script = ""
        for delimiter in delimiters {
            let sign = Character(UnicodeScalar(delimiter))
            let path = try folder.file("\(delimiter)", "a\(sign)b\n1\(sign) \"x\"\n2\(sign)  \"y\(sign)z\"\n")
            let file = try DelimitedFile(path: path, request: DialectRequest(delimiter: delimiter, quote: .some(0x22), hasHeader: true))
            try file.buildIndex(threads: 1) { _ in true }
            let sentence = try #require(file.conversions.map(\.sentence).first { $0.contains("Remove the blanks first: ") }, "\(sign)")
            let command = sentence[try #require(sentence.range(of: "blanks first: ")).upperBound...]
            script += command.replacingOccurrences(of: " FILE | gridview", with: " <\(path) >\(path).out") + "\n"
        }
        #expect(system(script) == 0, "\(script)")
        for delimiter in delimiters {
            let sign = Character(UnicodeScalar(delimiter))
            let output = try String(contentsOfFile: folder.path(of: "\(delimiter).out"), encoding: .utf8)
            #expect(output == "a\(sign)b\n1\(sign)\"x\"\n2\(sign)\"y\(sign)z\"\n")
        }
    }

    @Test(arguments: [(TextEncoding.utf16LittleEndian, "iconv -f UTF-16LE -t UTF-8 FILE | sed "), (.latin1, "LC_ALL=C sed ")])
    func `T1: the command that removes blanks before quotes has the right syntax for the encoding of the file`(
        encoding: TextEncoding, start: String
    )
        throws
    {
        let text = "a,b\n1, \"x\"\n"
        let bytes = encoding.isUTF16 ? text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } : Array(text.utf8)
        let file = try DelimitedFile.reading(bytes, request: DialectRequest(delimiter: 0x2c, hasHeader: true, encoding: encoding))
        try file.buildIndex(threads: 1) { _ in true }
        #expect(file.conversions.contains { $0.sentence.contains("Remove the blanks first: \(start)") }, "\(file.conversions)")
    }

    @Test func `a note reports empty lines, which become rows of empty fields, without counting them as a loss`() throws {
        let file = try DelimitedFile.reading("a,b\n1,2\n\n3,4\n")
        try file.buildIndex(threads: 1) { _ in true }
        #expect(file.conversions.map(\.sentence) == ["\(file.name): 1 blank line is a row of empty fields (line 3)."])
        #expect(file.conversions.allSatisfy { !$0.isLoss } && file.problems == ["1 blank line is a row of empty fields (line 3)"])
    }

    @Test(arguments: [0, 100_000])
    func `T1: a note reports rows with too few or too many fields, without counting them as a loss`(count: Int) throws {
        // With many rows, the ragged ones are far behind the first bytes, from which the columns are detected.
        let rows = "a,b\n" + String(repeating: "1,2\n", count: count)
        let line = NumberText.count(count + 2)
        for (rest, sentence) in [
            ("3\n4,5\n", "1 row has too few fields (line \(line)). Missing fields are empty or null."),
            ("3,4,5\n4,5\n", "1 row has too many fields (line \(line)). Additional fields are in additional columns."),
            (
                "3,4,5\n6\n7\n",
                "2 rows have too few fields, 1 has too many (first: line \(line)). Missing fields are empty or null, "
                    + "and additional fields are in additional columns."
            ),
        ] {
            let file = try DelimitedFile.reading(rows + rest, request: DialectRequest(delimiter: 0x2c, hasHeader: true))
            try file.buildIndex(threads: 1) { _ in true }
            #expect(file.conversions == [TextConversion("\(file.name): \(sentence)", isLoss: false)])
        }
        // Rows of equal length have no note. Neither have rows below a title, which a suggestion reports.
        let even = try DelimitedFile.reading(rows + "3,4\n")
        try even.buildIndex(threads: 1) { _ in true }
        #expect(even.conversions.isEmpty)
        let titled = try DelimitedFile.reading("made by hand\nid,price\n1,2\n3,4\n5,6\n7,8\n")
        try titled.buildIndex(threads: 1) { _ in true }
        #expect(titled.suggestions == [.linesBeforeTable(1)] && titled.diagnostics[.longRecord] != nil && titled.conversions.isEmpty)
    }

    @Test func `T2: short records, long records and columns of random files are counted in tiny chunks`() throws {
        let seed = testSeed()
        var generator = SplitMix64(seed: seed)
        for _ in 0..<60 {
            var text = "a,b,c\n"
            var short = 0
            var long = 0
            var blank = 0
            var maximumFieldCount = 3
            for _ in 0..<80 {
                let kind = Int.random(in: 0..<12, using: &generator)
                // A short record and a long one in the same span can have the field count of two normal records.
                let fields = kind == 0 ? Int.random(in: 1...6, using: &generator) : 3
                if fields < 3 { short += 1 }
                if fields > 3 { long += 1 }
                if kind == 2 { blank += 1 }
                maximumFieldCount = max(maximumFieldCount, fields)
                text += (0..<fields).map { _ in kind == 1 ? "\"x,\n\"" : "\(kind)" }.joined(separator: ",") + (kind == 2 ? "\n\n" : "\n")
            }
            if Bool.random(using: &generator) {
                text += "1,2,3,4"
                long += 1
                maximumFieldCount = max(maximumFieldCount, 4)
            }
            for settings in [ScanSettings(), .tiny(span: 4, block: 32), .tiny(chunk: 64, span: 8, block: 16)] {
                let request = DialectRequest(delimiter: 0x2c, quote: .some(0x22), hasHeader: true, encoding: .utf8)
                let file = try DelimitedFile.reading(text, request: request, settings: settings)
                try file.buildIndex(threads: 2) { _ in true }
                let found = file.diagnostics
                let counts = (found[.shortRecord]?.count ?? 0, found[.longRecord]?.count ?? 0)
                #expect(counts == (short, long) && found[.blankLine]?.count ?? 0 == blank, "seed \(seed)")
                #expect(file.columnCount == maximumFieldCount && file.snapshot().columnCount == maximumFieldCount, "seed \(seed)")
            }
        }
    }
}
