/// The field numbers of the metadata structures, as defined in `parquet.thrift` of the format's specification.
enum ParquetField {
    enum File: Int { case version = 1, schema, rowCount, groups, keyValues, createdBy, columnOrders, encryption }

    enum KeyValue: Int { case key = 1, value }

    enum Group: Int { case chunks = 1, byteCount, rowCount, sorting, start, compressedBytes }

    enum Chunk: Int {
        case path = 1, metadataStart, metadata, offsetIndexStart, offsetIndexCount, columnIndexStart, columnIndexCount, encryption
    }

    enum ChunkMetadata: Int {
        case type = 1, encodings, path, codec, valueCount, uncompressedBytes, compressedBytes, keyValues, dataStart, indexStart,
            dictionaryStart, statistics, pageCounts
    }

    enum Statistics: Int {
        case oldMaximum = 1, oldMinimum, nullCount, distinctCount, maximum, minimum, isMaximumExact, isMinimumExact
    }

    /// The number of pages with an encoding.
    enum PageCount: Int { case kind = 1, encoding, count }

    enum Element: Int { case type = 1, typeLength, repetition, name, childCount, converted, scale, precision, id, logical }

    enum Logical: Int {
        case string = 1, map, list, `enum`, decimal, date, time, timestamp, integer = 10, null, json, bson, uuid, float16
    }

    enum Decimal: Int { case scale = 1, precision }

    enum Time: Int { case isUTC = 1, unit }

    enum Unit: Int {
        case milliseconds = 1, microseconds, nanoseconds

        /// The number of fraction digits of seconds.
        var digits: Int { rawValue * 3 }
    }

    enum Integer: Int { case bits = 1, isSigned }

    enum Page: Int { case kind = 1, uncompressedBytes, compressedBytes, checksum, data, index, dictionary, dataV2 }

    enum DataPage: Int { case valueCount = 1, encoding, definitionEncoding, repetitionEncoding }

    enum DataPageV2: Int { case valueCount = 1, nullCount, rowCount, encoding, definitionBytes, repetitionBytes, isCompressed }

    enum DictionaryPage: Int { case valueCount = 1, encoding }

    /// A union with one member, an empty structure.
    enum ColumnOrder: Int { case byType = 1 }

    enum OffsetIndex: Int { case pageLocations = 1 }

    enum PageLocation: Int { case offset = 1, byteCount, row }

    enum ColumnIndex: Int { case isNull = 1, minima, maxima, order, nullCounts }
}

/// The annotations that older files have instead of logical types.
enum ConvertedType: Int {
    case utf8, map, mapEntry, list, `enum`, decimal, date, timeMilliseconds, timeMicroseconds, timestampMilliseconds, timestampMicroseconds,
        unsigned8, unsigned16, unsigned32, unsigned64, signed8, signed16, signed32, signed64, json, bson, interval
}

/// The order of the page bounds in a column index.
enum BoundaryOrder: Int { case none, ascending, descending }
