import CursesTerminal
import DataGridTerminal
import Foundation

/// Orders of customers in regions; `Orders view.json` keeps its view in that file.
@main
struct Orders {
    static func main() throws {
        let path = CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory() + "orders-view.json"
        let ledger = Ledger(OrderBook(Region.samples), viewIn: URL(fileURLWithPath: path))
        let application = GridApplication(on: try CursesBackend())
        ledger.show(on: application)
        _ = try application.run()
    }
}
