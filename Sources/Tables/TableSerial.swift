import Synchronization

/// Numbers that are unique in this process, for ``Table/contentID``.
///
/// Each reading of an input has its own number. If a file is read again with other options, its records differ although its bytes do not.
package enum TableSerial {
    private static let last = Atomic(0)

    /// A new number, from 1.
    package static func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
