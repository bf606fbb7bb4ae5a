import Tables
import DataGridQuery
import FieldValues

/// Creates the messages about failed jobs.
enum JobFailure {
    /// A sentence that says why a job has failed.
    /// - Parameter title: the activity of the job, such as `sorting by “price”`.
    static func sentence(about error: any Error, _ title: String) -> String {
        switch error {
        case let error as any TableError: error.message + (error.inputEnd == nil ? "" : " The rows read so far stay available.")
        case let error as RequestError: error.message
        case let error as UncountedRows: sentence(about: error.reason, title)
        case let error as TooManyRows:
            "Cannot sort or group more than \(grouped(error.limit)) rows. Filter the rows first."
        case is OutOfMemory:
            "Not enough memory for \(title). Filter the rows first, or use --threads 1 or a smaller --memory."
        default: "\(error)"
        }
    }

    /// Sentences about an input that has ended early: the reason, the remedy, and the number of the last row.
    /// - Parameter rows: the number of rows that were read before the end.
    static func sentence(aboutEarlyEnd error: any TableError, rows: Int) -> String {
        guard rows > 0 else { return error.message }
        let last = "row \(NumberText.count(rows))"
        let remark =
            switch error.inputEnd {
            case .withinRecord: "; \(last) may be incomplete"
            case .damaged: ", and rows before the damage may be wrong"
            case .betweenRecords, nil: ""
            }
        return "\(error.message) No rows after \(last) could be read\(remark)."
    }

    private static func grouped(_ number: Int) -> String { NumberText.grouped(String(number), fractionDigits: 0) ?? String(number) }

    /// Runs `work` for batch output, in which a failure ends the program.
    /// - Throws: ``RequestError`` with a sentence about the failure.
    static func reportingFailure<Result>(_ title: String, _ work: () throws -> Result) throws(RequestError) -> Result {
        do {
            return try work()
        } catch {
            throw (error as? RequestError) ?? RequestError(sentence(about: error, title))
        }
    }
}
