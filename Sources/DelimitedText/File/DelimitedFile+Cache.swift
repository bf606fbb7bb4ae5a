import Locks

extension DelimitedFile {
    /// The name and the leading words of the cache entry of this file. `nil` if the file is not cached: it is small or not a regular file,
    /// or it changed shortly before it was opened or afterwards.
    func cacheKey(for cache: IndexCache) -> IndexCacheKey? {
        guard spool == nil, let path, let opened = opened.withLock({ $0 }), opened.size >= max(cache.minimumBytes, 1),
            opened.readSeconds - opened.changed.seconds >= cache.settleSeconds, source.count == opened.size,
            let now = Platform.status(of: source.descriptor), now.isUnchanged(since: opened), let place = Platform.canonicalPath(path),
            let samples = sampleChecksum(size: now.size)
        else { return nil }
        let settings = grammar.settings
        let prefix = dialect.commentPrefix
        let file = [WordMixer.mix(place.lazy.map(UInt64.init)), now.device, now.inode]
        let numbers = [
            now.size, now.modified.seconds, now.modified.nanoseconds, now.changed.seconds, now.changed.nanoseconds,
            Int(dialect.delimiter), dialect.quote.map(Int.init) ?? -1, dialect.hasHeader ? 1 : 0,
            TextEncoding.allCases.firstIndex(of: dialect.encoding)!, dialect.skipLines, prefix.count, contentStart, headerStarts,
            firstColumnCount, index.expectedFields, settings.chunkBytes,
            settings.spanBytes, settings.firstBytes,
        ]
        return IndexCacheKey(
            name: IndexCache.hexadecimal(WordMixer.mix(file)),
            words: [IndexCache.magic, IndexCache.version] + file + numbers.map { UInt64(bitPattern: Int64($0)) }
                + [WordMixer.mix(prefix.lazy.map(UInt64.init)), samples])
    }

    /// Loads the index from a cache entry. Returns `true` if the index is complete.
    func restoreIndex(from cache: IndexCache, _ key: IndexCacheKey) -> Bool {
        let end = source.count
        // The key, the index, and the checksum of both.
        return cache.read(key.name, count: key.words.count + index.wordCount(end: end) + 1) { words in
            guard words.starts(with: key.words), WordMixer.mix(UnsafeBufferPointer(rebasing: words.dropLast())) == words.last else {
                return false
            }
            return index.restore(UnsafeBufferPointer(rebasing: words[key.words.count..<words.count - 1]), end: end)
        }
    }

    /// Stores the index, unless the file has changed since `key` was created.
    func storeIndex(in cache: IndexCache, _ key: IndexCacheKey) {
        guard cacheKey(for: cache) == key, let words = index.words(end: source.count) else { return }
        let all = key.words + words
        cache.write(all + [WordMixer.mix(all)], to: key.name)
    }

    /// The checksum of the head, the tail and 16 places derived from the size, 4 KiB each. It detects changes that no timestamp shows.
    func sampleChecksum(size: Int) -> UInt64? {
        let count = min(size, 4096)
        var places = WordMixer()
        var mixer = WordMixer()
        for number in 0..<18 {
            places.add(UInt64(size))
            let place = number == 0 ? 0 : number == 1 ? size - count : Int(places.value % UInt64(size - count + 1))
            guard let words = words(at: place, count: count) else { return nil }
            for word in words { mixer.add(word) }
        }
        return mixer.value
    }

    /// The bytes of the file as words, the last one padded with zeros; `nil` if they cannot be read.
    func words(at offset: Int, count: Int) -> [UInt64]? {
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        let done = words.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return Optional(0) }
            return Platform.readFully(source.descriptor, into: start.assumingMemoryBound(to: UInt8.self), count: count, at: offset)
        }
        return done == count ? words : nil
    }
}
