/// The contents of an Excel workbook that are needed to read its sheets.
struct ExcelWorkbook: Sendable {
    struct Sheet: Sendable {
        var name: String
        var member: ZipMember
        var isHidden: Bool
    }

    let archive: ZipArchive
    /// The worksheets, in the order of their tabs. Chart sheets, which have no cells, are left out.
    private(set) var sheets: [Sheet] = []
    private var sharedStrings: ZipMember?
    private var formats: [CellFormat] = []
    private(set) var dates = SerialDates(startsIn1904: false)

    /// The maximum number of bytes of a member of the archive, except sheets and shared strings.
    private static let maximumPartBytes = 256 << 20
    private static let maximumSheets = 10_000
    private static let maximumFormats = 1 << 20

    /// Reads the workbook.
    /// - Returns: `nil` if the archive is not a workbook.
    /// - Throws: ``ContentError`` if a part is damaged; ``FormatError`` if a part is encrypted or has an unknown compression.
    init?(_ archive: ZipArchive) throws {
        self.archive = archive
        var members: [String: ZipMember] = [:]
        for member in archive.members { members[member.name.lowercased()] = member }
        let roots = try Self.relationships(of: "", members, archive).values
        let path = roots.first { $0.kind == "officeDocument" }?.target ?? "xl/workbook.xml"
        // In a binary workbook (.xlsb), the member has the suffix .bin and cannot be read.
        guard let workbook = members[path.lowercased()], path.lowercased().hasSuffix(".xml") else { return nil }
        let parts = try Self.relationships(of: path, members, archive)
        func member(_ kind: String) -> ZipMember? {
            parts.values.first { $0.kind == kind }.flatMap { members[$0.target.lowercased()] }
        }
        sharedStrings = member("sharedStrings")
        if let styles = member("styles") { formats = try Self.readFormats(Self.scanner(styles, archive)) }
        let scanner = try Self.scanner(workbook, archive)
        var isWorkbook = false
        while true {
            switch try scanner.next() {
            case .start:
                if scanner.depth == 1 { isWorkbook = scanner.isNamed("workbook") }
                if scanner.isNamed("workbookPr"), let value = scanner.attribute("date1904") {
                    dates = SerialDates(startsIn1904: value == "1" || value == "true")
                }
                guard scanner.depth == 3, scanner.isNamed("sheet"), let id = scanner.attribute("id"), let part = parts[id],
                    part.kind == "worksheet", let member = members[part.target.lowercased()]
                else { continue }
                guard sheets.count < Self.maximumSheets else { throw ContentError("it has more than \(Self.maximumSheets) sheets") }
                let state = scanner.attribute("state") ?? ""
                sheets.append(
                    Sheet(name: scanner.attribute("name") ?? "", member: member, isHidden: state == "hidden" || state == "veryHidden"))
            case .end, .text: continue
            case .finish:
                guard isWorkbook else { return nil }
                return
            }
        }
    }

    /// A reader of the rows of a sheet.
    func reader(of sheet: Sheet) throws -> ExcelSheetReader {
        let strings = try SharedStrings(sharedStrings.map { try ZipMemberReader($0, of: archive) })
        let scanner = try XMLScanner(ZipMemberReader(sheet.member, of: archive))
        return ExcelSheetReader(scanner, strings: strings, formats: formats, dates: dates)
    }

    private static func scanner(_ member: ZipMember, _ archive: ZipArchive) throws -> XMLScanner {
        guard member.count <= maximumPartBytes else {
            throw ContentError("\(member.name.quotedForMessage) is larger than \(maximumPartBytes >> 20) MiB")
        }
        return try XMLScanner(ZipMemberReader(member, of: archive))
    }

    // MARK: Relationships

    private struct Relationship {
        /// The last component of the relationship's type, such as `worksheet`.
        var kind: String
        /// The name of the archive member to which the relationship refers.
        var target: String
    }

    /// The relationships of a part by their identifiers; empty for a part without relationships.
    private static func relationships(
        of part: String, _ members: [String: ZipMember], _ archive: ZipArchive
    ) throws -> [String: Relationship] {
        var folder = part.split(separator: "/").map(String.init)
        let name = folder.popLast() ?? ""
        let path = (folder + ["_rels", "\(name).rels"]).joined(separator: "/")
        guard let member = members[path.lowercased()] else { return [:] }
        let scanner = try scanner(member, archive)
        var relationships: [String: Relationship] = [:]
        while true {
            switch try scanner.next() {
            case .start:
                guard scanner.isNamed("Relationship"), let id = scanner.attribute("Id"), let target = scanner.attribute("Target"),
                    let type = scanner.attribute("Type"), scanner.attribute("TargetMode") != "External", relationships.count < 100_000
                else { continue }
                var components = target.hasPrefix("/") ? [] : folder
                for component in target.split(separator: "/") where component != "." {
                    if component == ".." { _ = components.popLast() } else { components.append(String(component)) }
                }
                let kind = type.split(separator: "/").last.map(String.init) ?? ""
                relationships[id] = Relationship(kind: kind, target: components.joined(separator: "/"))
            case .end, .text: continue
            case .finish: return relationships
            }
        }
    }

    // MARK: Styles

    /// The cell formats in the order of the style numbers.
    private static func readFormats(_ scanner: XMLScanner) throws -> [CellFormat] {
        var codes: [Int: CellFormat] = [:]
        var formats: [CellFormat] = []
        var isInCells = false
        while true {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("numFmt"), let id = scanner.attribute("numFmtId").flatMap({ Int($0) }),
                    let code = scanner.attribute("formatCode"), codes.count < maximumFormats
                {
                    codes[id] = CellFormat(code: code)
                } else if scanner.isNamed("cellXfs") {
                    isInCells = true
                } else if isInCells, scanner.isNamed("xf"), scanner.depth == 3, formats.count < maximumFormats {
                    let id = scanner.attribute("numFmtId").flatMap { Int($0) } ?? 0
                    formats.append(codes[id] ?? CellFormat(builtIn: id))
                }
            case .end: if scanner.isNamed("cellXfs") { isInCells = false }
            case .text: continue
            case .finish: return formats
            }
        }
    }
}
