extension IndexCache {
    /// Reads an entry and passes its words to `body`, which returns true if they are valid. Returns the result of `body`; `false` without
    /// an entry.
    /// - Parameter count: the number of words that the entry must have; `nil` for any number.
    func read(_ name: String, count: Int?, _ body: (UnsafeBufferPointer<UInt64>) -> Bool) -> Bool {
        guard let folder = openFolder(creates: false) else { return false }
        defer { Platform.closeDescriptor(folder) }
        guard let file = Platform.openPrivateFile(name, in: folder) else { return false }
        defer { Platform.closeDescriptor(file.descriptor) }
        let (count, rest) = (count ?? file.size / MemoryLayout<UInt64>.size, file.size % MemoryLayout<UInt64>.size)
        let size = count * MemoryLayout<UInt64>.size
        guard rest == 0, file.size == size, size <= maximumBytes else { return false }
        let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
        defer { words.deallocate() }
        let bytes = UnsafeMutableRawBufferPointer(words).baseAddress!
        let done = Platform.readFully(file.descriptor, into: bytes.assumingMemoryBound(to: UInt8.self), count: size, at: 0)
        guard done == size, body(UnsafeBufferPointer(words)) else { return false }
        Platform.touch(file.descriptor)
        return true
    }

    /// Writes an entry, which replaces one with the same name. Then removes entries until the limits are met.
    func write(_ words: [UInt64], to name: String) {
        let size = words.count * MemoryLayout<UInt64>.size
        guard size <= maximumBytes, let folder = openFolder(creates: true) else { return }
        defer { Platform.closeDescriptor(folder) }
        // The entry is written to a file with another name, which is renamed when it is complete. Readers thus see either the old or the
        // new entry.
        let temporaryName = "\(name).\(Self.hexadecimal(.random(in: 0 ... .max)))"
        guard let file = Platform.createPrivateFile(temporaryName, in: folder) else { return }
        let isWritten = words.withUnsafeBytes {
            Platform.writeFully(file, from: $0.baseAddress!.assumingMemoryBound(to: UInt8.self), count: size, at: 0)
        }
        Platform.closeDescriptor(file)
        if !isWritten || !Platform.renameFile(temporaryName, to: name, in: folder) { Platform.removeFile(temporaryName, in: folder) }
        evict(in: folder)
    }

    func remove(_ name: String) {
        guard let folder = openFolder(creates: false) else { return }
        Platform.removeFile(name, in: folder)
        Platform.closeDescriptor(folder)
    }

    /// Removes the least recently used entries. Incomplete files of crashed processes count as entries.
    private func evict(in folder: Int32) {
        let entries = Platform.files(in: folder).filter { Self.isEntry($0.name) }.sorted {
            let (a, b) = ($0.status, $1.status)
            return (a.modified.seconds, a.modified.nanoseconds, $0.name) > (b.modified.seconds, b.modified.nanoseconds, $1.name)
        }
        var bytes = 0
        for (index, entry) in entries.enumerated() {
            bytes += entry.status.size
            if index >= maximumFiles || bytes > maximumBytes { Platform.removeFile(entry.name, in: folder) }
        }
    }

    private func openFolder(creates: Bool) -> Int32? {
        guard var folder = Platform.openPrivateFolder(base, creates: creates) else { return nil }
        for name in Self.folders {
            let next = Platform.openPrivateFolder(name, in: folder, creates: creates)
            Platform.closeDescriptor(folder)
            guard let next else { return nil }
            folder = next
        }
        return folder
    }

    /// A number as 16 hexadecimal digits.
    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// True if a file name has the form of an entry. Files with other names are never removed.
    static func isEntry(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) }
    }
}
