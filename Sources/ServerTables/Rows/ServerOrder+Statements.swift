import SQLTables

/// The statements that the program shows to the user.
extension ServerOrder {
    /// The statements for the page that starts at a position, and for its sections. For a far page whose first key is unknown, the
    /// statement that fetches this key replaces the statement for the page.
    func statements(at position: Int, rowCount: Int) throws(SQLLimitations) -> [(title: String, statement: SQLStatement)] {
        var statements: [(String, SQLStatement)] = []
        if let sectionsStatement { statements.append(("Sections", sectionsStatement)) }
        if let part = parts(position..<position + rowCount).first {
            let section = part.segment.section
            if query.usesBlocks {
                // Later pages differ only in the numbers of their blocks.
                statements.append(("Rows", try query.page(.after(Self.address(0), rowCount), of: fields, in: section).statement))
            } else {
                let (request, skipped) = request(for: part.rows, of: part.segment, end: part.end, forwardOnly: false)
                let isFiltered = filtersFirst(part)
                if countsRowIDs(insteadOf: request, skipped) {
                    statements.append(("Number of rows before the page", try query.rank(of: Self.rowID(part.rows.lowerBound))))
                } else if !isFiltered, needsSkippedKey(skipped), query.isIndexedByFirstKeyOnly {
                    statements.append(("First sort value of the page", try query.firstKey(ofRow: part.rows.lowerBound)))
                } else if !isFiltered, needsSkippedKey(skipped) {
                    let title = request.isBackward ? "Key of the row after the page" : "Key of the row before the page"
                    statements.append((title, try lastSkippedKeyStatement(request, of: part.segment, skipped).statement))
                } else {
                    var query = query(frequentKeyCount: isFiltered ? 0 : frequentKeyCount(of: request))
                    query.filtersFirst = isFiltered
                    let page = try query.page(request, of: fields, in: section, skipping: skipped)
                    statements.append((segments.isGrouped ? "Rows of a section" : "Rows", page.statement))
                }
            }
        }
        if !segments.isGrouped { statements.append(("Number of rows", try query.count())) }
        return statements
    }
}
