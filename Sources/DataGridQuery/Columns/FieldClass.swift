import FieldValues

/// The class of a field in a sort. Fields are ordered by class first, in the order of the cases.
enum FieldClass: UInt8 {
    case value, notANumber, unreadable, blank, missing

    /// The class of a field that is not a value.
    init(ofUnreadable field: FieldBytes) { self = field.isMissing ? .missing : field.isBlank ? .blank : .unreadable }
}
