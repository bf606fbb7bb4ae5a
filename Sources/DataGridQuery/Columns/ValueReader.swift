import Tables
import FieldValues

/// Reads a column as typed values: numbers, dates, times or flags.
final class ValueReader: ColumnReader, @unchecked Sendable {
    let column: Int
    let vector: ValueVector
    let ordering: SortOrdering
    private let notation: DecimalStyle
    let threadStates: [ThreadState]
    /// Receives the values that a thread has read, instead of ``vector``. `slot` is the slot of the first value. Returns false to stop
    /// reading the column.
    var receiveBlock: ((_ block: ThreadBlock, _ slot: Int, _ thread: Int) throws -> Bool)?
    private let hasStopped = Flag()

    /// The values that a thread has just read: integers that all have the same number of fraction digits.
    struct ThreadBlock {
        let numbers: UnsafePointer<Int64>
        let count: Int
        /// The number of fraction digits. ``ValueVector/Block/double`` means that the values are doubles; the numbers are then undefined.
        let digits: UInt8
        /// The ``FieldClass`` of each field; `nil` if every field has a value.
        let classes: UnsafePointer<UInt8>?

        func kind(_ offset: Int) -> UInt8 { classes?[offset] ?? FieldClass.value.rawValue }
    }

    var shouldContinue: Bool { !hasStopped.isSet }

    /// - Parameter ordering: the kind of value. Strings are read as numbers if possible.
    init(_ column: Int, as ordering: SortOrdering, count: Int, threads: Int) throws {
        self.column = column
        self.ordering = ordering
        notation = if case .number(let notation) = ordering { notation } else { .point }
        // Times are integers in microseconds. They stay integers even if a double cannot represent them exactly.
        vector = if case .temporal = ordering { try ValueVector(count: count, limit: .max) } else { try ValueVector(count: count) }
        threadStates = try (0..<max(1, threads)).map { _ in try ThreadState(min(count, rangeSize)) }
    }

    /// The bytes of buffers that each thread needs.
    static func threadBytes(count: Int) -> Int { min(count, rangeSize) * 10 }

    /// The range of values that a thread is reading.
    final class ThreadState {
        let numbers: UnsafeArray<Int64>
        /// The number of fraction digits of each value; `FixedPoint.invalid` for a double.
        let digits: UnsafeArray<UInt8>
        /// The ``FieldClass`` of each field. Initialized when the first field without a value occurs, so that other columns use no memory
        /// for it.
        let classes: UnsafeArray<UInt8>
        /// The number of fraction digits of the first value of the range. Nearly all other values have the same number.
        var sharedDigits: UInt8?
        var isUniform = true
        var hasOthers = false
        private var hasClasses = false
        /// The exact decimal numbers of the fields that are stored as doubles. Allocated when the first such field is read.
        private(set) var exact: UnsafeArray<ExactDecimal>?
        /// The number of fraction digits of the previous batch of doubles, if it could be stored as decimal numbers. Tried first for the
        /// next batch.
        var doubleDigits: Int?
        /// True if every double has an exact decimal number. Otherwise, sums of the column are rounded.
        var isExact = true
        /// The indices of ambiguous doubles: several decimal numbers may be rounded to the same double.
        var ambiguousOffsets: [Int] = []
        /// The indices of the fields that cannot be read as values but may be meant as values, such as `$4`.
        var leftOutOffsets: [Int] = []
        /// True if the text was printed from doubles. Distinct texts then always mean distinct doubles.
        var readsPrintedDoubles = false

        init(_ room: Int) throws {
            numbers = try UnsafeArray(count: room)
            digits = try UnsafeArray(count: room)
            classes = try UnsafeArray(count: room)
        }

        /// Updates ``sharedDigits`` and ``isUniform`` for a value with this number of fraction digits.
        @inline(__always)
        func add(digits: UInt8) { if sharedDigits == nil { sharedDigits = digits } else if sharedDigits != digits { isUniform = false } }

        /// Initializes ``classes`` when the first field without a value occurs.
        func classify() {
            if hasClasses { return }
            classes.base.initialize(repeating: FieldClass.value.rawValue, count: classes.count)
            hasClasses = true
        }

        /// Stores the exact decimal number of a double. After a double without one (`nil`), the range has no exact numbers.
        func put(_ number: ExactDecimal?, at offset: Int) throws {
            guard let number else { return isExact = false }
            if exact == nil { exact = try UnsafeArray(count: numbers.count) }
            exact.unsafelyUnwrapped[offset] = number
        }
    }

    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) throws {
        _ = try readValues(batch, index, slot: slot, thread: thread, distinguishesPlain: false)
        if let receiveBlock { try pass(batch.count, slot, thread, to: receiveBlock) }
    }

    func read(_ vector: ColumnVector, _ records: Range<Int>, slot: Int, thread: Int) throws -> Bool {
        threadStates[thread].readsPrintedDoubles = if case .doubles = vector.values { true } else { false }
        guard let receiveBlock else { return readTyped(vector, records, slot: slot, thread: thread) }
        // Integers are passed on without a check of their size. Decimal numbers need the check in `readTyped`.
        if case .number(.point) = ordering, case .integers(let values, scale: 0) = vector.values, vector.presence == nil {
            let block = ThreadBlock(numbers: values + records.lowerBound, count: records.count, digits: 0, classes: nil)
            if try !receiveBlock(block, slot, thread) { hasStopped.set() }
            return true
        }
        guard readTyped(vector, records, slot: slot, thread: thread) else { return false }
        try pass(records.count, slot, thread, to: receiveBlock)
        return true
    }

    /// The index of a slot in the buffers of a thread. If values are passed to ``receiveBlock``, each batch starts at 0.
    func offset(_ slot: Int) -> Int { receiveBlock == nil ? slot & (rangeSize - 1) : 0 }

    /// Reads the fields of a batch as values, like ``read(_:_:slot:thread:)``.
    /// - Returns: the number of fraction digits that all fields of the batch share. `nil` if the numbers of digits differ, or if a field is
    ///   not plain (`FixedPoint.Uniformity.plain`). Always `nil` if `distinguishesPlain` is false.
    func readValues(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int, distinguishesPlain: Bool = true) throws -> UInt8? {
        let state = threadStates[thread]
        let offset = offset(slot)
        switch ordering {
        case .number, .natural, .text:
            let (numbers, digits) = (state.numbers.base + offset, state.digits.base + offset)
            let uniformity = FixedPoint.read(
                batch, column: index, notation, mantissas: numbers, digits: digits, distinguishesPlain: distinguishesPlain)
            if uniformity != .none {
                let common = digits[0]
                state.add(digits: common)
                // A decimal number that exceeds the limit of exact conversion is stored as the nearest double.
                if common > 0 {
                    for record in 0..<batch.count where numbers[record].magnitude > FixedScale.limit {
                        try put(batch[record, index], numbers[record], common, at: offset + record, state)
                    }
                }
                return uniformity == .plain ? common : nil
            }
            state.isUniform = false
            for record in 0..<batch.count {
                let field = batch[record, index]
                if digits[record] == FixedPoint.invalid {
                    if let integer = field.integer(notation) {
                        (numbers[record], digits[record]) = (integer, 0)
                    } else {
                        try putDouble(field, at: offset + record, state)
                    }
                } else if digits[record] > 0, numbers[record].magnitude > FixedScale.limit {
                    try put(field, numbers[record], digits[record], at: offset + record, state)
                }
            }
        case .temporal(let kind, let notation):
            // A time without a fraction of a second is stored in whole seconds, which take fewer bytes.
            var record = 0
            while record < batch.count {
                let first = offset + record
                let plain = FastDateParser.read(batch, from: record, column: index, kind, seconds: state.numbers.base + first)
                if plain > 0 {
                    (state.digits.base + first).update(repeating: 0, count: plain)
                    state.add(digits: 0)
                    record += plain
                    continue
                }
                let field = batch[record, index]
                let value = field.temporal(kind, notation)
                let seconds = value.map { $0 / 1_000_000 } ?? 0
                if let value, seconds * 1_000_000 == value {
                    put(seconds, digits: 0, at: first, state)
                } else {
                    put(value, digits: 6, at: first, field, state)
                }
                record += 1
            }
        case .flag:
            for record in 0..<batch.count {
                put(batch[record, index].flag().map { $0 ? 1 : 0 }, digits: 0, at: offset + record, batch[record, index], state)
            }
        }
        return nil
    }

    @inline(__always)
    func put(_ number: Int64, digits: UInt8, at offset: Int, _ state: ThreadState) {
        state.numbers[offset] = number
        state.digits[offset] = digits
        state.add(digits: digits)
    }

    private func put(_ number: Int64?, digits: UInt8, at offset: Int, _ field: FieldBytes, _ state: ThreadState) {
        if let number { return put(number, digits: digits, at: offset, state) }
        putNonValue(field, at: offset, state)
    }

    /// Stores a field that is neither a 64-bit integer nor a fixed-point number: as a double, or as a field without a value.
    private func putDouble(_ field: FieldBytes, at offset: Int, _ state: ThreadState) throws {
        guard let value = field.decimal(notation) else { return putNonValue(field, at: offset, state) }
        if value.isNaN { return putNonValue(.notANumber, at: offset, state) }
        put(value, at: offset, state)
        if !state.readsPrintedDoubles, field.mayShareNearestDouble(value) { state.ambiguousOffsets.append(offset) }
        if state.isExact { try state.put(value.isFinite ? field.exactDecimal(notation) : nil, at: offset) }
    }

    /// Stores the double nearest to `number` ÷ 10^`digits`, together with the exact number.
    private func put(_ field: FieldBytes, _ number: Int64, _ digits: UInt8, at offset: Int, _ state: ThreadState) throws {
        put(field.decimal(notation) ?? 0, at: offset, state)
        if !state.readsPrintedDoubles { state.ambiguousOffsets.append(offset) }
        if state.isExact { try state.put(ExactDecimal(Int128(number), digits: Int(digits)), at: offset) }
    }

    private func put(_ value: Double, at offset: Int, _ state: ThreadState) {
        state.numbers[offset] = Int64(bitPattern: value.bitPattern)
        state.digits[offset] = FixedPoint.invalid
        state.isUniform = false
    }

    /// Stores a field that cannot be read as the type of the column.
    private func putNonValue(_ field: FieldBytes, at offset: Int, _ state: ThreadState) {
        if ordering.leavesOut(field) { state.leftOutOffsets.append(offset) }
        putNonValue(FieldClass(ofUnreadable: field), at: offset, state)
    }

    func putNonValue(_ kind: FieldClass, at offset: Int, _ state: ThreadState) {
        state.numbers[offset] = 0
        state.digits[offset] = 0
        state.classify()
        state.classes[offset] = kind.rawValue
        state.hasOthers = true
        state.isUniform = false
    }

    func finishRange(_ range: Range<Int>, thread: Int) throws {
        if receiveBlock != nil { return }
        let state = threadStates[thread]
        try vector.markLeftOut(state.leftOutOffsets, from: range.lowerBound, keepsSlots: true)
        state.leftOutOffsets.removeAll(keepingCapacity: true)
        let digits = blockDigits(range.count, state)
        let exact = digits == ValueVector.Block.double ? try exactBlock(range.count, state) : nil
        if digits == ValueVector.Block.double {
            for offset in 0..<range.count where state.digits[offset] == 0 && ValueVector.mayShareNearestDouble(state.numbers[offset]) {
                state.ambiguousOffsets.append(offset)
            }
            try vector.markAmbiguous(state.ambiguousOffsets, from: range.lowerBound)
        }
        if state.isUniform {
            for offset in 0..<range.count { state.numbers[offset] = Int64(bitPattern: ValueVector.key(of: state.numbers[offset])) }
        } else {
            for offset in 0..<range.count {
                state.numbers[offset] = Int64(bitPattern: key(state.numbers[offset], state.digits[offset], in: digits))
            }
        }
        var classes: UnsafeMutablePointer<UInt8>?
        if state.hasOthers {
            classes = try Memory.allocate(UInt8.self, count: range.count)
            classes!.initialize(from: state.classes.base, count: range.count)
            state.classes.base.update(repeating: FieldClass.value.rawValue, count: range.count)
        }
        let block = vector.blocks.base + range.lowerBound / rangeSize
        (block.pointee.classes, block.pointee.digits, block.pointee.exact) = (classes, digits, exact)
        block.pointee.keys = try state.numbers.base.withMemoryRebound(to: UInt64.self, capacity: range.count) {
            try PackedBlock($0, range.count, classes: classes)
        }
        (state.sharedDigits, state.isUniform, state.hasOthers) = (nil, true, false)
        state.ambiguousOffsets.removeAll(keepingCapacity: true)
    }

    /// Passes the values of a batch to ``receiveBlock``.
    private func pass(_ count: Int, _ slot: Int, _ thread: Int, to receive: (ThreadBlock, Int, Int) throws -> Bool) throws {
        let state = threadStates[thread]
        try vector.markLeftOut(state.leftOutOffsets, from: slot, keepsSlots: false)
        state.leftOutOffsets.removeAll(keepingCapacity: true)
        let digits = blockDigits(count, state)
        if !state.isUniform, digits != ValueVector.Block.double {
            for offset in 0..<count {
                state.numbers[offset] =
                    FixedScale.scaled(state.numbers[offset], by: Int(digits) - Int(state.digits[offset]), limit: vector.limit) ?? 0
            }
        }
        let classes = state.hasOthers ? UnsafePointer(state.classes.base) : nil
        let block = ThreadBlock(numbers: state.numbers.base, count: count, digits: digits, classes: classes)
        if try !receive(block, slot, thread) { hasStopped.set() }
        if state.hasOthers { state.classes.base.update(repeating: FieldClass.value.rawValue, count: count) }
        (state.sharedDigits, state.isUniform, state.hasOthers) = (nil, true, false)
        state.ambiguousOffsets.removeAll(keepingCapacity: true)
    }

    func finish() throws { if receiveBlock == nil { try vector.finish() } }

    /// The greatest number of fraction digits in the block. All numbers of the block are scaled to it. `ValueVector.Block.double` if a
    /// scaled number would be too large.
    private func blockDigits(_ count: Int, _ state: ThreadState) -> UInt8 {
        if state.isUniform { return state.sharedDigits ?? 0 }
        state.classify()
        var maximumDigits: UInt8 = 0
        for offset in 0..<count where state.classes[offset] == FieldClass.value.rawValue {
            if state.digits[offset] == FixedPoint.invalid { return ValueVector.Block.double }
            maximumDigits = max(maximumDigits, state.digits[offset])
        }
        for offset in 0..<count where state.classes[offset] == FieldClass.value.rawValue {
            if FixedScale.scaled(state.numbers[offset], by: Int(maximumDigits - state.digits[offset]), limit: vector.limit) == nil {
                return ValueVector.Block.double
            }
        }
        return maximumDigits
    }

    /// The exact decimal numbers of a block of doubles, all with the same number of fraction digits. `nil` if a value has no exact number,
    /// or if a number overflows 128 bits.
    private func exactBlock(_ count: Int, _ state: ThreadState) throws -> ExactBlock? {
        guard state.isExact else { return nil }
        let numbers = try UnsafeArray<Int128>(count: count)
        func isValue(_ offset: Int) -> Bool { state.classes[offset] == FieldClass.value.rawValue }
        func digits(_ offset: Int) -> Int {
            state.digits[offset] == FixedPoint.invalid ? state.exact!.base[offset].digits : Int(state.digits[offset])
        }
        var maximumDigits = 0
        for offset in 0..<count where isValue(offset) { maximumDigits = max(maximumDigits, digits(offset)) }
        for offset in 0..<count where isValue(offset) {
            let number = state.digits[offset] == FixedPoint.invalid ? state.exact!.base[offset].mantissa : Int128(state.numbers[offset])
            guard let scaled = ExactDecimal.scaled(number, by: maximumDigits - digits(offset)) else {
                state.isExact = false
                return nil
            }
            numbers[offset] = scaled
        }
        let packed = try PackedBlock(numbers.base, count, classes: state.hasOthers ? state.classes.base : nil)
        return ExactBlock(numbers: packed, digits: UInt8(maximumDigits))
    }

    private func key(_ number: Int64, _ digits: UInt8, in blockDigits: UInt8) -> UInt64 {
        if blockDigits == ValueVector.Block.double {
            return ValueVector.key(
                of: digits == FixedPoint.invalid
                    ? Double(bitPattern: UInt64(bitPattern: number)) : FixedScale.double(number, digits: Int(digits)))
        }
        return ValueVector.key(of: FixedScale.scaled(number, by: Int(blockDigits) - Int(digits), limit: vector.limit) ?? 0)
    }
}
