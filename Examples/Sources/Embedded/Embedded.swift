import CursesTerminal

/// Departments and their people: two grids and other text on one screen, in a program with its own event loop.
@main
struct Embedded {
    static func main() {
        CursesBackend.runProgram { try EmployeeScreen(Department.samples, on: $0).run() }
    }
}
