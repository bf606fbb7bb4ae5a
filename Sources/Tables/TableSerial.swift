import Synchronization

/// Source of numbers that are unique in this process, used as ``Table/contentID``.
///
/// Each opened input has its own number. A file that is opened again with other options gets a new number, because its records can differ.
package enum TableSerial {
    private static let lastSerial = Atomic(0)

    /// Returns the next number, starting with 1.
    package static func next() -> Int { lastSerial.wrappingAdd(1, ordering: .relaxed).newValue }
}
