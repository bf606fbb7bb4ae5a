import TerminalGrid

struct Commodity: Identifiable { let id: String, kind: String; var price: Double }

let all = [("Gold", "Metals", 545.82), ("Wheat", "Grain", 210.5), ("Silver", "Metals", 18.25), ("Corn", "Grain", 181.75)]
let source = ObjectSource(
    all.map { Commodity(id: $0, kind: $1, price: $2) }, columns: [ObjectColumn("Commodity", \.id), ObjectColumn("Price", \.price)])
source.groupings = [ObjectGrouping(by: \.kind)]
let grid = GridController(owning: source)
source.sort(by: [ColumnSort(1, isDescending: true)])
CursesBackend.runProgram {
    try GridApplication.run(grid, on: $0) {
        $0.addTimer(interval: .seconds(1)) { source.update(all.randomElement()!.0) { $0.price += 0.25 } }
    }
}
