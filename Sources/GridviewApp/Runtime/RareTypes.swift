import FieldValues
import Tables

/// The fields of an input without a value in the sample of rows, and the search for their types in all rows. Their columns are text until a
/// search finds values.
struct RareTypes: Sendable {
    /// The result of a search.
    struct Found: Sendable {
        /// The profiles of the fields that were searched.
        let profiles: [FieldID: ColumnProfile]
        /// The number of records that were known before the search.
        fileprivate let recordCount: Int
        /// True if later rows of a pipe may change the types of fields with few values. These fields are then searched again.
        fileprivate let isProvisional: Bool
    }

    /// The reason for a search.
    enum Purpose {
        /// The screen shows the types. Only inputs of up to 1 GiB are searched: after the index was restored from the cache, a search would
        /// read most of a larger file again.
        case screen
        /// A request depends on the types. Inputs of any size are searched.
        case request
        /// The screen shows the first rows of a pipe that is still open. Rows after these are searched when the pipe has ended.
        case firstRows
    }

    private static let maximumBytesForScreen = 1 << 30
    /// The number of rows in which types are searched while a pipe is open.
    private static let maximumFirstRows = 10_000
    /// The number of values after which the type of a field no longer changes while a pipe is open.
    private static let sufficientValues = 100

    private let input: any TableSource
    /// The number of records in which each field was searched without finding a value.
    private var searchedCounts: [FieldID: Int] = [:]
    /// The number of records that must be known for the next search while a pipe is open.
    private var nextRecordCount = 1

    /// - Parameter profiles: the profiles of the first fields, from a sample.
    init(_ profiles: [ColumnProfile] = [], of input: any TableSource) {
        self.input = input
        add(profiles, from: 0)
    }

    var isEmpty: Bool { searchedCounts.isEmpty }

    func contains(_ field: FieldID) -> Bool { searchedCounts[field] != nil }

    /// Adds the fields that have no value in their sample. Does nothing for a table on a server, which declares the types of its columns.
    /// - Parameter first: the index of the first field.
    mutating func add(_ profiles: [ColumnProfile], from first: Int) {
        guard !input.canBeQueriedWhileIncomplete else { return }
        for (index, profile) in profiles.enumerated() where profile.sampledCount == profile.emptyCount && profile.kind == .text {
            searchedCounts[FieldID(rawValue: first + index)] = 0
        }
    }

    /// Removes a field whose type is set by an option.
    mutating func remove(_ field: FieldID) { searchedCounts[field] = nil }

    /// Searches for values of the fields in all records known so far. Can run on any thread.
    /// - Parameter shouldContinue: polled occasionally; return `false` to cancel the search.
    /// - Returns: `nil` if there are no fields, if the input is too large for the purpose, or if the search was cancelled.
    func search(for purpose: Purpose, while shouldContinue: () -> Bool) -> Found? {
        guard !isEmpty, purpose == .request || input.byteCount <= Self.maximumBytesForScreen else { return nil }
        let (fields, recordCount) = (searchedCounts.keys.sorted(), input.snapshot().recordCount)
        if purpose == .firstRows, recordCount < nextRecordCount { return nil }
        // The last searched record can be longer now, because a file can end within a record.
        let first = max(0, (searchedCounts.values.min() ?? 0) - 1)
        let profiles = input.profiles(ofRareColumns: fields.map(\.rawValue), from: first, while: shouldContinue)
        guard shouldContinue() else { return nil }
        return Found(
            profiles: Dictionary(zip(fields, profiles)) { first, _ in first }, recordCount: recordCount,
            isProvisional: purpose == .firstRows)
    }

    /// Removes the fields for which a search has found values. Fields with provisional types stay.
    /// - Returns: The profiles of the fields with values.
    mutating func accept(_ found: Found) -> [FieldID: ColumnProfile] {
        let profiles = found.profiles.filter { contains($0.key) && $0.value.sampledCount > $0.value.emptyCount }
        for field in found.profiles.keys where contains(field) {
            guard let profile = profiles[field] else {
                searchedCounts[field] = found.recordCount
                continue
            }
            let isFinal = !found.isProvisional || profile.sampledCount - profile.emptyCount >= Self.sufficientValues
            searchedCounts[field] = isFinal ? nil : 0
        }
        // Fields with few values are searched from the first record again, so wait for more and more records between two searches.
        let count = found.recordCount
        nextRecordCount = count >= Self.maximumFirstRows ? .max : count + max(1, (count - Self.sufficientValues) / 4)
        return profiles
    }
}
