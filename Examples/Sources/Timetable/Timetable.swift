import CursesTerminal
import DataGridTerminal

/// The lessons of a school day: headers of rows and columns, sticky or not, and cells as large as their content.
@main
struct Timetable {
    static func main() {
        let plan = Plan(School())
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            plan.show(on: application)
            return try application.run()
        }
    }
}
