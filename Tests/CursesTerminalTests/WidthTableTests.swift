import CNcursesw
import Foundation
import Testing

@testable import TerminalSurface

/// Detection of the terminal background from environment variables.
@Suite struct BackgroundTests {
    @Test func `A5: COLORFGBG selects a light or dark background, and its invalid values are ignored`() {
        let (light, dark) = (TerminalColor(red: 255, green: 255, blue: 255), TerminalColor(red: 0, green: 0, blue: 0))
        for text in ["0;15", "0;default;15", "0;7", "0;11"] { #expect(TerminalColor(colorFgBg: text) == light) }
        for text in ["15;0", "15;default;0", "7;8", "7;4"] { #expect(TerminalColor(colorFgBg: text) == dark) }
        for text in ["", ";", "0;", "default;default", "0;16", "0;-1", "0;99999999999999999999", "0;1\u{1B}[0m"] {
            #expect(TerminalColor(colorFgBg: text) == nil)
        }
    }
}

@Suite struct WidthTableTests {
    /// The table was generated from glibc 2.36. If the C library has other widths, the test prints a new table.
    @Test func `the table of character widths agrees with the C library`() {
        guard nc_glibc_version() == 236 else { return }
        setlocale(LC_CTYPE, "C.UTF-8")
        defer { setlocale(LC_CTYPE, "C") }
        var runs: [UInt32] = []
        for scalar in UInt32(0)..<0x11_0000 {
            let isControl = scalar < 0x20 || 0x7F..<0xA0 ~= scalar
            let width = isControl ? -1 : nc_wcwidth(scalar)
            let kind = width < 0 ? 3 : UInt32(width)
            if runs.last.map({ $0 & 3 }) != kind { runs.append(scalar << 2 | kind) }
        }
        let isSame = runs == WidthTable.runs
        #expect(isSame)
        if !isSame { print(runs.map { "0x" + String($0, radix: 16, uppercase: true) }.joined(separator: ", ")) }
        for scalar in UInt32(0x20)..<0x11_0000
        where DisplayWidth.of(scalarValue: scalar) != (0x7F..<0xA0 ~= scalar ? -1 : Int(nc_wcwidth(scalar))) {
            Issue.record("U+\(String(scalar, radix: 16))")
            break
        }
    }
}
