import FieldValues
import Tables

/// A buffer that collects the values of selected rows of a batch, without gaps between them.
final class GatheredVector {
    private var words: UnsafeArray<UInt64>
    private var flags: UnsafeArray<UInt8>

    init() throws { (words, flags) = (try UnsafeArray(count: 0), try UnsafeArray(count: 0)) }

    /// The values of some rows of a vector. `rows` are ascending indices in the vector. The result is valid until the next call.
    func values(of vector: ColumnVector, at rows: UnsafeBufferPointer<UInt32>) throws -> ColumnVector {
        // A string takes two words, its address and its length. Other values take one.
        if words.count < rows.count * 2 {
            (words, flags) = (try UnsafeArray(count: rows.count * 2), try UnsafeArray(count: rows.count))
        }
        let memory = UnsafeMutableRawPointer(words.base)
        func gather<Value>(_ source: UnsafePointer<Value>) -> UnsafePointer<Value> {
            let target = memory.bindMemory(to: Value.self, capacity: rows.count)
            for (offset, row) in rows.enumerated() { (target + offset).initialize(to: source[Int(row)]) }
            return UnsafePointer(target)
        }
        let values: ColumnVector.Values =
            switch vector.values {
            case .integers(let values, let scale): .integers(gather(values), scale: scale)
            case .doubles(let values): .doubles(gather(values))
            case .floats(let values): .floats(gather(values))
            case .flags(let values): .flags(gather(values))
            case .dates(let values): .dates(gather(values))
            case .dateTimes(let values, let digits, let isUTC): .dateTimes(gather(values), digits: digits, isUTC: isUTC)
            case .times(let values, let digits): .times(gather(values), digits: digits)
            case .texts(let values): .texts(gather(values))
            case .codes(let values, let dictionary): .codes(gather(values), dictionary: dictionary)
            }
        guard let presence = vector.presence else { return ColumnVector(values) }
        for (offset, row) in rows.enumerated() { flags[offset] = presence[Int(row)] }
        return ColumnVector(values, presence: UnsafePointer(flags.base))
    }
}
