/// A list of row numbers: 32 bits each for most tables; otherwise 64 bits each, or one bit for each row of the table. Consecutive numbers
/// can be a range, which takes no memory.
///
/// The form depends on the number of rows of the table, so lists of ordinary tables never take more than 4 bytes per row. Two lists are
/// equal if they have the same numbers in the same order, in any form.
public struct RowNumbers: Sendable, RandomAccessCollection {
    /// The storage of the numbers.
    package enum Form: Sendable {
        case short([UInt32])
        case long([Int])
        /// Ascending numbers without duplicates.
        case set(RankedSet)
        /// Consecutive numbers.
        case range(Range<Int>)
    }

    /// The maximum row count of a table with 32-bit row numbers. Positions after the last row fit as well.
    public static let shortLimit = Int(UInt32.max)

    package let form: Form

    package init(_ form: Form) { self.form = form }

    /// Creates a list of 32-bit numbers.
    public init(_ numbers: [UInt32]) { form = .short(numbers) }

    /// Creates a list of consecutive numbers. O(1), in time and memory.
    public init(consecutive numbers: Range<Int>) { form = .range(numbers) }

    /// The numbers, if the list was created from consecutive numbers; otherwise `nil`. O(1).
    public var consecutive: Range<Int>? {
        if case .range(let range) = form { return range }
        return nil
    }

    /// Creates a list of numbers of rows of a table with `rowCount` rows. O(numbers).
    public init(_ numbers: some Sequence<Int>, ofRows rowCount: Int) { self.init(numbers, ofRows: rowCount, shortLimit: Self.shortLimit) }

    package init(_ numbers: some Sequence<Int>, ofRows rowCount: Int, shortLimit: Int) {
        guard rowCount <= shortLimit else {
            form = .long(Array(numbers))
            return
        }
        // Row numbers of tables on servers can exceed the row count of the table.
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

    /// The number of row numbers.
    public var endIndex: Int {
        switch form {
        case .short(let numbers): numbers.count
        case .long(let numbers): numbers.count
        case .set(let set): set.count
        case .range(let range): range.count
        }
    }

    /// The number at a position. O(1); O(log rows) for a set of bits.
    public subscript(position: Int) -> Int {
        switch form {
        case .short(let numbers): Int(numbers[position])
        case .long(let numbers): numbers[position]
        case .set(let set): set.number(at: position)
        case .range(let range): range[range.lowerBound + position]
        }
    }

    /// The first position of a number. O(count); O(1) for a set of bits or a range.
    public func firstIndex(of number: Int) -> Int? {
        switch form {
        case .short(let numbers): UInt32(exactly: number).flatMap { numbers.firstIndex(of: $0) }
        case .long(let numbers): numbers.firstIndex(of: number)
        case .set(let set): set.contains(number) ? set.rank(of: number) : nil
        case .range(let range): range.contains(number) ? number - range.lowerBound : nil
        }
    }

    /// The position of the first number that is at least `number`; the numbers must be ascending. O(log count).
    public func lowerBound(of number: Int) -> Int {
        switch form {
        case .short(let numbers): numbers.indices.partitioningIndex { Int(numbers[$0]) >= number }
        case .long(let numbers): numbers.indices.partitioningIndex { numbers[$0] >= number }
        case .set(let set): set.rank(of: number)
        case .range(let range): Swift.min(range.count, Swift.max(0, number - range.lowerBound))
        }
    }

    /// The size in bytes.
    package var byteCount: Int {
        switch form {
        case .short(let numbers): numbers.count * MemoryLayout<UInt32>.stride
        case .long(let numbers): numbers.count * MemoryLayout<Int>.stride
        case .set(let set): set.byteCount
        case .range: 0
        }
    }

    /// The numbers at a range of positions, as an array. O(positions).
    package func numbers(at positions: Range<Int>) -> [Int] {
        switch form {
        case .short(let numbers): numbers[positions].map { Int($0) }
        case .long(let numbers): Array(numbers[positions])
        case .set(let set): set.numbers(at: positions)
        case .range(let range): Array(range.dropFirst(positions.lowerBound).prefix(positions.count))
        }
    }

    /// The numbers with 32 bits each; they must fit. O(1) if they are stored in that form.
    package var short: [UInt32] {
        switch form {
        case .short(let numbers): numbers
        case .long(let numbers): numbers.map { UInt32($0) }
        case .set(let set): set.numbers(at: 0..<set.count).map { UInt32($0) }
        case .range(let range): range.map { UInt32($0) }
        }
    }

    /// Calls `body` with each position and its number, until it returns `false`. O(count).
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
                for (place, number) in numbers.enumerated() where try !body(start + place, number) { return }
            }
        case .range(let range):
            for (place, number) in range.enumerated() where try !body(place, number) { return }
        }
    }
}

extension RowNumbers {
    /// True if the form is for large tables and has room for all rows of a table.
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
    /// True if the numbers are equal. O(count).
    public static func == (a: RowNumbers, b: RowNumbers) -> Bool {
        if case .short(let a) = a.form, case .short(let b) = b.form { return a == b }
        return a.elementsEqual(b)
    }
}

/// A builder of ascending row numbers without duplicates, in the form that suits the table.
package struct RowNumbersBuilder: Sendable {
    private let rowCount: Int
    private var form: RowNumbers.Form

    package init(rowCount: Int, shortLimit: Int = RowNumbers.shortLimit) {
        self.rowCount = rowCount
        form = rowCount <= shortLimit ? .short([]) : .long([])
    }

    /// Creates a builder that continues a list.
    package init(_ numbers: RowNumbers, rowCount: Int, shortLimit: Int = RowNumbers.shortLimit) {
        self.init(rowCount: rowCount, shortLimit: shortLimit)
        append(numbers)
    }

    package var count: Int { numbers.count }

    /// The number of bytes allocated when `more` numbers are appended.
    package func growth(for more: Int) -> Int {
        switch form {
        case .short(let numbers):
            numbers.count + more > numbers.capacity ? max(numbers.count + more, numbers.capacity * 2) * MemoryLayout<UInt32>.stride : 0
        case .long(let numbers):
            (numbers.count + more) * Int.bitWidth > rowCount ? rowCount / 8 : (numbers.count + more) * 2 * MemoryLayout<Int>.stride
        case .set, .range: 0
        }
    }

    /// The numbers so far. Appending after a read copies them once.
    package var numbers: RowNumbers { RowNumbers(form) }

    /// Appends numbers that are greater than all existing numbers.
    package mutating func append(_ more: RowNumbers) {
        switch form {
        case .short(var numbers):
            // The array must be uniquely referenced while it grows.
            form = .short([])
            if numbers.isEmpty { numbers = more.short } else { numbers.append(contentsOf: more.short) }
            form = .short(numbers)
        case .long(let numbers) where numbers.isEmpty && more.canGrow(to: rowCount):
            form = more.form
        case .long(var numbers):
            form = .long([])
            if (numbers.count + more.count) * Int.bitWidth > rowCount {
                // A bit for each row is smaller.
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

/// A set of ascending row numbers, with one bit for each row of the table. It counts members at every 4,096th row, to find members by rank.
package struct RankedSet: Sendable {
    private static let blockWords = 64
    private static let blockBits = blockWords * UInt64.bitWidth
    private var words: [UInt64]
    /// The number of members before each block, up to the last block with members.
    private var ranks: [Int] = [0]
    package private(set) var count = 0

    package init(rowCount: Int) {
        words = [UInt64](repeating: 0, count: (rowCount + Self.blockBits - 1) / Self.blockBits * Self.blockWords)
        ranks.reserveCapacity(words.count / Self.blockWords + 1)
    }

    package var byteCount: Int { (words.count + ranks.count) * 8 }

    /// The upper bound of the numbers that fit.
    var limit: Int { words.count * UInt64.bitWidth }

    /// Appends a number that is greater than all existing numbers.
    package mutating func append(_ number: Int) {
        while ranks.count <= number / Self.blockBits { ranks.append(count) }
        words[number / 64] |= 1 << UInt64(number % 64)
        count += 1
    }

    package func contains(_ number: Int) -> Bool {
        number >= 0 && number / 64 < words.count && words[number / 64] >> UInt64(number % 64) & 1 != 0
    }

    /// The number of members below `number`.
    package func rank(of number: Int) -> Int {
        guard number > 0 else { return 0 }
        let block = number / Self.blockBits
        guard block < ranks.count else { return count }
        var rank = ranks[block]
        for word in block * Self.blockWords..<number / 64 { rank += words[word].nonzeroBitCount }
        guard number / 64 < words.count else { return rank }
        return rank + (words[number / 64] & (1 << UInt64(number % 64) - 1)).nonzeroBitCount
    }

    /// The member with this rank. O(log rows).
    package func number(at rank: Int) -> Int { numbers(at: rank..<rank + 1)[0] }

    /// The members whose ranks are in a range. O(log rows + k + d / 64) for k members, where d is the distance from the first to the last.
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
