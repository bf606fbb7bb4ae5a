public import FieldValues

/// A column of an ``ObjectSource``: which property of an object it shows, how that is written, and how it is compared.
///
/// Everything else about it is a ``Column``, which ``column`` has and `configure` of the initializers can change.
public struct ObjectColumn<Object> {
    /// What it is in the grid. Its id is the source's to give.
    public var column: Column
    /// What a cell says, as long as ``filled(_:)`` says nothing.
    let text: (Object) -> String?
    /// Less than 0, 0 or greater than 0, as the first object's value comes before, is equal to or comes after the second's; objects without
    /// a value come last, also descending.
    let compare: (_ a: Object, _ b: Object, _ isDescending: Bool) -> Int
    /// The same by index into objects whose values are taken out of them once.
    let comparator: (_ objects: [Object], _ isDescending: Bool) -> (Int, Int) -> Int
    let hasValue: (Object) -> Bool
    /// The value as a number; `nil` when it is none.
    let number: (Object) -> Double?
    /// The property it shows, if it is one.
    private(set) var path: PartialKeyPath<Object>?
    var format: ((Object) -> String?)?
    var fill: ((Object) -> CellContent?)?
    var edit: ((inout Object, String) -> String?)?
    var total: Total?

    enum Total {
        case aggregate(AggregateFunction)
        case made(([Object]) -> CellContent?)
    }

    /// A column of values of any kind that has an order: dates of a library, enumerations, amounts.
    /// - Parameters:
    ///   - title: what the header says.
    ///   - value: an object's value; `nil` when it has none, which shows as a missing cell.
    ///   - kind: what the grid takes the text for; it decides alignment and format.
    ///   - text: how a value is written, in the form in which the grid reads values of that kind.
    ///   - number: the value as a number, for sums and means.
    ///   - configure: sets what else there is to a column: width, format, style.
    public init<Value: Comparable>(
        _ title: String, value: @escaping (Object) -> Value?, kind: ValueKind = .text, text: @escaping (Value) -> String,
        number: @escaping (Value) -> Double? = { _ in nil }, configure: (inout Column) -> Void = { _ in }
    ) {
        self.init(title, value, kind, order: { $0 < $1 ? -1 : $0 == $1 ? 0 : 1 }, text: text, number: number, configure)
    }

    /// A column of text, in natural order: `file2` before `file10`.
    /// - Parameters:
    ///   - title: what the header says.
    ///   - path: the property.
    ///   - alphabet: which letters are known as such: of ASCII, or of all alphabets, `Äpfel` before `Birne`.
    ///   - configure: sets what else there is to a column.
    public init(
        _ title: String, _ path: KeyPath<Object, String>, alphabet: NaturalOrder.Alphabet = .ascii,
        configure: (inout Column) -> Void = { _ in }
    ) {
        self.init(title, { $0[keyPath: path] }, .text, order: { NaturalOrder.compare($0, $1, alphabet) }, text: { $0 }, configure)
        self.path = path
    }

    /// A column of text that some objects do not have, else as the one of text.
    public init(
        _ title: String, _ path: KeyPath<Object, String?>, alphabet: NaturalOrder.Alphabet = .ascii,
        configure: (inout Column) -> Void = { _ in }
    ) {
        self.init(title, { $0[keyPath: path] }, .text, order: { NaturalOrder.compare($0, $1, alphabet) }, text: { $0 }, configure)
        self.path = path
    }

    /// A column of whole numbers.
    public init(_ title: String, _ path: KeyPath<Object, Int>, configure: (inout Column) -> Void = { _ in }) {
        self.init(title, value: { $0[keyPath: path] }, kind: .integer, text: { String($0) }, number: { Double($0) }, configure: configure)
        self.path = path
    }

    /// A column of whole numbers that some objects do not have.
    public init(_ title: String, _ path: KeyPath<Object, Int?>, configure: (inout Column) -> Void = { _ in }) {
        self.init(title, value: { $0[keyPath: path] }, kind: .integer, text: { String($0) }, number: { Double($0) }, configure: configure)
        self.path = path
    }

    /// A column of numbers. How many digits are shown says the column's ``Column/format``.
    public init(_ title: String, _ path: KeyPath<Object, Double>, configure: (inout Column) -> Void = { _ in }) {
        self.init(
            title, value: { Self.present($0[keyPath: path]) }, kind: .decimal, text: { String($0) }, number: { $0 }, configure: configure)
        self.path = path
    }

    /// A column of numbers that some objects do not have.
    public init(_ title: String, _ path: KeyPath<Object, Double?>, configure: (inout Column) -> Void = { _ in }) {
        self.init(
            title, value: { $0[keyPath: path].flatMap(Self.present) }, kind: .decimal, text: { String($0) }, number: { $0 },
            configure: configure)
        self.path = path
    }

    /// A column of flags.
    public init(_ title: String, _ path: KeyPath<Object, Bool>, configure: (inout Column) -> Void = { _ in }) {
        self.init(
            title, { $0[keyPath: path] }, .flag, order: { ($0 ? 1 : 0) - ($1 ? 1 : 0) }, text: { $0 ? "true" : "false" }, configure)
        self.path = path
    }

    /// What is not a number has no order, either: it is no value.
    private static func present(_ number: Double) -> Double? { number.isNaN ? nil : number }

    private init<Value>(
        _ title: String, _ value: @escaping (Object) -> Value?, _ kind: ValueKind, order: @escaping (Value, Value) -> Int,
        text: @escaping (Value) -> String, number: @escaping (Value) -> Double? = { _ in nil }, _ configure: (inout Column) -> Void
    ) {
        column = Column(id: 0, title: title, kind: kind)
        configure(&column)
        func compare(_ a: Value?, _ b: Value?, _ isDescending: Bool) -> Int {
            guard let a, let b else { return (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
            return isDescending ? order(b, a) : order(a, b)
        }
        self.text = { value($0).map(text) }
        hasValue = { value($0) != nil }
        self.compare = { compare(value($0), value($1), $2) }
        comparator = { objects, isDescending in
            let values = objects.map(value)
            return { compare(values[$0], values[$1], isDescending) }
        }
        self.number = { value($0).flatMap(number) }
    }

    /// The column with a way of its own to write values; where `format` answers `nil`, they are written as before. Sorting goes on by the
    /// values.
    public func formatted(_ format: @escaping (Object) -> String?) -> ObjectColumn {
        var column = self
        column.format = format
        return column
    }

    /// The column with cells filled by `fill`; where that answers `nil`, by the source.
    public func filled(_ fill: @escaping (Object) -> CellContent?) -> ObjectColumn {
        var column = self
        column.fill = fill
        return column
    }

    /// The column with cells that people may edit (``Column/isEditable``): `edit` reads what was typed, and changes the object, which keeps
    /// its id. Without it a column of an ``ObjectSource`` is not edited.
    ///
    /// ```swift
    /// ObjectColumn("Price", \.price).edited { item, text in
    ///     guard let price = Double(text) else { return "A number, please." }
    ///     item.price = price
    ///     return nil
    /// }
    /// ```
    /// - Parameter edit: answers `nil` when it took the text, and otherwise why not, in a short sentence that is shown below the cell; what it
    ///   has done to an object that is a value is then forgotten.
    public func edited(_ edit: @escaping (_ object: inout Object, _ text: String) -> String?) -> ObjectColumn {
        var column = self
        column.edit = edit
        column.column.isEditable = true
        return column
    }

    /// The column with a total (``GridMetrics/showsTotals``) that `total` makes of all objects, in their own order. It is called for each frame
    /// in which an object has changed: where there are many, ``totalled(by:)`` costs less.
    public func totalled(_ total: @escaping ([Object]) -> CellContent?) -> ObjectColumn {
        var column = self
        column.total = .made(total)
        return column
    }

    /// The column with an aggregate of its values in the row of totals, which is updated while objects change.
    public func totalled(by function: AggregateFunction) -> ObjectColumn {
        var column = self
        column.total = .aggregate(function)
        return column
    }

    func content(of object: Object) -> CellContent {
        if let content = fill?(object) { return content }
        return (format?(object) ?? text(object)).map { CellContent($0) } ?? .missing
    }
}
