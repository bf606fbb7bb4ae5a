import DataGridQuery
import FieldValues
import SQLTables
import Tables

extension ColumnStatistics {
    /// Estimates from the statistics that PostgreSQL keeps for a column; `nil` for an unexpected result, for a type whose values the server
    /// cannot compare, or if the user reads the column as another type.
    /// - Parameters:
    ///   - row: the result of `SQLQuery.estimates(of:)`.
    ///   - rowCount: the number of rows of the table, or its estimate.
    init?(_ row: [SQLValue], of field: Field, in column: ServerColumn, rowCount: Double) {
        let texts = row.map { value -> String? in if case .text(let text) = value { text } else { nil } }
        guard texts.count == 6, let nulls = texts[0].flatMap({ Double($0) }), let distinct = texts[1].flatMap({ Double($0) }),
            field.kind == column.type.kind, (0...1).contains(nulls), distinct.isFinite, distinct != 0 || nulls == 1
        else { return nil }
        self.init(column: field.id.rawValue, kind: field.kind)
        isEstimate = true
        recordCount = Int(rowCount)
        self.distinct = DistinctCount(count: Int(min(rowCount, distinct < 0 ? -distinct * rowCount : distinct).rounded()), isExact: false)
        func count(_ share: Double) -> Int { Int((share * rowCount).rounded()) }
        missingCount = min(count(nulls), recordCount)
        let common = texts[2].map(Self.elements(ofArray:)) ?? []
        let shares = (texts[3].map(Self.elements(ofArray:)) ?? []).compactMap { Double($0) }.filter { (0...1).contains($0) }
        if common.count == shares.count, Self.hasTextOfCells(column.type.storage) {
            for (value, share) in zip(common, shares) {
                if FieldBytes.withBytes(of: value, { $0.isBlank }) {
                    emptyCount += count(share)
                } else {
                    top.append(Frequency(value: field.kind == .flag ? (value == "t" ? "true" : "false") : value, count: count(share)))
                }
            }
        }
        emptyCount = min(emptyCount, recordCount - missingCount)
        valueCount = recordCount - emptyCount - missingCount
        if field.kind == .flag { sum = .integer(Int64(top.first { $0.value == "true" }?.count ?? 0)) }
        top = Array(top.prefix(20))
        let values = (common + (texts[4].map(Self.elements(ofArray:)) ?? [])).compactMap { Self.value($0, of: field) }
        minimum = values.min { $0.order < $1.order }?.value ?? .none
        maximum = values.max { $0.order < $1.order }?.value ?? .none
    }

    /// True if an array element has the same text as a cell, apart from flags, which are `t` and `f` in arrays. False for padded text,
    /// which keeps its spaces in arrays, and for network addresses, which lack their masks there.
    private static func hasTextOfCells(_ storage: ServerType.Storage) -> Bool {
        switch storage {
        case .integer, .numeric, .real, .double, .text, .flag, .date, .dateTime, .zonedDateTime, .time: true
        case .paddedText, .ordered, .dynamic, .opaque: false
        }
    }

    /// A number, date or time, with a number for comparing it to other values; `nil` for text, flags and NaN.
    private static func value(_ text: String, of field: Field) -> (order: Double, value: AggregateValue)? {
        if field.kind.isTemporal {
            guard let time = FieldBytes.withBytes(of: text, { $0.temporal(field.kind) }) else { return nil }
            return (Double(time), .integer(time))
        }
        guard field.kind.isNumber, let number = Double(text), !number.isNaN else { return nil }
        return (number, AggregateValue(.text(text)))
    }

    /// The elements of an array in the notation of PostgreSQL, such as `{1,"a b"}`.
    static func elements(ofArray text: String) -> [String] {
        var elements: [String] = []
        var element: [UInt8] = []
        var (isQuoted, isEscaped) = (false, false)
        for byte in text.utf8.dropFirst().dropLast() {
            switch byte {
            case _ where isEscaped:
                element.append(byte)
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                elements.append(String(decoding: element, as: UTF8.self))
                element = []
            default: element.append(byte)
            }
        }
        return text.utf8.count > 2 ? elements + [String(decoding: element, as: UTF8.self)] : []
    }
}
