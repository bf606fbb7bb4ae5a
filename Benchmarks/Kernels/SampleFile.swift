import DataGridSources
import DelimitedText
import Foundation

/// A file of trades: numbers, times, codes, names. All benchmarks share it; it is deleted at exit.
struct SampleFile {
    static let rowCount = 200_000
    static let plain = SampleFile(quote: "")
    static let quoted = SampleFile(quote: "\"")

    /// Column indexes.
    enum Column { static let (id, time, symbol, quantity, price, trader) = (0, 1, 2, 3, 4, 5) }

    let path: String
    let byteCount: Int

    /// - Parameter quote: the quote character of every field.
    private init(quote: String) {
        let rows = (0..<Self.rowCount).map { n in
            // Any distribution is suitable if it is the same in every run.
            let draw = (n &* 2_654_435_761) & 0xFFFF_FFFF
            let fields = [
                "\(n)", "2024-01-\(10 + n % 20)T10:\(10 + n % 50):\(10 + n % 49)", draw % 9973 == 0 ? "RAREX" : "S\(draw % 499)",
                "\(draw % 10_000)", "\(draw % 1000).\(10 + draw % 90)", "trader \(draw % 150_000)",
            ]
            return fields.map { quote + $0 + quote }.joined(separator: ",") + "\n"
        }
        let text = "id,time,symbol,quantity,price,trader\n" + rows.joined()
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("gridview-kernels-\(UUID().uuidString).csv")
        try! Data(text.utf8).write(to: url)
        (path, byteCount) = (url.path, text.utf8.count)
        Self.removeAtExit(url)
    }

    /// The file, completely indexed.
    func indexed() -> DelimitedFile {
        let file = try! DelimitedFile(path: path)
        try! file.buildIndex(threads: 1) { _ in true }
        return file
    }

    /// A snapshot of all records, for jobs.
    func table() -> RecordSnapshot { indexed().snapshot() }

    private nonisolated(unsafe) static var urls: [URL] = []

    private static func removeAtExit(_ url: URL) {
        if urls.isEmpty { atexit { for url in SampleFile.urls { try? FileManager.default.removeItem(at: url) } } }
        urls.append(url)
    }
}
