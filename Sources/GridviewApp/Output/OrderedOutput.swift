import Locks
import Synchronization

/// Output that several threads produce in parts. The parts are numbered from 0, and are written in this order.
///
/// The class is sendable because only the part whose turn it is uses the sink.
final class OrderedOutput: @unchecked Sendable {
    private(set) var sink: OutputSink
    private let gate = Gate()
    /// The number of the part that may write; guarded by the gate.
    private var turn = 0
    private let isClosed = Atomic(false)

    /// Writes to `sink`, which must not be used elsewhere until all parts have ended.
    init(_ sink: OutputSink) { self.sink = sink }

    /// True while output is needed. When it is false, the remaining parts can be skipped.
    var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

    /// Writes a piece of a part after all earlier parts have ended.
    /// - Returns: False if the rest of the part can be skipped.
    func write(_ piece: [UInt8], part: Int) -> Bool {
        waitForTurn(of: part)
        guard isOpen else { return false }
        sink.write(piece: piece)
        if !sink.isOpen { close() }
        return isOpen
    }

    /// Ends a part. Must be called once for every part. A failed part closes the output.
    func end(part: Int, hasFailed: Bool = false) {
        waitForTurn(of: part)
        if hasFailed { close() }
        gate.withLockNotifying { turn = part + 1 }
    }

    private func waitForTurn(of part: Int) { gate.wait { turn == part || !isOpen } }

    private func close() { gate.withLockNotifying { isClosed.store(true, ordering: .relaxed) } }
}
