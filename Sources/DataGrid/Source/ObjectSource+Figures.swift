/// What the values of an ``ObjectSource`` come to, as far as somebody has asked, by the places of rows: their positions where there are
/// sections, which are runs of places then, and otherwise their numbers, which outlast sorting.
struct ObjectFigures {
    /// What of a column is added up.
    struct Term: Hashable {
        var column: Int
        /// Its values that are numbers, or a 1 for any value.
        var isCount: Bool
    }

    /// The place of each row by its number, those that have gone behind all others; `nil`: its number.
    fileprivate var places: [UInt32]?
    fileprivate var sums: [(term: Term, tree: FigureTree)] = []
    fileprivate var texts: [(column: Int, tally: TextTally)] = []
}

/// Totals and aggregates of sections. A change has one branch of a tree made anew for each column that has figures.
extension ObjectSource {
    /// All places there are.
    private var everywhere: Range<Int> { 0..<Int.max }

    /// What `function` comes to over the values of a column, which is no cell; NaN where there is none.
    ///
    /// O(log objects), once somebody has asked: reads all objects for the first time. Different texts are counted once for each section,
    /// O(its rows), and again when rows were arranged.
    /// - Parameter rows: the positions of a section's rows; `nil`: all objects.
    func figure(_ function: AggregateFunction, of column: Int, in rows: Range<Int>? = nil) -> Double {
        if function == .distinct {
            let index = textsIndex(of: column)
            return Double(figures.texts[index].tally.count(in: rows ?? everywhere))
        }
        let tree = figures.sums[sumsIndex(of: ObjectFigures.Term(column: column, isCount: function == .count))].tree
        let known = rows.map(tree.figures) ?? tree.all
        if function == .count { return Double(known.count) }
        guard known.count > 0 else { return .nan }
        return switch function {
        case .sum: known.sum
        case .mean: known.sum / Double(known.count)
        case .min: known.least
        case .max: known.greatest
        case .count, .distinct, .first, .last: .nan
        }
    }

    /// Keeps an object as that of a row, or none. O(log objects) for each column with figures.
    func put(_ object: Object?, at number: UInt32) {
        slots[Int(number)] = object
        followFigures(number)
    }

    /// Takes anew what figures have of a row's object.
    func followFigures(_ number: UInt32) {
        let object = slots[Int(number)]
        var place = Int(number)
        if let count = figures.places?.count {
            // A new row stands behind all others until rows are arranged, as they are next.
            if place == count { figures.places?.append(number) } else { place = Int(figures.places![place]) }
        }
        for index in figures.sums.indices {
            let value = value(figures.sums[index].term, of: object)
            figures.sums[index].tree.set(value, at: place)
        }
        guard !figures.texts.isEmpty else { return }
        var around: Set = [everywhere]
        if let tree, let leaf = tree.leaf(containing: place) {
            // One that is alone in another has the same rows.
            for section in sequence(first: leaf, next: tree.parent(of:)) { around.insert(tree.rows(of: section)) }
        }
        for index in figures.texts.indices {
            let text = object.flatMap(columns[figures.texts[index].column].text)
            figures.texts[index].tally.set(text, at: place, in: around)
        }
    }

    private func value(_ term: ObjectFigures.Term, of object: Object?) -> Double {
        guard let object else { return .nan }
        if term.isCount { return columns[term.column].hasValue(object) ? 1 : .nan }
        return columns[term.column].number(object) ?? .nan
    }

    private func sumsIndex(of term: ObjectFigures.Term) -> Int {
        if let index = figures.sums.firstIndex(where: { $0.term == term }) { return index }
        let values = objectsByPlace { self.value(term, of: $0) }
        figures.sums.append((term, FigureTree(values)))
        return figures.sums.count - 1
    }

    private func textsIndex(of column: Int) -> Int {
        if let index = figures.texts.firstIndex(where: { $0.column == column }) { return index }
        let texts = objectsByPlace { $0.flatMap(columns[column].text) }
        figures.texts.append((column, TextTally(texts)))
        return figures.texts.count - 1
    }

    /// Something of each object, by places.
    private func objectsByPlace<Value>(_ value: (Object?) -> Value) -> [Value] {
        guard tree != nil else { return slots.map(value) }
        let numbers = shown + free
        if figures.places == nil { figures.places = places(of: numbers) }
        return numbers.map { value(slots[Int($0)]) }
    }

    private func places(of numbers: [UInt32]) -> [UInt32] {
        var places = numbers
        for (place, number) in numbers.enumerated() { places[Int(number)] = UInt32(place) }
        return places
    }

    /// Brings what figures are made of to the places where rows are now. Reads no object. O(objects) for each column with figures.
    func arrangeFigures() {
        let old = figures.places
        figures.places = nil
        guard old != nil || tree != nil, !figures.sums.isEmpty || !figures.texts.isEmpty else { return }
        let numbers = tree == nil ? Array(0..<UInt32(slots.count)) : shown + free
        if tree != nil { figures.places = places(of: numbers) }
        let moved = old.map { old in numbers.map { Int(old[Int($0)]) } } ?? numbers.map { Int($0) }
        for index in figures.sums.indices { figures.sums[index].tree = figures.sums[index].tree.moved(from: moved) }
        for index in figures.texts.indices { figures.texts[index].tally = figures.texts[index].tally.moved(from: moved) }
    }
}
