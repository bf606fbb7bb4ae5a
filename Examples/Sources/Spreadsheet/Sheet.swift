enum Axis { case row, column }

/// The identity of a cell: the identities of its row and its column, which stay the same while rows and columns move.
struct CellID: Hashable {
    var row: Int
    var column: Int

    subscript(axis: Axis) -> Int {
        get { axis == .row ? row : column }
        set { if axis == .row { row = newValue } else { column = newValue } }
    }
}

/// The value of a cell.
enum Value: Equatable {
    case empty
    case number(Double)
    case text(String)
    case error(Formula.Failure)
}

/// The reason why input is rejected.
struct Rejection: Error { let reason: String }

/// The cells and their values, independent of the grid.
final class Sheet {
    private enum Input {
        case plain(String)
        case formula(Formula)
    }

    /// The identities of rows and columns, in order.
    private(set) var ids: [Axis: [Int]]
    private var unusedID: Int
    private var inputs: [CellID: Input] = [:]
    /// Cached values. The change of a cell removes the values that depend on it.
    private var values: [CellID: Value] = [:]

    /// Creates a sheet from text: one line per row, `|` between cells.
    init(_ text: String, rows: Int, columns: Int) {
        ids = [.row: Array(0..<rows), .column: Array(0..<columns)]
        unusedID = max(rows, columns)
        for (row, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for (column, cell) in line.split(separator: "|", omittingEmptySubsequences: false).enumerated() {
                _ = try? set(String(cell), of: CellID(row: row, column: column))
            }
        }
    }

    // MARK: Addresses

    /// The letters of the column with this index: A … Z, AA …
    static func letters(_ index: Int) -> String {
        (index < 26 ? "" : letters(index / 26 - 1)) + String(UnicodeScalar(UInt8(65 + index % 26)))
    }

    /// The current address of a cell, such as `B7`.
    func address(of id: CellID) -> String {
        guard let row = ids[.row]!.firstIndex(of: id.row), let column = ids[.column]!.firstIndex(of: id.column) else {
            return Formula.Failure.reference.rawValue
        }
        return Self.letters(column) + String(row + 1)
    }

    /// The ID of the cell at an address; `nil` outside the sheet.
    func cellID(at address: Substring) -> CellID? {
        let letters = address.prefix { $0.isLetter }
        guard let number = Int(address.dropFirst(letters.count)), ids[.row]!.indices.contains(number - 1) else { return nil }
        guard let column = ids[.column]!.indices.first(where: { Self.letters($0) == letters }) else { return nil }
        return CellID(row: ids[.row]![number - 1], column: ids[.column]![column])
    }

    /// The IDs of all cells in the rectangle between two corners.
    func cellIDs(from start: CellID, to end: CellID) -> [CellID] {
        func idsBetween(_ axis: Axis) -> ArraySlice<Int> {
            let ends = [start, end].compactMap { ids[axis]!.firstIndex(of: $0[axis]) }.sorted()
            return ends.count == 2 ? ids[axis]![ends[0]...ends[1]] : []
        }
        return idsBetween(.row).flatMap { row in idsBetween(.column).map { CellID(row: row, column: $0) } }
    }

    // MARK: Cells

    /// The input of a cell. A formula has the current addresses.
    func text(of id: CellID) -> String {
        switch inputs[id] {
        case .plain(let text): text
        case .formula(let formula): "=" + formula.text(in: self)
        case nil: ""
        }
    }

    /// The value of a cell.
    func value(of id: CellID) -> Value {
        if let cached = values[id] { return cached }
        let value: Value
        switch inputs[id] {
        case nil: value = .empty
        case .plain(let text): value = Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
        case .formula(let formula):
            do { value = .number(try formula.value({ self.value(of: $0) }, cellIDs)) } catch { value = .error(error) }
        }
        values[id] = value
        return value
    }

    /// Sets a cell to a number, a text or, after `=`, a formula.
    /// - Returns: The other cells whose values depend on it.
    func set(_ text: String, of id: CellID) throws(Rejection) -> Set<CellID> {
        let old = inputs[id]
        if text.isEmpty {
            inputs[id] = nil
        } else {
            inputs[id] = text.hasPrefix("=") ? .formula(try Formula(text.dropFirst(), in: self)) : .plain(text)
        }
        let dependents = dependents(of: [id])
        guard !dependents.contains(id) else {
            inputs[id] = old
            throw Rejection(reason: "\(address(of: id)) would refer to itself.")
        }
        for id in dependents.union([id]) { values[id] = nil }
        return dependents
    }

    /// The cells whose formulas read one of the given cells, directly or indirectly.
    private func dependents(of ids: Set<CellID>) -> Set<CellID> {
        var (found, last) = (Set<CellID>(), ids)
        while !last.isEmpty {
            let next = inputs.compactMap { id, input -> CellID? in
                guard case .formula(let formula) = input, !formula.cellIDs(in: self).isDisjoint(with: last) else { return nil }
                return id
            }
            last = Set(next).subtracting(found)
            found.formUnion(last)
        }
        return found
    }

    // MARK: Rows and columns

    /// Inserts an empty row or column.
    /// - Returns: The ID of the new row or column.
    func insert(_ axis: Axis, at position: Int) -> Int {
        ids[axis]!.insert(unusedID, at: position)
        unusedID += 1
        return unusedID - 1
    }

    /// Removes the row or column at a position.
    /// - Returns: The cells whose values or formulas changed.
    func remove(_ axis: Axis, at position: Int) -> Set<CellID> {
        let (rows, columns) = (ids[.row]!, ids[.column]!)
        let removed = Set(
            axis == .row
                ? columns.map { CellID(row: rows[position], column: $0) } : rows.map { CellID(row: $0, column: columns[position]) })
        let dependents = dependents(of: removed).subtracting(removed)
        for (id, input) in inputs {
            guard case .formula(var formula) = input else { continue }
            formula.removeReferences(axis, at: position, of: ids[axis]!)
            inputs[id] = .formula(formula)
        }
        for id in removed { inputs[id] = nil }
        for id in removed.union(dependents) { values[id] = nil }
        ids[axis]!.remove(at: position)
        return dependents
    }
}
