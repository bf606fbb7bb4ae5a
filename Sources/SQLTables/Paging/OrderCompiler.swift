import FieldValues
import Tables

/// Compiles sort keys, tie-breaks and group levels.
struct OrderCompiler {
    let conditions: ConditionCompiler
    let table: ServerTable
    let options: SQLOptions
    private var dialect: SQLDialect { conditions.dialect }

    /// The kind of comparison.
    enum Form { case value, text }

    /// The kind of comparison that the server can perform for a column.
    func form(_ column: ColumnTerm, _ comparison: Query.Comparison) throws(UnsupportedError) -> Form {
        func naturalForm() throws(UnsupportedError) -> Form {
            guard options.replacesNaturalOrder else {
                throw UnsupportedError("\(dialect.name) does not support natural order. Sort “\(column.name)” by bytes instead.")
            }
            return .text
        }
        switch comparison {
        case .text: return .text
        case .natural, .kind(.text, _): return try naturalForm()
        case .kind(let kind, _) where kind.isNumber && column.isNumber: return .value
        case .kind(let kind, _) where kind == column.kind: return .value
        case .dates(let kind, _) where kind == column.kind: return .value
        case .kind(.dateTime, _) where column.kind == .date, .dates(.dateTime, _) where column.kind == .date: return .value
        case .kind(let kind, _), .dates(let kind, _):
            throw UnsupportedError("Column “\(column.name)” does not contain \(kind.rawValue) values on the server.")
        }
    }

    /// A column for a comparison. If the database stores values of any kind in any column, the values are read as the kind that the
    /// comparison needs.
    func column(_ id: FieldID, for comparison: Query.Comparison) throws(UnsupportedError) -> ColumnTerm {
        let column = try conditions.column(id)
        guard column.isText || column.storedValue != nil else { return column }
        switch comparison {
        case .kind(let kind, let notation): return dialect.reading(column, as: kind, notation, .iso) ?? column
        case .dates(let kind, let notation): return dialect.reading(column, as: kind, nil, notation) ?? column
        case .natural, .text: return column
        }
    }

    func compileKey(_ key: Query.SortKey, _ notes: inout [String]) throws(UnsupportedError) -> OrderKey {
        let column = try column(key.field, for: key.comparison)
        let form = try form(column, key.comparison)
        if key.comparison == .natural || key.comparison.isNaturalText {
            notes.append("“\(column.name)” is sorted by bytes, not in natural order.")
        }
        if form == .text, column.index == nil, column.isNumber {
            // Very large and very small numbers are printed with an exponent locally, but with plain digits on the server.
            throw UnsupportedError("The server prints computed numbers differently. Sort “\(column.name)” as numbers instead.")
        }
        return form == .text
            ? textKey(column, isDescending: key.isDescending, &notes) : valueKey(column, isDescending: key.isDescending, &notes)
    }

    /// Adds the class NULL to the classes of a sort key, if the column can contain NULL.
    private func addingNulls(
        to classes: [OrderKey.Class], _ column: ColumnTerm, isDescending: Bool, _ notes: inout [String]
    ) -> [OrderKey.Class] {
        guard column.isNullable else { return classes }
        guard options.serverSortBehavior.contains(.nulls), !dialect.nullsComeLast(isDescending: isDescending) else {
            return classes + [.null]
        }
        notes.append("Empty values of “\(column.name)” come first, as on the server.")
        return [.null] + classes
    }

    private func textKey(_ column: ColumnTerm, isDescending: Bool, _ notes: inout [String]) -> OrderKey {
        let followsServer = options.serverSortBehavior.contains(.texts)
        let comparesBytes = column.collation == .bytes && column.hasTextValue
        let value =
            followsServer || comparesBytes || dialect.family == .duckDB ? column.text : "(\(dialect.withByteCollation(column.text)))"
        if followsServer, column.collation != .bytes { notes.append("“\(column.name)” is sorted by the server's collation.") }
        let classes: [OrderKey.Class] = followsServer ? [.value] : [.value, .blank]
        // The tests for NULL and for blank text need no texts of blobs.
        return OrderKey(
            column: column.index, value: value, storedValue: column.textOrBlob, selectedValue: column.text, type: dialect.type(.text),
            text: column.textOrBlob ?? column.text, isDescending: isDescending,
            classes: addingNulls(to: classes, column, isDescending: isDescending, &notes),
            fitsIndex: column.hasTextValue && column.textOrBlob == nil && (comparesBytes || followsServer) && hasIndex(column),
            comparesBytes: !followsServer)
    }

    private func valueKey(_ column: ColumnTerm, isDescending: Bool, _ notes: inout [String]) -> OrderKey {
        var classes: [OrderKey.Class] = [.value]
        let isNaN = dialect.parsesAsNaN(column)
        if column.isMixed {
            if isNaN != nil { classes.append(.notANumber) }
            classes += [.unreadable, .blank]
        } else if isDescending, column.mayBeNaN(in: dialect), !options.serverSortBehavior.contains(.nan) {
            classes.append(.notANumber)
        }
        return OrderKey(
            // Different stored values can be read as equal values, so a key of the table is still needed as a tie-break.
            column: column.storedValue == nil ? column.index : nil, value: column.value, storedValue: column.storedValue, isNaN: isNaN,
            selectedValue: selectedValue(column, isNaN), type: type(of: column.storage), text: column.text, isDescending: isDescending,
            classes: addingNulls(to: classes, column, isDescending: isDescending, &notes),
            fitsIndex: column.storedValue == nil && hasIndex(column))
    }

    private func hasIndex(_ column: ColumnTerm) -> Bool { column.index.map { table.hasIndex(startingWith: $0) } ?? false }

    /// The SQL that selects the value of a sort key: in SQLite with its type, on other servers as text.
    private func selectedValue(_ column: ColumnTerm, _ isNaN: SQLFragment?) -> SQLFragment {
        // Select the text of a value that could not be read, because it shows the class of the value.
        if let isNaN { return "CASE WHEN \(isNaN) THEN 'NaN' ELSE COALESCE(\(column.value), \(column.text)) END" }
        if column.storedValue != nil { return "COALESCE(\(column.value), \(column.text))" }
        return dialect.family == .sqlite ? column.value : column.text
    }

    private func type(of storage: ServerType.Storage) -> String {
        switch storage {
        case .integer: dialect.type(.integer)
        case .numeric(let scale): dialect.keyType(scale: scale)
        case .real: dialect.type(.real)
        case .double: dialect.type(.double)
        case .text, .paddedText, .dynamic, .opaque: dialect.type(.text)
        case .flag: dialect.type(.flag)
        case .date: dialect.type(.date)
        case .dateTime: dialect.type(.dateTime)
        case .zonedDateTime: dialect.type(.zonedDateTime)
        case .time: dialect.type(.time)
        case .ordered(let name): name
        }
    }

    /// The keys that sort rows with equal sort keys: the shortest key of the table, otherwise the row address.
    func tieBreak(after order: [OrderKey], isDescending: Bool) -> (keys: [OrderKey], isUnique: Bool, isRowID: Bool) {
        if let key = table.shortestKey {
            let sorted = Set(order.compactMap(\.column))
            return (key.columns.filter { !sorted.contains($0) }.map { keyColumn($0, isDescending: isDescending) }, true, false)
        }
        guard table.hasRowIDs else { return ([], false, false) }
        let name: SQLFragment
        if dialect.capabilities.contains(.blockPages) {
            name = "ctid"
        } else if dialect.capabilities.contains(.rowIDs), let free = rowIDName {
            name = free
        } else {
            return ([], false, false)
        }
        let value: SQLFragment = "t.\(name)"
        let key = OrderKey(
            column: nil, value: value, selectedValue: dialect.family == .sqlite ? value : dialect.cast(value, .text),
            type: dialect.type(.address), text: value, isDescending: isDescending, classes: [.value], fitsIndex: true)
        return ([key], true, true)
    }

    /// A sort key for a column that belongs to a key of the table.
    func keyColumn(_ index: Int, isDescending: Bool = false) -> OrderKey {
        let column = dialect.column(table.columns[index], index: index)
        // The cast to text removes the padding, which comparisons of the padded type ignore.
        let isPadded = column.storage == .paddedText
        return OrderKey(
            column: index, value: column.value,
            selectedValue: dialect.family == .sqlite || column.storage == .text ? column.value : column.text,
            type: isPadded ? "bpchar" : type(of: column.storage), text: column.text, isDescending: isDescending, classes: [.value],
            fitsIndex: hasIndex(column))
    }

    /// A sort key that separates rows with distinct values in a column, in any order. Rows that differ only in the notation of a number,
    /// such as 0 and -0, count as equal.
    ///
    /// PostgreSQL and Spark sort by the value if they can. The servers of foreign tables then sort their own rows, and send no more than a
    /// page needs. A table that Spark reads in any order is then sorted by numbers, not by their text.
    func tieBreakKey(_ index: Int) -> OrderKey? {
        let column = dialect.column(table.columns[index], index: index)
        let isSorted =
            switch column.storage {
            case .dynamic, .opaque, .paddedText, .ordered("interval"): false
            case .text: !column.collation.isNondeterministic
            default: true
            }
        guard dialect.family == .postgreSQL || dialect.family == .spark, isSorted else {
            var ignored: [String] = []
            return try? compileKey(Query.SortKey(FieldID(rawValue: index), by: .text), &ignored)
        }
        return OrderKey(
            column: index, value: column.value, selectedValue: column.text, type: type(of: column.storage), text: column.text,
            isDescending: false, classes: [.value], fitsIndex: false)
    }

    /// A name of the row ID, such as `rowid`, that is not also the name of a column; `nil` if each of its names is.
    private var rowIDName: SQLFragment? {
        let names = Set(table.columns.map { $0.name.lowercased() })
        if !names.contains("rowid") { return "rowid" }
        guard dialect.family == .sqlite else { return nil }
        return !names.contains("_rowid_") ? "_rowid_" : !names.contains("oid") ? "oid" : nil
    }
}

extension ServerColumn.Collation {
    /// True if strings with different bytes can be equal.
    fileprivate var isNondeterministic: Bool {
        if case .nondeterministic = self { return true }
        return false
    }
}

extension Query.Comparison {
    /// True if text is compared in natural order.
    fileprivate var isNaturalText: Bool {
        if case .kind(.text, _) = self { return true }
        return false
    }
}
