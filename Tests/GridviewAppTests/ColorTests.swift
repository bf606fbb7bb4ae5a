import DataGrid
import GridviewApp
import TerminalSurface
import Testing

/// Terminals with few colors or without colors.
@MainActor
@Suite struct ColorTests {
    private static let table = "a,b\n1,x\n2,y\n3,z\n"

    private func pilot(_ depth: ColorDepth) throws -> Pilot {
        var capabilities = TerminalCapabilities.xterm
        capabilities.colorDepth = depth
        return try Pilot(bytes: Array(Self.table.utf8), capabilities: capabilities)
    }

    @Test func `A5: without colors, the plain theme underlines the selection`() throws {
        let pilot = try pilot(.none)
        #expect(pilot.state.grid.theme.name == "plain")
        pilot.press("S-Down")
        let cells = pilot.backend.screen.cells
        #expect(cells.contains { $0.style.attributes.contains(.underline) && !$0.style.attributes.contains(.reverse) && $0.text == "1" })
        #expect(!String(decoding: pilot.backend.frames.flatMap(\.bytes), as: UTF8.self).contains("[38;"))
    }

    @Test func `A5: with 16 colors, the selection is underlined, because its background may be invisible`() throws {
        let pilot = try pilot(.ansi16)
        #expect(pilot.state.grid.theme.selection.traits.contains(.underline))
        #expect(try self.pilot(.indexed256).state.grid.theme == .dark)
    }

    @Test func `A5: a theme that does not suit the terminal background sets its own background`() throws {
        let pilot = try pilot(.trueColor)
        pilot.press("T")
        #expect(pilot.state.grid.theme.name == "light")
        #expect(pilot.state.grid.theme.row.background == Theme.light.ground.background)
        pilot.send(.background(TerminalColor(red: 255, green: 255, blue: 255)))
        #expect(pilot.state.grid.theme == .light)
    }
}
