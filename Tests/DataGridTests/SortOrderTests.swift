import DataGrid
import Testing

/// What a header steps the sort order to, alone and as a further key.
@Suite struct SortOrderTests {
    /// Column 0 sorts in no state, column 1 in two, column 2 in three.
    private let state = {
        var columns = (0..<3).map { Column(id: ColumnID($0), title: "\($0)") }
        for (index, mode) in [SortMode.none, .twoState, .threeState].enumerated() { columns[index].sortMode = mode }
        return GridState(columns: columns)
    }()

    /// The orders that a header steps through from `start`.
    private func steps(_ column: ColumnID, isAdding: Bool, from start: [SortDescriptor], _ count: Int = 5) -> [[SortDescriptor]] {
        var state = state
        state.play(.setSort(start))
        return (0..<count).map { _ in
            state.play(.setSort(state.sort(afterActivating: column, isAdding: isAdding)))
            return state.sort
        }
    }

    private let up = SortDescriptor(1)
    private let down = SortDescriptor(1, isDescending: true)

    @Test("A1, A19: a column in two states is turned for ever, alone and as a further key, which is never dropped and keeps its place")
    func twoStates() {
        #expect(steps(1, isAdding: false, from: []) == [[up], [down], [up], [down], [up]])
        let other = SortDescriptor(2, isDescending: true)
        #expect(steps(1, isAdding: true, from: [other]) == [[other, up], [other, down], [other, up], [other, down], [other, up]])
        #expect(
            steps(1, isAdding: true, from: [up, other]) == [[down, other], [up, other], [down, other], [up, other], [down, other]])
        #expect(steps(1, isAdding: false, from: [other, up], 2) == [[down], [up]], "alone it sends the others away")
    }

    @Test("A1: in three states a further key goes after it was turned, and alone the order of the source comes back; in none nothing does")
    func otherStates() {
        let (first, last) = (SortDescriptor(2), SortDescriptor(2, isDescending: true))
        #expect(steps(2, isAdding: false, from: []) == [[first], [last], [], [first], [last]])
        #expect(steps(2, isAdding: true, from: [up]) == [[up, first], [up, last], [up], [up, first], [up, last]])
        for isAdding in [false, true] { #expect(steps(0, isAdding: isAdding, from: [up], 2) == [[up], [up]]) }
    }
}
