import CursesTerminal

/// Departments and the people in them: two grids and other text on one screen, in a program that has a loop of its own.
@main
struct Embedded {
    static func main() {
        CursesBackend.runProgram { try Office(Department.samples, on: $0).run() }
    }
}
