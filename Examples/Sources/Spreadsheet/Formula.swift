/// The text after `=`: numbers, cells, `+ - * /`, parentheses, and functions of cells and ranges, as in `SUM(A1:A5) / 2`.
///
/// It stores places of cells, not addresses. After inserting or removing rows and columns, it refers to the same cells by their new
/// addresses.
struct Formula {
    enum Token: Equatable {
        case number(String)
        case function(String)
        case symbol(Character)
        case cell(Place)
        /// A reference to a deleted cell.
        case removed
    }

    /// The error of a formula; as text, the content of its cell.
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
            } else if let place = sheet.place(at: word) {
                tokens.append(.cell(place))
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
            case .cell(let place): sheet.address(of: place)
            case .removed: Failure.reference.rawValue
            }
        }.joined()
    }

    /// Every place the formula reads, with ranges expanded.
    func places(in sheet: Sheet) -> Set<Place> {
        var places: Set<Place> = []
        for (index, token) in tokens.enumerated() {
            guard case .cell(let place) = token else { continue }
            places.insert(place)
            if index > 1, tokens[index - 1] == .symbol(":"), case .cell(let start) = tokens[index - 2] {
                places.formUnion(sheet.places(from: start, to: place))
            }
        }
        return places
    }

    /// Removes the row or column at a position. A range that ended there ends at its neighbor, if that is in the range.
    mutating func removeReferences(_ axis: Axis, at position: Int, of names: [Int]) {
        let old = tokens
        for (index, token) in old.enumerated() {
            guard case .cell(var place) = token, place[axis] == names[position] else { continue }
            tokens[index] = .removed
            let other = [index - 2, index + 2].first { old.indices.contains($0) && old[(index + $0) / 2] == .symbol(":") }
            guard let other, case .cell(let end) = old[other], let stays = names.firstIndex(of: end[axis]), stays != position else {
                continue
            }
            place[axis] = names[stays > position ? position + 1 : position - 1]
            tokens[index] = .cell(place)
        }
    }

    /// The value of the formula.
    func value(_ cell: (Place) -> Value, _ range: (Place, Place) -> [Place]) throws(Failure) -> Double {
        var rest = tokens[...]

        func skip(_ symbol: Character) -> Bool {
            guard rest.first == .symbol(symbol) else { return false }
            rest.removeFirst()
            return true
        }
        func number(_ place: Place) throws(Failure) -> Double? {
            switch cell(place) {
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
            case .cell(let place):
                if case .text = cell(place) { throw .value }
                return try number(place) ?? 0
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
                    for place in range(start, end) { if let number = try number(place) { numbers.append(number) } }
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
