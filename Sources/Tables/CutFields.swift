import Locks

/// The fields that are incomplete in an output, because a server cuts very large values.
///
/// ``Table/recordingCuts(in:)`` returns a table that adds such fields when it is scanned.
public final class CutFields: Sendable {
    /// A field that was cut.
    public struct Cut: Hashable, Sendable {
        /// The number of its record.
        public var record: Int
        /// The number of its column.
        public var column: Int
        /// A phrase about the limit, such as “cells are cut if they are larger than 16 MiB”.
        public var limit: String

        /// Creates the description of a field that was cut.
        public init(record: Int, column: Int, limit: String) { (self.record, self.column, self.limit) = (record, column, limit) }
    }

    private let cuts = Mutex<[Cut]>([])

    /// The maximum number of fields that are kept.
    private static let maximum = 1_000

    /// Creates an empty list.
    public init() {}

    /// The first fields that were cut, in the order of the scans.
    public var all: [Cut] { cuts.withLock { $0 } }
    /// The first field that was cut; `nil` if all fields were complete.
    public var first: Cut? { cuts.withLock { $0.first } }

    /// Removes all fields.
    /// - Returns: The removed fields.
    package func removeAll() -> [Cut] {
        cuts.withLock { cuts in
            defer { cuts = [] }
            return cuts
        }
    }

    /// Adds a field. Does nothing once the maximum number of fields is kept.
    public func add(_ cut: Cut) { cuts.withLock { if $0.count < Self.maximum { $0.append(cut) } } }
}
