import DataGrid
import FieldValues
import Tables
import Testing

@testable import DataGridQuery
@testable import GridviewApp

/// Messages about groups that no screen shows in full.
@Suite struct GroupMessageTests {
    private static let columns = [
        Column(id: 0, title: "v\nw", kind: .decimal), Column(id: 1, title: "day", kind: .dateTime),
        Column(id: 2, title: "clock", kind: .time), Column(id: 3, title: "n", kind: .integer), Column(id: 4, title: "m", kind: .integer),
    ]

    private func phrase(_ values: [(count: Int, text: String)]) -> String? {
        let values = values.enumerated().map { column, value in
            LeftOutValues(field: FieldID(rawValue: column), count: value.count, firstRecord: 68_500, firstText: value.text)
        }
        return Message.leftOutValues(values, in: Self.columns)
    }

    @Test func `D8: the note about values left out of aggregates gives the column, the kind and the row on one line`() {
        #expect(phrase([]) == nil)
        #expect(phrase([(1, "$4\nx")]) == "aggregates leave out a value of “v⏎w” that is not a number: “$4⏎x” in row 68,501")
        let first = "aggregates leave out 2 values of “v⏎w” that are not numbers, such as “$4⏎␉x” in row 68,501"
        #expect(phrase([(2, "$4\r\n\tx")]) == first)
        let second = "; a value of “day” that is not a date: “2024-02-31” in row 68,501"
        let third = "; 1,000 values of “clock” that are not times, such as “25:61” in row 68,501"
        let three = [(2, "$4\n\tx"), (1, "2024-02-31"), (1_000, "25:61")]
        #expect(phrase(three) == first + second + third)
        #expect(phrase(three + [(1, "1x")]) == first + second + third + "; values of 1 more column")
        #expect(phrase(three + [(1, "1x"), (1, "1x")]) == first + second + third + "; values of 2 more columns")
    }
    @Test func `D8: the note about values that a server leaves out of aggregates gives the column and the range`() {
        let values = [(1, 2), (2, 1)].map { LeftOutValues(field: FieldID(rawValue: $0), count: $1) }
        let note = "aggregates leave out 2 values of “day” outside the years 1 to 9999; a value of “clock” at 24:00 or later"
        #expect(Message.leftOutValues(values, in: Self.columns) == note)
    }
}
