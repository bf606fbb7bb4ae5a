import FieldValues
import Testing

@testable import DelimitedText

/// What columns are taken for.
@Suite struct ProfileTests {
    private func kinds(_ text: String, budget: Int = 50) throws -> [ColumnProfile] {
        try DelimitedFile.reading(text, request: DialectRequest(delimiter: 0x2c, hasHeader: true)).profiles(budgetMilliseconds: budget)
    }

    @Test func eachKind() throws {
        let profiles = try kinds(
            """
            i,d,day,moment,clock,flag,text,code,blank,mixed
            1,2.50,2024-01-31,2024-01-31T10:00:00,10:00:00,true,a,00123,,1
            -20,3,2024-02-29,2024-02-29T23:59:59,23:59:59,false,b,94110,,x
            3000,4.125,2023-12-01,2023-12-01T00:00:00,00:00:01,true,,02139, ,3

            """)
        #expect(profiles.map(\.kind) == [.integer, .decimal, .date, .dateTime, .time, .flag, .text, .text, .text, .text])
        #expect(profiles[1].maximumFractionDigits == 3)
        #expect(profiles[6].empties == 1)
        #expect(profiles[8].empties == 3)
        #expect(profiles[0].sampleTexts == ["3000", "-20", "1"])
    }

    @Test func fewMisfitsAreForgivenInLargeSamplesOnly() throws {
        let many = "n\n" + (0..<300).map { "\($0 == 7 ? "n/a" : String($0))\n" }.joined()
        #expect(try kinds(many)[0].kind == .integer)
        let few = "n\n" + (0..<30).map { "\($0 == 7 ? "n/a" : String($0))\n" }.joined()
        #expect(try kinds(few)[0].kind == .text)
        let often = "n\n" + (0..<300).map { "\($0 % 20 == 7 ? "n/a" : String($0))\n" }.joined()
        #expect(try kinds(often)[0].kind == .text)
    }

    @Test func theRestOfTheFileIsSampledToo() throws {
        let text = "a,b\n" + (0..<100_000).map { "\($0),\($0 < 60_000 ? "1" : "x\($0)")\n" }.joined()
        #expect(try kinds(text, budget: 0).map(\.kind) == [.integer, .integer])
        #expect(try kinds(text, budget: 1000).map(\.kind) == [.integer, .text])
    }

    @Test func columnsInAnyOrderAndNumber() throws {
        let file = try DelimitedFile.reading(
            "a,b,c\n1,\"x\"\"y\",3\n4\n\n5,6,7,8\n", request: DialectRequest(delimiter: 0x2c, hasHeader: true))
        var seen: [[String?]] = []
        try file.snapshot().scan(0..<4, columns: [2, 0, 2, -1, 9, 1]) { _, fields in
            seen.append(fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
            return true
        }
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
