/// A list of row numbers: 32 bits each for most tables; otherwise 64 bits each, or one bit for each row of the table. Consecutive numbers
/// can be a range, which takes no memory.
///
/// The form depends on the number of rows of the table, so the lists of usual tables never take more than 4 bytes per row. Two lists are
/// equal if they have the same numbers in the same order, in any form.
public struct RowNumbers: Sendable, RandomAccessCollection {
    /// How the numbers are stored.
    package enum Form: Sendable {
        case short([UInt32])
        case long([Int])
        /// Ascending numbers without duplicates, as one bit for each row of the table.
        case set(RankedSet)
        /// Consecutive numbers.
        case range(Range<Int>)
    }

    /// The maximum number of rows of a table whose row numbers have 32 bits. The number after the last row also fits in 32 bits.
    public static let shortLimit = Int(UInt32.max)

    package let form: Form

    package init(_ form: Form) { self.form = form }

    /// Creates a list of 32-bit numbers.
    public init(_ numbers: [UInt32]) { form = .short(numbers) }

    /// Creates a list of consecutive numbers. O(1), in time and memory.
    public init(consecutive numbers: Range<Int>) { form = .range(numbers) }

    /// The range of the numbers, if the list was created from consecutive numbers; otherwise `nil`. O(1).
    public var consecutive: Range<Int>? {
        if case .range(let range) = form { return range }
        return nil
    }

    /// Creates a list of row numbers, for a table with `rowCount` rows. O(numbers).
    public init(_ numbers: some Sequence<Int>, ofRows rowCount: Int) { self.init(numbers, ofRows: rowCount, shortLimit: Self.shortLimit) }

    package init(_ numbers: some Sequence<Int>, ofRows rowCount: Int, shortLimit: Int) {
        guard rowCount <= shortLimit else {
            form = .long(Array(numbers))
            return
        }
        // Tables on servers can have row numbers beyond their row count, so each number is checked.
        var short: [UInt32] = []
        short.reserveCapacity(numbers.underestimatedCount)
        var long: [Int] = []
        for number in numbers {
            if long.isEmpty, let number = UInt32(exactly: number) {
                short.append(number)
            } else {
                if long.isEmpty { long = short.map { Int($0) } }
                long.append(number)
            }
        }
        form = long.isEmpty ? .short(short) : .long(long)
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of row numbers in the list.
    public var endIndex: Int {
        switch form {
        case .short(let numbers): numbers.count
        case .long(let numbers): numbers.count
        case .set(let set): set.count
        case .range(let range): range.count
        }
    }

    /// The row number at an index of the list. O(1); O(log rows) if the list has one bit for each row.
    public subscript(position: Int) -> Int {
        switch form {
        case .short(let numbers): Int(numbers[position])
        case .long(let numbers): numbers[position]
        case .set(let set): set.number(at: position)
        case .range(let range): range[range.lowerBound + position]
        }
    }

    /// The first index of a row number in the list. O(count); O(1) if the list has one bit for each row or is a range.
    public func firstIndex(of number: Int) -> Int? {
        switch form {
        case .short(let numbers): UInt32(exactly: number).flatMap { numbers.firstIndex(of: $0) }
        case .long(let numbers): numbers.firstIndex(of: number)
        case .set(let set): set.contains(number) ? set.rank(of: number) : nil
        case .range(let range): range.contains(number) ? number - range.lowerBound : nil
        }
    }

    /// The index of the first row number that is at least `number`. The list must be ascending. O(log count).
    public func lowerBound(of number: Int) -> Int {
        switch form {
        case .short(let numbers): numbers.indices.partitioningIndex { Int(numbers[$0]) >= number }
        case .long(let numbers): numbers.indices.partitioningIndex { numbers[$0] >= number }
        case .set(let set): set.rank(of: number)
        case .range(let range): Swift.min(range.count, Swift.max(0, number - range.lowerBound))
        }
    }

    /// The size in memory, in bytes.
    package var byteCount: Int {
        switch form {
        case .short(let numbers): numbers.count * MemoryLayout<UInt32>.stride
        case .long(let numbers): numbers.count * MemoryLayout<Int>.stride
        case .set(let set): set.byteCount
        case .range: 0
        }
    }

    /// The row numbers at a range of indices, as an array. O(positions).
    package func numbers(at positions: Range<Int>) -> [Int] {
        switch form {
        case .short(let numbers): numbers[positions].map { Int($0) }
        case .long(let numbers): Array(numbers[positions])
        case .set(let set): set.numbers(at: positions)
        case .range(let range): Array(range.dropFirst(positions.lowerBound).prefix(positions.count))
        }
    }

    /// The row numbers as 32-bit integers. All row numbers must fit in 32 bits. O(1) if they are stored in that form.
    package var short: [UInt32] {
        switch form {
        case .short(let numbers): numbers
        case .long(let numbers): numbers.map { UInt32($0) }
        case .set(let set): set.numbers(at: 0..<set.count).map { UInt32($0) }
        case .range(let range): range.map { UInt32($0) }
        }
    }

    /// Calls `body` with each index and the row number at it, until it returns `false`. O(count).
    @inline(__always)
    package func forEach(while body: (_ position: Int, _ number: Int) throws -> Bool) rethrows {
        switch form {
        case .short(let numbers):
            for position in numbers.indices where try !body(position, Int(numbers[position])) { return }
        case .long(let numbers):
            for position in numbers.indices where try !body(position, numbers[position]) { return }
        case .set(let set):
            for start in stride(from: 0, to: set.count, by: 1 << 16) {
                let numbers = set.numbers(at: start..<Swift.min(set.count, start + 1 << 16))
                for (offset, number) in numbers.enumerated() where try !body(start + offset, number) { return }
            }
        case .range(let range):
            for (position, number) in range.enumerated() where try !body(position, number) { return }
        }
    }
}

extension RowNumbers {
    /// True if the list has a form for large tables, and if this form has room for all row numbers below `rowCount`.
    fileprivate func canGrow(to rowCount: Int) -> Bool {
        switch form {
        case .short: false
        case .long: true
        case .set(let set): set.limit >= rowCount
        case .range: false
        }
    }
}

extension RowNumbers: Equatable {
    /// True if the lists have the same numbers in the same order. O(count).
    public static func == (a: RowNumbers, b: RowNumbers) -> Bool {
        if case .short(let a) = a.form, case .short(let b) = b.form { return a == b }
        return a.elementsEqual(b)
    }
}

/// Collects ascending row numbers without duplicates, in the form that suits the table.
package struct RowNumbersBuilder: Sendable {
    private let rowCount: Int
    private var form: RowNumbers.Form

    package init(rowCount: Int, shortLimit: Int = RowNumbers.shortLimit) {
        self.rowCount = rowCount
        form = rowCount <= shortLimit ? .short([]) : .long([])
    }

    /// Creates a builder that starts with the numbers of a list.
    package init(_ numbers: RowNumbers, rowCount: Int, shortLimit: Int = RowNumbers.shortLimit) {
        self.init(rowCount: rowCount, shortLimit: shortLimit)
        append(numbers)
    }

    package var count: Int { numbers.count }

    /// The number of bytes that appending `addedCount` numbers would allocate.
    package func growthBytes(for addedCount: Int) -> Int {
        switch form {
        case .short(let numbers):
            numbers.count + addedCount > numbers.capacity
                ? max(numbers.count + addedCount, numbers.capacity * 2) * MemoryLayout<UInt32>.stride : 0
        case .long(let numbers):
            (numbers.count + addedCount) * Int.bitWidth > rowCount
                ? rowCount / 8 : (numbers.count + addedCount) * 2 * MemoryLayout<Int>.stride
        case .set, .range: 0
        }
    }

    /// The numbers that have been appended. If the returned list still exists at the next append, the append copies all numbers.
    package var numbers: RowNumbers { RowNumbers(form) }

    /// Appends numbers that are greater than all existing numbers.
    package mutating func append(_ more: RowNumbers) {
        switch form {
        case .short(var numbers):
            // Remove the second reference to the array, so that appending to it does not copy it.
            form = .short([])
            if numbers.isEmpty { numbers = more.short } else { numbers.append(contentsOf: more.short) }
            form = .short(numbers)
        case .long(let numbers) where numbers.isEmpty && more.canGrow(to: rowCount):
            form = more.form
        case .long(var numbers):
            form = .long([])
            if (numbers.count + more.count) * Int.bitWidth > rowCount {
                // With this many numbers, one bit for each row of the table takes less memory.
                var set = RankedSet(rowCount: rowCount)
                for number in numbers { set.append(number) }
                form = .set(set)
                return append(more)
            }
            more.forEach {
                numbers.append($1)
                return true
            }
            form = .long(numbers)
        case .set(var set):
            form = .long([])
            more.forEach {
                set.append($1)
                return true
            }
            form = .set(set)
        case .range: preconditionFailure("a builder never makes a range")
        }
    }
}

/// A set of row numbers with one bit for each row of the table. The number of members is stored for every 4,096th row, to find members by
/// their rank.
package struct RankedSet: Sendable {
    private static let blockWords = 64
    private static let blockBits = blockWords * UInt64.bitWidth
    private var words: [UInt64]
    /// For each block of rows, the number of members in all blocks before it. There are no elements for blocks after the last block that
    /// has members.
    private var ranks: [Int] = [0]
    package private(set) var count = 0

    package init(rowCount: Int) {
        words = [UInt64](repeating: 0, count: (rowCount + Self.blockBits - 1) / Self.blockBits * Self.blockWords)
        ranks.reserveCapacity(words.count / Self.blockWords + 1)
    }

    package var byteCount: Int { (words.count + ranks.count) * 8 }

    /// All numbers below this limit fit in the memory of the set.
    var limit: Int { words.count * UInt64.bitWidth }

    /// Adds a number, which must be greater than all members.
    package mutating func append(_ number: Int) {
        while ranks.count <= number / Self.blockBits { ranks.append(count) }
        words[number / 64] |= 1 << UInt64(number % 64)
        count += 1
    }

    package func contains(_ number: Int) -> Bool {
        number >= 0 && number / 64 < words.count && words[number / 64] >> UInt64(number % 64) & 1 != 0
    }

    /// The number of members that are less than `number`.
    package func rank(of number: Int) -> Int {
        guard number > 0 else { return 0 }
        let block = number / Self.blockBits
        guard block < ranks.count else { return count }
        var rank = ranks[block]
        for word in block * Self.blockWords..<number / 64 { rank += words[word].nonzeroBitCount }
        guard number / 64 < words.count else { return rank }
        return rank + (words[number / 64] & (1 << UInt64(number % 64) - 1)).nonzeroBitCount
    }

    /// The member with a rank, from 0 in ascending order. O(log rows).
    package func number(at rank: Int) -> Int { numbers(at: rank..<rank + 1)[0] }

    /// The members with a range of ranks, ascending. O(log rows + k + d / 64) for k members, where d is the distance from the first to the
    /// last.
    package func numbers(at range: Range<Int>) -> [Int] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "no members at \(range) of \(count)")
        var numbers: [Int] = []
        numbers.reserveCapacity(range.count)
        let block = ranks.indices.partitioningIndex { ranks[$0] > range.lowerBound } - 1
        var rank = ranks[max(0, block)]
        var word = max(0, block) * Self.blockWords
        while rank < range.upperBound {
            var rest = words[word]
            let end = rank + rest.nonzeroBitCount
            if end > range.lowerBound {
                while rest != 0, rank < range.upperBound {
                    if rank >= range.lowerBound { numbers.append(word * 64 + rest.trailingZeroBitCount) }
                    rest &= rest - 1
                    rank += 1
                }
            } else {
                rank = end
            }
            word += 1
        }
        return numbers
    }
}
