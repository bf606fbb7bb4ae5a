extension ParquetMetadata.LogicalType {
    /// The older annotation of this type, for readers that do not know logical types; `nil` for types without one.
    var converted: ConvertedType? {
        switch self {
        case .string: .utf8
        case .json: .json
        case .list: .list
        case .map: .map
        case .decimal: .decimal
        case .date: .date
        case .time(3): .timeMilliseconds
        case .time(6): .timeMicroseconds
        // The older annotation is only for times in UTC.
        case .timestamp(3, true): .timestampMilliseconds
        case .timestamp(6, true): .timestampMicroseconds
        case .integer(8, let isSigned): isSigned ? .signed8 : .unsigned8
        case .integer(16, let isSigned): isSigned ? .signed16 : .unsigned16
        case .integer(32, let isSigned): isSigned ? .signed32 : .unsigned32
        case .integer(64, let isSigned): isSigned ? .signed64 : .unsigned64
        default: nil
        }
    }

    /// Writes the logical type of a column. Types that ``ParquetWriter`` does not use are left out.
    func write(to writer: inout ThriftWriter, _ field: ParquetField.Element) {
        writer.writeStructure(field) { writer in
            switch self {
            case .string: writer.writeStructure(ParquetField.Logical.string) { _ in }
            case .json: writer.writeStructure(ParquetField.Logical.json) { _ in }
            case .date: writer.writeStructure(ParquetField.Logical.date) { _ in }
            case .list: writer.writeStructure(ParquetField.Logical.list) { _ in }
            case .map: writer.writeStructure(ParquetField.Logical.map) { _ in }
            case .uuid: writer.writeStructure(ParquetField.Logical.uuid) { _ in }
            case .float16: writer.writeStructure(ParquetField.Logical.float16) { _ in }
            case .integer(let bits, let isSigned):
                writer.writeStructure(ParquetField.Logical.integer) { writer in
                    writer.writeByte(ParquetField.Integer.bits, UInt8(bits))
                    writer.writeFlag(ParquetField.Integer.isSigned, isSigned)
                }
            case .decimal(let scale, let precision):
                writer.writeStructure(ParquetField.Logical.decimal) { writer in
                    writer.writeInteger(ParquetField.Decimal.scale, scale)
                    writer.writeInteger(ParquetField.Decimal.precision, precision)
                }
            case .time(let digits): Self.write(to: &writer, .time, digits, isUTC: false)
            case .timestamp(let digits, let isUTC): Self.write(to: &writer, .timestamp, digits, isUTC: isUTC)
            default: break
            }
        }
    }

    private static func write(to writer: inout ThriftWriter, _ field: ParquetField.Logical, _ digits: Int, isUTC: Bool) {
        writer.writeStructure(field) { writer in
            writer.writeFlag(ParquetField.Time.isUTC, isUTC)
            writer.writeStructure(ParquetField.Time.unit) { writer in
                let unit: ParquetField.Unit = digits > 6 ? .nanoseconds : digits > 3 ? .microseconds : .milliseconds
                writer.writeStructure(unit) { _ in }
            }
        }
    }
}

extension ParquetMetadata.SchemaElement {
    /// Writes a leaf, or a group with its number of children.
    /// - Parameter isRoot: true for the root, which has no repetition type.
    func write(to writer: inout ThriftWriter, isRoot: Bool = false) {
        writer.writeStructure { writer in
            if let type {
                writer.writeInteger(ParquetField.Element.type, type.rawValue)
                if type == .fixed { writer.writeInteger(ParquetField.Element.typeLength, typeLength) }
            }
            if !isRoot { writer.writeInteger(ParquetField.Element.repetition, repetition.rawValue) }
            writer.writeText(ParquetField.Element.name, name)
            if type == nil { writer.writeInteger(ParquetField.Element.childCount, childCount) }
            guard let logical else { return }
            if let converted = logical.converted { writer.writeInteger(ParquetField.Element.converted, converted.rawValue) }
            if case .decimal(let scale, let precision) = logical {
                writer.writeInteger(ParquetField.Element.scale, scale)
                writer.writeInteger(ParquetField.Element.precision, precision)
            }
            logical.write(to: &writer, .logical)
        }
    }
}

extension PageHeader {
    /// Writes the header of a data page of version 1 or of a dictionary.
    func write(to writer: inout ThriftWriter) {
        writer.writeStructure { writer in
            writer.writeInteger(ParquetField.Page.kind, (kind ?? .data).rawValue)
            writer.writeInteger(ParquetField.Page.uncompressedBytes, uncompressedBytes)
            writer.writeInteger(ParquetField.Page.compressedBytes, compressedBytes)
            if let checksum { writer.writeInteger(ParquetField.Page.checksum, Int(Int32(bitPattern: checksum))) }
            if kind == .dictionary {
                writer.writeStructure(ParquetField.Page.dictionary) { writer in
                    writer.writeInteger(ParquetField.DictionaryPage.valueCount, valueCount)
                    writer.writeInteger(ParquetField.DictionaryPage.encoding, encoding.rawValue)
                }
            } else {
                writer.writeStructure(ParquetField.Page.data) { writer in
                    writer.writeInteger(ParquetField.DataPage.valueCount, valueCount)
                    writer.writeInteger(ParquetField.DataPage.encoding, encoding.rawValue)
                    writer.writeInteger(ParquetField.DataPage.definitionEncoding, definitionEncoding.rawValue)
                    writer.writeInteger(ParquetField.DataPage.repetitionEncoding, repetitionEncoding.rawValue)
                }
            }
        }
    }
}
