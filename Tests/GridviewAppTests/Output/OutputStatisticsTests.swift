import DataGridQuery
import Testing

@testable import GridviewApp

/// Statistics in batch output.
@MainActor
@Suite struct OutputStatisticsTests {
    @Test func `D9, D15: statistics omit the most frequent value if every value occurs once`() throws {
        let text = String(
            decoding: try BatchOutput.bytes(Array("id,side\n1,x\n2,y\n3,x\n".utf8), .jsonl, statistics: true) { _ in }, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines[0].hasSuffix(#""most_frequent": null, "most_frequent_count": null}"#))
        #expect(lines.count == 2 && lines[1].hasSuffix(#""most_frequent": "x", "most_frequent_count": 2}"#))
    }

    @Test func `D9, D15: statistics keep all digits of exact sums`() throws {
        let table = "n,d\n9223372036854775807,0.1\n9223372036854775807,0.2\n9223372036854775807,0\n9007199254740993,0\n"
        let text = String(decoding: try BatchOutput.bytes(Array(table.utf8), .jsonl, statistics: true) { _ in }, as: UTF8.self)
        #expect(text.contains("\"sum\": 27679123309819068414,") && text.contains("\"mean\": 6919780827454767103.5,"))
        #expect(text.contains("\"min\": 9007199254740993,") && text.contains("\"sum\": 0.3,"))
        let grouped = try BatchOutput.text("k,n\n" + String(repeating: "a,9223372036854775807\n", count: 3), .text) {
            $0.groups = [GroupRequest(ColumnReference("k"))]
        }
        #expect(grouped.contains("▾ k: a  3 rows  n sum 27,670,116,110,564,327,421\n"))
    }
}
