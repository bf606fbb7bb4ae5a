/// Row numbers in an order of their own: 32 bits each where the table has few enough rows, otherwise 64 bits each, or one bit for each row
/// of the table.
///
/// The form is chosen by the number of rows of the table, so lists of ordinary tables never take more than 4 bytes a row. Two lists
/// are equal when they hold the same numbers in the same order, whatever their forms.
public struct RowNumbers: Sendable, RandomAccessCollection {
    /// How the numbers are stored.
    package enum Form: Sendable {
        case short([UInt32])
        case long([Int])
        /// Ascending numbers, each once.
        case set(RankedSet)
    }

    /// The most rows that a table has whose row numbers take 32 bits. Positions behind the last row fit as well.
    public static let shortLimit = Int(UInt32.max)

    package let form: Form

    package init(_ form: Form) { self.form = form }

    /// Numbers of 32 bits.
    public init(_ numbers: [UInt32]) { form = .short(numbers) }

    /// Numbers of rows of a table with `rowCount` rows. O(numbers).
    public init(_ numbers: some Sequence<Int>, ofRows rowCount: Int) { self.init(numbers, ofRows: rowCount, shortLimit: Self.shortLimit) }

    package init(_ numbers: some Sequence<Int>, ofRows rowCount: Int, shortLimit: Int) {
        form = rowCount <= shortLimit ? .short(numbers.map { UInt32($0) }) : .long(Array(numbers))
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// How many numbers there are.
    public var endIndex: Int {
        switch form {
        case .short(let numbers): numbers.count
        case .long(let numbers): numbers.count
        case .set(let set): set.count
        }
    }

    /// The number at a position. O(1), and O(log rows) where the list is a set of bits.
    public subscript(position: Int) -> Int {
        switch form {
        case .short(let numbers): Int(numbers[position])
        case .long(let numbers): numbers[position]
        case .set(let set): set.number(at: position)
        }
    }

    /// The first position of a number. O(count), and O(1) where the list is a set of bits.
    public func firstIndex(of number: Int) -> Int? {
        switch form {
        case .short(let numbers): UInt32(exactly: number).flatMap { numbers.firstIndex(of: $0) }
        case .long(let numbers): numbers.firstIndex(of: number)
        case .set(let set): set.contains(number) ? set.place(of: number) : nil
        }
    }

    /// Of ascending numbers, the position of the first that is not below `number`. O(log count).
    public func partition(from number: Int) -> Int {
        switch form {
        case .short(let numbers): numbers.indices.partitioningIndex { Int(numbers[$0]) >= number }
        case .long(let numbers): numbers.indices.partitioningIndex { numbers[$0] >= number }
        case .set(let set): set.place(of: number)
        }
    }

    /// Bytes in memory.
    package var byteCount: Int {
        switch form {
        case .short(let numbers): numbers.count * MemoryLayout<UInt32>.stride
        case .long(let numbers): numbers.count * MemoryLayout<Int>.stride
        case .set(let set): set.byteCount
        }
    }

    /// The numbers at some positions, for random access. O(positions).
    package func numbers(at positions: Range<Int>) -> [Int] {
        switch form {
        case .short(let numbers): numbers[positions].map { Int($0) }
        case .long(let numbers): Array(numbers[positions])
        case .set(let set): set.numbers(at: positions)
        }
    }

    /// The numbers as 32 bits each; the caller knows that they fit. O(1) where they are stored so.
    package var short: [UInt32] {
        switch form {
        case .short(let numbers): numbers
        case .long(let numbers): numbers.map { UInt32($0) }
        case .set(let set): set.numbers(at: 0..<set.count).map { UInt32($0) }
        }
    }

    /// Calls `body` with each position and its number, until it answers `false`. O(count).
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
        }
    }
}

extension RowNumbers {
    /// Whether the form is one of large tables, and has room for all rows of a table.
    fileprivate func canGrow(to rowCount: Int) -> Bool {
        switch form {
        case .short: false
        case .long: true
        case .set(let set): set.limit >= rowCount
        }
    }
}

extension RowNumbers: Equatable {
    /// Whether the numbers are the same. O(count).
    public static func == (a: RowNumbers, b: RowNumbers) -> Bool {
        if case .short(let a) = a.form, case .short(let b) = b.form { return a == b }
        return a.elementsEqual(b)
    }
}

/// Collects ascending row numbers of a table, each once, in the form that suits it.
package struct RowNumbersBuilder: Sendable {
    private let rowCount: Int
    private var form: RowNumbers.Form

    package init(rowCount: Int, shortLimit: Int = RowNumbers.shortLimit) {
        self.rowCount = rowCount
        form = rowCount <= shortLimit ? .short([]) : .long([])
    }

    /// Continues a list.
    package init(_ numbers: RowNumbers, rowCount: Int, shortLimit: Int = RowNumbers.shortLimit) {
        self.init(rowCount: rowCount, shortLimit: shortLimit)
        append(numbers)
    }

    package var count: Int { numbers.count }

    /// Bytes that are allocated when `more` numbers are appended.
    package func growth(for more: Int) -> Int {
        switch form {
        case .short(let numbers):
            numbers.count + more > numbers.capacity ? max(numbers.count + more, numbers.capacity * 2) * MemoryLayout<UInt32>.stride : 0
        case .long(let numbers):
            (numbers.count + more) * Int.bitWidth > rowCount ? rowCount / 8 : (numbers.count + more) * 2 * MemoryLayout<Int>.stride
        case .set: 0
        }
    }

    /// The numbers so far. Appending afterwards copies them once.
    package var numbers: RowNumbers { RowNumbers(form) }

    /// Appends numbers that are greater than all before.
    package mutating func append(_ more: RowNumbers) {
        switch form {
        case .short(var numbers):
            // Nothing else may hold the numbers while they grow.
            form = .short([])
            if numbers.isEmpty { numbers = more.short } else { numbers.append(contentsOf: more.short) }
            form = .short(numbers)
        case .long(let numbers) where numbers.isEmpty && more.canGrow(to: rowCount):
            form = more.form
        case .long(var numbers):
            form = .long([])
            if (numbers.count + more.count) * Int.bitWidth > rowCount {
                // A bit for each row takes less.
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
        }
    }
}

/// A set of ascending row numbers, one bit for each row of the table, with the number of members counted at every 4,096th row, so that
/// members are found by their places.
package struct RankedSet: Sendable {
    private static let blockWords = 64
    private static let blockBits = blockWords * UInt64.bitWidth
    private var words: [UInt64]
    /// How many members lie before each block, as far as blocks have members.
    private var ranks: [Int] = [0]
    package private(set) var count = 0

    package init(rowCount: Int) {
        words = [UInt64](repeating: 0, count: (rowCount + Self.blockBits - 1) / Self.blockBits * Self.blockWords)
        ranks.reserveCapacity(words.count / Self.blockWords + 1)
    }

    package var byteCount: Int { (words.count + ranks.count) * 8 }

    /// The numbers that have room are below it.
    var limit: Int { words.count * UInt64.bitWidth }

    /// Appends a number that is greater than all before.
    package mutating func append(_ number: Int) {
        while ranks.count <= number / Self.blockBits { ranks.append(count) }
        words[number / 64] |= 1 << UInt64(number % 64)
        count += 1
    }

    package func contains(_ number: Int) -> Bool {
        number >= 0 && number / 64 < words.count && words[number / 64] >> UInt64(number % 64) & 1 != 0
    }

    /// How many members are below `number`.
    package func place(of number: Int) -> Int {
        guard number > 0 else { return 0 }
        let block = number / Self.blockBits
        guard block < ranks.count else { return count }
        var place = ranks[block]
        for word in block * Self.blockWords..<number / 64 { place += words[word].nonzeroBitCount }
        guard number / 64 < words.count else { return place }
        return place + (words[number / 64] & (1 << UInt64(number % 64) - 1)).nonzeroBitCount
    }

    /// The member at a place. O(log rows).
    package func number(at place: Int) -> Int { numbers(at: place..<place + 1)[0] }

    /// The members at some places. O(log rows + places + rows between / 64).
    package func numbers(at places: Range<Int>) -> [Int] {
        precondition(places.lowerBound >= 0 && places.upperBound <= count, "no members at \(places) of \(count)")
        var numbers: [Int] = []
        numbers.reserveCapacity(places.count)
        let block = ranks.indices.partitioningIndex { ranks[$0] > places.lowerBound } - 1
        var place = ranks[max(0, block)]
        var word = max(0, block) * Self.blockWords
        while place < places.upperBound {
            var rest = words[word]
            let end = place + rest.nonzeroBitCount
            if end > places.lowerBound {
                while rest != 0, place < places.upperBound {
                    if place >= places.lowerBound { numbers.append(word * 64 + rest.trailingZeroBitCount) }
                    rest &= rest - 1
                    place += 1
                }
            } else {
                place = end
            }
            word += 1
        }
        return numbers
    }
}
