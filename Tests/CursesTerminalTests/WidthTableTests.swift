import CNcursesw
import Foundation
import Testing

@testable import TerminalSurface

@Suite struct WidthTableTests {
    /// The table was generated from glibc 2.36. If they differ, the test prints the new table.
    @Test("the width table equals the widths of the C library")
    func widthsMatchTheCLibrary() {
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
