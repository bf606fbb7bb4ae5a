import DataGridTerminal
import DelimitedText

/// What is known about a file, for the page about it.
enum FileFacts {
    static func list(_ file: DelimitedFile, _ info: DocumentInfo) -> [DocumentInfo.Fact] {
        let dialect = file.dialect
        var facts = [
            DocumentInfo.Fact(name: "name", value: file.path ?? file.name),
            DocumentInfo.Fact(name: "size", value: "\(ValueText.count(info.byteCount)) bytes\(file.isGrowing ? " so far" : "")"),
            DocumentInfo.Fact(name: "rows", value: info.isComplete ? ValueText.count(info.recordCount) : "not counted yet"),
            DocumentInfo.Fact(name: "columns", value: ValueText.count(file.columnCount)),
            DocumentInfo.Fact(name: "titles", value: dialect.hasHeader ? "in the first record" : "none"),
            DocumentInfo.Fact(name: "separator", value: character(dialect.delimiter)),
            DocumentInfo.Fact(name: "quote", value: dialect.quote.map(character) ?? "none"),
            DocumentInfo.Fact(name: "encoding", value: name(dialect.encoding)),
            DocumentInfo.Fact(name: "line ends", value: dialect.lineEnd.rawValue),
        ]
        if dialect.skipLines > 0 { facts.append(DocumentInfo.Fact(name: "left out", value: "the first \(dialect.skipLines) lines")) }
        return facts
    }

    /// As `--encoding` spells it.
    private static func name(_ encoding: TextEncoding) -> String {
        switch encoding {
        case .utf8: "utf-8"
        case .utf16LittleEndian: "utf-16"
        case .utf16BigEndian: "utf-16be"
        case .latin1: "latin-1"
        case .windows1252: "windows-1252"
        }
    }

    private static func character(_ byte: UInt8) -> String {
        switch byte {
        case 9: "tab"
        case 32: "space"
        default: String(UnicodeScalar(byte))
        }
    }
}
