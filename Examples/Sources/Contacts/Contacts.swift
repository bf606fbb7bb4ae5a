import CursesTerminal
import DataGridTerminal

/// People by the first letter of their names, as cards or as a table.
@main
struct Contacts {
    static func main() throws {
        let book = AddressBook(Contact.samples)
        let application = GridApplication(on: try CursesBackend())
        book.show(on: application)
        _ = try application.run()
    }
}
