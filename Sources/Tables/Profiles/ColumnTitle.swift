/// The words of a column title, which suggest the meaning of its integers.
package struct ColumnTitle {
    private let words: [String]
    private let whole: String

    /// Splits a title at marks, blanks and changes of case: `orderID`, `order_id` and `Order ID` have the same words.
    package init(_ title: String) {
        var words = [""]
        var wasLower = false
        for character in title {
            let isPart = character.isLetter
            if !isPart || (character.isUppercase && wasLower), words.last != "" { words.append("") }
            if isPart { words[words.count - 1] += character.lowercased() }
            wasLower = character.isLowercase
        }
        self.words = words.filter { !$0.isEmpty }
        whole = title.lowercased()
    }

    /// True if the title names identifiers, years or codes.
    package var isIdentifier: Bool {
        guard let last = words.last else { return whole == "#" }
        if Self.identifiers.contains(last) || last.hasSuffix("code") || last.hasSuffix("nummer") || last.hasSuffix("number"), !isCount {
            return words.count > 1 || (last != "number" && last != "num")
        }
        return !isAmount && words.contains(where: Self.codes.contains)
    }

    /// True if the title names amounts.
    package var isAmount: Bool { isCount || words.contains(where: Self.amounts.contains) }

    /// True if the title names dates.
    package var isDate: Bool { words.contains(where: Self.dates.contains) }

    /// True if the title names points in time.
    package var isTime: Bool { words.contains(where: Self.times.contains) }

    private var isCount: Bool { whole.hasPrefix("number of") || whole.hasPrefix("no of") || whole.hasPrefix("no. of") }

    /// Words at the end of titles of identifiers.
    private static let identifiers: Set<String> = [
        "id", "ids", "key", "code", "no", "nr", "num", "zip", "year", "jahr", "année", "año", "account", "acct", "konto", "serial",
    ]
    /// Words that only titles of codes have.
    private static let codes: Set<String> = [
        "zip", "zipcode", "postal", "postcode", "plz", "isbn", "issn", "ean", "gtin", "upc", "asin", "sku", "iban", "imei", "ssn", "phone",
        "telephone", "telefon", "tel", "fax", "mobile", "epoch", "timestamp", "barcode",
    ]
    /// Words of titles of dates.
    private static let dates: Set<String> = [
        "date", "dates", "day", "datum", "tag", "jour", "fecha", "dt", "dob", "birthday", "ymd", "yyyymmdd",
    ]
    /// Words of titles of points in time.
    private static let times: Set<String> = [
        "time", "datetime", "timestamp", "epoch", "ts", "unixtime", "created", "updated", "modified", "zeit", "zeitstempel", "heure",
        "hora",
    ]
    /// Words of titles of amounts.
    private static let amounts: Set<String> = [
        "amount", "price", "cost", "costs", "total", "sum", "revenue", "sales", "salary", "income", "profit", "budget", "balance", "value",
        "population", "size", "bytes", "count", "counts", "quantity", "qty", "volume", "distance", "length", "height", "width", "area",
        "weight", "duration", "views", "visits", "users", "gdp", "mean", "max", "min", "usage", "betrag", "preis", "kosten", "summe",
        "menge", "umsatz", "anzahl", "bestand", "prix", "montant", "precio", "importe", "cantidad",
    ]
}
