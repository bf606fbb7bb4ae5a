public import DelimitedText
import FieldValues
public import Tables

/// Tables drawn with lines, as written by psql, MySQL, SQLite, DuckDB, ClickHouse, polars and Org, tibbles of R, and the records of `\x`,
/// `\G` and `.mode line`.
public struct BoxFormat: TableFormat {
    /// The name used with `--format`: `box`.
    public var name: String { "box" }

    init() {}

    /// Opens an input whose first lines are a drawn table or a record.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        var bytes = try input.firstBytes(64 << 10)
        // If a pipe has delivered only a part of the header, wait for the rest.
        while Self.isTableStart(bytes), input.waitForContent(moreThan: bytes.count) { bytes = try input.firstBytes(64 << 10) }
        let isComplete = !input.isGrowing && bytes.count < 64 << 10
        return try bytes.withUnsafeBufferPointer { bytes in
            var lines: [UnsafeBufferPointer<UInt8>] = []
            for line in bytes.split(separator: 10, maxSplits: 2_000, omittingEmptySubsequences: false) {
                lines.append(LineCollector.withoutTrailingCR(UnsafeBufferPointer(rebasing: line)))
            }
            // The last line is removed if it is empty or may be incomplete.
            if !isComplete || lines.count > 2_000 || lines.last?.isEmpty == true { lines.removeLast() }
            // Records (`\x`, `\G`) are tried before tables, because the last rule of a framed record looks like a rule of a table.
            var notes: BoxNotes?
            let expanded = ExpandedRewriter(lines) { caption in
                let newNotes = BoxNotes(caption: caption)
                notes = newNotes
                return newNotes
            }
            if let expanded, let notes { return try BoxSource(input, by: expanded, notes, hasColumnNames: true, kinds: []) }
            guard let table = BoxTable(lines, isComplete: isComplete) else { return nil }
            let tableNotes = BoxNotes(caption: table.caption, shownColumns: table.shownColumns)
            return try BoxSource(
                input, by: BoxRewriter(table, tableNotes), tableNotes, hasColumnNames: table.titles != nil, kinds: table.kinds)
        }
    }

    /// True if the bytes are the first lines of a framed table, without the rule below the header. More bytes are needed to recognize it.
    private static func isTableStart(_ bytes: [UInt8]) -> Bool {
        guard bytes.count < 64 << 10 else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            let lines = bytes.split(separator: 10, maxSplits: 8, omittingEmptySubsequences: false)
            guard lines.count <= 8, let first = lines.first, lines.count > 1, let rule = BoxRule(UnsafeBufferPointer(rebasing: first)),
                rule.isFramed
            else { return false }
            // The last line is ignored, because it may be incomplete.
            return lines.dropFirst().dropLast().allSatisfy { BoxRule(UnsafeBufferPointer(rebasing: $0)) == nil }
        }
    }
}
