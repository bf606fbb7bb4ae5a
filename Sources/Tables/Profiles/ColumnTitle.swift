/// The words of a column title. They suggest whether integers are identifiers, amounts, dates or times.
package struct ColumnTitle {
    /// The words in lower case, without accents.
    let words: [String]
    private let lowercasedTitle: String
    /// True if a word is in ``listedWords``. It is false for most titles, and such titles need no other look-up.
    private let hasListedWord: Bool

    /// Splits a title at marks, digits, blanks and changes of case: `orderID`, `order_id` and `Order ID` have the same words.
    package init(_ title: String) {
        lowercasedTitle = title.lowercased()
        words = title.utf8.allSatisfy { $0 < 0x80 } ? Self.words(ofASCII: title, lowercased: lowercasedTitle) : Self.words(of: title)
        hasListedWord = words.contains(where: Self.listedWords.contains)
    }

    private static func words(of title: String) -> [String] {
        var words = [""]
        var wasLower = false
        for character in title {
            let isPart = character.isLetter
            if !isPart || (character.isUppercase && wasLower), words.last != "" { words.append("") }
            if isPart { words[words.count - 1] += plainLetter(character) }
            wasLower = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    /// The words of an ASCII title. This fast version exists because a wide table may have millions of titles, nearly all of them ASCII.
    private static func words(ofASCII title: String, lowercased: String) -> [String] {
        var (words, start, wasLower) = ([String](), 0, false)
        var (title, lowercased) = (title, lowercased)
        title.withUTF8 { bytes in
            lowercased.withUTF8 { letters in
                func endWord(at end: Int) {
                    if end > start { words.append(String(decoding: UnsafeBufferPointer(rebasing: letters[start..<end]), as: UTF8.self)) }
                }
                for (index, byte) in bytes.enumerated() {
                    let isLetter = (byte | 0x20) &- 0x61 < 26
                    let isUpper = isLetter && byte & 0x20 == 0
                    if !isLetter || isUpper && wasLower {
                        endWord(at: index)
                        start = isLetter ? index : index + 1
                    }
                    wasLower = isLetter && !isUpper
                }
                endWord(at: bytes.count)
            }
        }
        return words
    }

    /// True if the title names identifiers, years or codes.
    package var isIdentifier: Bool {
        guard let last = words.last else { return lowercasedTitle == "#" }
        let isCompound = Self.endings.contains { last.hasSuffix($0) && last.count > $0.count + 2 }
        if isCompound, !hasListedWord { return true }
        guard hasListedWord, !isCount else { return false }
        if isCompound || Self.identifierWords.contains(last) {
            // The titles `number` and `num`, without a second word, can also name a quantity.
            return words.count > 1 || last != "number" && last != "num"
        }
        guard !isAmount else { return false }
        return Self.documentWords.contains(last) || words.contains(where: Self.codeWords.contains) || isNumbered
    }

    /// True if the title names amounts or counts.
    package var isAmount: Bool { hasListedWord && (isCount || words.contains(where: Self.amountWords.contains)) }

    /// True if the title names dates.
    package var isDate: Bool { hasListedWord && words.contains(where: Self.dateWords.contains) }

    /// True if the title names points in time.
    package var isTime: Bool { hasListedWord && words.contains(where: Self.timeWords.contains) }

    /// True if the numbers add up, such as amounts and counts. False if only their mean makes sense, as for prices and rates. `nil` if the
    /// title does not decide this.
    ///
    /// Words of means and totals decide, wherever they are: `cost per unit` does not add up, and `total score` does. Otherwise, the last
    /// word in ``additiveWords`` or ``averagedWords`` decides. Words after `of` do not count: `sales price` and `rate of sales` do not add
    /// up.
    package var isAdditive: Bool? {
        if lowercasedTitle.contains("%") || words.first == "unit" || words.contains(where: Self.meanWords.contains) { return false }
        if isCount || words.contains(where: Self.totalWords.contains) { return true }
        let head = words.prefix { $0 != "of" }.last { Self.additiveWords.contains($0) || Self.averagedWords.contains($0) }
        return head.map(Self.additiveWords.contains)
    }

    /// True for titles of counts, such as `number of rows`, but not for `number` alone.
    private var isCount: Bool { words.count > 1 && Self.countWords.contains(words[0]) && words[1] == "of" }

    /// True if the title names the number of a document or person, such as `número de cuenta` and `n° client`. With other nouns, words such
    /// as `número` name a count.
    private var isNumbered: Bool {
        guard words.count > 1, let first = words.first, let last = words.last, Self.documentWords.contains(last) else { return false }
        return first == "numero" || lowercasedTitle.hasPrefix("n°")
    }

    /// A letter in lower case, without accents.
    private static func plainLetter(_ letter: Character) -> String {
        if letter.isASCII { return letter.lowercased() }
        let lower = letter.lowercased()
        return lower.first.flatMap { accentedLetters[$0] } ?? lower
    }

    private static let accentedLetters: [Character: String] = {
        let letters = [
            ("a", "áàâäãåāăą"), ("c", "çćčĉ"), ("d", "ďđð"), ("e", "éèêëēěęė"), ("g", "ğģ"), ("i", "íìîïīįı"), ("l", "łľļ"), ("n", "ñńňņ"),
            ("o", "óòôöõøōőº"), ("r", "řŕ"), ("s", "šśşș"), ("t", "ťţț"), ("u", "úùûüūůűų"), ("y", "ýÿ"), ("z", "žźż"), ("ss", "ß"),
            ("ae", "æ"), ("oe", "œ"),
        ]
        var table: [Character: String] = [:]
        for (plain, accented) in letters { for letter in accented { table[letter] = plain } }
        return table
    }()

    /// Words before `of` in titles of counts.
    private static let countWords: Set<String> = ["number", "numbers", "no", "num", "nr", "nb", "count", "total", "sum"]
    /// Words at the end of titles of identifiers.
    private static let identifierWords: Set<String> = [
        "id", "ids", "key", "code", "no", "nr", "num", "number", "nummer", "zip", "year", "jahr", "annee", "ano", "account", "acct",
        "konto",
        "serial", "pin", "pid", "ppid", "uid", "gid", "tid", "pgid", "sid", "yyyymm", "kdnr", "userid", "taxid", "orderid", "customerid",
        "clientid", "productid",
        "itemid", "rowid", "recordid", "sessionid", "deviceid", "patientid", "employeeid", "studentid", "transactionid", "invoiceid",
        "accountid", "jobid", "postid", "accountno", "invoiceno", "orderno", "serialno", "phoneno",
    ]
    /// The endings of German and English compounds: `Kontonr`, `Rechnungsnummer`, `Postcode`.
    private static let endings = ["nr", "nummer", "number", "code"]
    /// Nouns for things that are identified by numbers, such as invoices. As the last word, they suggest identifiers, unless the title
    /// names amounts.
    private static let documentWords: Set<String> = [
        "invoice", "ticket", "passport", "member", "port", "ref", "reference", "referenz", "period", "periode", "cuenta", "cliente",
        "client",
        "compte", "factura", "facture", "fattura", "pedido", "commande", "contrato", "contrat", "dossier", "expediente", "serie",
        "pasaporte", "passeport", "reisepass", "telefono", "telephone", "socio", "membre", "mitglied", "empleado",
        "customer", "employee", "patient", "article", "artikel", "kunde", "rechnung", "vertrag", "auftrag", "shipment", "device", "session",
        "case", "order", "user", "version", "revision", "build", "sport", "dport",
    ]
    /// Words that occur only in titles of codes.
    private static let codeWords: Set<String> = [
        "zip", "zipcode", "postal", "postcode", "plz", "postleitzahl", "blz", "bankleitzahl", "cap", "cep", "isbn", "issn", "ean", "gtin",
        "upc", "asin", "sku", "iban", "bic", "swift", "isin", "cusip", "sedol", "wkn", "imei", "imsi", "iccid", "msisdn", "ssn", "ein",
        "siret", "siren", "nif", "dni", "cif", "cpf", "cnpj", "vin", "fips", "naics", "nace", "pmid", "pmcid", "orcid", "asn", "phone",
        "telephone", "telefon", "telefono", "telefone", "tel", "fax", "mobile", "handy", "movil", "portable", "epoch", "timestamp",
        "barcode",
    ]
    /// Words in the titles of columns of dates.
    private static let dateWords: Set<String> = [
        "date", "dates", "day", "datum", "tag", "jour", "fecha", "dt", "dob", "birthday", "ymd", "yyyymmdd",
    ]
    /// Words in the titles of columns of points in time.
    private static let timeWords: Set<String> = [
        "time", "datetime", "timestamp", "epoch", "ts", "unixtime", "created", "updated", "modified", "zeit", "zeitstempel", "heure",
        "hora", "mtime", "atime", "ctime", "btime", "seen", "expires", "expiry", "expiration", "start", "started", "begin", "end", "ended",
        "finished", "login", "logout", "received", "sent", "deleted", "accessed", "changed", "published", "registered", "when",
    ]
    /// Words in the titles of columns of amounts.
    private static let amountWords: Set<String> = [
        "amount", "price", "cost", "costs", "total", "sum", "revenue", "sales", "salary", "income", "profit", "budget", "balance", "value",
        "population", "size", "bytes", "count", "counts", "quantity", "qty", "volume", "distance", "length", "height", "width", "area",
        "weight", "duration", "views", "visits", "visitors", "users", "downloads", "impressions", "clicks", "steps", "energy", "shares",
        "loan",
        "loans", "tokens", "pop", "gdp", "mean", "max", "min", "usage", "traffic", "betrag", "preis", "kosten",
        "summe", "menge", "umsatz", "anzahl", "bestand", "prix", "montant", "precio", "importe", "cantidad",
    ]
    /// Words of means and fractions. The numbers do not add up, whatever else the title names.
    private static let meanWords: Set<String> = [
        "average", "averages", "avg", "mean", "median", "per", "percent", "percentage", "percentile", "pct", "durchschnitt", "mittelwert",
        "prozent", "moyen", "moyenne", "promedio",
    ]
    /// Words of sums. The numbers add up, even if the title also names prices or scores.
    private static let totalWords: Set<String> = ["total", "totals", "subtotal", "sum", "summe", "gesamt", "somme", "suma"]
    /// Words in the titles of numbers that add up.
    private static let additiveWords: Set<String> = [
        "amount", "amounts", "cost", "costs", "revenue", "revenues", "sales", "turnover", "income", "profit", "loss", "losses",
        "budget",
        "balance", "expense", "expenses", "spend", "spending", "payment", "payments", "tax", "taxes", "fee", "fees", "debit", "credit",
        "deposit", "deposits", "loan", "loans", "quantity", "quantities", "qty", "units", "count", "counts", "cnt", "volume", "distance",
        "area", "population", "pop", "gdp", "energy", "bytes", "tokens", "traffic", "shares", "views", "visits", "visitors", "users",
        "downloads", "impressions", "clicks", "steps", "orders", "deaths", "births", "cases", "betrag", "kosten", "menge", "umsatz",
        "anzahl", "bestand", "montant", "importe", "cantidad",
    ]
    /// Words in the titles of numbers that do not add up.
    private static let averagedWords: Set<String> = [
        "price", "prices", "rate", "rates", "ratio", "ratios", "proportion", "fraction", "probability", "share", "yield", "age", "ages",
        "temperature", "temperatures", "temp", "humidity", "pressure", "speed", "velocity", "density", "frequency", "voltage", "latency",
        "response", "rtt", "ping", "delay", "priority", "severity",
        "latitude", "longitude", "lat", "lon", "lng", "elevation", "altitude", "height", "width", "depth", "bmi", "score", "scores",
        "rating", "ratings", "rank", "ranking", "grade", "grades", "gpa", "level", "levels", "preis", "quote", "alter", "temperatur",
        "prix", "taux", "precio", "tasa", "edad", "prezzo",
    ]
    /// The words of all lists that tell what numbers are: identifiers, amounts, dates or times. They are in one set, for one look-up.
    /// ``endings`` are not words.
    private static let listedWords = [identifierWords, documentWords, codeWords, dateWords, timeWords, amountWords].reduce(countWords) {
        $0.union($1)
    }
}
