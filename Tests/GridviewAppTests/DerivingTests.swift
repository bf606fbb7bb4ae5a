import DataGrid
import DataGridQuery
import Foundation
import GridTestSupport
import Tables
@testable import GridviewApp
import TerminalSurface
import Testing

/// Derived columns in the whole program: the prompt, the option and the same behavior as other columns.
@MainActor
@Suite struct DerivingTests {
    static let table = "name,price,count\nann,1.5,10\nbob,20,2\ncid,x,3\ndee,3,100\n"

    private func open(_ derived: [String] = [], _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> Pilot {
        var options = LaunchOptions()
        options.derivedColumns = derived
        change(&options)
        return try Pilot(Self.table, size: (90, 14), options: options)
    }

    private func derive(_ pilot: Pilot, _ text: String) {
        pilot.press("z=")
        pilot.type(text)
        pilot.press("Enter")
    }

    @Test func `D18: the prompt marks errors at their position, and the new column is inserted after the current column`() throws {
        let pilot = try open()
        pilot.press("Right z=")
        #expect(pilot.line(13).hasPrefix(" New column:") && pilot.line(13).contains("Enter add · Esc cancel"))
        #expect(pilot.line(12).contains("total = price * quantity"))
        pilot.type("total = prise * count")
        #expect(pilot.line(12).contains("^^^^^ Unknown column") && pilot.line(12).contains("Did you mean “price”?"))
        pilot.press("Enter")
        #expect(pilot.line(13).hasPrefix(" New column: total = prise"), "an invalid formula is not accepted")
        pilot.press("Escape")
        #expect(pilot.titles == ["name", "price", "count"] && pilot.state.overlay == nil)
        derive(pilot, "total = price * count")
        #expect(pilot.titles == ["name", "price", "total", "count"] && pilot.cursorCell == "total 1")
        #expect(pilot.state.message == .columnAdded("total", "price * count"))
        #expect(pilot.line(2).contains("15") && pilot.line(4).contains("cid") && pilot.line(5).contains("300"))
        derive(pilot, "total = 1")
        #expect(pilot.line(12).contains("Column “total” already exists"), "\(pilot.screen)")
        pilot.press("Escape")
        // A derived column can refer to another derived column.
        derive(pilot, "half = total / 2")
        #expect(pilot.titles == ["name", "price", "total", "half", "count"])
        #expect(pilot.state.sheet.derivedFields.count == 2 && pilot.line(2).contains("7.5"))
    }

    @Test func `D18: quotients are shown with four decimals, and copies have all digits`() throws {
        let rows = "a,b\n157000,1.123456\n53000,2.5\n100,3\n"
        let pilot = try Pilot(rows, size: (90, 14))
        derive(pilot, "monthly = a / 12")
        for text in [" 13,083.3333 ", " 4,416.6667 ", " 8.3333 "] { #expect(pilot.screen.contains(text), "\(pilot.screen)") }
        pilot.press("y")
        #expect(pilot.clipboardText.hasPrefix("13083.3333333"), "\(pilot.clipboardText)")
        let small = try Pilot(rows, size: (90, 14))
        derive(small, "share = 100 / a / 3")
        #expect(small.screen.contains(" 0.000212 ") && small.screen.contains(" 0.333333 "), "\(small.screen)")
        let exact = try Pilot(rows, size: (90, 14))
        exact.press("Right")
        derive(exact, "half = b / 2")
        #expect(exact.screen.contains(" 0.561728") && exact.screen.contains(" 1.25"), "\(exact.screen)")
        derive(exact, "third = b / 3")
        #expect(exact.screen.contains(" 0.374485\n") && exact.screen.contains(" 0.833333\n"), "\(exact.screen)")
    }

    @Test func `D18: computed years have no thousands separators and no subtotals, even in a small table`() throws {
        let content = "side,day\nBUY,2024-01-31\nSELL,2023-12-31\n"
        let rows = try BatchOutput.text(content, .text) { $0.derivedColumns = ["y = year(day)"] }
        #expect(rows.contains("2024-01-31  2024\n"), "\(rows)")
        let groups = try BatchOutput.text(content, .csv) {
            ($0.derivedColumns, $0.groups, $0.isCollapsed) = (["y = year(day)"], [GroupRequest(ColumnReference("side"))], true)
        }
        #expect(groups == "side,count\nBUY,1\nSELL,1\n")
    }

    @Test func `D18: a message reports a new column without values`() throws {
        let pilot = try open()
        // Text columns can contain numbers, so a sum of text columns is valid.
        derive(pilot, "both = name + name")
        #expect(pilot.titles == ["name", "both", "price", "count"])
        #expect(pilot.state.message == .columnAdded("both", "name + name", isEmpty: true), "\(pilot.message)")
        derive(pilot, "joined = concat(name, name)")
        #expect(pilot.state.message == .columnAdded("joined", "concat(name, name)"), "\(pilot.message)")
    }

    @Test func `D18: the prompt has a hint about arithmetic with a column of text`() throws {
        let pilot = try Pilot(Self.table, size: (100, 14))
        pilot.press("z=")
        pilot.type("twice = name * 2")
        let hint = " Column “name” contains text. Arithmetic works only on cells with numbers."
        #expect(pilot.line(11) == hint && pilot.line(12).hasPrefix(" name = formula"), "\(pilot.screen)")
        pilot.press("Escape &")
        pilot.type("name * 2 > 1")
        #expect(pilot.line(11) == hint, "\(pilot.screen)")
    }

    @Test func `D18: a derived column without values causes a note in the output but is not reported as data loss`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("t.csv", Self.table)
        func notes(_ derived: [String], statistics: Bool = false) throws -> OutputNotes {
            var options = LaunchOptions()
            options.derivedColumns = derived
            let document = try Document(options.files.open(path: path), options: options)
            return try BatchOutput.result(of: BatchRun(document, options: options, format: .text(.csv)), statistics: statistics).notes
        }
        for statistics in [false, true] {
            let found = try notes(["both = name + name", "joined = concat(name, name)"], statistics: statistics)
            #expect(found.lines == ["--derive: “both” has no value in the first rows. Check the formula."] && !found.hasLosses)
        }
        #expect(try notes(["total = price * count"]).lines.isEmpty, "one row has a text instead of a price")
    }

    static let objects = #"""
        id,meta,note
        1,"{""name"":""Ada"",""age"":36,""at"":{""city"":""London"",""zip"":""01234""},""tags"":[""a"",""b""]}",x
        2,"{""name"":""Bob \""B\"""",""age"":null,""born"":""2001-02-03"",""at"":{""city"":""Paris""},""tags"":[]}",y
        3,,z
        4,not JSON,w
        5,"{""age"":7.5,""meta.name"":""second""}",v

        """#

    @Test func `18.3: the elements of arrays become rows of a new sheet, and q goes back to the first sheet`() throws {
        var text = "id,tags,note\n1,\"[\"\"red\"\",null]\",a\n2,[],b\n3,plain,c\n"
        for number in 4...600 { text += "\(number),\"[\(number),\(-number)]\",x\n" }
        let pilot = try Pilot(text, size: (60, 12))
        pilot.press("M-(")
        #expect(pilot.state.message == .nothingToExpand("id", rows: nil, isArray: true) && pilot.state.sheets.count == 1)
        pilot.press("Right M-(")
        #expect(pilot.state.sheets.count == 2 && pilot.titles == ["id", "tags", "note"])
        #expect(pilot.state.document.name.hasSuffix(": tags") && pilot.state.document.recordCount == 4 + 2 * 597)
        let rows = pilot.backend.lines.dropFirst(3).prefix(6).map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows == ["1│ 1 red a ▐", "2│ 1 · a", "3│ 2 · b", "4│ 3 plain c", "5│ 4 4 x", "6│ 4 -4 x"], "\(pilot.screen)")
        pilot.press("G")
        #expect(pilot.screen.contains("-600") && pilot.screen.contains("1,198 / 1,198"), "\(pilot.screen)")
        pilot.press("&")
        pilot.type("tags = '-500'")
        pilot.press("Enter")
        #expect(pilot.screen.contains("1 / 1"), "\(pilot.screen)")
        pilot.press("U q")
        #expect(pilot.state.sheets.count == 1 && pilot.state.document.recordCount == 600)
        // First, the arrays of a copied column become rows, while the original column is hidden. Then the arrays of a derived column do.
        pilot.press(":")
        pilot.type("duplicate column")
        pilot.press("Enter Left -")
        #expect(pilot.titles == ["id", "tags 2", "note"], "\(pilot.titles)")
        pilot.press("M-(")
        #expect(pilot.titles == ["id", "tags 2", "note"] && pilot.state.document.recordCount == 1_198)
        pilot.press("q")
        let other = try Pilot("id,log\n1,[INFO] started\n2,[1\n", size: (60, 12))
        other.press("Right M-(")
        #expect(other.state.message?.id == .nothingToExpand && other.state.sheets.count == 1)
        let derived = try Pilot("id,data\n1,\"{\"\"a\"\":[7,8]}\"\n2,{}\n", size: (60, 12))
        derived.press("Right ( M-(")
        #expect(derived.titles == ["id", "data.a"] && derived.state.document.recordCount == 3 && derived.screen.contains("8"))
    }

    @Test func `18.3: JSON in a cell expands to columns and collapses again, and each change can be undone`() throws {
        let pilot = try Pilot(Self.objects, size: (110, 14))
        pilot.press("Right (")
        #expect(pilot.titles == ["id", "meta.name", "meta.age", "meta.at", "meta.tags", "meta.born", "meta.meta.name", "note"])
        #expect(pilot.state.message == .expanded("meta", count: 6, collapseKey: ")") && pilot.cursorCell == "meta.name 1")
        #expect(pilot.line(2).contains("Ada            36    {\"city\":\"London\",\"zip\":\"01234\"}"), "\(pilot.screen)")
        #expect(pilot.line(3).contains("Bob \"B\"") && pilot.line(6).contains("7.5"))
        let kinds = pilot.state.grid.columns.visible.map(\.kind)
        #expect(kinds == [.integer, .text, .decimal, .text, .text, .date, .text, .text])
        pilot.press("2 Right (")
        #expect(pilot.titles.contains("meta.at.city") && pilot.titles.contains("meta.at.zip") && !pilot.titles.contains("meta.at"))
        #expect(pilot.state.grid.columns.visible.first { $0.title == "meta.at.zip" }?.kind == .text, "leading zeros stay")
        // The new columns sort, filter and copy like other columns.
        pilot.press("Left s")
        #expect(pilot.order == [5, 1, 2, 3, 4])
        pilot.press("&")
        pilot.type("\"meta.at.city\" = 'Paris'")
        pilot.press("Enter")
        #expect(pilot.order == [2])
        pilot.press("U U Right )")
        #expect(pilot.titles == ["id", "meta.name", "meta.age", "meta.at", "meta.tags", "meta.born", "meta.meta.name", "note"])
        pilot.press(")")
        #expect(pilot.titles == ["id", "meta", "note"] && pilot.state.message == .columnCollapsed("meta", expandKey: "("))
        #expect(pilot.cursorCell.hasPrefix("meta "), "the cursor goes back to the column: \(pilot.cursorCell)")
        pilot.press(")")
        #expect(pilot.state.message?.id == .nothingToCollapse)
        // The columns still exist, so they are only shown again.
        let fields = pilot.state.sheet.derivedFields.count
        pilot.press("(")
        #expect(pilot.titles.count == 8 && pilot.state.sheet.derivedFields.count == fields)
        #expect(pilot.state.message == .expanded("meta", count: 6, collapseKey: ")") && pilot.cursorCell.hasPrefix("meta.name "))
        pilot.press("9 U")
        #expect(pilot.titles == ["id", "meta", "note"])
        pilot.press("C-r")
        #expect(pilot.titles.count == 8)
        #expect(pilot.state.definitions(of: pilot.state.sheet.derivedFields).contains("meta.at.zip = json(meta, 'at.zip')"))
    }

    @Test func `18.3: a reset collapses expanded JSON, and the title line does not count collapsed columns`() throws {
        let pilot = try Pilot(Self.objects, size: (110, 14))
        pilot.press("Right (")
        #expect(pilot.line(0).contains("5 × 9 ") && pilot.line(0).contains(" 1 hidden"), "\(pilot.line(0))")
        for keys in [")", "( 2 Right ( ) )", "( r", "( U C-r r", "( R r"] {
            pilot.press(keys)
            #expect(pilot.titles == ["id", "meta", "note"], "\(keys)")
            #expect(pilot.line(0).hasSuffix(" 5 × 3"), "\(keys): \(pilot.line(0))")
            pilot.press("0 Right")
        }
        pilot.press("-")
        #expect(pilot.line(0).contains("5 × 3 ") && pilot.line(0).contains(" 1 hidden"), "\(pilot.line(0))")
    }

    @Test func `18.3: strings of expanded JSON become text columns, and numbers become number columns`() throws {
        let members = #"{""zip"":""98765"",""code"":""00123"",""n"":98765.5,""ok"":""true"",""flag"":true}"#
        let pilot = try Pilot("id,meta\n" + (0..<2_000).map { "\($0),\"\(members)\"\n" }.joined(), size: (90, 14))
        pilot.press("Right (")
        #expect(pilot.titles == ["id", "meta.zip", "meta.code", "meta.n", "meta.ok", "meta.flag"])
        #expect(pilot.state.grid.columns.visible.map(\.kind) == [.integer, .text, .text, .decimal, .text, .flag])
        #expect(["98765 ", "00123", "98,765.5"].allSatisfy(pilot.line(2).contains), "\(pilot.screen)")
        // A column that is added with a formula has the same type, also after a reload.
        derive(pilot, "plain = json(meta, 'zip')")
        for _ in 0..<2 {
            let kinds = ["meta.zip", "plain"].map { title in pilot.state.grid.columns.all.first { $0.title == title }?.kind }
            #expect(kinds == [.text, .text])
            pilot.press("R")
        }
    }

    @Test func `18.3: expanding JSON adds at most 100 columns, and a message says that there are more`() throws {
        let pilot = try Pilot("a\n\"[\((0..<300).map(String.init).joined(separator: ","))]\"\n{}\n", size: (90, 14))
        pilot.press("(")
        #expect(pilot.titles.count == 100 && pilot.titles[99] == "a.99")
        #expect(pilot.state.message == .expanded("a", count: 100, hasMore: true, collapseKey: ")"))
    }

    @Test func `D18: derived columns can be sorted, filtered, grouped, searched, copied and shown in the row view`() throws {
        let pilot = try open(["total = price * count", "big = total > 20"])
        #expect(pilot.titles == ["name", "price", "count", "total", "big"])
        pilot.press("$ Left s")
        #expect(pilot.order == [1, 2, 4, 3], "empty values are last")
        pilot.press("& \"total >= 40\" Enter")
        #expect(pilot.order == [2, 4])
        pilot.press("\\")
        pilot.press("& \"300\" Enter")
        #expect(pilot.order == [4], "a single word is searched for in derived columns too")
        pilot.press("r")
        pilot.press("$ zg")
        let tree = try #require(pilot.state.grid.outline.tree)
        #expect(tree.sections.map(\.title).contains("true"))
        pilot.press("zu g")
        pilot.press("/ \"300\" Enter")
        #expect(pilot.cursorCell == "total 4")
        pilot.press("y")
        #expect(pilot.clipboardText == "300")
        pilot.press("Enter")
        #expect(pilot.screen.contains("total") && pilot.screen.contains("300") && pilot.screen.contains("big"))
        pilot.press("Escape I")
        #expect(pilot.screen.contains("total") && pilot.screen.contains("355"), "the sum of 15, 40 and 300: \(pilot.screen)")
    }

    @Test func `D18: one action adds a derived column to both the program state and the table`() throws {
        let pilot = try open()
        let field = try DerivedField("double = price * 2", id: DerivedField.nextID(after: []), in: pilot.state.schema)
        let column = Document.column(of: field, ColumnProfile(kind: .decimal), from: [])
        pilot.session.send(.columnDerived(field, column))
        pilot.session.turn()
        #expect(pilot.state.sheet.derivedFields == [field] && pilot.titles.contains("double"))
        #expect(pilot.line(3).contains("40"), "\(pilot.screen)")
    }

    @Test func `D18: a formula uses the types of its columns`() throws {
        let pilot = try Pilot("a;b\n1,5;2\n2,5;3\n", size: (60, 10))
        derive(pilot, "c = a + b")
        #expect(pilot.line(2).contains("3.5"), "\(pilot.screen)")
        // In a text column, a comma is not a decimal separator.
        pilot.press("0 z= \"d = length(a)\" Enter")
        #expect(pilot.titles == ["a", "d", "c", "b"] && pilot.line(2).contains("3"))
    }

    @Test func `D18: derived values are shown while the file is being indexed, also in its last rows`() throws {
        let content = "a number\n" + (1...80_000).map { "\($0)\n" }.joined()
        let stepped = SteppedRunner()
        var options = LaunchOptions()
        options.derivedColumns = ["doubled = \"a number\" * 2"]
        let pilot = try Pilot(content, size: (70, 10), options: options, runner: stepped.runner)
        #expect(!pilot.state.document.isComplete && pilot.line(2).contains("2"))
        pilot.press("G")
        stepped.runNewest(pilot)
        #expect(pilot.screen.contains("160000") || pilot.screen.contains("160,000"), "\(pilot.screen)")
        stepped.runAll(pilot)
        pilot.press("g")
        pilot.press("G")
        #expect(pilot.screen.contains("160000") || pilot.screen.contains("160,000"), "\(pilot.screen)")
    }

    @Test func `D18: a reload keeps derived columns whose source columns still exist`() throws {
        let pilot = try open(["total = price * count"])
        derive(pilot, "long = length(name)")
        try (Self.table + "eve,7,7\n").write(toFile: pilot.path, atomically: false, encoding: .utf8)
        pilot.press("R")
        #expect(pilot.state.document.recordCount == 5 && pilot.titles.contains("long") && pilot.screen.contains("49"), "\(pilot.screen)")
        try "name,price\nann,1\n".write(toFile: pilot.path, atomically: false, encoding: .utf8)
        pilot.press("R")
        #expect(pilot.titles == ["name", "price", "long"], "\(pilot.titles)")
        #expect(pilot.state.sheet.derivedFields.map(\.field.name) == ["long"] && pilot.line(2).contains("3"))
    }

    @Test func `D18: batch output has derived columns last or at their selected position`() throws {
        func output(_ format: OutputFormat, _ change: @escaping (inout LaunchOptions) -> Void) throws -> String {
            String(decoding: try BatchOutput.bytes(Array(Self.table.utf8), format, change), as: UTF8.self)
        }
        #expect(
            try output(.csv) { $0.derivedColumns = ["total = price * count"] }
                == "name,price,count,total\nann,1.5,10,15\nbob,20,2,40\ncid,x,3,\ndee,3,100,300\n")
        #expect(
            try output(.jsonl) {
                $0.derivedColumns = ["total = price * count"]
                $0.columns = [ColumnReference("total"), ColumnReference("name")]
                $0.sort = [SortRequest(ColumnReference("total"))]
                $0.filters = ["total > 20"]
            } == "{\"total\": 40, \"name\": \"bob\"}\n{\"total\": 300, \"name\": \"dee\"}\n")
        var mistake = RequestError(
            "--derive: Unknown column “prise”. Did you mean “price”?\n  t = prise * 2\n      ^^^^^", isUsageError: true)
        #expect(throws: mistake) { try output(.csv) { $0.derivedColumns = ["t = prise * 2"] } }
        mistake = RequestError(
            "--derive: Expected a name for the new column, as in total = price * quantity.\n  5\n  ^", isUsageError: true)
        #expect(throws: mistake) { try output(.csv) { $0.derivedColumns = ["5"] } }
    }
}
