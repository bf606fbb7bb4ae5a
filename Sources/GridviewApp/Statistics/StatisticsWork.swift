import DataGrid
import DataGridSources
import DataGridQuery
import FieldValues
import Tables

/// Working out the numbers of columns, about the rows in the view.
struct StatisticsWork: Sendable {
    let table: any Table
    /// The records in the view; `nil` for all.
    let records: RowNumbers?
    let columns: [Column]
    /// The letters by which texts are put in order.
    let alphabet: NaturalOrder.Alphabet
    /// What the columns that are read together may take, as far as it is less than usual.
    let memory: Int
    let threads: Int

    /// - Throws: ``JobCancelled``, or what reading the table threw.
    func result(of subject: StatisticsPanel.Subject, _ control: JobControl) throws -> StatisticsPanel.Result {
        switch subject {
        case .column(let id):
            // One column may have more of its values counted than each of many.
            let request = request(id)
            return .column(
                try columnStatistics(
                    of: table, [request], within: records, exactLimit: 1 << 20, threads: threads, control: control)[0])
        case .frequencies(let id):
            do {
                return .frequencies(try frequencies(of: table, request(id), within: records, threads: threads, control: control))
            } catch let error as TooManyValues {
                return .tooMany(error.estimate)
            }
        case .summary:
            return .summary(try summary(columns.count <= Self.mostHistograms ? .histogram : [], topCount: 0, control))
        }
    }

    /// Up to how many columns of a summary have histograms: of a million, these would take 300 MB.
    static let mostHistograms = 100_000

    /// Every column that is not hidden, in the order of the view.
    func summary(_ details: ColumnStatistics.Details, topCount: Int, _ control: JobControl) throws -> [ColumnStatistics] {
        let requests = columns.lazy.filter { !$0.isHidden }.map { request($0.id, $0) }
        return try columnStatistics(
            of: table, Array(requests), within: records, memory: min(memory, 512 << 20), topCount: topCount,
            details: details, threads: threads, control: control)
    }

    private func request(_ id: ColumnID) -> StatisticsRequest { request(id, columns.first { $0.id == id }) }

    private func request(_ id: ColumnID, _ column: Column?) -> StatisticsRequest {
        StatisticsRequest(
            column: id.field.rawValue, kind: column?.kind ?? .text, notation: column?.notation ?? .point, alphabet: alphabet)
    }
}
