enum Axis { case row, column }

/// A cell, by the lasting identities of its row and its column.
struct Place: Hashable {
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
    private(set) var names: [Axis: [Int]]
    private var unused: Int
    private var inputs: [Place: Input] = [:]
    /// Cached values. A change clears those that depend on it.
    private var values: [Place: Value] = [:]

    /// Creates a sheet from text: one line per row, `|` between cells.
    init(_ text: String, rows: Int, columns: Int) {
        names = [.row: Array(0..<rows), .column: Array(0..<columns)]
        unused = max(rows, columns)
        for (row, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for (column, cell) in line.split(separator: "|", omittingEmptySubsequences: false).enumerated() {
                _ = try? set(String(cell), at: Place(row: row, column: column))
            }
        }
    }

    // MARK: Addresses

    /// The letters of a column by index: A … Z, AA …
    static func letters(_ index: Int) -> String {
        (index < 26 ? "" : letters(index / 26 - 1)) + String(UnicodeScalar(UInt8(65 + index % 26)))
    }

    /// The address of a place, such as `B7`.
    func address(of place: Place) -> String {
        guard let row = names[.row]!.firstIndex(of: place.row), let column = names[.column]!.firstIndex(of: place.column) else {
            return Formula.Failure.reference.rawValue
        }
        return Self.letters(column) + String(row + 1)
    }

    /// The cell at an address; `nil` outside the sheet.
    func place(at address: Substring) -> Place? {
        let letters = address.prefix { $0.isLetter }
        guard let number = Int(address.dropFirst(letters.count)), names[.row]!.indices.contains(number - 1) else { return nil }
        guard let column = names[.column]!.indices.first(where: { Self.letters($0) == letters }) else { return nil }
        return Place(row: names[.row]![number - 1], column: names[.column]![column])
    }

    /// All places of the rectangle between two corners.
    func places(from start: Place, to end: Place) -> [Place] {
        func between(_ axis: Axis) -> ArraySlice<Int> {
            let ends = [start, end].compactMap { names[axis]!.firstIndex(of: $0[axis]) }.sorted()
            return ends.count == 2 ? names[axis]![ends[0]...ends[1]] : []
        }
        return between(.row).flatMap { row in between(.column).map { Place(row: row, column: $0) } }
    }

    // MARK: Cells

    /// The input of a cell. A formula has the current addresses.
    func text(at place: Place) -> String {
        switch inputs[place] {
        case .plain(let text): text
        case .formula(let formula): "=" + formula.text(in: self)
        case nil: ""
        }
    }

    /// The value of a cell.
    func value(at place: Place) -> Value {
        if let cached = values[place] { return cached }
        let value: Value
        switch inputs[place] {
        case nil: value = .empty
        case .plain(let text): value = Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
        case .formula(let formula):
            do { value = .number(try formula.value({ self.value(at: $0) }, places)) } catch { value = .error(error) }
        }
        values[place] = value
        return value
    }

    /// Sets a cell to a number, a text or, after `=`, a formula.
    /// - Returns: The other cells whose values depend on it.
    func set(_ text: String, at place: Place) throws(Rejection) -> Set<Place> {
        let old = inputs[place]
        if text.isEmpty {
            inputs[place] = nil
        } else {
            inputs[place] = text.hasPrefix("=") ? .formula(try Formula(text.dropFirst(), in: self)) : .plain(text)
        }
        let dependents = dependents(of: [place])
        guard !dependents.contains(place) else {
            inputs[place] = old
            throw Rejection(reason: "\(address(of: place)) would refer to itself.")
        }
        for place in dependents.union([place]) { values[place] = nil }
        return dependents
    }

    /// The cells whose formulas read one of these, directly or indirectly.
    private func dependents(of places: Set<Place>) -> Set<Place> {
        var (found, last) = (Set<Place>(), places)
        while !last.isEmpty {
            let next = inputs.compactMap { place, input -> Place? in
                guard case .formula(let formula) = input, !formula.places(in: self).isDisjoint(with: last) else { return nil }
                return place
            }
            last = Set(next).subtracting(found)
            found.formUnion(last)
        }
        return found
    }

    // MARK: Rows and columns

    /// Inserts an empty row or column.
    /// - Returns: Its ID.
    func insert(_ axis: Axis, at position: Int) -> Int {
        names[axis]!.insert(unused, at: position)
        unused += 1
        return unused - 1
    }

    /// Removes the row or column at a position.
    /// - Returns: The cells whose values or formulas changed.
    func remove(_ axis: Axis, at position: Int) -> Set<Place> {
        let (rows, columns) = (names[.row]!, names[.column]!)
        let removed = Set(
            axis == .row
                ? columns.map { Place(row: rows[position], column: $0) } : rows.map { Place(row: $0, column: columns[position]) })
        let dependents = dependents(of: removed).subtracting(removed)
        for (place, input) in inputs {
            guard case .formula(var formula) = input else { continue }
            formula.removeReferences(axis, at: position, of: names[axis]!)
            inputs[place] = .formula(formula)
        }
        for place in removed { inputs[place] = nil }
        for place in removed.union(dependents) { values[place] = nil }
        names[axis]!.remove(at: position)
        return dependents
    }
}
