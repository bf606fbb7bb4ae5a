import DataGridQuery
import Foundation
import Testing

@testable import GridviewApp

/// Control characters in batch output.
@MainActor
@Suite struct OutputControlTests {
    private static let controls = "na\u{7}me,b\u{202E}\n\u{1b}[31mred\u{9b}2J\u{202E}x\u{7f},\"p\tq & <b> | \\ é\n\"\n"

    /// True if the text has no control characters except line endings.
    private func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && !(127..<160).contains($0.value) && !$0.properties.isBidiControl) }
    }

    @Test(arguments: [OutputFormat.json, .jsonl])
    func `E: JSON escapes control characters and decodes to the original text`(format: OutputFormat) throws {
        let text = try BatchOutput.text(Self.controls, format)
        #expect(isSafe(text) && text.contains(#""\u001b[31mred\u009b2J\u202ex\u007f""#))
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let record = (read as? [[String: String]])?.first ?? read as? [String: String]
        #expect(record == ["na\u{7}me": "\u{1b}[31mred\u{9b}2J\u{202E}x\u{7f}", "b\u{202E}": "p\tq & <b> | \\ é\n"])
    }

    @Test func `E: Markdown replaces control characters with symbols and escapes markup from the file`() throws {
        #expect(
            try BatchOutput.text(Self.controls, .markdown) == """
                | na␇me | b\u{FFFD} |
                |---|---|
                | ␛[31mred\u{FFFD}2J\u{FFFD}x␡ | p␉q &amp; &lt;b> \\| \\\\ é<br> |

                """)
    }

    @Test func `E: CSV and TSV replace control characters only on a terminal`() throws {
        #expect(try BatchOutput.text(Self.controls, .csv) == Self.controls)
        #expect(
            String(decoding: try BatchOutput.bytes(Array(Self.controls.utf8), .csv, marksControls: true) { _ in }, as: UTF8.self)
                == "na␇me,b\u{FFFD}\n␛[31mred\u{FFFD}2J\u{FFFD}x␡,p␉q & <b> | \\ é⏎\n")
        let latin = Array("a\tb\n".utf8) + [0x9b, 0x32, 0x4a, 9] + Array("é\n".utf8)
        #expect(
            try BatchOutput.bytes(latin, .tsv, marksControls: true) { $0.files.dialect.encoding = .utf8 }
                == Array("a\tb\n\u{FFFD}2J\té\n".utf8))
    }

    @Test(arguments: OutputFormat.allCases)
    func `E: statistics and groups are safe for a terminal in every format`(format: OutputFormat) throws {
        func output(statistics: Bool, _ change: (inout LaunchOptions) -> Void) throws -> String {
            String(
                decoding: try BatchOutput.bytes(
                    Array(Self.controls.utf8), format, statistics: statistics, marksControls: true, change), as: UTF8.self)
        }
        // TSV uses tabs as delimiters.
        func check(_ text: String) { #expect(isSafe(format == .tsv ? text.replacing("\t", with: " ") : text) && text.contains("31mred")) }
        check(try output(statistics: true) { _ in })
        for isCollapsed in [false, true] {
            check(
                try output(statistics: false) {
                    $0.groups = [GroupRequest(ColumnReference("#1"))]
                    $0.isCollapsed = isCollapsed
                })
        }
    }

    @Test func `E: text output is safe for a terminal`() throws {
        let text = try BatchOutput.text("a,b\n\u{1b}[31mred\u{202E}\u{9b},\"x\ny\tz\"\n", .text)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && !(127..<160).contains($0.value) && $0.value != 0x202E) })
        #expect(text.contains("␛[31mred") && text.contains("x⏎y␉z"))
    }

    @Test func `D10, D15: HTML output is a table with escaped markup and control characters`() throws {
        #expect(
            try BatchOutput.text(Self.controls, .html) == """
                <meta charset="utf-8">
                <table>
                <thead>
                <tr><th>na␇me</th><th>b\u{FFFD}</th></tr>
                </thead>
                <tbody>
                <tr><td>␛[31mred\u{FFFD}2J\u{FFFD}x␡</td><td>p␉q &amp; &lt;b&gt; | \\ é<br></td></tr>
                </tbody>
                </table>

                """)
    }
}
