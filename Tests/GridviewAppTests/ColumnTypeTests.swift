import DataGrid
import DataGridQuery
import FieldValues
@testable import GridviewApp
import Testing

/// Types and formats of columns.
@MainActor
@Suite struct ColumnTypeTests {
    @Test(
        arguments: [
            (["2024-01-02 10:00:00", "2024-01-02 09:00:00", "2024-01-01"], ValueKind.dateTime), (["2024-01-02", "2024-01-01"], .date),
            // These columns have too few dates for their type to be detected, so the value under the cursor decides.
            (["2024-01-02 10:00:00", "x", "y", "z"], .dateTime), (["2024-01-02", "x", "y", "z"], .date),
            (["x", "2024-01-02 10:00:00", "y", "z"], .date),
        ])
    func `D5: the command “read as dates” also reads times if the column has any`(values: [String], kind: ValueKind) throws {
        let rows = values.enumerated().map { "\($0),\($1)\n" }.joined()
        let pilot = try Pilot("n,when\n" + rows, size: (120, 12))
        pilot.press("l : \"read as dates\" Enter")
        #expect(pilot.state.grid.columns[1].kind == kind, "\(pilot.message)")
        guard !values.contains("x") else { return }
        #expect(pilot.message.contains("all values are valid"), "\(pilot.message)")
        // The type at opening counts, whatever the current type is.
        pilot.press(": \"read as text\" Enter : \"read as dates\" Enter")
        #expect(pilot.state.grid.columns[1].kind == kind, "\(pilot.message)")
    }

    @Test func `T2: the type of a column without a value in the sample is found when the file has been read`() throws {
        // At most every second row is sampled, beginning with the second one.
        let rows = (0..<4_000).map { "\($0),\($0 % 2 == 0 && $0 < 100 ? "\(100 - $0).25" : ""),\n" }
        let content = "n,price,empty\n" + rows.joined()
        let stepped = SteppedRunner()
        let pilot = try Pilot(content, size: (60, 12), runner: stepped.runner)
        #expect(pilot.state.grid.columns.all.map(\.kind) == [.integer, .text, .text])
        stepped.runAll(pilot)
        #expect(pilot.state.grid.columns.all.map(\.kind) == [.integer, .decimal, .text])
        #expect(pilot.state.columnsWithChosenType.isEmpty, "the user has chosen nothing")
        pilot.press("l [")
        stepped.runAll(pilot)
        #expect(pilot.order.first == 99, "in numeric order, 2.25 is the least price: \(pilot.order.prefix(3))")
        // A type that the user chooses before stays.
        let early = SteppedRunner()
        let other = try Pilot(content, size: (60, 12), runner: early.runner)
        other.press("l : \"read as dates\" Enter")
        early.runAll(other)
        #expect(other.state.grid.columns[1].kind == .date)
    }

    @Test func `D5: a duplicated column shows the same field and has its own type`() throws {
        let pilot = try Pilot("code,n\n10,x\n9,y\n100,x\n", size: (60, 12))
        pilot.session.send(.run(.duplicateColumn))
        #expect(pilot.titles == ["code", "code 2", "n"] && pilot.cursorCell == "code 2 1")
        #expect(pilot.state.message == .columnDuplicated("code", as: "code 2"))
        pilot.session.send(.run(.duplicateColumn))
        #expect(pilot.titles == ["code", "code 2", "code 3", "n"])
        pilot.press("- h")
        while pilot.state.grid.currentColumn?.kind != .text { pilot.press("t") }
        #expect(pilot.state.grid.columns[ColumnID(0)]?.kind == .integer, "the other column keeps its type")
        pilot.press("[")
        #expect(pilot.order == [2, 1, 3] || pilot.order == [1, 3, 2], "as text: \(pilot.order)")
        pilot.press("h [")
        #expect(pilot.order == [2, 1, 3])
        pilot.press("/ \"100\" Enter l y")
        #expect(pilot.clipboardText == "100" && pilot.cursorCell == "code 2 3")
        pilot.press("@")
        #expect(pilot.order == [3] && pilot.state.query.requested.filters.map(\.text) == ["code = 100"])
        pilot.press("\\ zg")
        #expect(pilot.state.grid.outline.tree?.count == 3)
        pilot.press("zu")
        pilot.press("g V G Y")
        #expect(pilot.clipboardText.hasPrefix("code\tcode 2\tn\n9\t9\ty\n"))
        pilot.press("Escape R")
        #expect(pilot.titles == ["code", "code 2", "n"], "a reload keeps it")
        pilot.press("r")
        #expect(pilot.titles == ["code", "n"], "a reset removes it")
    }

    @Test func `D5: width, thousands separators and the order of day and month change for all selected columns`() throws {
        let pilot = try Pilot("n,a,b,when,then\nx,12345,23456,01/02/2024,03/04/2024\ny,2,3,05/06/2024,07/08/2024\n", size: (90, 12))
        func column(_ place: Int) -> Column { pilot.state.grid.columns.all[place] }
        func changeTitles() -> [String] { pilot.state.sheet.history.changes.map(\.title) }
        let widths = { pilot.state.grid.layout.columns.map(\.fullWidth) }
        let before = widths()
        pilot.press("C-Space l l 3 >")
        #expect(widths() == [before[0] + 3, before[1] + 3, before[2] + 3, before[3], before[4]] && changeTitles() == ["resize columns"])
        pilot.press("2 <")
        #expect(widths()[0] == before[0] + 1 && widths()[2] == before[2] + 1)
        pilot.press("U U")
        #expect(widths() == before)
        pilot.press("z,")
        #expect(pilot.state.message == .digitsGrouped("2 columns", count: 2, isGrouped: false, key: "z,"))
        #expect(!column(1).format.groupsThousands && !column(2).format.groupsThousands && pilot.screen.contains("12345"))
        pilot.press("z,")
        #expect(column(1).format.groupsThousands && column(2).format.groupsThousands && pilot.screen.contains("12,345"))
        pilot.press("z/")
        #expect(pilot.state.message == .noDayOrder("3 columns", count: 3))
        pilot.press("Escape l 2 z/")
        #expect(pilot.state.message == .dayOrder("2 columns", count: 2, isDayFirst: false, key: "z/"))
        #expect(column(3).dateNotation == .monthFirst && column(4).dateNotation == .monthFirst && !column(4).hasAmbiguousDates)
        pilot.press("U")
        #expect(column(3).dateNotation == .dayFirst && column(4).dateNotation == .dayFirst && column(4).hasAmbiguousDates)
        pilot.press("0 2 z,")
        #expect(pilot.state.message == .digitsGrouped("“a”", isGrouped: false, key: "z,") && !column(1).format.groupsThousands)
        #expect(column(2).format.groupsThousands)
    }

    @Test func `D3: numbers show the requested number of digits after the decimal point`() throws {
        let options = LaunchOptions()
        var rounded = options
        rounded.fractionDigits = [(ColumnReference("p"), 0)]
        var padded = options
        padded.fractionDigits = [(ColumnReference("p"), 4)]
        let table = "n,p\n1,10.50\n2,9\n3,-0.25\n4,99999.75\n"
        func cells(_ options: LaunchOptions) throws -> [String] {
            let pilot = try Pilot(table, size: (40, 9), options: options)
            return (2...5).map { pilot.line($0).split(separator: " ").last.map(String.init) ?? "" }
        }
        #expect(try cells(options) == ["10.50", "9", "-0.25", "99,999.75"])
        #expect(try cells(rounded) == ["11", "9", "0", "100,000"])
        #expect(try cells(padded) == ["10.5000", "9.0000", "-0.2500", "99,999.7500"])
    }

    @Test func `D5: a column is read again when its type changes`() throws {
        let pilot = try Pilot("v\n10\n9\nx\n", size: (60, 10))
        pilot.press("s")
        // Each press selects another type, and its message names that type.
        var words: [String] = []
        for _ in ValueKind.allCases {
            pilot.press("t")
            words.append(pilot.message)
        }
        #expect(Set(words).count == ValueKind.allCases.count, "\(words)")
        let text = try Pilot("v\n-1\n-2\n3\n", size: (60, 10))
        text.press("s")
        #expect(text.order == [2, 1, 3])
        text.press("t")
        #expect(text.state.grid.columns[0].kind == .text && text.order == [1, 2, 3], "sorted again, as text")
        #expect(text.line(2) == "   1│ -1")
        // The source reads the column with its original type again.
        text.press("r")
        #expect(text.state.grid.columns[0].kind == .integer && text.order == [1, 2, 3])
    }

    @Test func `D5: the type key cycles from the detected type to text, through the other types and back`() throws {
        let pilot = try Pilot("n,d,s\n1,2024-01-02,x\n", size: (60, 10))
        func kind() throws -> ValueKind { try #require(pilot.state.grid.currentColumn).kind }
        for (first, second) in [(ValueKind.integer, ValueKind.decimal), (.date, .integer)] {
            pilot.press("t")
            #expect(try kind() == .text)
            pilot.press("t")
            #expect(try kind() == second)
            for _ in 0..<5 { pilot.press("t") }
            #expect(try kind() == first)
            pilot.press("l")
        }
        pilot.press("t")
        #expect(try kind() == .integer)
    }

    @Test func `D5: the message about a type says how many values are invalid`() throws {
        let pilot = try Pilot("a,b\n1,x\ny,z\n3,\n", size: (120, 10))
        pilot.press("t")
        #expect(
            pilot.message == "“a” is now an integer column; 1 of 3 values is invalid (underlined). Press t for the next type.")
        pilot.press("l t")
        #expect(pilot.message == "“b” is now an integer column; no value is valid. Press t for the next type.")
        let numbers = try Pilot("a\n1\n2\n", size: (120, 10))
        numbers.press("t")
        #expect(numbers.message == "“a” is now a text column. Press t for the next type.")
        numbers.press("t")
        #expect(numbers.message == "“a” is now a decimal column; all values are valid. Press t for the next type.", "\(numbers.message)")
    }
}
