import FieldValues
public import Tables

/// The error for a formula that computes a text longer than its limit.
public struct LongTextError: TableError, Hashable {
    /// The name of the derived field; `nil` for a filter.
    public let column: String?
    /// The maximum length of a computed text in bytes.
    public let byteLimit: Int

    /// One sentence with the cause, and one with the remedy.
    public var message: String {
        let name = column.map { "The formula of “\($0)”" } ?? "The formula of a filter"
        return "\(name) computes a text of more than \(NumberText.count(byteLimit >> 20)) MiB. Shorten the text, for example with left()."
    }
}
