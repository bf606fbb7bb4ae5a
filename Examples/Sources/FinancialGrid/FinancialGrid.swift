import CursesTerminal
import DataGridTerminal
import Foundation

/// Instruments with prices that change every two seconds. `FinancialGrid 1000` changes 1,000 prices a second.
@main
struct FinancialGrid {
    static func main() {
        let argument = CommandLine.arguments.dropFirst().first
        guard let pace = argument.map(Pace.init) ?? Pace(5, every: .seconds(2)) else {
            let (minimum, maximum) = (Pace.rates.lowerBound, Pace.rates.upperBound)
            let sentence = "“\(argument ?? "")” is not a number of prices per second. Use a whole number from \(minimum) to \(maximum)."
            FileHandle.standardError.write(Data("FinancialGrid: \(sentence)\n".utf8))
            exit(2)
        }
        var market = Market()
        // Simulates the first minute of the day.
        for _ in 0..<60 {
            market.tick()
            _ = market.movePrices()
        }
        let tradingScreen = TradingScreen(market: market)
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            tradingScreen.show(on: application, at: pace)
            return try application.run()
        }
    }
}
