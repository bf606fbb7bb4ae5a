import Locks

extension DelimitedFile {
    /// The file whose bytes identify a cache entry: the file that is read, or the compressed file if it has checkpoints. `nil` if the input
    /// cannot be cached.
    private var cachedFile: ByteSource? { spool == nil ? source : opening.checkpointedFile }

    /// The name and the first words of the cache entry of this file. `nil` if the file is not cached: it is small or not a regular file, or
    /// it was changed shortly before it was opened or at any time after that.
    func cacheKey(for cache: IndexCache) -> IndexCacheKey? {
        let isCompressed = spool != nil
        let minimum = isCompressed ? cache.minimumCompressedBytes : cache.minimumBytes
        guard let path, let cachedFile, let fileStatus = fileStatus.withLock({ $0 }), fileStatus.size >= max(minimum, 1),
            fileStatus.readSeconds - fileStatus.changed.seconds >= cache.settleSeconds, cachedFile.count == fileStatus.size,
            let now = Platform.status(of: cachedFile.descriptor), now.isUnchanged(since: fileStatus),
            let canonicalPath = Platform.canonicalPath(path), let samples = sampleChecksum(of: cachedFile, size: now.size)
        else { return nil }
        let settings = grammar.settings
        let prefix = dialect.commentPrefix
        let file = [WordChecksum.mix(canonicalPath.lazy.map(UInt64.init)), now.device, now.inode]
        let numbers = [
            now.size, now.modified.seconds, now.modified.nanoseconds, now.changed.seconds, now.changed.nanoseconds,
            Int(dialect.delimiter), dialect.quote.map(Int.init) ?? -1, dialect.hasHeader ? 1 : 0,
            TextEncoding.allCases.firstIndex(of: dialect.encoding)!, dialect.skipLines, prefix.count, contentStart, headerStartCount,
            dialect.skipsBlankLines ? 1 : 0, firstColumnCount, index.expectedFields, settings.chunkBytes,
            settings.spanBytes, settings.firstBytes,
        ]
        return IndexCacheKey(
            name: IndexCache.hexadecimal(WordChecksum.mix(file + (isCompressed ? [IndexCache.checkpointMagic] : []))),
            words: [isCompressed ? IndexCache.checkpointMagic : IndexCache.magic, IndexCache.version] + file
                + numbers.map { UInt64(bitPattern: Int64($0)) }
                + [WordChecksum.mix(prefix.lazy.map(UInt64.init)), samples])
    }

    /// Loads the index from a cache entry. Returns `false` if there is no valid entry; the file must then be indexed.
    func restoreIndex(from cache: IndexCache, _ key: IndexCacheKey) -> Bool {
        guard spool == nil else { return restoreCheckpoints(from: cache, key) }
        let end = source.count
        // An entry consists of the key, the index, and a checksum of both.
        return cache.read(key.name, count: key.words.count + index.wordCount(end: end) + 1) { words in
            guard words.starts(with: key.words), WordChecksum.mix(UnsafeBufferPointer(rebasing: words.dropLast())) == words.last else {
                return false
            }
            return index.restore(UnsafeBufferPointer(rebasing: words[key.words.count..<words.count - 1]), end: end)
        }
    }

    /// Loads the index and the checkpoints of a compressed file from a cache entry. The file is then decoded only where it is read. Returns
    /// `false` if there is no valid entry.
    ///
    /// The entry is not used if the size of the decoded file exceeds the spool limit.
    private func restoreCheckpoints(from cache: IndexCache, _ key: IndexCacheKey) -> Bool {
        guard let file = opening.checkpointedFile, let fileStatus = fileStatus.withLock({ $0 }), let decoding = opening.decoding else {
            return false
        }
        // An entry consists of the key, the checkpoints, the index, and a checksum of all of them.
        return cache.read(key.name, count: nil) { words in
            guard words.count > key.words.count, words.starts(with: key.words),
                WordChecksum.mix(UnsafeBufferPointer(rebasing: words.dropLast())) == words.last
            else { return false }
            var rest = words[key.words.count..<words.count - 1]
            guard
                let table = CheckpointTable(&rest, size: fileStatus.size, maximumSectionBytes: cache.maximumSectionBytes),
                table.count <= grammar.settings.spoolLimit ?? .max,
                let state = index.restoredState(UnsafeBufferPointer(rebasing: rest), end: table.count)
            else { return false }
            let sections = SectionDecoder(
                table, of: file, fileStatus: fileStatus, name: name, decoding: decoding, settings: grammar.settings,
                discardCheckpoints: { cache.remove(key.name) })
            // The index must not be visible before the bytes of its records are available.
            guard source.attach(sections) else { return false }
            index.adopt(state)
            return true
        }
    }

    /// Stores the index in the cache, unless the file has changed since `key` was created. For a compressed file, also stores the
    /// checkpoints.
    func storeIndex(in cache: IndexCache, _ key: IndexCacheKey) {
        guard cacheKey(for: cache) == key, let words = index.words(end: source.count) else { return }
        var all = key.words
        if spool != nil {
            let known = source.current
            // No bytes follow a checkpoint at the end of the decoded bytes, so it is not stored.
            let checkpoints = known.checkpoints.filter { $0.outputOffset < known.count }
            guard known.problem == nil, let size = fileStatus.withLock({ $0?.size }),
                let table = CheckpointTable(
                    checkpoints, count: known.count, size: size, maximumSectionBytes: cache.maximumSectionBytes)
            else { return }
            table.append(to: &all)
        }
        all += words
        cache.write(all + [WordChecksum.mix(all)], to: key.name)
    }

    /// A checksum of 4 KiB at each of these offsets: the start, the end, and 16 offsets that the size determines. It detects changes that
    /// keep size and times.
    func sampleChecksum(of file: ByteSource, size: Int) -> UInt64? {
        let count = min(size, 4096)
        var offsets = WordChecksum()
        var mixer = WordChecksum()
        for number in 0..<18 {
            offsets.add(UInt64(size))
            let offset = number == 0 ? 0 : number == 1 ? size - count : Int(offsets.value % UInt64(size - count + 1))
            guard let words = words(of: file, at: offset, byteCount: count) else { return nil }
            for word in words { mixer.add(word) }
        }
        return mixer.value
    }

    /// The bytes at `offset` as words of eight bytes, the last one padded with zeros; `nil` if they cannot be read.
    func words(of file: ByteSource, at offset: Int, byteCount: Int) -> [UInt64]? {
        var words = [UInt64](repeating: 0, count: (byteCount + 7) / 8)
        let done = words.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return Optional(0) }
            return Platform.readFully(file.descriptor, into: start.assumingMemoryBound(to: UInt8.self), count: byteCount, at: offset)
        }
        return done == byteCount ? words : nil
    }
}
