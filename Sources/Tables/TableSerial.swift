import Synchronization

/// Numbers that are unique in this process, for ``Table/contentID``.
///
/// Each opened input has its own number. A file that is opened again with other options gets a new number, because its records can differ.
package enum TableSerial {
    private static let last = Atomic(0)

    /// A new number, from 1.
    package static func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
