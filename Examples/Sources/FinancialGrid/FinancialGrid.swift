import CursesTerminal
import DataGridTerminal

/// Instruments with prices that change every two seconds; `FinancialGrid 1000` changes so many prices a second.
@main
struct FinancialGrid {
    static func main() {
        var market = Market()
        // The morning until now.
        for _ in 0..<60 {
            market.tick()
            _ = market.move()
        }
        let desk = Desk(market: market)
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            let rate = CommandLine.arguments.dropFirst().first.flatMap(Int.init)
            desk.show(on: application, every: rate == nil ? .seconds(2) : .milliseconds(100), updates: rate.map { max(1, $0 / 10) } ?? 5)
            return try application.run()
        }
    }
}
