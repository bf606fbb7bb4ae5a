import DataGridQuery
import FieldValues
import Tables

/// The names of the members found in a column of JSON objects and arrays, in the order in which they were found.
struct JSONMembers {
    /// The maximum number of members for which columns are created.
    static let maximumMembers = 100

    /// The keys of objects as they are in the JSON, and the indices of array elements as decimal digits.
    private(set) var keys: [[UInt8]] = []
    /// True if members were left out because of ``maximumMembers``.
    private(set) var hasMore = false
    private var keySet: Set<[UInt8]> = []

    /// Adds the members of a JSON object or array. Ignores all other text.
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
    /// For a formula that reads the value at a path in JSON text: the formula of the text, and the keys of the path. For any other formula:
    /// the formula itself, without keys.
    var jsonTextAndPath: (text: Formula, keys: [[UInt8]]) {
        if case .call(.json, let arguments) = self, case .constant(.text(let path)) = arguments[1], let keys = JSONPath.keys(path) {
            return (arguments[0], keys)
        }
        return (self, [])
    }

    /// True if the formula reads the value at a path in JSON text.
    var isJSONValue: Bool { !jsonTextAndPath.keys.isEmpty }
}
