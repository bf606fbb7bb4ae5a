import GridTestSupport
import SQLTables
import Testing

@testable import ServerTables

/// The keys from which the rows of an order are found. No server is needed.
@Suite("19.4: known keys of an order")
struct KnownKeysTests {
    private func key(_ number: Int) -> RowKey { RowKey([.integer(Int64(number)), .text("id")]) }

    private func anchor(_ position: Int, isFirstKey: Bool = false) -> KnownKeys.Anchor {
        KnownKeys.Anchor(position: position, key: key(position), isFirstKey: isFirstKey)
    }

    private func keys(_ anchors: [KnownKeys.Anchor]) -> KnownKeys {
        var keys = KnownKeys()
        keys.merge(anchors)
        return keys
    }

    @Test func `keys are sorted by position, and a new key replaces the key at its position`() {
        var keys = KnownKeys()
        for position in [30, 10, 20, 40] { keys.add(anchor(position)) }
        #expect(keys.anchors.map(\.position) == [10, 20, 30, 40])
        keys.add(KnownKeys.Anchor(position: 20, key: key(7)))
        #expect(keys.anchors.count == 4 && keys.key(at: 20) == key(7) && keys.key(at: 30) == key(30) && keys.key(at: 25) == nil)
    }

    @Test func `once 100,000 keys are known, only keys at equal distances are added`() {
        var keys = keys((0..<100_000).map { anchor($0 * 10) })
        keys.add(anchor(5))
        #expect(keys.anchors.count == 100_000 && keys.key(at: 5) == nil)
        keys.merge([anchor(5)])
        #expect(keys.anchors.count == 100_001 && keys.key(at: 5) == key(5))
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `merging random lists of keys equals adding the missing ones`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func positions(_ count: Int) -> [Int] { Set((0..<count).map { _ in Int.random(in: 0..<60, using: &random) }).sorted() }
        let (old, new) = (positions(Int.random(in: 0...30, using: &random)), positions(Int.random(in: 0...30, using: &random)))
        var keys = keys(old.map { anchor($0) })
        keys.merge(new.map { KnownKeys.Anchor(position: $0, key: key(-1 - $0)) })
        #expect(keys.anchors.map(\.position) == Set(old + new).sorted())
        #expect(keys.anchors.allSatisfy { $0.key == (old.contains($0.position) ? key($0.position) : key(-1 - $0.position)) })
    }

    @Test func `the key of a row is unknown if only its first sort key is known`() {
        let keys = keys([anchor(10, isFirstKey: true)])
        #expect(keys.key(at: 10) == nil)
        // Rows after it are found, but none before it.
        #expect(keys.request(for: 11..<21, from: 0, end: nil, forwardOnly: false) == (.from(firstKeyValues: [.integer(10)], count: 10), 0))
        #expect(keys.request(for: 6..<9, from: 0, end: nil, forwardOnly: false) == (.first(3), 6))
    }

    @Test func `the nearest key before a row is searched only in the section of the row`() {
        let keys = keys([anchor(10), anchor(20)])
        #expect(keys.nearest(before: 10, from: 0) == nil && keys.nearest(before: 11, from: 0) == anchor(10))
        #expect(keys.nearest(before: 20, from: 10) == anchor(10) && keys.nearest(before: 20, from: 11) == nil)
        #expect(keys.nearest(before: 1_000, from: 20) == anchor(20))
    }

    @Test func `the distance of a row is counted from the nearest key, the start or the end`() {
        #expect(KnownKeys().distance(to: 300, ofRows: 1_000) == 300 && KnownKeys().distance(to: 900, ofRows: 1_000) == 100)
        let keys = keys([anchor(100), anchor(500), anchor(600, isFirstKey: true)])
        #expect(keys.distance(to: 150, ofRows: 1_000) == 50 && keys.distance(to: 480, ofRows: 1_000) == 20)
        #expect(keys.distance(to: 500, ofRows: 1_000) == 0)
        // Rows before a row with a known first key are not found from it.
        #expect(keys.distance(to: 590, ofRows: 1_000) == 90 && keys.distance(to: 610, ofRows: 1_000) == 10)
    }

    @Test func `a page request skips as few rows as possible`() {
        let keys = keys([anchor(100), anchor(500)])
        func request(_ rows: Range<Int>, end: Int? = 1_000, forwardOnly: Bool = false) -> (request: PageRequest, skipped: Int) {
            keys.request(for: rows, from: 0, end: end, forwardOnly: forwardOnly)
        }
        #expect(request(0..<10) == (.first(10), 0) && request(50..<60) == (.before(key(100), 10), 40))
        #expect(request(45..<55) == (.first(10), 45), "a page from the start costs less than one before a key")
        #expect(request(101..<111) == (.after(key(100), 10), 0) && request(480..<490) == (.before(key(500), 10), 10))
        #expect(request(480..<490, forwardOnly: true) == (.after(key(100), 10), 379))
        #expect(request(900..<990) == (.last(90), 10) && request(900..<990, end: nil) == (.after(key(500), 90), 399))
        #expect(request(900..<990, forwardOnly: true) == (.after(key(500), 90), 399))
    }

    @Test func `a page request uses only keys of its section`() {
        let keys = keys([anchor(100), anchor(500)])
        #expect(keys.request(for: 210..<220, from: 200, end: 400, forwardOnly: false) == (.first(10), 10))
        #expect(keys.request(for: 380..<390, from: 200, end: 400, forwardOnly: false) == (.last(10), 10))
        #expect(keys.request(for: 380..<390, from: 200, end: 501, forwardOnly: false) == (.before(key(500), 10), 110))
        #expect(keys.request(for: 380..<390, from: 200, end: 500, forwardOnly: false) == (.last(10), 110))
    }
}
