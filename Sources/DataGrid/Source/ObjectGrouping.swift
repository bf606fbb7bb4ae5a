/// A level of sections of an ``ObjectSource``: objects with equal values form a section.
///
/// Sections are in ascending order of their values. If the grid is sorted by the column of the same property, the sections have the
/// direction of that sort key.
public struct ObjectGrouping<Object> {
    let title: (Object) -> String
    /// Returns a function that compares two of the objects, given by their indices: negative, 0 or positive. Objects without a value are
    /// last, even in descending order.
    let comparator: (_ objects: [Object], _ isDescending: Bool) -> (Int, Int) -> Int
    var scrollingTitle: (([Object]) -> String?)?
    /// The property whose values are grouped; `nil` if the values of the column at ``index`` are grouped.
    private let path: PartialKeyPath<Object>?
    private var index: Int?

    /// Creates a grouping by the values of a property, in ascending order of the values.
    /// - Parameters:
    ///   - path: the property whose values are grouped.
    ///   - title: returns the title of the section for a value.
    public init<Value: Comparable>(by path: KeyPath<Object, Value>, title: @escaping (Value) -> String) {
        self.path = path
        self.title = { title($0[keyPath: path]) }
        comparator = { objects, isDescending in
            let values = objects.map { $0[keyPath: path] }
            return { values[$0] == values[$1] ? 0 : (values[$0] < values[$1]) == isDescending ? 1 : -1 }
        }
    }

    /// Creates a grouping by the values of a property, in the order in which a column would sort these values. The title of a section is
    /// the text of its value. Missing values are last, with an empty title.
    /// - Parameter path: a property of a ``ColumnValue`` type, such as `String`, `Int?` or an enumeration.
    public init<Value: ColumnValue>(by path: KeyPath<Object, Value>) {
        self.path = path
        title = { $0[keyPath: path].textIfPresent ?? "" }
        comparator = { objects, isDescending in Value.comparator(objects.map { $0[keyPath: path] }, isDescending) }
    }

    /// Creates a grouping by the values of a column, whose index is given. The title of a section is the text of its value.
    init(by column: ObjectColumn<Object>, at index: Int) {
        self.index = index
        path = nil
        title = { column.text($0) ?? "" }
        comparator = column.comparator
    }

    func column(in columns: [ObjectColumn<Object>]) -> ColumnID? {
        (index ?? path.flatMap { path in columns.firstIndex { $0.path == path } }).map { ColumnID($0) }
    }

    /// Returns the grouping with a second title for each section, which scrolls with the columns
    /// (``GridDataSource/scrollingTitle(ofSection:)``). The closure is called for visible sections, and gets the objects of the section in
    /// the order in which they are shown.
    public func withScrollingTitle(_ scrollingTitle: @escaping ([Object]) -> String?) -> ObjectGrouping {
        var grouping = self
        grouping.scrollingTitle = scrollingTitle
        return grouping
    }
}
