import Tables
import FieldValues

/// Reads a column of numbers, dates, times or flags.
final class ValueReader: ColumnReader, @unchecked Sendable {
    let column: Int
    let vector: ValueVector
    let isWanted = true
    private let ordering: SortOrdering
    private let notation: NumberNotation
    private let desks: [Desk]

    /// - Parameters:
    ///   - ordering: what values are; texts are read as numbers where they are such.
    ///   - slabs: for each thread, what it works in has room there, ``slabBytes(count:)``.
    init(_ column: Int, as ordering: SortOrdering, count: Int, threads: Int, in slabs: [Slab]? = nil) throws {
        self.column = column
        self.ordering = ordering
        notation = if case .number(let notation) = ordering { notation } else { .point }
        // Times are whole numbers of microseconds, whether or not a double can tell them apart.
        vector = if case .temporal = ordering { try ValueVector(count: count, limit: .max) } else { try ValueVector(count: count) }
        let room = min(count, rangeSize)
        desks = try (0..<max(1, threads)).map { try Desk(room, in: slabs?[$0]) }
    }

    /// Bytes of a slab that each thread needs.
    static func slabBytes(count: Int) -> Int { min(count, rangeSize) * 10 + 3 * 64 }

    /// Where a thread puts down the values of the block it reads.
    private final class Desk {
        /// Numbers, or the bits of doubles.
        let numbers: Storage<Int64>
        /// Digits after the point; ``FixedPoint/none`` for doubles.
        let digits: Storage<UInt8>
        /// Of use once there is something else than values: till then its memory costs nothing.
        let classes: Storage<UInt8>
        /// Digits of the block's first value, which nearly always are those of all others.
        var common: UInt8?
        var isUniform = true
        var hasOthers = false
        private var hasClasses = false
        /// Numbers without rounding, of places whose ``digits`` are those of doubles; of use once there is such a place.
        private(set) var exact: Storage<ExactDecimal>?
        /// Whether all doubles so far have an exact number. Once one has none, no sum of the column is exact.
        var isExact = true
        /// Where a block's exact numbers are put together.
        private var exactNumbers: Storage<Int128>?
        /// Why exact numbers could not be kept.
        private var failure: (any Error)?

        init(_ room: Int, in slab: Slab?) throws {
            numbers = try Storage(count: room, in: slab)
            digits = try Storage(count: room, in: slab)
            classes = try Storage(count: room, in: slab)
        }

        /// Makes use of ``classes``.
        func classify() {
            if hasClasses { return }
            classes.base.initialize(repeating: FieldClass.value.rawValue, count: classes.count)
            hasClasses = true
        }

        /// Notes the exact number of a place that holds a double.
        func put(_ number: ExactDecimal?, at place: Int) {
            guard let number else { return isExact = false }
            if exact == nil {
                do {
                    exact = try Storage(count: numbers.count)
                } catch {
                    (failure, isExact) = (error, false)
                    return
                }
            }
            exact.unsafelyUnwrapped[place] = number
        }

        /// Room for the exact numbers of a block.
        /// - Throws: ``OutOfMemory``, also for those that could not be kept before.
        func exactRoom() throws -> Storage<Int128> {
            if let failure { throw failure }
            if let exactNumbers { return exactNumbers }
            let room = try Storage<Int128>(count: numbers.count)
            exactNumbers = room
            return room
        }
    }

    func take(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int) {
        _ = read(batch, index, slot: slot, thread: thread, checksPlain: false)
    }

    /// As ``take(_:_:slot:thread:)``.
    /// - Returns: the digits after the point that all fields of the batch have, when they are plain (``FixedPoint/Likeness/plain``) and
    ///   `checksPlain` asks for it.
    func read(_ batch: FieldBatch, _ index: Int, slot: Int, thread: Int, checksPlain: Bool = true) -> UInt8? {
        let desk = desks[thread]
        let place = slot & (rangeSize - 1)
        switch ordering {
        case .number, .natural, .text:
            let (numbers, digits) = (desk.numbers.base + place, desk.digits.base + place)
            let likeness = FixedPoint.read(batch, column: index, notation, mantissas: numbers, digits: digits, checksPlain: checksPlain)
            if likeness != .none {
                let common = digits[0]
                if desk.common == nil { desk.common = common } else if desk.common != common { desk.isUniform = false }
                // With a point, more digits than a double holds are for the nearest double.
                if common > 0 {
                    for record in 0..<batch.count where numbers[record].magnitude > FixedScale.limit {
                        put(batch[record, index], numbers[record], common, at: place + record, desk)
                    }
                }
                return likeness == .plain ? common : nil
            }
            desk.isUniform = false
            for record in 0..<batch.count {
                let field = batch[record, index]
                if digits[record] == FixedPoint.none {
                    if let whole = field.integer(notation) {
                        (numbers[record], digits[record]) = (whole, 0)
                    } else {
                        putDouble(field, at: place + record, desk)
                    }
                } else if digits[record] > 0, numbers[record].magnitude > FixedScale.limit {
                    put(field, numbers[record], digits[record], at: place + record, desk)
                }
            }
        case .temporal(let kind):
            // Seconds, unless there are fractions of them.
            for record in 0..<batch.count {
                let value = batch[record, index].temporal(kind)
                let seconds = value.map { $0 / 1_000_000 } ?? 0
                if let value, seconds * 1_000_000 == value {
                    put(seconds, digits: 0, at: place + record, desk)
                } else {
                    put(value, digits: 6, at: place + record, batch[record, index], desk)
                }
            }
        case .flag:
            for record in 0..<batch.count {
                put(batch[record, index].flag().map { $0 ? 1 : 0 }, digits: 0, at: place + record, batch[record, index], desk)
            }
        }
        return nil
    }

    @inline(__always)
    private func put(_ number: Int64, digits: UInt8, at place: Int, _ desk: Desk) {
        desk.numbers[place] = number
        desk.digits[place] = digits
        if desk.common == nil { desk.common = digits } else if desk.common != digits { desk.isUniform = false }
    }

    private func put(_ number: Int64?, digits: UInt8, at place: Int, _ field: FieldBytes, _ desk: Desk) {
        if let number { return put(number, digits: digits, at: place, desk) }
        putOther(FieldClass(ofUnreadable: field), at: place, desk)
    }

    /// Puts down a field that no whole number of 64 bits stands for.
    private func putDouble(_ field: FieldBytes, at place: Int, _ desk: Desk) {
        guard let value = field.decimal(notation) else { return putOther(FieldClass(ofUnreadable: field), at: place, desk) }
        if value.isNaN { return putOther(.notANumber, at: place, desk) }
        put(value, at: place, desk)
        if desk.isExact { desk.put(value.isFinite ? field.exactDecimal(notation) : nil, at: place) }
    }

    /// Puts down `number` ÷ 10^`digits` as the nearest double.
    private func put(_ field: FieldBytes, _ number: Int64, _ digits: UInt8, at place: Int, _ desk: Desk) {
        put(field.decimal(notation) ?? 0, at: place, desk)
        if desk.isExact { desk.put(ExactDecimal(Int128(number), digits: Int(digits)), at: place) }
    }

    private func put(_ value: Double, at place: Int, _ desk: Desk) {
        desk.numbers[place] = Int64(bitPattern: value.bitPattern)
        desk.digits[place] = FixedPoint.none
        desk.isUniform = false
    }

    private func putOther(_ kind: FieldClass, at place: Int, _ desk: Desk) {
        desk.numbers[place] = 0
        desk.digits[place] = 0
        desk.classify()
        desk.classes[place] = kind.rawValue
        desk.hasOthers = true
        desk.isUniform = false
    }

    func end(_ range: Range<Int>, thread: Int) throws {
        let desk = desks[thread]
        let digits = blockDigits(range.count, desk)
        let exact = digits == ValueVector.Block.double ? try exactBlock(range.count, desk) : nil
        if desk.isUniform {
            for place in 0..<range.count { desk.numbers[place] = Int64(bitPattern: ValueVector.key(of: desk.numbers[place])) }
        } else {
            for place in 0..<range.count {
                desk.numbers[place] = Int64(bitPattern: key(desk.numbers[place], desk.digits[place], in: digits))
            }
        }
        var classes: UnsafeMutablePointer<UInt8>?
        if desk.hasOthers {
            classes = try Memory.allocate(UInt8.self, count: range.count)
            classes!.initialize(from: desk.classes.base, count: range.count)
            desk.classes.base.update(repeating: FieldClass.value.rawValue, count: range.count)
        }
        do {
            vector.blocks[range.lowerBound / rangeSize] = try desk.numbers.base.withMemoryRebound(to: UInt64.self, capacity: range.count) {
                try .encoded($0, range.count, classes: classes, digits: digits)
            }
            if let exact {
                let kept = try Memory.allocate(ExactBlock.self, count: 1)
                kept.initialize(to: exact)
                vector.blocks[range.lowerBound / rangeSize].exact = kept
            }
        } catch {
            exact?.distances?.deallocate()
            if vector.blocks[range.lowerBound / rangeSize].classes == nil { classes?.deallocate() }
            throw error
        }
        (desk.common, desk.isUniform, desk.hasOthers) = (nil, true, false)
    }

    func finish() throws { try vector.finish() }

    /// The most digits in the block, if all its numbers can have so many; otherwise the block is one of doubles.
    private func blockDigits(_ count: Int, _ desk: Desk) -> UInt8 {
        if desk.isUniform { return desk.common ?? 0 }
        desk.classify()
        var most: UInt8 = 0
        for place in 0..<count where desk.classes[place] == FieldClass.value.rawValue {
            if desk.digits[place] == FixedPoint.none { return ValueVector.Block.double }
            most = max(most, desk.digits[place])
        }
        for place in 0..<count where desk.classes[place] == FieldClass.value.rawValue {
            if FixedScale.scaled(desk.numbers[place], by: Int(most - desk.digits[place]), limit: vector.limit) == nil {
                return ValueVector.Block.double
            }
        }
        return most
    }

    /// The numbers of a block of doubles without rounding; `nil` where a value has none, or they are too long with as many digits after the
    /// point as the one with the most.
    private func exactBlock(_ count: Int, _ desk: Desk) throws -> ExactBlock? {
        let numbers = try desk.exactRoom()
        guard desk.isExact else { return nil }
        func isValue(_ place: Int) -> Bool { desk.classes[place] == FieldClass.value.rawValue }
        func digits(_ place: Int) -> Int {
            desk.digits[place] == FixedPoint.none ? desk.exact!.base[place].digits : Int(desk.digits[place])
        }
        var most = 0
        for place in 0..<count where isValue(place) { most = max(most, digits(place)) }
        for place in 0..<count where isValue(place) {
            let number = desk.digits[place] == FixedPoint.none ? desk.exact!.base[place].mantissa : Int128(desk.numbers[place])
            guard let scaled = ExactDecimal.scaled(number, by: most - digits(place)) else {
                desk.isExact = false
                return nil
            }
            numbers[place] = scaled
        }
        return try ExactBlock.encoded(numbers.base, count, classes: desk.hasOthers ? desk.classes.base : nil, digits: UInt8(most))
    }

    private func key(_ number: Int64, _ digits: UInt8, in blockDigits: UInt8) -> UInt64 {
        if blockDigits == ValueVector.Block.double {
            return ValueVector.key(
                of: digits == FixedPoint.none
                    ? Double(bitPattern: UInt64(bitPattern: number)) : FixedScale.double(number, digits: Int(digits)))
        }
        return ValueVector.key(of: FixedScale.scaled(number, by: Int(blockDigits) - Int(digits), limit: vector.limit) ?? 0)
    }
}
