import DataGridQuery
import GridviewApp
import Testing

/// Options that recreate a view, shown on the file details page.
@MainActor
@Suite struct QueryOptionsTests {
    private static let table = "kind,price,\"a,b\",it's\nx,10,3,q\ny,2,1,q\nx,20,2,r\nz,4,4,q\n"

    @Test func `D18: the command-line options of a view recreate the same rows`() throws {
        let pilot = try Pilot(Self.table, size: (90, 30))
        #expect(pilot.state.queryOptions.isEmpty)
        pilot.press("z= \"twice = price * 2\" Enter")
        pilot.press("& \"price > 2\" Enter & \"#4 = 'q'\" Enter")
        pilot.press("0 Right Right s")
        let options = pilot.state.queryOptions
        #expect(
            options.map { "\($0.name) \($0.value)" } == [
                "--derive 'twice = price * 2'", "--filter 'price > 2'", "--filter '\"it'\\''s\" = '\\''q'\\'''", "--sort price",
            ])
        pilot.press("M-g")
        #expect(pilot.screen.contains("This view as command-line options"))
        for option in options { #expect(pilot.screen.contains(option.value), "\(pilot.screen)") }

        var launch = LaunchOptions()
        launch.derivedColumns = ["twice = price * 2"]
        launch.filters = ["price > 2", "\"it's\" = 'q'"]
        launch.sort = [try SortRequest(text: "price")]
        let reopened = try Pilot(Self.table, size: (90, 30), options: launch)
        #expect(reopened.order == pilot.order && reopened.order == [4, 1])
        #expect(reopened.state.queryOptions.map(\.value) == options.map(\.value))
    }

    @Test func `D18: query options refer to columns by name, or by number if the name contains a comma`() throws {
        let pilot = try Pilot(Self.table, size: (90, 30))
        pilot.press("0 zg 0 Right Right s s")
        let values = Dictionary(uniqueKeysWithValues: pilot.state.queryOptions.map { ($0.name, $0.value) })
        #expect(values["--group"] == "kind" && values["--sort"] == "'#3:desc'", "\(values)")
        #expect(values["--aggregate"] == nil, "default aggregates are omitted")
    }
}
