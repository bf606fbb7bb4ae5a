import CursesTerminal
import DataGridTerminal
import Foundation

/// Orders of customers in regions. `Orders view.json` saves its view in that file.
@main
struct Orders {
    static func main() {
        let path = CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory() + "orders-view.json"
        let orderScreen = OrderScreen(OrderBook(Region.samples), viewIn: URL(fileURLWithPath: path))
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            orderScreen.show(on: application)
            return try application.run()
        }
    }
}
