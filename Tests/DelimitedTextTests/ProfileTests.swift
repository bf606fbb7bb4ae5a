import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import DelimitedText

/// Detection of column kinds.
@Suite struct ProfileTests {
    private func kinds(_ text: String, budget: Int = 50) throws -> [ColumnProfile] {
        try DelimitedFile.reading(text, request: DialectRequest(delimiter: 0x2c, hasHeader: true)).profiles(budgetMilliseconds: budget)
    }

    @Test func `each kind of column is detected`() throws {
        let profiles = try kinds(
            """
            i,d,day,moment,clock,flag,text,code,blank,mixed
            1,2.50,2024-01-31,2024-01-31T10:00:00,10:00:00,true,a,00123,,1
            -20,3,2024-02-29,2024-02-29T23:59:59,23:59:59,false,b,94110,,x
            3000,4.125,2023-12-01,2023-12-01T00:00:00,00:00:01,true,,02139, ,3

            """)
        #expect(profiles.map(\.kind) == [.integer, .decimal, .date, .dateTime, .time, .flag, .text, .text, .text, .text])
        #expect(profiles[1].maximumFractionDigits == 3)
        #expect(profiles[6].emptyCount == 1)
        #expect(profiles[8].emptyCount == 3)
        #expect(profiles[0].sampleTexts == ["3000", "-20", "1"])
    }

    /// The kinds and notations of columns, each given as a list of fields.
    private func types(
        _ columns: [[String]], _ separator: Character = ";", title: String = "c", hasHeader: Bool = true
    ) throws -> [String] {
        let rows = columns[0].indices.map { row in columns.map { $0[row] }.joined(separator: String(separator)) + "\n" }
        let header = columns.indices.map { "\(title)\($0)" }.joined(separator: String(separator)) + "\n"
        let request = DialectRequest(delimiter: separator.asciiValue!, hasHeader: hasHeader)
        return try DelimitedFile.reading((hasHeader ? header : "") + rows.joined(), request: request).profiles(budgetMilliseconds: 0)
            .map { "\($0.kind) \($0.notation) \($0.maximumFractionDigits)" }
    }

    @Test(
        arguments: [
            (["4.0K", "12K", "1.5G", "0"], "decimal point #K|B"), (["4.0K", "1.5M", "n/a"], "decimal point #K"),
            (["4.0K", "512", "87"], "decimal point #K"), (["1,5M", "12K", "0"], "decimal comma #K"),
            (["512B", "1.2K"], "decimal point #K|B"), (["512B", "3.4M", "2G"], "decimal point #K|B"),
            (["72.8MB", "5.6MB"], "decimal point #KB"), (["3 MB", "12 kB", "512 B"], "decimal point # KB"),
            (["15Gi", "512Mi", "0B"], "decimal point #Ki"), (["1.2GiB", "512MiB", "3B"], "decimal point #KiB"),
            (["-1.5K", "+2M", "0"], "decimal point #K"), ((0..<10).map { "\($0).5M" }, "decimal point #K"),
            ((0..<200).map { $0 == 7 ? "x" : "\($0).5M" }, "decimal point #K"), (["1.5", "2K", "3M"], "decimal point #K"),
        ])
    func `17.9: a column with the title size is read as sizes if its values have two units or fractions`(fields: [String], type: String)
        throws
    {
        #expect(try types([fields], title: "size") == ["\(type) 0"])
    }

    @Test(
        arguments: [
            // du -h, du -sh *
            ("", ["4.0K", "12K", "1.5G", "0"]), ("", ["4.0K", "8.0K", "12K"]), ("", ["1.2M", "900K"]), ("", ["0", "4.0K"]),
            ("", ["4.0K", "1.5G"]), ("", ["1.1G", "380M", "2.3T"]),
            // ls -lh, numfmt --to=iec
            ("", ["4.0K", "123", "87", "1.2M"]), ("", ["1.5K", "977K", "12M", "512"]), ("", ["1,5M", "12K", "0"]),
            // df -h
            ("Size", ["12G", "2.4G", "1.8T", "5.0M"]), ("Avail", ["12G", "2.4G", "100G"]), ("Used", ["0", "1.1M", "0"]),
            ("Size", ["20G", "7.8G"]), ("Size", ["1.8T", "3.6T"]), ("Größe", ["20G", "512M"]), ("capacity", ["10G", "500M"]),
            // free -h: old and new
            ("total", ["7.6G", "980M"]), ("used", ["3.1Gi", "0B"]), ("shared", ["512Mi", "1.0Gi"]), ("free", ["312M", "0B"]),
            // docker images, docker system df, docker stats
            ("SIZE", ["72.8MB", "1.06GB", "7.8MB"]), ("SIZE", ["1.2GB", "0B", "0B", "0B"]), ("RECLAIMABLE", ["1.2GB", "12.3kB"]),
            // lsblk
            ("SIZE", ["953.9G", "1G", "512M", "952.4G"]), ("SIZE", ["476.9G", "1G"]), ("SIZE", ["1.8T", "512M", "1.8T"]),
            // apt, zfs, ps, systemd-cgtop
            ("", ["12.3 MB", "845 kB"]), ("Installed-Size", ["12.3 MB", "845 kB"]), ("USED", ["1.23G", "96K", "12.3M"]),
            ("MaxRSS", ["123.5K", "40.25M"]), ("Memory", ["1.2G", "12.3M", "980.0K"]), ("fileSize", ["1K", "2M"]),
            ("download size", ["1K", "2M"]),
            // With another title, the values must look like output of du, with a fraction, four digits, or both G and M.
            ("c", ["4.0K", "1.5M", "n/a"]), ("c", ["1.5K", "1012K", "2.3M"]), ("c", ["1.5G", "12M"]), ("c", ["4.0K", "512"]),
        ])
    func `17.9: the sizes in the output of common programs are recognized`(title: String, fields: [String]) throws {
        let type = try types([fields], title: title, hasHeader: !title.isEmpty)[0]
        #expect(type.hasPrefix("decimal ") && type.contains("#"), "\(type)")
    }

    @Test(
        arguments: [
            // Clothes, shoes, distances, weights, temperatures, concentrations, postcodes and other codes.
            ["3M", "6M", "12M", "18M", "24M", "2T", "3T", "4T"], ["7M", "7.5M"], ["7M", "7.5M", "8M", "8.5M", "9M", "10M"],
            ["100M", "200M", "1500M", "5K", "10K"], ["5K", "10K", "21.1K", "42.2K"], ["5K", "10K"], ["500G", "1K", "1.5K", "250G"],
            ["500G", "1.5K", "250G"], ["300.5K", "310K"], (0..<20).map { "\(300 + $0).5K" }, ["0.5M", "1M"], ["1GB", "2EB"],
            ["01M", "02K", "03G"], ["1001K", "1002M"], ["14K", "18K", "24K"],
            // Counts and amounts.
            ["1B", "900K", "2B"], ["1.2M", "900K", "850K", "3M"], ["1.2B", "345M", "900K"], ["7B", "70B", "350M"], ["512B", "3.4M"],
            ["512B", "1.2K"], ["1.5T", "2K", "3M"], ["1K", "2M"], ["12M", "45M"], (0..<20).map { "\($0).5M" }, (10..<40).map { "\($0)M" },
        ], ["", "c"])
    func `17.9: everyday codes and counts are not sizes`(fields: [String], title: String) throws {
        #expect(try types([fields], title: title, hasHeader: !title.isEmpty)[0].hasPrefix("text point "))
    }

    @Test(arguments: [
        "size": ["3M", "6M", "12M", "18M", "24M", "2T", "3T", "4T"], "Size": ["7M", "7.5M", "8M"], "sizes": ["3M", "6M", "12M"],
        "Model size": ["7B", "70B", "350M"], "population": ["1.0M", "900K", "1.5G"], "median salary": ["4.0K", "12K", "1.2M"],
        "views": ["987", "4.0K", "1.2M"], "Followers": ["1.0K", "12K", "1.5M"], "price": ["4.0K", "1.5M", "0"], "income": ["1.5G", "12M"],
        "likes": ["4.0K", "512", "1.5M"], "stars": ["1.2K", "15K", "3.4M"], "Market cap": ["1.5T", "1.5G", "12M"],
        "count": ["1.2K", "3.4M"],
    ])
    func `17.9: the title of a column can show that its values are not sizes`(title: String, fields: [String]) throws {
        #expect(try types([fields], title: title)[0].hasPrefix("text point "))
    }

    @Test(
        arguments: [
            ["M", "F"], ["K", "K"], ["12K", "K"], ["3D", "4T"], ["5E", "6E", "5M"], ["1e5", "5E", "3"], ["12E", "14K", "3G"],
            ["12M", "9F"],
            ["5M", "7M"], ["1.2B", "345M", "900K"], ["7B", "70B", "350M"], ["512B", "3.4M"], ["1.5G", "12K", "x"], ["1.5GB", "1.5GiB"],
            ["12K", "1Mi"], ["2024-01", "5K", "6M"], (0..<200).map { "\($0 % 2 * 5 + 5)K" }, ["1.5T", "2K", "3M", "1.5B"], ["12KB"],
            ["1", "2", "3", "4", "5", "6", "5K", "2x"], ["5000", "6000", "7000", "5K", "2M"],
        ])
    func `17.9: codes, billions, values with a single unit, and values of mixed kinds are text`(fields: [String]) throws {
        #expect(try types([fields])[0].hasPrefix("text point "))
    }

    @Test func `17.9: sizes mixed with percentages or money are text, and a single size in a column of numbers is ignored`() throws {
        #expect(try types([["1.5G", "12K", "5%"], ["1.5G", "12K", "€5"], ["1.5G", "12K", "(5)"]]).allSatisfy { $0.hasPrefix("text ") })
        #expect(try types([(0..<200).map { $0 == 7 ? "5K" : "\($0)" }]) == ["integer point 0"])
        #expect(try types([(0..<200).map { $0 == 7 ? "1.5Ki" : "\($0)M" } + ["5K"]], title: "size") == ["decimal point #K 0"])
    }

    @Test func `17.9: a few sizes do not change a column of dates or flags`() throws {
        for value in ["2024-01-31", "true"] {
            let fields = (0..<200).map { $0 == 7 ? "5.0K" : $0 == 9 ? "3.0M" : value }
            #expect(try types([fields], title: "size") == ["\(value == "true" ? "flag" : "date") point 0"])
        }
    }

    @Test(arguments: [0, 700, 1_234, 2_999])
    func `D5: a small file is sampled completely, so the longest text is found anywhere`(place: Int) throws {
        // The file has so many records that only some of them are classified.
        var rows = (0..<3_000).map { "\($0),x" }
        rows[place] = "123456789,a longer text"
        let profiles = try kinds("a,b\n" + rows.joined(separator: "\n") + "\n", budget: 0)
        #expect(profiles.map { $0.sampleTexts.first } == ["123456789", "a longer text"])
        #expect(profiles[0].kind == .integer && profiles[0].sampledCount <= 2_001)
        // The sample includes the end of the file, where the column has text.
        #expect(try kinds("a\n" + (0..<1_500).map { "\($0 < 1_000 ? "1" : "x")\n" }.joined())[0].kind == .text)
    }

    @Test(arguments: [1_001, 1_002])
    func `D3: a column that is empty in the sample has the sample's counts, and the longest string of all records`(place: Int) throws {
        // Two of three records are sampled, so the sample has only one of the two lines below.
        var rows = (0..<3_000).map { "\($0)," }
        rows[place] = "7,not empty"
        rows[place + 1] = "8,             "
        let profiles = try kinds("a,b\n" + rows.joined(separator: "\n") + "\n", budget: 0)
        #expect(profiles[1].kind == .text && profiles[1].sampleTexts.contains("not empty"))
        #expect(profiles[1].sampledCount == profiles[0].sampledCount)
        #expect((profiles[1].sampledCount - 1...profiles[1].sampledCount).contains(profiles[1].emptyCount))
        #expect(MemoryLayout<ColumnSampler>.stride <= 24, "a table may have millions of empty columns")
    }

    @Test func `D3: the sample of a large file consists of its head, its tail and seven places between`() throws {
        let words = ["plain", "\"two, words\"", "\"a \"\"quote\"\"\"", ""]
        let rows = (0..<20_000).map { "\(100_000 + $0),\(words[$0 % 4]),2024-01-01,some longer text in every row\n" }
        let profiles = try kinds("number,words,day,text\n" + rows.joined(), budget: 60_000)
        #expect(profiles.map(\.kind) == [.integer, .text, .date, .text])
        // The sample has 500 records of the head and 31 of each other place, without partial records at either end.
        #expect((700...748).contains(profiles[0].sampledCount), "\(profiles[0].sampledCount)")
    }

    @Test func `D5: the sample texts of a column include the number that is widest when decimal points are aligned`() throws {
        let long = (0..<20).map { "0.12345\(100_000 + $0)" }
        let profile = try kinds("a\n" + (long + ["1234567.5"]).joined(separator: "\n") + "\n")[0]
        #expect(profile.sampleTexts.count == 9 && profile.sampleTexts.last == "1234567.5")
    }

    @Test func `D3: a column has decimal commas if its numbers cannot be read with decimal points`() throws {
        #expect(try types([["12,5", "1.234,75", "-7"]]) == ["decimal comma 2"])
        #expect(try types([["12.5", "1,234.75", "-7"]]) == ["decimal point 2"])
        #expect(try types([["12,5", "12.5", "-7"]]) == ["text point 0"])
        // Without other values, these numbers are ambiguous. Text with several dots may be an address.
        #expect(try types([["1,500", "2,250"]]) == ["integer point 0"])
        #expect(try types([["1.500", "2.250"]]) == ["decimal point 3"])
        #expect(try types([["192.168.178.101", "192.168.178.102"]]) == ["text point 0"])
        #expect(try types([["1.234.567", "999"]]) == ["text point 0"])
        // A string that contains a number does not reveal the notation.
        #expect(try types([["12,5", "a", "b"], ["1,500", "2,250", "1"]]) == ["text comma 0", "integer point 0"])
    }

    @Test func `D3: apostrophes and spaces that are not blanks separate thousands`() throws {
        let rows = "1'234,\"1\u{202F}234,5\",CHF 1\u{2019}234.50,5 500\n12,\"7,25\",CHF 5.00,6 600\n"
        let profiles = try kinds("n,s,f,c\n" + rows)
        #expect(profiles.map(\.kind) == [.integer, .decimal, .decimal, .text])
        #expect(profiles[1].notation == .comma && profiles[1].maximumFractionDigits == 2)
        #expect(profiles[2].notation.unit.symbol == "CHF" && !profiles[2].notation.isComma)
    }

    @Test func `D3: a column of ambiguous numbers has the same notation as the other columns`() throws {
        let prices = ["12,5", "0,25"]
        let open = [["1,500", "2,250"], ["1.500", "2.250"], ["1500", "7"], ["1.234.567", "2"]]
        #expect(
            try types([prices] + open) == ["decimal comma 2", "decimal comma 3", "integer comma 0", "integer comma 0", "integer comma 0"])
        #expect(try types(open + [prices], "\t").first == "decimal comma 3")
        // A column with decimal points prevents this inference.
        #expect(try types([prices, ["1.5", "2.5"]] + open.prefix(2)).suffix(2) == ["integer point 0", "decimal point 3"])
        // Comma-delimited files prevent it too, because decimal commas need quotes there.
        let quoted = [prices, ["1,500", "2,250"]].map { $0.map { "\"\($0)\"" } }
        #expect(try types(quoted, ",") == ["decimal comma 2", "integer point 0"])
    }

    @Test func `D3: a large column of decimal commas may contain a few other fields`() throws {
        let many = (0..<300).map { $0 == 3 || $0 == 7 ? "x" : $0 == 9 ? "3.5" : "\($0),5" }
        #expect(try types([many]) == ["decimal comma 1"])
        #expect(try types([Array(many.prefix(30))]) == ["text comma 0"])
    }

    @Test(arguments: [0, 1, 190, 2_499])
    func `D3: a single number with a fraction makes the column decimal, wherever it is in a small file`(place: Int) throws {
        // Not all of the 3,000 records are sampled.
        for count in [195, 3_000] where place < count {
            var fields = (0..<count).map(String.init)
            fields[place] = "0.49"
            #expect(try types([fields]) == ["decimal point 2"], "\(count)")
        }
        // A string among integers stays a misfit.
        #expect(try types([(0..<195).map { $0 == 190 ? "1.5 km" : String($0) }]) == ["integer point 0"])
    }

    /// The kinds and date notations of columns, each given as a list of fields. A question mark follows an ambiguous notation.
    private func dates(_ columns: [[String]], budget: Int = 0) throws -> [String] {
        let rows = columns[0].indices.map { row in columns.map { $0[row] }.joined(separator: ";") + "\n" }
        let header = columns.indices.map { "c\($0)" }.joined(separator: ";") + "\n"
        let request = DialectRequest(delimiter: 0x3B, hasHeader: true)
        return try DelimitedFile.reading(header + rows.joined(), request: request).profiles(budgetMilliseconds: budget)
            .map { "\($0.kind) \($0.dateNotation.rawValue)\($0.hasAmbiguousDates ? "?" : "")" }
    }

    @Test func `D3: a value greater than 12 decides the order of day and month`() throws {
        #expect(try dates([["01/02/2022", "24/01/2022"]]) == ["date dmy"])
        #expect(try dates([["01/02/2022", "01/24/2022"]]) == ["date mdy"])
        #expect(try dates([["01/02/2022 10:00", "24/01/2022 1:30 PM"]]) == ["dateTime dmy"])
        #expect(try dates([["01/02/2022", "24/01/2022", "01/24/2022"]]) == ["text dmy"])
        #expect(try dates([["01/02/2022", "2022-01-24"]]) == ["date dmy?"])
        // Ambiguous columns take the notation of the other columns.
        #expect(try dates([["01/02/2022", "03/04/2022"]]) == ["date dmy?"])
        #expect(try dates([["01/02/2022", "03/04/2022"], ["01/24/2022", "01/02/2022"]]) == ["date mdy?", "date mdy"])
        #expect(try dates([["01/02/2022", "03/04/2022"], ["24/01/2022", "01/02/2022"]]) == ["date dmy?", "date dmy"])
    }

    @Test func `17.2: a column of dates with two-digit years is a date column only if every field is such a date`() throws {
        #expect(try dates([["22/01/24", "01/02/24"]]) == ["date dmy"])
        #expect(try dates([["01/22/24", "01/02/24"]]) == ["date mdy"])
        #expect(try dates([["01/02/24", "03/04/24"]]) == ["date dmy?"])
        #expect(try dates([["22.01.24", "01.02.24"], ["22-SEP-24", "1-Oct-24"]]) == ["date iso", "date iso"])
        #expect(try dates([["22/01/24 10:00", "01/02/24 1:30 PM"]]) == ["dateTime dmy"])
        #expect(try dates([["22/01/24", "n/a"], ["1.2.22", "1.3.22"], ["24-01-22", "24-02-22"]]).allSatisfy { $0.hasPrefix("text") })
        #expect(
            try dates([["1.2.24", "15.3.24"], ["1.2.24 10:00", "2.2.24 9:30"], ["1.2.24", "01.02.24"]]) == [
                "date iso", "dateTime iso", "date iso",
            ])
        // Most versions have the same first number.
        #expect(try dates([["3.9.10", "3.10.11"], ["1.2.24", "1.2.24"]]).allSatisfy { $0.hasPrefix("text") })
        // One other text among many is tolerated only with four digits.
        func fields(_ year: String) -> [String] { (0..<300).map { $0 == 7 ? "later" : "\($0 % 28 + 1)/\($0 % 12 + 1)/\(year)" } }
        #expect(try dates([fields("2024"), fields("24")]).map { $0.prefix(4) } == ["date", "text"])
    }

    @Test func `D3: dates that can be read in only one way have no day-month notation`() throws {
        let columns = [
            ["22 Sep 2022", "1 May 2023"], ["May 05, 2025", "September 1, 2025"], ["2022/1/4", "2022/12/30"], ["2024-W05", "2024-W06-3"],
            ["4. März 2022", "24. Dez. 2022"], ["2022-01-24", "2022-01-25"], ["1:30 PM", "2:00 AM"],
        ]
        #expect(try dates(columns) == Array(repeating: "date iso", count: 6) + ["time iso"])
    }

    @Test(arguments: [0, 1, 1_500, 2_999])
    func `D3: any single record of a small file can decide the order of day and month`(place: Int) throws {
        // Not all of the 3,000 records are sampled.
        func fields(_ decider: String) -> [String] { (0..<3_000).map { $0 == place ? decider : "0\($0 % 9 + 1)/0\($0 % 7 + 1)/2022" } }
        #expect(try dates([fields("24/01/2022"), fields("01/24/2022"), fields("01/02/2022")]) == ["date dmy", "date mdy", "date dmy?"])
    }

    @Test func `D3: dates in a large file are detected from the sample`() throws {
        let rows = (0..<60_000).map { row in
            [
                "\(row % 28 + 1)/\(row % 12 + 1)/2022", "\(row % 12 + 1)/\(row % 28 + 1)/2022",
                row % 487 == 300 ? "n/a" : "\(row % 28 + 1) Sep 2022",
            ]
        }
        let columns = (0..<3).map { column in rows.map { $0[column] } }
        let found = try dates(columns, budget: 60_000)
        #expect(found == ["date dmy", "date mdy", "date iso"])
    }

    @Test func `D3: integers are dates if all are plausible dates and the title or their number suggests dates`() throws {
        func kind(_ title: String, _ fields: [String]) throws -> String {
            let text = "x,\(title)\n" + fields.map { "a,\($0)\n" }.joined()
            let profile = try kinds(text, budget: 0)[1].titled(title)
            return "\(profile.kind) \(profile.dateNotation.rawValue)"
        }
        let few = ["20260131", "20260228"]
        #expect(try kind("n", few) == "integer ymd")
        #expect(try kind("date", few) == "date ymd" && kind("order dates", few) == "date ymd")
        #expect(try kind("date", few + ["20260229"]) == "integer iso")
        let many = (0..<40).map { "2026\($0 < 20 ? "01" : "02")\(10 + $0 % 19)" }
        #expect(try kind("n", many) == "date ymd" && kind("id", many) == "integer ymd" && kind("amount", many) == "integer ymd")
        // Numbers that count up are not dates, even if all are valid.
        #expect(try kind("n", (0..<28).map { "202601\($0 < 9 ? "0" : "")\($0 + 1)" }) == "integer ymd")
        let seconds = ["1700000000", "1700003600"]
        #expect(try kind("n", seconds) == "integer epoch" && kind("timestamp", seconds) == "dateTime epoch")
        #expect(try kind("created_at", seconds.map { $0 + "123" }) == "dateTime epoch-ms")
        #expect(try kind("time", ["12", "1700003600"]) == "integer iso")
        let fractions = ["1704067200.5", "1704067200", "1704067201.123456"]
        #expect(try kind("n", fractions) == "decimal epoch" && kind("updated", fractions) == "dateTime epoch")
        #expect(try kind("time", ["12.5", "1704067200.5"]) == "decimal iso" && kind("time", ["-1704067200.5"]) == "decimal iso")
    }

    @Test func `a large sample of numbers may contain a few other fields, but a small sample none`() throws {
        let many = "n\n" + (0..<300).map { "\($0 == 7 ? "x" : String($0))\n" }.joined()
        #expect(try kinds(many)[0].kind == .integer)
        let few = "n\n" + (0..<30).map { "\($0 == 7 ? "x" : String($0))\n" }.joined()
        #expect(try kinds(few)[0].kind == .text)
        let often = "n\n" + (0..<300).map { "\($0 % 20 == 7 ? "x" : String($0))\n" }.joined()
        #expect(try kinds(often)[0].kind == .text)
    }

    @Test func `the time budget limits the part of the file that is sampled`() throws {
        let text = "a,b\n" + (0..<100_000).map { "\($0),\($0 < 60_000 ? "1" : "x\($0)")\n" }.joined()
        #expect(try kinds(text, budget: 0).map(\.kind) == [.integer, .integer])
        #expect(try kinds(text, budget: 1000).map(\.kind) == [.integer, .text])
    }

    @Test func `a scan delivers columns in any order and repeatedly, and nonexistent columns as missing fields`() throws {
        let file = try DelimitedFile.reading(
            "a,b,c\n1,\"x\"\"y\",3\n4\n\n5,6,7,8\n", request: DialectRequest(delimiter: 0x2c, hasHeader: true))
        let seen = try file.snapshot().strings(of: 0..<4, columns: [2, 0, 2, -1, 9, 1])
        #expect(
            seen == [
                ["3", "1", "3", nil, nil, "x\"y"], [nil, "4", nil, nil, nil, nil], [nil, nil, nil, nil, nil, nil],
                ["7", "5", "7", nil, nil, "6"],
            ])
        var count = 0
        try file.snapshot().scan(1..<4, columns: []) { record, fields in
            count += 1
            return record < 2
        }
        #expect(count == 2)
    }
}
