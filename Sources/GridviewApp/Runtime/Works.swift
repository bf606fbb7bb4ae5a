import DataGrid
import DataGridQuery
struct ArrangeWork: Sendable {
    var table: any RecordTable; var arrangement: Arrangement; var columns: [Column]; var orderings: [ColumnID: ValueKind]; var threads: Int
    var title: String { "sorting" }
    func run(_ control: JobControl) throws -> (RowOrder, SectionTree?) { (.natural(count: table.recordCount), nil) }
}
struct FindWork: Sendable {
    var table: any RecordTable; var order: [UInt32]?; var text: String; var columns: [Int]; var isForward: Bool; var threads: Int
    func first(from: Int, includingCurrent: Bool, _ control: JobControl) throws -> (position: Int, wrapped: Bool)? { nil }
    func count(cursor: Int, _ control: JobControl) throws -> (Int, Int?) { (0, nil) }
    func firstDifferent(from: Int, _ control: JobControl) throws -> Int? { nil }
}
import FieldValues
