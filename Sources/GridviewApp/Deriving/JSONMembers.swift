import DataGridQuery
import FieldValues
import Tables

/// The members of JSON objects and arrays in a sample of a column, in the order of their appearance.
struct JSONMembers {
    /// The maximum number of members that become columns.
    static let maximumMembers = 100

    /// The keys of objects, and the indices of array elements as decimal digits.
    private(set) var keys: [[UInt8]] = []
    /// True if there are more members than ``maximumMembers``.
    private(set) var hasMore = false
    private var keySet: Set<[UInt8]> = []

    /// Adds the members of a value. Ignores other text.
    mutating func add(_ value: FieldBytes) {
        var cursor = JSONCursor(value.bytes)
        cursor.skipBlanks()
        switch cursor.byte {
        case UInt8(ascii: "{"): cursor.forEachKey { key, _ in add(Array(key)) }
        case UInt8(ascii: "["):
            cursor.forEachElement { number, _ in
                add(Array("\(number)".utf8))
                return number < Self.maximumMembers
            }
        default: break
        }
    }

    private mutating func add(_ key: [UInt8]) {
        guard !keySet.contains(key) else { return }
        guard keys.count < Self.maximumMembers else {
            hasMore = true
            return
        }
        keySet.insert(key)
        keys.append(key)
    }
}

extension Formula {
    /// The formula of the JSON text that this formula reads, and the keys of the path in it. For other formulas, the formula itself and no
    /// keys.
    var jsonParts: (text: Formula, keys: [[UInt8]]) {
        if case .call(.json, let arguments) = self, case .constant(.text(let path)) = arguments[1], let keys = JSONPath.keys(path) {
            return (arguments[0], keys)
        }
        return (self, [])
    }

    /// True if the formula reads the value at a path in JSON text.
    var isJSONValue: Bool { !jsonParts.keys.isEmpty }
}
