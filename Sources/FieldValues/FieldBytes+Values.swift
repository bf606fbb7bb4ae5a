// Reading a field as a typed value, without a String or an allocation.

extension FieldBytes {
    /// Whether the field is missing, empty, or nothing but spaces and tabs.
    public var isBlank: Bool { fatalError("to be written") }

    /// The field as a whole number of 64 bits; blanks around it, a sign and well-placed thousands separators (`1,234,567`) are allowed.
    public func integer() -> Int64? { fatalError("to be written") }

    /// The field as a decimal number: what ``integer()`` takes, and fractions, exponents, a percent sign (`12%` is 0.12), inf and nan.
    /// The nearest `Double`; 1e400 is infinity.
    public func decimal() -> Double? { fatalError("to be written") }

    /// The field as a point in time: microseconds since 1970-01-01T00:00 (UTC where a zone is given, else as written);
    /// for ``ValueKind/time``, microseconds since midnight. `nil` for other kinds and for text that is no such value.
    public func temporal(_ kind: ValueKind) -> Int64? { fatalError("to be written") }

    /// The field as a truth value: true/false, yes/no, y/n, t/f in any case. Not 0 and 1, which are numbers.
    public func flag() -> Bool? { fatalError("to be written") }

    /// Whether the field can be read as `kind`. Blank fields can be read as nothing; anything is text.
    public func reads(as kind: ValueKind) -> Bool { fatalError("to be written") }
}
