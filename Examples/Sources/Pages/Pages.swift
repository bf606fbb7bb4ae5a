import CursesTerminal
import DataGridTerminal

/// Photos in albums, and a panel with the settings of their grid.
@main
struct Pages {
    static func main() {
        let screen = Screen(Gallery(CameraRoll(count: 300)))
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            screen.show(on: application)
            return try application.run()
        }
    }
}
