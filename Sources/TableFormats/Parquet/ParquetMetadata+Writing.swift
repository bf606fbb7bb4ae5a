extension ParquetMetadata.LogicalType {
    /// The older annotation of this type, for readers that do not know logical types; `nil` for types without one.
    var converted: ConvertedType? {
        switch self {
        case .string: .utf8
        case .json: .json
        case .decimal: .decimal
        case .date: .date
        case .time(6): .timeMicroseconds
        // The older annotation is only for times in UTC.
        case .timestamp(6, true): .timestampMicroseconds
        default: nil
        }
    }

    /// Writes the logical type of a column. Types that ``ParquetWriter`` does not use are left out.
    func write(to writer: inout ThriftWriter, _ field: ParquetField.Element) {
        writer.structure(field) { writer in
            switch self {
            case .string: writer.structure(ParquetField.Logical.string) { _ in }
            case .json: writer.structure(ParquetField.Logical.json) { _ in }
            case .date: writer.structure(ParquetField.Logical.date) { _ in }
            case .decimal(let scale, let precision):
                writer.structure(ParquetField.Logical.decimal) { writer in
                    writer.integer(ParquetField.Decimal.scale, scale)
                    writer.integer(ParquetField.Decimal.precision, precision)
                }
            case .time(let digits): Self.write(to: &writer, .time, digits, isUTC: false)
            case .timestamp(let digits, let isUTC): Self.write(to: &writer, .timestamp, digits, isUTC: isUTC)
            default: break
            }
        }
    }

    private static func write(to writer: inout ThriftWriter, _ field: ParquetField.Logical, _ digits: Int, isUTC: Bool) {
        writer.structure(field) { writer in
            writer.flag(ParquetField.Time.isUTC, isUTC)
            writer.structure(ParquetField.Time.unit) { writer in
                let unit: ParquetField.Unit = digits > 6 ? .nanoseconds : .microseconds
                writer.structure(unit) { _ in }
            }
        }
    }
}

extension ParquetMetadata.SchemaElement {
    /// Writes a leaf, or the root with its number of children.
    func write(to writer: inout ThriftWriter) {
        writer.structure { writer in
            if let type {
                writer.integer(ParquetField.Element.type, type.rawValue)
                if type == .fixed { writer.integer(ParquetField.Element.typeLength, typeLength) }
                writer.integer(ParquetField.Element.repetition, repetition.rawValue)
            }
            writer.text(ParquetField.Element.name, name)
            if type == nil { writer.integer(ParquetField.Element.childCount, childCount) }
            guard let logical else { return }
            if let converted = logical.converted { writer.integer(ParquetField.Element.converted, converted.rawValue) }
            if case .decimal(let scale, let precision) = logical {
                writer.integer(ParquetField.Element.scale, scale)
                writer.integer(ParquetField.Element.precision, precision)
            }
            logical.write(to: &writer, .logical)
        }
    }
}

extension PageHeader {
    /// Writes the header of a data page of version 1 or of a dictionary.
    func write(to writer: inout ThriftWriter) {
        writer.structure { writer in
            writer.integer(ParquetField.Page.kind, (kind ?? .data).rawValue)
            writer.integer(ParquetField.Page.uncompressedBytes, uncompressedBytes)
            writer.integer(ParquetField.Page.compressedBytes, compressedBytes)
            if let checksum { writer.integer(ParquetField.Page.checksum, Int(Int32(bitPattern: checksum))) }
            if kind == .dictionary {
                writer.structure(ParquetField.Page.dictionary) { writer in
                    writer.integer(ParquetField.DictionaryPage.valueCount, valueCount)
                    writer.integer(ParquetField.DictionaryPage.encoding, encoding.rawValue)
                }
            } else {
                writer.structure(ParquetField.Page.data) { writer in
                    writer.integer(ParquetField.DataPage.valueCount, valueCount)
                    writer.integer(ParquetField.DataPage.encoding, encoding.rawValue)
                    writer.integer(ParquetField.DataPage.definitionEncoding, definitionEncoding.rawValue)
                    writer.integer(ParquetField.DataPage.repetitionEncoding, repetitionEncoding.rawValue)
                }
            }
        }
    }
}
