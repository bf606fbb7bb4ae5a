/// A text in the TOML format with its parsed values. Changing a value keeps the rest of the text.
struct TOMLDocument: Equatable, Sendable {
    let bytes: [UInt8]
    let root: TOMLTable
    /// The byte offset of the first table header, or of the end of the text if there is no header. Values of ``root`` must be written
    /// before it.
    let rootEnd: Int

    /// The bytes of the document when `key` of ``root`` has been set to `value`.
    ///
    /// If the key has a value, this value is replaced. Otherwise, a line is inserted at the first possible place: after a commented-out
    /// value of the key, after the last value before the first table, before the first table, or at the start.
    /// - Returns: `nil` if the value cannot be written without changing other values.
    func changedBytes(setting key: String, to value: TOMLValue, writtenAs text: String) -> [UInt8]? {
        if let old = root[key] {
            guard let range = old.byteRange else { return nil }
            return bytesIfValid(bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...], key, value)
        }
        let lineEnd: [UInt8] = usesCarriageReturns ? [13, 10] : [10]
        for offset in insertionOffsets(for: key) {
            let start = offset > 0 && bytes[offset - 1] != 10 && offset != byteOrderMarkLength ? lineEnd : []
            let line = start + Array("\(key) = \(text)".utf8) + lineEnd
            if let changed = bytesIfValid(bytes[..<offset] + line + bytes[offset...], key, value) { return changed }
        }
        return nil
    }

    /// Returns `bytes` if they are valid TOML in which `key` has this value and all other values are unchanged; otherwise `nil`.
    private func bytesIfValid(_ bytes: ArraySlice<UInt8>, _ key: String, _ value: TOMLValue) -> [UInt8]? {
        guard let changed = try? TOMLReader.read(Array(bytes)) else { return nil }
        var (old, new) = (root, changed.root)
        guard let entry = new.entries.removeValue(forKey: key), entry.value.isEqual(to: value) else { return nil }
        old.entries[key] = nil
        return TOMLValue.table(old).isEqual(to: .table(new)) ? changed.bytes : nil
    }

    /// The length of the byte order mark at the start of the text, in bytes; 0 without one.
    private var byteOrderMarkLength: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    private var usesCarriageReturns: Bool { bytes.firstIndex(of: 10).map { $0 > 0 && bytes[$0 - 1] == 13 } ?? false }

    /// The byte offsets at which a line for `key` can be inserted, the best first.
    private func insertionOffsets(for key: String) -> [Int] {
        var offsets: [Int] = []
        var start = byteOrderMarkLength
        while start < rootEnd {
            let end = self.end(ofLineAt: start)
            if isComment(start..<end, on: key) { offsets.append(end) }
            start = end
        }
        offsets = offsets.suffix(1)
        if let last = root.entries.values.compactMap(\.byteRange?.upperBound).filter({ $0 <= rootEnd }).max() {
            offsets.append(end(ofLineAt: last))
        }
        return offsets + [startOfHeader, byteOrderMarkLength]
    }

    /// The byte offset at which the first table begins: at its header, or at the comments directly above the header.
    private var startOfHeader: Int {
        guard rootEnd < bytes.count else { return rootEnd }
        var start = self.start(ofLineContaining: rootEnd)
        while start > byteOrderMarkLength {
            let line = self.start(ofLineContaining: start - 1)
            guard bytes[line..<start].first(where: { $0 != 32 && $0 != 9 }) == UInt8(ascii: "#") else { break }
            start = line
        }
        return start
    }

    /// The offset of the first byte of the line that contains the byte at `offset`.
    private func start(ofLineContaining offset: Int) -> Int { bytes[..<offset].lastIndex(of: 10).map { $0 + 1 } ?? byteOrderMarkLength }

    private func end(ofLineAt offset: Int) -> Int { bytes[offset...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count }

    /// True if a line is a commented-out value of `key`: `# key = …`.
    private func isComment(_ line: Range<Int>, on key: String) -> Bool {
        let text = bytes[line].drop { $0 == 32 || $0 == 9 }
        guard text.first == UInt8(ascii: "#") else { return false }
        let rest = text.dropFirst().drop { $0 == 32 || $0 == 9 }
        guard rest.starts(with: key.utf8) else { return false }
        return rest.dropFirst(key.utf8.count).first { $0 != 32 && $0 != 9 } == UInt8(ascii: "=")
    }
}
