public import FieldValues

/// A simple reference implementation of statistics, which sorts all values.
public struct StatisticsReference {
    /// The number of fields that are empty or only blanks.
    public private(set) var blanks = 0
    /// The number of missing fields.
    public private(set) var missing = 0
    /// The number of fields that are not a value of the kind.
    public private(set) var unreadable = 0
    /// The number of fields that are NaN.
    public private(set) var notANumber = 0
    /// Numbers as doubles, times in microseconds, flags as 0 and 1; sorted.
    public private(set) var values: [Double] = []
    /// The values that are 64-bit integers.
    public private(set) var wholeNumbers: [Int64] = []
    /// The number of occurrences of each field that is not blank.
    public private(set) var fields: [String: Int] = [:]

    /// Computes the statistics of a column.
    public init(_ column: [String?], kind: ValueKind) {
        for text in column {
            guard let text else {
                missing += 1
                continue
            }
            FieldBytes.withBytes(of: text) { field in
                if field.isBlank {
                    blanks += 1
                    return
                }
                fields[text, default: 0] += 1
                switch kind {
                case .text: break
                case .integer, .decimal:
                    guard let value = field.decimal() else {
                        unreadable += 1
                        return
                    }
                    if value.isNaN { notANumber += 1 } else { values.append(value) }
                    if let number = field.integer() { wholeNumbers.append(number) }
                case .date, .dateTime, .time:
                    if let value = field.temporal(kind) { values.append(Double(value)) } else { unreadable += 1 }
                case .flag: if let value = field.flag() { values.append(value ? 1 : 0) } else { unreadable += 1 }
                }
            }
        }
        values.sort()
        wholeNumbers.sort()
    }

    /// The mean of the values.
    public var mean: Double { values.reduce(0, +) / Double(values.count) }

    /// The standard deviation of a sample.
    public var deviation: Double {
        let mean = mean
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
    }

    /// A quantile, interpolated between two values.
    public func quantile(_ percentage: Int) -> Double {
        let place = Double(values.count - 1) * Double(percentage) / 100
        let (low, high) = (values[Int(place)], values[min(values.count - 1, Int(place) + 1)])
        return low + (high - low) * (place - place.rounded(.down))
    }

    /// The numbers of values in 20 parts of equal width between the extremes.
    public var parts: [Int] {
        var parts = [Int](repeating: 0, count: 20)
        let (low, high) = (values[0], values[values.count - 1])
        for value in values { parts[min(19, Int((value - low) * 20 / (high - low)))] += 1 }
        return parts
    }
}
