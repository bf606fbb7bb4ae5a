import GridTestSupport
import DataGrid
import Testing

/// Reference implementation: every item in order, with its enclosing headers from the outermost to the innermost.
private func reference(_ tree: SectionTree, _ collapsed: [Bool]) -> [(item: GridItem, around: [Int])] {
    var items: [(GridItem, [Int])] = []
    var open: [Int] = []
    for (index, section) in tree.sections.enumerated() {
        open.removeAll { tree.sections[$0].level >= section.level }
        let isLeaf = index + 1 == tree.sections.count || tree.sections[index + 1].level <= section.level
        let own = section.rows.lowerBound..<(isLeaf ? section.rows.upperBound : tree.sections[index + 1].rows.lowerBound)
        if !open.contains(where: { collapsed[$0] }) {
            items.append((.header(index), open))
            if !collapsed[index] { items += own.map { (.row($0), open + [index]) } }
        }
        open.append(index)
    }
    return items
}

/// Sections of up to three levels. Some are empty, and some have rows before their inner sections.
private func randomTree(using random: inout SplitMix64) -> SectionTree {
    var text = ""
    func add(_ level: Int) {
        for name in 0..<Int.random(in: 1...4, using: &random) {
            let isLeaf = level == 2 || Bool.random(using: &random)
            let ownCount = isLeaf || Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 0...5, using: &random) : 0
            text += String(repeating: "  ", count: level) + "s\(name) \(ownCount)\n"
            if !isLeaf { add(level + 1) }
        }
    }
    add(0)
    return sections(text)
}

@Suite struct OutlineTests {
    @Test func `A15: without sections, every item is a row`() {
        let outline = Outline(rowCount: 7)
        #expect(outline.itemCount == 7)
        #expect((0..<7).map { outline.item(at: $0) } == (0..<7).map { .row($0) })
        #expect(outline.index(ofRow: 3) == 3)
        #expect(outline.depth(of: .row(3)) == 0)
        #expect(outline.header(above: .row(3), level: 0) == nil)
    }

    @Test func `A15: nested sections have the expected rows, parents and end positions`() {
        let tree = sections("a\n  b 2\n  c 3\nd 1\ne\n  f\n    g 4")
        #expect(tree.sections.map(\.rows) == [0..<5, 0..<2, 2..<5, 5..<6, 6..<10, 6..<10, 6..<10])
        #expect((0..<7).map { tree.end(of: $0) } == [3, 2, 3, 4, 7, 7, 7])
        #expect((0..<10).map { tree.innermostSection(containing: $0) } == [1, 1, 2, 2, 2, 3, 6, 6, 6, 6])
        #expect(tree.depth == 3)
        #expect((0..<11).map { tree.innermostSection(containing: $0) } == [1, 1, 2, 2, 2, 3, 6, 6, 6, 6, nil])
        #expect((0..<7).map { tree.parent(of: $0) } == [nil, 0, 0, nil, nil, 4, 5])
        #expect((0..<3).map { tree.ancestor(of: 6, level: $0) } == [4, 5, 6])
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func `A15: items, rows and headers agree with the reference`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let tree = randomTree(using: &random)
        let rowCount = tree.sections.last!.rows.upperBound
        var outline = Outline(rowCount: rowCount, tree: tree)
        for _ in 0..<25 {
            let items = reference(tree, outline.collapsed)
            #expect(outline.itemCount == items.count)
            #expect(outline.showsRows == items.contains { !$0.item.isHeader })
            for (index, (item, around)) in items.enumerated() {
                #expect(outline.item(at: index) == item)
                #expect(outline.index(of: item) == index)
                #expect(outline.depth(of: item) == around.count)
                if !item.isHeader { #expect(outline.section(of: item) == around.last) }
                for level in around.indices { #expect(outline.header(above: item, level: level) == around[level]) }
            }
            // A hidden item is found at the outermost header that hides it.
            for row in 0..<rowCount where !items.contains(where: { $0.item == .row(row) }) {
                let leaf = tree.innermostSection(containing: row)!
                let hiding = (0...tree.sections[leaf].level).map { tree.ancestor(of: leaf, level: $0) }.first { outline.collapsed[$0] }!
                #expect(outline.item(at: outline.index(ofRow: row)) == .header(hiding))
            }
            switch Int.random(in: 0...9, using: &random) {
            case 0: outline.setAllCollapsed(Bool.random(using: &random))
            case 1 where rowCount > 0:
                let row = Int.random(in: 0..<rowCount, using: &random)
                outline.reveal(row: row)
                #expect(outline.item(at: outline.index(ofRow: row)) == .row(row))
            default:
                outline.setCollapsed(Bool.random(using: &random), section: Int.random(in: tree.sections.indices, using: &random))
            }
        }
    }

    @Test func `A15: collapsing twice changes nothing, and unknown sections are ignored`() {
        let tree = sections("a 2\nb 3")
        var outline = Outline(rowCount: 5, tree: tree, collapsed: [true])
        #expect(outline.collapsed == [false, false])
        outline.setCollapsed(true, section: 7)
        outline.setCollapsed(true, section: 0)
        outline.setCollapsed(true, section: 0)
        #expect(outline.itemCount == 5)
        #expect(outline == Outline(rowCount: 5, tree: tree, collapsed: [true, false]))
    }
}
