import Testing

@testable import GridviewApp

/// Copies of collapsed groups.
@MainActor
@Suite struct GroupCopyTests: TradesSuite {
    @Test func `D10, D21: collapsed groups are copied as one record each, like those of batch output`() throws {
        let pilot = try Pilot(Self.trades, size: (70, 14))
        pilot.press("l zg zM C-a Y")
        let records = ["sector\tcount\tmean(price)", "Energy\t2\t7.25", "Health\t1\t99", "Tech\t3\t418.5"]
        #expect(pilot.clipboardText == records.joined(separator: "\n"))
        #expect(pilot.state.message == .copiedGroups(3, withNames: true))
        pilot.press("C-a zy")
        pilot.type("CSV")
        pilot.press("Enter")
        #expect(pilot.clipboardText == records.joined(separator: "\n").replacing("\t", with: ",") + "\n")
        pilot.press("Escape Home zj y")
        guard case .header(let section) = pilot.state.grid.cursor.item else { return #expect(Bool(false), "the cursor is on a header") }
        #expect(pilot.clipboardText == records[section + 1])
    }

    @Test func `D10, D21: on the header of an expanded group, the keys that copy say how to copy the group`() throws {
        let pilot = try Pilot(Self.trades, size: (70, 14))
        pilot.press("l zg y")
        #expect(pilot.state.message == .nothingToCopy(collapseKey: "za") && pilot.clipboard == nil)
        pilot.press("za y")
        #expect(pilot.clipboardText == "Energy\t2\t7.25")
    }

    @Test func `D10, D21: collapsed groups can be copied in every format, without a header, and with displayed values`() throws {
        let pilot = try Pilot(Self.trades, size: (70, 20))
        pilot.press("l zg zM")
        #expect(
            pilot.copyAll("SQL").hasPrefix("INSERT INTO \"test\" (\"sector\", \"count\", \"mean(price)\") VALUES ('Energy', 2, 7.25);\n"))
        #expect(pilot.copyAll("HTML").contains("<th>sector</th>") && pilot.clipboardText.hasSuffix("</tbody>\n</table>\n"))
        #expect(pilot.state.message == .copiedGroups(3, as: "HTML"))
        #expect(pilot.copyAll("CSV", "header") == "Energy,2,7.25\nHealth,1,99\nTech,3,418.5\n")
        #expect(pilot.state.message == .copiedGroups(3, as: "CSV without header"))
        #expect(pilot.copyAll("Markdown", "values") == "| Energy | 2 | 7.25 |\n| Health | 1 | 99.00 |\n| Tech | 3 | 418.50 |\n")
    }
}
