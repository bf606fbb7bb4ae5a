import DataGrid
import DataGridQuery
@testable import GridviewApp
import TerminalSurface
import Testing

/// Statistics, frequencies and the summary on the screen: D9.
@MainActor
@Suite struct StatisticsPanelTests {
    static let orders = """
        id,side,price,day
        1,BUY,10,2024-01-01
        2,SELL,20,2024-01-02
        3,BUY,30.5,2024-01-03
        4,,x,
        5,BUY,20
        """

    /// Sets the types of columns. They cannot be detected in a few rows with an unreadable value.
    private static var options: LaunchOptions {
        var options = LaunchOptions()
        options.types = [(ColumnReference("price"), ColumnType(.decimal)), (ColumnReference("day"), ColumnType(.date))]
        return options
    }

    private func panel(_ pilot: Pilot) -> StatisticsPanel? { pilot.state.overlay as? StatisticsPanel }

    @Test func `D9: I shows statistics of the current column`() throws {
        let pilot = try Pilot(Self.orders, size: (80, 30), options: Self.options)
        pilot.press("Right Right I")
        #expect(pilot.line(1).hasPrefix(" price · all 5 rows"))
        for text in [
            "values    4 (80.0 %)", "empty     0", "invalid   1 (20.0 %)", "min       10.0", "p25       17.5", "max       30.5",
            "median    20.0", "mean      20.13", "stddev    8.37", "sum       80.5", "Most frequent",
        ] {
            #expect(pilot.screen.contains(text), "\(text)")
        }
        // The tallest bar of the histogram takes the full height. Round numbers are drawn below the bars.
        let picture = try #require(pilot.place(of: "Histogram  tallest bar: 2 rows"))
        #expect(pilot.line(picture.y + 1).contains(" ███"))
        #expect(pilot.line(picture.y + 7).hasPrefix(" ┬─"))
        #expect(pilot.line(picture.y + 8).split(separator: " ") == ["10.0", "15.0", "20.0", "25.0", "30.0"])
        pilot.press("Escape")
        #expect(pilot.state.overlay == nil && pilot.cursorCell == "price 1")
    }

    @Test func `D9, D3: hints and messages of a statistics panel mention only what the panel has`() throws {
        func hints(_ content: String, _ keys: String, height: Int = 40) throws -> (pilot: Pilot, line: String) {
            let pilot = try Pilot(content, size: (80, height), options: content == Self.orders ? Self.options : LaunchOptions())
            pilot.press(keys)
            return (pilot, pilot.line(height - 1))
        }
        let number = try hints(Self.orders, "Right Right I").line
        #expect(number.contains("frequencies") && number.contains("choose a bar") && !number.contains("scroll"), "\(number)")
        // A column of text has no bars. Its frequent values can be chosen.
        let text = try hints(Self.orders, "Right I")
        #expect(text.line.contains("frequencies") && text.line.contains("choose a value"), "\(text.line)")
        #expect(!text.line.contains("bar") && !text.line.contains("scroll") && !text.line.contains("page"), "\(text.line)")
        text.pilot.press("Enter")
        #expect(text.pilot.message.hasPrefix("Choose a frequent value with "))
        text.pilot.press("Right")
        #expect(panel(text.pilot)?.item == 0 && text.pilot.line(39).contains("filter"))
        // Without frequent values, nothing can be chosen.
        let names = "id,name\n" + (0..<40).map { "\($0),name of row \($0)\n" }.joined()
        let plain = try hints(names, "Right I")
        #expect(plain.line.contains("frequencies") && !plain.line.contains("choose"), "\(plain.line)")
        plain.pilot.press("Right")
        #expect(panel(plain.pilot)?.item == nil)
        let short = try hints(Self.orders, "Right Right I", height: 10)
        #expect(short.line.contains("scroll") && short.line.contains("choose a bar"), "\(short.line)")
    }

    @Test func `D9: if every value occurs once, the panel shows no most frequent value`() throws {
        for (column, isListed) in [("Right Right Right", false), ("Right", true)] {
            let pilot = try Pilot(Self.orders, size: (80, 40), options: Self.options)
            pilot.press("\(column) I")
            #expect(pilot.screen.contains("Most frequent") == isListed)
        }
    }

    @Test func `D9: a column of nearly distinct values has no most frequent value`() throws {
        for (values, isListed) in [(Array(1...59) + [59], false), ([1, 1, 2, 3], true)] {
            let pilot = try Pilot("n\n" + values.map { "\($0)\n" }.joined(), size: (80, 40))
            pilot.press("I")
            #expect(pilot.screen.contains("Most frequent") == isListed, "\(pilot.screen)")
        }
    }

    @Test func `D9: a value in less than 1 % of the rows is not listed as frequent`() throws {
        for (distinct, isListed) in [(1_500, false), (50, true)] {
            let rows = (0..<3_000).map { "\($0 * 7 % distinct)\n" }.joined()
            let pilot = try Pilot("n\n" + rows, size: (80, 40))
            pilot.press("I")
            #expect(pilot.screen.contains("Most frequent") == isListed, "\(distinct)")
        }
    }

    @Test(
        arguments: [(0, "0.0 %"), (1, "<0.1 %"), (9_990, "99.9 %"), (9_999, ">99.9 %"), (10_000, "100.0 %")])
    func `D9: a percentage is 0 or 100 only if it is exact`(_ count: Int, _ text: String) {
        #expect(StatisticsText.percent(count, of: 10_000) == text)
    }

    @Test func `D9, D3: numbers in a panel have one format, with grouped thousands unless they are identifiers`() throws {
        let content = "code,amount,flag\n" + (1...40).map { "\(1100 + $0),\(1100 + $0),\($0 % 4 == 0)\n" }.joined()
        for (keys, texts) in [
            ("I", ["min 1101", "p25 1110.75", "mean 1120.50"]),
            ("Right I", ["min 1,101", "p25 1,110.75", "mean 1,120.50", "sum 44,820"]),
            ("Right Right I", ["true 10 (25.0 %)", "false 30 (75.0 %)", "values 40 (100.0 %)"]),
        ] {
            let pilot = try Pilot(content, size: (80, 40))
            pilot.press(keys)
            let screen = pilot.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for text in texts { #expect(screen.contains(text), "\(text) in \(screen)") }
        }
        let pilot = try Pilot(content, size: (100, 14))
        pilot.press("zI")
        let lines = pilot.screen.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.contains { $0.hasPrefix("code integer 0 40 1101 1120.50 1140") })
        #expect(lines.contains { $0.hasPrefix("amount integer 0 40 1,101 1,120.50 1,140") })
        #expect(lines.contains { $0.hasPrefix("flag flag 0 2 false 25.0 % true") })
    }

    @Test func `D9: statistics have as many decimals as their column; those that need more all have the same number`() throws {
        let content = "price,quantity\n" + (1...60).map { "\($0).25,\($0 * 4)\n" }.joined()
        let price = try Pilot(content, size: (40, 60))
        price.press("I")
        for name in ["min", "p5", "p25", "median", "p75", "p95", "max", "mean", "stddev", "sum"] {
            let line = try #require(price.backend.lines.first { $0.hasPrefix(" \(name) ") }, "\(name) in \(price.screen)")
            let digits = line.split(separator: " ").dropFirst().first?.split(separator: ".").last?.count
            #expect(digits == (name == "stddev" ? 3 : 2), "\(line)")
        }
        // Quantiles that are not values of the column have as many decimals as the mean.
        let halves = try Pilot("x\n1.5\n2.0\n3.5\n4.5\n", size: (40, 60))
        halves.press("I")
        for text in [" min       1.5 ", " median    2.75 ", " max       4.5 ", " mean      2.88 ", " sum       11.5 "] {
            #expect(halves.backend.lines.contains { ($0 + " ").hasPrefix(text) }, "\(text) in \(halves.screen)")
        }
        let quantity = try Pilot(content, size: (40, 60))
        quantity.press("Right I")
        for text in [" min       4 ", " p5        15.80 ", " p25       63 ", " median    122 ", " mean      122 ", " sum       7,320 "] {
            #expect(quantity.backend.lines.contains { ($0 + " ").hasPrefix(text) }, "\(text) in \(quantity.screen)")
        }
    }

    @Test func `D9: small numbers have one exponent format, and dates and times are rounded to their unit`() throws {
        let content = "x,t,d\n-0.5,12:00:00,2024-01-01\n0.25,12:00:01,2024-01-02\n0.25,12:00:01,2024-01-02\n"
        var options = LaunchOptions()
        options.types = [
            (ColumnReference("x"), ColumnType(.decimal)), (ColumnReference("t"), ColumnType(.time)),
            (ColumnReference("d"), ColumnType(.date)),
        ]
        let pilot = try Pilot(content, size: (80, 40), options: options)
        pilot.press("zI")
        let rows = pilot.screen.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let time = try #require(rows.first { $0.first == "t" })
        #expect(time.contains("12:00:00") && time.contains("12:00:01") && !pilot.screen.contains("e10"))
        pilot.press("Down Enter")
        // The mean is two thirds of a second after 12:00.
        #expect(pilot.screen.contains("mean      12:00:01") && pilot.screen.contains("median    12:00:01"))
        pilot.press("Escape Down Enter")
        #expect(pilot.screen.contains("mean      2024-01-02") && !pilot.screen.contains("00:00"))
        pilot.press("Escape Up Up Enter")
        guard case .column(var statistics) = panel(pilot)?.result else { return #expect(Bool(false), "no statistics") }
        let column = pilot.state.grid.columns.all[0]
        #expect(StatisticsFormat(statistics, column).text(.decimal(0.25), isDerived: true) == "0.25")
        let fitted = StatisticsFormat(statistics, column)
        #expect(fitted.text(.decimal(0.5), isDerived: true, width: 3) == "0.5", "zeros are dropped before digits are rounded")
        #expect(fitted.text(.decimal(1234.5678), isDerived: true, width: 6) == "1,235")
        #expect(fitted.text(.decimal(12_345_678_901_234.567), isDerived: true) == "12,345,678,901,234.6")
        statistics.mean = .decimal(8.659e-5)
        let format = StatisticsFormat(statistics, column)
        #expect(format.text(.decimal(8.659e-5), isDerived: true) == "8.659e-5" && format.text(.decimal(-0.5)) == "-5.000e-1")
        #expect(format.text(.decimal(9.9996), isDerived: true) == "1.000e1" && format.text(.decimal(8.659e-5), width: 6) == "8.7e-5")
    }

    @Test(arguments: [20, 24, 30, 40, 60, 80, 100, 140]) func `D9: no number is truncated at any width`(width: Int) throws {
        let content = "n,at\n" + (1...60).map { "\($0 * 1_234_567_891).25,2024-01-01 10:00:\($0 % 60 / 10)\($0 % 10)\n" }.joined()
        let pilot = try Pilot(content, size: (width, 60))
        pilot.press("I")
        #expect(!pilot.screen.contains("…"), "\(pilot.screen)")
        pilot.press("Escape zI")
        if width >= 30 { #expect(!pilot.line(3).contains("…"), "\(pilot.line(3))") }
    }

    @Test func `D9: a narrow panel shows only the times of timestamps on the same day`() throws {
        let content = "at,b\n" + (10...59).map { "2024-01-01 10:00:\($0),1\n" }.joined()
        let pilot = try Pilot(content, size: (60, 40))
        pilot.press("I")
        guard case .column(let statistics) = panel(pilot)?.result else { return #expect(Bool(false), "no statistics") }
        let format = StatisticsFormat(statistics, pilot.state.grid.columns.all[0])
        #expect(format.text(statistics.minimum, width: 19) == "2024-01-01 10:00:10")
        #expect(format.text(statistics.maximum, width: 11) == "10:00:59")
    }

    @Test func `D9: even rare values have a bar, and numbers are right-aligned`() throws {
        let pilot = try Pilot("n\n" + (1...2_000).map { "\($0 / 2)\n" }.joined(), size: (60, 14))
        pilot.press("F")
        #expect(!pilot.screen.contains("█"))
        #expect(pilot.line(2).hasPrefix(String(repeating: " ", count: 19) + "value"))
        #expect(pilot.line(3).prefix(24).last?.isNumber == true)
        let bar = try #require(pilot.place(of: "▍"))
        let before = pilot.backend.screen[bar.x, bar.y].style
        pilot.press("Down")
        #expect(pilot.backend.screen[bar.x, bar.y].style == before, "the bar of a selected value keeps its color")
    }

    @Test func `D9: the selected line of the summary has the colors of the selection, charts included`() throws {
        let pilot = try Pilot("n,m\n" + (1...200).map { "\($0),\($0)\n" }.joined(), size: (100, 14))
        pilot.press("zI")
        let chart = try #require(pilot.place(of: "█"))
        let text = try #require(pilot.place(of: "integer"))
        #expect(pilot.backend.screen[chart.x, chart.y].style == pilot.backend.screen[text.x, text.y].style)
        pilot.press("Down")
        #expect(pilot.backend.screen[chart.x, chart.y].style != pilot.backend.screen[text.x, text.y + 1].style)
    }

    @Test func `D9: on a wide screen the summary shows long strings in full`() throws {
        let text = "a text of more than forty cells that is the least of all"
        let pilot = try Pilot("t\n\(text)\nb\n", size: (200, 14))
        pilot.press("zI")
        #expect(pilot.screen.contains(text), "\(pilot.screen)")
    }

    @Test func `D9: a long column name is truncated so that the rest of the title fits`() throws {
        let pilot = try Pilot(String(repeating: "long ", count: 30) + ",b\nx,1\n", size: (60, 14))
        pilot.press("F")
        #expect(pilot.line(1).hasSuffix("… · 1 distinct · all 1 row"))
        pilot.press("Escape I")
        #expect(pilot.line(1).hasSuffix("… · all 1 row"))
    }

    @Test(
        arguments: [(70, "distinct, by count · all 1,500 rows"), (48, "distinct · all 1,500 rows"), (32, "distinct")])
    func `D9: the title of a panel omits parts that do not fit`(_ width: Int, _ end: String) throws {
        let pilot = try Pilot("n\n" + (1...1_500).map { "\($0)\n" }.joined(), size: (width, 14))
        pilot.press("F")
        #expect(pilot.screen.contains(" n · 1,500 \(end)  "), "\(pilot.screen)")
    }

    @Test func `D9: the most frequent values have as many decimals as the statistics above them`() throws {
        let pilot = try Pilot("n\n10\n10\n30.25\n1500\n", size: (60, 14))
        pilot.press("F")
        for text in [" 10.00 ", " 30.25 ", " 1,500.00 "] { #expect(pilot.screen.contains(text), "\(pilot.screen)") }
    }

    @Test func `D9: the panel shows statistics of the filtered rows, and its title says that they are filtered`() throws {
        let pilot = try Pilot(Self.orders, size: (80, 30), options: Self.options)
        pilot.press("Right @ Right I")
        #expect(pilot.line(1).hasPrefix(" price · 3 of 5 rows, filtered"))
        #expect(pilot.screen.contains("mean      20.17"))
    }

    @Test func `D9: F lists the values of a column, s reverses the order, and Enter filters by a value`() throws {
        let pilot = try Pilot(Self.orders, size: (60, 14), options: Self.options)
        pilot.press("Right F")
        #expect(pilot.line(1).hasPrefix(" side · 2 distinct, by count · all 5 rows"))
        #expect(pilot.line(3).hasPrefix(" BUY"))
        #expect(pilot.line(3).contains("3   60.0 %  █"))
        #expect(pilot.line(4).contains("1   20.0 %  █"))
        pilot.press("s Down")
        #expect(pilot.line(1).contains("by value"))
        pilot.press("Enter")
        #expect(pilot.state.overlay == nil)
        #expect(pilot.state.query.shown.filters.map(\.text) == ["side = 'SELL'"])
        #expect(pilot.order == [2])
    }

    @Test func `D9: the summary of many columns does not shorten numbers in the columns that are visible`() throws {
        let count = 205
        let lines = [
            (1...count).map { "c\($0)," }.joined() + "last_column", String(repeating: "1,", count: count) + "123456",
            String(repeating: "2,", count: count) + "7654320",
        ]
        let pilot = try Pilot(lines.joined(separator: "\n") + "\n", size: (80, 14))
        pilot.press("zI G")
        #expect(pilot.screen.contains("last_column") && pilot.screen.contains("123,456  3,888,888  7,654,320"))
    }

    @Test func `D9: zI summarizes all columns, Enter opens one of them, and Escape goes back`() throws {
        let pilot = try Pilot(Self.orders, size: (100, 14), options: Self.options)
        pilot.press("zI")
        #expect(pilot.line(1).hasPrefix(" 4 columns · all 5 rows"))
        #expect(pilot.line(2).contains("column  type     empty  missing  invalid  distinct"))
        #expect(pilot.line(4).hasPrefix(" side    text         1        0        0         2         BUY"))
        #expect(pilot.line(5).contains("█"))
        pilot.press("Down Down Enter")
        #expect(pilot.line(1).hasPrefix(" price · all 5 rows"))
        pilot.press("F")
        #expect(pilot.line(1).hasPrefix(" price · 4 distinct"))
        pilot.press("Escape")
        #expect(pilot.line(1).hasPrefix(" price · all 5 rows"))
        pilot.press("Escape")
        #expect(pilot.line(1).hasPrefix(" 4 columns"))
        pilot.press("q")
        #expect(pilot.state.overlay == nil)
    }

    @Test(arguments: [80, 120]) func `D9: the summary has the counts of invalid values, if any`(width: Int) throws {
        let rows = (1...200).map { row in
            "\(row),Person \(row),\(row % 10 < 3 ? "n/a" : "\(row * 1_000)"),\(2_000 + row % 20)-01-15,u\(row)@example.com\n"
        }
        let pilot = try Pilot("id,name,salary,start,email\n" + rows.joined(), size: (width, 14))
        pilot.press("zI")
        let header = pilot.line(2).split(separator: " ")
        let place = try #require(header.firstIndex(of: "invalid"), "\(pilot.screen)")
        for (line, count) in [(3, "0"), (5, "60")] {
            let texts = pilot.line(line).split(separator: " ")
            #expect(texts.count > place && texts[place] == count, "\(pilot.screen)")
        }
        let valid = try Pilot("id,name\n" + (1...200).map { "\($0),Person \($0)\n" }.joined(), size: (width, 14))
        valid.press("zI")
        #expect(!valid.screen.contains("invalid"), "\(valid.screen)")
    }

    @Test func `D9: lists and pages stop at their ends, and only a click outside of the panel closes it`() throws {
        let content = "n\n" + (1...300).map { "\($0 % 100)\n" }.joined()
        let pilot = try Pilot(content, size: (60, 14))
        pilot.press("F PageDown PageDown")
        #expect(panel(pilot)?.selected == 22)
        pilot.press("End Down")
        #expect(panel(pilot)?.selected == 99)
        pilot.press("Home Up")
        #expect(panel(pilot)?.selected == 0)
        pilot.click(5, 5)
        #expect(panel(pilot)?.selected == 2)
        pilot.press("Escape I End")
        #expect(panel(pilot)?.scroll ?? 0 > 0)
        let screen = pilot.screen
        pilot.press("End")
        #expect(pilot.screen == screen)
        pilot.click(5, 0)
        #expect(pilot.state.overlay == nil)
    }

    @Test func `D9: statistics run in the background, and Escape cancels them`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.orders, size: (60, 14), runner: stepped.runner)
        pilot.press("s I")
        // The statistics wait, because the rows are still being sorted.
        #expect(pilot.line(1).contains("waiting for all rows"))
        stepped.runAll(pilot)
        #expect(panel(pilot)?.result != nil)
        pilot.press("Escape F")
        #expect(stepped.count == 1 && pilot.screen.contains("Computing…"))
        pilot.press("Escape")
        stepped.runAll(pilot)
        #expect(pilot.state.overlay == nil)
    }

    @Test func `D9: if statistics fail, the panel closes and a message gives the reason`() throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.orders, size: (60, 14), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("F")
        #expect(panel(pilot)?.result == nil && pilot.screen.contains("Computing…"))
        pilot.session.send(.jobEnded(.statistics, failure: .jobFailed("SQLite does not support dates.")))
        #expect(pilot.state.overlay == nil && pilot.state.message?.text == "SQLite does not support dates.")
        stepped.runAll(pilot)
        pilot.press("I")
        stepped.runAll(pilot)
        let first = try #require(panel(pilot))
        pilot.press("F")
        pilot.session.send(.jobEnded(.statistics, failure: .jobFailed("SQLite does not support dates.")))
        #expect(panel(pilot)?.subject == first.subject && panel(pilot)?.result != nil, "the previous panel is shown again")
    }

    @Test(arguments: [(80, 24), (120, 40), (40, 10), (20, 5), (4, 3), (1, 1)])
    func `D9: panels fit any screen size`(columns: Int, rows: Int) throws {
        let pilot = try Pilot(Self.orders, size: (columns, rows))
        for keys in ["I End PageUp", "F End s", "zI Down Enter F"] {
            pilot.press(keys)
            #expect(panel(pilot)?.result != nil)
            pilot.press("Escape Escape Escape")
        }
        #expect(pilot.state.overlay == nil)
    }

    @Test func `D9, D16: the title counts the lines below the screen if there is room`() throws {
        let pilot = try Pilot("a\n" + (1...30).map { "\($0)\n" }.joined(), size: (60, 14))
        func title() -> String { pilot.screen.split(separator: "\n").first { $0.contains("·") }.map(String.init) ?? "" }
        pilot.press("F")
        let seen = pilot.screen.split(separator: "\n").count { $0.contains("█") }
        #expect(title().hasSuffix("↓ \(30 - seen) more lines"))
        pilot.press("End")
        #expect(!title().contains("↓"))
        pilot.press("Escape I")
        #expect(title().contains("↓ ") && title().hasSuffix(" more lines"))
        pilot.press("End Up")
        #expect(title().hasSuffix("↓ 1 more line"))
        pilot.press("Escape")
        pilot.resize(24, 14)
        pilot.press("I")
        #expect(title().contains("↓ ") && !title().contains("more"))
    }

    @Test func `D9: panels handle empty files, control characters and values that cannot be used in filters`() throws {
        let empty = try Pilot("a,b\n", size: (60, 14))
        for keys in ["I", "F", "zI"] {
            empty.press(keys)
            #expect(panel(empty)?.result != nil)
            empty.press("Escape")
        }
        var utf8 = LaunchOptions()
        utf8.files.dialect.encoding = .utf8
        let pilot = try Pilot(bytes: Array("t\n\u{1b}[31mred\n".utf8) + [0xff, 0x0a], size: (60, 14), options: utf8)
        pilot.press("F")
        #expect(!pilot.screen.unicodeScalars.contains("\u{1b}"))
        pilot.press(pilot.line(3).contains("red") ? "End Enter" : "Enter")
        #expect(pilot.state.message?.id == .cannotFilterByValue)
    }

    @Test func `D9: bars have a resolution of one eighth of a cell`() throws {
        let pilot = try Pilot("a\n" + String(repeating: "x\n", count: 16) + "y\n", size: (60, 14))
        pilot.press("F")
        #expect(pilot.line(3).hasSuffix(String(repeating: "█", count: 17)))
        // The bar is one sixteenth as long: 136 eighths of a cell, divided by 16.
        #expect(pilot.line(4).hasSuffix(" █▏"))
    }

    // MARK: Bars and values

    @Test(arguments: [(40, 10), (80, 24), (120, 40), (18, 12)])
    func `D9: Enter on a bar filters by its range, and the number of rows equals the count of the bar`(columns: Int, rows: Int) throws {
        let content =
            "n,day,x\n" + (0..<200).map { "\($0 * $0 % 97),2024-\($0 % 12 + 11 > 12 ? 10 : 11)-\($0 % 19 + 11),\($0 * 3).5\n" }.joined()
        for column in ["", "Right ", "Right Right "] {
            let probe = try Pilot(content, size: (columns, rows))
            probe.press("\(column)I")
            let page = try #require(panel(probe).flatMap { StatisticsText(probe.state, $0).page })
            let counts = try #require(page.histogram?.counts)
            #expect(counts.reduce(0, +) == 200)
            for bar in [0, 1, counts.count / 2, counts.count - 1] where counts[bar] > 0 {
                let pilot = try Pilot(content, size: (columns, rows))
                // Bars without rows are skipped.
                pilot.press("\(column)I" + String(repeating: " Right", count: counts[...bar].count { $0 > 0 }))
                #expect(panel(pilot)?.item == bar)
                if columns >= 80 { #expect(pilot.screen.contains(": \(counts[bar]) row")) }
                pilot.press("Enter")
                #expect(pilot.state.overlay == nil && pilot.order.count == counts[bar], "\(column)\(bar) \(pilot.message)")
                pilot.press("U")
                #expect(pilot.order.count == 200)
            }
        }
    }

    @Test func `D9: Enter on a frequent value filters by this value, and a click selects the value`() throws {
        let pilot = try Pilot(Self.orders, size: (80, 30), options: Self.options)
        pilot.press("Right I Right Enter")
        #expect(pilot.state.query.shown.filters.map(\.text) == ["side = 'BUY'"] && pilot.order == [1, 3, 5])
        pilot.press("U I")
        let place = try #require(pilot.place(of: "BUY"))
        let value = try #require(pilot.backend.lines.lastIndex { $0.contains("BUY") })
        pilot.click(place.x, value)
        #expect(panel(pilot)?.item == 0)
        pilot.press("Down Left Left")
        #expect(panel(pilot)?.item == nil)
    }

    @Test(
        arguments: [(40, 1), (60, 2), (90, 3), (120, 4), (200, 4)])
    func `D9: statistics are laid out in one to four columns without wide gaps`(width: Int, count: Int) throws {
        let pilot = try Pilot("n\n" + (1...100).map { "\($0)\n" }.joined(), size: (width, 40))
        pilot.press("I")
        let names = ["type", "median", "sum"]
        let line = try #require(pilot.backend.lines.first { $0.contains("type ") })
        let all = line.split(separator: " ").count {
            ["type", "p5", "p25", "median", "p75", "p95", "max", "min", "mean", "distinct"].contains($0)
        }
        #expect(all == count && names.allSatisfy { pilot.screen.contains($0) } && line.count <= count * 28, "\(pilot.screen)")
    }

    @Test func `D9: the axis of a histogram of dates has round dates`() throws {
        let content = "day\n" + (1...12).flatMap { month in (10...28).map { "2024-\(month < 10 ? "0" : "")\(month)-\($0)\n" } }.joined()
        let pilot = try Pilot(content, size: (120, 40))
        pilot.press("I")
        let picture = try #require(pilot.place(of: "Histogram"))
        let labels = pilot.line(picture.y + 10).split(separator: " ")
        #expect(labels.count > 1 && labels.allSatisfy { $0.hasSuffix("-01") }, "\(labels)")
    }

    // MARK: Without a screen

    private func write(_ format: OutputFormat, _ change: (inout LaunchOptions) -> Void = { _ in }) throws -> String {
        String(
            decoding: try BatchOutput.bytes(Array(Self.orders.utf8), format, statistics: true) {
                $0.types = Self.options.types
                change(&$0)
            }, as: UTF8.self)
    }

    @Test func `D9: --stats writes statistics of selected columns and rows as CSV and JSON`() throws {
        let csv = try write(.csv).split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(csv[0].prefix(6) == ["column", "type", "rows", "values", "empty", "missing"])
        #expect(csv.count == 5 && csv.allSatisfy { $0.count == csv[0].count })
        #expect(csv[3].prefix(7) == ["price", "decimal", "5", "4", "0", "0", "1"])
        #expect(csv[4].prefix(7) == ["day", "date", "5", "3", "1", "1", "0"])
        let json = try write(.jsonl) {
            $0.columns = [ColumnReference("price")]
            $0.filters = ["side = 'BUY'"]
        }
        #expect(json.contains(#""column": "price", "type": "decimal", "rows": 3, "values": 3"#))
        #expect(json.contains(#""min": 10.0"#) && json.contains(#""max": 30.5"#) && json.contains(#""shortest": null"#))
    }
}
