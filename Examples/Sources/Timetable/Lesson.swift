/// The lesson of a class in one period, and the text of its cell.
struct Lesson {
    enum Subject: String {
        case language, science, art, other
    }

    let title: String
    let subject: Subject
    /// The room and the teacher, on one line each.
    let details: String

    var text: String { details.isEmpty ? title : title + "\n" + details }
}

/// The lessons of a day at an invented school, by period and class.
struct School {
    let classes = ["5A", "5B", "6A", "6B", "7A", "7B", "8A", "8B", "9A", "9B", "10A", "10B"]
    let periods = [
        "08:00–08:45", "08:50–09:35", "09:35–10:00", "10:00–10:45", "10:50–11:35", "11:40–12:25", "12:25–13:15", "13:15–14:00",
        "14:05–14:50",
    ]
    func pupils(inClass index: Int) -> Int { 22 + index * 5 % 8 }
    /// The periods in which all classes are free.
    let breaks = [2: "Break", 6: "Lunch"]

    private static let lessons = [
        Lesson(title: "Maths", subject: .science, details: "Room 12\nMs Noether"),
        Lesson(title: "English", subject: .language, details: "Room 4\nMr Orwell"),
        Lesson(title: "Physics", subject: .science, details: "Laboratory 2\nMs Meitner"),
        Lesson(title: "Art", subject: .art, details: "Studio\nMs Kahlo"),
        Lesson(title: "French", subject: .language, details: "Room 7\nMr Verne"),
        Lesson(title: "History", subject: .other, details: "Room 15\nMr Gibbon"),
        Lesson(title: "Biology", subject: .science, details: "Laboratory 1\nMr Darwin"),
        Lesson(title: "PE", subject: .other, details: "Gym\nMs Blankers"),
        Lesson(title: "Music", subject: .art, details: "Hall\nMs Schumann"),
        Lesson(title: "Geography", subject: .other, details: "Room 9\nMr Mercator"),
        Lesson(title: "Chemistry", subject: .science, details: "Laboratory 3\nMs Curie"),
    ]

    /// The lessons that need more room than others.
    private static let special: [Int: [Int: Lesson]] = [
        0: [2: Lesson(title: "Assembly", subject: .other, details: "Hall\nall of year 6\nand the parents")],
        3: [3: Lesson(title: "Excursion to the harbour museum", subject: .art, details: "Meet at 10:00 at the gate")],
        5: [9: Lesson(title: "Chemistry, practical work in groups", subject: .science, details: "Laboratory 3\nMs Curie")],
        8: [0: Lesson(title: "Free", subject: .other, details: ""), 1: Lesson(title: "Free", subject: .other, details: "")],
    ]

    func lesson(period: Int, classIndex: Int) -> Lesson {
        if let title = breaks[period] { return Lesson(title: title, subject: .other, details: "") }
        return Self.special[period]?[classIndex] ?? Self.lessons[(period * 5 + classIndex * 7) % Self.lessons.count]
    }
}
