import DelimitedText
import FieldValues
import Tables

/// Workbooks of Excel 2007 and later: `.xlsx` and `.xlsm`.
struct ExcelFormat: BinaryFormat {
    let name = "xlsx"

    func matches(_ head: [UInt8]) -> Bool { ZipArchive.isArchive(head) }

    func open(_ file: BinaryFile, by opener: FileOpener) throws -> (any TableSource)? {
        let archive = try ZipArchive(file)
        let hasSheets = archive.members.contains { $0.name.lowercased().hasPrefix("xl/") }
        guard hasSheets || opener.format == name else { return nil }
        do {
            guard let workbook = try ExcelWorkbook(archive) else { return nil }
            return try open(workbook, file, by: opener)
        } catch let error as ContentError {
            throw error.formatError(forFile: file.name)
        }
    }

    private func open(_ workbook: ExcelWorkbook, _ file: BinaryFile, by opener: FileOpener) throws -> any TableSource {
        let all = workbook.sheets.indices
        func source(_ index: Int, isOnly: Bool) throws -> any TableSource {
            let sheet = workbook.sheets[index]
            var details = [("format", "Excel workbook"), ("sheet", sheet.name)]
            if workbook.dates.startsIn1904 { details.append(("dates", "days since 1904")) }
            return try SheetSource(
                workbook.reader(of: sheet), maximumRows: ExcelSheetReader.maximumRows, of: file,
                name: isOnly ? file.name : TablePath(file: file.name, table: sheet.name).text, details: details, by: opener)
        }
        if opener.table != nil {
            let names = workbook.sheets.map(\.name)
            if let index = try TableChoice.index(of: opener.table, among: names, kind: "sheet", file: file.name) {
                return try source(index, isOnly: false)
            }
        }
        // Errors are ignored here, so that a damaged sheet is listed and the other sheets can be opened.
        var sizes: [Int: DeclaredSize] = [:]
        let filled = try all.filter { index in
            if all.count == 1 { return true }
            let reader = try workbook.reader(of: workbook.sheets[index])
            defer { sizes[index] = reader.declaredSize }
            return (try? SheetConverter.hasValue(reader)) ?? true
        }
        if filled.count < 2 {
            guard let index = filled.first ?? all.first else { throw FormatError("\(file.name) has no sheet with cells.") }
            return try source(index, isOnly: true)
        }
        let entries = filled.map { index in
            let sheet = workbook.sheets[index]
            return ContainerEntry(sheet: sheet.name, isHidden: sheet.isHidden, sizes[index])
        }
        return ContainerSource(file, entries, details: [("format", "Excel workbook")])
    }
}

extension ContainerEntry {
    /// A sheet with the size that the workbook declares. The note says that the size is declared, not counted.
    fileprivate init(sheet name: String, isHidden: Bool, _ size: DeclaredSize?) {
        let notes = (isHidden ? ["hidden"] : []) + [size == nil ? "size not declared" : "declared size"]
        self.init(name: name, kind: "sheet", rows: size?.rows, columns: size?.columns, note: notes.joined(separator: ", "))
    }
}

/// Spreadsheets of LibreOffice and other programs: `.ods`.
struct OpenDocumentFormat: BinaryFormat {
    let name = "ods"
    static let mediaType = "application/vnd.oasis.opendocument.spreadsheet"
    /// The maximum number of bytes that are read to list the sheets.
    private static let maximumListedBytes = 1 << 30

    func matches(_ head: [UInt8]) -> Bool { ZipArchive.isArchive(head) }

    func open(_ file: BinaryFile, by opener: FileOpener) throws -> (any TableSource)? {
        let archive = try ZipArchive(file)
        guard archive.mediaType.hasPrefix(Self.mediaType) || opener.format == name, let content = archive.member(named: "content.xml")
        else {
            return nil
        }
        do { return try open(content, archive, by: opener) } catch let error as ContentError {
            throw error.formatError(forFile: file.name)
        }
    }

    private func open(_ content: ZipMember, _ archive: ZipArchive, by opener: FileOpener) throws -> any TableSource {
        let file = archive.file
        func reader() throws -> OpenDocumentReader { OpenDocumentReader(try XMLScanner(ZipMemberReader(content, of: archive))) }
        func source(_ index: Int, _ name: String, isOnly: Bool) throws -> any TableSource {
            let reader = try reader()
            for _ in 0...index { _ = try reader.nextSheet() }
            reader.readsRemainingSheets = true
            return try sheet(reader, name, isOnly: isOnly)
        }
        func sheet(_ reader: OpenDocumentReader, _ name: String, isOnly: Bool) throws -> any TableSource {
            let notes = SheetNotes()
            if isOnly {
                let filledSheet = name
                reader.onOtherSheet = { [notes] other in
                    if other != filledSheet {
                        notes.add(problem: "the sheet \(other.quotedForMessage) is not shown; add its name to the path")
                    }
                }
            }
            return try SheetSource(
                reader, maximumRows: OpenDocumentReader.maximumRows, of: file,
                name: isOnly ? file.name : TablePath(file: file.name, table: name).text,
                details: [("format", "OpenDocument spreadsheet"), ("sheet", name)], notes: notes, by: opener)
        }
        // If the metadata says that there is only one sheet, its rows are shown before the document is read to its end.
        if opener.table == nil, try Self.sheetCount(archive) == 1 {
            let reader = try reader()
            reader.readsRemainingSheets = true
            if let first = try reader.nextSheet() { return try sheet(reader, first.name, isOnly: true) }
        }
        // All sheets are in one member of the archive, so they can be listed only by reading it.
        var sheets: [(index: Int, name: String, isHidden: Bool, hasValue: Bool)] = []
        var problems: [String] = []
        let scan = try reader()
        do throws(ContentError) {
            while let sheet = try scan.nextSheet() {
                sheets.append((sheets.count, sheet.name, sheet.isHidden, true))
                sheets[sheets.count - 1].hasValue = try SheetConverter.hasValue(scan)
                guard sheets.count < 10_000, scan.byteCount < Self.maximumListedBytes else {
                    problems.append("only the first \(NumberText.count(sheets.count)) sheets are listed")
                    break
                }
            }
        } catch {
            if sheets.isEmpty { throw error }
            problems.append(error.reason)
        }
        if opener.table != nil {
            if let index = try TableChoice.index(of: opener.table, among: sheets.map(\.name), kind: "sheet", file: file.name) {
                return try source(index, sheets[index].name, isOnly: false)
            }
        }
        let filled = sheets.filter(\.hasValue)
        if filled.count < 2 {
            guard let sheet = filled.first ?? sheets.first else { throw FormatError("\(file.name) has no sheet.") }
            return try source(sheet.index, sheet.name, isOnly: true)
        }
        let entries = filled.map { ContainerEntry(sheet: $0.name, isHidden: $0.isHidden, nil) }
        return ContainerSource(file, entries, details: [("format", "OpenDocument spreadsheet")], problems: problems)
    }

    /// The number of sheets according to the metadata of a document; `nil` if the metadata does not contain it.
    private static func sheetCount(_ archive: ZipArchive) throws -> Int? {
        guard let member = archive.member(named: "meta.xml"), member.count <= 1 << 20 else { return nil }
        let scanner = try XMLScanner(ZipMemberReader(member, of: archive))
        while true {
            switch try scanner.next() {
            case .start:
                if scanner.isNamed("document-statistic") { return scanner.attribute("table-count").flatMap { Int($0) } }
            case .end, .text: continue
            case .finish: return nil
            }
        }
    }
}

extension ContentError {
    /// The error as a message about a spreadsheet file.
    fileprivate func formatError(forFile file: String) -> FormatError {
        FormatError("Cannot read \(file): \(reason). \(advice ?? "Open it in a spreadsheet program and save it again.")")
    }
}
