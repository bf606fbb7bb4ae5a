/// A level of sections of an ``ObjectSource``: objects with equal values form a section.
///
/// Sections are in ascending order. If the grid is sorted by the column of the same property, they have the direction of that sort key.
public struct ObjectGrouping<Object> {
    let title: (Object) -> String
    /// The order of two objects by index: negative, 0 or positive. Objects without a value are last, even in descending order.
    let comparator: (_ objects: [Object], _ isDescending: Bool) -> (Int, Int) -> Int
    var scrollingTitle: (([Object]) -> String?)?
    /// The grouping property; `nil` means the column at ``index``.
    private let path: PartialKeyPath<Object>?
    private var index: Int?

    /// Groups by the values of a property, in their order.
    /// - Parameters:
    ///   - path: the property.
    ///   - title: the section title for a value.
    public init<Value: Comparable>(by path: KeyPath<Object, Value>, title: @escaping (Value) -> String) {
        self.path = path
        self.title = { title($0[keyPath: path]) }
        comparator = { objects, isDescending in
            let values = objects.map { $0[keyPath: path] }
            return { values[$0] == values[$1] ? 0 : (values[$0] < values[$1]) == isDescending ? 1 : -1 }
        }
    }

    /// Groups by the values of a property, in the order in which a column sorts them. The title of a section is the text of its value.
    /// Missing values are last, with an empty title.
    /// - Parameter path: a property of a ``ColumnValue`` type, such as `String`, `Int?` or an enumeration.
    public init<Value: ColumnValue>(by path: KeyPath<Object, Value>) {
        self.path = path
        title = { $0[keyPath: path].textIfPresent ?? "" }
        comparator = { objects, isDescending in Value.comparator(objects.map { $0[keyPath: path] }, isDescending) }
    }

    /// Groups by the values of the column at an index. The titles are the texts of the values.
    init(by column: ObjectColumn<Object>, at index: Int) {
        self.index = index
        path = nil
        title = { column.text($0) ?? "" }
        comparator = column.comparator
    }

    func column(in columns: [ObjectColumn<Object>]) -> ColumnID? {
        (index ?? path.flatMap { path in columns.firstIndex { $0.path == path } }).map { ColumnID($0) }
    }

    /// Returns the grouping with a second title that scrolls with the columns (``GridDataSource/scrollingTitle(ofSection:)``). The closure
    /// is called for visible sections, with the section's objects in the order shown.
    public func continued(_ scrollingTitle: @escaping ([Object]) -> String?) -> ObjectGrouping {
        var grouping = self
        grouping.scrollingTitle = scrollingTitle
        return grouping
    }
}
