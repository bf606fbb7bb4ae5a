import EngineProtocol

extension ConnectionTarget: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The connection URL without secrets, for titles, history and saved views: `postgres://user@host/database/schema.table`.
    ///
    /// It contains only parts that are known to be public. All other options are omitted, because any of them can be a secret.
    public var description: String {
        let (url, hasOptions) =
            switch driver {
            case "postgresql": (postgresDescription, postgresDescription.contains("?"))
            // The name of a file can contain a question mark.
            case "sqlite": (sqliteDescription, !table.isEmpty)
            default: (adbcDescription, adbcDescription.contains("?"))
            }
        guard databaseNumber != 1 else { return url }
        let separator = driver == "postgresql" && self["service"] != nil ? " " : hasOptions ? "&" : "?"
        return "\(url)\(separator)\(Self.databaseNumberOption)=\(databaseNumber)"
    }

    /// The same as ``description``, because debuggers, crash reports and `dump` must not show secrets either.
    public var debugDescription: String { description }

    /// A mirror that contains only ``description``, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }

    private var postgresDescription: String {
        let database = self["dbname"].map { "/" + Self.encoded($0) } ?? (table.isEmpty ? "" : "/")
        let path = table.isEmpty ? "" : "/" + Self.encoded(Self.joined(table), keeping: ".\"")
        let mode = self["sslmode"].map { "sslmode=\(Self.encoded($0))" }
        if let service = self["service"] {
            return "service=\(service)" + (table.isEmpty ? "" : " table=\(Self.joined(table))")
        }
        let user = self["user"].map { Self.encoded($0) + "@" } ?? ""
        let hosts = (self["host"] ?? self["hostaddr"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let ports = (self["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let address = hosts.enumerated().map { index, host in
            let name = host.contains(":") ? "[\(host)]" : Self.encoded(String(host))
            // A single port in a URL applies to all of its hosts.
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return name + (port.isEmpty ? "" : ":\(port)")
        }
        // `require` is omitted, because the parser adds it again.
        let query = mode.map { $0 == "sslmode=require" ? "" : "?\($0)" } ?? ""
        return "postgres://\(user)\(address.joined(separator: ","))\(database)\(path)\(query)"
    }

    private var sqliteDescription: String {
        "sqlite:\(self["path"] ?? "")" + (table.isEmpty ? "" : "?table=\(Self.encoded(table[0], keeping: " /"))")
    }

    private var adbcDescription: String {
        var text = "adbc:\(self["driver"] ?? "")"
        var separator: Character = "?"
        if let uri = self["uri"].flatMap(Self.publicAddress) {
            text += "\(separator)uri=\(uri)"
            separator = "&"
        }
        if !table.isEmpty { text += "\(separator)table=\(Self.encoded(Self.joined(table), keeping: ".\""))" }
        return text
    }

    /// The scheme, host and port of a URL; `nil` if it has another form.
    private static func publicAddress(_ url: String) -> String? {
        guard let colon = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<colon.lowerBound]
        var host = url[colon.upperBound...]
        // Remove all text before the last at sign, because it can belong to a password.
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        host = host.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != ";" }
        let isAllowed = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber || "+.-:[]".contains(character))
        }
        guard scheme.allSatisfy(isAllowed), host.allSatisfy(isAllowed) else { return nil }
        return "\(scheme)://\(host)"
    }

    /// The names joined by dots. Names that contain dots or quotes are quoted.
    private static func joined(_ names: [String]) -> String {
        names.map { name in
            guard name.contains(where: { ".\"".contains($0) }) else { return name }
            return "\"" + name.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ".")
    }

    private static func encoded(_ text: String, keeping characters: String = "") -> String {
        var result = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            let isUnreserved =
                byte < 0x80 && (character.isLetter || character.isNumber || "-_~.".contains(character) || characters.contains(character))
            if isUnreserved {
                result.append(character)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
