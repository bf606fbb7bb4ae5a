import FieldValues

/// The class of a field in a sort. Fields of different classes are sorted in the order of these cases. Their contents are not compared.
enum FieldClass: UInt8 {
    case value, notANumber, unreadable, blank, missing

    /// The class of a field that has no value of the sorted kind.
    init(ofUnreadable field: FieldBytes) { self = field.isMissing ? .missing : field.isBlank ? .blank : .unreadable }
}
