import CursesTerminal
import DataGridTerminal

/// The same stocks as a table and as cards, with live prices.
@main
struct Stocks {
    static func main() {
        let stockScreen = StockScreen()
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            stockScreen.show(on: application)
            return try application.run()
        }
    }
}
