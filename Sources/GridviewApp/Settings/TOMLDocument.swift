/// A document in the TOML format, with its values. Edits change single lines and keep all others.
struct TOMLDocument: Equatable, Sendable {
    let bytes: [UInt8]
    let root: TOMLTable
    /// The place of the first header of a table, or the end: values before it belong to ``root``.
    let rootEnd: Int

    /// The text with another value for a key of ``root``, as bytes.
    ///
    /// An existing value is replaced. A new line follows a commented line of the same key, or else the last value before the first table.
    /// Otherwise, it precedes the first table.
    /// - Returns: `nil` if the text cannot be changed without changing other values.
    func setting(_ key: String, to value: TOMLValue, written text: String) -> [UInt8]? {
        if let old = root[key] {
            guard let place = old.place else { return nil }
            return checked(bytes[..<place.lowerBound] + Array(text.utf8) + bytes[place.upperBound...], key, value)
        }
        let lineEnd: [UInt8] = usesCarriageReturns ? [13, 10] : [10]
        for place in places(for: key) {
            let start = place > 0 && bytes[place - 1] != 10 && place != byteOrderMark ? lineEnd : []
            let line = start + Array("\(key) = \(text)".utf8) + lineEnd
            if let changed = checked(bytes[..<place] + line + bytes[place...], key, value) { return changed }
        }
        return nil
    }

    /// Returns `bytes` if `key` has `value` in them and all other values are the same as in this document; otherwise `nil`.
    private func checked(_ bytes: ArraySlice<UInt8>, _ key: String, _ value: TOMLValue) -> [UInt8]? {
        guard let changed = try? TOMLReader.read(Array(bytes)) else { return nil }
        var (old, new) = (root, changed.root)
        guard let entry = new.entries.removeValue(forKey: key), entry.value.isEqual(to: value) else { return nil }
        old.entries[key] = nil
        return TOMLValue.table(old).isEqual(to: .table(new)) ? changed.bytes : nil
    }

    private var byteOrderMark: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    private var usesCarriageReturns: Bool { bytes.firstIndex(of: 10).map { $0 > 0 && bytes[$0 - 1] == 13 } ?? false }

    /// The places for a new line of a key, best first.
    private func places(for key: String) -> [Int] {
        var places: [Int] = []
        var start = byteOrderMark
        while start < rootEnd {
            let end = self.end(ofLineAt: start)
            if isComment(start..<end, on: key) { places.append(end) }
            start = end
        }
        places = places.suffix(1)
        if let last = root.entries.values.compactMap(\.place?.upperBound).filter({ $0 <= rootEnd }).max() {
            places.append(end(ofLineAt: last))
        }
        return places + [startOfHeader, byteOrderMark]
    }

    /// The start of the first header and of the comments directly above it.
    private var startOfHeader: Int {
        guard rootEnd < bytes.count else { return rootEnd }
        var start = self.start(ofLineBefore: rootEnd)
        while start > byteOrderMark {
            let line = self.start(ofLineBefore: start - 1)
            guard bytes[line..<start].first(where: { $0 != 32 && $0 != 9 }) == UInt8(ascii: "#") else { break }
            start = line
        }
        return start
    }

    /// The start of the line that contains the byte at `place`.
    private func start(ofLineBefore place: Int) -> Int { bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? byteOrderMark }

    private func end(ofLineAt place: Int) -> Int { bytes[place...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count }

    /// True for a comment such as `# key = …`.
    private func isComment(_ line: Range<Int>, on key: String) -> Bool {
        let text = bytes[line].drop { $0 == 32 || $0 == 9 }
        guard text.first == UInt8(ascii: "#") else { return false }
        let rest = text.dropFirst().drop { $0 == 32 || $0 == 9 }
        guard rest.starts(with: key.utf8) else { return false }
        return rest.dropFirst(key.utf8.count).first { $0 != 32 && $0 != 9 } == UInt8(ascii: "=")
    }
}
