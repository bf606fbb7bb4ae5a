import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Workbooks of Excel and OpenDocument spreadsheets.
@Suite struct SpreadsheetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Workbooks made by hand

    /// A workbook with the given parts, and the rest as small as possible.
    private static func excel(
        _ sheets: [(name: String, state: String, data: String)], strings: String? = nil, formats: [Int] = [0], codes: [Int: String] = [:],
        properties: String = "", prefix: String = "", stringsFirst: Bool = true
    ) -> ZipBuilder {
        let colon = prefix.isEmpty ? "" : prefix + ":"
        let space = "xmlns\(prefix.isEmpty ? "" : ":" + prefix)=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n"
        var builder = ZipBuilder([
            ("[Content_Types].xml", declaration + "<Types/>"),
            (
                "_rels/.rels",
                declaration
                    + "<Relationships><Relationship Id='r1' Type='\(relations)/officeDocument' Target='xl/workbook.xml'/></Relationships>"
            ),
        ])
        var links = "<Relationship Id='st' Type='\(relations)/styles' Target='styles.xml'/>"
        var list = ""
        for (index, sheet) in sheets.enumerated() {
            links += "<Relationship Id='s\(index)' Type='\(relations)/worksheet' Target='/xl/worksheets/../sheets/s\(index).xml'/>"
            list += "<\(colon)sheet name=\"\(sheet.name)\" sheetId=\"\(index + 1)\" state=\"\(sheet.state)\" r:id=\"s\(index)\"/>"
        }
        if strings != nil { links += "<Relationship Id='ss' Type='\(relations)/sharedStrings' Target='strings.xml'/>" }
        builder.add(
            "xl/workbook.xml",
            declaration
                + "<\(colon)workbook \(space) xmlns:r=\"\(relations)\">\(properties)<\(colon)sheets>\(list)</\(colon)sheets></\(colon)workbook>"
        )
        builder.add("xl/_rels/workbook.xml.rels", "<Relationships>\(links)</Relationships>")
        let customFormats = codes.map { "<numFmt numFmtId=\"\($0.key)\" formatCode=\"\($0.value)\"/>" }.joined()
        builder.add(
            "xl/styles.xml",
            "<styleSheet><numFmts>\(customFormats)</numFmts><cellStyleXfs><xf numFmtId=\"22\"/></cellStyleXfs><cellXfs>"
                + formats.map { "<xf numFmtId=\"\($0)\" xfId=\"0\"><alignment/></xf>" }.joined() + "</cellXfs></styleSheet>")
        let shared = strings.map { "<\(colon)sst \(space)>\($0)</\(colon)sst>" }
        if stringsFirst, let shared { builder.add("xl/strings.xml", shared) }
        for (index, sheet) in sheets.enumerated() {
            builder.add("xl/sheets/s\(index).xml", declaration + "<\(colon)worksheet \(space)>\(sheet.data)</\(colon)worksheet>")
        }
        if !stringsFirst, let shared { builder.add("xl/strings.xml", shared) }
        return builder
    }

    private static func sheet(_ rows: String) -> [(name: String, state: String, data: String)] {
        [("S", "visible", "<sheetData>\(rows)</sheetData>")]
    }

    private static func document(_ tables: String, styles: String = "") -> ZipBuilder {
        let spaces =
            ["office", "table", "text", "style", "draw"].map { "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\"" }
            .joined(separator: " ") + " xmlns:calcext=\"urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0\""
        return ZipBuilder([
            ("mimetype", OpenDocumentFormat.mediaType),
            (
                "content.xml",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-content \(spaces)><office:automatic-styles>\(styles)"
                    + "</office:automatic-styles><office:body><office:spreadsheet>\(tables)</office:spreadsheet></office:body>"
                    + "</office:document-content>"
            ),
        ])
    }

    private func open(_ builder: ZipBuilder, _ name: String = "b.xlsx", hasHeader: Bool? = false, table: String? = nil) throws
        -> any TableSource
    {
        let path = try folder.file(name, bytes: builder.bytes)
        let source = try FileOpener(dialect: DialectRequest(hasHeader: hasHeader), table: table).open(path: path)
        try source.readAll(threads: 2) { _ in true }
        return source
    }

    private func texts(_ builder: ZipBuilder, _ name: String = "b.xlsx") throws -> [[String]] { try rowTexts(open(builder, name)) }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? any TableError)?.message ?? "\(error)" }
        return nil
    }

    @Test func `18.7: numbers are shown as written, or as the shortest text of their floating-point value`() throws {
        let examples = [
            ("1", "1"), ("-2.50", "-2.50"), ("0.30000000000000004", "0.30000000000000004"), ("1.1000000000000001", "1.1"), ("1E3", "1000"),
            ("1.5E-7", "1.5e-07"), ("12345678901234567", "12345678901234567"), ("4.0000000000000000", "4"), ("1e400", "1e400"),
            ("1E+20", "1e+20"), ("x", "x"), ("-", "-"), (".5", "0.5"), ("123456789012345", "123456789012345"),
            ("99.899999999999991", "99.89999999999999"),
        ]
        let rows = examples.map { "<row><c><v>\($0.0)</v></c></row>" }.joined()
        #expect(try texts(Self.excel(Self.sheet(rows))) == examples.map { [$0.1] })
    }

    @Test func `18.7: number formats decide which numbers are dates, times and durations`() throws {
        let codes = [
            164: "yyyy\\-mm\\-dd", 165: "[h]:mm", 166: "#,##0 &quot;days&quot;", 167: "[Red]0.0;[h]", 168: "h:mm AM/PM", 169: "mmm",
            170: "[$-409]d\\-mmm\\-yy;@", 171: "0_d", 172: "GENERAL", 173: "[ss].00", 14: "0.00",
        ]
        let formats = [0, 14, 22, 20, 46, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 15]
        func cell(_ value: String, _ format: Int) -> String {
            "<row><c s=\"\(formats.firstIndex(of: format)!)\"><v>\(value)</v></c></row>"
        }
        let examples = [
            ("45322", 15, "2024-01-31"), ("45322.520833333336", 15, "2024-01-31 12:30:00"), ("45322", 22, "2024-01-31 00:00:00"),
            ("0.5", 20, "12:00:00"), ("45322.5", 20, "2024-01-31 12:00:00"), ("1.25", 46, "30:00:00"), ("45322", 164, "2024-01-31"),
            ("-0.5", 165, "-12:00:00"), ("3", 166, "3"), ("3", 167, "3"), ("0.75", 168, "18:00:00"), ("45322", 169, "2024-01-31"),
            ("45322", 170, "2024-01-31"), ("5", 171, "5"), ("5", 172, "5"), ("0.5", 173, "12:00:00"), ("45322", 14, "45322"),
            ("1", 164, "1900-01-01"), ("59", 164, "1900-02-28"), ("60", 164, "1900-02-29"), ("61", 164, "1900-03-01"),
            ("2958465", 164, "9999-12-31"), ("2958466", 164, "2958466"), ("-1", 164, "-1"), ("45322.999999999", 164, "2024-02-01"),
            ("0.000011574074", 20, "00:00:01"), ("0.0000057870370", 20, "00:00:00.500"), ("1e300", 46, "1e+300"), ("0.25", 164, "06:00:00"),
        ]
        let book = Self.excel(Self.sheet(examples.map { cell($0.0, $0.1) }.joined()), formats: formats, codes: codes)
        #expect(try texts(book) == examples.map { [$0.2] })
        let old = Self.excel(
            Self.sheet(cell("0", 164) + cell("43860", 164) + cell("0.5", 20)), formats: formats, codes: codes,
            properties: "<workbookPr date1904=\"1\"/>")
        #expect(try texts(old) == [["1904-01-01"], ["2024-01-31"], ["12:00:00"]])
        #expect(try open(old).details.contains { $0.name == "dates" && $0.value == "days since 1904" })
    }

    @Test func `18.7: numbers with a percent format have a percent sign`() throws {
        let codes = [164: "0.0%", 165: "0.00&quot;%&quot;", 166: "0\\%", 167: "#,##0 %;[Red]-0%", 168: "0;0%", 169: "[&lt;1]0%"]
        let formats = [0, 9, 10, 164, 165, 166, 167, 168, 169]
        let examples = [
            ("0.25", 9, "25%"), ("0.125", 10, "12.5%"), ("1", 9, "100%"), ("0", 9, "0%"), ("-0.5", 9, "-50%"), ("0.005", 9, "0.5%"),
            ("12", 164, "1200%"), ("0.2500", 164, "25.00%"), ("7.0000000000000007E-2", 9, "7%"), ("1.23e-2", 9, "1.23%"),
            ("0.30000000000000004", 9, "30.000000000000004%"), ("1e-10", 9, "1e-8%"), ("-5.55e-17", 9, "-5.55e-15%"), ("x", 9, "x"),
            ("0.25", 165, "0.25"),
            ("0.25", 166, "0.25"), ("0.25", 167, "25%"), ("0.25", 168, "0.25"), ("0.25", 169, "25%"), ("0.25", 0, "0.25"),
        ]
        let cells = examples.map { "<row><c s=\"\(formats.firstIndex(of: $0.1)!)\"><v>\($0.0)</v></c></row>" }.joined()
        let book = Self.excel(Self.sheet(cells), formats: formats, codes: codes)
        #expect(try texts(book) == examples.map { [$0.2] })

        let column = (1...50).map { "<row><c s=\"1\"><v>0.\($0 + 10)</v></c></row>" }.joined()
        func cell(_ value: String) -> String {
            "<table:table-row><table:table-cell office:value-type=\"percentage\" office:value=\"\(value)\"/></table:table-row>"
        }
        let document = "<table:table table:name=\"T\">\((1...50).map { cell("0.\($0 + 10)") }.joined())</table:table>"
        for source in [try open(Self.excel(Self.sheet(column), formats: formats)), try open(Self.document(document), "b.ods")] {
            let profile = try #require(source.profiles(budgetMilliseconds: 0).first)
            #expect(profile.kind == .decimal && profile.notation.unit.isPercent)
            let text = try #require(try rowTexts(source).first?.first)
            #expect(text == "11%" && FieldBytes.withBytes(of: text) { $0.decimal() } == 0.11)
        }
    }

    @Test func `18.7: shared, inline and rich text, formulas, errors and flags are read`() throws {
        let strings =
            "<si><t>a &amp; b</t></si><si><r><rPr><b/></rPr><t xml:space=\"preserve\">rich </t></r><r><t>text</t></r>"
            + "<rPh sb=\"0\" eb=\"1\"><t>sound</t></rPh><phoneticPr/></si><si><t/></si><si/><si><t>x_x000D_y_x005F_x0041_</t></si>"
            + "<si><t>,\"q\"\n&#228;&#x1F600;</t></si><si><t><![CDATA[<&]]]]><![CDATA[>]]></t></si>"
        let row =
            "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c><c r=\"C1\" t=\"s\"><v>2</v></c>"
            + "<c r=\"D1\" t=\"s\"><v>4</v></c><c r=\"E1\" t=\"s\"><v>5</v></c><c r=\"F1\" t=\"s\"><v>6</v></c>"
            + "<c r=\"G1\" t=\"inlineStr\"><is><t>in</t><r><t>line</t></r></is></c><c r=\"H1\" t=\"str\"><f>A1&amp;\"x\"</f><v>cached</v></c>"
            + "<c r=\"I1\" t=\"e\"><f>1/0</f><v>#DIV/0!</v></c><c r=\"J1\" t=\"b\"><v>1</v></c><c r=\"K1\" t=\"b\"><v>0</v></c>"
            + "<c r=\"L1\" t=\"d\"><v>2024-01-31T12:30:00</v></c><c r=\"M1\"><f>SUM(A1)</f><v>7</v></c><c r=\"N1\"><f>A1</f></c><c r=\"O1\" s=\"1\"/></row>"
        let expected = [
            "a & b", "rich text", "", "x\ry_x0041_", ",\"q\"\nä😀", "<&]]>", "inline", "cached", "#DIV/0!", "true", "false",
            "2024-01-31 12:30:00", "7",
        ]
        #expect(try texts(Self.excel(Self.sheet(row), strings: strings)) == [expected])
        #expect(try texts(Self.excel(Self.sheet(row), strings: strings, stringsFirst: false)) == [expected], "texts after the sheet")
        // Shared strings that are in a temporary file are read with the same result.
        let archive = try ZipArchive(#require(BinaryFile(path: folder.path(of: "b.xlsx"))))
        let member = try #require(archive.member(named: "xl/strings.xml"))
        for memory in [0, 10, 20, 1_000] {
            let shared = try SharedStrings(ZipMemberReader(member, of: archive), memoryBytes: memory)
            for (number, text) in [(5, "\",\"\"q\"\"\nä😀\""), (0, "a & b"), (6, "<&]]>"), (3, ""), (5, "\",\"\"q\"\"\nä😀\"")] {
                var output: [UInt8] = [1]
                _ = try shared.append(number, to: &output)
                #expect(String(decoding: output.dropFirst(), as: UTF8.self) == text)
            }
        }
        #expect(
            message { _ = try texts(Self.excel(Self.sheet("<row><c t=\"s\"><v>7</v></c></row>"), strings: strings)) }
                == "Cannot read all of b.xlsx: a cell refers to a shared string that does not exist.")
    }

    @Test func `18.7: formulas without a saved value are reported`() throws {
        let value = "<c><v>5</v></c>"
        func excel(_ cells: String) throws -> any TableSource { try open(Self.excel(Self.sheet("<row>\(value)\(cells)</row>"))) }
        let one = try excel("<c><f>A1+1</f><v></v></c>")
        #expect(try rowTexts(one) == [["5"]])
        #expect(one.problems == ["1 formula has no saved value"])
        let remedy = "Open and save the file in a spreadsheet program, which computes them."
        #expect(one.conversions == [TextConversion("b.xlsx: 1 formula has no saved value. \(remedy)", isLoss: true)])
        let several = try excel("<c><f>A1</f><v/></c><c t=\"n\"><f t=\"shared\" si=\"0\"/></c>")
        #expect(try rowTexts(several) == [["5"]] && several.problems == ["2 formulas have no saved values"])
        // The value of a formula can be an empty text.
        let texts = try excel("<c t=\"str\"><f>\"\"</f><v></v></c><c><f>A1</f><v>5</v></c><c s=\"0\"/>")
        #expect(try rowTexts(texts) == [["5", "", "5"]] && texts.problems.isEmpty && texts.conversions.isEmpty)
        func document(_ cell: String) throws -> any TableSource {
            let row = "<table:table-cell office:value-type=\"float\" office:value=\"5\"/>\(cell)"
            let table = "<table:table table:name=\"T\"><table:table-row>\(row)</table:table-row></table:table>"
            return try open(Self.document(table), "b.ods")
        }
        let formulas = try document("<table:table-cell table:number-columns-repeated=\"3\" table:formula=\"of:=[.A1]\"/>")
        #expect(try rowTexts(formulas) == [["5"]] && formulas.problems == ["3 formulas have no saved values"])
        let number = try document("<table:table-cell table:formula=\"of:=[.A1]\" office:value-type=\"float\"/>")
        #expect(try rowTexts(number) == [["5"]] && number.problems == ["1 formula has no saved value"])
        let empty = try document(
            "<table:table-cell table:formula=\"of:=&quot;&quot;\" office:value-type=\"string\"><text:p/></table:table-cell>")
        #expect(try rowTexts(empty) == [["5"]] && empty.problems.isEmpty)
    }

    @Test func `18.7: cells and rows are placed by their references, or else after the previous one`() throws {
        let rows =
            "<row><c><v>1</v></c><c><v>2</v></c></row><row r=\"4\"><c r=\"C4\"><v>3</v></c><c><v>4</v></c></row><row/>"
            + "<row><c r=\"$B$6\"><v>5</v></c><c r=\"A6\"><v>6</v></c><c r=\"A6\"><v>7</v></c></row><row r=\"2\"><c r=\"A2\"><v>8</v></c></row>"
            + "<row r=\"1000000\"><c r=\"A1000000\"/></row>"
        #expect(
            try texts(Self.excel(Self.sheet(rows))) == [
                ["1", "2", "", ""], ["", "", "", ""], ["", "", "", ""], ["", "", "3", "4"], ["", "", "", ""], ["7", "5", "", ""],
                ["8", "", "", ""],
            ])
        let prefixed = Self.excel(
            [("S", "visible", "<x:sheetData><x:row r=\"1\"><x:c r=\"A1\" t=\"s\"><x:v>0</x:v></x:c></x:row></x:sheetData>")],
            strings: "<x:si><x:t>text</x:t></x:si>", prefix: "x")
        #expect(try texts(prefixed) == [["text"]])
    }

    @Test func `18.7: the table starts at the first cell`() throws {
        let rows = "<row r=\"3\"><c r=\"C3\"><v>1</v></c></row><row r=\"4\"><c r=\"B4\"><v>2</v></c><c r=\"C4\"><v>3</v></c></row>"
        #expect(try texts(Self.excel(Self.sheet(rows))) == [["", "1"], ["2", "3"]])
        // The declared range sets the first column, before which no later row may begin.
        let many = (10..<1_000).map { "<row r=\"\($0)\"><c r=\"C\($0)\"><v>\($0)</v></c></row>" }.joined()
        for (dimension, blanks) in [("<dimension ref=\"C10:C999\"/>", 0), ("<dimension ref=\"B2:C999\"/>", 1), ("", 2)] {
            let source = try open(Self.excel([("S", "visible", dimension + "<sheetData>\(many)</sheetData>")]))
            #expect(source.columnCount == 1 + blanks && source.snapshot().recordCount == 990)
        }
        let wrong = "<dimension ref=\"C1\"/><sheetData>\(many)<row><c r=\"A1001\"><v>1</v></c></row></sheetData>"
        #expect(message { _ = try open(Self.excel([("S", "visible", wrong)])) }?.contains("left of the declared columns") == true)
    }

    @Test func `18.7: strings that look like numbers stay strings`() throws {
        func row(_ number: Int, _ type: String, _ value: String) -> String {
            "<row><c t=\"inlineStr\"><is><t>\(value)</t></is></c><c><v>\(number)</v></c><c t=\"str\"><v>\(number % 10 == 0 ? "17" : "")</v></c></row>"
        }
        let head = "<row><c t=\"str\"><v>code</v></c><c t=\"str\"><v>2019</v></c><c t=\"str\"><v>x</v></c></row>"
        let rows = head + (0..<50).map { row($0, "str", String(12_300 + $0 * 7)) }.joined()
        let source = try open(Self.excel(Self.sheet(rows)), hasHeader: nil)
        #expect(titles(source) == ["code", "2019", "x"])
        #expect(source.profiles(budgetMilliseconds: 0).map(\.kind) == [.text, .integer, .text])
        #expect(source.profiles(ofColumnsFrom: 0).map(\.kind).first == .text)
    }

    @Test func `18.7: several sheets are listed without empty ones, and each opens by its name`() throws {
        let data = "<sheetData><row><c t=\"str\"><v>name</v></c></row><row><c><v>1</v></c></row></sheetData>"
        let book = Self.excel([
            ("One", "visible", "<dimension ref='B2:D3'/>" + data),
            ("Empty", "visible", "<sheetData><row r=\"5\"><c r=\"A5\" s=\"1\"/></row></sheetData>"),
            ("T &amp; T", "veryHidden", data),
        ])
        let list = try open(book, hasHeader: nil)
        #expect(
            try rows(list) == [
                ["One", "sheet", "2", "3", "declared size"], ["T & T", "sheet", nil, nil, "hidden, size not declared"],
            ])
        #expect(list.path(ofTableInRecord: 1) == folder.path(of: "b.xlsx") + ":T & T")
        let sheet = try FileOpener().open(path: folder.path(of: "b.xlsx") + ":t & t")
        #expect(sheet.name == "b.xlsx:T & T" && titles(sheet) == ["name"] && sheet.path == folder.path(of: "b.xlsx"))
        #expect(sheet.details.contains { $0.name == "sheet" && $0.value == "T & T" })
        #expect(try open(book, table: "Empty").snapshot().recordCount == 0)
        #expect(
            message { _ = try open(book, table: "Tow") } == "b.xlsx has no sheet “Tow”. It has the sheets One, Empty, T & T.")
        let one = try open(Self.excel([("E", "visible", "<sheetData/>"), ("S", "visible", data)]), hasHeader: nil)
        #expect(one.name == "b.xlsx" && titles(one) == ["name"])
        #expect(try open(Self.excel([("E", "visible", "<sheetData/>")])).snapshot().recordCount == 0)
        #expect(message { _ = try open(Self.excel([])) } == "b.xlsx has no sheet with cells.")
    }

    @Test func `18.7: the declared size of a sheet is shown only if it is a valid range`() {
        func size(_ range: String) -> [Int]? {
            Array(range.utf8).withUnsafeBufferPointer { DeclaredSize($0).map { [$0.rows, $0.columns] } }
        }
        #expect(size("A1:J1000001") == [1_000_001, 10] && size("$C$3:$C$4") == [2, 1] && size("a1:xfd1048576") == [1_048_576, 16_384])
        let others = ["", "A1", ":", "A1:", "A0:B2", "B2:A3", "A3:B2", "A1:B1048577", "A1:B2:C3", "A:C", "1:2", "A1:B99999999999999999999"]
        for range in others { #expect(size(range) == nil, "\(range)") }
    }

    @Test func `18.7: gridview offers to skip a title above the table`() throws {
        let rows =
            "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>Sales, by year</v></c></row><row r=\"3\"><c r=\"A3\" t=\"str\"><v>id</v></c><c r=\"B3\" t=\"str\"><v>x</v></c>"
            + "<c r=\"C3\" t=\"str\"><v>y</v></c></row>"
            + (4..<20).map { "<row r=\"\($0)\"><c r=\"A\($0)\"><v>\($0)</v></c><c r=\"B\($0)\"><v>2</v></c></row>" }.joined()
        let source = try open(Self.excel(Self.sheet(rows)), hasHeader: nil)
        #expect(source.suggestions == [.linesBeforeTable(2)])
        let opener = FileOpener()
        let settings = try #require(source.suggestions.first).applied(to: opener.settings)
        let skipped = try #require(try opener.with(settings)?.reopen(source))
        try skipped.readAll(threads: 1) { _ in true }
        #expect(titles(skipped) == ["id", "x", "y"] && skipped is SheetSource)
        #expect(try rowTexts(skipped).first == ["4", "2", ""])
        #expect(try opener.with(settings)?.sample(of: source).map(titles) == ["id", "x", "y"])
    }

    @Test func `18.7: the size of the file is shown, not the size of the extracted rows`() throws {
        let book = Self.excel(Self.sheet("<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>"))
        #expect(try open(book).fileByteCount == book.bytes.count)
        let json = Array("[\n  {\"a\":   1},\n  {\"a\":   2}\n]\n".utf8)
        let box = Array("+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n".utf8)
        let utf16: [UInt8] = [0xFF, 0xFE] + "a,b\n1,2\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for (name, bytes) in [("t.json", json), ("t.txt", box), ("t.csv", utf16)] {
            #expect(try FileOpener().open(path: folder.file(name, bytes: bytes)).fileByteCount == bytes.count, "\(name)")
        }
        #expect(try FileOpener().open(path: folder.file("a.csv", bytes: Array("a,b\n1,2\n".utf8))).fileByteCount == nil)
    }

    // MARK: OpenDocument

    @Test func `18.7: cells of OpenDocument spreadsheets are read`() throws {
        let rows = """
            <table:table-column table:number-columns-repeated="16384"/>
            <table:table-header-rows><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3"/></table:table-row>
            <table:table-row><table:table-cell/><table:table-cell office:value-type="string" calcext:value-type="string"><text:p>two<text:s text:c="3"/>words<text:tab/><text:span>in <text:a>a</text:a> span</text:span></text:p><text:p>line &amp; 2<text:line-break/>3</text:p></table:table-cell>
            <table:table-cell office:value-type="float" office:value="1.1000000000000001"><text:p>1.10</text:p></table:table-cell>
            <table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50%</text:p></table:table-cell>
            <table:table-cell office:value-type="currency" office:currency="EUR" office:value="3"><text:p>3 EUR</text:p></table:table-cell>
            <table:table-cell office:value-type="date" office:date-value="2024-01-31T12:30:00"><text:p>x</text:p></table:table-cell>
            <table:table-cell office:value-type="date" office:date-value="2024-01-31"/>
            <table:table-cell office:value-type="time" office:time-value="PT27H05M07.250000000S"/>
            <table:table-cell office:value-type="boolean" office:boolean-value="true"/>
            <table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>
            <table:table-cell office:value-type="string" office:string-value="value"><text:p>shown</text:p></table:table-cell>
            <table:table-cell office:value-type="string"><office:annotation><text:p>comment</text:p></office:annotation><text:p>cell</text:p><draw:frame><draw:object><table:table><table:table-row><table:table-cell office:value-type="string"><text:p>no</text:p></table:table-cell></table:table-row></table:table></draw:object></draw:frame></table:table-cell>
            </table:table-row></table:table-header-rows>
            <table:table-row-group><table:table-row table:number-rows-repeated="2"><table:table-cell/><table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="5"/>
            <table:table-cell table:number-columns-spanned="2" office:value-type="string"><text:p>merged</text:p></table:table-cell><table:covered-table-cell table:number-columns-repeated="1" office:value-type="float" office:value="9"/>
            <table:table-cell office:value-type="float" office:value="6"/></table:table-row></table:table-row-group>
            <table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
            <table:table-row><table:table-cell/><table:table-cell office:value-type="float" office:value="7"/></table:table-row>
            <table:table-row table:number-rows-repeated="1048560"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
            """
        let source = try open(Self.document("<table:table table:name=\"T\">\(rows)</table:table>"), "b.ods")
        let blank = [String](repeating: "", count: 11)
        func row(_ texts: [String]) -> [String] { texts + blank.dropFirst(texts.count) }
        #expect(
            try rowTexts(source) == [
                [
                    "two   words\tin a span\nline & 2\n3", "1.1", "50%", "3", "2024-01-31 12:30:00", "2024-01-31", "27:05:07.25", "true",
                    "#N/A", "value", "cell",
                ],
                row(["5", "5", "merged", "", "6"]), row(["5", "5", "merged", "", "6"]), blank, blank, row(["7"]),
            ])
        #expect(source.details.contains { $0.value == "OpenDocument spreadsheet" })
    }

    @Test func `18.7: an OpenDocument spreadsheet is recognized even if the archive was repacked with a compressed type`() throws {
        let row = "<table:table-row><table:table-cell office:value-type=\"float\" office:value=\"5\"/></table:table-row>"
        var bytes: [UInt8] = []
        let zip = ZipWriter(to: { bytes.append(contentsOf: $0) })
        for member in Self.document("<table:table table:name=\"T\">\(row)</table:table>").members {
            try zip.begin(String(decoding: member.name, as: UTF8.self))
            try zip.write(member.content, count: member.content.count)
            try zip.end()
        }
        try zip.finish()
        let source = try FileOpener(dialect: DialectRequest(hasHeader: false)).open(path: folder.file("b.ods", bytes: bytes))
        try source.readAll(threads: 2) { _ in true }
        #expect(try rowTexts(source) == [["5"]])
        #expect(source.details.contains { $0.value == "OpenDocument spreadsheet" })
    }

    @Test func `18.7: sheets of OpenDocument spreadsheets are listed and opened`() throws {
        func table(_ name: String, _ value: Int?, style: String = "a") -> String {
            let cell = value.map { "<table:table-cell office:value-type=\"float\" office:value=\"\($0)\"/>" } ?? "<table:table-cell/>"
            return
                "<table:table table:name=\"\(name)\" table:style-name=\"\(style)\"><table:table-row>\(cell)</table:table-row></table:table>"
        }
        let styles =
            "<style:style style:name=\"h\" style:family=\"table\"><style:table-properties table:display=\"false\"/></style:style>"
            + "<style:style style:name=\"a\" style:family=\"table\"><style:table-properties table:display=\"true\"/></style:style>"
        let book = Self.document(table("One", 1) + table("Empty", nil) + table("Two", 2, style: "h") + table("Three", 3), styles: styles)
        #expect(
            try rows(open(book, "b.ods")) == [
                ["One", "sheet", nil, nil, "size not declared"], ["Two", "sheet", nil, nil, "hidden, size not declared"],
                ["Three", "sheet", nil, nil, "size not declared"],
            ])
        for (name, value) in [("One", "1"), ("Two", "2"), ("Three", "3")] {
            #expect(try rowTexts(open(book, "b.ods", table: name)) == [[value]])
        }
        #expect(try open(book, "b.ods", table: "Empty").snapshot().recordCount == 0)
        #expect(try rowTexts(open(Self.document(table("E", nil) + table("One", 1)), "b.ods")) == [["1"]])
        #expect(message { _ = try open(book, "b.ods", table: "Thre") }?.contains("Did you mean “Three”?") == true)
    }

    @Test func `18.7: if the metadata declares one sheet, that sheet opens at once, and further sheets are reported`()
        throws
    {
        let cell = "<table:table-row><table:table-cell office:value-type=\"float\" office:value=\"1\"/></table:table-row>"
        var book = Self.document(
            "<table:table table:name=\"One\">\(cell)</table:table><table:table table:name=\"Two\">\(cell)</table:table>")
        book.add("meta.xml", "<m:meta><m:document-statistic m:table-count=\"1\"/></m:meta>")
        let source = try open(book, "b.ods")
        #expect(source.name == "b.ods" && source.snapshot().recordCount == 1)
        #expect(source.problems == ["the sheet “Two” is not shown; add its name to the path"])
        #expect(try open(book, "b.ods", table: "Two").problems.isEmpty)
        book.members[2].content = Array("<m:meta><m:document-statistic m:table-count=\"2\"/></m:meta>".utf8)
        #expect(try open(book, "b.ods").snapshot().recordCount == 2)
    }

    // MARK: Hostile files

    @Test(.timeLimit(.minutes(1))) func `18.7: hostile XML is an error, or is read in bounded memory`() throws {
        func problem(_ rows: String) -> String { message { _ = try texts(Self.excel(Self.sheet(rows))) } ?? "none" }
        let good = "<row><c><v>1</v></c></row>"
        #expect(problem(good + String(repeating: "<a>", count: 300)).contains("nested more than 256 levels deep"))
        #expect(problem(good + "<a b=\"\(String(repeating: "x", count: 5 << 20))\"/>").contains("tag larger than 4 MiB"))
        #expect(problem(good + "<!DOCTYPE x [<!ENTITY a \"b\">]>").contains("document type"))
        let long = String(repeating: "x", count: 5 << 20)
        #expect(problem(good + "<row><c t=\"str\"><v>\(long)</v></c></row>").contains("larger than 4 MiB"))
        #expect(problem(good + "<row r=\"1048577\"><c><v>1</v></c></row>").contains("more than 1048576 rows"))
        #expect(problem(good + "<row r=\"99999999999999999999\"><c><v>1</v></c></row>") == "none", "an unreadable number is ignored")
        #expect(problem(good + "<row><c r=\"XFE1\"><v>1</v></c></row>").contains("beyond column 16384"))
        #expect(problem(good + "<row><c r=\"ZZZZZZZ1\"><v>1</v></c></row>").contains("beyond column 16384"))
        #expect(problem(good + "<row><c r=\"ZZZZZZZZZZZZZ1\" s=\"999999999999999999\"><v>1</v></c></row>") == "none")
        #expect(problem(good + "<row><c t=\"s\"><v>-1</v></c></row>").contains("invalid shared string reference"))
        #expect(problem(good + "<row><c t=\"s\"><v>999999999999999999</v></c></row>").contains("does not exist"))
        #expect(problem(good + "</sheetData></worksheet></x>").contains("end tag without a start tag"))
        #expect(problem(good + "<row><c t=\"str\"><v>&bomb;&#xFFFFFFFF;&#0;&</v></c></row>") == "none")
        for rest in ["<", "</", "<!", "<!-", "<!--", "<![CDATA[", "<?", "<row", "<row r=\"", "&", "<>", "</>", "< >"] {
            var builder = Self.excel(Self.sheet(good))
            builder.members[builder.members.count - 1].content = Array(("<worksheet><sheetData>\(good)" + rest).utf8)
            #expect(message { _ = try texts(builder) }?.contains("b.xlsx: ") == true, "\(rest)")
        }
        func repeated(_ count: String, _ attribute: String, _ value: String) -> String {
            "<table:table table:name=\"T\"><table:table-row \(attribute == "rows" ? "table:number-rows-repeated=\"\(count)\"" : "")>"
                + "<table:table-cell \(attribute == "columns" ? "table:number-columns-repeated=\"\(count)\"" : "") \(value)/>"
                + "</table:table-row></table:table>"
        }
        let value = "office:value-type=\"float\" office:value=\"1\""
        for count in ["1000000000", "9223372036854775807", "99999999999999999999999"] {
            #expect(message { _ = try texts(Self.document(repeated(count, "columns", value)), "b.ods") }?.contains("beyond column") == true)
            #expect(message { _ = try texts(Self.document(repeated(count, "rows", value)), "b.ods") }?.contains("rows") == true)
            #expect(try texts(Self.document(repeated(count, "columns", "")), "b.ods") == [])
            #expect(try texts(Self.document(repeated(count, "rows", "")), "b.ods") == [])
        }
        #expect(try texts(Self.document(repeated("300000", "rows", value)), "b.ods").count == 300_000)
        var wide = Self.excel(Self.sheet(good))
        wide.members[wide.members.count - 1].content = [0xFF, 0xFE] + Array("<\0w\0".utf8)
        #expect(message { _ = try texts(wide) }?.contains("UTF-16, which is not supported") == true)
        wide.members[wide.members.count - 1].content = Array("<?xml version='1.0' encoding='ISO-8859-1'?><worksheet/>".utf8)
        #expect(message { _ = try texts(wide) }?.contains("“ISO-8859-1”, which is not supported") == true)
    }

    // MARK: Other producers

    private static let expectations = """
        import sys, random, datetime, openpyxl
        from openpyxl.utils import get_column_letter
        def text(v):
            if v is None: return ""
            if v is True: return "true"
            if v is False: return "false"
            if isinstance(v, int): return str(v)
            if isinstance(v, float):
                if v == int(v) and abs(v) < 2**53: return str(int(v))
                r = repr(v)
                return r
            if isinstance(v, datetime.datetime):
                s = v.isoformat(" ", "milliseconds")
                return s[:-4] if s.endswith(".000") else s
            if isinstance(v, datetime.date): return v.isoformat()
            if isinstance(v, datetime.time):
                s = v.isoformat("milliseconds")
                return s[:-4] if s.endswith(".000") else s
            if isinstance(v, datetime.timedelta):
                ms = round(v.total_seconds() * 1000)
                s = "%02d:%02d:%02d" % (ms // 3600000, ms // 60000 % 60, ms // 1000 % 60)
                return s + (".%03d" % (ms % 1000) if ms % 1000 else "")
            return str(v)
        def dump(path, ws):
            def shown(c):
                v = c.value
                return text(v.date() if isinstance(v, datetime.datetime) and c.number_format == "yyyy-mm-dd" else v)
            rows = [[shown(c) for c in row] for row in ws.iter_rows()]
            while rows and not any(rows[-1]): rows.pop()
            while rows and not any(rows[0]): rows.pop(0)
            left = min((i for row in rows for i, v in enumerate(row) if v), default=0)
            right = max((i for row in rows for i, v in enumerate(row) if v), default=-1)
            with open(path, "w", newline="") as f:
                f.write("\\x1e".join("\\x1f".join(row[left:right + 1]) for row in rows))
        """

    private func readExpectedRows(_ name: String) throws -> [[String]] {
        let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))), as: UTF8.self)
        return text.isEmpty
            ? []
            : text.split(separator: "\u{1E}", omittingEmptySubsequences: false).map {
                $0.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            }
    }

    @Test(.enabled(if: Python.isAvailable), .timeLimit(.minutes(2)))
    func `18.7: random workbooks are read as openpyxl reads them`() throws {
        try Python.run(
            Self.expectations + """

                words = ["", "a", "Ä ö", " lead", "trail ", "x,y", 'q"q', "line\\nbreak", "<&>", "00123", "1.5", "日本", "'", "TRUE", "=1", "long " * 50, "_", "&amp;"]
                def value(r):
                    k = r.randrange(12)
                    if k == 0: return r.randrange(-10**6, 10**6)
                    if k == 1: return r.uniform(-1000, 1000)
                    if k == 2: return round(r.uniform(0, 100), 2)
                    if k == 3: return r.choice([True, False])
                    if k == 4: return datetime.datetime(1905, 1, 1) + datetime.timedelta(seconds=r.randrange(0, 5 * 10**9))
                    if k == 5: return datetime.date(1905, 1, 1) + datetime.timedelta(days=r.randrange(0, 50000))
                    if k == 6: return datetime.time(r.randrange(24), r.randrange(60), r.randrange(60))
                    if k == 7: return datetime.timedelta(seconds=r.randrange(0, 500000))
                    if k == 8: return r.choice([10**15, -10**14, 123456789012345])
                    if k == 9: return None
                    return r.choice(words)
                for seed in range(40):
                    r = random.Random(seed)
                    wb = openpyxl.Workbook()
                    if seed % 5 == 0: wb.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
                    ws = wb.active
                    top, left = r.choice([(1, 1), (1, 1), (4, 3)])
                    n = r.choice([0, 1, 5, 60, 400])
                    w = r.choice([1, 3, 12, 40])
                    for i in range(n):
                        if r.randrange(20) == 0: continue
                        for j in range(w):
                            v = value(r)
                            if isinstance(v, str) and v.startswith("="): v = "x" + v
                            if v == "" or v is None or r.randrange(4) == 0: continue
                            ws.cell(top + i, left + j, v)
                    if n > 5 and w > 3: ws.merge_cells(start_row=top + 1, start_column=left, end_row=top + 2, end_column=left + 2)
                    path = f"{sys.argv[1]}/r{seed}"
                    wb.save(path + ".xlsx")
                    dump(path + ".txt", openpyxl.load_workbook(path + ".xlsx", data_only=True).active)
                """, folder.path)
        for seed in 0..<40 {
            let path = folder.path(of: "r\(seed).xlsx")
            let source = try FileOpener(dialect: DialectRequest(hasHeader: false)).open(path: path)
            try source.readAll(threads: 2) { _ in true }
            let found = try rowTexts(source)
            let expectedRows = try readExpectedRows("r\(seed).txt")
            #expect(found.count == expectedRows.count, "seed \(seed)")
            for (row, (a, b)) in zip(found, expectedRows).enumerated() where a != b {
                let column = zip(a, b).enumerated().first { $0.element.0 != $0.element.1 }
                Issue.record(
                    "seed \(seed), row \(row), column \(column?.offset ?? -1): \(a.count) \(b.count) \(String(describing: column))")
                break
            }
        }
    }

    @Test(.enabled(if: Python.isAvailable), arguments: [0, 1, 20_000])
    func `18.7: a sheet satisfies the table contract`(count: Int) throws {
        try Python.run(
            """
            import sys, openpyxl
            wb = openpyxl.Workbook(write_only=True)
            ws = wb.create_sheet("S")
            ws.append(["n", "t", "f"])
            for i in range(int(sys.argv[2])): ws.append([i, f'text, "{i % 50}"', i / 4])
            wb.save(sys.argv[1])
            """, folder.path(of: "c.xlsx"), "\(count)")
        let source = try FileOpener(dialect: DialectRequest(hasHeader: true)).open(path: folder.path(of: "c.xlsx"))
        #expect(count == 0 || source.snapshot().recordCount > 0, "the first rows are there at once")
        try source.readAll(threads: 2) { _ in true }
        #expect(titles(source) == ["n", "t", "f"])
        let expected = (0..<count).map { number -> [String?] in
            let quarter = Double(number) / 4
            return ["\(number)", "text, \"\(number % 50)\"", number % 4 == 0 ? "\(number / 4)" : "\(quarter)"]
        }
        var conformance = TableConformance(source: source, rows: expected, random: SplitMix64(seed: 7))
        try conformance.check(source.snapshot())
        #expect(source.checkForChange() == .unchanged && source.isUnchanged())
    }

    @Test(.enabled(if: Python.isAvailable), .timeLimit(.minutes(3))) func `18.7: damaged workbooks give rows or an error`() throws {
        try Python.run(
            """
            import sys, openpyxl, datetime
            wb = openpyxl.Workbook()
            for row in range(60): wb.active.append([row, f"text {row}", row / 7, datetime.date(2024, 1, 1), row % 2 == 0])
            wb.create_sheet("Two").append([1])
            wb.save(sys.argv[1])
            """, folder.path(of: "d.xlsx"))
        let compressed = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path(of: "d.xlsx"))))
        // Without compression, the XML itself is damaged; the checksum is correct.
        let archive = try ZipArchive(#require(BinaryFile(path: folder.path(of: "d.xlsx"))))
        var stored = ZipBuilder()
        for member in archive.members {
            let reader = try ZipMemberReader(member, of: archive)
            var content = [UInt8](repeating: 0, count: member.count)
            var count = 0
            while count < member.count, !reader.isAtEnd {
                count += try content.withUnsafeMutableBufferPointer { bytes throws(ContentError) in
                    try reader.read(into: bytes.baseAddress! + count, capacity: bytes.count - count)
                }
            }
            stored.members.append(ZipBuilder.Member(name: Array(member.name.utf8), content: content))
        }
        func read(_ bytes: [UInt8]) throws {
            let path = try folder.file("e.xlsx", bytes: bytes)
            for table in [nil, "Sheet"] {
                do {
                    let source = try FileOpener(table: table).open(path: path)
                    try source.readAll(threads: 1) { _ in true }
                    _ = try rows(source)
                } catch {
                    #expect(error is any TableError, "\(error)")
                }
            }
        }
        for position in stride(from: 0, to: compressed.count, by: 100) {
            try read(Array(compressed[..<position]))
            var damaged = compressed
            damaged[position] ^= 0xFF
            try read(damaged)
        }
        var random = SplitMix64(seed: 3)
        for (index, member) in stored.members.enumerated() {
            // Skip the parts of the workbook that the program does not read.
            let name = String(decoding: member.name, as: UTF8.self)
            if name.hasPrefix("docProps") || name.contains("theme") { continue }
            for position in stride(from: 0, to: member.content.count, by: 100) {
                var damaged = stored
                damaged.members[index].content[position] = [
                    UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0, 0xFF, UInt8(ascii: "9"),
                ].randomElement(using: &random)!
                try read(damaged.bytes)
                damaged.members[index].content = Array(member.content[..<position])
                try read(damaged.bytes)
            }
        }
    }
}
