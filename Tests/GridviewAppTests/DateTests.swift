import DataGrid
import DataGridQuery
import DataGridTerminal
import FieldValues
import Foundation
import Testing

@testable import GridviewApp

/// Dates in the notations of files, as shown to the user.
@MainActor
@Suite struct DateTests {
    private func column(_ pilot: Pilot, _ index: Int = 0) -> Column { pilot.state.grid.columns.all[index] }

    @Test func `D3, D6: dates with slashes sort chronologically, and the type line shows the order of day and month`() throws {
        let days = try Pilot("when,n\n24/01/2022,1\n03/02/2022,2\n11/12/2021,3\n")
        #expect(column(days).kind == .date && ValueText.typeName(column(days)) == "d/m/y")
        days.press("s")
        #expect(days.order == [3, 1, 2])
        let months = try Pilot("when,n\n01/24/2022 1:00 PM,1\n02/03/2022 11:00 AM,2\n12/11/2021 1:00 AM,3\n")
        #expect(column(months).kind == .dateTime && ValueText.typeName(column(months)) == "m/d/y time")
        #expect(months.screen.contains("2022-01-24 13:00:00"), "\(months.screen)")
        months.press("s")
        #expect(months.order == [3, 1, 2])
    }

    @Test func `17.2: dates with two-digit years sort, filter and group chronologically, and are shown as written`() throws {
        let pilot = try Pilot("when,n\n24/01/22,1\n03/02/22,2\n11/12/99,3\n05/02/22,4\n", size: (80, 20))
        #expect(column(pilot).kind == .date && ValueText.typeName(column(pilot)) == "d/m/y" && pilot.screen.contains("24/01/22"))
        pilot.press("s")
        #expect(pilot.order == [3, 1, 2, 4])
        pilot.press("&")
        pilot.type("when > 2022-01-24")
        pilot.press("Enter")
        #expect(pilot.order == [2, 4])
        pilot.press("|")
        var options = LaunchOptions()
        options.groups = [try GroupRequest(text: "when:month")]
        let grouped = try Pilot("when,n\n24/01/22,1\n03/02/22,2\n11/12/99,3\n05/02/22,4\n", size: (80, 20), options: options)
        #expect(grouped.state.grid.outline.tree?.count == 3 && grouped.order == [3, 1, 2, 4])
    }

    private static let ambiguousDates = "when,n\n05/01/2022,1\n02/03/2022,2\n12/02/2022,3\n"

    @Test func `D3, D6: a key swaps the day and the month of ambiguous dates, and undo reverts it`() throws {
        let pilot = try Pilot(Self.ambiguousDates, size: (90, 30))
        #expect(ValueText.typeName(column(pilot)) == "d/m/y?")
        pilot.press("s")
        #expect(pilot.order == [1, 3, 2])
        pilot.press("z/")
        #expect(pilot.state.message?.id == .dayOrder && ValueText.typeName(column(pilot)) == "m/d/y")
        #expect(pilot.order == [2, 1, 3])
        pilot.press("U")
        #expect(pilot.order == [1, 3, 2] && column(pilot).hasAmbiguousDates && column(pilot).dateNotation == .dayFirst)
        pilot.press("C-r")
        #expect(pilot.order == [2, 1, 3] && pilot.state.sheet.history.changes.last?.title == "swap day and month of “when”")
        pilot.press("l z/")
        #expect(pilot.state.message?.id == .noDayOrder)
    }

    @Test func `D3: the file details do not report ambiguous dates in a column that is read as text`() throws {
        let pilot = try Pilot(Self.ambiguousDates, size: (100, 30))
        while column(pilot).kind != .text { pilot.press("t") }
        pilot.press("M-g")
        #expect(!pilot.screen.contains("may be swapped"), "\(pilot.screen)")
    }

    @Test func `D3: statistics and the file details mark ambiguous dates`() throws {
        let pilot = try Pilot(Self.ambiguousDates, size: (100, 30))
        pilot.press("M-g")
        #expect(pilot.screen.contains("“when”: d/m/y?"), "\(pilot.screen)")
        pilot.press("Escape I")
        #expect(pilot.screen.contains("day/month/year?"), "\(pilot.screen)")
        pilot.press("Escape z/ I")
        #expect(pilot.screen.contains("month/day/year") && !pilot.screen.contains("month/day/year?"), "\(pilot.screen)")
    }

    @Test func `D3: statistics count the values of a date column that are not dates`() throws {
        let rows = (0..<300).map { "\($0 == 9 ? "31/31/2022" : "\($0 % 28 + 1)/1/2022"),x\n" }
        let pilot = try Pilot("when,n\n" + rows.joined(), size: (100, 30))
        #expect(column(pilot).kind == .date && column(pilot).dateNotation == .dayFirst)
        pilot.press("I")
        #expect(pilot.screen.contains("invalid") && pilot.screen.contains("1 (0.3 %)"), "\(pilot.screen)")
    }

    @Test func `D7: filters compare dates in any notation, and filters by the current cell use the column's notation`() throws {
        let pilot = try Pilot("when,n\n24/01/2022,1\n03/02/2022,2\n11/12/2021,3\n")
        pilot.press("&")
        pilot.type("when > 2022-01-24")
        pilot.press("Enter")
        #expect(pilot.order == [2])
        pilot.press("| g 0 @")
        #expect(pilot.order == [1], "\(pilot.state.query.requested.filters.map(\.text))")
    }

    @Test func `D3: integers are read as times since 1970 if the column title suggests times, and JSON keeps the numbers`() throws {
        let content = "timestamp,n\n1700000000,1700000000\n1700100000,1700100000\n"
        let pilot = try Pilot(content)
        #expect(column(pilot).kind == .dateTime && column(pilot, 1).kind == .integer)
        #expect(pilot.screen.contains("2023-11-14 22:13:20") && pilot.screen.contains("1700100000"), "\(pilot.screen)")
        pilot.press("&")
        pilot.type("timestamp > 2023-11-15")
        pilot.press("Enter")
        #expect(pilot.order == [2])
        let json = try BatchOutput.bytes(Array(content.utf8), .jsonl) { $0.limit = 1 }
        #expect(String(decoding: json, as: UTF8.self) == "{\"timestamp\": 1700000000, \"n\": 1700000000}\n")
        let text = try BatchOutput.bytes(Array(content.utf8), .text) { _ in }
        #expect(String(decoding: text, as: UTF8.self).contains("2023-11-14 22:13:20  1700000000"))
    }

    @Test func `D3: an option sets the notation of dates`() throws {
        func cells(_ content: String, _ type: ColumnType) throws -> [String] {
            var options = LaunchOptions()
            options.types = [(ColumnReference("v"), type)]
            let column = try Pilot(content, options: options).state.grid.columns.all[0]
            return content.split(separator: "\n").dropFirst().map { row in
                ValueText.display(CellContent(String(row.prefix { $0 != "," })), in: column)
            }
        }
        let seconds = "v,n\n0,1\n86400,2\n"
        #expect(
            try cells(seconds, ColumnType(.dateTime, dateNotation: .epochSeconds)) == ["1970-01-01 00:00:00", "1970-01-02 00:00:00"])
        #expect(try cells(seconds, ColumnType(.date, dateNotation: .epochSeconds)) == ["1970-01-01", "1970-01-02"])
        let times = "v,n\n05/01/2022 1:00,1\n"
        #expect(try cells(times, ColumnType(.dateTime, dateNotation: .monthFirst)) == ["2022-05-01 01:00:00"])
        #expect(try cells(times, ColumnType(.dateTime)) == ["2022-01-05 01:00:00"])
        // Plausible dates are read as such on request.
        let numbers = "v,n\n20260131,1\n20260228,2\n"
        #expect(try Pilot(numbers).state.grid.columns.all[0].kind == .integer)
        var options = LaunchOptions()
        options.types = [(ColumnReference("v"), ColumnType(.date))]
        options.sort = [try SortRequest(text: "v:desc")]
        let pilot = try Pilot(numbers, options: options)
        #expect(column(pilot).dateNotation == .digits && pilot.order == [2, 1])
        pilot.press("&")
        pilot.type("v < 2026-02-01")
        pilot.press("Enter")
        #expect(pilot.order == [1])
    }

    @Test func `D3: changing the type of a column to date detects the notation of its dates`() throws {
        let pilot = try Pilot("v,n\n20260131,1\n20260228,2\n")
        for _ in 0..<3 { pilot.press("t") }
        #expect(column(pilot).kind == .date && column(pilot).dateNotation == .digits)
        pilot.press("]")
        #expect(pilot.order == [2, 1])
    }

    @Test func `D18: a saved view keeps the notation of dates, and older views can be read`() throws {
        let pilot = try Pilot(Self.ambiguousDates)
        pilot.press("z/")
        let data = try JSONEncoder().encode(pilot.state.grid.savedView)
        #expect(try JSONDecoder().decode(SavedView.self, from: data).columns.map(\.dateNotation) == [.monthFirst, nil])
        var older = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let columns = try #require(older["columns"] as? [[String: Any]])
        older["columns"] = columns.map { column in column.filter { $0.key != "dateNotation" } }
        let view = try JSONDecoder().decode(SavedView.self, from: JSONSerialization.data(withJSONObject: older))
        #expect(view.columns.map(\.dateNotation) == [nil, nil] && view.columns.map(\.kind) == [.date, .integer])
    }
}
