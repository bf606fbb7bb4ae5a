/// The text after `=`: numbers, cells, `+ - * /`, parentheses, and functions of cells and ranges, as in `SUM(A1:A5) / 2`.
///
/// It stores the IDs of cells, not their addresses. After rows and columns were inserted or removed, it still refers to the same cells,
/// and its text shows their new addresses.
struct Formula {
    enum Token: Equatable {
        case number(String)
        case function(String)
        case symbol(Character)
        case cell(CellID)
        /// A reference to a deleted cell.
        case removed
    }

    /// The error of a formula. Its raw value is the text that the cell shows.
    enum Failure: String, Error {
        case reference = "#REF!"
        case value = "#ERR"
        case syntax
    }

    private(set) var tokens: [Token] = []

    static let functions: [String: @Sendable ([Double]) -> Double] = [
        "SUM": { $0.reduce(0, +) }, "MEAN": { $0.reduce(0, +) / Double($0.count) }, "COUNT": { Double($0.count) },
        "MIN": { $0.min() ?? 0 }, "MAX": { $0.max() ?? 0 },
    ]

    /// Parses a formula without the leading `=`.
    /// - Throws: A sentence that describes the error.
    init(_ text: some StringProtocol, in sheet: Sheet) throws(Rejection) {
        var rest = text.uppercased()[...]
        while let first = rest.first {
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
            rest.removeFirst(max(1, word.count))
            if word.isEmpty {
                if first != " " { tokens.append(.symbol(first)) }
            } else if first.isNumber || first == ".", Double(word) != nil {
                tokens.append(.number(String(word)))
            } else if Self.functions[String(word)] != nil {
                tokens.append(.function(String(word)))
            } else if let id = sheet.cellID(at: word) {
                tokens.append(.cell(id))
            } else {
                throw Rejection(reason: "Unknown name \(word).")
            }
        }
        do { _ = try value({ _ in .number(1) }, { _, _ in [] }) } catch {
            if error == .syntax { throw Rejection(reason: "Invalid formula. Try =A1+B2.") }
        }
    }

    /// The formula with current addresses.
    func text(in sheet: Sheet) -> String {
        tokens.map { token in
            switch token {
            case .number(let text), .function(let text): text
            case .symbol(let symbol): String(symbol)
            case .cell(let id): sheet.address(of: id)
            case .removed: Failure.reference.rawValue
            }
        }.joined()
    }

    /// The IDs of all cells that the formula reads, including each cell of a range.
    func cellIDs(in sheet: Sheet) -> Set<CellID> {
        var ids: Set<CellID> = []
        for (index, token) in tokens.enumerated() {
            guard case .cell(let id) = token else { continue }
            ids.insert(id)
            if index > 1, tokens[index - 1] == .symbol(":"), case .cell(let start) = tokens[index - 2] {
                ids.formUnion(sheet.cellIDs(from: start, to: id))
            }
        }
        return ids
    }

    /// Removes the row or column at a position. A range that ended there now ends at the next row or column
    /// inside the range, if there is one.
    mutating func removeReferences(_ axis: Axis, at position: Int, of ids: [Int]) {
        let old = tokens
        for (index, token) in old.enumerated() {
            guard case .cell(var id) = token, id[axis] == ids[position] else { continue }
            tokens[index] = .removed
            let other = [index - 2, index + 2].first { old.indices.contains($0) && old[(index + $0) / 2] == .symbol(":") }
            guard let other, case .cell(let end) = old[other], let stays = ids.firstIndex(of: end[axis]), stays != position else {
                continue
            }
            id[axis] = ids[stays > position ? position + 1 : position - 1]
            tokens[index] = .cell(id)
        }
    }

    /// The value of the formula.
    func value(_ cell: (CellID) -> Value, _ range: (CellID, CellID) -> [CellID]) throws(Failure) -> Double {
        var rest = tokens[...]

        func skip(_ symbol: Character) -> Bool {
            guard rest.first == .symbol(symbol) else { return false }
            rest.removeFirst()
            return true
        }
        func number(_ id: CellID) throws(Failure) -> Double? {
            switch cell(id) {
            case .number(let number): return number
            case .error(let failure): throw failure
            case .text, .empty: return nil
            }
        }
        func sum() throws(Failure) -> Double {
            var result = try product()
            while true {
                if skip("+") { result += try product() } else if skip("-") { result -= try product() } else { return result }
            }
        }
        func product() throws(Failure) -> Double {
            var result = try factor()
            while true {
                if skip("*") { result *= try factor() } else if skip("/") { result /= try factor() } else { return result }
            }
        }
        func factor() throws(Failure) -> Double {
            if skip("-") { return -(try factor()) }
            if skip("(") {
                let result = try sum()
                guard skip(")") else { throw .syntax }
                return result
            }
            switch rest.popFirst() {
            case .number(let text): return Double(text) ?? 0
            case .cell(let id):
                if case .text = cell(id) { throw .value }
                return try number(id) ?? 0
            case .function(let name): return Self.functions[name]!(try arguments())
            case .removed: throw .reference
            default: throw .syntax
            }
        }
        func arguments() throws(Failure) -> [Double] {
            guard skip("(") else { throw .syntax }
            var numbers: [Double] = []
            repeat {
                let ends = Array(rest.prefix(3))
                if ends.count == 3, ends[1] == .symbol(":") {
                    guard !ends.contains(.removed) else { throw .reference }
                    guard case .cell(let start) = ends[0], case .cell(let end) = ends[2] else { throw .syntax }
                    rest.removeFirst(3)
                    for id in range(start, end) { if let number = try number(id) { numbers.append(number) } }
                } else {
                    numbers.append(try sum())
                }
            } while skip(",")
            guard skip(")") else { throw .syntax }
            return numbers
        }

        let result = try sum()
        guard rest.isEmpty else { throw .syntax }
        guard result.isFinite else { throw .value }
        return result
    }
}
