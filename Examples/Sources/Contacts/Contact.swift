/// A contact in the address book.
struct Contact: Identifiable {
    let id: Int
    let name: String
    let title: String
    let phone: String
    let email: String
    var isFavorite = false

    /// The name to sort by: family name first.
    var sortName: String {
        let words = name.split(separator: " ")
        return ([words.last ?? ""] + words.dropLast()).joined(separator: " ")
    }
    /// The letter of its section.
    var letter: String { sortName.prefix(1).uppercased() }
    /// The initials of given name and family name.
    var initials: String { [name.first, sortName.first].compactMap { $0.map(String.init) }.joined() }
}

extension Contact {
    /// Pioneers of computing, with invented numbers.
    static let samples: [Contact] = people.enumerated().map { index, person in
        let user = person.name.split(separator: " ").last ?? ""
        return Contact(
            id: index, name: person.name, title: person.title, phone: "555 01\(10 + index * 37 % 90)",
            email: "\(user.lowercased())@home.test", isFavorite: index % 11 == 0)
    }

    private static let people: [(name: String, title: String)] = [
        ("Ada Lovelace", "Analyst"), ("Alan Turing", "Mathematician"), ("Grace Hopper", "Rear admiral"),
        ("Edsger Dijkstra", "Professor"), ("Barbara Liskov", "Professor"), ("Donald Knuth", "Author"),
        ("Tony Hoare", "Researcher"), ("John Backus", "Fellow"), ("Frances Allen", "Compiler engineer"),
        ("Niklaus Wirth", "Language designer"), ("Margaret Hamilton", "Flight software"), ("Ken Thompson", "System programmer"),
        ("Dennis Ritchie", "System programmer"), ("Radia Perlman", "Network engineer"), ("Leslie Lamport", "Researcher"),
        ("Shafi Goldwasser", "Cryptographer"), ("Silvio Micali", "Cryptographer"), ("Vint Cerf", "Evangelist"),
        ("Robert Kahn", "Chairman"), ("Adele Goldberg", "Lab manager"), ("Alan Kay", "Fellow"),
        ("Butler Lampson", "Technical fellow"), ("Chuck Thacker", "Hardware designer"), ("Douglas Engelbart", "Inventor"),
        ("Ivan Sutherland", "Scientist"), ("Marvin Minsky", "Professor"), ("Kristen Nygaard", "Professor"),
        ("Robin Milner", "Professor"), ("Dana Scott", "Logician"), ("Michael Rabin", "Professor"), ("Stephen Cook", "Professor"),
        ("Richard Karp", "Professor"), ("Juris Hartmanis", "Professor"), ("Manuel Blum", "Professor"), ("Amir Pnueli", "Professor"),
        ("Ole Jensen", "Operator"), ("Jean Bartik", "Programmer"), ("Betty Holberton", "Programmer"), ("Kay Antonelli", "Programmer"),
        ("Konrad Zuse", "Inventor"), ("Evelyn Boyd", "Programmer"), ("Katherine Johnson", "Mathematician"),
        ("Annie Easley", "Programmer"), ("Lynn Conway", "Chip designer"), ("Sophie Wilson", "Chip designer"),
        ("Karen Jones", "Librarian"), ("Ida Rhodes", "Instructor"), ("Mary Keller", "Sister"), ("Peter Naur", "Professor"),
        ("Joan Clarke", "Cryptanalyst"), ("Elizabeth Feinler", "Scientist"), ("Yukihiro Matsumoto", "Language designer"),
        ("Bjarne Stroustrup", "Language designer"), ("Guido van Rossum", "Language designer"), ("Linus Torvalds", "Maintainer"),
        ("Anita Borg", "Founder"), ("Wietse Venema", "Engineer"), ("Brian Kernighan", "Professor"), ("Rob Pike", "Engineer"),
        ("Barbara Simons", "President"),
    ]
}
