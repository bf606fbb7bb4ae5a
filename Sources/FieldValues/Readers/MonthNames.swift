/// The names of months in English, German, French and Spanish, and their usual abbreviations.
enum MonthNames {
    /// The words as numbers, ascending.
    private static let table = words.map { (word: packed($0.0), month: $0.1) }.sorted { $0.word < $1.word }

    /// The month with this name, 1...12.
    /// - Parameter word: the bytes of the name, each with the bit that ignores the case of letters; the first byte is the highest.
    /// - Complexity: O(log names).
    static func month(_ word: UInt128) -> Int? {
        let place = table.indices.partitioningIndex { table[$0].word >= word }
        return place < table.count && table[place].word == word ? table[place].month : nil
    }

    /// A word of at most 16 bytes in the form that ``month(_:)`` expects.
    static func packed(_ word: String) -> UInt128 { word.utf8.reduce(0) { $0 << 8 | UInt128($1 | 0x20) } }

    private static let words: [(String, Int)] = names.enumerated().flatMap { index, names in
        names.split(separator: " ").map { (String($0), index + 1) }
    }

    /// The names of each month.
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
