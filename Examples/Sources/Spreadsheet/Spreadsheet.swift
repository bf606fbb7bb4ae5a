import CursesTerminal
import DataGridTerminal

/// A spreadsheet: numbers, text, and formulas such as `=SUM(D2:D7)` or `=A1+B2`.
@main
struct Spreadsheet {
    static func main() {
        let view = SheetView(Sheet(SheetView.sample, rows: 60, columns: 14))
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            view.show(on: application)
            return try application.run()
        }
    }
}
