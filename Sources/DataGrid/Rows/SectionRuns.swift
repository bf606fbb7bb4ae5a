import FieldValues

/// The sections whose headers are visible or can be scrolled to. They are stored as runs: consecutive expanded sections, or consecutive
/// collapsed sections of one level.
///
/// Millions of sections need few runs if most sections are like their neighbors. The worst case is one run for each section.
struct SectionRuns: Sendable {
    /// The number of items (rows and headers) before a section, and the number of headers among them.
    struct Count {
        var items = 0
        var headers = 0

        static func - (a: Count, b: Count) -> Count { Count(items: a.items - b.items, headers: a.headers - b.headers) }
        static func += (a: inout Count, b: Count) { a = Count(items: a.items + b.items, headers: a.headers + b.headers) }
    }

    /// Consecutive expanded sections, or consecutive collapsed sections of one level.
    private struct Run {
        var first: Int
        var countBefore: Count
        /// For collapsed sections, the index of the first one among the sections of its level (``SectionTree/indexInLevel(of:)``); `nil`
        /// for expanded sections.
        var firstIndexInLevel: Int?
    }

    let tree: SectionTree
    private var runs: [Run] = []
    private(set) var total = Count()

    /// Creates the runs of all sections. `collapsed` is true for each collapsed section; `nil` means that all sections are expanded. O(1)
    /// for `nil`, otherwise O(sections).
    init(_ tree: SectionTree, collapsed: [Bool]? = nil) {
        self.tree = tree
        append(0..<tree.count, collapsed)
    }

    init(allCollapsed tree: SectionTree) {
        self.tree = tree
        guard tree.count > 0 else { return }
        runs = [Run(first: 0, countBefore: total, firstIndexInLevel: 0)]
        let outermost = tree.indexInLevel(of: tree.ancestor(of: tree.count - 1, level: 0)) + 1
        total = Count(items: outermost, headers: outermost)
    }

    // MARK: Lookup

    /// The section of the last header at or before item `index`, and the item index of that header. O(log sections).
    func section(atItem index: Int) -> (section: Int, item: Int) {
        let number = run(ofItem: index)
        let run = runs[number]
        if let first = run.firstIndexInLevel {
            return (tree.section(at: first + index - run.countBefore.items, ofLevel: tree.level(of: run.first)), index)
        }
        let section = (run.first..<end(ofRun: number)).partitioningIndex { count(before: $0, in: run).items > index } - 1
        return (section, count(before: section, in: run).items)
    }

    /// The section itself, or the outermost collapsed section that hides it, and the item index of its header. O(log sections).
    func visibleHeader(of section: Int) -> (section: Int, item: Int) {
        let run = runs[self.run(of: section)]
        let shown = run.firstIndexInLevel == nil ? section : tree.ancestor(of: section, level: tree.level(of: run.first))
        return (shown, count(before: shown, in: run).items)
    }

    var sections: some Sequence<Int> {
        runs.indices.lazy.flatMap { number in
            let run = runs[number]
            let next = number + 1 < runs.count ? runs[number + 1].countBefore : total
            let level = tree.level(of: run.first)
            return (0..<(next.headers - run.countBefore.headers)).lazy.map { offset in
                run.firstIndexInLevel.map { tree.section(at: $0 + offset, ofLevel: level) } ?? run.first + offset
            }
        }
    }

    /// The number of items before item `index`, which is `index` itself, and the number of headers among them.
    func count(beforeItem index: Int) -> Count {
        let number = self.run(ofItem: index)
        let run = runs[number]
        if run.firstIndexInLevel != nil { return Count(items: index, headers: run.countBefore.headers + index - run.countBefore.items) }
        let (section, header) = section(atItem: index)
        return Count(items: index, headers: count(before: section, in: run).headers + (index > header ? 1 : 0))
    }

    /// The positions of the rows before item `index`, as ascending ranges. O(log sections), and O(runs) to iterate.
    func rows(beforeItem index: Int) -> some Sequence<Range<Int>> {
        let last = run(ofItem: index)
        let (section, header) = section(atItem: index)
        let end = tree.firstRow(of: section) + max(0, index - header - 1)
        return (0...last).lazy.filter { runs[$0].firstIndexInLevel == nil }.map { number in
            tree.firstRow(of: runs[number].first)..<(number < last ? tree.firstRow(of: self.end(ofRun: number)) : end)
        }
    }

    private func run(ofItem index: Int) -> Int { max(0, runs.indices.partitioningIndex { runs[$0].countBefore.items > index } - 1) }

    /// The index in ``runs`` of the run that contains a section. For a section inside a collapsed section, the run that contains the
    /// collapsed section.
    private func run(of section: Int) -> Int { max(0, runs.indices.partitioningIndex { runs[$0].first > section } - 1) }

    /// The index after the last section of run `number`. Sections inside collapsed sections of the run are counted.
    private func end(ofRun number: Int) -> Int { number + 1 < runs.count ? runs[number + 1].first : tree.count }

    /// The numbers of items and headers before a section of the run, or before the end of the run. O(1) if the run is expanded, otherwise
    /// O(log sections).
    private func count(before section: Int, in run: Run) -> Count {
        var count = run.countBefore
        if let from = run.firstIndexInLevel {
            let between = tree.indexInLevel(of: section) - from
            count += Count(items: between, headers: between)
        } else {
            let headers = section - run.first
            count += Count(items: headers + tree.firstRow(of: section) - tree.firstRow(of: run.first), headers: headers)
        }
        return count
    }

    // MARK: Changes

    /// Updates the runs after `section` or sections nested in it were collapsed or expanded. `collapsed` is true for each collapsed
    /// section. O(runs + nested sections).
    mutating func update(_ section: Int, _ collapsed: [Bool]) {
        guard visibleHeader(of: section).section == section else { return }
        let old = self
        let end = tree.end(of: section)
        let number = run(of: section)
        total = count(before: section, in: runs[number])
        runs.removeSubrange((runs[number].first < section ? number + 1 : number)...)
        append(section..<end, collapsed)
        guard end < tree.count else { return }
        // The runs of later sections stay the same, but the items before them change.
        let next = old.run(of: end)
        let before = old.count(before: end, in: old.runs[next])
        let shift = total - before
        var remainder = old.runs[next]
        if let from = remainder.firstIndexInLevel { remainder.firstIndexInLevel = from + before.headers - remainder.countBefore.headers }
        (remainder.first, remainder.countBefore) = (end, total)
        if !continuesLastRun(end, isCollapsed: remainder.firstIndexInLevel != nil) { runs.append(remainder) }
        for var run in old.runs[(next + 1)...] {
            run.countBefore += shift
            runs.append(run)
        }
        total = old.total
        total += shift
    }

    /// Appends the sections of a range. No section of the range may be inside a collapsed section that is outside the range.
    private mutating func append(_ range: Range<Int>, _ collapsed: [Bool]?) {
        var section = range.lowerBound
        while section < range.upperBound {
            let first = section
            let isCollapsed = collapsed?[first] == true
            if !continuesLastRun(first, isCollapsed: isCollapsed) {
                runs.append(Run(first: first, countBefore: total, firstIndexInLevel: isCollapsed ? tree.indexInLevel(of: first) : nil))
            }
            if isCollapsed {
                section = tree.end(of: first)
                total += Count(items: 1, headers: 1)
            } else {
                section = collapsed?[first..<range.upperBound].firstIndex(of: true) ?? range.upperBound
                total += Count(items: section - first + tree.firstRow(of: section) - tree.firstRow(of: first), headers: section - first)
            }
        }
    }

    /// True if `section` can be added to the last run. A run of collapsed sections must contain consecutive sections of one level.
    private func continuesLastRun(_ section: Int, isCollapsed: Bool) -> Bool {
        guard let last = runs.last, (last.firstIndexInLevel != nil) == isCollapsed else { return false }
        return !isCollapsed || tree.level(of: last.first) == tree.level(of: section)
    }
}
