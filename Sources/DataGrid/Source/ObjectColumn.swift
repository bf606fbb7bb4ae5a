public import FieldValues

/// A column of an ``ObjectSource``. It shows a property of the objects, and defines the text and the sort order of the values.
///
/// ``column`` has the width, alignment and other settings. The `configure` closure of the initializers can change them.
public struct ObjectColumn<Object> {
    /// The column of the grid. The source assigns its id.
    public var column: Column
    /// The text of an object's cell; `nil` for a missing value. The content from ``withContent(_:)`` replaces it.
    let text: (Object) -> String?
    /// Compares two objects: negative if `a` comes first, 0 if their values are equal, otherwise positive. Objects without a value are
    /// last, even in descending order.
    let compare: (_ a: Object, _ b: Object, _ isDescending: Bool) -> Int
    /// Returns a function that compares two of the objects, given by their indices. The closure reads the value of each object only once,
    /// which makes sorting faster.
    let comparator: (_ objects: [Object], _ isDescending: Bool) -> (Int, Int) -> Int
    let hasValue: (Object) -> Bool
    /// True if two objects certainly have the same value, and therefore the same text.
    private let hasSameValue: (Object, Object) -> Bool
    /// The value of an object as a number, for sums and means; `nil` if it is not a number.
    let number: (Object) -> Double?
    /// The property that the column shows; `nil` if a closure computes the value.
    private(set) var path: PartialKeyPath<Object>?
    var format: ((Object) -> String?)?
    var customContent: ((Object) -> CellContent?)?
    var edit: ((inout Object, String) -> String?)?
    var total: Total?
    /// True if an ``ObjectSource`` increases the fraction digits of the format to the digits that the values need.
    private(set) var adaptsFractionDigits = false

    /// The value that the totals row and section headers show for the column.
    enum Total {
        case aggregate(AggregateFunction)
        case computed(([Object]) -> CellContent?)
    }

    /// Creates a column of values that a closure returns. Use it for types that do not conform to ``ColumnValue``.
    /// - Parameters:
    ///   - title: the column name.
    ///   - value: the value of an object; `nil` shows as a missing cell.
    ///   - kind: the type of the values, which determines alignment and format.
    ///   - text: the text of a value, in a form that the grid can parse as `kind`.
    ///   - number: the value as a number, for sums and means.
    ///   - configure: a closure that sets other column properties, such as width, format and style.
    public init<Value: Comparable>(
        _ title: String, value: @escaping (Object) -> Value?, kind: ValueKind = .text, text: @escaping (Value) -> String,
        number: @escaping (Value) -> Double? = { _ in nil }, configure: (inout Column) -> Void = { _ in }
    ) {
        column = Self.column(title, kind, nil, configure)
        func compare(_ a: Value?, _ b: Value?, _ isDescending: Bool) -> Int {
            guard let a, let b else { return (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
            return a == b ? 0 : (a < b) == isDescending ? 1 : -1
        }
        self.text = { value($0).map(text) }
        hasValue = { value($0) != nil }
        // Always compare the texts: values of a type that the grid does not know can be equal although their texts differ.
        hasSameValue = { _, _ in false }
        self.compare = { compare(value($0), value($1), $2) }
        comparator = { objects, isDescending in
            let values = objects.map(value)
            return { compare(values[$0], values[$1], isDescending) }
        }
        self.number = { value($0).flatMap(number) }
    }

    /// Creates a column of a property.
    ///
    /// Without a format, the thousands of integers are not separated, because integers can be ids or years. Floating-point numbers have
    /// as many fraction digits as the values need: see ``ColumnFormat``. Text has natural order: `file2` before `file10`.
    /// - Parameters:
    ///   - title: the column name.
    ///   - path: a property of a ``ColumnValue`` type, such as `String`, `Int?` or an enumeration.
    ///   - format: the format of the values, such as `.number(fractionDigits: 2)`.
    ///   - alphabet: for text, the letters whose case and accents matter only between otherwise equal texts: ASCII only, or all alphabets
    ///     (`Äpfel` before `Birne`).
    ///   - configure: a closure that sets other column properties, such as width and style.
    public init<Value: ColumnValue>(
        _ title: String, _ path: KeyPath<Object, Value>, format: ColumnFormat<Value>? = nil, alphabet: NaturalOrder.Alphabet = .ascii,
        configure: (inout Column) -> Void = { _ in }
    ) {
        column = Self.column(title, Value.columnKind, format?.format, configure)
        text = { $0[keyPath: path].textIfPresent }
        hasValue = { !$0[keyPath: path].isMissingColumnValue }
        hasSameValue = { $0[keyPath: path].hasSameColumnText(as: $1[keyPath: path]) }
        (compare, comparator) =
            alphabet == .unicode && Value.columnKind == .text
            ? Self.order { $0[keyPath: path].textIfPresent.map(UnicodeText.init) } : Self.order { $0[keyPath: path] }
        number = { object in
            let value = object[keyPath: path]
            return value.isMissingColumnValue ? nil : value.columnNumber
        }
        self.path = path
        self.format = format?.text.map { text in { text($0[keyPath: path]) } }
        adaptsFractionDigits = column.kind == .decimal && column.format == ValueFormat()
    }

    /// Creates a column with the default format of its kind. The thousands of integers are not separated.
    private static func column(
        _ title: String, _ kind: ValueKind, _ format: ValueFormat?, _ configure: (inout Column) -> Void
    ) -> Column {
        var column = Column(id: 0, title: title, kind: kind, format: format ?? ValueFormat(groupsThousands: kind != .integer))
        configure(&column)
        return column
    }

    private static func order<Sorted: ColumnValue>(
        by value: @escaping (Object) -> Sorted
    ) -> ((Object, Object, Bool) -> Int, ([Object], Bool) -> (Int, Int) -> Int) {
        ({ Sorted.compare(value($0), value($1), $2) }, { Sorted.comparator($0.map(value), $1) })
    }

    /// Returns the column with other texts in its cells. If `format` returns `nil`, the cell has the default text. The column is still
    /// sorted by its values.
    public func formatted(_ format: @escaping (Object) -> String?) -> ObjectColumn {
        var column = self
        column.format = format
        column.adaptsFractionDigits = false
        return column
    }

    /// Returns the column with other content in its cells, such as icons. If `content` returns `nil`, the cell has the default content.
    public func withContent(_ content: @escaping (Object) -> CellContent?) -> ObjectColumn {
        var column = self
        column.customContent = content
        column.adaptsFractionDigits = false
        return column
    }

    /// Returns the column with editable cells (``Column/isEditable``). `edit` parses the typed text and changes the object, which must keep
    /// its id. Without an edit closure, a column of an ``ObjectSource`` is not editable.
    ///
    /// ```swift
    /// ObjectColumn("Price", \.price).editable { item, text in
    ///     guard let price = Double(text) else { return "A number, please." }
    ///     item.price = price
    ///     return nil
    /// }
    /// ```
    /// - Parameter edit: a closure that returns `nil` if it accepted the text, or a short reason that is shown below the cell. After a
    ///   rejection, changes to a value type are discarded.
    public func editable(_ edit: @escaping (_ object: inout Object, _ text: String) -> String?) -> ObjectColumn {
        var column = self
        column.edit = edit
        column.column.isEditable = true
        return column
    }

    /// Returns the column with a total (``GridMetrics/showsTotals``) computed from all objects, in the order of ``ObjectSource/objects``.
    /// After any object has changed, the closure is called when the next frame is drawn. For many objects, ``totaled(by:)`` is faster.
    public func totaled(_ total: @escaping ([Object]) -> CellContent?) -> ObjectColumn {
        var column = self
        column.total = .computed(total)
        return column
    }

    /// Returns the column with an aggregate in the row of totals. The aggregate is updated when objects change.
    public func totaled(by function: AggregateFunction) -> ObjectColumn {
        var column = self
        column.total = .aggregate(function)
        return column
    }

    /// True if a closure of the application produces the content of cells. The content can then depend on other properties of the object.
    var hasClosures: Bool { customContent != nil || format != nil }

    /// True if the cells of the old and the new object in this column look different.
    func showsDifference(_ old: Object, _ new: Object) -> Bool {
        if !hasClosures, hasSameValue(old, new) { return false }
        return content(of: old) != content(of: new)
    }

    func content(of object: Object) -> CellContent {
        if let content = customContent?(object) { return content }
        return (format?(object) ?? text(object)).map { CellContent($0) } ?? .missing
    }
}

/// A text that is sorted in natural order. In all alphabets, case and accents matter only between otherwise equal texts.
private struct UnicodeText: ColumnValue {
    let columnText: String

    func columnOrder(to other: UnicodeText) -> Int { NaturalOrder.compare(columnText, other.columnText, .unicode) }
}
