import DataGridQuery
import Testing

@testable import GridviewApp

/// Options that select the rows and columns of batch output.
@MainActor
@Suite struct OutputSelectionTests {
    /// Each case sets options and lists the expected ids.
    @Test func `D15: options select rows and limit their number`() throws {
        func ids(_ change: (inout LaunchOptions) -> Void) throws -> String {
            try BatchOutput.text(BatchOutput.trades, .csv) { options in
                options.columns = BatchOutput.columns("id")
                change(&options)
            }.split(separator: "\n").dropFirst().joined(separator: " ")
        }
        #expect(try ids { $0.limit = 2 } == "1 2")
        #expect(try ids { $0.limit = 0 } == "")
        #expect(try ids { $0.limit = 99 } == "1 2 3 4 5")
        #expect(try ids { $0.rows = 1..<3 } == "2 3")
        #expect(try ids { $0.rows = 3..<99 } == "4 5")
        #expect(try ids { $0.rows = 50..<99 } == "")
        #expect(
            try ids {
                $0.rows = 1..<5; $0.limit = 2
            } == "2 3")
        #expect(try ids { $0.sort = [SortRequest(ColumnReference("price"))] } == "2 1 5 3 4", "empty values last")
        #expect(
            try ids {
                $0.sort = [SortRequest(ColumnReference("price"))]; $0.limit = 2
            } == "2 1")
        #expect(
            try ids {
                var sector = SortRequest(ColumnReference("sector"))
                sector.isDescending = true
                $0.sort = [sector, SortRequest(ColumnReference("side"))]
            } == "1 3 5 4 2")
        #expect(try ids { $0.groups = [GroupRequest(ColumnReference("sector"))] } == "2 4 5 1 3")
    }

    @Test func `D15: a column reference finds the same column in a short and in a long list of references`() throws {
        let numbers = (0..<10_000).map(String.init)
        let names: [String] = numbers.map { "c" + $0 }
        func line(_ fields: [String]) -> String { fields.joined(separator: ",") + "\n" }
        let csv = try BatchOutput.text(line(names) + line(numbers), .csv) { $0.columns = names.reversed().map { ColumnReference($0) } }
        let expected: String = line(names.reversed()) + line(numbers.reversed())
        #expect(csv == expected)
        // Each form of a reference, alone and after enough others for a dictionary.
        let others: [String] = (0..<10).map { "y\($0)" }
        let table: String = line(["Price", " side ", "a..b", "note", "Note", "x", "x"] + others) + line((1...17).map { String($0) })
        let forms: [(reference: String, found: String)] = [
            ("Price", "Price"), ("price", "Price"), (" price ", "Price"), ("side", " side "), ("SIDE", " side "), ("a..b", "a..b"),
            ("note", "note"), ("Note", "Note"), ("#6", "x"), (" #2", " side "), ("note..#4", "note"), ("#2..a..b", " side ,a..b"),
            ("NOTE", ""), ("x", ""), ("zz", ""), ("#18", ""), ("#0", ""), ("", ""),
        ]
        func columns(_ references: [String]) -> Result<String, RequestError> {
            do {
                let csv = try BatchOutput.text(table, .csv) { $0.columns = references.map { ColumnReference($0) } }
                return .success(String(csv.prefix { $0 != "\n" }))
            } catch {
                return .failure(error as? RequestError ?? RequestError("\(error)"))
            }
        }
        for (reference, found) in forms {
            let (few, many) = (columns([reference]), columns(others + [reference]))
            #expect((try? few.get()) == (found.isEmpty ? nil : found), "\(reference)")
            switch (few, many) {
            case (.success(let one), .success(let all)): #expect(all == (others + [one]).joined(separator: ","), "\(reference)")
            case (.failure(let one), .failure(let all)): #expect(one.message == all.message, "\(reference)")
            default: Issue.record("\(reference): \(few), \(many)")
            }
        }
        // The columns to hide are numbered by the file, although they are in another order.
        let hidden = try BatchOutput.text(table, .csv) {
            $0.columns = BatchOutput.columns("y9", "y8", "Price")
            $0.hiddenColumns = (3...16).map { ColumnReference("#\($0)") } + BatchOutput.columns("y9")
        }
        #expect(hidden == "Price\n1\n")
    }

    @Test func `D15: options select and order columns`() throws {
        func titles(_ change: (inout LaunchOptions) -> Void) throws -> String {
            String(try BatchOutput.text(BatchOutput.trades, .csv, change).split(separator: "\n").first ?? "")
        }
        #expect(try titles { $0.columns = BatchOutput.columns("price", "id") } == "price,id")
        #expect(try titles { $0.columns = BatchOutput.columns("#3", "#1") } == "side,id")
        #expect(try titles { $0.columns = BatchOutput.columns("sector..price") } == "sector,side,price")
        #expect(try titles { $0.columns = BatchOutput.columns("price..sector") } == "price,side,sector")
        #expect(try titles { $0.columns = BatchOutput.columns("price", "id", "#4..#5") } == "price,id,note")
        #expect(try titles { $0.columns = BatchOutput.columns("PRICE") } == "price")
        #expect(try titles { $0.hiddenColumns = BatchOutput.columns("sector..note") } == "id")
        #expect(try titles { $0.columns = BatchOutput.columns("price", " id ", " #3") } == "price,id,side")
        #expect(try BatchOutput.text("a, b\n1,2\n", .csv) { $0.columns = BatchOutput.columns("b") } == " b\n2\n")
        for (name, hint) in [("prize", "price"), ("sectr", "sector"), ("zz", "")] {
            do {
                _ = try titles { $0.columns = BatchOutput.columns(name) }
                Issue.record("\(name) is not a column")
            } catch let error as RequestError {
                #expect(error.message.hasPrefix("--columns: Unknown column “\(name)”."))
                #expect(hint.isEmpty || error.message.contains("“\(hint)”?"))
            }
        }
    }

    @Test func `D15: if a column name exists only in the output, the error gives the column number`() throws {
        let error = #expect(throws: RequestError.self) {
            try BatchOutput.text("id,name,id\n1,a,2\n", .csv) { $0.columns = BatchOutput.columns("id_2") }
        }
        #expect(error?.message == "--columns: Unknown column “id_2”. Only output uses this name. Write #3.")
    }

    @Test func `D15: a name shared by several columns is an error that lists their numbers`() throws {
        let text = "name,id,name,Side,SIDE\nb,1,y,5,8\na,2,x,6,7\n"
        func output(_ change: (inout LaunchOptions) -> Void) throws -> String { try BatchOutput.text(text, .tsv, change) }
        let (names, sides) = ("Ambiguous column “name”. Write #1 or #3.", "Ambiguous column “side”. Write #4 or #5.")
        for (expected, change) in [
            ("--columns: \(names)", { $0.columns = BatchOutput.columns("name") }),
            ("--columns: \(names)", { $0.columns = BatchOutput.columns("id..name") }),
            ("--columns: \(sides)", { $0.columns = BatchOutput.columns("side") }),
            ("--columns: \(names)", { $0.columns = BatchOutput.columns(" name ") }),
            ("--hide: \(names)", { $0.hiddenColumns = BatchOutput.columns("name") }),
            ("--sort: \(names)", { $0.sort = [SortRequest(ColumnReference("name"))] }),
            ("--group: \(names)", { $0.groups = [GroupRequest(ColumnReference("name"))] }),
            ("--types: \(names)", { $0.types = [(ColumnReference("name"), ColumnType(.text))] }),
            ("--filter: \(names)\n  name = 'a'\n  ^^^^", { $0.filters = ["name = 'a'"] }),
            ("--derive: \(names)\n  n = length(name)\n             ^^^^", { $0.derivedColumns = ["n = length(name)"] }),
        ] as [(String, (inout LaunchOptions) -> Void)] {
            let error = #expect(throws: RequestError.self) { try output(change) }
            #expect(error?.message == expected && error?.isUsageError == true)
        }
        #expect(try output { $0.columns = BatchOutput.columns("#3", "SIDE", "ID") } == "name\tSIDE\tid\ny\t8\t1\nx\t7\t2\n")
        #expect(try output { $0.sort = [SortRequest(ColumnReference("#1"))] }.hasSuffix("a\t2\tx\t6\t7\nb\t1\ty\t5\t8\n"))
        #expect(try output { $0.sort = [SortRequest(ColumnReference("Id"))] }.hasSuffix("b\t1\ty\t5\t8\na\t2\tx\t6\t7\n"))
    }
}
