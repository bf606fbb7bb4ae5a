import DelimitedText
import FieldValues
import Tables

/// An open Arrow file or stream: its schema and the offsets of its messages. Any thread can use it.
final class ArrowFile: Sendable {
    /// The location of a message in the file. A message consists of metadata, followed by a body with values.
    struct Message: Sendable {
        /// The byte offset of the message, which starts with the length of its metadata.
        let offset: Int
        /// The byte offset of the body, directly after the metadata.
        let body: Int
        let bodyBytes: Int
    }

    /// A message with values of a dictionary. A delta appends its values, and other messages replace all values.
    private struct DictionaryMessage {
        let message: Message
        let isDelta: Bool
    }

    /// The messages of one dictionary: its first values, deltas that append values, and replacements of all values. If there are
    /// replacements, the messages are sorted by file offset.
    private struct DictionaryMessages {
        var all: [DictionaryMessage] = []
        var isReplaced = false

        mutating func append(_ message: DictionaryMessage) {
            if !message.isDelta, !all.isEmpty { isReplaced = true }
            all.append(message)
        }
    }

    let file: BinaryFile
    let schema: ArrowSchema
    /// True for a file with a footer, false for a stream.
    let isFile: Bool
    let version: Int16
    /// The record batches that contain rows. Empty batches are left out.
    let batches: [Message]
    /// For each element of ``batches``, the total number of rows up to its end.
    let ends: [Int]
    /// The number of record batches in the file, including batches without rows.
    let batchCount: Int
    let codecs: [Codec]
    /// The error for a file that ends too early, is damaged after complete record batches, or has more bytes after its end; `nil` for other
    /// files.
    let earlyEnd: FormatError?
    private let dictionaries: [Int64: DictionaryMessages]
    private let cache = ArrowCache()

    static let magic = Array("ARROW1".utf8)

    /// Finds all messages in the file, with one short read for each.
    init(_ file: BinaryFile) throws {
        let head = try file.bytes(at: 0, count: 8)
        var content: Content
        if head.starts(with: Self.magic) {
            let tail = try file.bytes(at: max(8, file.count - 10), count: 10)
            if tail.count == 10, tail.suffix(6).elementsEqual(Self.magic) {
                content = try Content(footerOf: file, length: Int(FlatBuffer(bytes: tail).number(Int32.self, at: 0)))
            } else {
                content = try Content(streamOf: file, from: 8)
                content.isIncomplete = true
            }
        } else {
            content = try Content(streamOf: file, from: 0)
        }
        guard let schema = content.schema else { throw ArrowError.damaged("it has no schema") }
        (self.file, self.schema, isFile, version) = (file, schema, content.isFile, content.version)
        (batches, ends, batchCount) = (content.batches, content.ends, content.batchCount)
        codecs = content.codecs
        let end = NumberText.count(content.end)
        let sentence: String? =
            switch (content.isIncomplete, content.trailingContent) {
            case (true, _): "\(file.name) is incomplete or damaged after byte \(end). Copy or download it again."
            case (_, .otherColumns?):
                "\(file.name) has another stream after byte \(end), with other columns. Save each stream as its own file."
            case (_, .otherBytes?): "\(file.name) has bytes after byte \(end) that are not an Arrow stream, and are not shown."
            case (_, nil): nil
            }
        earlyEnd = sentence.map { FormatError($0, inputEnd: .betweenRecords) }
        // A footer may list dictionary messages in any order. If a dictionary is replaced, the order in the file decides which version a
        // record batch uses.
        dictionaries = content.dictionaries.mapValues { messages in
            var messages = messages
            if messages.isReplaced { messages.all.sort { $0.message.offset < $1.message.offset } }
            return messages
        }
        for codec in codecs { try codec.load(for: file.name) }
    }

    var rowCount: Int { ends.last ?? 0 }

    /// The index in ``batches`` of the batch that contains a row.
    func batchIndex(ofRow row: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Reads the metadata of a record batch.
    func batch(_ index: Int) throws -> ArrowBatch { try batch(batches[index], ArrowMessage.recordBatch) }

    private func batch(_ message: Message, _ kind: UInt8) throws -> ArrowBatch {
        let key = ArrowCache.Key(message: message.offset, part: .metadata)
        if let batch = cache.value(key, as: ArrowBatch.self) { return batch }
        guard let parsed = try ArrowMessage.read(file, at: message.offset), parsed.kind == kind,
            let header = try kind == ArrowMessage.dictionaryBatch ? parsed.header.table(1) : parsed.header
        else { throw ArrowError.damaged("the record batch at byte \(NumberText.count(message.offset)) has no metadata") }
        let batch = try ArrowBatch(header, message)
        cache.insert(batch, key, bytes: parsed.metadataBytes)
        return batch
    }

    /// Returns the bytes of a buffer from the cache. If they are not in the cache, calls `decode` and adds the result.
    func cachedBlock(_ key: ArrowCache.Key, decode: () throws -> ArrowBlock) throws -> ArrowBlock {
        if let block = cache.value(key, as: ArrowBlock.self) { return block }
        let block = try decode()
        cache.insert(block, key, bytes: block.count)
        return block
    }

    /// Reads the dictionary that a record batch uses for a field: the last version before the batch, with all its deltas.
    /// - Parameters:
    ///   - depth: the number of dictionaries around this one. The values of a dictionary can themselves use a dictionary.
    ///   - isRaw: true to keep bytes as they are stored; false to print bytes that are not text as hexadecimal digits.
    func dictionary(of field: ArrowField.Dictionary, for batch: ArrowBatch, depth: Int, isRaw: Bool) throws -> ArrowDictionary {
        guard depth < 8 else { throw ArrowError.damaged("dictionary \(field.id) contains itself") }
        guard let messages = dictionaries[field.id] else { return try ArrowDictionary([], ArrowReader(self, batch)) }
        let all = messages.all
        // Deltas after the batch are read, too. This is correct: a delta only appends values, so earlier indexes stay the same.
        var first = 0
        if messages.isReplaced {
            var (low, high) = (0, all.count)
            while low < high {
                let middle = (low + high) / 2
                if all[middle].message.offset < batch.message.offset { low = middle + 1 } else { high = middle }
            }
            first = max(0, low - 1)
            while first > 0, all[first].isDelta { first -= 1 }
        }
        if !isFile, all[first].message.offset > batch.message.offset { return try ArrowDictionary([], ArrowReader(self, batch)) }
        let key = ArrowCache.Key(message: all[first].message.offset, part: .dictionary(field.id, isRaw: isRaw))
        if let dictionary = cache.value(key, as: ArrowDictionary.self) { return dictionary }
        var slices: [ArrowSlice] = []
        var index = first
        var budget = ArrowReader.maximumValueBytes
        var reader: ArrowReader
        repeat {
            let part = try self.batch(all[index].message, ArrowMessage.dictionaryBatch)
            reader = ArrowReader(self, part, dictionaryDepth: depth + 1, isRaw: isRaw)
            reader.budget = budget
            let length = try part.node(field.values.nodeIndex).length
            slices.append(try reader.slice(of: field.values, 0..<length))
            budget = reader.budget
            index += 1
        } while index < all.count && all[index].isDelta
        let dictionary = try ArrowDictionary(slices, reader)
        cache.insert(dictionary, key, bytes: ArrowReader.maximumValueBytes - reader.budget)
        return dictionary
    }

    // MARK: Opening

    /// Content after the end of a stream: a stream with other columns, or bytes that do not begin a stream.
    private enum TrailingContent { case otherColumns, otherBytes }

    /// The content that has been found while a file is being opened.
    private struct Content {
        var schema: ArrowSchema?
        var version: Int16 = 4
        var isFile = false
        var batches: [Message] = []
        var ends: [Int] = []
        var batchCount = 0
        var codecs: [Codec] = []
        var dictionaries: [Int64: DictionaryMessages] = [:]
        /// True if the end of the file is missing or damaged.
        var isIncomplete = false
        /// The content after the last stream whose rows are read; `nil` if the input ends there.
        var trailingContent: TrailingContent?
        /// The byte offset of the end of the last message.
        var end = 0

        /// Reads the footer of a file, and the number of rows of each record batch.
        init(footerOf file: BinaryFile, length: Int) throws {
            isFile = true
            guard length > 0, length <= file.count - 18 else {
                throw ArrowError.damaged("its footer has \(NumberText.count(length)) bytes")
            }
            let footer = FlatBuffer(bytes: try file.bytes(at: file.count - 10 - length, count: length))
            let root = try footer.root
            version = try root.number(0, default: Int16(0))
            // The version in the footer is not used, because writers of older format versions put the newest version there. The schema
            // message has the actual version.
            end = 8
            if let first = try? ArrowMessage.read(file, at: 8), first.kind == ArrowMessage.schema {
                version = first.version
                end += first.prefixBytes + first.metadataBytes
            }
            guard let table = try root.table(1) else { throw ArrowError.damaged("its footer has no schema") }
            schema = try ArrowSchema(table, metadataBytes: length, version: version)
            for field in [2, 3] {
                guard let blocks = try root.vector(field, stride: 24) else { continue }
                for index in 0..<blocks.count {
                    let offset = try blocks.number(Int64.self, of: index)
                    let metadata = try blocks.number(Int32.self, of: index, at: 8)
                    let body = try blocks.number(Int64.self, of: index, at: 16)
                    guard offset >= 8, metadata > 0, body >= 0, offset <= file.count, Int(metadata) <= file.count - Int(offset),
                        body <= file.count - Int(offset) - Int(metadata)
                    else { throw ArrowError.damaged("a record batch is outside the file") }
                    guard let message = try ArrowMessage.read(file, at: Int(offset), isComplete: false) else {
                        throw ArrowError.damaged("the record batch at byte \(NumberText.count(Int(offset))) has no metadata")
                    }
                    let location = Message(offset: Int(offset), body: Int(offset) + Int(metadata), bodyBytes: Int(body))
                    guard message.kind == (field == 2 ? ArrowMessage.dictionaryBatch : ArrowMessage.recordBatch) else {
                        throw ArrowError.damaged("the message at byte \(NumberText.count(Int(offset))) is not a record batch")
                    }
                    try add(message, location)
                    end = max(end, location.body + location.bodyBytes)
                }
            }
            // Between the last record batch and the footer, there are only an end mark and padding. A longer gap shows that several files
            // were joined.
            if file.count - 10 - length - end > Self.maximumPadding { trailingContent = .otherBytes }
        }

        /// The maximum number of bytes between the last record batch and the footer: 8 bytes of end mark, with padding to a multiple of 64
        /// bytes on both sides.
        private static let maximumPadding = 136

        /// Reads the metadata of all messages of a stream. If further streams with the same schema follow, their rows are added.
        init(streamOf file: BinaryFile, from start: Int) throws {
            var offset = start
            while offset < file.count {
                end = offset
                let message: ArrowMessage?
                do {
                    message = try ArrowMessage.read(file, at: offset, isComplete: false)
                } catch ArrowError.damaged where schema != nil {
                    // Either the message is truncated, or the bytes are the start of the footer of a truncated file.
                    isIncomplete = true
                    return
                }
                guard let message else {
                    offset += try ArrowMessage.endMarkLength(file, at: offset)
                    end = offset
                    // In a file with a footer, the footer follows directly after the stream.
                    guard start == 0, offset < file.count else { return }
                    guard ArrowMessage.isSchema(try file.bytes(at: offset, count: 512)) else {
                        trailingContent = .otherBytes
                        return
                    }
                    continue
                }
                if message.kind == ArrowMessage.schema {
                    guard let complete = try ArrowMessage.read(file, at: offset) else { break }
                    let next = try ArrowSchema(complete.header, metadataBytes: complete.metadataBytes, version: message.version)
                    if let schema {
                        guard message.version == version, schema.hasSameFields(as: next) else {
                            trailingContent = .otherColumns
                            return
                        }
                    } else {
                        (version, schema) = (message.version, next)
                    }
                }
                guard schema != nil else { throw ArrowError.damaged("it does not start with a schema") }
                let body = offset + message.prefixBytes + message.metadataBytes
                guard message.bodyBytes >= 0 else {
                    throw ArrowError.damaged("the message at byte \(NumberText.count(offset)) has a negative length")
                }
                guard body <= file.count, message.bodyBytes <= file.count - body else {
                    isIncomplete = true
                    return
                }
                try add(message, Message(offset: offset, body: body, bodyBytes: message.bodyBytes))
                offset = body + message.bodyBytes
                end = offset
            }
        }

        private mutating func add(_ message: ArrowMessage, _ location: Message) throws {
            switch message.kind {
            case ArrowMessage.recordBatch:
                batchCount += 1
                try addCodec(message.header)
                let rows = try message.header.number(0, default: Int64(0))
                let (end, overflow) = (ends.last ?? 0).addingReportingOverflow(Int(rows))
                guard rows >= 0, !overflow, end < 1 << 56 else { throw ArrowError.damaged("a record batch has \(rows) rows") }
                guard rows > 0 else { return }
                batches.append(location)
                ends.append(end)
            case ArrowMessage.dictionaryBatch:
                let id = try message.header.number(0, default: Int64(0))
                if let batch = try message.header.table(1) { try addCodec(batch) }
                guard schema?.dictionaries[id] != nil else { throw ArrowError.damaged("no column has dictionary \(id)") }
                dictionaries[id, default: DictionaryMessages()].append(
                    DictionaryMessage(message: location, isDelta: try message.header.flag(2)))
            case ArrowMessage.schema: break
            default: throw ArrowError.unsupported("contains tensors, which are not supported")
            }
        }

        private mutating func addCodec(_ batch: FlatTable) throws {
            guard let compression = try batch.table(3) else { return }
            let codec = try ArrowBatch.codec(compression)
            if !codecs.contains(codec) { codecs.append(codec) }
        }
    }
}

/// The metadata of one message, such as a schema or a record batch.
struct ArrowMessage {
    let version: Int16
    let kind: UInt8
    let header: FlatTable
    /// The number of bytes before the metadata: 8, or 4 in files of the first format versions.
    let prefixBytes: Int
    let metadataBytes: Int
    let bodyBytes: Int

    static let schema: UInt8 = 1
    static let dictionaryBatch: UInt8 = 2
    static let recordBatch: UInt8 = 3

    /// Parses the metadata of a message.
    private init(_ metadata: [UInt8], prefixBytes: Int, metadataBytes: Int) throws(ArrowError) {
        let root = try FlatBuffer(bytes: metadata).root
        version = try root.number(0, default: Int16(0))
        kind = try root.number(1, default: UInt8(0))
        guard (0...4).contains(version) else { throw .unsupported("has metadata of an unknown version (\(version))") }
        guard let header = try root.table(2) else { throw .damaged("a message has no header") }
        self.header = header
        guard version >= 3 else { throw .unsupported("was written by a version of Arrow before 0.8") }
        bodyBytes = Int(try root.number(3, default: Int64(0)))
        (self.prefixBytes, self.metadataBytes) = (prefixBytes, metadataBytes)
        // All fields that are needed later are read here. Damage is therefore reported while the file is being opened.
        switch kind {
        case Self.recordBatch: try Self.checkBatch(header)
        case Self.dictionaryBatch:
            _ = try (header.number(0, default: Int64(0)), header.flag(2))
            if let batch = try header.table(1) { try Self.checkBatch(batch) }
        default: break
        }
    }

    private static func checkBatch(_ batch: FlatTable) throws(ArrowError) {
        _ = try batch.number(0, default: Int64(0))
        if let compression = try batch.table(3) { _ = try ArrowBatch.codec(compression) }
    }

    /// Reads the metadata of the message at a byte offset.
    /// - Parameter isComplete: false to read only the start of long metadata if possible. The start has the kind of the message and the
    ///   first fields of its header, but no lists.
    /// - Returns: `nil` if the stream ends at this offset.
    static func read(_ file: BinaryFile, at offset: Int, isComplete: Bool = true) throws -> ArrowMessage? {
        let head = try file.bytes(at: offset, count: 1_024)
        guard let prefix = parsePrefix(head) else {
            throw ArrowError.damaged("the message at byte \(NumberText.count(offset)) is incomplete")
        }
        guard prefix.length != 0 else { return nil }
        guard prefix.length > 0, prefix.length <= file.count - offset - prefix.bytes else {
            throw ArrowError.damaged(
                "the message at byte \(NumberText.count(offset)) has an invalid metadata length (\(NumberText.count(prefix.length)))")
        }
        if !isComplete || prefix.length <= head.count - prefix.bytes {
            let start = Array(head.dropFirst(prefix.bytes).prefix(prefix.length))
            do {
                return try ArrowMessage(start, prefixBytes: prefix.bytes, metadataBytes: prefix.length)
            } catch {
                guard start.count < prefix.length, case .damaged = error else { throw error }
            }
        }
        let metadata = try file.bytes(at: offset + prefix.bytes, count: prefix.length)
        return try ArrowMessage(metadata, prefixBytes: prefix.bytes, metadataBytes: prefix.length)
    }

    /// Parses the bytes of a message with a schema. The result is `nil` for other bytes.
    static func schema(in bytes: [UInt8]) throws(ArrowError) -> ArrowSchema? {
        guard let prefix = parsePrefix(bytes), prefix.length > 0, prefix.length <= bytes.count - prefix.bytes else { return nil }
        let metadata = Array(bytes[prefix.bytes..<prefix.bytes + prefix.length])
        let message = try ArrowMessage(metadata, prefixBytes: prefix.bytes, metadataBytes: prefix.length)
        guard message.kind == schema else { return nil }
        return try ArrowSchema(message.header, metadataBytes: prefix.length, version: message.version)
    }

    /// Reads the prefix of a message: the length of the metadata, and the number of bytes of the prefix itself.
    private static func parsePrefix(_ head: [UInt8]) -> (length: Int, bytes: Int)? {
        let buffer = FlatBuffer(bytes: head)
        guard let first = try? buffer.number(Int32.self, at: 0) else { return nil }
        guard first == -1 else { return (Int(first), 4) }
        return (try? buffer.number(Int32.self, at: 4)).map { (Int($0), 8) }
    }

    /// The length in bytes of the end mark of a stream: 8, or 4 in files of the first format versions. `offset` is the start of the mark.
    static func endMarkLength(_ file: BinaryFile, at offset: Int) throws -> Int {
        parsePrefix(try file.bytes(at: offset, count: 8))?.bytes ?? 4
    }

    /// True if a file begins with a schema message. `head` is the beginning of the file.
    static func isSchema(_ head: [UInt8]) -> Bool {
        guard let prefix = parsePrefix(head), prefix.length >= 16, prefix.length <= 1 << 28 else { return false }
        // The header itself may be after the end of `head`, so only its position is checked.
        guard let root = try? FlatBuffer(bytes: Array(head.dropFirst(prefix.bytes))).root,
            let version = try? root.number(0, default: Int16(0)), (0...4).contains(version),
            (try? root.number(1, default: UInt8(0))) == schema, (try? root.number(3, default: Int64(0))) == 0,
            let header = try? root.number(2, default: UInt32(0)), header > 0, header < prefix.length
        else { return false }
        return true
    }
}

/// The metadata of a record batch or a dictionary batch.
final class ArrowBatch: Sendable {
    let message: ArrowFile.Message
    let length: Int
    let codec: Codec?
    private let nodes: FlatVector?
    private let buffers: FlatVector?
    /// For each column with views, the number of data buffers that belong to earlier columns with views. The last element is the total. A
    /// view is a reference to a string in one of several data buffers.
    private let viewBuffers: [Int]

    init(_ table: FlatTable, _ message: ArrowFile.Message) throws(ArrowError) {
        self.message = message
        length = Int(try table.number(0, default: Int64(0)))
        nodes = try table.vector(1, stride: 16)
        buffers = try table.vector(2, stride: 16)
        codec = if let compression = try table.table(3) { try Self.codec(compression) } else { nil }
        let counts = try table.vector(4, stride: 8)
        var sums = [0]
        for index in 0..<(counts?.count ?? 0) {
            let count = try counts?.number(Int64.self, of: index) ?? 0
            guard (0...(1 << 32)).contains(count) else { throw .damaged("a column has an invalid buffer count (\(count))") }
            sums.append(sums[index] + Int(count))
        }
        viewBuffers = sums
    }

    static func codec(_ compression: FlatTable) throws(ArrowError) -> Codec {
        guard try compression.number(1, default: UInt8(0)) == 0 else { throw .unsupported("is compressed with an unknown method") }
        switch try compression.number(0, default: UInt8(0)) {
        case 0: return .lz4
        case 1: return .zstd
        case let codec: throw .unsupported("uses an unknown compression method (\(codec))")
        }
    }

    /// For the field with this node index, the number of values and the number of nulls.
    func node(_ index: Int) throws(ArrowError) -> (length: Int, nulls: Int) {
        guard let nodes else { throw .damaged("a record batch has no columns") }
        let (length, nulls) = (Int(try nodes.number(Int64.self, of: index)), Int(try nodes.number(Int64.self, of: index, at: 8)))
        guard length >= 0 else { throw .damaged("a column has an invalid length (\(length))") }
        return (length, nulls)
    }

    /// The index of the field's first buffer in the batch.
    func firstBuffer(of field: ArrowField) throws(ArrowError) -> Int {
        guard field.earlierViewCount > 0 else { return field.firstBuffer }
        guard field.earlierViewCount < viewBuffers.count else { throw .damaged("a record batch has too few buffers") }
        return field.firstBuffer + viewBuffers[field.earlierViewCount]
    }

    /// The number of data buffers of a column with views.
    func viewBufferCount(of field: ArrowField) throws(ArrowError) -> Int {
        guard field.earlierViewCount + 1 < viewBuffers.count else { throw .damaged("a record batch has too few buffers") }
        return viewBuffers[field.earlierViewCount + 1] - viewBuffers[field.earlierViewCount]
    }

    /// The byte offset and the size of a buffer, which lies within the body of the message.
    func buffer(_ index: Int) throws(ArrowError) -> (offset: Int, count: Int) {
        guard let buffers else { throw .damaged("a record batch has no buffers") }
        let (offset, count) = (try buffers.number(Int64.self, of: index), try buffers.number(Int64.self, of: index, at: 8))
        guard offset >= 0, count >= 0, offset <= message.bodyBytes, count <= message.bodyBytes - Int(offset) else {
            throw .damaged("a buffer is outside its record batch")
        }
        return (message.body + Int(offset), Int(count))
    }
}
