import FieldValues

/// The distinct values of a column of fixed-point numbers in one notation, so that distinct values are distinct fields.
///
/// Values are counted without their texts: by their difference from the minimum if they are close together, otherwise in a table.
struct ValueHistogram {
    let distinct: ColumnStatistics.DistinctCount
    private enum Counts {
        case near(CountedValues)
        case far(ShortFields)
        case tooMany
    }
    private let counts: Counts

    /// - Parameter others: the slots in another notation, ascending. They are not counted.
    init(_ values: ValueVector, _ counted: CountedValues?, without others: [Int], limit: Int, control: JobControl) throws {
        if var counted {
            for slot in others where values.kind(slot) == FieldClass.value.rawValue { counted.remove(values.key(slot)) }
            var count = 0
            counted.forEach { _, _ in count += 1 }
            distinct = .init(count: count, isExact: true)
            counts = count <= limit ? .near(counted) : .tooMany
            return
        }
        var fields = ShortFields()
        do {
            let isAll = try ValueHistogram.forEach(of: values, without: others, control) { key in
                _ = try fields.add(key, UInt32(ShortFields.longest))
                return fields.count <= limit
            }
            if isAll {
                distinct = .init(count: fields.count, isExact: true)
                counts = .far(fields)
                return
            }
        } catch {
            fields.deallocate()
            throw error
        }
        fields.deallocate()
        counts = .tooMany
        let span = values.maximum - values.minimum
        if span / 64 < UInt64(values.count) {
            // One bit for each possible value takes no more memory than the values.
            let words = try UnsafeArray<UInt64>(count: Int(span / 64) + 1, repeating: 0)
            _ = try ValueHistogram.forEach(of: values, without: others, control) { key in
                let place = Int(key - values.minimum)
                words[place / 64] |= 1 << UInt64(place % 64)
                return true
            }
            distinct = .init(count: (0..<words.count).reduce(0) { $0 + words[$1].nonzeroBitCount }, isExact: true)
        } else {
            var sketch = DistinctSketch()
            _ = try ValueHistogram.forEach(of: values, without: others, control) { key in
                withUnsafeBytes(of: key) { sketch.add($0.bindMemory(to: UInt8.self)) }
                return true
            }
            distinct = .init(count: sketch.estimate, isExact: false)
        }
    }

    func deallocate() { if case .far(let fields) = counts { fields.deallocate() } }

    /// Calls `body` with each counted value until it returns `false`. Returns true if all values were passed.
    private static func forEach(
        of values: ValueVector, without others: [Int], _ control: JobControl, _ body: (_ key: UInt64) throws -> Bool
    ) throws -> Bool {
        var others = others[...]
        for index in 0..<values.blockCount {
            try control.checkCancellation()
            var continues = true
            try values.forEachValue(in: values.slots(ofBlock: index)) { slot, key in
                while let other = others.first, other < slot { others.removeFirst() }
                if continues, slot != others.first { continues = try body(key) }
            }
            if !continues { return false }
        }
        return true
    }

    /// Adds the most frequent values to `top`, which must be empty. Adds nothing if there are too many distinct values.
    /// - Parameter digits: the fraction digits with which values are written.
    func add(to top: inout TopFields, of values: ValueVector, digits: Int, _ notation: DecimalStyle) {
        guard case .fixed(let most) = values.meaning else { return }
        let factor = FixedScale.power(most - digits)
        func add(_ key: UInt64, _ count: Int, isLast: Bool) {
            top.add(count: count, isLast: isLast) {
                FixedPoint.text(of: ValueVector.integer(of: key) / factor, digits: digits, notation)
            }
        }
        switch counts {
        case .near(let counted):
            // Without a sign, numbers with the same fraction digits are in natural order.
            let isInOrder = ValueVector.integer(of: values.minimum) >= 0
            counted.forEach { add(values.minimum + UInt64($0), $1, isLast: isInOrder) }
        case .far(let fields): fields.forEachWord { add($0, $1, isLast: false) }
        case .tooMany: break
        }
    }
}
