package import FieldValues

extension AggregateValue {
    /// The value as plain text, as output writes it: digits without separators, a date, or a flag. `nil` without a value, for a sum of
    /// dates, which has no meaning, and for the field of a record, which is read from the table.
    /// - Parameters:
    ///   - kind: the kind of the aggregated values.
    ///   - isUTC: true if the aggregated times have a zone, so that results are times in UTC.
    package func text(of function: AggregateFunction, kind: ValueKind, isUTC: Bool = false) -> String? {
        let value: Double
        switch self {
        case .none, .record: return nil
        case .integer(let number): value = Double(number)
        case .decimal(let number): value = number
        case .exact(let number): value = number.double
        }
        guard !value.isNaN else { return nil }
        if kind.isTemporal {
            if function == .sum { return nil }
            if function.resultHasColumnKind {
                let microseconds: Int64? =
                    switch self {
                    case .integer(let number): number
                    case .exact(let number): number.roundedInteger
                    case .none, .record, .decimal: Int64(exactly: value.rounded())
                    }
                return microseconds.map { DateText.text(ofMicroseconds: $0, kind: kind) + (isUTC && kind == .dateTime ? "Z" : "") }
            }
        }
        if kind == .flag, [.min, .max].contains(function) { return value == 0 ? "false" : "true" }
        if case .integer(let number) = self { return String(number) }
        if case .exact(let number) = self { return number.text }
        return value.magnitude < 0x1p53 && value == value.rounded() ? String(Int64(value)) : "\(value)"
    }
}

extension AggregateFunction {
    /// The kind of the results for values of a kind.
    package func kindOfResults(for kind: ValueKind) -> ValueKind {
        switch self {
        case .count, .distinct: .integer
        case .first, .last: kind
        case .sum, .standardDeviation, .share: .decimal
        case .mean, .median, .p5, .p10, .p25, .p75, .p90, .p95, .p99: kind.isTemporal ? kind : .decimal
        case .min, .max: kind == .integer ? .decimal : kind
        }
    }
}
