import DataGrid
import DataGridQuery
import FieldValues
import Foundation
import GridviewApp
import Testing

/// Files with decimal commas, as shown to the user.
@MainActor
@Suite struct DecimalCommaTests {
    /// The column has enough rows to tolerate one cell that is not a number.
    private static let stock =
        """
        Artikel;Gruppe;Bestand;Preis €
        Säge;Werkzeug;1500;46,5
        Mutter;Kleinteile;184;0,09
        Kran;Werkzeug;2;12345,00
        Dübel;Kleinteile;454;auf Anfrage
        Bogen;Rohre;302;1.003,25
        """ + (0..<100).map { "\nRohr \($0);Rohre;0;5,\($0 % 10)0" }.joined()

    private func pilot(_ options: LaunchOptions = LaunchOptions()) throws -> Pilot {
        try Pilot(Self.stock, size: (60, 10), options: options)
    }

    @Test func `D3: numbers are aligned at their decimal comma, and other text is right-aligned`() throws {
        let pilot = try pilot()
        #expect(
            (1...6).map(pilot.line) == [
                "    │ Artikel │Gruppe     │Bestand │    Preis € │",
                "   1│ Säge     Werkzeug      1.500        46,5             ▐",
                "   2│ Mutter   Kleinteile      184         0,09",
                "   3│ Kran     Werkzeug          2    12.345,00",
                "   4│ Dübel    Kleinteile      454  auf Anfrage",
                "   5│ Bogen    Rohre           302     1.003,25",
            ])
        // The value line and copied text use the file's notation.
        pilot.press("$ j j")
        #expect(pilot.line(8).hasPrefix(" Preis €  12345,00 "))
        pilot.press("y")
        #expect(pilot.clipboardText == "12345,00")
    }

    @Test func `D3: the sample inventory.csv shows decimal commas`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Examples/data/inventory.csv")
        var options = LaunchOptions()
        options.columns = ["Bezeichnung", "Bestand", "Preis €", "Wert €"].map { ColumnReference($0) }
        let pilot = try Pilot(bytes: Array(Data(contentsOf: file)), size: (60, 10), options: options)
        #expect(
            (1...6).map(pilot.line) == [
                "    │ Bezeichnung          │Bestand │Preis € │   Wert € │",
                "   1│ Schraube Senkkopf A…      156     0,14      22,56    ▐",
                "   2│ Mutter sechskant A34      184     0,09      16,56",
                "   3│ Dübel A51                 454     0,19      85,90",
                "   4│ Winkel verzinkt A67       234     2,02     473,33",
                "   5│ Rohr Stahl A4             497     6,69   3.325,84",
            ])
        pilot.press("$ ]")
        #expect(pilot.line(2) == " 315│ Säge R77                  466    45,36  21.136,38    ▐")
    }

    @Test func `D6, D7, D8: sorting, filters and groups use numeric values`() throws {
        let pilot = try pilot()
        pilot.press("$ s")
        #expect(pilot.order.first == 2 && pilot.order.suffix(4) == [1, 5, 3, 4])
        pilot.press("]")
        #expect(pilot.order.prefix(4) == [3, 5, 1, 15])
        pilot.press("&")
        pilot.type("\"Preis €\" > 46.25")
        pilot.press("Enter")
        #expect(pilot.order == [3, 5, 1])
        pilot.resize(70, 10)
        pilot.press("0 l z g")
        #expect(pilot.screen.contains("▾ Werkzeug  2 rows"))
        #expect(pilot.screen.contains("mean 6.195,75"))
    }

    @Test func `D7: a filter by the current cell uses its numeric value`() throws {
        let pilot = try pilot()
        pilot.press("$ G g g @")
        #expect(pilot.order == [1])
        #expect(pilot.state.query.requested.filters.map(\.text) == ["\"Preis €\" = '46,5'"])
    }

    @Test func `D7: search highlights a match in the displayed text`() throws {
        let pilot = try pilot()
        let plain = pilot.backend.screen
        func highlighted(_ text: String) -> String {
            guard let place = pilot.place(of: text) else { return "not on the screen" }
            let screen = pilot.backend.screen
            return String(
                text.enumerated().map {
                    screen[place.x + $0.offset, place.y].style == plain[place.x + $0.offset, place.y].style ? "·" : $0.element
                })
        }
        for (text, shown) in [("345,0", "···345,0·"), ("2.345,00", "·2.345,00"), ("12.345", "12.345···")] {
            pilot.press("Escape g 0 /")
            pilot.type(text)
            #expect(pilot.cursorCell == "Preis € 3")
            pilot.press("Enter Left")
            #expect(highlighted("12.345,00") == shown)
        }
    }

    @Test func `D3: setting a column type keeps the detected decimal separator unless the type names another`() throws {
        func column(_ type: ColumnType, _ content: String) throws -> Column {
            var options = LaunchOptions()
            options.types = [(ColumnReference("n"), type)]
            return try Pilot(content, options: options).state.grid.columns.all[0]
        }
        let commas = "n;m\n12,5;1\n-;2\n1,25;3\n"
        #expect(try column(ColumnType(.decimal), commas).notation == .comma)
        #expect(try column(ColumnType(.decimal), commas).format.alignedFractionDigits == 2)
        let ambiguous = "n;m\n1,500;1\n2,250;2\n"
        #expect(try column(ColumnType(.decimal), ambiguous).notation == .point)
        #expect(try column(ColumnType(.decimal, .comma), ambiguous).notation == .comma)
        #expect(try column(ColumnType(.decimal, .comma), ambiguous).format.alignedFractionDigits == 3)
    }

    @Test func `D15: JSON output has decimal points, and CSV output has the numbers as written in the file`() throws {
        func write(_ format: OutputFormat) throws -> [String] {
            let bytes = try BatchOutput.bytes(Array(Self.stock.utf8), format) {
                $0.columns = [ColumnReference("Preis €")]
                $0.limit = 5
            }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        #expect(
            try write(.jsonl) == ["46.5", "0.09", "12345.00", "\"auf Anfrage\"", "1003.25"].map { "{\"Preis €\": \($0)}" })
        #expect(try write(.csv) == ["Preis €", "\"46,5\"", "\"0,09\"", "\"12345,00\"", "auf Anfrage", "\"1.003,25\""])
    }
}
