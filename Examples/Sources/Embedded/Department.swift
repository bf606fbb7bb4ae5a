import DataGrid

struct Employee: Identifiable {
    let id: Int
    let name: String
    let role: String
    /// The date of the first contract, such as `2019-04-01`.
    let since: String
    let salary: Int
    /// The planned share of working time, in `0 ... 1`.
    let load: Double
}

struct Department {
    let name: String
    let about: String
    var people: [Employee] = []

    var meanSalary: Int { people.isEmpty ? 0 : people.map(\.salary).reduce(0, +) / people.count }
}

/// A data source that shows departments as rows.
@MainActor
final class DepartmentList: GridDataSource {
    let departments: [Department]
    let columns = [
        Column(id: 0, title: "Department", width: .flexible, sortMode: .none),
        Column(id: 1, title: "People", kind: .integer, width: .fixed(6), sortMode: .none),
    ]

    init(_ departments: [Department]) { self.departments = departments }

    func numberOfRows(inSection section: Int) -> Int { departments.count }

    func content(row: RowID, column: ColumnID) -> CellContent {
        let department = departments[row.rawValue]
        return column == 0 ? CellContent(department.name) : CellContent(.integer(Int64(department.people.count)))
    }
}

extension Department {
    /// Sample data: a company that builds boats. A terminal of 60 columns shows all texts completely.
    static let samples: [Department] = {
        let departments = [
            ("Design", "Draws hulls and rigs, and tests models in the tank.", ["Designer", "Naval architect"]),
            ("Joinery", "Builds decks, cabins and wooden masts.", ["Joiner", "Boat builder"]),
            ("Sails", "Cuts and sews sails, covers and awnings.", ["Sailmaker", "Cutter"]),
            ("Rigging", "Steps masts, splices ropes, and inspects both.", ["Rigger", "Splicer"]),
            ("Engines", "Fits electric engines, and keeps old ones running.", ["Mechanic", "Electrician"]),
            ("Yard", "Hauls boats out in autumn and puts them back in spring.", ["Crane driver", "Yard hand"]),
            ("Sales", "Advises buyers and owners of boats.", ["Adviser", "Broker"]),
            ("Office", "Plans, pays, writes, and answers the telephone.", ["Accountant", "Planner"]),
        ]
        let given = ["Anna", "Björn", "Carla", "Deniz", "Emil", "Femke", "Goran", "Hana", "Ivo", "Julia", "Kofi", "Lena", "Mateo", "Nora"]
        let family = ["Aalto", "Brandt", "Costa", "Dahl", "Eriksen", "Fischer", "Greco", "Horvat", "Ito", "Jansen", "Koch"]
        var id = 0
        return departments.enumerated().map { index, department in
            let people = (0..<5 + index * 5 % 13).map { position in
                id += 1
                return Employee(
                    id: id, name: "\(given[id * 5 % given.count]) \(family[id * 7 % family.count])",
                    role: position == 0 ? "Head of \(department.0.lowercased())" : department.2[position % department.2.count],
                    since: "\(2004 + id * 13 % 22)-0\(1 + id % 9)-01", salary: 38_000 + id * 7_919 % 31_000 + (position == 0 ? 20_000 : 0),
                    load: Double(20 + id * 37 % 81) / 100)
            }
            return Department(name: department.0, about: department.1, people: people)
        }
    }()
}
