import DataGridQuery
import Tables

extension JobControl {
    /// Reports the progress of reading an input.
    /// - Returns: False to stop reading, because the job was cancelled.
    func report(_ progress: ReadProgress) -> Bool {
        if total != progress.bytesTotal { begin(total: progress.bytesTotal) }
        advance(by: progress.bytesDone - completed)
        return !isCancelled
    }
}
