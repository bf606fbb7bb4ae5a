/// A level of sections of an ``ObjectSource``: objects with the same value stand together under a header.
public struct ObjectGrouping<Object> {
    let title: (Object) -> String
    let comparator: (_ objects: [Object]) -> (Int, Int) -> Int
    var movingTitle: (([Object]) -> String?)?
    /// The property by which it groups; `nil`: it groups by the column at ``index``.
    private let path: PartialKeyPath<Object>?
    private var index: Int?

    /// Groups by the values of a property, which come in their order.
    /// - Parameters:
    ///   - path: the property.
    ///   - title: what the header of a value says.
    public init<Value: Comparable>(by path: KeyPath<Object, Value>, title: @escaping (Value) -> String) {
        self.path = path
        self.title = { title($0[keyPath: path]) }
        comparator = { objects in
            let values = objects.map { $0[keyPath: path] }
            return { values[$0] < values[$1] ? -1 : values[$0] == values[$1] ? 0 : 1 }
        }
    }

    /// Groups by text, which is the title, too.
    public init(by path: KeyPath<Object, String>) { self.init(by: path) { $0 } }

    /// Groups by the values of the column at an index, with their texts as titles.
    init(by column: ObjectColumn<Object>, at index: Int) {
        self.index = index
        path = nil
        title = { column.text($0) ?? "" }
        comparator = { column.comparator($0, false) }
    }

    func column(in columns: [ObjectColumn<Object>]) -> ColumnID? {
        (index ?? path.flatMap { path in columns.firstIndex { $0.path == path } }).map { ColumnID($0) }
    }

    /// The grouping whose headers say something of their objects in the part that scrolls with the columns, too
    /// (``GridDataSource/movingTitle(ofSection:)``). Asked of sections in sight, with their objects in the order shown.
    public func continued(_ movingTitle: @escaping ([Object]) -> String?) -> ObjectGrouping {
        var grouping = self
        grouping.movingTitle = movingTitle
        return grouping
    }
}
