import TerminalSurface

/// The text about a running job: its activity, progress, speed and remaining time, and a bar.
///
/// The parts do not move while the job runs: each number has a fixed width, and a part that does not fit is left out for the whole time.
struct ProgressText {
    private let job: JobStatus
    private let reloadKey: String

    /// - Parameter reloadKey: the key that reloads the input, which is suggested if rows have not arrived for a long time.
    init(_ job: JobStatus, reloadKey: String) { (self.job, self.reloadKey) = (job, reloadKey) }

    /// The longest form of the text that fits `width` terminal cells. If the whole text does not fit, leaves out parts in this order: the
    /// bar, the speed, the title, the remaining time.
    func text(width: Int) -> String {
        guard let fraction = job.fraction else {
            let advice = job.isOverdue ? ": \(reloadKey) reloads" : ""
            return DisplayWidth.of(job.title + advice) <= width ? job.title + advice : job.title
        }
        let percent = Self.rightAligned("\(Int(fraction * 100)) %", 5)
        let (rate, left) = (" " + self.rate, " " + timeLeft)
        let all = "\(job.title) \(percent)\(rate)\(left)"
        let forms = ["\(all) \(bar(fraction))", all, "\(job.title) \(percent)\(left)", "\(percent)\(left)"]
        return forms.first { DisplayWidth.of($0) <= width } ?? percent
    }

    private func bar(_ fraction: Double) -> String {
        let (length, done) = (12, max(0, min(12, Int(fraction * 12))))
        return String(repeating: "━", count: done) + String(repeating: "─", count: length - done)
    }

    /// The speed, such as `1.2 GB/s` or `34 M rows/s`.
    private var rate: String {
        switch job.amount {
        case .bytes: Self.rightAligned(job.speed.map { ByteText.text($0.perSecond / 1_000, units: ["kB", "MB", "GB"]) + "/s" } ?? "", 8)
        case .rows: Self.rightAligned(job.speed.map { ByteText.text($0.perSecond / 1_000, units: ["k", "M", "G"]) + " rows/s" } ?? "", 12)
        }
    }

    /// The remaining time, such as `12 s left`; empty if it is less than one second.
    private var timeLeft: String {
        guard let seconds = job.speed?.secondsLeft, seconds >= 1 else { return Self.rightAligned("", 11) }
        let count = Int(min(seconds, 1e6).rounded(.up))
        let text = count < 100 ? "\(count) s" : count <= 5_940 ? "\((count + 59) / 60) min" : "\(min(999, (count + 3_599) / 3_600)) h"
        return Self.rightAligned("\(text) left", 11)
    }

    private static func rightAligned(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
