/// The names of months and weekdays in English, German, French and Spanish, and their usual abbreviations.
enum MonthNames {
    /// The month for each name. The names are stored as numbers (see ``packed(_:)``), in ascending order.
    private static let table = words.map { (word: packed($0.0), month: $0.1) }.sorted { $0.word < $1.word }

    /// The month with this name, 1...12; `nil` for other words. O(log names).
    /// - Parameter word: the name as a number, see ``packed(_:)``.
    static func month(_ word: UInt128) -> Int? {
        let index = table.indices.partitioningIndex { table[$0].word >= word }
        return index < table.count && table[index].word == word ? table[index].month : nil
    }

    /// True for the name of a weekday. The word is a number, see ``packed(_:)``.
    static func isWeekday(_ word: UInt128) -> Bool { weekdays.contains(word) }

    private static let weekdays = Set(
        """
        monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat sunday sun
        montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sa sonnabend sonntag so
        lundi lun mardi mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim
        lunes martes miércoles mié jueves jue viernes vie sábado sáb domingo dom
        """.split(whereSeparator: \.isWhitespace).map { packed(String($0)) })

    /// A word of at most 16 bytes as a number. The first byte is the highest. A bit in each byte makes letters lower-case.
    static func packed(_ word: String) -> UInt128 { word.utf8.reduce(0) { $0 << 8 | UInt128($1 | 0x20) } }

    private static let words: [(String, Int)] = names.enumerated().flatMap { index, names in
        names.split(separator: " ").map { (String($0), index + 1) }
    }

    /// The names of the months, from January to December.
    private static let names = [
        "january jan januar jänner jän janvier janv enero ene",
        "february feb februar février fevrier févr fevr fév fev febrero",
        "march mar märz maerz mär mrz mars marzo",
        "april apr avril avr abril abr",
        "may mai mayo",
        "june jun juni juin junio",
        "july jul juli juillet juil julio",
        "august aug août aout agosto ago",
        "september sep sept septembre septiembre setiembre set",
        "october oct oktober okt octobre octubre",
        "november nov novembre noviembre",
        "december dec dezember dez décembre decembre déc diciembre dic",
    ]
}
