import CursesTerminal
import DataGridTerminal

/// Contacts grouped by initial letter, as cards or as a table.
@main
struct Contacts {
    static func main() {
        let book = AddressBook(Contact.samples)
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            book.show(on: application)
            return try application.run()
        }
    }
}
