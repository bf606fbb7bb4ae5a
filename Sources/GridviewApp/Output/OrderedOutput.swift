import Locks
import Synchronization

/// Output that several threads produce in parts, numbered from 0, and that is written in the order of the parts.
///
/// Sendable because only the part whose turn it is uses the sink.
final class OrderedOutput: @unchecked Sendable {
    private(set) var sink: OutputSink
    private let gate = Gate()
    /// The part that may write; under the gate.
    private var turn = 0
    private let isClosed = Atomic(false)

    /// Writes to `sink`, which nobody else uses until all parts have ended.
    init(_ sink: OutputSink) { self.sink = sink }

    /// Whether later parts have any use.
    var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

    /// Writes a piece of a part as soon as all earlier parts have ended.
    /// - Returns: whether more of the part has any use.
    func write(_ piece: [UInt8], part: Int) -> Bool {
        waitForTurn(of: part)
        guard isOpen else { return false }
        sink.write(piece: piece)
        if !sink.isOpen { close() }
        return isOpen
    }

    /// Ends a part, which every part has to do; a part that failed ends the output.
    func end(part: Int, hasFailed: Bool = false) {
        waitForTurn(of: part)
        if hasFailed { close() }
        gate.change { turn = part + 1 }
    }

    private func waitForTurn(of part: Int) { gate.wait { turn == part || !isOpen } }

    private func close() { gate.change { isClosed.store(true, ordering: .relaxed) } }
}
