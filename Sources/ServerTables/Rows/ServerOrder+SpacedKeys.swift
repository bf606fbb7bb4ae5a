import SQLTables

/// Keys of rows at equal distances, to find far rows.
extension ServerOrder {
    /// The approximate maximum number of keys at equal distances. Larger tables have greater distances.
    private static let maximumSpacedKeys = 50_000

    /// True if a far row was requested and the keys of every thousandth row are not known. Returns true only once.
    func needsSpacedKeys(for position: Int) -> Bool {
        guard query.hasUniqueOrder, !query.usesBlocks, !query.countsRowIDs, !segments.isGrouped, !filtersFirst else { return false }
        let (count, isComplete) = knownRowCount
        guard isComplete, count > 2 * Self.skipLimit else { return false }
        return withKnownKeys { keys in
            guard !keys.hasSpacedKeys, keys.distance(to: position, ofRows: count) > Self.skipLimit else { return false }
            keys.hasSpacedKeys = true
            return true
        }
    }

    /// True if many rows must be skipped to reach a row, but the statistics of the server may have the sort key of a row near it.
    /// - Parameter rowCount: the number of all rows, which is an estimate if they are not counted.
    func isFarAndSampled(_ position: Int, of rowCount: Int) -> Bool {
        guard (0..<rowCount).contains(position), !segments.isGrouped, query.canBeSampled() else { return false }
        let end = knownRowCount.isComplete ? rowCount : nil
        return request(for: position..<position + 1, of: segments.first, end: end, forwardOnly: false).skipped > Self.skipLimit
    }

    /// Fetches the keys of rows at equal distances. The server scans the rows once. If many rows have the same first key, it scans them
    /// twice. A scan that reaches the time limit is not repeated.
    /// - Parameter timeLimit: the time limit of each statement in milliseconds; `nil` for ``scanTimeLimit``.
    func fetchSpacedKeys(timeLimit: UInt32? = nil, isCancelled: () -> Bool) throws {
        let step = max(1_000, knownRowCount.count / Self.maximumSpacedKeys)
        let milliseconds = timeLimit ?? scanTimeLimit
        do {
            if query.isIndexedByFirstKeyOnly {
                let found = try anchors(query.firstKeys(every: step), isFirstKey: true, timeLimit: milliseconds, isCancelled)
                withKnownKeys { $0.merge(found) }
                // If many rows have the same first key, the distances between the keys are too large. Then fetch complete keys.
                let ends = found.map(\.position) + [knownRowCount.count]
                if zip([0] + ends, ends).allSatisfy({ $1 - $0 <= Self.skipLimit }) { return }
            }
            let found = try anchors(query.keys(every: step), isFirstKey: false, timeLimit: milliseconds, isCancelled)
            withKnownKeys { $0.merge(found) }
        } catch {
            let isTooSlow = error as? ServerError == ServerError.timedOut
            withKnownKeys { $0.hasSpacedKeys = isTooSlow }
            throw error
        }
    }

    /// The time limit of a scan of an index, in milliseconds: one minute, plus a second for each million rows.
    var scanTimeLimit: UInt32 {
        let rows = max(Double(knownRowCount.count), knownRowCount.isComplete ? 0 : query.table.estimatedRows ?? 0)
        return UInt32(min(4e9, 60_000 + rows / 1_000))
    }

    /// Runs a statement that returns keys, each followed by a number. Normally, this is the position of the row with the key. If
    /// `isFirstKey` is true, the key is only a first sort key, and the number counts the rows before the first row with that key.
    func anchors(
        _ statement: SQLStatement, isFirstKey: Bool, timeLimit milliseconds: UInt32 = 0, _ isCancelled: () -> Bool
    ) throws -> [KnownKeys.Anchor] {
        var found: [KnownKeys.Anchor] = []
        try database.stream(statement, timeLimit: milliseconds, isCancelled: isCancelled) { batch in
            for row in database.values(batch) {
                guard let number = row.last?.number.map({ Int($0) }), number > 0 || !isFirstKey else { continue }
                let key = RowKey(Array(row.dropLast()))
                found.append(KnownKeys.Anchor(position: isFirstKey ? number - 1 : number, key: key, isFirstKey: isFirstKey))
            }
            return true
        }
        return found
    }
}
