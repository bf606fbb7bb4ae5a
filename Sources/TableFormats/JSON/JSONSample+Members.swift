/// The members of an object in a ``JSONSample``.
struct JSONMemberSample {
    /// The number of members whose values are objects, before the first value that is not completely in the sample.
    private(set) var count = 0
    /// True if the values of all members in the sample are objects.
    fileprivate(set) var areObjects = true
    /// True if all members were examined, up to the end of the object.
    fileprivate(set) var isComplete = false
    /// For each key in the first objects, the number of these objects that have it.
    private var keyCounts: [[UInt8]: Int] = [:]
    /// The keys of all objects that could be equal to ``keyName``.
    private var similarKeys: Set<[UInt8]> = []
    /// The number of objects whose keys are counted.
    private var countedObjects = 0

    /// The maximum number of objects whose keys are counted.
    private static let maximumCountedObjects = 100

    /// True if there are at least two members, and if all of their values are objects with mostly the same keys, as in `{"web1": {"cpu":
    /// 1}, "web2": {"cpu": 2}}`. At least three quarters of the keys, counted in each object, must occur in more than half of the objects.
    var haveCommonKeys: Bool {
        guard areObjects, count > 1 else { return false }
        let shared = keyCounts.values.filter { 2 * $0 > countedObjects }.reduce(0, +)
        return shared > 0 && 4 * shared >= 3 * keyCounts.values.reduce(0, +)
    }

    /// A name for the field that contains the keys of the members: `key`, or `key_2` and so on if an object already has that key.
    var keyName: String {
        var (name, number) = ("key", 1)
        while similarKeys.contains(Array(name.utf8)) {
            number += 1
            name = "key_\(number)"
        }
        return name
    }

    /// Adds a member whose value is an object with these keys.
    fileprivate mutating func add(_ keys: Set<[UInt8]>) {
        count += 1
        similarKeys.formUnion(keys.lazy.filter { $0.starts(with: "key".utf8) })
        guard countedObjects < Self.maximumCountedObjects else { return }
        countedObjects += 1
        for key in keys { keyCounts[key, default: 0] += 1 }
    }
}

extension JSONSample {
    /// The place of the value at a path of keys.
    enum Place: Equatable {
        case found(Int)
        /// The sample ends before the value.
        case cut
        case absent
    }

    /// The place of the value to which keys lead from the object at an index. If an object has a key twice, its first value is used.
    func place(of path: [[UInt8]], from index: Int) -> Place {
        var index = index
        for key in path {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return index < bytes.count ? .absent : .cut }
            var found: Int?
            let isWhole = forEachMember(ofObjectAt: index) { name, value in
                guard name == key else { return true }
                found = value
                return false
            }
            guard let found else { return isWhole ? .absent : .cut }
            index = found
        }
        return .found(index)
    }

    /// The members of the value at an index; `nil` if the value is not an object.
    /// - Parameter skipsOthers: true to continue after a value that is not an object, because the objects after it have keys, too.
    func members(at index: Int, skipsOthers: Bool = false) -> JSONMemberSample? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return nil }
        var members = JSONMemberSample()
        members.isComplete = forEachMember(ofObjectAt: index) { _, value in
            guard bytes[value] == UInt8(ascii: "{") else {
                members.areObjects = false
                return skipsOthers
            }
            guard valueEnd(from: value).end != nil else { return false }
            members.add(keys(at: value))
            return true
        }
        return members
    }

    /// The keys of the object at an index, as far as they are in the sample.
    private func keys(at index: Int) -> Set<[UInt8]> {
        var keys: Set<[UInt8]> = []
        forEachMember(ofObjectAt: index) { key, _ in
            keys.insert(key)
            return true
        }
        return keys
    }

    /// Calls `body` with the key of each member of an object and the index of its value, until `body` returns `false`.
    /// - Returns: true if all members were passed. Otherwise, `body` has returned `false`, or the sample ends within the object, or the
    ///   object is invalid.
    @discardableResult
    func forEachMember(ofObjectAt start: Int, _ body: (_ key: [UInt8], _ value: Int) -> Bool) -> Bool {
        guard var index = nextNonBlank(from: start + 1) else { return false }
        if bytes[index] == UInt8(ascii: "}") { return true }
        while bytes[index] == UInt8(ascii: "\""), let keyEnd = valueEnd(from: index).end {
            let key = bytes[index + 1..<keyEnd - 1].withUnsafeBufferPointer { JSONSchema.unescaped($0) }
            guard let colon = nextNonBlank(from: keyEnd), bytes[colon] == UInt8(ascii: ":"), let value = nextNonBlank(from: colon + 1),
                body(key, value), let end = valueEnd(from: value).end, let separator = nextNonBlank(from: end)
            else { return false }
            if bytes[separator] == UInt8(ascii: "}") { return true }
            guard bytes[separator] == UInt8(ascii: ","), let following = nextNonBlank(from: separator + 1) else { return false }
            index = following
        }
        return false
    }
}
