import DataGrid
import TerminalSurface
import Testing

@testable import GridviewApp

/// Progress of running jobs.
@MainActor
@Suite struct ProgressTests {
    private func status(_ fraction: Double?, _ speed: JobSpeed? = nil, amount: JobAmount = .rows(10_000_000)) -> JobStatus {
        var status = JobStatus(.arrange, "sorting by price", amount: amount, fraction: fraction)
        status.speed = speed
        return status
    }

    private func text(_ job: JobStatus) -> ProgressText { ProgressText(job, reloadKey: "R") }

    @Test func `D2: progress shows fraction, rate and time left, shortened to the available width`() {
        let job = text(status(0.437, JobSpeed(perSecond: 12_345_678, secondsLeft: 2.1)))
        #expect(job.text(width: 80) == "sorting by price  43 %  12 M rows/s    3 s left ━━━━━───────")
        #expect(job.text(width: 59) == "sorting by price  43 %  12 M rows/s    3 s left")
        #expect(job.text(width: 45) == "sorting by price  43 %    3 s left")
        #expect(job.text(width: 20) == " 43 %    3 s left")
        #expect(job.text(width: 5) == " 43 %")
        #expect(text(status(nil)).text(width: 80) == "sorting by price")
    }

    @Test(
        arguments: [
            (.bytes(1), 1_234_567_890, 0.9, "1.2 GB/s           "), (.bytes(1), 999_600_000, 1, "1.0 GB/s   1 s left"),
            (.bytes(1), 34_500_000, 99.5, " 35 MB/s   2 min left"), (.bytes(1), 12, 40 * 60, "0.0 kB/s  40 min left"),
            (.rows(1), 9_940_000, 7_200, "9.9 M rows/s 2 h left"), (.rows(1), 9_960_000, 360_000, " 10 M rows/s 100 h left"),
            (.rows(1), 870, 1e12, "0.9 k rows/s 278 h left"), (.rows(1), 5e14, .infinity, "999 G rows/s 278 h left"),
        ] as [(JobAmount, Double, Double, String)])
    func `D2: rates and times have at most three digits`(amount: JobAmount, perSecond: Double, left: Double, expected: String) {
        let text = text(status(0.5, JobSpeed(perSecond: perSecond, secondsLeft: left), amount: amount)).text(width: 100)
        func singleSpaced(_ text: some StringProtocol) -> String { text.split(separator: " ").joined(separator: " ") }
        #expect(singleSpaced(text) == singleSpaced("sorting by price 50 % \(expected) ━━━━━━──────"))
    }

    /// The text is right-aligned, so a changed width would move the text beside it.
    @Test(arguments: [10, 20, 30, 40, 50, 60, 100]) func `D2: progress text keeps its width while a job runs`(width: Int) {
        for amount in [JobAmount.bytes(1 << 40), .rows(1 << 30)] {
            var widths: Set<Int> = []
            for fraction in [0, 0.004, 0.09, 0.5, 0.999, 1] {
                widths.insert(DisplayWidth.of(text(status(fraction, amount: amount)).text(width: width)))
                for perSecond in [0, 1, 999, 9_949, 9_951, 99_500, 999_499, 999_501, 1e9, 1e12, 1e18] {
                    for left in [0, 0.99, 1, 9.2, 99, 99.01, 101, 5_940, 5_941, 6_001, 36_000, 1e7, 1e300] {
                        let speed = JobSpeed(perSecond: perSecond, secondsLeft: left)
                        widths.insert(DisplayWidth.of(text(status(fraction, speed, amount: amount)).text(width: width)))
                    }
                }
            }
            #expect(widths.count == 1 && widths.allSatisfy { $0 <= width }, "\(widths)")
        }
    }

    @Test func `D2: a job is shown only after 150 ms, and its rate is updated at most twice a second`() {
        let registry = JobRegistry()
        let begin = ContinuousClock.now
        let (_, control) = registry.begin(.arrange, "sorting", .rows(1_000), now: begin)
        func status(_ milliseconds: Int) -> JobStatus? { registry.statuses(now: begin + .milliseconds(milliseconds)).first }
        #expect(status(100)?.isShown == false)
        control.begin(total: 100)
        control.advance(by: 1)
        #expect(status(160)?.isShown == true && status(160)?.fraction == 0.01)
        #expect(status(200)?.speed == nil, "too early to tell")
        control.advance(by: 9)
        #expect(status(1_000)?.speed == JobSpeed(perSecond: 100, secondsLeft: 9))
        control.advance(by: 20)
        #expect(status(1_400)?.fraction == 0.3 && status(1_400)?.speed == JobSpeed(perSecond: 100, secondsLeft: 9))
        #expect(status(1_500)?.speed == JobSpeed(perSecond: 200, secondsLeft: 3.5))
        control.begin(total: 1_000)
        #expect(status(2_000)?.fraction == 0.3, "progress never decreases")
    }

    @Test func `D2: the title line shows how long the screen waits for rows, and after 10 s the key that reloads`() {
        let registry = JobRegistry()
        let begin = ContinuousClock.now
        func shown(_ milliseconds: Int, width: Int = 40) -> String? {
            registry.statuses(now: begin + .milliseconds(milliseconds)).last { $0.isShown }.map { text($0).text(width: width) }
        }
        registry.setWaiting(true, now: begin)
        registry.setWaiting(true, now: begin + .milliseconds(500))
        #expect(registry.needsPolling && shown(900) == nil)
        #expect(shown(1_100) == "waiting 1 s" && shown(9_900) == "waiting 9 s")
        #expect(shown(10_000) == "waiting 10 s: R reloads" && shown(75_000) == "waiting 75 s: R reloads")
        #expect(shown(75_000, width: 20) == "waiting 75 s")
        registry.setWaiting(false)
        #expect(registry.isIdle && shown(76_000) == nil)
    }

    @Test(arguments: [3, 8, 9, 24]) func `D2: a running job is shown in the hint line of a screen without a title line`(rows: Int) throws {
        let pilot = try Pilot("a,b\n1,2\n", size: (60, rows))
        var state = pilot.state
        _ = state.apply(.jobs([status(0.43)]))
        var buffer = CellBuffer(size: TerminalSize(columns: 60, rows: rows))
        _ = AppPainter(state, source: nil).paint(on: &buffer)
        let lines = buffer.lines()
        #expect(lines[rows >= 9 ? 0 : rows - 1].contains("43 %"), "\(lines)")
        #expect(lines.count { $0.contains("43 %") } == 1)
    }

    @Test func `D2: during an export, q asks for confirmation, and a second q quits`() throws {
        let pilot = try Pilot("a,b\n1,2\n")
        var state = pilot.state
        func press(_ keys: String) throws {
            for key in try KeyScript.keys(keys, in: state.keyMap) { _ = state.apply(.terminal(.key(key))) }
        }
        _ = state.apply(.jobs([JobStatus(.export, "exporting 1 row", amount: .rows(1))]))
        try press("q")
        #expect(state.exitStatus == nil && state.message?.id == .exportStopsOnQuit)
        try press("Down q")
        #expect(state.exitStatus == nil && state.message?.id == .exportStopsOnQuit, "another key withdraws the request")
        var stopped = state
        try press("q")
        #expect(state.exitStatus == 0)
        // Without an export, the first key quits.
        _ = stopped.apply(.jobs([]))
        state = stopped
        try press("Down q")
        #expect(state.exitStatus == 0)
        // The command that quits at once does not ask.
        state = pilot.state
        _ = state.apply(.jobs([JobStatus(.export, "exporting 1 row", amount: .rows(1))]))
        try press("C-q")
        #expect(state.exitStatus == 0)
    }

    @Test(arguments: ["s", "zg", "& \"n > 1\" Enter", "/ 9 9 Enter", "I", "F"])
    func `D2: every kind of job reports progress`(keys: String) throws {
        let stepped = SteppedRunner()
        let pilot = try Pilot(PartlyReadFileTests.content, size: (120, 12), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press(keys)
        let running = pilot.state.jobs
        #expect(!running.isEmpty && running.allSatisfy { $0.amount == .rows(PartlyReadFileTests.rowCount) }, "\(running)")
        stepped.runAll(pilot)
        #expect(pilot.state.jobs.isEmpty)
    }
}
