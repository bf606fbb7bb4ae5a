import FieldValues

extension SQLStatement {
    /// The statement for the user: with values instead of parameters, and each clause on its own line.
    ///
    /// It can be run with the server's own tools. The program sends ``text`` instead.
    public func readableText(in dialect: SQLDialect) -> String {
        guard let fragment else { return text }
        var lines = ClauseLines()
        for token in fragment.tokens {
            switch token {
            case .text(let text): lines.add(text)
            case .function(let name): lines.add(dialect.functionName(name))
            case .parameter(let parameter): lines.addLiteral(dialect.literal(parameter))
            }
        }
        return lines.text
    }
}

extension SQLDialect {
    /// A parameter as SQL text, with its cast.
    func literal(_ parameter: SQLParameter) -> String {
        func quoted(_ text: String) -> String {
            (family == .spark ? text.replacingScalar("\\", with: "\\\\") : text).quoted(by: "'")
        }
        /// 9e999 is infinity, and NaN is bound as NULL.
        func sqliteLiteral(_ number: Double) -> String {
            if number.isNaN { return "NULL" }
            let text = number.isFinite ? "\(number)" : number < 0 ? "-9e999" : "9e999"
            return number < 0 ? "(\(text))" : text
        }
        let value =
            switch parameter.value {
            case .null: "NULL"
            case .text(let text): quoted(text)
            case .integer(let number): number < 0 ? "(\(number))" : "\(number)"
            // Text would be greater than all numbers in SQLite, whose numbers have no type.
            case .double(let number) where family == .sqlite: sqliteLiteral(number)
            case .double(let number): number < 0 || !number.isFinite ? quoted("\(number)") : "\(number)"
            case .invalidText(let bytes):
                family == .postgreSQL
                    ? "pg_catalog.convert_from('\\x\(Self.hexadecimal(bytes))', 'SQL_ASCII')"
                    : "CAST(X'\(Self.hexadecimal(bytes))' AS TEXT)"
            case .bytes(let bytes): family == .postgreSQL ? "'\\x\(Self.hexadecimal(bytes))'" : "X'\(Self.hexadecimal(bytes))'"
            }
        return switch family {
        case .postgreSQL, .duckDB: "\(value)::\(parameter.type)"
        case .sqlite: value
        case .spark, .ansi: "CAST(\(value) AS \(parameter.type))"
        }
    }
}

/// Breaks SQL text before the clauses of the outermost statement. Quoted texts and names are never changed.
private struct ClauseLines {
    private(set) var text = ""
    private var depth = 0
    /// The character that ends the quoted text at the current position; `nil` outside of quoted text.
    private var quote: Character?

    private static let clauses = ["FROM ", "WHERE ", "GROUP BY ", "HAVING ", "ORDER BY ", "LIMIT ", "OFFSET ", "FETCH "]

    /// Adds a literal, which is never broken.
    mutating func addLiteral(_ literal: String) { text += literal }

    mutating func add(_ part: String) {
        var rest = part[...]
        while let character = rest.first {
            if let end = quote {
                if character == end { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
            } else if character == " ", depth == 0, Self.clauses.contains(where: { rest.dropFirst().hasPrefix($0) }) {
                text += "\n"
                rest.removeFirst()
                continue
            }
            text.append(character)
            rest.removeFirst()
        }
    }
}
