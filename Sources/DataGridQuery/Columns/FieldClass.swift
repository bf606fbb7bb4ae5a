import FieldValues

/// What a field has to offer an ordering; the order of the cases is the order of the fields.
enum FieldClass: UInt8 {
    case value, notANumber, unreadable, blank, missing

    /// Of a field that is no value.
    init(ofUnreadable field: FieldBytes) { self = field.isMissing ? .missing : field.isBlank ? .blank : .unreadable }
}
