/// How an input stores the numbers of a column, if their text does not determine it.
public enum NumberStorage: Hashable, Sendable {
    /// 64-bit floating-point numbers.
    case double
    /// 32-bit floating-point numbers.
    case float
    /// Each value has its own type, as in SQLite: a number with a point or an exponent is a 64-bit floating-point number, and other numbers
    /// are integers.
    case eachValue
    /// Results of computations, such as quotients. Most are 64-bit floating-point numbers. Exact results, such as a number of cents divided
    /// by 100, can have more digits.
    case computed
    /// Results of arithmetic with floating-point numbers. They are 64-bit floating-point numbers. Their text can have more digits, because
    /// gridview computes with decimal numbers.
    case computedDouble
    /// Results of computations with columns of integers, such as sums and products. They are integers, unless a column contains a number
    /// that is not an integer.
    case computedInteger
    /// The table consists of many files, and only some of them distinguish numbers from text: for example, JSON files do, and CSV files do
    /// not. The text of a value determines how it is read.
    case knownInSomeFiles

    /// The storage for the values of two columns that become one column; `nil` if no storage fits both.
    package func merged(with other: NumberStorage?) -> NumberStorage? {
        if self == other { return self }
        return (self, other) == (.double, .float) || (self, other) == (.float, .double) ? .double : nil
    }
}
