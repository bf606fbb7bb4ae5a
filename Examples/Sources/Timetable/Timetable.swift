import CursesTerminal
import DataGridTerminal

/// The lessons of a school day: headers of rows and columns, sticky or not, and cells as large as their content.
@main
struct Timetable {
    static func main() {
        let timetableScreen = TimetableScreen(School())
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            timetableScreen.show(on: application)
            return try application.run()
        }
    }
}
