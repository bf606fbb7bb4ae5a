import DataGrid
import Testing

/// The sort orders that a header steps through, alone and as an added key.
@Suite struct SortOrderTests {
    /// Column 0 has no sort states, column 1 two, column 2 three.
    private let state = {
        var columns = (0..<3).map { Column(id: ColumnID($0), title: "\($0)") }
        for (index, mode) in [SortMode.none, .twoState, .threeState].enumerated() { columns[index].sortMode = mode }
        return GridState(columns: columns)
    }()

    /// The orders that a header steps through from `start`.
    private func steps(_ column: ColumnID, isAdding: Bool, from start: [ColumnSort], _ count: Int = 5) -> [[ColumnSort]] {
        var state = state
        state.play(.setSort(start))
        return (0..<count).map { _ in
            state.play(.setSort(state.sort(afterActivating: column, isAdding: isAdding)))
            return state.sort
        }
    }

    private let up = ColumnSort(1)
    private let down = ColumnSort(1, isDescending: true)

    @Test func `A1, A19: with two sort states, a column alternates between them, and an added key keeps its place`() {
        #expect(steps(1, isAdding: false, from: []) == [[up], [down], [up], [down], [up]])
        let other = ColumnSort(2, isDescending: true)
        #expect(steps(1, isAdding: true, from: [other]) == [[other, up], [other, down], [other, up], [other, down], [other, up]])
        #expect(
            steps(1, isAdding: true, from: [up, other]) == [[down, other], [up, other], [down, other], [up, other], [down, other]])
        #expect(steps(1, isAdding: false, from: [other, up], 2) == [[down], [up]], "alone it replaces the others")
    }

    @Test func `A1: with three sort states, the third one removes an added key or restores the source order`() {
        let (first, last) = (ColumnSort(2), ColumnSort(2, isDescending: true))
        #expect(steps(2, isAdding: false, from: []) == [[first], [last], [], [first], [last]])
        #expect(steps(2, isAdding: true, from: [up]) == [[up, first], [up, last], [up], [up, first], [up, last]])
        for isAdding in [false, true] { #expect(steps(0, isAdding: isAdding, from: [up], 2) == [[up], [up]]) }
    }
}
